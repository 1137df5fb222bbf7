"""What a summary is made of, read once for all models that are asked; and what is said in each call.

Nothing here awaits anything: it is work for a thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gateway.core.conversation import FRAME_TOKENS, Count, Message, Role
from gateway.core.frozen import replace
from gateway.core.ledger.entry import Entry
from gateway.core.ledger.settle import settle
from gateway.core.summary import parts as parting
from gateway.core.summary import prompt as prompts
from gateway.core.summary.answer import Answer
from gateway.core.summary.form import Form, section
from gateway.core.summary.gate import Gate
from gateway.core.summary.language import Language, detect
from gateway.core.summary.parts import Space
from gateway.core.summary.secrets import redact
from gateway.core.summary.source import Source
from gateway.core.summary.transcript import Passage, read, size, written
from gateway.core.summary.verdict import Reason, Verdict
from gateway.engine.summary_call import Asked
from gateway.policy.rules import SummarizerRules
from gateway.wire.plain_call import THOUGHT_TOKENS, thinks

Find = Callable[[Message], tuple[Entry, ...]]

ASKED_SHARE = 0.75
"""Of what an answer may have, so much is asked for: models count words badly."""

_SOURCE_SHARE = 3
"""A summary is asked to be no longer than this part of its source."""

_LEAST_TOKENS = 150
_SPEAKING = frozenset(
    (Reason.EMPTY, Reason.TOOL_CALL, Reason.ERROR_TEXT, Reason.ANSWERS, Reason.ECHO, Reason.TRUNCATED)
)
"""What makes a partial summary worthless; all else is looked for in the whole."""


def space_of(
    rules: SummarizerRules, answer: int, model: str, window: int, factor: float, is_calibrated: bool
) -> Space:
    """Return what one call to a model can hold that is to answer with so many tokens, its thoughts aside."""
    return Space(
        window=window,
        answer=min(answer + (THOUGHT_TOKENS if thinks(model) else 0), window // 3),
        factor=factor,
        is_calibrated=is_calibrated,
        base_ratio=rules.part_ratio,
        min_ratio=rules.min_part_ratio,
        margin=rules.margin,
    )


def repaired(asked: Asked, verdict: Verdict, count: Count) -> Asked:
    """Return the call that asks once more, with what was wrong."""
    prompt = prompts.repair(asked.prompt, verdict.text, verdict.faults)
    return Asked(prompt, asked.tokens + count(prompt.user[len(asked.prompt.user) :]))


@dataclass(frozen=True, slots=True)
class Material:
    """What a summary is made of, and how it is to look."""

    passages: tuple[Passage, ...]
    source: Source
    previous: str
    previous_tokens: int
    language: Language
    rules: SummarizerRules
    count: Count

    @classmethod
    def of(
        cls,
        messages: Sequence[Message],
        previous: str,
        ask: str,
        rules: SummarizerRules,
        count: Count,
        find: Find,
    ) -> Material:
        """Return what *messages* and the summary before them have to say.

        *ask*: the latest request, if it stays beside the summary; if not, the summary has to tell of it.
        """
        entries = [(place, entry) for place, message in enumerate(messages) for entry in find(message)]
        settled = settle((entry for _, entry in entries), messages=[place for place, _ in entries])
        said = [message.text for message in messages if message.role is Role.USER]
        previous_tokens = count(previous) if previous else 0
        source = Source.of(
            messages,
            previous=previous,
            previous_tokens=previous_tokens,
            current=settled.current,
            gone=settled.gone,
            ask="" if ask or not said else said[-1],
        )
        language = detect([*said, previous])
        return cls(read(messages, count), source, previous, previous_tokens, language, rules, count)

    def space(self, model: str, window: int, factor: float, is_calibrated: bool) -> Space:
        """Return what one call to a model can hold; what each says besides is not known yet."""
        answer = min(self.rules.max_tokens or parting.answer_tokens(window), window // 4)
        return space_of(self.rules, answer, model, window, factor, is_calibrated)

    def form(self, space: Space) -> Form:
        """Return what a summary is to look like that fits into the answer of a call."""
        wanted = min(int(space.answer * ASKED_SHARE), self.rules.max_tokens or space.answer)
        return Form(
            sections=tuple(map(section, self.rules.sections)),
            language=self.language,
            max_tokens=max(_LEAST_TOKENS, min(wanted, self.source.tokens // _SOURCE_SHARE)),
            focus=self.rules.focus,
        )

    def first(self, space: Space) -> tuple[Asked, ...]:
        """Return the first calls, one for each part; none: the window is too small.

        A single one brings the earlier summary up to date; several leave that to be merged with theirs.
        """
        form = self.form(space)
        if self.previous:
            fixed = prompts.fixed_tokens(form, self.count, self.previous)
            found = self._parted(replace(space, fixed=fixed))
            if len(found) == 1:
                prompt = prompts.update(form, self.previous, written(found[0]))
                return (Asked(prompt, size(found[0]) + fixed),)
        fixed = prompts.fixed_tokens(form, self.count)
        found = self._parted(replace(space, fixed=fixed))
        return tuple(
            Asked(prompts.first(form, written(part), (number, len(found))), size(part) + fixed)
            for number, part in enumerate(found, 1)
        )

    def _parted(self, space: Space) -> tuple[tuple[Passage, ...], ...]:
        rules = self.rules
        plan = parting.plan(
            self.passages, space, self.count, min_parts=rules.min_parts, max_parts=rules.max_parts
        )
        return plan.parts

    def merging(self, summaries: Sequence[str], space: Space) -> tuple[Asked | str, ...]:
        """Return the calls that merge partial summaries, fewer than these; a text needs none."""
        form = self.form(space)
        fixed = prompts.fixed_tokens(form, self.count)
        return tuple(
            self._merge(group, form, fixed)
            for group in parting.merge(summaries, replace(space, fixed=fixed), self.count)
        )

    def _merge(self, group: Sequence[str], form: Form, fixed: int) -> Asked | str:
        if len(group) == 1:
            return group[0]
        prompt = prompts.merge(form, group, has_previous=group[0] == self.previous)
        return Asked(prompt, fixed + sum(self.count(text) + 10 * FRAME_TOKENS for text in group))

    def repair(self, asked: Asked, verdict: Verdict) -> Asked:
        """Return the call that asks once more, with what was wrong."""
        return repaired(asked, verdict, self.count)

    def judge(self, answer: Answer, space: Space) -> Verdict:
        """Return whether an answer may be the summary."""
        verdict = Gate().judge(answer, self.source, self.form(space), self.count)
        if not self.rules.redact:
            return verdict
        # Judged before: the mark that takes a secret's place stands in no source.
        return replace(verdict, text=redact(verdict.text).text)

    def judge_part(self, answer: Answer, tokens: int, space: Space) -> Verdict:
        """Return whether an answer may be merged with others: whether it is a summary at all."""
        gate = Gate(advisory=frozenset(Reason) - _SPEAKING)
        return gate.judge(answer, Source(self.source.text, tokens), self.form(space), self.count)

    @property
    def has_something(self) -> bool:
        """Whether a summary without a word cannot be right."""
        return bool(self.source.wanted or self.source.rules)
