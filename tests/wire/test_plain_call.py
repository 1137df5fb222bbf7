"""Which models are told to think little."""

from __future__ import annotations

import pytest

from gateway.wire.plain_call import switched_off, thinks


@pytest.mark.parametrize(
    ("model", "answer"),
    [
        ("gpt-5", True),
        ("openai/gpt-5.1-codex", True),
        ("gpt-5.1-chat-latest", False),
        ("o3-mini", True),
        ("o1-preview", False),
        ("gpt-oss-20b", True),
        ("gemini-2.5-flash", True),
        ("gemini-2.5-flash-preview-tts", False),
        ("gpt-4.1", False),
        ("claude-sonnet-4-5", False),
        ("qwen3-8b", False),
        ("", False),
    ],
)
def test_only_models_that_are_known_to_think_are_told_so(model: str, answer: bool) -> None:
    """A model whose vendor documents no such switch is sent none."""
    assert thinks(model) is answer


@pytest.mark.parametrize(
    ("model", "members"),
    [
        ("qwen3-8b", {"enable_thinking", "chat_template_kwargs"}),
        ("Qwen/Qwen3-235B-A22B", {"enable_thinking", "chat_template_kwargs"}),
        ("Qwen/Qwen3-235B-A22B-Instruct-2507", set()),
        ("qwen3-coder-30b-a3b", set()),
        ("glm-4.6", {"thinking", "chat_template_kwargs"}),
        ("glm-4-9b", set()),
        ("llama-3.1-8b", set()),
    ],
)
def test_thinking_is_switched_off_where_the_vendor_has_a_switch(model: str, members: set[str]) -> None:
    """A model that has no such switch, or never thinks, is sent none."""
    assert switched_off(model).keys() == members
