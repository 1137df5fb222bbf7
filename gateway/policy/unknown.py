"""A policy that nobody knows, in the place of one that a file names and that is not there or cannot be read.

`no_policy` says so. The file is looked at over it: no value of it contradicts one that a file may hold, so
that what is found wrong is wrong whatever policy was meant.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from gateway.policy.levels import Level
from gateway.policy.rules import SummarizerRules
from gateway.policy.schema import Policy
from gateway.policy.words import suggestion


@dataclass(frozen=True, kw_only=True)
class Unknown(Policy):
    """A policy of which not all is known: this one, and whatever is built upon it."""


UNKNOWN = Unknown(
    name="",
    trigger=Level(),
    prepare=Level(),
    target=Level(),
    # With a share of its own no reserve is too large for any window.
    reserve_ratio=0.5,
    summarizer=SummarizerRules(part_ratio=0.9, min_part_ratio=1e-9, max_parts=64),
)


def no_policy(name: str, known: Collection[str]) -> str:
    """Return what is wrong with a name that no policy has; it is often that of its file.

    >>> no_policy("policies/default.yaml", ["default"])
    "no policy is called 'policies/default.yaml'; did you mean default?"
    """
    bare = re.sub(r"^.{0,999}[/\\]|\.ya?ml$", "", name.strip())
    return f"no policy is called {name!r}{suggestion(bare, list(known))}"
