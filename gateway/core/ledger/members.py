"""Which members of JSON tell something: those whose name says so, or whose value is exact.

A name that comes again and again belongs to the rows of a list, which is data; its first are enough to know
it by.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from gateway.core.ledger import telling as lines

_CHARS = 240
_APART_CHARS = 40
_MOST = 2
"""What more members are called is the name of a column: the first of them tells."""
_LEAST_WEIGHT = 3
_MEMBER = re.compile(
    r"\"(?P<name>[^\"\n]{1,40})\"\s*:\s*(?P<value>\"[^\"\n]{1,120}\"|-?\d[\d.]*)(?=\s*(?:[,}\]]|$))",
    re.MULTILINE,
)
_TELLING_NAME = re.compile(
    r".{0,40}?(?:id|number|key|name|total|count|version|url|uri|host|port|path|status|state|amount|price"
    r"|balance|email|phone|branch|commit|sha|hash|ticket|order|invoice|sku|date|deadline|code|result|region"
    r"|model|rate|limit|quota|reference|tracking|confirmation|locator|used|score|value|file|account|login"
    r"|address|[号码址名额价量版])",
    re.IGNORECASE,
)


def parted(text: str) -> tuple[list[str], str]:
    """Return the lines of a text that hold no JSON, and all that do as one text."""
    rows = text.split("\n")
    # Most results have no quotation mark at all, which is told sooner.
    if '"' not in text or not ('":' in text or '" :' in text):
        return rows, ""
    held = [row for row in rows if '":' in row or '" :' in row]
    return [row for row in rows if not ('":' in row or '" :' in row)], "\n".join(held)


def telling(text: str, known: str = "") -> Iterator[str]:
    """Yield the telling members of JSON, those that stand close together as one.

    >>> list(telling('{"ok": true, "pipeline": {"id": 88213, "page": 1}}'))
    ['"id": 88213']
    """
    held, stop = "", 0
    found = list(_MEMBER.finditer(text))
    times = Counter(member["name"] for member in found)
    columns: set[str] = set()
    for member in found:
        name = member["name"]
        if name in columns or not _tells(name, member["value"], known):
            continue
        if times[name] > _MOST:
            columns.add(name)
        if held and (member.start() - stop > _APART_CHARS or len(held) + len(member[0]) > _CHARS):
            yield held
            held = ""
        held = f"{held}, {member[0]}" if held else member[0]
        stop = member.end()
    if held:
        yield held


def _tells(name: str, value: str, known: str) -> bool:
    if value in ("0", "200", '"0"') or value.strip('"') in known:
        return False
    return bool(_TELLING_NAME.fullmatch(name)) or lines.weight(value.strip('"')) >= _LEAST_WEIGHT
