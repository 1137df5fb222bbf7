"""Errors that are not written in UTF-8 are read all the same."""

from __future__ import annotations

import codecs
import json

import pytest

from gateway.core import failures
from gateway.core.failure_encoding import text_of
from gateway.core.failures import Overflow

ENGLISH = '{"error": {"message": "prompt is too long: 9000 tokens > 8192 maximum"}}'
CHINESE = '{"error": {"message": "输入长度超过模型最大上下文长度 8192"}}'


@pytest.mark.parametrize("coding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("text", [ENGLISH, CHINESE])
def test_unicode_is_known_by_its_bytes(coding: str, text: str) -> None:
    """Whoever writes Unicode need not say which."""
    assert isinstance(failures.read(400, text.encode(coding)), Overflow)


@pytest.mark.parametrize("coding", ["gbk", "gb18030"])
def test_chinese_is_known_by_its_bytes(coding: str) -> None:
    """Old Chinese encodings are recognised where nobody names them."""
    assert failures.read(400, CHINESE.encode(coding)) == Overflow(limit=8192)


@pytest.mark.parametrize(
    "coding", ["gbk", "big5", "utf-16-le", "GB2312", "iso-8859-1", "shift_jis", "koi8-r"]
)
def test_header_names_the_encoding(coding: str) -> None:
    """What `content-type` says is believed, if it can be so."""
    text = {"iso-8859-1": "dépasse", "shift_jis": "長すぎ", "koi8-r": "слишком"}.get(coding, "上下文")

    assert text_of(text.encode(coding), f'application/json; charset="{coding}"') == text


@pytest.mark.parametrize("name", ["idna", "unicode_escape", "zlib", "rot13", "utf-99", "utf-8-x", ""])
def test_other_names_are_not_asked(name: str) -> None:
    """A header that names what is no encoding of text changes nothing."""
    assert text_of(b"a \\u0041", f"text/plain; charset={name}") == "a \\u0041"


def test_wrong_name_does_no_harm() -> None:
    """A header that names another encoding than was used is passed over where it cannot be true."""
    assert text_of("上下文".encode(), "text/plain; charset=big5-hkscs") == "上下文"
    assert text_of("é".encode("latin-1"), "text/plain; charset=utf-8") == "\ufffd"


@pytest.mark.parametrize(
    "body", [b"", b"\x00", b"\xff\xfe", b"\xff\xfea", codecs.BOM_UTF32_LE, b"\xff" * 99, b"{\x00}\x00\x00"]
)
def test_no_bytes_make_it_raise(body: bytes) -> None:
    """What cannot be read is marked, whatever it is."""
    assert isinstance(text_of(body), str)


def test_text_that_was_cut_is_utf8_still() -> None:
    """A body that ends within a letter loses that letter and no other."""
    body = json.dumps({"message": "上下文"}, ensure_ascii=False).encode()[:-3]

    assert text_of(body) == '{"message": "上下\ufffd'
