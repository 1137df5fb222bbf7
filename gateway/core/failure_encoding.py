"""Read the bytes of an error as text: proxies and servers on Windows do not all write UTF-8."""

from __future__ import annotations

import re

# What a `content-type` may name. Python knows codecs that are none for text; those are not asked.
_CHARSET = re.compile(
    r"charset\s{0,4}=\s{0,4}[\"']?(utf-?(?:8|16|32)(?:[lb]e)?|utf-?16-?[lb]e|gbk|gb2312|gb18030|big5|shift_jis"
    r"|euc-(?:jp|kr)|iso-8859-\d{1,2}|latin1|windows-125\d|koi8-r)(?![\w-])",
    re.IGNORECASE,
)
_MARKS = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
    (b"\xef\xbb\xbf", "utf-8"),
)

# Chinese without a word of it: what is no ASCII comes in pairs, as in no language that is written in Latin-1.
_CHINESE = re.compile(rb"(?:[\x00-\x7f]++|[\xa1-\xf7][\xa1-\xfe])++")


def text_of(body: bytes, content_type: str = "") -> str:
    """Return what an error body says; what cannot be read in it is marked as cut off.

    >>> text_of('{"error": "too long"}'.encode("utf-16-le"))
    '{"error": "too long"}'
    >>> text_of("上下文".encode("gbk")), text_of("dépassé".encode("latin-1"), "text/plain; charset=latin1")
    ('上下文', 'dépassé')
    """
    for name in (_marked(body), _named(content_type), "utf-8"):
        if name is not None:
            try:
                return body.decode(name)
            except (UnicodeError, LookupError):
                continue
    return body.decode("gb18030" if _CHINESE.fullmatch(body) else "utf-8", "replace")


def _marked(body: bytes) -> str | None:
    """Return the encoding that the first bytes give away: by a mark, or by the noughts between letters."""
    for mark, name in _MARKS:
        if body.startswith(mark):
            return name
    is_wide = len(body) % 2 == 0 and len(body) >= 4
    if is_wide and body[1] == body[3] == 0 < min(body[0], body[2]):
        return "utf-16-le"
    return "utf-16-be" if is_wide and body[0] == body[2] == 0 < min(body[1], body[3]) else None


def _named(content_type: str) -> str | None:
    found = _CHARSET.search(content_type)
    return found[1] if found else None
