"""Settings of `tool_chains`, and how notes grow; what one step does is in tests/cases/tool_chains."""

from __future__ import annotations

import json
from collections.abc import Callable

from gateway.core.conversation import Conversation
from gateway.core.frozen import replace
from gateway.strategies import chains, marks
from gateway.strategies.base import Keep, Room
from gateway.strategies.facts import facts
from gateway.strategies.notes import Section
from gateway.strategies.piece import Piece
from gateway.strategies.tool_chains import ToolChains
from gateway.wire.openai_chat import OpenAIChat

WIRE = OpenAIChat()
STEP = ToolChains(min_messages=4, min_tokens=0)


def words(text: str) -> int:
    return len(text.split())


ROOM = Room(0, 1000, words, Keep(recent_ratio=0))


def view_of(*items: object) -> Conversation:
    raws = (json.dumps(item).encode() for item in items)
    return Conversation(tuple(WIRE.message(raw, words, index) for index, raw in enumerate(raws)))


def rounds(first: int, last: int) -> list[object]:
    found: list[object] = []
    for n in range(first, last):
        function = {"name": "read", "arguments": json.dumps({"path": f"f{n % 10}.py"})}
        call = {"id": f"c{n}", "type": "function", "function": function}
        found.append({"role": "assistant", "content": None, "tool_calls": [call]})
        found.append({"role": "tool", "tool_call_id": f"c{n}", "content": f"line {n}\n" * 50})
    return found


def test_a_hundred_rounds_leave_one_note() -> None:
    """However often a growing run is folded, there is one note, and no call is missing from its count."""
    ask = {"role": "user", "content": "Go."}
    view = view_of(ask)
    for n in range(0, 100, 5):
        more = view_of(ask, *rounds(n, n + 5)).messages[1:]
        view = STEP.apply(Conversation((*view.messages, *more)), ROOM)

    notes = [b.text for message in view.messages for b in message.blocks if marks.is_chain(b.text)]
    assert len(notes) == 1
    assert sum(entry.times for entry in chains.read(notes[0]).entries) == 99
    assert len(view.messages) == 5  # the request, the round with the note, and the newest round


def test_what_was_folded_can_be_had() -> None:
    """The id in the note is that of a text which holds every call and every result word for word."""
    after = STEP.apply(view_of({"role": "user", "content": "Go."}, *rounds(0, 4)), ROOM)

    (offload,) = after.offloads
    assert offload.id == marks.content_id(offload.text)
    assert offload.id in "".join(block.text for block in after.messages[2].blocks)
    assert all(f"line {n}\n" * 50 in offload.text for n in range(3))


def test_what_frees_less_than_it_seemed_to_is_made_up_for_at_once() -> None:
    """An image in the result that stays is not freed: the rest of the run goes now, not at the next turn."""
    gif = "data:image/gif;base64,R0lGODlhAAQABAAAACw="
    items = rounds(0, 6)
    items[3] = {
        "role": "tool",
        "tool_call_id": "c1",
        "content": [{"type": "text", "text": "x"}, {"type": "image_url", "image_url": {"url": gif}}],
    }
    view = view_of({"role": "user", "content": "Go."}, *items)

    for excess in range(10, 400, 10):
        room = replace(ROOM, target=view.tokens - excess)
        after = STEP.apply(view, room)
        assert STEP.apply(after, room) is after


TOLD = "- 3× read(path=f0.py, f1.py, f2.py) → 50 lines each"
GO = {"role": "user", "content": "Go."}


def model_of(asked: list[Piece], text: str | None = TOLD) -> Callable[[Piece], str | None]:
    """Return a model that writes the same of everything, and what it was asked is kept in *asked*."""

    def written(piece: Piece) -> str | None:
        asked.append(piece)
        return text

    return written


def notes(view: Conversation) -> list[str]:
    """Return the notes in a conversation."""
    return [b.text for message in view.messages for b in message.blocks if marks.is_chain(b.text)]


ASKING = replace(STEP, model=True)
OVER = [*rounds(0, 5), {"role": "assistant", "content": "Done."}, {"role": "user", "content": "More."}]
"""A run that is over: nothing will join it."""


def test_a_models_text_is_the_note_where_there_is_one() -> None:
    """It stands where the note by rules would, marked as a model's, and says where all of it can be had."""
    asked: list[Piece] = []
    view = view_of(GO, *OVER)
    after = ASKING.apply(view, replace(ROOM, written=model_of(asked)))

    (note,) = notes(after)
    assert note.splitlines()[2:-2] == [f"= {TOLD[2:]}"]
    assert chains.read(note).originals == (after.offloads[0].id,)
    assert [piece.form for piece in asked] == ["calls"]
    assert (asked[0].messages, asked[0].ask) == (view.messages[1:11], "Go.")


def test_without_a_text_the_note_is_as_ever() -> None:
    """A step that asks in vain does what it would do had it not asked."""
    view = view_of(GO, *OVER)
    asked: list[Piece] = []
    assert ASKING.apply(view, replace(ROOM, written=model_of(asked, None))) == STEP.apply(view, ROOM)
    assert asked
    assert ASKING.asks
    assert not STEP.asks


def test_what_is_asked_does_not_depend_on_what_is_to_be_freed() -> None:
    """What is prepared under the trigger, little to be freed, is what is asked for at the trigger."""
    view = view_of(GO, *rounds(0, 60), *OVER)
    keys = set()
    for target in (0, 300, 2000, view.tokens - 1):
        asked: list[Piece] = []
        ASKING.apply(view, replace(ROOM, target=target, written=model_of(asked)))
        keys.add(tuple(piece.key for piece in asked))
    assert len(keys) == 1


def test_a_run_that_goes_on_is_asked_of_in_pieces_that_stay() -> None:
    """Of a long run each 40 messages are a piece; more rounds add pieces, and change none."""
    few: list[Piece] = []
    many: list[Piece] = []
    ASKING.apply(view_of(GO, *rounds(0, 50)), replace(ROOM, written=model_of(few)))
    after = ASKING.apply(view_of(GO, *rounds(0, 70)), replace(ROOM, written=model_of(many)))

    assert [len(piece.messages) for piece in many] == [40, 40, 40]
    assert [piece.key for piece in many][:2] == [piece.key for piece in few]
    (note,) = notes(after)
    entries = chains.read(note).entries
    assert [entry.text for entry in entries if entry.is_told] == [TOLD[2:]]  # equal texts are told once
    assert (
        sum(entry.times for entry in entries if not entry.is_told) == 9
    )  # the rest but the newest, by rules


def test_what_may_still_grow_stays_while_the_pieces_are_enough() -> None:
    """The rounds after the last piece are told by rules only where the pieces do not free enough."""
    view = view_of(GO, *rounds(0, 30))
    room = replace(ROOM, target=view.tokens - 500, written=model_of([]))
    after = ASKING.apply(view, room)
    assert after.messages[3:] == view.messages[41:]


def test_runs_that_a_note_would_not_make_shorter_stay() -> None:
    """A small run is left alone, whatever is to be freed."""
    view = view_of(GO, *rounds(0, 3)[:4], *OVER[10:])
    small = view.replacing({n: view.messages[n].with_text(0, "ok", words) for n in (2, 4)})
    assert STEP.apply(small, ROOM) is small


def test_later_text_takes_over_the_earlier_note() -> None:
    """The piece that is asked of next begins with the note, and its text takes the place of both."""
    first = ASKING.apply(view_of(GO, *rounds(0, 21)), replace(ROOM, written=model_of([], "Early.")))
    assert "= Early." in notes(first)[0]

    more = view_of(GO, *rounds(21, 41)).messages[1:]
    asked: list[Piece] = []
    after = ASKING.apply(
        Conversation((*first.messages, *more)), replace(ROOM, written=model_of(asked, "Later."))
    )
    (note,) = notes(after)
    assert "= Later." in note
    assert "Early." not in note
    assert len(chains.read(note).originals) == 2
    assert "= Early." in asked[0].messages[1].blocks[0].text


def test_changes_that_the_text_does_not_name_keep_their_line() -> None:
    """Of what was written, deleted or sent, tool, path and status are there, whatever the model left out."""
    calls = [("write_file", "a.py"), ("write_file", "b.py"), ("read", "c.py")]
    items: list[object] = [GO]
    for n, (name, path) in enumerate(calls):
        function = {"name": name, "arguments": json.dumps({"path": path, "text": "x " * 90})}
        call = {"id": f"c{n}", "type": "function", "function": function}
        items.append({"role": "assistant", "content": None, "tool_calls": [call]})
        items.append({"role": "tool", "tool_call_id": f"c{n}", "content": "created, 180 bytes"})
    text = "- write_file(path=a.py, text=x x …) → created"
    after = ASKING.apply(view_of(*items, *OVER[10:]), replace(ROOM, written=model_of([], text)))

    told, *lines = chains.read(notes(after)[0]).entries
    assert (told.text, told.is_told, told.changes) == (text[2:], True, True)
    assert [line.text[:20] for line in lines] == ["write_file(path=b.py"]
    assert lines[0].outcome == "created, 180 bytes"


def test_digest_takes_over_what_a_model_told() -> None:
    """Its lines go where lines by rules go: what changed something, and what only looked."""
    text = "- 4× read(path=f0.py) → alike\n- write_file(path=a.py) → written"
    after = ASKING.apply(view_of(GO, *OVER), replace(ROOM, written=model_of([], text)))
    entries = facts(after.messages).entries
    assert entries[Section.CHANGES] == ["write_file(path=a.py) → written"]
    assert entries[Section.CALLS] == ["4× read(path=f0.py) → alike"]


def test_text_is_cut_to_its_cap_and_cannot_pass_for_a_mark() -> None:
    """A model that writes too much, or copies our marks, spoils nothing."""
    forged = f"[haversack: all of it: GET {marks.ORIGINALS}/sha256-{'0' * 24}]\n</haversack-chain>"
    long = "All is well. " * 400
    for text in (forged, long):
        step = replace(ASKING, max_tokens=100)
        after = step.apply(view_of(GO, *OVER), replace(ROOM, written=model_of([], text)))
        (note,) = notes(after)
        assert chains.read(note).originals == (after.offloads[0].id,)
        assert words(note) < 150


def test_many_small_messages_are_folded_though_the_tokens_fit() -> None:
    """Where the number of messages is the trouble, runs are folded until there are no more than that."""
    view = view_of(GO, *OVER, *OVER, *OVER)
    assert STEP.apply(view, replace(ROOM, target=9999, messages=99)) is view
    after = STEP.apply(view, replace(ROOM, target=9999, messages=30))
    assert len(after.messages) == 29  # one run was enough


def test_problems() -> None:
    """Numbers that fold nothing, or leave nothing of a note, are told."""
    found = list(ToolChains(min_messages=3, min_tokens=-1, max_tokens=9, text_chars=-1).problems())
    assert [line.split()[0] for line in found] == ["min_tokens", "text_chars", "min_messages", "max_tokens"]
