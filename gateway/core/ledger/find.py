"""Find in a message what must survive every compaction.

Rules, prohibitions, preferences, limits and goals come from users and the head only: a tool result, or an
assistant that quotes one, must never plant one. From assistants come decisions, tasks and values, from tools
values. One pass; what is long is read in bounded parts.
"""

from __future__ import annotations

import re
from functools import lru_cache

from gateway.core.conversation import Message, Role
from gateway.core.frames import unframed
from gateway.core.frozen import replace
from gateway.core.ledger import cues, decoys, results, standing, turns, values, wording
from gateway.core.ledger.changes import sign
from gateway.core.ledger.decoys_remarks import announces, is_comment_on
from gateway.core.ledger.doubt import is_doubtful
from gateway.core.ledger.ending import may_end, proposes, suggests
from gateway.core.ledger.entry import MAX_CHARS, Entry, Kind
from gateway.core.ledger.exact import exact
from gateway.core.ledger.labels import bare, unnumbered
from gateway.core.ledger.leaning import gives_any, leans, speaks_of_one
from gateway.core.ledger.moves import moved
from gateway.core.ledger.reported import of_assistant, of_tool
from gateway.core.ledger.segments import Segment, segments
from gateway.core.ledger.words_contests import denies_last, has_value

_FROM_USER = frozenset(Kind)
# In code only plain words of rule count: the rest of it is code.
_FROM_CODE = frozenset((Kind.PROHIBITION, Kind.LIMIT, Kind.RULE, Kind.TASK))

_ROW_KINDS = (Kind.VALUE, Kind.RULE)
# The head of a table whose rows say what to do.
_RULING = re.compile(
    r"\b(?:when|if|case|trigger|condition|situation|action|do|handling|rule|must|who|response|then|step)\b"
    r"|情况|处理|条件|动作|规则|要求|做法|措施|负责",
    re.IGNORECASE,
)
# The marks of a comment, which stand before what it says.
_MARKS = re.compile(r"^(?:#+|//+|/\*+|--|;+|<!--)\s+|\s*(?:\*/|-->)$")

# A heading, a name of a file alone on its line.
_TITLE = re.compile(r"##+ .*|[\w./-]+|(?:[A-Z][\w-]*\s+){0,6}[A-Z][a-z][\w-]*")
# What a sentence is for want of any better sign.
_WEAK = (Kind.VALUE, Kind.RULE)

_MAX_OF_USER = 120
_MOST = 0.6
"""A sentence of which more than this share is live is meant."""
_FIRST_VALUES = 16
_LAST_VALUES = 8
_MAX_CHANGING = 8
_SHORT = 100
"""A sentence of so many characters that gives a value may be of something said before, whatever it says."""
_REMEMBERED = 1024
"""So many sentences are remembered: what a message is searched for, its sentences are weighed by later."""

# The sentence before was not meant.
_DENIES = re.compile(
    r"^(?:\W|but|and|ok|okay|well|so|oh|no|wait|actually|sorry|please)*(?:(?:that|this|it"
    r"|which)(?:'s| is| was| rule is| one is)? (?:now |just |only |really |from "
    r"|long )*(?:no longer|not (?:true|valid|a rule|our|needed|how we|what we|the case|something)"
    r"|outdated|obsolete|an example|a joke|kidding|hypothetical|example|wrong|old|nonsense"
    r"|superseded|what (?:they|he|she|the|some)|the old|their|out of date|gone|ancient|history)"
    r"|(?:just|only|i'm|i am|was) (?:kidding|joking)|kidding|jk\b|not (?:our|my) (?:rule|policy)"
    r"|(?:ignore|disregard|forget|scratch|strike|scrap|skip|drop|cancel) (?:that|it|this"
    r"|all that)\b|never ?mind|we (?:don't|do not|no longer|never) (?:follow|do|use|apply|believe"
    r"|need) (?:that|it|this|those|them)\b|i (?:disagree|don't agree|take that back)"
    r"|which we (?:ignore|dropped)|just an example|only an example)"
    r"|^(?:开玩笑|说着玩|那(?:已经|都|是)?(?:过时|作废|旧|不对|开玩笑)|这?(?:只是|是)(?:个)?(?:例子|示例"
    r"|玩笑|举例)|算了|当我没说|(?:这"
    r"|那)(?:条)?(?:已|早|不再|不)(?:过时|作废|适用|算|是我们)|别当真|不过(?:那|这)(?:已|都|是|早))"
)


def find(message: Message) -> tuple[Entry, ...]:
    """Return what a message says that must not be lost, in the order in which it says so."""
    if message.role is Role.TOOL:
        return tuple(of_tool(message))
    text = message.text
    if message.role is Role.ASSISTANT:
        return tuple(of_assistant(text))
    return tuple(_of_user(unframed(text)))


def _of_user(text: str) -> list[Entry]:
    found, said, places = heard(text)
    return _without_flood(
        [
            entry if _acts(said[place]) or not is_doubtful(said, place) else replace(entry, is_sure=False)
            for entry, place in zip(found, places, strict=True)
        ]
    )


def heard(text: str) -> tuple[list[Entry], list[str], list[int]]:
    """Return what a user says, all sentences, and the number of that in which each entry was said."""
    found: list[Entry] = []
    said: list[str] = []
    places: list[int] = []
    fresh, changing = False, 0
    for segment in segments(text):
        sentence = _plain(segment.text)
        before = said[-1] if said else ""
        said.append(sentence)
        denial = _DENIES.match(sentence) if fresh else None
        if fresh and not denial and is_comment_on(sentence, before):
            # Not said as what holds; it may end an older statement all the same.
            found[-1] = replace(found[-1], is_sure=False)
        if denial:
            found.pop()
            places.pop()
            segment = segment._replace(text=segment.text[denial.end() :].lstrip(" ,;:.!—-，。"), before="")
            sentence = decoys.plain(segment.text)
        entry = None if announces(before, sentence) else _entry(segment, sentence)
        fresh = entry is not None or (fresh and segment.text.endswith((":", "：")))
        if entry is None and changing < _MAX_CHANGING and _may_change(segment, sentence):
            entry = Entry(Kind.VALUE, wording.with_subject(bare(segment)), is_sure=False)
            changing, fresh = changing + 1, False
        if entry is not None:
            found.append(entry)
            places.append(len(said) - 1)
            if len(found) >= _MAX_OF_USER:
                break
    return found, said, places


def _may_change(segment: Segment, sentence: str) -> bool:
    """Return whether a sentence that is nothing by itself may change what was said before."""
    if segment.data or segment.code or len(sentence) > MAX_CHARS:
        return False
    if decoys.is_question(sentence):
        return suggests(sentence) if _may_turn(sentence) else proposes(sentence) and gives_any(segment.text)
    if (own := bare(segment)) is not segment:
        segment, sentence = own, _plain(own.text)
    text = unnumbered(segment.text)
    if _may_turn(sentence) or leans(text, is_firm=False, is_marked=False):
        return True
    if len(sentence) > _SHORT or not has_value(sentence):
        return False
    return speaks_of_one(text) and gives_any(text)


@lru_cache(_REMEMBERED)
def _may_turn(sentence: str) -> bool:
    return bool(may_end(sentence) or sign(sentence, cues.words(sentence)).changes or moved(sentence))


def _acts(sentence: str) -> bool:
    """Return whether a sentence ends what was said before, whoever it speaks of."""
    return bool(turns.may_act(sentence, cues.words(sentence)) and _turn(sentence))


def _plain(text: str) -> str:
    """Return a sentence as patterns want it, without the marks of a comment."""
    sentence = decoys.plain(text)
    if sentence[:1] in "#/-;<" or sentence.endswith(("*/", "-->")):
        return _MARKS.sub("", sentence)
    return sentence


def _without_flood(found: list[Entry]) -> list[Entry]:
    """Return what a message says with so many values that it was pasted only with its first and last."""
    numbers = [number for number, entry in enumerate(found) if entry.kind is Kind.VALUE]
    dropped = set(numbers[_FIRST_VALUES:-_LAST_VALUES])
    return [entry for number, entry in enumerate(found) if number not in dropped] if dropped else found


def _entry(segment: Segment, sentence: str) -> Entry | None:
    """Return what a piece of a user's message says that must not be lost."""
    found = _found_in(segment, sentence)
    if found is not None and (own := bare(segment)) is not segment:
        # The number of a label is no value of the sentence that it stands before.
        segment, sentence = own, _plain(own.text)
        found = _found_in(segment, sentence)
    if found is None:
        return None
    kind, start, stop = found
    if kind is Kind.PROHIBITION and denies_last(sentence):
        # "No, B14" forbids nothing.
        kind = Kind.VALUE
    return Entry(kind, wording.text_of(segment, kind, start, stop))


_Found = tuple[Kind, int, int]


def _found_in(segment: Segment, sentence: str) -> _Found | None:
    return _known(sentence, segment.text, segment.intro, segment.kind, segment.code, segment.data)


@lru_cache(_REMEMBERED)
def _known(sentence: str, text: str, intro: str, kind: Kind | None, code: bool, data: bool) -> _Found | None:
    return _classified(Segment(text, intro=intro, kind=kind, code=code, data=data), sentence)


def _classified(segment: Segment, sentence: str) -> _Found | None:
    if segment.code:
        return _in_code(segment, sentence)
    if sentence.startswith(("[ ]", "[]")):
        return Kind.TASK, 0, len(sentence)
    words = cues.words(sentence)
    if standing.is_errand(sentence, words):
        return _asked(segment.text)
    if turns.may_act(sentence, words) and (turn := _turn(sentence)):
        return turn
    if decoys.is_question(sentence):
        return None if decoys.is_unreal(sentence) else _asked(segment.text)
    lived = decoys.live(sentence)
    found = cues.kind_of(lived, _FROM_USER) if cues.is_worth_a_look(sentence, words) else None
    means = lived.strip(" .") or sentence > "\u2e80"
    if found is None and segment.kind is not None and means and segment.text != segment.intro:
        found = segment.kind, 0, len(sentence)
    if found is not None and not _is_lead_in(sentence, segment):
        return found
    kind = None if segment.data or sentence.endswith((":", "：")) else _by_form(segment, sentence, lived)
    return None if kind is None else (kind, 0, len(sentence))


def _asked(text: str) -> _Found | None:
    """Return the value that is told on the way to a question: "my order is 4471-XK, where is it?"."""
    told = max(text.rfind(", "), text.rfind(" - "), text.rfind("，"))
    if told > 0 and values.strong(text[:told]) and values.states_value(text[:told]):
        return Kind.VALUE, 0, len(text)
    return None


def _by_form(segment: Segment, sentence: str, lived: str) -> Kind | None:
    """Return what a sentence is that no table knows; nothing, if its speaker only tells what others say."""
    if segment.text.startswith("|"):
        return _ROW_KINDS[bool(_RULING.search(segment.intro))] if segment.intro.startswith("|") else None
    if _TITLE.fullmatch(segment.text) or results.is_code(segment.text):
        return None
    if not _is_meant(segment.text, sentence, lived):
        return None
    kind = Kind.VALUE if values.states_value(segment.text) else standing.kind_of(segment.text, lived)
    if kind in _WEAK and standing.is_chat(segment.text, sentence):
        return None
    return None if kind is None or decoys.is_unreal(sentence) else kind


def _is_meant(text: str, sentence: str, lived: str) -> bool:
    """Return whether what is exact in a sentence is in its live part, or in quotation marks within it."""
    if len(lived) > _MOST * len(sentence):
        return True
    particular = exact(text).lower()
    return len(lived.split()) > 2 and ("q_" in lived or (bool(particular) and particular in lived))


def _is_lead_in(sentence: str, segment: Segment) -> bool:
    """Return whether a sentence only introduces a list; its items say what it means."""
    return sentence.endswith((":", "：")) and len(sentence) < 60 and not re.search(r"\d", segment.text)


@lru_cache(_REMEMBERED)
def _turn(sentence: str) -> _Found | None:
    """Return a sentence that acts on an earlier one, as what it is if it finds none."""
    if decoys.is_question(sentence):
        return None
    if turns.withdraws(sentence):
        return Kind.DECISION, 0, len(sentence)
    if turns.permits(sentence):
        return Kind.RULE, 0, len(sentence)
    if turns.is_done(sentence) and cues.kind_of(sentence, _FROM_USER - {Kind.DECISION}) is None:
        return Kind.DECISION, 0, len(sentence)
    return None


def _in_code(segment: Segment, sentence: str) -> _Found | None:
    found = cues.kind_of(sentence, _FROM_CODE)
    found = found and cues.kind_of(decoys.live(sentence), _FROM_CODE)
    if (
        found is None
        and re.match(r"[\"']?[\w.-]+[\"']?\s*[:=]", segment.text)
        and re.search(r"\d|/", segment.text)
    ):
        return Kind.VALUE, 0, len(sentence)
    return found
