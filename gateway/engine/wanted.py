"""Whether a summary is worth asking for now, and of what: pure, so it may run in a thread.

It is asked for before the trigger is reached, so what the steps before it would do is tried as if all that
is still to come until then could not be touched by them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from gateway.core.conversation import Conversation, Message, Role
from gateway.core.frozen import replace
from gateway.engine.crowd import fewer_soon, messages_on
from gateway.engine.pipeline import is_due, run_steps
from gateway.engine.prepared import summarizing
from gateway.engine.replay import view_of
from gateway.engine.sizes import aim_of, fits_of, is_past, until_trigger
from gateway.engine.subject import Plan, Subject
from gateway.policy.schema import Step
from gateway.store.base import Checkpoint, Prepared
from gateway.strategies import marks, notes
from gateway.strategies.base import Room
from gateway.strategies.fold import is_news
from gateway.strategies.notes import Section
from gateway.strategies.piece import Piece, unwritten
from gateway.strategies.place import apart, is_digest
from gateway.strategies.summarize import LEAST_NEWS, Summarize

Written = Callable[[Piece], str | None]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a summary is to be written about."""

    length: int
    """How many of the client's messages it will be about."""
    messages: tuple[Message, ...] = field(repr=False)
    """What is new in it."""
    previous: str = field(repr=False)
    """What is known of all before."""
    ask: str = field(repr=False)
    """The latest request, which stays beside the summary."""


def wanted(
    subject: Subject, base: Checkpoint | None, found: Prepared | None, written: Written = unwritten
) -> Wanted | None:
    """Return what to have summed up on top of *base*, which is in use; None if there is no need to.

    *found* is the longest summary that is ready, *written* tells the steps before it what else is.
    """
    step = summarizing(subject.policy.steps)
    if step is None:
        return None
    if found is not None and serves(subject, base, found):
        return None
    if found is not None and base is not None and found.length <= base.length:
        found = None  # it is in place, or something that tells more
    view, room = apart(view_of(subject, base), subject.count), _room(subject)
    room = replace(room, messages=fewer_soon(subject, base), written=written)
    if _is_early(subject, view, room) or _others_do(subject, view, room):
        return None
    return _about(view, room, step, found)


def _is_early(subject: Subject, view: Conversation, room: Room) -> bool:
    """Return whether the step has a size of its own that is not reached, and nothing is to be ready before.

    So it is about what goes then: half of the turns there are at that time.
    """
    when = next(step.when for step in subject.policy.steps if isinstance(step.strategy, Summarize))
    is_asked_early = subject.policy.summarizer.mode == "background"
    return not is_asked_early and when is not None and not is_due(when, view, room)


def is_near(subject: Subject, plan: Plan) -> bool:
    """Return whether a conversation is where the policy has its next summary written.

    Where requests wait for it, that is at the trigger, for those that are over it.
    """
    policy, fixed = subject.policy, subject.counted.extras_tokens
    if policy.summarizer.mode == "background":
        return is_past(policy.prepare, subject, plan.tokens - fixed, plan.messages, plan.standing)
    messages = messages_on(subject, plan.base)
    return is_past(policy.trigger, subject, plan.tokens_frozen - fixed, messages, plan.base)


def _room(subject: Subject) -> Room:
    fits = fits_of(subject)
    return Room(aim_of(subject, fits), fits, subject.count, subject.policy.keep, subject.correction)


def serves(subject: Subject, base: Checkpoint | None, found: Prepared) -> bool:
    """Return whether a summary that is ready, and not in place, will bring a list down to the target.

    It is asked after many an answer, so nothing is read for it.
    """
    if found.length <= (base.length if base is not None else 0):
        return False
    facts = subject.counted.facts
    if (fewer := fewer_soon(subject, base)) and len(facts) - found.length > fewer:
        return False
    head = takewhile(lambda fact: fact.role == Role.SYSTEM, facts)
    stays = sum(fact.tokens for fact in (*head, *facts[found.length :]))
    return stays + subject.count(found.text) <= _room(subject).target


def _since(view: Conversation, length: int) -> int:
    """Return the index of the client's message of that number, or of the first after it."""
    places = (
        at
        for at, message in enumerate(view.messages)
        if message.origin is not None and message.origin >= length
    )
    return next(places, len(view.messages))


def _others_do(subject: Subject, view: Conversation, room: Room) -> bool:
    """Return whether the steps before would free enough, once the trigger is reached."""
    steps = tuple(takewhile(lambda step: not isinstance(step.strategy, Summarize), subject.policy.steps))
    if not steps or room.messages:
        return False
    growth, enough = until_trigger(subject, view.tokens)
    # Nothing is read for it: what is quoted of what goes makes no step leave more.
    tried = replace(
        room, target=max(room.target - growth, 1), enough=enough, archive=True, find=lambda message: ()
    )
    result = run_steps(view, steps, tried)
    is_light = not _heavy(steps) & {report.step for report in result.reports}
    return result.view.tokens <= (max(tried.target, enough) if is_light else tried.target)


def _heavy(steps: Sequence[Step]) -> set[str]:
    return {step.use for step in steps if not step.strategy.light}


def _about(view: Conversation, room: Room, step: Summarize, found: Prepared | None) -> Wanted | None:
    stop = step.covered(view, room)
    length = view.messages[stop].origin if stop else None
    if length is None:
        return None
    start = _since(view, found.length) if found is not None else view.head_end
    request = _only_request(view)
    news = tuple(
        view.messages[at] for at in range(start, stop) if is_news(view.messages[at]) and at != request
    )
    # One that is ready and not in place yet is not written anew for every message that comes.
    least = LEAST_NEWS * view.tokens if found is not None else 1
    if sum(message.tokens for message in news) < least:
        return None
    previous = found.text if found is not None else _told(view.messages[:stop])
    ask = view.messages[view.last_user].text if view.last_user is not None else ""
    return Wanted(length, news, previous, ask)


def _only_request(view: Conversation) -> int | None:
    """Return the index of the latest request if it is the only thing that users said: it stays as it came.

    A later one is summed up with the rest. It stays as well, but a summary that was written without it
    goes on telling what it changes, when it is long past.
    """
    latest = view.last_user
    before = view.messages[view.head_end : latest] if latest is not None else ()
    return None if any(map(_quotes_user, before)) else latest


def _quotes_user(message: Message) -> bool:
    if not is_digest(message):
        return message.role is Role.USER
    return bool(notes.read(message.text).entries.get(Section.USER))


def _told(messages: Sequence[Message]) -> str:
    """Return what an earlier digest tells of what was before: its summary, or all that was noted by rules.

    With the latter stands what the ledger says: else a summary would go on saying what was replaced since.
    """
    digests = [notes.read(message.text) for message in messages if is_digest(message)]
    found = notes.merged(digests)
    if not any(found.entries.values()):
        return ""
    noted = {section: texts for section, texts in found.entries.items() if section is not Section.USER}
    if list(filter(noted.get, noted)) == [Section.SUMMARY]:
        return found.entries[Section.SUMMARY][-1]
    text = marks.frame(replace(found, left_out=0).text())[1]
    return text.partition("\n")[2]
