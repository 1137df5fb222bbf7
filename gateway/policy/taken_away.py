"""Keys that were taken out of the tenants' files, where something else keeps those from being put in force.

Files that are wrong change nothing, but for this: a key that stands in none of them any more lets nobody in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from gateway.core.frozen import replace
from gateway.policy.policies import File, PolicySet

_COMMENT = re.compile(rb"(?:^|(?<=\s))#[^\n]*", re.MULTILINE)


def less_taken_away(current: PolicySet, files: Iterable[File]) -> PolicySet:
    """Return the set less the keys that stand in none of these files; the very same if all do.

    *files*: those of all tenants, as they are, right or wrong. A tenant whose own file is empty keeps its
    keys: somebody is about to write it. One without any key left stays, so that the gateway does not open.
    """
    files = list(files)
    begun = {file.name for file in files if not file.data.strip()}
    written = b"\n".join(_COMMENT.sub(b"", file.data) for file in files).decode("utf-8", "replace")
    left = {
        name: tuple(key for key in one.keys if name in begun or key in written)
        for name, one in current.tenants.items()
    }
    if all(left[name] == one.keys for name, one in current.tenants.items()):
        return current
    tenants = {name: replace(one, keys=left[name]) for name, one in current.tenants.items()}
    return replace(current, tenants=tenants)
