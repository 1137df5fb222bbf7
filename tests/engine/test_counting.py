"""What is known of a message is not counted again; what is new is, off the loop if there is much of it."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from gateway.core.conversation import Conversation
from gateway.core.memo import Memo
from gateway.core.tokens import INLINE_BYTES
from gateway.engine.counting import Counted, Counting
from wired import WIRE, chat, message, turns, words


class Counter:
    """Counts words, and remembers what was counted and by which thread."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.threads: set[int] = set()

    def __call__(self, text: str) -> int:
        self.texts.append(text)
        self.threads.add(threading.get_ident())
        return words(text)


def counted(*bodies: bytes, count: Counter | None = None, salts: tuple[int, ...] = ()) -> list[Counted]:
    """Return these requests, counted one after the other."""
    counter = count or Counter()

    async def run() -> list[Counted]:
        with ThreadPoolExecutor(1) as executor:
            counting = Counting(Memo(), executor)
            given = salts or (0,) * len(bodies)
            return [
                await counting.count(WIRE, WIRE.read(body), counter, salt)
                for body, salt in zip(bodies, given, strict=True)
            ]

    return asyncio.run(run())


def test_request_is_all_of_its_parts() -> None:
    """Messages and what is sent beside them count; each part is known by itself."""
    tools = [{"type": "function", "function": {"name": "f", "description": "one two three"}}]
    [request] = counted(chat([message("system", 10), *turns(2)], tools=tools))

    assert request.message_tokens == 10 + 5 * 50
    assert request.extras_tokens > 0
    assert request.tokens == request.message_tokens + request.extras_tokens
    assert (request.turns, request.has_images) == (3, False)


@pytest.mark.parametrize("first_as", ["response_format", "messages"])
def test_message_is_never_taken_for_what_stands_beside_one(first_as: str) -> None:
    """Who sends another's message as a schema changes nothing about that one's conversation, nor the reverse.

    Seen: messages of which somebody had made a schema before all had the same digest, so that a conversation
    got the frozen beginning of another one.
    """
    one, other = message("user", 5, "first"), message("user", 5, "second")
    plain = [chat([one]), chat([other])]
    poison = [chat([message("user", 1)], response_format=entry) for entry in (one, other)]
    order = [*poison, *plain] if first_as == "response_format" else [*plain, *poison]
    alone, mixed = counted(*plain), counted(*order)
    found = mixed[2:] if first_as == "response_format" else mixed[:2]

    assert [request.chain() for request in found] == [request.chain() for request in alone]
    assert [request.last_user for request in found] == [0, 0]
    schemas = counted(*poison)
    told = mixed[:2] if first_as == "response_format" else mixed[2:]
    assert [request.extras_tokens for request in told] == [request.extras_tokens for request in schemas]


FRAME = {"role": "user", "content": "<info-msg>It is 10:41.\nTODO: (empty)</info-msg>"}
ASKED, SAID = message("user", 5), message("assistant", 5)


@pytest.mark.parametrize(
    ("messages", "last_user", "asked"),
    [
        ([ASKED, SAID, ASKED], 2, 2),
        ([ASKED, SAID, ASKED, FRAME], 2, 2),
        ([ASKED, FRAME, SAID, FRAME], 0, 1),
        ([ASKED, {"role": "user", "content": "<info-msg>10:41</info-msg> Go on."}], 1, 2),
        ([FRAME, SAID, FRAME], 2, 2),
        ([SAID], None, 0),
    ],
)
def test_latest_request_is_what_a_user_asks(messages: list[Any], last_user: int | None, asked: int) -> None:
    """What a client tells of the moment by itself is no request and no turn, as steps have it, too.

    Seen with goose: its own message was the one that had to stay, and the question before it stayed cut.
    """
    [request] = counted(chat(messages))
    view = Conversation(tuple(WIRE.message(raw, words) for raw in request.request.messages))

    assert (request.last_user, request.turns) == (last_user, asked)
    assert (view.last_user, len(view.turns)) == (last_user, asked)


def test_request_with_images_says_so() -> None:
    """Vendors differ on the price of an image, so such a request teaches nothing about counting."""
    image = {"type": "image_url", "image_url": {"url": "http://i/x.png"}}
    [request] = counted(chat([{"role": "user", "content": [image]}]))

    assert request.has_images


def test_only_what_is_new_is_counted() -> None:
    """The second request of a conversation costs its new messages; a repetition costs nothing."""
    counter = Counter()
    first, longer = chat(turns(2)), chat([*turns(2), message("assistant", 9, "new")])

    requests = counted(first, longer, longer, count=counter)

    contents = [text for text in counter.texts if text]
    assert len(contents) == len(set(contents)) == 6
    assert sum("new" in text for text in contents) == 1
    assert requests[1].tokens == requests[2].tokens == 259


def test_what_was_read_to_be_counted_is_at_hand() -> None:
    """A message that had to be read is not read again for the first decision; of equal ones, the first."""
    known, again = chat(turns(1)), chat([*turns(1), message("user", 9), message("user", 9)])

    _, request = counted(known, again)

    assert {index: read.origin for index, read in request.read.items()} == {3: 3}
    assert request.read[3] == WIRE.message(request.request.messages[3], words, 3)


def test_vocabularies_are_kept_apart() -> None:
    """A message counted for one model is counted anew for one that counts differently."""
    counter = Counter()
    counted(chat(turns(1)), chat(turns(1)), count=counter, salts=(1, 2))

    assert counter.texts[: len(counter.texts) // 2] * 2 == counter.texts
    assert counter.texts


def test_extension_of_a_list_is_recognised() -> None:
    """Each list that another one extends begins with the chain of that one; an edit ends it."""
    first, longer, edited = counted(
        chat(turns(2)), chat(turns(3)[:-1]), chat([message("user", 9), *turns(2)])
    )

    assert longer.chain()[:4] == first.chain()[:4]
    assert edited.chain()[0] != first.chain()[0]
    assert len(set(first.chain())) == 5


def test_much_is_counted_off_the_loop() -> None:
    """A large request does not hold up the others; a small one is not sent around."""
    here, small, large = threading.get_ident(), Counter(), Counter()
    counted(chat(turns(1)), count=small)
    counted(chat([message("user", INLINE_BYTES)]), count=large)

    assert small.threads == {here}
    assert here not in large.threads
