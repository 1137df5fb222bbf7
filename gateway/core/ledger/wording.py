"""The text of an entry: what was said, with what stands before it where it would mean nothing alone."""

from __future__ import annotations

import re

from gateway.core.ledger import decoys
from gateway.core.ledger.entry import MAX_CHARS, Kind, line
from gateway.core.ledger.segments import Segment
from gateway.core.ledger.values import strong

# What only makes sense behind the sentence before it.
_LEANS = re.compile(
    r"(?:and |but |so |also |then |please )*(?:it|its|it's|that|that's|this|they|them|these|those"
    r"|he|she|his|her|their|same|otherwise|except|unless|only then|the (?:latter|former|same)"
    r"|both|neither|either|if so|if not|doing so|instead)\b"
    r"|也|它|这|那|该(?!死)|此|其|否则|除非|不然|同样|他|她|两者",
    re.IGNORECASE,
)
_POINTS = re.compile(r"^(?:\W*(?:it|that|this|they|them|make it|make that|actually|no|not)\b)", re.IGNORECASE)
_BARE = re.compile(
    r"(?:it|this|that|they|these|those) (?:must|should|shall|may|can|has to|have to|is|are|needs?"
    r"|cannot|can't)\b",
    re.IGNORECASE,
)


def text_of(segment: Segment, kind: Kind, start: int, stop: int) -> str:
    """Return the text of an entry, with what stands before it where it would mean nothing alone."""
    text = line(segment.text, start, stop)
    before = ""
    if (segment.intro and segment.kind in (Kind.PROHIBITION, Kind.LIMIT)) or segment.intro.startswith("|"):
        before = segment.intro
    elif (_LEANS.match(segment.text) and not _POINTS.match(segment.text)) or _is_bare(segment.text):
        before = segment.before
    before = " ".join(before.split())
    if before and not decoys.live(decoys.plain(before)).strip(" .。,，"):
        before = ""
    if before and len(before) + len(text) < MAX_CHARS:
        return f"{before} {text}"
    return text


def with_subject(segment: Segment) -> str:
    """Return the text of what may change something, with the sentence before it if only that names it."""
    text = text_of(segment, Kind.VALUE, 0, 0)
    before = " ".join(segment.before.split())
    if text.startswith(before) or not strong(before) or strong(text):
        return text
    return line(f"{before} {text}") if len(before) + len(text) < MAX_CHARS else text


def _is_bare(text: str) -> bool:
    return _BARE.match(text) is not None
