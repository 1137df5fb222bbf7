"""A summary must hold what users named and what was decided; it may hold all that was said."""

from __future__ import annotations

from core.summary.reading import assistant, call, result, user
from gateway.core.ledger.entry import Entry, Kind
from gateway.core.summary.identifiers import identifiers
from gateway.core.summary.source import Source


def named(source: Source) -> list[str]:
    """Return what a summary is to hold."""
    return [found.text for found in source.wanted]


def test_what_users_name_is_wanted_and_what_tools_print_is_not() -> None:
    """A listing of a hundred files is no reason to refuse a summary."""
    source = Source.of(
        [user("Fix src/a.py for OPS-4471."), call(("c", "ls", "{}")), result("c", "src/b.py\nsrc/c.py")]
    )

    assert sorted(named(source)) == ["OPS-4471", "src/a.py"]


def test_all_that_was_said_is_known() -> None:
    """Calls, results, names of tools, the earlier summary and the ledger: nothing of it is made up."""
    source = Source.of(
        [call(("c", "read_file", '{"path": "src/x.py"}')), result("c", "port 5432 on db-1.internal")],
        previous="ticket OPS-1",
        current=[Entry(Kind.VALUE, "order 4471-XK")],
        gone=[Entry(Kind.VALUE, "host 10.0.0.5:8080")],
    )

    for text in ("read_file", "src/x.py", "db-1.internal", "OPS-1", "4471-XK", "10.0.0.5:8080"):
        (identifier,) = identifiers(text)
        assert source.text.has(identifier), text


def test_what_was_decided_counts_most() -> None:
    """The ledger tells what matters among many things that were named."""
    source = Source.of([user("a.py b.py c.py")], current=[Entry(Kind.DECISION, "Use c.py", "assistant")])

    assert named(source)[0] == "c.py"


def test_what_was_said_last_comes_before_what_was_said_first() -> None:
    """Of hundreds of things that were named once, the latest are what the conversation is at."""
    source = Source.of([user(f"Look at src/mod_{n}.py") for n in range(300)] + [user("src/mod_7.py again")])

    assert named(source)[:3] == ["src/mod_7.py", "src/mod_299.py", "src/mod_298.py"]
    assert len(source.wanted) == 24


def test_what_was_replaced_is_not_wanted() -> None:
    """A summary gives what holds now."""
    source = Source.of(
        [user("Deploy to 10.0.0.5:8080"), user("No, to 10.0.0.9:8080")],
        current=[Entry(Kind.VALUE, "No, to 10.0.0.9:8080")],
        gone=[Entry(Kind.VALUE, "Deploy to 10.0.0.5:8080")],
    )

    assert named(source) == ["10.0.0.9:8080"]


def test_pasted_text_is_not_the_users_word() -> None:
    """Of a long paste only its ends are taken for what the user says."""
    source = Source.of(
        [user("Look at /srv/log: " + "line\n" * 3000 + "OPS-1 " + "line\n" * 3000 + "for OPS-2")]
    )

    assert sorted(named(source)) == ["/srv/log", "OPS-2"]


def test_rules_are_what_binds_and_is_sure() -> None:
    """Doubted entries and mere values are no rules."""
    entries = [
        Entry(Kind.PROHIBITION, "Never touch main"),
        Entry(Kind.LIMIT, "At most 3 retries", is_sure=False),
        Entry(Kind.VALUE, "The port is 5432"),
    ]

    assert Source.of([assistant("ok")], current=entries).rules == ("Never touch main",)


def test_replaced_value_is_known_with_what_replaced_it() -> None:
    """Only a value of the same sort and unit can have taken its place; a finished task replaces nothing."""
    current = [Entry(Kind.LIMIT, "The cap is 900 EUR"), Entry(Kind.LIMIT, "Answer within 30 s")]
    gone = [Entry(Kind.LIMIT, "The cap is 500 EUR"), Entry(Kind.TASK, "Wait 20 s"), Entry(Kind.VALUE, "7 %")]

    source = Source.of([], current=current, gone=gone)

    assert {old.text: [new.text for new in now] for old, now in source.replaced.items()} == {
        "500 EUR": ["900 EUR"]
    }
