"""What becomes of an entry that took the place of another."""

from __future__ import annotations

from gateway.core.ledger.claims import OF, Claim, claim
from gateway.core.ledger.entry import Entry, Kind
from gateway.core.ledger.renewal import instead, renewed, settled, unsettled


def said(kind: Kind, text: str) -> Claim:
    """Return what an entry says about itself."""
    return claim(Entry(kind, text))


def test_stronger_kind_is_inherited() -> None:
    """A decision to move the deadline is the deadline."""
    new = renewed(said(Kind.DECISION, "We moved it to Friday"), said(Kind.LIMIT, "Due on Monday"), False)

    assert new.entry == Entry(Kind.LIMIT, "We moved it to Friday")


def test_what_is_no_longer_forbidden_is_a_rule() -> None:
    """What reverses a ban forbids nothing."""
    new = renewed(said(Kind.DECISION, "Use tabs after all"), said(Kind.PROHIBITION, "Never use tabs"), False)

    assert new.entry.kind is Kind.RULE


def test_subject_is_learnt_without_the_old_value() -> None:
    """ "Make it 300" is carried with what "it" is; what has no value to leave out is not said again."""
    old = said(Kind.LIMIT, "Keep it under 200 words")
    ban = said(Kind.PREFERENCE, "Answer in a formal tone")

    assert (
        renewed(said(Kind.RULE, "Make it 300"), old, True).entry.text
        == f"Make it 300{OF}Keep it under … words)"
    )
    assert "formal" not in renewed(said(Kind.RULE, "A casual tone"), ban, True).entry.text


def test_withdrawal_leaves_what_it_sets_instead() -> None:
    """Of "scratch that, use spaces" the spaces stay."""
    new = instead(said(Kind.DECISION, "Scratch that, use spaces only"), said(Kind.RULE, "Use tabs"))

    assert new.entry.text.startswith("use spaces only")


def test_what_has_acted_acts_no_more() -> None:
    """An entry that was found to be of something looks for nothing any more."""
    item = said(Kind.DECISION, "You can restart worker-12 again")

    assert OF in settled(item).entry.text
    assert not settled(item).lifts
    assert settled(settled(item)) == settled(item)


def test_update_of_nothing_known_is_marked_only_if_it_is_bare() -> None:
    """What says of what it is stays as it was said."""
    bare, full = said(Kind.LIMIT, "Make it 40"), said(Kind.LIMIT, "The cap is 40 now")

    assert OF in unsettled(bare).entry.text
    assert unsettled(full) is full


def test_withdrawal_that_says_of_what_it_is_stays_whole() -> None:
    """Of "I changed my mind about the plots: plasma" the plots stay, too."""
    text = "I changed my mind about the plots: plasma."
    new = instead(said(Kind.DECISION, text), said(Kind.PREFERENCE, "I'd like the plots in magma."))

    assert new.entry == Entry(Kind.PREFERENCE, text)
