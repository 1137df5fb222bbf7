"""Secrets that have no form of their own: known by the name before them, and how name and value are joined.

A name, in many languages; marks of Markdown or quotes around it; whom it is for; a sign or a verb; the value.
Prose has the same names, so a value counts only if it looks like no word: a table's cell, a sentence, a type
behind a colon stay. Every part is bounded, and a name is looked for once at each place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

# A row is added for a word that people write before a password; the hints are for a look that costs nothing.
_PASSWORD = (
    r"pass(?:word|wd|phrase|code)|pwd|(?<![a-z])(?:pw|mdp|pass(?=[\"'`*]{0,3}\s{0,2}[:=|]))(?![a-z])"
    r"|passwort|kennwort|mot\sde\spasse|contrase(?:ñ|n)a|senha|palavra-passe|parola\sd['’]ordine|wachtwoord|lösenord|adgangskode|passord"
    r"|salasana|hasło|heslo|jelszó|парол[ьяею]|şifre|mật\skhẩu|kata\ssandi|密码|密碼|口令|パスワード|비밀번호"
    r"|كلمة المرور|كلمة السر|סיסמה|पासवर्ड"
)
_PHRASE = r"passphrase|(?:seed|recovery|secret|backup)\sphrase|mnemonic"
_KEY = (
    r"(?:client|app|shared)[\s_-]secret|secret(?:[_-]?(?:access[_-]?)?key)?|api[\s_-]?key|access[\s_-]?key"
    r"|(?:auth|access|refresh)[\s_-]?token|private[_-]?key|(?<!\w)token|api-schlüssel|clé\s(?:d['’])?api"
    r"|clave\s(?:de\s)?(?:la\s)?api|密钥|密鑰|令牌"
)
_PIN = (
    r"(?<![\w-])(?:pin(?:[\s-]?(?:code|number))?|otp|cv[vc]2?|(?:one-time|verification|2fa)[\s-](?:code|pin))"
    r"(?![\w-])"
)
_NAME = re.compile(
    rf"(?P<phrase>{_PHRASE})|(?P<password>{_PASSWORD})|(?P<key>{_KEY})|(?P<pin>{_PIN})", re.IGNORECASE
)
_HINTS = (
    *("pass", "pwd", "pw", "mdp", "wort", "woord", "contrase", "senha", "parola", "lösenord"),
    *("adgangskode", "salasana", "hasło", "heslo", "jelszó", "парол", "şifre", "mật", "sandi", "密", "口令"),
    *("パスワード", "비밀번호", "كلمة", "סיסמה", "पासवर्ड", "phrase", "mnemonic", "secret", "key", "token"),
    *("schlüssel", "clé", "clave", "令牌", "pin", "otp", "cvv", "cvc", "verification", "2fa", "one-time"),
)
_FOR = (
    r"\s{1,2}(?:for|of|to|on|at|in|für|von|zu|pour|de|du|para|per|di|для|от)\s[^\n:=：→|<>\"'`]{1,40}?"
    r"|\s?[(（][^()（）\n]{1,40}[)）]"
)
_SAID = (
    r"\s{1,3}(?:(?:has\sbeen|will\sbe|is|was|are)(?:\s(?:now|currently|still))?(?:\s(?:re)?(?:set|changed)\sto)?"
    r"|(?:(?:re)?(?:set|changed)\s)?to|ist|war|lautet|heißt|est|es|era|é|è|jest)(?:\s?:)?\s{1,3}"
    r"|\s?(?:是|为|為|は|는|은)\s?"
)
_VALUE = (
    r"\\?(?:`(?P<code>[^`\n]{3,200})`|\"(?P<double>[^\"\n]{3,200})\"|'(?P<single>[^'\n]{3,200})'"
    r"|[“„](?P<curly>[^“”\n]{3,200})[“”]|«\s?(?P<angle>[^«»\n]{3,200}?)\s?»|「(?P<corner>[^「」\n]{3,200})」"
    r"|[\"'`]?(?P<bare>[^\s\"'`,;<>，。；、）)\]}|“”„«»「」]{3,200}))"
)
_AFTER = re.compile(
    rf"[\"'`*_\\]{{0,4}}(?:{_FOR})?[\"'`*]{{0,3}}"
    r"(?:\s{0,3}(?:(?P<set>:=|=>|->|[=:：→⇒])|(?P<cell>[|–—]|-(?=\s)))\s{0,3}|(?P<tag>>)"
    rf"|(?P<said>{_SAID})|\s{{1,2}}(?=[`\"'“„«「]))(?:[*_]{{1,3}}\s{{0,2}})?{_VALUE}",
    re.IGNORECASE,
)
_GROUPS = ("code", "double", "single", "curly", "angle", "corner", "bare")

# What stands where a secret would, and is none.
PLACEHOLDER = re.compile(
    r"[$%{\[(<].*|[\w.]{1,60}[(\[{].*|[*x.•_-]+|(?:os|env|process|config|settings|self)\..*"
    r"|(?:your|my|the|some|test|dummy|example|sample|changed?|redacted|none|null|true|false|undefined|required"
    r"|optional|string|password|secret|token|key)(?:[._-].*)?"
    r"|[a-z_.]{0,60}[_.](?:password|passwd|pwd|secret|token|key)"
    # Where it is kept, how it is stored, and how long it is.
    r"|(?:~|\.{1,2})?/.*|[\w.+-]{2,20}://.*|[\w-]{1,60}/[\w./-]{1,120}\.\w{1,5}"
    r"|(?:base\d\d\w{0,9}|md5|sha-?\d|aes|argon2|[bs]crypt|pbkdf2|utf-?\d|oauth|1password|rsa|https?|ldap)(?:\b|[\d_-]).*"
    r"|\d{1,4}(?:-\d{1,4})?-?(?:[a-z]{1,12})",
    re.IGNORECASE,
)
_FUNCTION_WORDS = frozenset(
    (
        *("a", "an", "and", "are", "as", "asked", "at", "be", "by", "for", "from", "has", "in", "is", "it"),
        *("not", "of", "on", "only", "or", "stored", "that", "the", "this", "to", "was", "with", "words"),
        *("you", "your"),
    )
)
_PHRASE_WORDS = re.compile(r"[a-z]{2,12}(?: [a-z]{2,12}){3,24}(?=[\s.\"'`”*|]{0,3}(?:\n|$))")
_PHRASE_LEAD = re.compile(r"[\"'`*]{0,3}\s?[:=：→|]\s{0,2}[\"'`*“]{0,3}\s?")
# Where a value ends though more follows: the next member of a query, bold print, the end of a sentence.
_END = re.compile(r"&\w{1,40}=|\*\*|[.:?\\]{1,200}$")
_PIN_DIGITS = re.compile(r"\d{3,8}")
_LENGTHS = re.compile(r"\s{0,2}(?:-|–|to|bis|or|digits?|characters?|chars|stellig|位)", re.IGNORECASE)
# The line under the headings of a table, and a row of it.
_RULE = re.compile(r"^[ \t|:-]{3,400}$", re.MULTILINE)
_ROW = re.compile(r"\n([^\n|]{0,200}\|[^\n]{0,2000})")
_ROW_CHARS = 2000
_TABLE_CHARS = 40_000
_SPACE = re.compile(r"\s")
_DIGIT = re.compile(r"\d")
_SIGN = re.compile(r"[!@#$%^&*+=?~§€£]")
_LEAST_CHARS = 4
_LEAST_ODD_CHARS = 6
_LEAST_KEY_CHARS = 12
_LEAST_HYPHENS = 3


class Named(Enum):
    """What a name says that stands behind it."""

    PASSWORD = 1
    KEY = 2


@dataclass(frozen=True, slots=True)
class Value:
    """What stands behind a name."""

    named: Named
    start: int
    text: str


def named(text: str, folded: str) -> Iterator[Value]:
    """Yield the secrets that a text names; *folded* is the text in lower case.

    >>> [value.text for value in named("**Password:** `Tr0ub4dor&3`", "**password:** `tr0ub4dor&3`")]
    ['Tr0ub4dor&3']
    """
    if not any(hint in folded for hint in _HINTS):
        return
    yield from _columns(text)
    stop = 0
    for name in _NAME.finditer(text):
        if name.start() < stop:
            continue  # a part of a secret
        if name["phrase"] and (phrase := _phrase(text, name.end())):
            yield phrase
            continue
        after = _AFTER.match(text, name.end())
        if after is None:
            continue
        group = next(group for group in _GROUPS if after[group] is not None)
        value = _END.split(after[group], maxsplit=1)[0] if group == "bare" else after[group].rstrip("\\")
        if _is_secret(name, after, value):
            stop = after.start(group) + len(value)
            yield Value(Named.KEY if name["key"] else Named.PASSWORD, after.start(group), value)


def _columns(text: str) -> Iterator[Value]:
    """Yield what stands in a table under a heading that names it."""
    done = 0
    for rule in _RULE.finditer(text):
        if rule.start() <= done or "|" not in rule[0] or "--" not in rule[0]:
            continue
        head = text[max(text.rfind("\n", 0, rule.start() - 1) + 1, rule.start() - _ROW_CHARS) : rule.start()]
        names = [_NAME.search(cell) for cell in head.split("|")]
        places = {at: name for at, name in enumerate(names) if name and not name["pin"]}
        if not places:
            continue
        for row in _ROW.finditer(text, rule.end(), rule.end() + _TABLE_CHARS):
            if row.start() != max(done, rule.end()):
                break
            done = row.end()
            yield from _cells(row, places)


def _cells(row: re.Match[str], places: Mapping[int, re.Match[str]]) -> Iterator[Value]:
    start = row.start(1)
    for at, cell in enumerate(row[1].split("|")):
        value = cell.strip(" \t\"'`*")
        if at in places and " " not in value and not PLACEHOLDER.fullmatch(value):
            if places[at]["key"] and _is_key(value):
                yield Value(Named.KEY, start + cell.index(value), value)
            elif not places[at]["key"] and _is_odd(value):
                yield Value(Named.PASSWORD, start + cell.index(value), value)
        start += len(cell) + 1


def _phrase(text: str, stop: int) -> Value | None:
    """Return the words of a phrase, which fill the rest of their line."""
    lead = _PHRASE_LEAD.match(text, stop)
    match = _PHRASE_WORDS.match(text, lead.end()) if lead else None
    if match is None or not _FUNCTION_WORDS.isdisjoint(match[0].split()):
        return None
    return Value(Named.PASSWORD, match.start(), match[0])


def _is_secret(name: re.Match[str], after: re.Match[str], value: str) -> bool:
    if (len(value) < _LEAST_CHARS and not name["pin"]) or _SPACE.search(value):
        return False
    if after["tag"] and not after.string.startswith("</", after.end()):
        return False
    if name["pin"]:
        return bool(_PIN_DIGITS.fullmatch(value)) and not _LENGTHS.match(after.string, after.end())
    if PLACEHOLDER.fullmatch(value):
        return False
    if name["key"]:
        return _is_key(value)
    return _is_joined(after) or _is_odd(value)


def _is_joined(after: re.Match[str]) -> bool:
    """Return whether a value stands directly behind its sign, as in a command line: then it may be a word."""
    return after["set"] == "=" and after.string[after.start("set") + 1 : after.end()][:1].strip() != ""


def _is_odd(value: str) -> bool:
    """Return whether what stands behind "password" in prose is none of its words and no length."""
    digits = sum(map(str.isdigit, value))
    if digits == len(value):
        return digits >= _LEAST_ODD_CHARS
    if len(value) < _LEAST_ODD_CHARS or not any(map(str.isalpha, value)):
        return False
    words = value.lower().split("-")
    has_words = len(words) > _LEAST_HYPHENS and all(map(str.isalpha, words))
    return bool(digits or _SIGN.search(value)) or (has_words and _FUNCTION_WORDS.isdisjoint(words))


def _is_key(value: str) -> bool:
    return len(value) >= _LEAST_KEY_CHARS and bool(_DIGIT.search(value)) and not value.isdigit()
