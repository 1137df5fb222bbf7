"""How exact values are written: the forms by which they are known, and what their numbers count."""

from __future__ import annotations

import re

Value = tuple[str, str]
"""A form, such as `time`, and the value as it is compared. Numbers have their unit in the form: `n row`."""

SOLID = frozenset(("url", "email", "path", "ip", "phone", "id", "name"))
"""Forms of what can also be the thing that a statement is about; the others only measure."""

_MONTH = (
    r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)(?:uary|ruary|ch|il|ust|ember|tember|ober)?"
)
TONGUES = (
    r"english|french|german|spanish|italian|chinese|mandarin|japanese|korean|portuguese|russian|dutch|polish"
    r"|arabic|hindi|turkish|swedish|estonian|greek|irish|finnish|danish|norwegian|czech|hungarian|romanian"
    r"|ukrainian|vietnamese|thai|hebrew|latvian|lithuanian|slovak|croatian|serbian|bulgarian|catalan|welsh"
)
_ZH_TONGUES = (
    r"(?:(?:中|英|日|法|德|俄|韩|泰|粤|汉|葡萄牙|西班牙|意大利|阿拉伯|荷兰|瑞典|波兰|希腊|芬兰|丹麦|挪威|土耳其|越南)"
    r"[语文]|普通话|国语|广东话)"
)
HUES = "red|blue|green|yellow|orange|purple|pink|black|white|gray|grey|brown|teal|navy|beige|turquoise"
_DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|tomorrow|tonight"
_ONES = "one|two|three|four|five|six|seven|eight|nine"
_TENS = rf"(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:{_ONES})\b)?"
_COUNTS = (
    rf"(?:(?:{_ONES}) )?(?:hundred|thousand)(?:(?: and)? {_TENS})?|{_TENS}"
    r"|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen"
)
_COINS = "usd|eur|gbp|cny|rmb|jpy|chf|euros?|dollars?|francs|pounds|yen"
_HAN_COUNT = "[一二三四五六七八九十百千两半]"
_NUMBER = r"\d+(?:[.,]\d+)*"

# The first that fits counts. A form is added when two values of it were not seen to be alike.
FORMS = re.compile(
    r"(?<![a-z0-9_])(?:"
    r"(?P<url>[a-z][a-z0-9+.-]{1,12}://[^\s，。；、）)]+)"
    r"|(?P<email>[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+)"
    rf"|(?P<date>\d{{4}}-\d\d?-\d\d?\b|\d{{1,2}}/\d{{1,2}}/\d{{4}}\b|\d{{1,2}}(?:st|nd|rd"
    rf"|th)? {_MONTH}\b(?: \d{{4}}\b)?"
    rf"|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b(?!:)(?:,? \d{{4}}\b)?|{_MONTH} \d{{4}}\b|(?:{_DAYS}|january"
    rf"|february|april|june|july|august"
    r"|september|october|november|december)\b"
    r"|(?:\d{4}年)?\d{1,2}月(?:\d{1,2}[日号])?|(?:19|20)\d\d年)"
    r"|(?P<time>\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m\b)?|\d{1,2} ?(?:[ap]m\b|o'clock)|\d{1,2}点半?|noon\b"
    r"|midnight\b)"
    r"|(?P<ip>\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b)"
    rf"|(?P<percent>{_NUMBER}\s?(?:%|percent\b|per cent\b))"
    rf"|(?P<money>(?:[$€£¥₹]|(?:{_COINS}) )\s?{_NUMBER}|{_NUMBER}\s?(?:(?:{_COINS})\b|[$€£]"
    r"|[万亿]?(?:[欧美日]?元"
    rf"|块)))"
    r"|(?P<version>v\d+(?:\.\d+)*(?:-\w+)?\b|\d+\.\d+\.\d[\w.+-]*)"
    r"|(?P<phone>\+\d[\d -]{6,18}\d|\d{3}-\d{4}\b|1[3-9]\d{9}(?!\d))"
    r"|(?P<path>[a-z]:\\[^\s，。；]+|(?:~|\.{1,2})?/[\w.@-]+[^\s，。；]*|[a-z_][\w.-]{0,63}(?:/[\w.@-]+)+/?)"
    r"|(?P<id>#\d+|10\.\d{4,9}/[^\s，。；]+|\d+[-/][a-z0-9][\w/-]*|\d+[acf]\b"
    r"|(?=[a-z_.-]{1,40}\d)[a-z][\w-]{0,63}(?:[.:][\w-]{1,63}){0,8}|[a-z][\w-]{0,63}(?:\.[a-z][\w-]{1,63}){1,8}|[a-z]{1,63}(?:_[a-z]{1,63}){1,8}\b"
    r"|\d+[a-z]+\d\w*)"
    rf"|(?P<tongue>(?:{TONGUES})\b)|(?P<hue>(?:{HUES})\b)"
    rf"|(?P<n>{_NUMBER}(?:e-?\d+)?|(?<!\d)\.\d+|(?:{_COUNTS})\b))"
    rf"|(?P<zhdate>(?:下?周|星期|礼拜)[一二三四五六日天末]|[明后今]天|[月年]底|{_HAN_COUNT}{{1,2}}月(?:{_HAN_COUNT}{{1,3}}[日号])?)"
    r"|(?P<zhid>[\u4e00-\u9fff]{2,3}(?:路|街|巷|大道)\d*号?)"
    rf"|(?P<zhtime>{_HAN_COUNT}{{1,3}}点半?)|(?P<zhtongue>{_ZH_TONGUES})"
    r"|(?P<zhhue>[红蓝绿黄黑白紫橙灰]色)"
    rf"|(?P<zhn>{_HAN_COUNT}{{1,4}}(?=[个次字条页行份倍])|[二三四五六七八九十百千两]{{1,4}}(?=[位件台晚折块元间层张名人兆]))"
)
UNITS = {
    "秒": "second", "分": "minut", "分钟": "minut", "小时": "hour", "天": "day", "周": "week", "月": "month",
    "年": "year", "字": "word", "页": "page", "行": "line", "人": "peopl", "次": "time", "min": "minut",
    "mins": "minut", "兆": "mb",
}  # fmt: skip
"""What units are as they are compared: "timeout: 90 s" is of what was 30 秒, "18 min" of 10 minutes."""
COINS = frozenset(("eur", "usd", "gbp", "cny", "元", "块"))
"""Units of money, where the number is spelt."""
_NO_UNITS = (
    "across per or incl including then yesterday instead tonight soon already either both max tops"
    " altogether total overall flat sharp within once though maybe because since like yet everywhere"
    " anywhere here there please"
)
NO_UNITS = frozenset(_NO_UNITS.split())
"""What stands behind a number and is not what it counts."""
ZH_UNIT = re.compile(
    r"\s?([毫千]?[克升米秒]|公里|公斤|分钟?|小时|字|天|次|条|个|页|行|人|份|度|楼|层|斤|周|月|年|台|件|位|倍|号|晚|折|间|张|名|元|块|兆)"
)
UNIT = re.compile(r"[\s-]?([a-z]{1,14}|° ?[cf]?)(?!\w|\.\w)")
