"""Where a tenant's requests go."""

from __future__ import annotations

import pytest

from gateway.core.frozen import replace
from gateway.policy.policies import PolicySet
from gateway.policy.rules import SummarizerRules
from gateway.policy.schema import Policy
from gateway.policy.tenants import Tenant
from gateway.settings import Settings
from gateway.web.routes import ANTHROPIC, OPENAI
from gateway.web.upstreams import Upstreams, circles, likely_circles
from wired import Edge

SETTINGS = Settings(upstream="http://own/v1", anthropic_upstream="http://claude")


def upstreams() -> Upstreams:
    """Return the upstreams of a gateway with these settings."""
    return Upstreams(SETTINGS, Edge())


def tenant(openai: str | None = None, anthropic: str | None = None) -> Tenant:
    """Return a tenant with upstreams of its own."""
    return Tenant(
        name="acme", policy=Policy(name="p"), keys=(), upstream=openai, anthropic_upstream=anthropic
    )


def test_everybody_has_the_gateways_own() -> None:
    """Without a tenant, and for one that names none, the settings decide."""
    for who in (None, tenant()):
        found = upstreams().of(who)
        assert (found[OPENAI].base_url, found[ANTHROPIC].base_url) == ("http://own/v1", "http://claude")
        assert (found[OPENAI].name, found[ANTHROPIC].name) == ("openai", "anthropic")


def test_tenant_may_have_one_of_its_own() -> None:
    """The dialect that a tenant names goes there, the other stays; metrics tell it by its host."""
    found = upstreams().of(tenant("http://10.0.0.1:9000/v1"))

    assert (found[OPENAI].base_url, found[OPENAI].name) == ("http://10.0.0.1:9000/v1", "openai@10.0.0.1")
    assert found[ANTHROPIC].base_url == "http://claude"


@pytest.mark.parametrize(
    ("host", "url", "is_circle"),
    [
        ("127.0.0.1", "http://127.0.0.1:8080/v1", True),
        ("127.0.0.1", "http://localhost:8080", True),
        ("localhost", "http://127.0.0.1:8080/v1", True),
        ("0.0.0.0", "http://127.0.0.1:8080/v1", True),
        ("::", "http://[::1]:8080/v1", True),
        ("gateway", "http://gateway:8080/v1", True),
        ("127.0.0.1", "http://127.0.0.1:8000/v1", False),
        ("127.0.0.1", "http://127.0.0.2:8080/v1", False),
        ("127.0.0.1", "https://127.0.0.1:8080/v1", False),
        ("127.0.0.1", "http://LOCALHOST.:8080/v1", True),
        ("127.0.0.1", "http://0.0.0.0:8080/v1", True),
        ("::1", "http://[::]:8080/v1", True),
        ("::", "http://0.0.0.0:8080/v1", True),
        ("10.0.0.1", "http://10.0.0.1:8080/v1", True),
        ("Gateway", "http://gateway:8080/v1", True),
        ("10.0.0.1", "http://0.0.0.0:8080/v1", False),
        ("0.0.0.0", "http://vllm:8080/v1", False),
        ("0.0.0.0", "http://host.docker.internal:8080/v1", False),
        ("10.0.0.1", "http://localhost:8080/v1", False),
    ],
)
def test_gateway_does_not_ask_itself(host: str, url: str, *, is_circle: bool) -> None:
    """An upstream that is this gateway is refused with the way out; another server may have the same port."""
    found = list(circles(Settings(host=host, upstream=url)))
    assert len(found) == is_circle
    assert all("name where the models are served, or another --port" in text for text in found)
    assert len(list(circles(Settings(host=host, anthropic_upstream=url)))) == is_circle


@pytest.mark.parametrize(
    ("host", "url", "is_told"),
    [
        ("0.0.0.0", "http://box:8080/v1", True),
        ("::", "http://Box.lan:8080", True),
        ("0.0.0.0", "http://host.docker.internal:8080/v1", True),
        ("0.0.0.0", "http://host.docker.internal:8000/v1", False),
        ("0.0.0.0", "https://box:8080/v1", False),
        ("0.0.0.0", "http://vllm:8080/v1", False),
        ("127.0.0.1", "http://box:8080/v1", False),
        ("0.0.0.0", "http://localhost:8080/v1", False),
    ],
)
def test_upstream_that_may_be_this_gateway_is_told_of(host: str, url: str, *, is_told: bool) -> None:
    """From within a container its own published port looks like another machine's: a warning, no refusal."""
    settings = replace(SETTINGS, host=host)
    policy = Policy(name="p")
    found = PolicySet({}, {"acme": tenant(url)}, policy)
    told = list(likely_circles(settings, found, "box.lan"))
    assert len(told) == is_told
    assert all(
        text.startswith(f"tenants/acme.yaml: upstream: {url} may be this gateway, which has the port 8080:")
        for text in told
    )


def test_tenant_or_summary_does_not_ask_this_gateway() -> None:
    """Whoever names it in a file is told where, in the same words; each policy is told of once."""
    asking = Policy(name="mine", summarizer=SummarizerRules(upstream="http://localhost:8080/v1"))
    acme = replace(tenant("http://127.0.0.1:8080/v1", "http://claude"), policy=asking)
    found = PolicySet({"mine": asking, "default": Policy(name="default")}, {"acme": acme}, asking)

    again = "is this gateway, which would ask itself again and again; name where the models are served, or"
    assert list(circles(SETTINGS, found)) == [
        f"tenants/acme.yaml: upstream: http://127.0.0.1:8080/v1 {again} another --port",
        f"mine.yaml: summarizer.upstream: http://localhost:8080/v1 {again} another --port",
    ]
    assert list(circles(replace(SETTINGS, port=8081), found)) == []


def test_each_upstream_is_made_once() -> None:
    """Two requests, and two tenants with one upstream, share it."""
    known = upstreams()

    assert known.of(tenant("http://a/v1"))[OPENAI] is known.of(tenant("http://a/v1", "http://b"))[OPENAI]
    assert known.of(None)[OPENAI] is known.of(tenant(None, "http://b"))[OPENAI]


def test_upstream_of_a_policy_is_neither_dialects() -> None:
    """Whom the gateway asks on its own is told apart by its host, and made once."""
    known = upstreams()

    found = known.at("http://10.0.0.2:9000/v1")
    assert (found.base_url, found.name) == ("http://10.0.0.2:9000/v1", "summarizer@10.0.0.2")
    assert known.at("http://10.0.0.2:9000/v1") is found
