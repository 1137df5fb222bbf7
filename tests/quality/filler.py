"""What a session says beside what is planted: prose, code, listings, logs and tables, by seeded templates.

Nothing here states a rule or a value that anybody would want kept. The words are data
(`filler.<language>.yaml`); code and logs look alike in both languages, as they do in life.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import yaml

_LIST = re.compile(r"\{(\w+)\}")
_NAMES = [
    "load", "merge", "scan", "fold", "split", "index", "render", "resolve", "attach", "trim", "pack",
    "shift", "align", "probe", "drain",
]  # fmt: skip
_THINGS = [
    "rows", "cells", "parts", "spans", "nodes", "frames", "items", "edges", "chunks", "pages", "keys",
    "views", "marks", "slots",
]  # fmt: skip
_FOLDERS = ["src", "core", "web", "jobs", "shared", "tools", "ui", "engine"]


@cache
def _vocabulary(language: str) -> dict[str, Any]:
    path = Path(__file__).parent / f"filler.{language}.yaml"
    words: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return words


class Filler:
    """The talk and the tool results of one session."""

    def __init__(self, rng: Random, language: str) -> None:
        self._rng = rng
        self._words = _vocabulary(language)
        self._gap = "" if language == "zh" else " "

    def say(self, what: str, kind: str = "") -> str:
        """Return one text of a list of the vocabulary, with the words in it chosen."""
        found = self._words[what]
        found = found[kind] if isinstance(found, dict) else found
        return self._filled(found if isinstance(found, str) else self._rng.choice(found))

    def _filled(self, template: str) -> str:
        def word(match: re.Match[str]) -> str:
            return str(self._rng.randint(3, 60)) if match[1] == "num" else self.say(match[1])

        return _LIST.sub(word, template)

    def prose(self, sentences: int) -> str:
        """Return a paragraph."""
        return self._gap.join(self.say("sentence") for _ in range(sentences))

    def page(self, paragraphs: int) -> str:
        """Return a web page as a reader tool gives it."""
        parts = [f"# {self.say('heading')}"]
        for number in range(paragraphs):
            if number % 3 == 2:
                parts.append(f"## {self.say('heading')}")
            parts.append(self.prose(self._rng.randint(3, 7)))
        return "\n\n".join(parts)

    def file(self) -> str:
        """Return the path of a source file that means nothing."""
        rng = self._rng
        return f"{rng.choice(_FOLDERS)}/{rng.choice(_NAMES)}_{rng.choice(_THINGS)}.py"

    def code(self, lines: int) -> str:
        """Return a source file of about so many lines."""
        text: list[str] = ["from __future__ import annotations", ""]
        while len(text) < lines:
            text += self._function()
        return "\n".join(text)

    def _function(self) -> list[str]:
        rng = self._rng
        name, thing, other = rng.choice(_NAMES), rng.choice(_THINGS), rng.choice(_THINGS)
        step = rng.choice(
            [f"{thing}[{rng.randint(0, 9)}:]", f"sorted({thing})", f"{name}_one(item)", f"set({thing})"]
        )
        return [
            f"def {name}_{thing}({thing}, depth={rng.randint(1, 9)}):",
            f"    {other} = []",
            f"    for item in {step}:",
            f"        if item.{rng.choice(_THINGS)} is None:",
            f"            {rng.choice(['continue', 'break', f'{other}.clear()'])}",
            f"        {other}.append(item.{rng.choice(_NAMES)}({rng.randint(1, 99)}))",
            f"    return {other}",
            "",
        ]

    def listing(self, lines: int) -> str:
        """Return what a search in files finds."""
        rng = self._rng
        found = []
        for _ in range(lines):
            statement = f"{rng.choice(_THINGS)} = {rng.choice(_NAMES)}_{rng.choice(_THINGS)}()"
            found.append(f"{self.file()}:{rng.randint(1, 400)}:    {statement}")
        return "\n".join(found)

    def tests(self, lines: int) -> str:
        """Return the output of a test run, at times with a failure."""
        rng = self._rng
        text = [
            f"{self.file()} {'.' * rng.randint(3, 40)} [{n * 100 // lines:3}%]" for n in range(1, lines + 1)
        ]
        if rng.random() < 0.4:
            thing = rng.choice(_THINGS)
            text += [
                "Traceback (most recent call last):",
                f'  File "{self.file()}", line {rng.randint(4, 300)}',
            ]
            text += [f"    {thing} = {rng.choice(_NAMES)}_{thing}()", f"TypeError: '{thing}' is not iterable"]
            text.append(f"1 failed, {rng.randint(20, 200)} passed in {rng.randint(1, 60)}s")
        else:
            text.append(f"{rng.randint(20, 300)} passed in {rng.randint(1, 60)}s")
        return "\n".join(text)

    def table(self, rows: int) -> str:
        """Return the result of a query."""
        rng = self._rng
        columns = rng.sample(_THINGS, 4)
        lines = [" | ".join(columns), " | ".join("---" for _ in columns)]
        for number in range(rows):
            cells = [f"{rng.uniform(0, 900):.{rng.randint(0, 3)}f}" for _ in columns[1:]]
            lines.append(" | ".join([f"{rng.choice(_NAMES)}-{number}", *cells]))
        return "\n".join(lines)

    def records(self, number: int) -> str:
        """Return what an interface answers: a list of small objects."""
        rng = self._rng
        found = [{rng.choice(_THINGS): rng.randint(1, 50), "note": self.say("noun")} for _ in range(number)]
        return json.dumps(found, ensure_ascii=False)
