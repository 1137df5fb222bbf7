"""What answers in the Messages dialect say."""

from __future__ import annotations

import pytest

from gateway.wire.anthropic_answer import is_delta, usage
from gateway.wire.base import Usage

CACHE = b'"cache_read_input_tokens":20,"cache_creation_input_tokens":3'
SPENT = b'"usage":{"input_tokens":5,%s,"output_tokens":1}' % CACHE


@pytest.mark.parametrize("data", [b"{%s}" % SPENT, b'{"type":"message_start","message":{%s}}' % SPENT])
def test_input_includes_what_concerns_the_cache(data: bytes) -> None:
    """The vendor counts it apart; the whole prompt is the sum."""
    assert usage(data) == Usage(28, 1, 20, 3)


@pytest.mark.parametrize("data", [b"", b"{}", b'"usage"', b'{"usage":null}', b'{"usage":{}}', b'"usage"{'])
def test_what_says_nothing_is_nothing(data: bytes) -> None:
    """Whatever passes by, reading it never fails."""
    assert usage(data) is None


@pytest.mark.parametrize(
    ("data", "speaks"),
    [
        (b'{"type":"message_start"}', False),
        (b'{"type":"error","error":{"type":"overloaded_error"}}', False),
        (b'{"type":"content_block_start","content_block":{"type":"text","text":""}}', False),
        (b'{"type":"content_block_start","content_block":{"type":"tool_use"}}', True),
        (b'{"type":"message_stop"}', True),
        (b"not json", True),
    ],
)
def test_first_piece_is_known(data: bytes, speaks: bool) -> None:
    """Until then the request may still be refused."""
    assert is_delta(data) is speaks


@pytest.mark.parametrize(
    "data",
    [
        b'{"type":"message_delta","context_management":{"applied_edits":[{"type":"clear_tool_uses_20250919",'
        b'"cleared_tool_uses":8,"cleared_input_tokens":50000}]},"usage":{"input_tokens":9,"output_tokens":1}}',
        b'{"type":"message","usage":{"input_tokens":9,"output_tokens":1,"iterations":[{"type":"compaction",'
        b'"input_tokens":180000,"output_tokens":3500},{"type":"message","input_tokens":9}]}}',
    ],
)
def test_prompt_that_the_vendor_edited(data: bytes) -> None:
    """It is told where the vendor cleared or compacted what was sent: its count is of the rest."""
    assert usage(data) == Usage(9, 1, is_edited=True)


@pytest.mark.parametrize("edits", [b"null", b"{}", b'{"applied_edits":[]}', b'{"applied_edits":null}', b"1"])
def test_prompt_that_was_left_alone(edits: bytes) -> None:
    """That it might have been edited says nothing."""
    data = b'{"context_management":%s,"usage":{"input_tokens":9,"output_tokens":1,"iterations":[1]}}' % edits
    assert usage(data) == Usage(9, 1)
