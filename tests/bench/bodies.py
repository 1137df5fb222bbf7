"""What is sent: requests and conversations of which no two are equal, made from a number.

The large conversation has 400 messages in 100 turns (question, call, result of a tool, answer), 500 KB and
about 141,000 tokens: logs and code, as agents read them. Bodies are lists of pieces, so that sending half a
megabyte does not first join it.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence

from bench.dialects import CHAT, Dialect, Json

Body = Sequence[bytes]

# fmt: off
_WORDS = (
    "ledger", "order", "queue", "commit", "retry", "schema", "window", "budget", "cursor", "parser",
    "socket", "tenant", "worker", "replica", "shard", "index", "request", "answer", "stream", "header",
    "payload", "token", "upstream", "gateway", "latency", "timeout", "backoff", "migration", "rollback",
)
# fmt: on
_VERBS = ("opened", "closed", "refused", "wrote", "read", "moved", "checked", "dropped", "merged", "found")

_TURNS = 100
_RESULT_LINES = 71


def small(number: int, dialect: Dialect = CHAT) -> Body:
    """Return a request of one kilobyte."""
    text = (
        f"Request {number:08d}: " + "where does the order service write its ledger, and who reads it? " * 14
    )
    return [dialect.head, json.dumps([{"role": "user", "content": text}]).encode(), b"}"]


def streamed(number: int, dialect: Dialect = CHAT) -> Body:
    """Return a small request that asks for a stream."""
    return [b'{"stream":true,' + b"".join(small(number, dialect))[1:]]


class Conversation:
    """A long conversation that can be asked to go on, each time with another new turn."""

    def __init__(self, number: int, dialect: Dialect = CHAT, turns: int = _TURNS) -> None:
        self._chance = random.Random(number)
        self._number = number
        self._asked = 0
        self._dialect = dialect
        items = (dialect.item(item) for turn in range(turns) for item in self._turn(turn))
        self._known = b"[" + b", ".join(items)

    def whole(self) -> Body:
        """Return it as it is, for the first time."""
        return [self._dialect.head, self._known, b"]}"]

    def next(self) -> Body:
        """Return it with one new turn at its end: the answer to what was asked, and a new question."""
        self._asked += 1
        answer = {"role": "assistant", "content": f"Answer {self._number}.{self._asked}: {self._sentence()}"}
        question = {"role": "user", "content": f"Question {self._number}.{self._asked}: {self._sentence()}"}
        turn = b", %s, %s]}" % (json.dumps(answer).encode(), json.dumps(question).encode())
        return [self._dialect.head, self._known, turn]

    def _turn(self, turn: int) -> Iterator[Json]:
        id_ = f"call_{self._number}_{turn}"
        path = f"service/{self._word()}_{turn}.log"
        yield {"role": "user", "content": f"{self._number}.{turn}: {self._sentence()} {self._sentence()}"}
        yield self._dialect.call(id_, path, self._sentence())
        yield self._dialect.result(id_, self._log(turn))
        yield {"role": "assistant", "content": f"{self._sentence()} {self._sentence()}"}

    def _log(self, turn: int) -> str:
        lines = (
            f"{turn:03d}:{n:02d} {self._chance.choice(_VERBS)} {self._word()}/{self._word()}"
            f" id={self._chance.getrandbits(20):05x} {self._word()} in {self._chance.randrange(900)} ms"
            for n in range(_RESULT_LINES)
        )
        return "\n".join(lines)

    def _sentence(self) -> str:
        words = " ".join(self._chance.choices(_WORDS, k=16))
        return f"The {words} {self._chance.choice(_VERBS)} {self._chance.randrange(10_000)}."

    def _word(self) -> str:
        return self._chance.choice(_WORDS)


def grown(number: int, turns: int, dialect: Dialect = CHAT) -> Iterator[Body]:
    """Yield one conversation turn by turn, from its first question on; half a kilobyte comes with each."""
    chance = random.Random(number)
    known = dialect.head + b'[{"role":"user","content":"You run %d."}' % number
    for turn in range(turns):
        words = " ".join(chance.choices(_WORDS, k=34))
        known += b',{"role":"user","content":"%d.%d %s"}' % (number, turn, words.encode())
        yield [known, b"]}"]
        words = " ".join(chance.choices(_WORDS, k=30))
        known += b',{"role":"assistant","content":"%d.%d %s"}' % (number, turn, words.encode())


def distinct(number: int, dialect: Dialect = CHAT, size_bytes: int = 100_000, messages: int = 80) -> Body:
    """Return a conversation of which no message was ever sent, cheap to make and to count."""
    filler = " international information about responsible organizations" * (size_bytes // messages // 55)
    text = filler.encode()
    items = [
        b'{"role":"%s","content":"%d.%d%s"}' % (b"assistant" if n % 2 else b"user", number, n, text)
        for n in range(messages - 1)
    ]
    return [dialect.head, b"[", b",".join(items), b"]}"]
