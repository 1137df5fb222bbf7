"""What the text of a piece is made of, what is said in the call for it, and whether an answer may be used.

It takes one call: a piece is small beside a conversation, and what does not fit is shortened fairly. Nothing
here awaits anything: it is work for a thread.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gateway.core.conversation import FRAME_TOKENS, Count, Kind, Message, Role
from gateway.core.frozen import replace
from gateway.core.summary import parts as parting
from gateway.core.summary import piece_prompt
from gateway.core.summary.answer import Answer, bare
from gateway.core.summary.form import Form
from gateway.core.summary.gate import Gate
from gateway.core.summary.identifiers import Identifier, Sort, Text, identifiers
from gateway.core.summary.language import Language, detect
from gateway.core.summary.parts import Space
from gateway.core.summary.prompt import Prompt
from gateway.core.summary.secrets import redact
from gateway.core.summary.source import MOST_WANTED, Source
from gateway.core.summary.transcript import RESULT_TOKENS, Passage, read, size, written
from gateway.core.summary.verdict import Finding, Reason, Verdict
from gateway.engine.summary_call import Asked
from gateway.engine.summary_material import ASKED_SHARE, repaired, space_of
from gateway.policy.rules import SummarizerRules
from gateway.strategies import facts, notes
from gateway.strategies.piece import Piece

_ROOM = 1.3
"""Of what a text may take, so much is left to the model for it: what is a little too long is cut."""

_OVER = 1.5
"""A text that is so many times too long is refused: too much of it would be cut."""

_TOKENS_PER_IDENTIFIER = 40
"""So short a text cannot be asked to hold more."""

_SHARES = {"calls": (0.5, 6), "work": (0.5, 6), "turn": (0.4, 6), "content": (0.3, 3)}
"""Share of the wanted identifiers that must be there, one at least, and so many at most, by form."""

_TELLING = frozenset((Sort.LINK, Sort.PATH, Sort.CODE))


@dataclass(frozen=True, slots=True)
class PieceMaterial:
    """A piece, read once for all models that are asked."""

    piece: Piece
    ask: str
    passages: tuple[Passage, ...]
    source: Source
    names: tuple[str, ...]
    """Tools that have to be named."""
    language: Language
    rules: SummarizerRules
    count: Count
    previous: str = ""
    has_something: bool = True

    @classmethod
    def of(cls, piece: Piece, ask: str, rules: SummarizerRules, count: Count) -> PieceMaterial:
        """Return what a piece has to say; *ask* is the request that it serves."""
        messages = _meant(piece)
        texts = [block.text for message in messages for block in message.blocks]
        names = {block.name: None for message in messages for block in message.blocks if block.name}
        source = Source(
            Text.of((*texts, *names, ask)),
            sum(block.tokens for message in messages for block in message.blocks),
            tuple(_wanted(piece, messages, ask))[:MOST_WANTED],
        )
        said = [message.text for message in messages if message.role is not Role.TOOL]
        return cls(
            piece,
            ask,
            read(messages, count, result_tokens=0 if piece.form == "content" else RESULT_TOKENS),
            source,
            tuple(_names(piece, messages)),
            detect([ask] if ask.strip() else said),
            rules,
            count,
        )

    def space(self, model: str, window: int, factor: float, is_calibrated: bool) -> Space:
        """Return what one call to a model can hold; what it says besides is not known yet."""
        answer = int(self.piece.max_tokens * _ROOM * max(factor, self.rules.margin)) + FRAME_TOKENS
        return space_of(self.rules, min(answer, window // 4), model, window, factor, is_calibrated)

    def first(self, space: Space) -> tuple[Asked, ...]:
        """Return the one call; none: the window is too small."""
        fixed = self._tokens(self._prompt("", space))
        plan = parting.plan(self.passages, replace(space, fixed=fixed), self.count, max_parts=1)
        return tuple(Asked(self._prompt(written(part), space), size(part) + fixed) for part in plan.parts[:1])

    def merging(self, summaries: Sequence[str], space: Space) -> tuple[Asked | str, ...]:
        """Return what there is: one call leaves nothing to merge."""
        return tuple(summaries[:1])

    def repair(self, asked: Asked, verdict: Verdict) -> Asked:
        """Return the call that asks once more, with what was wrong."""
        return repaired(asked, verdict, self.count)

    def judge(self, answer: Answer, space: Space) -> Verdict:
        """Return whether an answer may stand for the piece, cut to what it may take."""
        text, most = bare(answer.text), self.piece.max_tokens
        is_over = self.count(text) > most
        shorter = notes.beginning(text, most, self.count) if is_over else text
        is_far_over = is_over and (not shorter or self.count(text) > _OVER * most)
        if is_over and not is_far_over:
            answer = replace(answer, text=shorter, finish="stop")
        verdict = self._judged(answer)
        if is_far_over and Reason.NOT_SMALLER not in verdict.reasons:
            verdict = replace(verdict, faults=(*verdict.faults, Finding(Reason.NOT_SMALLER)))
        # Judged before: the mark that takes a secret's place stands in no source.
        clean = redact(verdict.text).text if self.rules.redact else verdict.text
        return replace(verdict, text=notes.beginning(clean, most, self.count) if verdict.is_usable else clean)

    def judge_part(self, answer: Answer, tokens: int, space: Space) -> Verdict:
        """Return the same: there are no parts."""
        return self.judge(answer, space)

    def _judged(self, answer: Answer) -> Verdict:
        share, most = _SHARES[self.piece.form]
        gate = Gate(
            identifier_share=max(share, 1 / max(len(self.source.wanted), 1)),
            identifiers=min(most, self.piece.max_tokens // _TOKENS_PER_IDENTIFIER),
            may_answer=self.piece.form == "turn",
        )
        verdict = gate.judge(answer, self.source, Form(sections=()), self.count)
        if verdict.is_nothing:
            return Verdict("", faults=(Finding(Reason.EMPTY),))
        folded = verdict.text.casefold()
        lost = tuple(name for name in self.names if name.casefold() not in folded)
        if not lost or not verdict.text:
            return verdict
        return replace(verdict, faults=(*verdict.faults, Finding(Reason.MISSING_IDENTIFIERS, lost)))

    def _prompt(self, conversation: str, space: Space) -> Prompt:
        room = min(self.piece.max_tokens, int(space.answer / space.per_token))
        return piece_prompt.piece(
            self.piece.form, conversation, self.ask, self.language, int(ASKED_SHARE * room), self.names
        )

    def _tokens(self, prompt: Prompt) -> int:
        return self.count(prompt.system) + self.count(prompt.user) + 2 * FRAME_TOKENS


def _meant(piece: Piece) -> tuple[Message, ...]:
    """Return the messages with what is meant of them alone."""
    if piece.block is None:
        return piece.messages
    (message,) = piece.messages[:1]
    return (replace(message, blocks=(message.blocks[piece.block],)),)


def _names(piece: Piece, messages: Sequence[Message]) -> Iterator[str]:
    """Yield the tools that have to be named: those that changed something; of work that goes on, all."""
    if piece.form in ("calls", "work"):
        yield from dict.fromkeys(
            block.name
            for message in messages
            for block in message.blocks
            if block.kind is Kind.TOOL_CALL
            and block.name
            and (piece.form == "work" or facts.is_change(block.name, block.text))
        )


def _wanted(piece: Piece, messages: Sequence[Message], ask: str) -> Iterator[Identifier]:
    """Yield the exact values that a text should have: of changes, of the last answer, of the request."""
    if piece.form == "content":
        text = "\n".join(block.text for message in messages for block in message.blocks)
        whole = Text.of([text])
        yield from (found for found in identifiers(ask) if not found.is_rough and whole.has(found))
        return
    calls = [block for message in messages for block in message.blocks if block.kind is Kind.TOOL_CALL]
    changes = [
        facts.signature(call.name, call.text) for call in calls if facts.is_change(call.name, call.text)
    ]
    answers = [message.text for message in messages if message.role is Role.ASSISTANT and message.text]
    told = [*changes, *(answers[-1:] if piece.form == "turn" else ())]
    found = (one for text in told for one in identifiers(text) if one.sort in _TELLING)
    yield from dict.fromkeys(found)
