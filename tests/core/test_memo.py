"""What was counted once is not counted again, and the memory for it is bounded."""

from __future__ import annotations

from gateway.core.memo import ENTRY_BYTES, Facts, Memo


def facts(tokens: int) -> Facts:
    return Facts(tokens, "user", b"\0" * 32)


def remember(memo: Memo[Facts], *slices: bytes, salt: int = 0) -> None:
    found = memo.lookup(slices, salt)
    for index in found.unknown:
        memo.add(found.keys[index], facts(len(slices[index])))


def small(entries: int, secret: int = 0) -> Memo[Facts]:
    """Return a memo whose generations hold so many entries each."""
    return Memo(max_bytes=2 * entries * ENTRY_BYTES, secret=secret)


def test_only_new_messages_are_unknown() -> None:
    """Of a conversation seen before, only the new turn has to be read and counted."""
    memo: Memo[Facts] = Memo()
    remember(memo, b"one", b"three")

    found = memo.lookup([b"one", b"three", b"seven"])

    assert found.unknown == [2]
    assert [known and known.tokens for known in found.facts] == [3, 5, None]


def test_the_same_message_twice_is_two_entries_of_the_list() -> None:
    """Equal messages of one list are both reported, in their places."""
    memo: Memo[Facts] = Memo()
    found = memo.lookup([b"ok", b"no", b"ok"])

    assert found.unknown == [0, 1, 2]
    assert found.keys[0] == found.keys[2] != found.keys[1]


def test_wire_formats_do_not_share_facts() -> None:
    """The same bytes in another wire format or for another vocabulary are looked at anew."""
    memo: Memo[Facts] = Memo()
    remember(memo, b"one", salt=1)

    assert memo.lookup([b"one"], salt=2).unknown == [0]
    assert memo.lookup([b"one"], salt=1).unknown == []


def test_keys_cannot_be_foreseen() -> None:
    """Two processes have different keys for one message, so a collision cannot be prepared."""
    assert small(1, secret=1).lookup([b"one"]).keys != small(1, secret=2).lookup([b"one"]).keys


def test_any_secret_and_salt_will_do() -> None:
    """A secret of 64 bits and a salt together may exceed 64 bits."""
    memo: Memo[Facts] = Memo(secret=2**64 - 1)
    remember(memo, b"one", salt=7)

    assert memo.lookup([b"one"], salt=7).unknown == []


def test_memory_is_bounded() -> None:
    """However many different messages pass, no more are kept than the bound allows."""
    memo = small(entries=10)
    for number in range(1000):
        remember(memo, b"%d" % number)
        assert len(memo) <= 20


def test_a_conversation_in_use_stays_known() -> None:
    """A conversation that goes on is not forgotten because others pass by."""
    memo = small(entries=10)
    remember(memo, b"mine")
    for number in range(1000):
        remember(memo, b"%d" % number)
        if number % 5 == 0:
            assert memo.lookup([b"mine"]).unknown == []


def test_a_conversation_out_of_use_is_forgotten() -> None:
    """What nobody asks for makes room."""
    memo = small(entries=10)
    remember(memo, b"mine")
    for number in range(21):
        remember(memo, b"%d" % number)

    assert memo.lookup([b"mine"]).unknown == [0]


def test_equal_messages_survive_the_change_of_generations() -> None:
    """A message that stands twice in a list is known in both places when it becomes young again."""
    memo = small(entries=2)
    remember(memo, b"ok")
    remember(memo, b"1", b"2")

    assert memo.lookup([b"ok", b"2", b"1", b"ok"]).unknown == []


def test_a_known_message_makes_nothing_old() -> None:
    """Adding what is there already does not push out anything."""
    memo = small(entries=2)
    remember(memo, b"1", b"2")
    for _ in range(9):
        memo.add(memo.lookup([b"2"]).keys[0], facts(9))

    found = memo.lookup([b"1", b"2"])
    assert [known and known.tokens for known in found.facts] == [1, 9]
