"""What lies beside policies and applies to nobody is named, with the way out."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateway.policy.ignored import ignored


def made(folder: Path, *names: str) -> list[str]:
    """Return what is said of a folder with these files, without the place of the folder."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("mode: off\n")
    return [text.replace(f"{folder}/", "") for text in ignored(folder)]


@pytest.mark.parametrize("name", ["tenant", "Tenants", "TENANTS", "tennants", "tenents"])
def test_folder_that_is_called_nearly_so_is_named(tmp_path: Path, name: str) -> None:
    """Whoever wrote `tenant/` believes that keys are asked for, and none is."""
    said = made(tmp_path, f"{name}/acme.yaml")

    assert said == [f"{name}: is not read; the folder of tenants is called tenants: rename it."]


@pytest.mark.parametrize("name", ["a.yaml.txt", "a.yml.txt", "a.json", "a.YAML", "a.Yml", "a.toml"])
def test_file_with_another_ending_is_named(tmp_path: Path, name: str) -> None:
    """An editor that appends `.txt` shows no more than the name one believes in."""
    (text,) = made(tmp_path, name)

    assert text.startswith(f"{name}: is not read")
    assert "write it as a.yaml" in text


def test_tenants_are_looked_at_too(tmp_path: Path) -> None:
    """What lies among them with another ending, or in a folder of its own, is no tenant."""
    said = made(tmp_path, "tenants/a.yaml", "tenants/b.json", "tenants/more/c.yaml")

    assert [text.partition(":")[0] for text in said] == ["tenants/b.json", "tenants/more"]


@pytest.mark.parametrize("name", ["tenants/acme.yaml.sample", "tenants/.hidden", "tenants/more/a.yaml"])
def test_folder_without_tenants_is_named(tmp_path: Path, name: str) -> None:
    """Whoever made it believes that keys are asked for, and anybody is let in."""
    said = made(tmp_path, name)

    assert "tenants: holds no tenant, so no key is asked for; `haversack key new TENANT` makes one." in said


def test_folder_with_policies_is_named(tmp_path: Path) -> None:
    """Folders are not gone through."""
    (text,) = made(tmp_path, "team/a.yaml")

    assert text.startswith("team: is not read")
    assert "move its files" in text


def test_what_nobody_takes_for_a_policy_is_not_named(tmp_path: Path) -> None:
    """Notes, copies put aside, hidden files and mounted configuration's own folders are no mistakes."""
    names = (
        "a.yaml",
        "b.yml",
        "README.md",
        "a.yaml.bak",
        "a.yaml~",
        ".a.yaml.swp",
        ".git/x.yaml",
        "doc/x.md",
    )

    assert made(tmp_path, *names, "doc/x.md", "..2026_11/a.yaml", "tenants/acme.yaml") == []


def test_many_are_not_all_told(tmp_path: Path) -> None:
    """A folder that was taken by mistake does not fill the screen."""
    said = made(tmp_path, *(f"{number}.json" for number in range(50)))

    assert len(said) == 21
    assert "30 more" in said[-1]
