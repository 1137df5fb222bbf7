"""Words by which it is told that a value became another, and those that leave open whether it did.

A row is added for a way to tell it, not for a thing that changes.
"""

from __future__ import annotations

import re

from gateway.core.ledger.topic import stem

_VERBS = (
    r"(?:raised|lowered|increased|decreased|reduced|cut|bumped|doubled|tripled|quadrupled|halved|moved|changed"
    r"|set|extended|prolonged|postponed|delayed|pushed|brought|shortened|lengthened|stretched|went|gone|rose"
    r"|risen|fell|fallen|dropped|grew|grown|climbed|jumped|came|come|updated|adjusted|relaxed|tightened"
    r"|loosened|shifted|rescheduled|upped|hiked|slashed|trimmed|expanded|scaled|lifted|revised|turned)"
)
TURNED = rf"\b{_VERBS}\b.{{0,60}}\b(?:to|until|till|from)\b"
"""A verb, and to what."""
OPEN = (
    r"\b(?:if|would|could|might|may be|may have|should|wants?|wanted|plans?|planned|suppose|imagine|assume"
    r"|maybe|perhaps|probably|possibly|going to|will|not|never|cannot|asked|ask|proposed?|hopes?|hoped"
    r"|thinks?|thought|say|says|said|told|tells|story"
    r"|unless|when|once|whether|almost|nearly|tried|used to|had)\b"
    r"|n't\b|\?"
)
"""It may be so, was so once, or somebody says so."""
ZH_TURNED = re.compile(
    r"(?:[提升调涨增加扩延][高升上长大至到为期迟后]|[降砍减缩压调][低到至为少短成]|翻[倍番]到?|推迟|提前|延[长期后]|放宽|收紧"
    r"|上调|下调|改[成为到]|变[成为]|调整)[\u4e00-\u9fff]{0,4}[0-9一二三四五六七八九十百千两¥$€]"
)
ZH_OPEN = re.compile(
    r"如果|要是|假如|假设|可能|也许|大概|或许|打算|计划|想[把要]?|建议|希望|将|应该|吗|？|\?|据说|听说|没有?|不[会能要再]|之前|以前|曾|原来|当年"
    r"|故事|小说|说"
)
_WHEN = "yesterday recently lately meanwhile last week month morning night evening today by per"
WHEN = frozenset(stem(word)[:6] for word in _WHEN.split())
"""Words that only say when it was."""
