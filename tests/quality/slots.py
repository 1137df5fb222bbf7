"""Exact values for the slots of a phrasing, different for every seed.

Most carry digits that nothing else in a session has, so that a value found in a request is the planted one.
The second of two (`{path2}`) is of the same kind as the first and never equal to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

_SLOT = re.compile(r"\{([a-z]+(?:256)?)(2?)\}")

# Words that file names, services and the like are made of.
_WORDS = [
    "ledger", "parser", "intake", "mailer", "roster", "quota", "beacon", "harvest", "anchor", "copper",
    "meadow", "falcon", "lumen", "pivot", "relay", "ember", "quartz", "tundra", "violet", "cobalt",
    "saffron", "juniper", "granite", "willow",
]  # fmt: skip

_PLACES: dict[str, dict[str, list[str]]] = {
    "en": {
        "city": ["Lisbon", "Tartu", "Leeds", "Porto", "Ghent", "Turku", "Bilbao", "Graz", "Aarhus", "Split"],
        "lang": ["French", "Portuguese", "Estonian", "Dutch", "Swedish", "Polish", "Greek", "Irish"],
        "nick": ["Robin", "Jo", "Sasha", "Kit", "Max", "Toni"],
        "team": ["platform", "payments", "growth", "data", "mobile", "security", "logistics", "billing"],
        "topic": ["soil carbon", "sleep debt", "grid storage", "coral bleaching", "urban heat", "gut flora"],
        "street": ["Mill Lane", "Harbour Street", "Station Road", "Elm Walk", "Castle Hill"],
        "color": ["viridis", "magma", "teal and orange", "cividis", "slate grey", "plasma"],
        "letter": ["A", "B", "C", "D"],
        "first": ["Marta", "Ivo", "Leila", "Anders", "Priya", "Tomas", "Ines", "Yusuf", "Greta", "Oskar"],
        "last": ["Okafor", "Lindqvist", "Marchetti", "Novak", "Haddad", "Byrne", "Sato", "Kowalski"],
    },
    "zh": {
        "city": ["成都", "青岛", "厦门", "昆明", "合肥", "大连", "长沙", "苏州", "西安", "宁波"],
        "lang": ["法语", "葡萄牙语", "日语", "荷兰语", "瑞典语", "波兰语", "希腊语", "韩语", "粤语"],
        "nick": ["老周", "小林", "阿杰", "大刘", "小雨", "阿宁"],
        "team": ["平台组", "支付组", "增长组", "数据组", "移动组", "安全组", "物流组", "账务组"],
        "topic": ["土壤碳汇", "睡眠不足", "电网储能", "珊瑚白化", "城市热岛", "肠道菌群"],
        "street": ["磨坊路", "港口街", "车站路", "榆树巷", "城堡山"],
        "color": ["青绿渐变", "岩浆色", "橙蓝双色", "石板灰", "等离子色", "莫兰迪色"],
        "letter": ["甲", "乙", "丙", "丁"],
        "first": ["芳", "建国", "思远", "雨桐", "志强", "静怡", "浩然", "晓明", "婉清", "一鸣"],
        "last": ["王", "欧阳", "陈", "司徒", "赵", "孙", "诸葛", "郑", "何"],
    },
}  # fmt: skip


class Slots:
    """The values of one session: each is given once, as far as its kind has enough of them."""

    def __init__(self, rng: Random, language: str) -> None:
        self._rng = rng
        self._places = _PLACES[language]
        self._is_chinese = language == "zh"
        self._given: set[str] = set()

    def filling(self) -> Callable[[str], str]:
        """Return what fills the slots of one phrasing's texts: the same slot gets the same value in all."""
        values: dict[str, str] = {}

        def value(match: re.Match[str]) -> str:
            name = match[0]
            if name not in values:
                values[name] = self._fresh(match[1])
            return values[name]

        return lambda text: _SLOT.sub(value, text)

    def _fresh(self, kind: str) -> str:
        for _ in range(200):
            value = self._value(kind)
            if value not in self._given:
                break
        self._given.add(value)
        return value

    def _value(self, kind: str) -> str:
        if kind in self._places:
            return self._rng.choice(self._places[kind])
        if kind in ("person", "date", "time"):
            return {"person": self._person, "date": self._date, "time": self._time}[kind]()
        return re.sub(r"\[(.+?)\]", self._part, self._rng.choice(_PATTERNS[kind]))

    def _part(self, match: re.Match[str]) -> str:
        """Return what a bracket of a pattern stands for: a word, digits, hex digits, or a range."""
        what = match[1]
        if what in ("w", "W"):
            word = self._rng.choice(_WORDS)
            return word.upper() if what == "W" else word
        if "-" in what:
            low, high = map(int, what.split("-"))
            return str(self._rng.randint(low, high))
        digits = "0123456789abcdef" if what[0] == "x" else "0123456789"
        return self._rng.choice("123456789") + "".join(self._rng.choices(digits, k=int(what[1:]) - 1))

    def _person(self) -> str:
        first, last = (self._rng.choice(self._places[key]) for key in ("first", "last"))
        return last + first if self._is_chinese else f"{first} {last}"

    def _date(self) -> str:
        year, month, day = self._rng.randint(2027, 2029), self._rng.randint(1, 12), self._rng.randint(1, 28)
        if self._is_chinese:
            return self._rng.choice(
                [f"{month}月{day}日", f"{year}-{month:02}-{day:02}", f"{year}年{month}月{day}日"]
            )
        name = _MONTHS[month - 1]
        return self._rng.choice(
            [f"{year}-{month:02}-{day:02}", f"{day} {name} {year}", f"{name} {day}", f"{day}/{month}/{year}"]
        )

    def _time(self) -> str:
        return f"{self._rng.randint(6, 21)}:{self._rng.randint(0, 59):02}"


_MONTHS = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
]  # fmt: skip

# [w] a word, [W] in capitals, [d4] four digits, [x7] seven hex digits, [2-97] a number in a range.
_PATTERNS: dict[str, list[str]] = {
    "branch": ["release/[2-9].[d3]", "feature/[w]-[d3]", "hotfix-[d4]", "[w]-[d3]"],
    "bucket": ["s3://[w]-[w]-[d3]", "gs://[w]-archive-[d3]", "[w]-backups-[d3]"],
    "cmd": ["make check-[w][d3]", "npm run [w]:[d3]", "./scripts/[w]_[d3].sh", "cargo xtask [w]-[d3]"],
    "code": ["E[d4]", "ERR_[W]_[d3]", "[400-599]-[d3]", "0x[x4]"],
    "column": ["[w]_[w]_[d2]", "[w]_rate_[d2]", "[w]Count[d2]"],
    "company": ["Nordlicht [d3] GmbH", "[W] Holdings [d3]", "Blue [d3] Ltd", "[W]-[d3]"],
    "contract": ["CT-[d6]", "[d4]/[d4]-K", "RF[d8]"],
    "datefmt": ["YYYY/MM/DD", "DD.MM.YY", "YYYYDDD", "MM-YYYY"],
    "dir": ["src/[w]/[w][d2]/", "packages/[w]-[d3]", "vendor/[w][d3]/", "lib/[w]/v[d2]/", "/srv/[w]/[d4]"],
    "doi": ["10.[d4]/[w].[d6]", "10.[d4]/s[d8]"],
    "editor": ["Helix", "Kakoune", "Zed", "Vim", "Emacs", "Lapce"],
    "email": ["[w].[w][d2]@example.org", "ops+[d4]@example.com", "[w][d3]@mail.example"],
    "env": ["[W]_TOKEN_[d2]", "[W]_[W]_URL_[d2]", "APP_[W]_[d3]"],
    "flag": ["enable-[w]-[d3]", "[w]_v[d2]_rollout", "ff.[w].[d3]"],
    "flight": ["TP [d4]", "LH[d4]", "KL [d4]"],
    "host": ["[w][d2].internal", "db-[w]-[d2].example.net", "[w]-prod-[d3]", "node[d3].[w].lan"],
    "image": ["registry.example/[w]/[w]:[2-9].[d2].[d2]", "ghcr.example/[w]@sha256:[x16]"],
    "invoice": ["INV-[d6]", "RE[d4]-[d4]", "20[27-29]/[d5]"],
    "ip": ["10.[20-250].[d2].[d2]", "192.168.[20-250].[d2]", "172.[16-31].[d2].[d2]"],
    "key": ["[w].[w].limit_[d2]", "[w]/[w]_key_[d2]", "[w]_threshold_[d2]", "[w].timeout_ms_[d2]"],
    "library": ["[w]lib", "py[w]", "[w]-rs", "lib[w]", "[w].js", "[w]kit"],
    "metric": ["[w]_latency_p[d2]", "[w] churn index [d2]", "[w]_score_[d2]", "[w]_error_ratio_[d2]"],
    "money": ["$[2-97],[d3]", "€[d3].[d2]", "[d4] EUR", "£[d4]", "USD [d5]"],
    "n": ["[d3]", "[d4]", "[2-97],[d3]", "[d5]"],
    "order": ["#[d6]", "ORD-[d5]", "[d3]-[d7]-[d7]", "A[d8]"],
    "path": ["src/[w]/[w]_[d3].py", "docs/[w]-[d3].md", "/etc/[w]/[w][d2].toml", "app/[w]/[w][d3].tsx",
             "C:\\data\\[w]\\[w]_[d3].csv", "~/[w]/[w][d3].ipynb", "internal/[w]/[w]_[d3].go"],
    "pct": ["[2-97] %", "[2-97]%", "[2-97].[d1]%"],
    "phone": ["+44 20 7946 0[d3]", "555-0[d3]", "+86 138 0013 [d4]"],
    "port": ["[1025-64999]"],
    "product": ["[W] Pro [d2]", "Model [d3]-X", "[W] Lite [d2]", "Kettle [d4]"],
    "queue": ["[w]-jobs-[d2]", "q.[w].[d3]", "[w]_dlq_[d2]"],
    "region": ["eu-north-[d2]", "ap-[w]-[d2]", "westeurope[d2]", "us-gov-[d2]"],
    "seat": ["[10-39]A", "[10-39]C", "[10-39]F"],
    "serial": ["SN-[x8]", "[W][d6]", "Z[d3]-[d4]-[x4]"],
    "service": ["[w]-api-[d2]", "[w]d[d2]", "svc-[w]-[d2]", "[w]-worker-[d2]"],
    "sha": ["[x7]", "[x10]"],
    "sha256": ["[x64]"],
    "small": ["[2-97]"],
    "symbol": ["[w]_[w]_[d2]()", "[w].flush_[d2]", "[w]Factory[d2]", "parse_[w]_[d2]"],
    "table": ["[w]_[w]_[d2]", "fact_[w]_[d3]", "dw.[w]_[d3]"],
    "testname": ["test_[w]_[w]_[d2]", "test_[w]_[d3]", "Test[w]Case[d2]"],
    "ticket": ["OPS-[d4]", "[W]-[d3]", "JIRA-[d5]", "#[d4]"],
    "url": ["https://[w].example.com/v[2-9]/[w]-[d3]", "http://[w][d2].internal:[d4]/[w]",
            "https://example.org/[w]/[d5]?t=[d3]"],
    "uuid": ["[x8]-[x4]-4[x3]-a[x3]-[x12]"],
    "vat": ["PT[d9]", "DE[d9]", "NL[d9]B01"],
    "version": ["[2-9].[d2].[d2]", "v[10-40].[2-9].[d2]", "[2-9].[d2].0-rc[d2]"],
    "year": ["[1971-2019]"],
}  # fmt: skip
