"""Bring passages to a number of tokens, fairly: the largest pieces lose first, all down to one common size.

Where there are more passages than have room even so, users' messages and the newest are kept, and a line for
each gap says which messages are missing and how long they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from gateway.core.conversation import Count
from gateway.core.frozen import replace
from gateway.core.level import level
from gateway.core.summary.cut import Shorten, shorten
from gateway.core.summary.transcript import Passage, Piece, size

_LEAST_PIECE = 20
"""Tokens below which a piece is not cut: a notice takes about as many."""
_LEAST_PASSAGE = 40
"""Tokens of a passage that is there at all: label, a piece with a notice, the gap before it."""
_USERS_SHARE = 0.5


def fit(
    passages: Sequence[Passage], max_tokens: int, count: Count, cut: Shorten = shorten
) -> tuple[Passage, ...]:
    """Return passages of at most *max_tokens* together; the least that can come back is one line for all."""
    if size(passages) <= max_tokens:
        return tuple(passages)
    room = max_tokens // _LEAST_PASSAGE
    while room > 0:
        kept = passages if len(passages) <= room else _thinned(passages, room, count)
        fitting = _levelled(kept, max_tokens, count, cut)
        if size(fitting) <= max_tokens:
            return fitting
        room = min(room, len(passages)) // 2
    return tuple(_thinned(passages, 0, count))


def _levelled(
    passages: Sequence[Passage], max_tokens: int, count: Count, cut: Shorten
) -> tuple[Passage, ...]:
    sizes = [piece.tokens for passage in passages for piece in passage.pieces]
    cap = max(_LEAST_PIECE, level(sizes, max_tokens - sum(passage.frame for passage in passages)))
    return tuple(_capped(passage, cap, count, cut) for passage in passages)


def _capped(passage: Passage, cap: int, count: Count, cut: Shorten) -> Passage:
    if all(piece.tokens <= cap for piece in passage.pieces):
        return passage
    return replace(passage, pieces=tuple(_cut(piece, cap, count, cut) for piece in passage.pieces))


def _cut(piece: Piece, cap: int, count: Count, cut: Shorten) -> Piece:
    if piece.tokens <= cap:
        return piece
    text = cut(piece.text, cap, count)
    return Piece(piece.lead, text, count(text))


def _thinned(passages: Sequence[Passage], room: int, count: Count) -> list[Passage]:
    """Return *room* of the passages, and one for each gap between them."""
    kept = _kept(passages, room)
    found: list[Passage] = []
    for is_kept, group in groupby(range(len(passages)), kept.__contains__):
        run = [passages[index] for index in group]
        found += run if is_kept else [_gap(run, count)]
    return found


def _kept(passages: Sequence[Passage], room: int) -> frozenset[int]:
    """Return the indices of passages that stay: users' messages up to a share, then the newest."""
    users = [index for index, passage in enumerate(passages) if passage.is_user]
    kept = set(_ends(users, int(room * _USERS_SHARE)))
    newest: Iterator[int] = (index for index in range(len(passages) - 1, -1, -1) if index not in kept)
    kept.update(index for index, _ in zip(newest, range(room - len(kept)), strict=False))
    return frozenset(kept)


def _ends(indices: Sequence[int], most: int) -> Sequence[int]:
    """Return the first of some indices, which states the task, and of the others the last."""
    return (
        indices if len(indices) <= most else [*indices[: min(most, 1)], *indices[len(indices) - most + 1 :]]
    )


def _gap(run: Sequence[Passage], count: Count) -> Passage:
    first, last = run[0].number, run[-1].through or run[-1].number
    missing = sum(passage.missing or passage.tokens for passage in run)
    label = f"[{first}-{last}] {last - first + 1:,} messages left out, {missing:,} tokens"
    return Passage(first, label, (), count(label + "\n"), run[0].follows, through=last, missing=missing)
