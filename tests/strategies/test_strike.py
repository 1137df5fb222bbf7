"""What holds no longer is struck out of old texts, and nothing else."""

from __future__ import annotations

import pytest

from carrying import compacted, conversation, ledger, talk, user
from gateway.core.ledger.entry import Entry, Kind
from gateway.core.ledger.settle import settle
from gateway.strategies.digest import Digest
from gateway.strategies.strike import REPLACED, renewed, struck


def rule(text: str) -> Entry:
    return Entry(Kind.RULE, text)


@pytest.mark.parametrize(
    ("text", "old", "after"),
    [
        ("Go on. Use port 80. Thanks.", "Use port 80.", f"Go on. {REPLACED} Thanks."),
        ("Go on. Use\n  port 80.\nThanks.", "Use port 80.", f"Go on. {REPLACED}\nThanks."),
        ('Greet with "Welcome!" at first. Thanks.', 'Greet with "Welcome!', f"{REPLACED} at first. Thanks."),
        ("Greet with\n“Welcome!”\nThanks.", "Greet with “Welcome!", f"{REPLACED}\nThanks."),
        ('Use 80."a" is new.', "Use 80.", f'{REPLACED}"a" is new.'),
        ("Nothing of it.", "Use port 80.", "Nothing of it."),
    ],
)
def test_statement_is_struck_with_the_end_of_its_quotation(text: str, old: str, after: str) -> None:
    """Whatever white space it was written with; no quotation is left open, and none is closed twice."""
    assert struck(["Task.", text], [rule(old)], []) == ["Task.", after]


@pytest.mark.parametrize(
    ("text", "old"),
    [
        ("Seat: 12A → 14C", "Seat: 12A"),
        ("The cap is 500.", "The cap is 50"),
        ("Use port 80, and only there.", "Use port 80"),
        ("阈值取 31%，不，取 40%", "阈值取 31%"),
    ],
)
def test_statement_that_begins_as_the_old_one_stays(text: str, old: str) -> None:
    """An update that repeats what it replaces was struck with it, and with it the new value."""
    assert struck(["Task.", text], [rule(old)], []) == ["Task.", text]


def test_what_the_ledger_says_whole_goes() -> None:
    """But for the first text, which states the task."""
    said = ["Use port 80.", 'Call it "Go!"', "Use port 80."]
    kept = [rule("Use port 80."), rule('Call it "Go!')]
    assert struck(said, [], kept) == ["Use port 80."]


def test_summary_says_nothing_that_was_replaced() -> None:
    """What the user's own words stand for in a summary is struck there too; what a tool said stays."""
    summary = "## Constraints\n- Keep at most 40 rows. Answer in French.\n## Goal\n- Ship it."

    (left,) = renewed([summary], [rule("Keep at most 40 rows."), Entry(Kind.VALUE, "Ship it.", "tool bash")])

    assert left == f"## Constraints\n- {REPLACED} Answer in French.\n## Goal\n- Ship it."


LISTED = """Our rules:
- Never drop the table users.
- Never drop the table orders.
- No deploys in July.
- No deploys in August.
- Never touch the disk of server 3.
- Never touch the disk of server 5."""
LISTED_ZH = """我们的规则：
- 不要动3号服务器。
- 不要动5号服务器。
- 禁止在周五部署。
- 禁止在周一部署。"""


@pytest.mark.parametrize("text", [LISTED, LISTED_ZH], ids=["en", "zh"])
@pytest.mark.parametrize("is_listed", [True, False], ids=["one message", "many"])
def test_rules_of_one_form_all_stand_in_the_digest(text: str, is_listed: bool) -> None:
    """Of six in a list three were "replaced since", each by the next: none may be struck out."""
    rules = [line[2:] for line in text.splitlines()[1:]]
    told = [user(text)] if is_listed else [one for rule in rules for one in (user(rule), *talk(1)[1:])]
    view = conversation(*talk(1), *told, *talk(8), user("Which rules did I give you?"))

    for _ in range(3):
        view = compacted(view, Digest())
        assert [rule for rule in rules if f": {rule}" not in ledger(view)] == []
        assert not any(REPLACED in message.text for message in view.messages)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The limit is 20 requests per second.", "They raised the limit to 50 requests per second."),
        ("截止日期是5月3日。", "他们把截止日期推迟到5月9日。"),
    ],
)
def test_limit_that_was_raised_is_the_one_in_force(old: str, new: str) -> None:
    """The digest has said the old one as in force, and the new one nowhere."""
    view = conversation(*talk(1), user(old), *talk(3)[1:], user(new), *talk(8)[1:], user("And now?"))

    after = compacted(view, Digest())

    assert f"Limits: {new}" in ledger(after)
    assert not any(old in message.text for message in after.messages)


def test_summary_keeps_a_rule_that_another_one_is_like() -> None:
    """What was not replaced is not struck from what a model wrote of it either."""
    first, second = Entry(Kind.PROHIBITION, "No deploys in July."), rule("No deploys in August.")
    gone = settle([first, second]).gone

    assert renewed(["Rules: No deploys in July."], gone) == ["Rules: No deploys in July."]
