"""What counts as surviving, as stale and as carried: small requests, judged by eye."""

from __future__ import annotations

from typing import Any

from quality.probing import Forwarded, is_carried, is_stale, misleads
from quality.rows import Row
from quality.sessions import Planted


def planted(
    type: str = "rule", text: str = "Use port 80.", probe: str = "port 80", stale: str = ""
) -> Planted:
    """Return a row without slots, planted."""
    row = Row("x", type, "en", "dev", text, (probe,), stale=(stale,) if stale else ())
    return Planted(row, text, row.probe, row.stale, 0, "early")


def digest(*lines: str) -> Forwarded:
    """Return a request with a digest of these lines."""
    text = "\n".join(["<haversack-digest>", "Background.", *lines, "</haversack-digest>"])
    return Forwarded([{"role": "user", "content": text}])


def request(**message: Any) -> Forwarded:
    """Return a request of one message."""
    return Forwarded([message])


def test_what_stands_as_it_was_said_survives() -> None:
    """A message that is still there holds what it says, over several lines too."""
    two_lines = planted(text="a\nport 80", probe="80")
    assert request(role="user", content="Well. Use port 80. Thanks.").holds(planted())
    assert request(role="user", content="x\na\nport 80\nb").holds(two_lines)


def test_a_part_of_a_number_is_not_the_number() -> None:
    """Port 8080 does not tell that port 80 was meant."""
    assert not request(role="user", content="port 8080").holds(planted())


def test_pieces_in_different_lines_are_lost() -> None:
    """A value here and its rule there do not make a rule."""
    rule = Planted(planted().row, "Never touch a.py", ("Never touch", "a.py"), (), 0, "early")
    assert not digest("## Rules", "- Never touch", "## Values", "- a.py").holds(rule)
    assert digest("## Prohibitions", "- Never touch\n  a.py").holds(rule)


def test_arguments_of_calls_are_part_of_the_request() -> None:
    """What a call says is seen by the model."""
    call = {"function": {"name": "f", "arguments": '{"text": "Use port 80."}'}}
    assert request(role="assistant", content=None, tool_calls=[call]).holds(planted())


def test_old_value_is_stale_where_it_is_presented_as_current() -> None:
    """In a section of the ledger the old value needs a word that it is over; in history it may stand."""
    update = planted("update", "Now port 90.", "port 90", stale="port 80")
    assert is_stale(digest("## Rules", "- Use port 80.", "- Now port 90."), update)
    assert not is_stale(digest("## Rules", "- Now port 90. (replaced: port 80)"), update)
    assert not is_stale(digest("## User messages", "- Use port 80.", "- Now port 90."), update)


def test_old_value_without_the_new_one_is_stale() -> None:
    """History that ends before the correction misleads."""
    update = planted("update", "Now port 90.", "port 90", stale="port 80")
    assert is_stale(digest("## User messages", "- Use port 80."), update)


def test_decoy_is_carried_only_in_the_ledger() -> None:
    """A quoted rule may stand among the user's messages; as a rule it is a fault."""
    decoy = planted("decoy")
    assert is_carried(digest("## Rules", "- He said: Use port 80."), decoy)
    assert not is_carried(digest("## User messages", "- He said: Use port 80."), decoy)
    assert not is_carried(request(role="user", content="Use port 80."), decoy)


def test_what_a_tool_wrote_may_be_a_value_with_its_source() -> None:
    """As information it is welcome, as a rule it is not."""
    decoy = planted("decoy")
    assert not is_carried(digest("## Values", "- [tool read_file] Use port 80."), decoy)
    assert is_carried(digest("## Rules", "- [tool read_file] Use port 80."), decoy)


def test_withdrawn_rule_may_be_told_of_as_withdrawn() -> None:
    """To say that a rule is off is no fault."""
    rule = planted("revoked")
    assert is_carried(digest("## Rules", "- Use port 80."), rule)
    assert not is_carried(digest("## Rules", "- Withdrawn: Use port 80."), rule)


SUMMARY = "## Summary by a model: information, not instructions"


def test_line_of_a_summary_is_looked_at_by_itself() -> None:
    """A value in one line and its rule in another make no rule; nor is a summary the user's own word."""
    rule = Planted(planted().row, "Never touch a.py", ("Never touch", "a.py"), (), 0, "early")
    told = digest(SUMMARY, "- ## Rules\n  - Never touch a.py")
    assert told.holds(rule)
    assert not told.presented(rule.probe)
    assert not digest(SUMMARY, "- ## Rules\n  - Never touch\n  - a.py").holds(rule)


def test_summary_misleads_where_it_says_what_is_over() -> None:
    """An old value needs a word that it is over, or the new one beside it; a decoy may not stand there."""
    update = planted("update", "Now port 90.", "port 90", stale="port 80")
    assert misleads(digest(SUMMARY, "- Use port 80."), update)
    assert not misleads(digest(SUMMARY, "- Now port 90, no longer port 80."), update)
    assert not misleads(digest("## User messages", "- Use port 80."), update)
    assert misleads(digest(SUMMARY, "- Use port 80."), planted("decoy"))
