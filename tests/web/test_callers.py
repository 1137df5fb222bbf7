"""Who asks, and what they may: open to any key, or closed to all but the keys of the tenants."""

from __future__ import annotations

import pytest

from gateway.core.errors import Forbidden, InvalidRequest, Unauthorized
from gateway.core.frozen import replace
from gateway.engine.upstream import Upstream
from gateway.policy.policies import PolicySet
from gateway.policy.schema import Policy
from gateway.policy.tenants import Tenant, key_hash
from gateway.web.callers import Caller, Callers
from gateway.web.routes import ANTHROPIC, OPENAI, route
from wired import URL, Edge

POLICIES = {name: Policy(name=name) for name in ("default", "tight", "off")}
KEY = "hvs_acme"
ACME = Tenant(
    name="acme",
    policy=POLICIES["tight"],
    keys=(key_hash(KEY), key_hash("hvs_old")),
    policies=("off",),
    models=("gpt-*", "qwen"),
)
FREE = Tenant(name="free", policy=POLICIES["default"], keys=(key_hash("plain-key"),))
CHAT = route(b"/v1/chat/completions", b"", [])


def callers(*tenants: Tenant) -> Callers:
    """Return what recognises these tenants; without any, everybody."""
    held = PolicySet(POLICIES, {tenant.name: tenant for tenant in tenants}, POLICIES["default"])

    def upstreams(tenant: Tenant | None) -> dict[str, Upstream]:
        name = tenant.name if tenant else "everybody"
        return {dialect: Upstream(f"{name}-{dialect}", URL, Edge()) for dialect in (OPENAI, ANTHROPIC)}

    return Callers(lambda: held, upstreams)


def acme() -> Caller:
    """Return a client of the tenant whose models are restricted."""
    return callers(ACME, FREE).identify([(b"authorization", f"Bearer {KEY}".encode())])


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [(b"authorization", b"Bearer sk-somebody")],
        [(b"authorization", b"Bearer ")],
        [(b"authorization", b"hvs_acme2")],
        [(b"x-other", b"hvs_acme")],
        [(b"authorization", key_hash(KEY).encode())],
        [(b"x-haversack-key", b"\xff\xfe")],
    ],
)
def test_nobody_passes_without_a_key_where_there_are_tenants(headers: list[tuple[bytes, bytes]]) -> None:
    """No key, another's, or a key's hash: none of them lets anybody in."""
    with pytest.raises(Unauthorized, match="x-haversack-key"):
        callers(ACME, FREE).identify(headers)


def test_key_that_was_taken_away_opens_nothing_from_then_on() -> None:
    """Who was let in by a key a moment ago is refused once the tenant's file no longer has it."""
    held = [PolicySet(POLICIES, {"acme": ACME}, POLICIES["default"])]
    known = Callers(lambda: held[0], lambda _: {})
    headers = [(b"authorization", f"Bearer {KEY}".encode())]
    assert known.identify(headers).tenant == known.identify(headers).tenant == "acme"
    held[0] = PolicySet(POLICIES, {"acme": replace(ACME, keys=(key_hash("hvs_new"),))}, POLICIES["default"])
    with pytest.raises(Unauthorized):
        known.identify(headers)


def test_any_number_of_keys_are_told_apart() -> None:
    """In open mode every key has a state of its own, however many came between, and however long it is."""
    known = callers()
    keys = [f"sk-{number}" + "x" * (number % 7 * 200) for number in range(1000)]
    scopes = [known.identify([(b"x-api-key", key.encode())]).scope for key in keys]
    assert len(set(scopes)) == 1000
    assert [known.identify([(b"x-api-key", key.encode())]).scope for key in keys] == scopes


@pytest.mark.parametrize(
    "header",
    [
        (b"authorization", b"Bearer hvs_acme"),
        (b"authorization", b"bearer   hvs_acme "),
        (b"authorization", b"hvs_acme"),
        (b"x-api-key", b"hvs_acme"),
        (b"api-key", b"hvs_acme"),
        (b"x-haversack-key", b"hvs_acme"),
        (b"authorization", b"Bearer hvs_old"),
    ],
)
def test_key_is_found_wherever_a_client_puts_it(header: tuple[bytes, bytes]) -> None:
    """OpenAI's, Azure's and Anthropic's clients are recognised; both keys of a tenant are its own."""
    caller = callers(ACME, FREE).identify([header])

    assert (caller.tenant, caller.scope) == ("acme", "tenant-acme")


def test_key_of_the_gateway_goes_beside_the_vendors() -> None:
    """A client may send the vendor's key as ever, and the gateway's in a header of its own."""
    headers = [(b"authorization", b"Bearer sk-vendor"), (b"x-haversack-key", KEY.encode())]

    assert callers(ACME, FREE).identify(headers).tenant == "acme"


def test_keys_of_a_tenant_share_what_is_remembered() -> None:
    """Exchanging a key costs no conversation; another tenant shares nothing."""
    known = callers(ACME, FREE)
    scopes = [known.identify([(b"x-api-key", key)]).scope for key in (b"hvs_acme", b"hvs_old", b"plain-key")]

    assert scopes[0] == scopes[1] != scopes[2]


def test_without_tenants_every_key_is_somebody() -> None:
    """In open mode each key has its own memory, and no key at all is served too."""
    known = callers()
    one, two, none = (
        known.identify(headers)
        for headers in ([(b"authorization", b"Bearer 1")], [(b"authorization", b"Bearer 2")], [])
    )

    assert {one.tenant, two.tenant, none.tenant} == {"open"}
    assert len({one.scope, two.scope, none.scope}) == 3
    assert one.upstream(OPENAI).name == "everybody-openai"


def test_upstream_is_the_tenants() -> None:
    """A request goes to the upstream of its tenant and dialect."""
    assert acme().upstream(ANTHROPIC).name == "acme-anthropic"


def test_policy_is_the_tenants_unless_it_may_choose() -> None:
    """The header chooses among the policies that the tenant's file allows."""
    assert acme().policy(None).name == "tight"
    assert acme().policy(b"").name == "tight"
    assert acme().policy(b" off ").name == "off"
    assert acme().policy(b"tight").name == "tight"
    with pytest.raises(Forbidden):
        acme().policy(b"default")


def test_policy_in_open_mode_is_anybodys_choice() -> None:
    """Without tenants any policy may be asked for, if there is one of that name."""
    caller = callers().identify([])

    assert caller.policy(b"off").name == "off"
    with pytest.raises(InvalidRequest, match="tight"):
        caller.policy(b"tigt")


def test_models_are_restricted() -> None:
    """A tenant's models are globs; any other is refused, and the refusal names what is allowed."""
    acme().check_model("gpt-4o")
    acme().check_model("qwen")
    for model in ("claude", "qwen-2", ""):
        with pytest.raises(Forbidden, match=r"gpt-\*, qwen"):
            acme().check_model(model)


def test_models_of_a_path_are_restricted_too() -> None:
    """Both what the body names and what the path names must be allowed; a body may name none."""
    for model, deployment in (("gpt-4o", b"o9"), (None, b"o9"), ("o9", b"gpt-4o")):
        with pytest.raises(Forbidden):
            acme().check_model(model, route(b"/openai/deployments/%b/embeddings" % deployment, b"", []))
    acme().check_model(None, route(b"/openai/deployments/gpt-4o/embeddings", b"", []))
    acme().check_model(None, route(b"/v1/embeddings", b"", []))


def test_models_are_free_where_none_are_named() -> None:
    """Without a restriction any model may be used, unread bodies included."""
    for caller in (callers(FREE).identify([(b"x-api-key", b"plain-key")]), callers().identify([])):
        caller.check_model("anything")
        caller.check_unread(CHAT)


def test_body_that_cannot_be_read_is_refused_where_models_are_restricted() -> None:
    """What could name any model is not let through to an endpoint of models."""
    with pytest.raises(Forbidden):
        acme().check_unread(CHAT)
    with pytest.raises(Forbidden, match=r"'text/plain': send application/json"):
        acme().check_unread(CHAT, "text/plain")
    acme().check_unread(route(b"/v1/models", b"", []))
    with pytest.raises(Forbidden):
        acme().check_unread(route(b"/v1/embeddings", b"", []), names_some=True)


@pytest.mark.parametrize(
    "path",
    [
        b"/v1/%63hat/completions",
        b"/v1/%2563hat/completions",
        b"/v1/chat/./completions",
        b"/v1/files/../chat/completions",
        b"/v1/chat%2Fcompletions",
        b"/v1/Chat/Completions",
        b"/v1/chat/completions;a=1",
        b"/v1/chat/completions%20",
        b"/v1/completions",
        b"/v1/%6dessages",
        b"/openai/deployments/d/completions",
    ],
)
def test_models_stay_restricted_however_the_path_is_written(path: bytes) -> None:
    """An upstream decodes a path and matches it its own way; that is no way around the restriction."""
    with pytest.raises(Forbidden):
        acme().check_unread(route(path, b"", []))


@pytest.mark.parametrize("path", [b"/v1/files", b"/v1/embeddings", b"/v1/threads/t/messages"])
def test_what_runs_no_conversation_is_not_restricted(path: bytes) -> None:
    """Where no conversation is sent, a restriction of models refuses nothing."""
    acme().check_unread(route(path, b"", []))


def test_key_of_the_gateway_never_leaves() -> None:
    """The upstream sees the client's own credentials, and never a key of ours, however it was sent."""
    headers = [
        (b"Authorization", b"Bearer hvs_acme"),
        (b"x-api-key", b"hvs_acme"),
        (b"api-key", b"sk-vendor"),
        (b"x-note", b"hvs_acme"),
    ]

    assert acme().outgoing(headers) == headers[2:]
    twice = [(b"authorization", b"Bearer hvs_old"), (b"authorization", b"Bearer sk-vendor")]
    assert callers().identify(twice).outgoing(twice) == twice[1:]


@pytest.mark.parametrize(
    ("name", "value", "goes_on"),
    [
        (b"authorization", b"Bearer\thvs_other", False),
        (b"authorization", b"Bearer Bearer hvs_other", False),
        (b"Authorization", b'Token "hvs_other"', False),
        (b"x-goog-api-key", b"hvs_" + b"Ab-_" * 10 + b"xyz", False),
        (b"x-goog-api-key", b"AIza", True),
        (b"authorization", b"Bearer eyJhbGciOi.hvs_xyz-hvs_.c2ln", True),
        (b"x-note", b"hvs_something", True),
    ],
)
def test_second_key_of_the_gateway_never_leaves_however_it_is_written(
    name: bytes, value: bytes, goes_on: bool
) -> None:
    """Beside the one that opens, another may stand in any header; what only looks like one goes on."""
    headers = [(b"x-haversack-key", KEY.encode()), (name, value)]
    caller = callers(ACME, FREE).identify([(name.lower(), value) for name, value in headers])
    assert caller.outgoing(headers[1:]) == (headers[1:] if goes_on else [])
