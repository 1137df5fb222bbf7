"""All policies and tenants of one moment."""

from __future__ import annotations

import pytest

from gateway.core.errors import ConfigError, Forbidden, InvalidRequest
from gateway.policy.levels import Level
from gateway.policy.policies import File, PolicySet, read_set
from gateway.policy.schema import Mode
from gateway.policy.tenants import OPEN, new_key
from gateway.strategies import STRATEGIES

KEY, HASH = new_key(b"\x01" * 32)
OTHER_KEY, OTHER_HASH = new_key(b"\x02" * 32)

SHIPPED = {"default": "window: 1000", "off": "mode: off"}


def files(folder: str, texts: dict[str, str]) -> list[File]:
    """Return files as they come from a folder."""
    return [File(f"{folder}/{name}.yaml", name, text.encode()) for name, text in texts.items()]


def read(
    own: dict[str, str] | None = None, tenants: dict[str, str] | None = None, default: str = "default"
) -> PolicySet:
    """Return the set that these files make over two shipped policies."""
    return read_set(
        files("shipped", SHIPPED),
        files("own", own or {}),
        files("tenants", tenants or {}),
        default,
        STRATEGIES,
    )


def problems(
    own: dict[str, str] | None = None, tenants: dict[str, str] | None = None, default: str = "default"
) -> list[str]:
    """Return what is wrong with these files."""
    with pytest.raises(ConfigError) as caught:
        read(own, tenants, default)
    return caught.value.problems


def test_own_policy_goes_before_a_shipped_one() -> None:
    """A file called like a shipped policy takes its place; the others stay."""
    found = read({"default": "window: 2000", "mine": "window: 3000"})
    assert {name: policy.window for name, policy in found.policies.items()} == {
        "default": 2000,
        "off": None,
        "mine": 3000,
    }
    assert found.default.window == 2000


def test_policies_build_on_each_other() -> None:
    """A policy may extend another, shipped or own, whatever the order of the files."""
    found = read({"a": "extends: b\nreserve_output: 7", "b": "extends: default\ntrigger: {turns: 3}"})
    assert found.policies["a"].window == 1000
    assert found.policies["a"].trigger == Level(turns=3)
    assert found.policies["a"].name == "a"


def test_extending_its_own_name_changes_the_shipped_policy() -> None:
    """`default.yaml` with `extends: default` is the shipped one with a few changes."""
    found = read({"default": "extends: default\nreserve_output: 7"})
    assert (found.default.window, found.default.reserve_output) == (1000, 7)


def test_extending_what_is_not_there_is_a_problem() -> None:
    """A circle, a wrong name and a policy that extends nothing but itself are each told apart."""
    assert problems({"a": "extends: b", "b": "extends: c", "c": "extends: a"}) == [
        "own/c.yaml:1: extends: goes in a circle: a → b → c → a"
    ]
    assert problems({"a": "extends: defualt"}) == [
        "own/a.yaml:1: extends: no policy is called 'defualt'; did you mean default?"
    ]
    assert problems({"a": "extends: a"}) == [
        "own/a.yaml:1: extends: no policy is called 'a'; known are: default, off"
    ]
    assert problems({"a": "extends: [default]"}) == [
        "own/a.yaml:1: extends: expects the name of a policy, not a list; known are: default, off"
    ]
    assert problems({"a": "extends: 5", "5": "window: 5000"}) == [
        "own/a.yaml:1: extends: expects the name of a policy, not 5; put it in quotes"
    ]
    assert problems({"a": "extends: policies/default.yaml"}) == [
        "own/a.yaml:1: extends: no policy is called 'policies/default.yaml'; did you mean default?"
    ]


def test_file_that_cannot_be_read_puts_no_blame_on_those_that_extend_it() -> None:
    """Only what is wrong whatever it says is told of them; so it is with a default that is not there."""
    said = "prepare: {ratio: 0.95}\nwindow: 0"
    assert problems({"a": f"extends: b\n{said}", "b": "["}, {"t": f"keys: [{HASH}]\nextends: b\n{said}"}) == [
        "own/a.yaml:3: window: must be at least 1, got 0",
        "own/b.yaml:1: is not YAML: the bracket of line 1 is not closed, or a comma is missing behind an "
        "entry",
        "tenants/t.yaml:4: window: must be at least 1, got 0",
    ]
    assert problems(tenants={"t": f"keys: [{HASH}]\n{said}"}, default="none")[1:] == [
        "tenants/t.yaml:3: window: must be at least 1, got 0"
    ]


def test_all_problems_of_all_files_come_at_once() -> None:
    """One check of a directory shows everything that has to be changed in it."""
    found = problems(
        {"a": "windw: 5", "b": "mode: x", "Big Name": "window: 5000"},
        {"t": "keys: []", "u": "["},
        default="nothing",
    )
    assert [text.split(":")[0] for text in found] == [
        "own/Big Name.yaml",
        "own/a.yaml",
        "own/b.yaml",
        "--policy or HAVERSACK_POLICY",
        "tenants/t.yaml",
        "tenants/u.yaml",
    ]


def test_two_files_of_one_name_are_a_problem() -> None:
    """`a.yaml` beside `a.yml` is not decided by chance."""
    own = [File("own/a.yaml", "a", b"window: 1000"), File("own/a.yml", "a", b"window: 2000")]
    with pytest.raises(ConfigError, match=r"own/a\.yml: has the same name as own/a\.yaml"):
        read_set(files("shipped", SHIPPED), own, [], "default", STRATEGIES)


def test_key_belongs_to_one_tenant() -> None:
    """A key that two tenants list is a problem: their conversations would mix."""
    tenants = {"a": f"keys: [{HASH}]", "b": f"keys: [{OTHER_HASH}, {HASH}]"}
    assert problems(tenants=tenants) == ["tenants/b.yaml:1: keys[1]: is a key of the tenant a, too"]


def test_no_tenant_is_called_as_requests_without_one_are() -> None:
    """In log and metrics nobody could tell the two apart; a policy may be called so."""
    assert problems(tenants={OPEN: f"keys: [{HASH}]"}) == [
        "tenants/open.yaml: log and metrics call requests `open` where there are no tenants; "
        "take another name"
    ]
    assert "open" in read({"open": "window: 1000"}, {"opened": f"keys: [{HASH}]"}).policies


def test_tenant_is_found_by_its_key() -> None:
    """A key leads to its tenant, also a second one; no other text does, the hash in the file least of all."""
    found = read(tenants={"a": f"keys: [{HASH}, {OTHER_HASH}]"})
    assert not found.is_open
    assert found.tenant(KEY) is found.tenants["a"]
    assert found.tenant(OTHER_KEY) is found.tenants["a"]
    for wrong in ("", HASH, KEY[:-1], KEY + "\ud83d"):
        assert found.tenant(wrong) is None


def test_without_tenants_any_policy_may_be_chosen() -> None:
    """On a laptop, a request names any policy that there is; a wrong name is told what there is."""
    found = read()
    assert found.is_open
    assert found.choose(None).window == 1000
    assert found.choose(None, "off").mode is Mode.OFF
    with pytest.raises(InvalidRequest, match="did you mean off"):
        found.choose(None, "of")


def test_tenant_chooses_only_what_it_may() -> None:
    """A tenant uses its own policy and those its file names; nothing else, whether it exists or not."""
    found = read({"mine": "window: 5"}, {"a": f"keys: [{HASH}]\npolicies: ['off']\nwindow: 7"})
    tenant = found.tenants["a"]
    assert found.choose(tenant).window == 7
    assert found.choose(tenant, "tenants/a").window == 7
    assert found.choose(tenant, "off").mode is Mode.OFF
    for name in ("mine", "default", "nothing"):
        with pytest.raises(Forbidden):
            found.choose(tenant, name)


def test_tenants_that_name_no_policy_have_that_of_the_gateway() -> None:
    """`--policy off` switches off whoever names neither `policy` nor `extends`, with changes or without."""
    other = f"keys: [{OTHER_HASH}]\nextends: default"
    for said in ("", "\ntrigger: {turns: 3}"):
        found = read(tenants={"a": f"keys: [{HASH}]{said}", "b": other}, default="off")
        assert found.choose(found.tenants["a"]).mode is Mode.OFF
        assert found.choose(found.tenants["b"]).mode is Mode.COMPACT
