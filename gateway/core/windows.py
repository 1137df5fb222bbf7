"""Context windows: the shipped table by model name, and what an upstream's model list says.

Both are only the last sources (policy and learned windows come first), and both may say None: an unknown
window means that nothing is compacted until the upstream itself names a limit.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any

SMALLEST = 1_024
LARGEST = 20_000_000
"""A window outside of these is a misread number: a port, an error code, a cache's block count."""

_MAX_NAME = 200
"""Characters of a model name that are looked at; the client chooses the name."""

# First match wins. A row is added for what the vendor documents, never for a guess. Where input has a limit
# of its own below the window (GPT-5: 272,000 of 400,000) the row has that; where a header widens the window
# (Claude Sonnet 4), what holds without; where it depends on who serves the model, what its configuration file
# says without extension (Qwen: without YaRN). Left out on purpose: families whose window differs by plan or
# date, and `name:8b` as Ollama writes it, whose window is the server's setting.
_WINDOWS: tuple[tuple[str, int], ...] = (
    # OpenAI
    ("gpt-5-chat*", 128_000),
    ("gpt-5.[12]-chat*", 128_000),
    ("gpt-5", 272_000),
    ("gpt-5-*", 272_000),
    ("gpt-5.[12]", 272_000),
    ("gpt-5.[12]-*", 272_000),
    ("gpt-4.1*", 1_047_576),
    ("gpt-4.5-preview*", 128_000),
    ("gpt-4o*", 128_000),
    ("chatgpt-4o-*", 128_000),
    ("gpt-4-turbo*", 128_000),
    ("gpt-4-1106-*", 128_000),
    ("gpt-4-0125-*", 128_000),
    ("gpt-4-vision-*", 128_000),
    ("gpt-4-32k*", 32_768),
    ("gpt-4", 8_192),
    ("gpt-4-0[36]1[34]", 8_192),
    ("gpt-3.5-turbo-instruct*", 4_096),
    ("gpt-3.5-turbo*", 16_385),
    ("gpt-35-turbo-16k*", 16_384),
    ("o1-mini*", 128_000),
    ("o1-preview*", 128_000),
    ("o1", 200_000),
    ("o1-*", 200_000),
    ("o3", 200_000),
    ("o3-*", 200_000),
    ("o4-mini*", 200_000),
    ("codex-mini*", 200_000),
    ("gpt-oss-*", 131_072),
    # Anthropic
    ("claude-instant-1*", 100_000),
    ("claude-2.1*", 200_000),
    ("claude-2*", 100_000),
    ("claude-3-*", 200_000),
    ("claude-3.[57]-*", 200_000),
    ("claude-opus-4-[015]*", 200_000),
    ("claude-opus-4-2025*", 200_000),
    ("claude-opus-4", 200_000),
    ("claude-opus-4.[15]*", 200_000),
    ("claude-sonnet-4-[05]*", 200_000),
    ("claude-sonnet-4-2025*", 200_000),
    ("claude-sonnet-4", 200_000),
    ("claude-sonnet-4.5*", 200_000),
    ("claude-haiku-4[-.]5*", 200_000),
    # Google
    ("gemini-1.5-pro*", 2_097_152),
    ("gemini-1.5-flash*", 1_048_576),
    ("gemini-2.0-flash*", 1_048_576),
    ("gemini-2.5-flash-image*", 32_768),
    ("gemini-2.5-*-tts*", 8_192),
    ("gemini-2.5-pro*", 1_048_576),
    ("gemini-2.5-flash*", 1_048_576),
    ("gemma-2-*", 8_192),
    ("gemma-3-1b*", 32_768),
    ("gemma-3-270m*", 32_768),
    ("gemma-3n-*", 32_768),
    ("gemma-3-*", 131_072),
    # Mistral
    ("mistral-large-2407*", 131_072),
    ("mistral-large-2411*", 131_072),
    ("mistral-medium-250[58]*", 131_072),
    ("mistral-small-250[36]*", 131_072),
    ("mistral-small-3.[12]-*", 131_072),
    ("open-mistral-nemo*", 131_072),
    ("mistral-nemo*", 131_072),
    ("open-mistral-7b*", 32_768),
    ("mistral-7b-instruct-v0.[23]*", 32_768),
    ("*mixtral-8x7b*", 32_768),
    ("*mixtral-8x22b*", 65_536),
    ("pixtral-*", 131_072),
    ("ministral-?b-2410*", 131_072),
    ("codestral-2405*", 32_768),
    ("codestral-250[18]*", 262_144),
    # DeepSeek
    ("deepseek-chat", 131_072),
    ("deepseek-reasoner", 131_072),
    ("deepseek-v3.[12]*", 131_072),
    # Qwen
    ("qwen3-*-2507*", 262_144),
    ("qwen3-coder-*b-*", 262_144),
    ("qwen3-next-80b-*", 262_144),
    ("qwen3-*b", 40_960),
    ("qwen2.5-*b-instruct", 32_768),
    ("qwen2-*b-instruct", 32_768),
    # Meta
    ("*llama-3.[123]-*", 131_072),
    ("*llama-v3p[123]-*", 131_072),
    ("*llama-3-*b-instruct", 8_192),
    ("*llama-2-*b-chat*", 4_096),
    # xAI
    ("grok-2-vision*", 32_768),
    ("grok-2*", 131_072),
    ("grok-3*", 131_072),
    ("grok-4-fast*", 2_000_000),
    ("grok-4-1-fast*", 2_000_000),
    ("grok-4.1-fast*", 2_000_000),
    ("grok-4", 256_000),
    ("grok-4-0709", 256_000),
    ("grok-code-fast-1*", 256_000),
    # Moonshot
    ("moonshot-v1-8k*", 8_192),
    ("moonshot-v1-32k*", 32_768),
    ("moonshot-v1-128k*", 131_072),
    ("kimi-k2-0711*", 131_072),
    ("kimi-k2-0905*", 262_144),
    ("kimi-k2-instruct-0905*", 262_144),
    ("kimi-k2-thinking*", 262_144),
    # Zhipu
    ("glm-4.5v*", 65_536),
    ("glm-4.5*", 131_072),
    ("glm-4.[67]", 200_000),
    # Cohere
    ("command-a-03-2025*", 256_000),
    ("command-r*", 128_000),
    # Others
    ("nova-micro*", 128_000),
    ("nova-lite*", 300_000),
    ("nova-pro*", 300_000),
    ("jamba-1.[567]*", 256_000),
    ("phi-3*-mini-4k-*", 4_096),
    ("phi-3*-128k-*", 131_072),
    ("phi-4", 16_384),
    ("sonar-pro", 200_000),
    ("sonar", 127_072),
)

# A fine-tuned model (`ft:gpt-4o-mini:org::id`) has the window of its base.
_FINE_TUNED = re.compile(r"^ft:([^:]+):")
# A route that a provider appends; the model is the same.
_ROUTE = re.compile(r":(free|beta|nitro|floor|online|thinking|exacto|extended|batch)$")
# Bedrock: `us.anthropic.claude-3-haiku-20240307-v1:0`, `meta.llama3-8b-instruct-v1:0`.
_BEDROCK = re.compile(r"^(?:[a-z-]+\.)?(?:anthropic|amazon|cohere|mistral|meta|ai21|deepseek|qwen|openai)\.")
_REVISION = re.compile(r"(?:-v\d+)?:\d+$")


def bare(model: str) -> str:
    """Return the name of a model without what providers put before and after it.

    >>> bare("openrouter/openai/GPT-4o:free"), bare("us.anthropic.claude-3-haiku-20240307-v1:0")
    ('gpt-4o', 'claude-3-haiku-20240307')
    """
    name = model[-_MAX_NAME:].strip().lower().rpartition("/")[2]
    if tuned := _FINE_TUNED.match(name):
        return tuned[1]
    return _REVISION.sub("", _BEDROCK.sub("", _ROUTE.sub("", name)))


@lru_cache(maxsize=1024)
def known(model: str) -> int | None:
    """Return the window of a model whose vendor documents it, in tokens.

    >>> known("openai/gpt-4o-2024-08-06"), known("my-alias")
    (128000, None)
    """
    name = bare(model)
    return next((window for glob, window in _WINDOWS if fnmatchcase(name, glob)), None)


# Where model lists say it. Input limits count too: what is smallest binds. Never the training context
# (llama.cpp's `meta.n_ctx_train`), which is not what is served, nor `max_tokens`, which bounds the output.
_PLACES: tuple[tuple[str, ...], ...] = (
    ("max_model_len",),  # vLLM, SGLang
    ("context_length",),  # OpenRouter, Together, Fireworks
    ("top_provider", "context_length"),  # OpenRouter
    ("context_window",),  # Groq, Vercel
    ("max_context_length",),  # Mistral, LM Studio
    ("loaded_context_length",),  # LM Studio: the one in effect
    ("n_ctx",),
    ("meta", "n_ctx"),  # llama.cpp
    ("context_size",),  # Novita
    ("max_input_tokens",),  # LiteLLM, Anthropic
    ("model_info", "max_input_tokens"),  # LiteLLM
    ("inputTokenLimit",),  # Gemini
    ("limits", "max_input_tokens"),  # GitHub Models
    ("capabilities", "limits", "max_context_window_tokens"),  # GitHub Copilot
    ("capabilities", "limits", "max_prompt_tokens"),
)


def from_listing(entry: Mapping[str, Any]) -> int | None:
    """Return the smallest plausible window that an entry of an upstream's model list states.

    >>> from_listing({"id": "m", "context_length": 131072, "top_provider": {"context_length": 32768}})
    32768
    """
    numbers = (_at(entry, place) for place in _PLACES)
    return min((number for number in numbers if plausible(number)), default=None)


def plausible(window: int) -> bool:
    """Return whether *window* can be the size of a context window."""
    return SMALLEST <= window <= LARGEST


def _at(entry: Any, place: tuple[str, ...]) -> int:
    """Return the whole number at that place; 0 if there is none."""
    for key in place:
        entry = entry.get(key) if isinstance(entry, Mapping) else None
    if isinstance(entry, str) and entry.isascii() and entry.isdigit() and len(entry) < 12:
        return int(entry)
    if isinstance(entry, float) and entry.is_integer():
        return int(entry)
    return entry if isinstance(entry, int) and not isinstance(entry, bool) else 0
