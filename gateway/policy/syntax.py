"""What is wrong with the syntax of a YAML file, in the words of the person who wrote it, with a way out.

The parser speaks of tokens and blocks. What it says most often is translated; the rest is passed on as it is.
"""

from __future__ import annotations

import re

import yaml
from yaml.reader import ReaderError

# Patterns of what the parser says: what it was about and its problem, one after the other. The first that is
# found counts. `{line}` is the line of what it was about, `{found}` the group of the pattern.
_MEANINGS = (
    (r"character '\\t'", "a tab stands where only spaces may; put spaces in its place"),
    (r"character '(?P<found>.)' that", "no text begins with {found}; put it in quotes"),
    (r"undefined alias|scanning an alias", 'what begins with * must be put in quotes, as in "*-mini"'),
    (r"scanning an anchor", "what begins with & must be put in quotes"),
    (
        r"mapping values are not",
        "a colon stands where none may; put a text that holds one in quotes, and let the lines of a section "
        "begin below each other, each with a colon of its own",
    ),
    (r"sequence entries are not", "a list begins behind a colon; write each `- ` in a line of its own"),
    (r"find expected ':'", "a line has no colon with a space behind it; write it as `key: value`"),
    (
        r"flow (?:sequence|mapping).*but got|flow node.*stream end",
        "the bracket of line {line} is not closed, or a comma is missing behind an entry",
    ),
    (
        r"quoted scalar.*end of stream",
        "the quotation mark of line {line} has no other one; put that at the end of the text",
    ),
    (r"unknown escape", "a backslash in double quotes has a meaning of its own; write single quotes"),
    (
        r"block end.*'<scalar>'",
        "something stands behind a closing quotation mark; put all of the text in double quotes",
    ),
    (r"found '[\]},]'", "a bracket or comma stands alone; take it out, or put the text in quotes"),
    (
        r"block end",
        "this line begins further left or right than those from line {line} on that it belongs to; put the "
        "same number of spaces before all of them",
    ),
    (r"another document", "a second document begins (---), and a file holds one; make it a file of its own"),
    (
        r"expected '<document start>'",
        "something stands behind the end of what the file holds; take it out, or the braces around all else",
    ),
    (r"block scalar", "a text behind | or > begins in the next line"),
    (r"duplicate anchor", "a name behind & is given twice; take one out"),
)
_LATE = re.compile(r"find expected ':'|quoted scalar.*end of stream")
"""Of what the parser finds out only behind the line that is to be mended."""


def plainly(error: Exception, text: str) -> tuple[str, int | None]:
    """Return what is wrong with a text, and in which line; None: it cannot be told.

    >>> plainly(yaml.scanner.ScannerError(problem="found character '@' that cannot start any token"), "")
    ('is not YAML: no text begins with @; put it in quotes', None)
    """
    if isinstance(error, ReaderError):
        line = text.count("\n", 0, error.position) + 1
        return f"is not YAML: holds the control character U+{error.character:04X}; take it out", line
    if isinstance(error, RecursionError):
        return "is not YAML: too many brackets in each other; was it meant for this folder?", None
    if not isinstance(error, yaml.MarkedYAMLError):
        return f"is not YAML: holds a character or number that there cannot be ({error}); take it out", None
    said = f"{error.context} {error.problem}"
    around, place = _line(error.context_mark), _line(error.problem_mark)
    for pattern, meaning in _MEANINGS:
        if found := re.search(pattern, said):
            told = meaning.format(line=around, found=found.groupdict().get("found"))
            return f"is not YAML: {told}", around if _LATE.search(said) else place
    return f"is not YAML: {error.problem or error.context}", place or around


def _line(mark: yaml.Mark | None) -> int | None:
    return mark.line + 1 if mark else None
