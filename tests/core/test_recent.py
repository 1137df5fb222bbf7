"""A bounded map of what was put into it last."""

from __future__ import annotations

from gateway.core.recent import Recent


def test_what_was_put_longest_ago_goes() -> None:
    """However much is put in, it holds so many; putting or moving an entry makes it the latest."""
    seen: Recent[int, str] = Recent(3)
    for number in range(3):
        seen.put(number, "")
    seen.put(0, "again")
    seen.move_to_end(1)
    seen.put(3, "")

    assert dict(seen) == {0: "again", 1: "", 3: ""}
    for number in range(100):
        seen.put(number, "")
    assert list(seen) == [97, 98, 99]
