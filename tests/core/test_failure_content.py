"""What a provider refuses for its content is told from what it refuses for other reasons."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gateway.core.failure_content import is_content

FAILURES = Path(__file__).parent.parent / "failures"
RECORDED = [row for path in sorted(FAILURES.glob("*.json")) for row in json.loads(path.read_text())]


def error(message: str, code: str | None = None) -> bytes:
    """Return an error's body."""
    return json.dumps({"error": {"message": message, "code": code}}).encode()


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (451, b""),
        (400, error("no", "content_policy_violation")),
        (400, error("no", "DataInspectionFailed")),
        (400, error("no", "InputTextSensitiveContentDetected")),
        (400, error("Content Exists Risk", "invalid_request_error")),
        (400, error("Output blocked by content filtering policy")),
        (403, error("This model requires moderation. Your input was flagged for violence.")),
        (400, error("Invalid prompt: your prompt was flagged as potentially violating our usage policy")),
        (400, b'{"error": {"innererror": {"code": "ResponsibleAIPolicyViolation"}}}'),
        (400, error("系统检测到输入或生成内容可能包含不安全或敏感内容")),
    ],
)
def test_refusal_of_content_is_seen(status: int, body: bytes) -> None:
    """Every provider has its own word for it."""
    assert is_content(status, body)


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (401, error("no", "content_filter")),
        (429, error("slow down: content filter is busy")),
        (403, error("Your account was flagged for violating our usage policy.")),
        (403, error("You have no access to this model.", "model_not_found")),
        (400, error("Unsupported parameter: 'max_tokens'.", "unsupported_parameter")),
        (400, b'{"error": {"message": "bad", "input": "was flagged: content policy"}}'),
        (400, b""),
    ],
)
def test_other_refusal_is_none(status: int, body: bytes) -> None:
    """One about a key, an account, a model or a parameter is not about what was said, whatever it quotes."""
    assert not is_content(status, body)


def test_recorded_failures_of_other_kinds_are_none() -> None:
    """Of all recorded answers only those are taken for it that speak of a policy for content."""
    found = {row["id"] for row in RECORDED if is_content(row["status"], row.get("body", "").encode())}
    overflows = {row["id"] for row in RECORDED if row["means"]["failure"] == "Overflow"}

    assert "azure-content-filter" in found
    assert not found & overflows
