"""The gate that a summary passes before it may stand for a conversation. No model is asked.

What is no summary at all is refused for that alone; otherwise every fault is named at once, so that one
repair can put all of them right. Lenient where a weak model is merely brief: some sections, some identifiers
may be missing, since the ledger stands beside the summary in any case. Strict where a summary would mislead:
what it makes up, what it leaks, what it says instead of summarising.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from gateway.core.conversation import Count
from gateway.core.ledger.topic import topic
from gateway.core.summary import secrets, signs
from gateway.core.summary.answer import Answer, bare
from gateway.core.summary.form import NOTHING, Form, headings_in
from gateway.core.summary.identifiers import Identifier, Text, identifiers
from gateway.core.summary.language import detect
from gateway.core.summary.source import Source
from gateway.core.summary.verdict import Finding, Reason, Verdict

_FEW_CHARS = 6
_MOST_DETAILS = 16
_ASK_CHARS = 1500
_LEAST_TERMS = 3
_RULE_SHARE = 0.4


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """How strict to be."""

    section_share: float = 0.6
    """Share of the headings that must be there."""
    identifier_share: float = 0.5
    """Share of the wanted identifiers that must be there,"""
    identifiers: int = 6
    """and so many at most: of a long conversation no summary can hold them all."""
    ask_share: float = 0.2
    """Share of the words of the latest request that must be there, or one of its identifiers."""
    size_ratio: float = 1.0
    """A summary must be smaller than this share of its source."""
    redacts: bool = False
    """Whether secrets are redacted in what is stored: then a summary may hold none, else no new one."""
    may_answer: bool = False
    """Whether it is to read as an answer of the assistant: then it may speak to the user."""
    advisory: frozenset[Reason] = field(default=frozenset((Reason.MISSING_LEDGER,)))
    """Reasons for which no summary is refused. Of the ledger: it stands beside the summary anyway."""

    def judge(self, answer: Answer, source: Source, form: Form, count: Count) -> Verdict:
        """Return whether an answer may be used as the summary of *source*, and if not, why."""
        text = bare(answer.text)
        worthless = _worthless(answer, text, source, form)
        if worthless is not None and not (self.may_answer and worthless is Reason.ANSWERS):
            return Verdict(text, faults=(Finding(worthless),))
        if _is_nothing(text):
            return Verdict("", is_nothing=True)
        found = tuple(self._findings(answer, text, source, form, count))
        return Verdict(
            text,
            faults=tuple(finding for finding in found if finding.reason not in self.advisory),
            advice=tuple(finding for finding in found if finding.reason in self.advisory),
        )

    def _findings(
        self, answer: Answer, text: str, source: Source, form: Form, count: Count
    ) -> Iterator[Finding]:
        has_end = not (signs.breaks_off(text) if answer.has_ended else signs.is_cut(text))
        if answer.is_limited or not has_end:
            yield Finding(Reason.TRUNCATED)
        yield from self._sections(text, form)
        yield from self._identifiers(text, source)
        said = Text.of([text])
        outdated = [
            old for old, now in source.replaced.items() if said.has(old) and not any(map(said.has, now))
        ]
        if outdated:
            yield Finding(Reason.OUTDATED, _named(outdated))
        if count(text) >= self.size_ratio * source.tokens:
            yield Finding(Reason.NOT_SMALLER)
        leaked = [secret.text for secret in secrets.find(text)]
        if any(self.redacts or not source.text.quotes(secret) for secret in leaked):
            yield Finding(Reason.SECRET)

    def _sections(self, text: str, form: Form) -> Iterator[Finding]:
        there = headings_in(text, form.sections)
        if len(there) < self.section_share * len(form.sections):
            pairs = zip(form.headings, form.sections, strict=True)
            yield Finding(
                Reason.MISSING_SECTIONS, tuple(title for title, one in pairs if one.key not in there)
            )

    def _identifiers(self, text: str, source: Source) -> Iterator[Finding]:
        said = _Said(text)
        missing = [one for one in source.wanted if not said.text.names(one)]
        needed = min(int(self.identifier_share * len(source.wanted)), self.identifiers)
        if len(source.wanted) - len(missing) < needed:
            yield Finding(Reason.MISSING_IDENTIFIERS, _named(missing))
        if lost := [rule for rule in source.rules if not _is_reflected(rule, said)]:
            yield Finding(Reason.MISSING_LEDGER, tuple(lost[:_MOST_DETAILS]))
        if source.ask and not self._reflects_ask(source.ask, said):
            yield Finding(Reason.MISSING_ASK, (source.ask[:_ASK_CHARS],))
        invented = [one for one in identifiers(text) if not one.is_rough and not source.text.has(one)]
        if invented:
            yield Finding(Reason.INVENTED_IDENTIFIERS, _named(invented))

    def _reflects_ask(self, ask: str, said: _Said) -> bool:
        """Return whether a summary tells of the latest request; one in another script cannot be compared."""
        ask = ask[:_ASK_CHARS]
        if any(map(said.text.has, identifiers(ask))):
            return True
        terms = _terms(ask)
        return len(terms) < _LEAST_TERMS or said.shares(ask, terms, self.ask_share)


class _Said:
    """A summary, read once for all that is looked for in it."""

    def __init__(self, summary: str) -> None:
        self.text = Text.of([summary])
        self.language = detect([summary])

    @cached_property
    def terms(self) -> frozenset[str]:
        """The words and values that tell what it is about."""
        return _terms("\n".join(self.text.parts))

    def shares(self, other: str, terms: frozenset[str], least: float) -> bool:
        """Return whether a share of a text's *terms* is in it; one in another script cannot be compared."""
        return detect([other]) is not self.language or len(terms & self.terms) >= least * len(terms)


def _worthless(answer: Answer, text: str, source: Source, form: Form) -> Reason | None:
    """Return why an answer is no summary at all."""
    if (answer.has_calls and not headings_in(text, form.sections)) or signs.is_call(text):
        return Reason.TOOL_CALL
    if _is_nothing(text):
        return Reason.EMPTY if source.wanted or source.rules else None
    if len(_content(text)) < _FEW_CHARS:
        return Reason.TRUNCATED if answer.is_limited else Reason.EMPTY
    if signs.is_echo(text):
        return Reason.ECHO
    if len(headings_in(text, form.sections)) > len(form.sections) / 2:
        return None
    if signs.is_error(text):
        return Reason.ERROR_TEXT
    return Reason.ANSWERS if signs.is_answer(text) else None


_MARKS = re.compile(r"[\W_]+")
_BLANKS = frozenset(("", "none", "nothing", "na", "empty", "nil", "无", "没有", "暂无", "空"))


def _content(text: str) -> str:
    """Return what a text says below its headings."""
    lines = (line for line in text.splitlines() if not line.lstrip().startswith("#"))
    return "\n".join(line for line in lines if _MARKS.sub("", line).casefold() not in _BLANKS)


def _is_nothing(text: str) -> bool:
    """Return whether the summariser says that there is nothing worth recording."""
    return text.strip(" `*_.\"'\n").upper() == NOTHING


def _named(found: Sequence[Identifier]) -> tuple[str, ...]:
    return tuple(one.text for one in found[:_MOST_DETAILS])


def _terms(text: str) -> frozenset[str]:
    found = topic(text)
    return found.subject | found.values


def _is_reflected(rule: str, said: _Said) -> bool:
    """Return whether a rule is in a summary, in whatever words: what is exact in it, and enough beside."""
    return all(map(said.text.names, identifiers(rule))) and said.shares(rule, _terms(rule), _RULE_SHARE)
