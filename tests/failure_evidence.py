"""What the recorded errors of `failures/` say, prepared as the tables see it."""

from __future__ import annotations

import json
from pathlib import Path

from gateway.core.failure_answers import events, is_stream
from gateway.core.failure_rules import plain
from gateway.core.failure_text import gather, snake

FOLDER = Path(__file__).parent / "failures"


def evidence() -> list[str]:
    """Return every prepared sentence and identifier of the recorded bodies."""
    found = []
    for path in sorted(FOLDER.glob("*.json")):
        for record in json.loads(path.read_text("utf-8")):
            body = record["body"].encode()
            parts = [data for data, _ in events(body)] if is_stream(body) else [body]
            for said in map(gather, parts):
                found += [plain(text) for text in said.texts] + [snake(mark) for mark in said.marks]
    return found


EVIDENCE = evidence()
