"""Keys that are taken out of files let nobody in, also while something else is wrong with the files."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from gateway.core.errors import ConfigError
from gateway.policy.live import LivePolicies
from gateway.policy.tenants import key_hash

FIRST, SECOND = "hvs_first", "hvs_second"


def file(*keys: str) -> str:
    """Return what a tenant's file says that has these keys."""
    return "keys:\n" + "".join(f"  - {key_hash(key)}\n" for key in keys)


@pytest.fixture
def live(tmp_path: Path) -> LivePolicies:
    """Return what is in force with one tenant that has two keys."""
    (tmp_path / "tenants").mkdir()
    (tmp_path / "tenants" / "acme.yaml").write_text(file(FIRST, SECOND))
    found = LivePolicies(tmp_path)
    found.load()
    return found


def refused(live: LivePolicies) -> set[str]:
    """Read the files again, which are wrong; return whose key still opens."""
    with pytest.raises(ConfigError):
        live.load()
    assert not live.current.is_open
    return {key for key in (FIRST, SECOND) if live.current.tenant(key) is not None}


@pytest.mark.parametrize("after", [file(SECOND), file(SECOND) + f"#  - {key_hash(FIRST)}\n"])
def test_key_is_gone_though_another_file_is_broken(
    live: LivePolicies, tmp_path: Path, after: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Taken out, or put behind a `#`, it opens nothing, and the other one goes on; the log says so once."""
    (tmp_path / "other.yaml").write_text("extends: defalt")
    (tmp_path / "tenants" / "acme.yaml").write_text(after)
    caplog.set_level(logging.WARNING)
    assert refused(live) == {SECOND}
    assert refused(live) == {SECOND}
    assert [vars(line)["tenant"] for line in caplog.records] == [["acme"]]


def test_keys_of_a_file_that_is_broken_itself_go_on(live: LivePolicies, tmp_path: Path) -> None:
    """A slip in a tenant's file locks nobody out."""
    (tmp_path / "tenants" / "acme.yaml").write_text(file(FIRST, SECOND) + "trigger: [")
    assert refused(live) == {FIRST, SECOND}


def test_file_that_is_gone_opens_nothing(live: LivePolicies, tmp_path: Path) -> None:
    """A tenant's file is deleted while another's is broken: its keys let nobody in."""
    (tmp_path / "tenants" / "acme.yaml").unlink()
    (tmp_path / "tenants" / "beta.yaml").write_text("keys: [")
    assert refused(live) == set()


@pytest.mark.parametrize("is_there", [True, False])
def test_folder_that_is_away_or_empty_locks_nobody_out(
    live: LivePolicies, tmp_path: Path, is_there: bool
) -> None:
    """A volume that is exchanged says nothing about keys."""
    (tmp_path / "tenants").rename(tmp_path / "elsewhere")
    if is_there:
        (tmp_path / "tenants").mkdir()
    assert refused(live) == {FIRST, SECOND}


def test_file_that_is_about_to_be_written_locks_nobody_out(live: LivePolicies, tmp_path: Path) -> None:
    """Many programs empty a file before they write it anew."""
    (tmp_path / "tenants" / "acme.yaml").write_text("")
    assert refused(live) == {FIRST, SECOND}


def test_keys_come_back_with_files_that_are_right(live: LivePolicies, tmp_path: Path) -> None:
    """What is in force again is what the files say."""
    (tmp_path / "tenants" / "acme.yaml").write_text("keys: [")
    assert refused(live) == set()
    (tmp_path / "tenants" / "acme.yaml").write_text(file(FIRST))
    live.load()
    assert live.current.tenant(FIRST) is not None
