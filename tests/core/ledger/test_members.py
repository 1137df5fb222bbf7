"""Members of JSON that tell what came of a call."""

from __future__ import annotations

from gateway.core.ledger.members import parted, telling


def test_member_tells_by_its_name_or_its_value() -> None:
    """An identifier tells under whatever name, in whatever language."""
    text = (
        '{"ok": true, "code": 0, "record_locator": "QZ7P4M", "data": {"运单号": "SF7731902255"}, "page": 1}'
    )
    assert list(telling(text)) == ['"record_locator": "QZ7P4M", "运单号": "SF7731902255"']


def test_what_was_asked_for_is_no_news() -> None:
    """A member that repeats an argument is left out."""
    assert list(telling('{"base": "EUR", "rate": 11.2846, "id": "X-1"}', "X-1")) == ['"rate": 11.2846']


def test_rows_of_a_list_give_their_first() -> None:
    """A list is data; its first row says what is in it."""
    text = "[" + ", ".join(f'{{"id": "A-{n}", "state": "open"}}' for n in range(9)) + "]"
    assert list(telling(text)) == ['"id": "A-0", "state": "open"']


def test_lines_are_parted_from_json() -> None:
    """A response of HTTP has both."""
    assert parted('HTTP/1.1 201\n\n{"id": 7}') == (["HTTP/1.1 201", ""], '{"id": 7}')
