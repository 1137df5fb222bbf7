"""What becomes of an entry that took the place of another: its kind, and what it is found to be of."""

from __future__ import annotations

import re

from gateway.core.frozen import replace
from gateway.core.ledger import turns
from gateway.core.ledger.claims import OF, Claim, claim
from gateway.core.ledger.decoys import plain
from gateway.core.ledger.entry import MAX_CHARS, ORDER, Kind
from gateway.core.ledger.topic import masked, topic

# What takes over the kind of what it replaces: a decision to move the deadline is the deadline.
_WEAK = (Kind.DECISION, Kind.VALUE, Kind.RULE)
# Behind it stands what a withdrawal sets instead.
_BORDER = re.compile(r"[,;:.—–，。；：]\s*|\s(?:and|but)\s")
_BEFORE = f"{OF}something said before)"


def unsettled(item: Claim) -> Claim:
    """Return an update of nothing that is known as one that will not look for it again."""
    if not item.sign.changes or OF in item.entry.text or not item.is_bare:
        return item
    return settled(item)


def settled(item: Claim) -> Claim:
    """Return an entry that has done to others what it says, as one that will not do it again."""
    text = item.entry.text + _BEFORE
    if OF in item.entry.text or len(text) > MAX_CHARS:
        return item
    return claim(replace(item.entry, text=text))


def instead(item: Claim, old: Claim) -> Claim:
    """Return what a withdrawal sets in place of what it takes back: "scratch that, use tabs"."""
    first, _, rest = _BORDER.sub("\n", item.entry.text, count=1).partition("\n")
    says = claim(replace(item.entry, text=rest))
    if not says.about or not turns.withdraws(plain(first)):
        return renewed(item, old, is_vague=True)
    if topic(first).subject & old.topic.subject - says.topic.subject:
        # It is said on the way what it is of, and stands nowhere else: "forget the plots: magma".
        return renewed(item, old, is_vague=False)
    return renewed(says, old, is_vague=says.is_bare)


def renewed(item: Claim, old: Claim, is_vague: bool) -> Claim:
    """Return an entry that took the place of another, with its kind and, if need be, its subject."""
    entry = item.entry
    is_reversed = old.entry.kind is Kind.PROHIBITION and not item.topic.is_negative
    kind = Kind.RULE if is_reversed else old.entry.kind
    if entry.kind in _WEAK and ORDER[kind] < ORDER[entry.kind]:
        entry = replace(entry, kind=kind)
    if is_vague and OF not in entry.text:
        subject = masked(old.entry.text.split(OF)[0])
        # Without a value in it, it would be said again as it was.
        text = f"{entry.text}{OF}{subject})" if "…" in subject else entry.text + _BEFORE
        if len(text) <= MAX_CHARS:
            entry = replace(entry, text=text)
    return item if entry is item.entry else claim(entry)
