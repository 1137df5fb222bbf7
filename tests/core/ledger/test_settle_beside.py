"""What stands side by side replaces nothing; what is told to have changed is replaced."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from gateway.core.conversation import Role, made
from gateway.core.ledger.entry import Entry, Kind
from gateway.core.ledger.find import find
from gateway.core.ledger.settle import settle

PHRASINGS = Path(__file__).parent / "phrasings"
BESIDE = yaml.safe_load((PHRASINGS / "side_by_side.yaml").read_text())
TURNED = yaml.safe_load((PHRASINGS / "turned.yaml").read_text())


def said(*texts: str) -> list[Entry]:
    """Return what is found in messages of a user."""
    return [entry for text in texts for entry in find(made(Role.USER, text, len))]


@pytest.mark.parametrize("pair", BESIDE, ids=lambda pair: pair[1])
@pytest.mark.parametrize("turned", [False, True], ids=["in order", "turned"])
def test_two_things_of_one_form_stay(pair: list[str], turned: bool) -> None:
    """A rule about another server, month or patient struck out the first: nothing of either may be gone."""
    assert settle(said(*(pair[::-1] if turned else pair))).gone == ()


@pytest.mark.parametrize(
    "sort", ["Never touch the disk of server {}.", "No deploys in {} {}.", "不要动{}号服务器。"]
)
def test_bans_are_in_force_side_by_side(sort: str) -> None:
    """However many there are of one form."""
    bans = said(*(sort.format(number, "July") for number in range(2, 12)))

    assert len(bans) == 10
    assert settle(bans).current == tuple(bans)


def test_one_message_replaces_nothing_that_it_lists() -> None:
    """The port of one server was struck for that of the next; two that stand so are at most put aside."""
    port, other = Entry(Kind.VALUE, "port: 80"), Entry(Kind.VALUE, "port: 443")

    assert settle([port, other], messages=[0, 0]).gone == ()
    assert settle([port, other], messages=[0, 1]).gone == (port,)


def test_one_message_replaces_what_it_says_was_wrong() -> None:
    """It may correct itself."""
    port, other = Entry(Kind.VALUE, "port: 80"), Entry(Kind.VALUE, "Correction: the port is 443, not 80.")

    assert settle([port, other], messages=[0, 0]).gone == (port,)


def test_of_two_that_stand_side_by_side_none_is_struck() -> None:
    """A third one may be of either: both are put aside, in their own words."""
    ports = [Entry(Kind.VALUE, f"port: {port}") for port in (80, 443, 8080)]
    settled = settle(ports, messages=[0, 0, 1])

    assert settled.current == (ports[2],)
    assert settled.gone == ()
    assert set(settled.aside) == set(ports[:2])


@pytest.mark.parametrize("pair", TURNED, ids=lambda pair: pair[1])
def test_value_that_is_told_to_have_changed_is_replaced(pair: list[str]) -> None:
    """Whoever raised it, the old limit was presented as in force, and the new one was not."""
    old, new = said(pair[0]), said(pair[1])
    settled = settle([*old, *new])

    assert [entry.text for entry in settled.current] == [new[0].text]
    assert settled.current[0].kind is old[0].kind
    assert settled.gone == tuple(old)


@pytest.mark.parametrize(
    "news",
    [
        "The speed limit in town was lowered to 30 km/h.",
        "They may have raised the limit to 50 requests per second.",
        "In 1974 the limit was lowered to 55 requests per second by their rivals.",
        "We raised the limit of the test server to 50 requests per second.",
    ],
)
def test_what_may_be_of_something_else_strikes_nothing(news: str) -> None:
    """It names more than what the user gave, or leaves open whether it is so."""
    assert settle(said("The limit is 20 requests per second.", news)).gone == ()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Never deploy on Friday.", "Never deploy on Monday instead of Friday."),
        ("The disk of server 3 is full.", "Sorry, the disk of server 5 is full."),
        ("Never send more than 3 mails.", "Never send more than 5 mails."),
        ("Answer in English.", "Answer in German."),
        ("回答不超过100字。", "回答不超过200字。"),
    ],
)
def test_what_is_corrected_or_bounded_anew_is_replaced(old: str, new: str) -> None:
    """Whoever says that it was wrong, or gives the same bound another measure, means that one."""
    settled = settle(said(old, new))

    assert said(old)[0] not in settled.current
    assert said(new)[0] in settled.current


def test_number_of_a_thing_is_no_measure_that_another_one_replaces() -> None:
    """A ban was put aside for a timeout, as both had a number in them."""
    ban, timeout = said("Never touch the disk of server 3.", "Timeout svc-4: 7 s")

    assert settle([ban, timeout]).current == (ban, timeout)
