"""Which windows are known, under all the names providers give a model, and what model lists say."""

from __future__ import annotations

from typing import Any

import pytest

from gateway.core.windows import bare, from_listing, known


@pytest.mark.parametrize(
    ("model", "window"),
    [
        ("gpt-4o", 128_000),
        ("gpt-4o-mini-2024-07-18", 128_000),
        ("gpt-4.1-nano", 1_047_576),
        ("gpt-4", 8_192),
        ("gpt-4-0613", 8_192),
        ("gpt-4-32k-0613", 32_768),
        ("gpt-4-turbo-2024-04-09", 128_000),
        ("gpt-3.5-turbo", 16_385),
        ("gpt-5-mini", 272_000),
        ("gpt-5-chat-latest", 128_000),
        ("o3-mini", 200_000),
        ("o1-preview", 128_000),
        ("openai/gpt-oss-120b", 131_072),
        ("claude-3-5-haiku-latest", 200_000),
        ("claude-sonnet-4-5-20250929", 200_000),
        ("gemini-2.5-flash", 1_048_576),
        ("gemini-2.5-flash-image", 32_768),
        ("meta-llama/Llama-3.3-70B-Instruct", 131_072),
        ("Meta-Llama-3-8B-Instruct", 8_192),
        ("Qwen/Qwen3-32B", 40_960),
        ("Qwen/Qwen3-30B-A3B-Instruct-2507", 262_144),
        ("deepseek-chat", 131_072),
        ("grok-4-0709", 256_000),
    ],
)
def test_public_models_are_known(model: str, window: int) -> None:
    """The window of a model whose vendor documents it needs no setting."""
    assert known(model) == window


@pytest.mark.parametrize(
    "model", ["my-alias", "", "gpt-6", "gpt-5.9", "claude-opus-9", "llama3.1:8b", "x" * 9_999]
)
def test_unknown_models_are_not_guessed(model: str) -> None:
    """An alias, a future model or a locally served one has no window until somebody states it."""
    assert known(model) is None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("openai/gpt-4o", "gpt-4o"),
        ("openrouter/openai/gpt-4o:free", "gpt-4o"),
        ("models/gemini-2.5-pro", "gemini-2.5-pro"),
        ("accounts/fireworks/models/llama-v3p1-8b-instruct", "llama-v3p1-8b-instruct"),
        ("anthropic.claude-3-haiku-20240307-v1:0", "claude-3-haiku-20240307"),
        ("eu.anthropic.claude-3-haiku-20240307-v1:0", "claude-3-haiku-20240307"),
        ("ft:gpt-4o-mini-2024-07-18:acme::abc", "gpt-4o-mini-2024-07-18"),
        (" GPT-4o ", "gpt-4o"),
        ("llama3.1:8b", "llama3.1:8b"),
    ],
)
def test_what_providers_add_is_taken_off(name: str, expected: str) -> None:
    """Prefixes, routes and revisions of a provider do not hide which model it is."""
    assert bare(name) == expected


@pytest.mark.parametrize(
    ("entry", "window"),
    [
        ({"max_model_len": 32_768}, 32_768),
        ({"context_length": 131_072, "top_provider": {"context_length": 65_536}}, 65_536),
        ({"context_length": 131_072, "top_provider": {"context_length": None}}, 131_072),
        ({"context_length": 131_072, "top_provider": "x"}, 131_072),
        ({"context_window": 8_192, "max_tokens": 2_048}, 8_192),
        ({"max_context_length": 131_072, "loaded_context_length": 4_096}, 4_096),
        ({"meta": {"n_ctx_train": 131_072, "n_ctx": 8_192}}, 8_192),
        ({"context_window": 400_000, "max_input_tokens": 272_000}, 272_000),
        ({"inputTokenLimit": 1_048_576, "outputTokenLimit": 8_192}, 1_048_576),
        ({"capabilities": {"limits": {"max_prompt_tokens": 64_000}}}, 64_000),
        ({"context_length": "32768"}, 32_768),
        ({"context_length": 32_768.0}, 32_768),
    ],
)
def test_model_lists_are_read(entry: dict[str, Any], window: int) -> None:
    """What an upstream says about its model is found, and the smallest limit binds."""
    assert from_listing(entry) == window


@pytest.mark.parametrize(
    "value",
    [None, True, 0, -1, 3, 1_023, 20_000_001, "many", "٣٢٧٦٨", "9" * 5_000, float("nan"), [8_192], {}],
)
def test_numbers_that_are_no_window_are_ignored(value: Any) -> None:
    """A port, a flag or a word in the place of a window is not taken for one."""
    assert from_listing({"context_length": value}) is None


def test_the_training_context_is_not_the_window() -> None:
    """What a model was trained on says nothing about how it is served."""
    assert from_listing({"meta": {"n_ctx_train": 131_072}}) is None
