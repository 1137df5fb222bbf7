"""What stands in a folder of policies, looks as if it were meant to apply, and is read by nobody.

Told, not refused: it may have been put aside. Hidden names and what editors leave are nobody's policies.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path

TENANTS = "tenants"
"""The folder of the tenants, below that of the policies."""

SUFFIXES = (".yaml", ".yml")
"""What the name of a file that is read ends with."""

_MEANT = re.compile(r"(.+?)(?:\.ya?ml(?:\.txt)?|\.json|\.toml)", re.IGNORECASE)
_ALIKE = 0.7
_MOST = 20


def is_read(path: Path) -> bool:
    """Return whether a file's name is that of a policy or tenant."""
    return path.suffix in SUFFIXES


def ignored(folder: Path) -> tuple[str, ...]:
    """Return a sentence for each thing that is passed over, with what to do. Raise OSError."""
    found = list(_in(folder, TENANTS))
    if (folder / TENANTS).is_dir():
        found += [*_no_tenants(folder / TENANTS), *_in(folder / TENANTS, "")]
    if len(found) > _MOST:
        found[_MOST:] = [f"{folder}: {len(found) - _MOST} more files or folders are not read."]
    return tuple(found)


def _in(folder: Path, below: str) -> Iterator[str]:
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or (below and _is_same(path, folder / below)):
            continue
        if path.is_dir():
            with suppress(OSError):  # what nobody may look into holds no policies
                yield from _folder(path, below)
        elif not is_read(path) and (meant := _MEANT.fullmatch(path.name)):
            way_out = f"if it is meant to apply, write it as {meant[1]}.yaml"
            yield f"{path}: is not read, for its name does not end in .yaml; {way_out}."


def _no_tenants(folder: Path) -> Iterator[str]:
    if not any(is_read(path) and path.is_file() for path in folder.iterdir()):
        yield f"{folder}: holds no tenant, so no key is asked for; `haversack key new TENANT` makes one."


def _is_same(path: Path, other: Path) -> bool:
    """Return whether two names lead to one place; some file systems take no notice of capitals."""
    return path == other or (path.exists() and other.exists() and path.samefile(other))


def _folder(path: Path, below: str) -> Iterator[str]:
    if below and get_close_matches(path.name.lower(), [below], 1, _ALIKE):
        yield f"{path}: is not read; the folder of tenants is called {below}: rename it."
    elif any(is_read(file) or _MEANT.fullmatch(file.name) for file in path.iterdir()):
        yield f"{path}: is not read, nor is what is in it; move its files one folder up."
