"""A tenant's file, and keys."""

from __future__ import annotations

import os
import re

import pytest

from gateway.policy.document import Source, parse
from gateway.policy.levels import Level
from gateway.policy.read import read_policy
from gateway.policy.schema import Policy
from gateway.policy.tenants import Tenant, key_hash, new_key, read_tenant
from gateway.strategies import STRATEGIES

KEY, HASH = new_key(b"\x01" * 32)
POLICIES = {name: read_policy({}, name, None, STRATEGIES, Source("p")) for name in ("default", "other")}


def read(text: str) -> tuple[Tenant, list[str]]:
    """Return the tenant that a file describes, and its problems."""
    source = Source("t")
    tenant = read_tenant(parse(text.encode(), source), "acme", POLICIES, "default", STRATEGIES, source)
    return tenant, [str(problem) for problem in source.problems]


def test_new_keys_have_one_form_and_differ() -> None:
    """A key can be told from a vendor's by its beginning, and no two are equal."""
    key, hashed = new_key(os.urandom(32))
    assert re.fullmatch(r"hvs_[A-Za-z0-9_-]{43}", key)
    assert hashed == key_hash(key)
    assert re.fullmatch(r"sha256-[0-9a-f]{64}", hashed)
    assert new_key(os.urandom(32))[0] != key


def test_key_is_never_made_of_too_little() -> None:
    """A key that could be guessed is refused."""
    with pytest.raises(ValueError, match="32 bytes, got 4"):
        new_key(b"1234")


def test_every_key_of_a_tenant_file_is_read() -> None:
    """A file that uses all of the format becomes exactly this tenant."""
    tenant, problems = read(
        f"""
keys: [{HASH}]
upstream: http://10.0.0.5:8000/v1
anthropic_upstream: https://api.anthropic.com
policy: other
policies: [default]
models: [gpt-*]
"""
    )
    assert problems == []
    assert tenant == Tenant(
        name="acme",
        policy=POLICIES["other"],
        keys=(HASH,),
        upstream="http://10.0.0.5:8000/v1",
        anthropic_upstream="https://api.anthropic.com",
        policies=("default",),
        models=("gpt-*",),
    )


def test_tenant_without_a_policy_gets_the_default() -> None:
    """A file with nothing but keys is a whole tenant."""
    assert read(f"keys: [{HASH}]") == (Tenant(name="acme", policy=POLICIES["default"], keys=(HASH,)), [])


@pytest.mark.parametrize("extends", ["extends: other\n", ""])
def test_policy_keys_change_the_policy_for_this_tenant_alone(extends: str) -> None:
    """Overrides stand in the tenant's own file and touch nobody else."""
    tenant, problems = read(f"keys: [{HASH}]\n{extends}trigger: {{ratio: 0.7}}\n")
    assert problems == []
    assert tenant.policy.trigger == Level(ratio=0.7)
    assert tenant.policy.name == "tenants/acme"
    assert POLICIES["default"].trigger == Policy(name="x").trigger


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("models: [a]", "t: keys: is missing: nobody could use this tenant; see `haversack key new`"),
        *(
            (
                f"keys: {empty}",
                "t:1: keys: is empty: nobody could use this tenant; write keys: [sha256-...], with the hash "
                "that `haversack key new TENANT` prints",
            )
            for empty in ("[]", "{}", "''", "")
        ),
        ("keys: sha256-5", "t:1: keys: expects a list, not one text; put it in brackets: keys: [sha256-...]"),
        ("keys: [7]", "t:1: keys[0]: expects a text, not 7; put it in quotes"),
        (f"keys: [{HASH}, {HASH}]", "t:1: keys[1]: stands twice; take one out"),
        (f"keys: [{KEY}]", f"t:1: keys[0]: is a key; only its hash belongs here: {HASH}"),
        (
            "keys: [sk-123]",
            "t:1: keys[0]: is not a hash of the form sha256-<64 hexadecimal digits>; "
            "`haversack key new TENANT` makes a key and its hash",
        ),
        *(
            (
                f"keys: [sha256-{wrong}]",
                "t:1: keys[0]: is not a hash of the form sha256-<64 hexadecimal digits>; "
                "`haversack key new TENANT` makes a key and its hash",
            )
            for wrong in ("ab" * 31, "ab" * 33, "xy" * 32, "AB" * 32, "")
        ),
        *(
            (
                f"keys: [sha256-{digit * 64}]",
                "t:1: keys[0]: holds the place of a hash, and is that of no key; "
                "`haversack key new TENANT` makes a key and its hash",
            )
            for digit in "0f"
        ),
        (
            f"keys: [{key_hash('')}]",
            "t:1: keys[0]: is the hash of no key at all; `haversack key new TENANT` makes a key and its hash",
        ),
        (
            f"keys: [{HASH}]\nupstream: api.openai.com",
            "t:2: upstream: must be a URL like https://host/v1, not 'api.openai.com'",
        ),
        (f"keys: [{HASH}]\npolicy: othr", "t:2: policy: no policy is called 'othr'; did you mean other?"),
        (f"keys: [{HASH}]\nextends: othr", "t:2: extends: no policy is called 'othr'; did you mean other?"),
        (f"keys: {KEY}", "t:1: keys: expects a list, not one text; put it in brackets: keys: [sha256-...]"),
        (
            f"keys: [{HASH}]\npolicies: [default, '']",
            "t:2: policies[1]: is empty; write a text, or take the entry out",
        ),
        (
            f"keys: [{HASH}]\npolicy:",
            "t:2: policy: expects a text, not nothing; write one, or leave the key out",
        ),
        (
            f"keys: [{HASH}]\nupstream:",
            "t:2: upstream: expects a text, not nothing; write one, or leave the key out",
        ),
        (f"keys: [{HASH}]\npolicy: ''", "t:2: policy: no policy is called ''; known are: default, other"),
        (
            f"keys: [{HASH}]\npolicies: [othr]",
            "t:2: policies[0]: no policy is called 'othr'; did you mean other?",
        ),
        (
            f"keys: [{HASH}]\npolicy: other\nwindow: 5000",
            "t:2: policy: is taken as it is; to change it, write `extends` in its place",
        ),
        (
            f"keys: [{HASH}]\npolicy: other\nextends: default",
            "t:2: policy: is taken as it is; to change it, write `extends` in its place",
        ),
        (f"keys: [{HASH}]\ntriger: 5", "t:2: triger: is not known here; did you mean trigger?"),
        (f"keys: [{HASH}]\nupstraem: x", "t:2: upstraem: is not known here; did you mean upstream?"),
        (
            f"keys: [{HASH}]\nmodel: [gpt-4]",
            "t:2: model: is not known here; did you mean models? For summaries, write summarizer: "
            "{model: ...}",
        ),
        (
            f"keys: [{HASH}]\npart_ratio: 0.2",
            "t:2: part_ratio: is not known here; it belongs below `summarizer`: write summarizer: "
            "{part_ratio: ...}",
        ),
        (
            f"keys: [{HASH}]\ntimeout_s: 5",
            "t:2: timeout_s: is not known here; it belongs below `summarizer`: write summarizer: "
            "{timeout_s: ...}",
        ),
        (
            f"keys: [{HASH}]\nupstream: https://ann:secret@host/v1",
            "t:2: upstream: must hold no user or password in a URL: this file is shown and shared",
        ),
        (
            f"keys: [{HASH}]\ntarget: {{ratio: 0.9}}",
            "t:2: target.ratio: (0.9) must be below trigger.ratio (0.8)",
        ),
    ],
)
def test_wrong_tenant_file_is_a_problem(text: str, problem: str) -> None:
    """Each mistake is named with its place; a key in the open is told what to be replaced by."""
    assert read(text)[1] == [problem]


def test_place_in_a_list_is_that_of_the_file() -> None:
    """Seen: behind an entry that could not be read, others were told one place too early."""
    _, problems = read(f"keys: [5, {HASH}, sk-1]\npolicies: [true, othr]")
    assert [problem.split(": ")[1] for problem in problems] == [
        "keys[0]",
        "policies[0]",
        "keys[2]",
        "policies[1]",
    ]


def test_what_differs_by_model_stands_in_no_tenant_file() -> None:
    """There `models` is the list of those that a tenant may use; its policy says what differs."""
    _, problems = read(f"keys: [{HASH}]\nmodels: {{gpt-*: {{window: 5000}}}}\n")
    assert problems == [
        "t:2: models: expects a list of globs, not keys and values; what differs by model stands in a "
        "policy, which this file names by `policy` or `extends`"
    ]
