"""Requests for a summary of the conversation in them, told by how clients ask."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gateway.core.body import taken_apart
from gateway.web.summaries import asks_summary, members_beside
from gateway.wire.base import Request


def request(items: list[Any], key: str = "messages", **members: Any) -> Request:
    """Return a body with that list taken apart."""
    body = json.dumps({"model": "m", key: items, **members}).encode()
    found, slices = taken_apart(body, key)
    place = next(member for member in found if member.key == key)
    return Request(body, "m", False, tuple(slices), place.start, place.stop)


def user(content: Any) -> dict[str, Any]:
    """Return a user message."""
    return {"role": "user", "content": content}


TOOLS = [{"type": "function", "function": {"name": "look"}}]
HISTORY = [user("x"), {"role": "assistant", "content": "y"}]
TEXT_ONLY = (
    'CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.\n\n- Do NOT use Read, "Bash" or ANY other '
    "tool.\n- Tool calls will be REJECTED and will waste your only turn.\n\n"
)

# As the clients' own sources have them, cut after the part that tells.
PROMPTS = {
    "claude_code": "Your task is to create a detailed summary of the conversation so far, paying close",
    "claude_code_text_only": TEXT_ONLY
    + "Your task is to create a detailed summary of the conversation so far",
    "claude_code_recent": TEXT_ONLY
    + "Your task is to create a detailed summary of the RECENT portion of the "
    "conversation — the messages that follow earlier retained context.",
    "claude_code_up_to": "Your task is to create a detailed summary of this conversation. This summary will",
    "codex": "You are performing a CONTEXT CHECKPOINT COMPACTION. Create a handoff summary for another LLM",
    "opencode_before": "Provide a detailed prompt for continuing our conversation above. Focus on",
    "crush": "Provide a detailed but concise summary of our conversation above. Focus on information",
    "continue": "Please provide a concise summary of our conversation so far, capturing the key context,",
    "cline": "Summarize this session for continuation. Be concise and factual.\n\n## Goal\nOne sentence",
    "cline_extension": '<explicit_instructions type="summarize_task">\nThe current conversation is rapidly '
    "running out of context. Now, your urgent task is to create a comprehensive detailed summary",
    "roo_code": "Summarize the conversation so far, as described in the prompt instructions.",
    "goose": "## Summary Generation Instructions\n\nYour task is to generate a comprehensive summary of the "
    "conversation so far, with close attention to",
    "zed": "Generate a detailed summary of this conversation. Include:\n1. A brief overview",
    "qwen_code": "First, reason in your <analysis> block. Then, produce the <state_snapshot> XML.",
    "qwen_code_cached": "\nYou are the component that summarizes a conversation when its context window is "
    "about to overflow. The summary you produce will become",
    "gemini_cli": "First, reason in your scratchpad. Then, generate the <state_snapshot>.",
    "langchain": "<role>\nContext Extraction Assistant\n</role>\n\n<primary_objective>\nYour sole objective "
    "in this task is to extract the highest quality context. You should structure your summary",
    "langchain_memory": "Progressively summarize the lines of conversation provided, adding onto",
    "anthropic_runner": "You have been working on the task described above but have not yet completed it. "
    "Write a continuation summary that will allow you",
    "openhands": "You are maintaining a context-aware state summary for an interactive agent.",
    "deep_agent": "Let's create a summary of the entire conversation up to this point.",
}


@pytest.mark.parametrize("client", PROMPTS)
def test_prompts_of_clients_are_told(client: str) -> None:
    """Behind the history, as string or as the last part, with tools or without."""
    prompt = PROMPTS[client]
    marked = {"type": "text", "text": prompt, "cache_control": {"type": "ephemeral"}}
    reminder = {"type": "text", "text": "<system-reminder>Today is Monday.</system-reminder>"}

    for last in (user(prompt), user([marked]), user([reminder, marked]), user("\n\n" + prompt)):
        assert asks_summary(request([*HISTORY, last], tools=TOOLS))
    assert asks_summary(request([*HISTORY, user([{"type": "input_text", "text": prompt}])], "input"))
    behind = {"role": "system", "content": "Today is Monday."}
    assert asks_summary(request([*HISTORY, user(prompt), behind], tools=TOOLS))


@pytest.mark.parametrize("client", PROMPTS)
def test_prompt_that_is_quoted_or_read_asks_nothing(client: str) -> None:
    """The words in the middle of a text, in what a tool returned, or in an earlier message are only words."""
    prompt = PROMPTS[client]
    for last in (
        user(f"What does {prompt!r} do?"),
        user([{"type": "tool_result", "tool_use_id": "t", "content": prompt}]),
        user([{"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": prompt}]}]),
        {"role": "tool", "tool_call_id": "c", "content": prompt},
        {"type": "function_call_output", "call_id": "c", "output": prompt},
        {"role": "assistant", "content": prompt},
    ):
        assert not asks_summary(request([*HISTORY, last]))
    assert not asks_summary(request([user(prompt), *HISTORY, user("x")]))


LONG = "[User]: Look at the log.\n" * 2000


@pytest.mark.parametrize(
    "text",
    [
        # pi: a first summary, an update of it, the beginning of a turn
        f"<conversation>\n{LONG}</conversation>\n\nThe messages above are a conversation to summarize.",
        f"<conversation>\n{LONG}</conversation>\n\n<previous-summary>\nx\n</previous-summary>\n\nThe "
        "messages above are NEW conversation messages to incorporate into the existing summary",
        f"<conversation>\n{LONG}</conversation>\n\nThis is the PREFIX of a turn that was too large to keep. "
        "Summarize the prefix",
        # opencode
        f"Here is the conversation so far:\n\n<conversation>\n{LONG}</conversation>\n\nCreate a new anchored "
        "summary from the conversation history in the <conversation> tags above",
    ],
)
def test_conversation_as_text_with_the_request_behind_it_is_told(text: str) -> None:
    """Some clients put the whole history into one message, and what is to be done with it at its end."""
    assert asks_summary(request([{"role": "system", "content": "You help."}, user(text)]))
    assert asks_summary(request([user([{"type": "input_text", "text": text}])], "input"))


def test_conversation_as_text_alone_asks_nothing() -> None:
    """Who shows a conversation may want anything of it; far from the end a word is part of what is shown."""
    text = f"<conversation>\nA summary, please.\n{LONG}</conversation>\n\nWhich of the two is right?"

    assert not asks_summary(request([*HISTORY, user(text)]))


PI = "You are a context summarization assistant. Your task is to read a conversation between a user and an AI"
AIDER = "*Briefly* summarize this partial conversation about programming.\nInclude less detail about older"
GEMINI = (
    "You are a specialized system component responsible for distilling chat history into a structured XML"
)


@pytest.mark.parametrize("system", [PI, AIDER, GEMINI])
def test_system_message_may_ask_for_it(system: str) -> None:
    """One message, no tools, and a model that is for nothing else."""
    last = user("# USER\nLook at the log.\n# ASSISTANT\nIt fails.")

    assert asks_summary(request([{"role": "system", "content": system}, last]))
    assert asks_summary(request([{"role": "developer", "content": [{"type": "text", "text": system}]}, last]))
    assert asks_summary(request([last], system=[{"type": "text", "text": system}]))
    assert asks_summary(request([last], "input", instructions=system, tools=[]))


def test_assistant_with_tools_or_a_history_is_none() -> None:
    """An assistant that can also summarise is told so in its system message, and has more to do."""
    last, system = user("Hi!"), {"role": "system", "content": AIDER}

    assert not asks_summary(request([system, last], tools=TOOLS))
    assert not asks_summary(request([system, last, {"role": "assistant", "content": "y"}, last]))
    assert not asks_summary(request([last], system="You help. " * 60 + AIDER))
    assert not asks_summary(request([user(AIDER.replace("conversation", "paper")), last]))


@pytest.mark.parametrize(
    "text",
    [
        "Summarize this file for me.",
        "Please write a summary of the attached report.",
        "Your task is to create a detailed summary of the paper below.",
        "Create a table of the session variables and a summary for each.",
        "Provide a summary. Then look at the conversation module.",
        "Write a function that summarizes text.",
        "Update the summary in README.md",
        "Who asked for the conversation history to be summarised?",
        "<messages>\nmsgid hello\n</messages>\n\nTranslate these.",
        "",
    ],
)
def test_everyday_requests_ask_nothing_of_the_kind(text: str) -> None:
    """A summary of anything but the conversation is work like any other."""
    assert not asks_summary(request([{"role": "system", "content": "You help."}, user(text)]))
    assert not asks_summary(request([*HISTORY, user(text)]))


@pytest.mark.parametrize("last", [{"role": "user"}, user(None), user([1, {"type": "image_url"}]), 3, None])
def test_messages_without_a_text_ask_nothing(last: Any) -> None:
    """Whatever a client sends, it is read or left alone."""
    assert not asks_summary(request([*HISTORY, last]))
    assert not asks_summary(request([last], summary="summary"))
    assert not asks_summary(request([]))


def test_what_cannot_be_read_asks_nothing() -> None:
    """A message that is no JSON is the upstream's to judge."""
    broken = Request(b'{"messages":[{summary]}', "m", False, (b"{summary",), 12, 22)

    assert not asks_summary(broken)


def test_members_beside_the_list_are_found() -> None:
    """The list is left out, however long; without one, all that there is."""
    assert members_beside(request([user("x")], n=1)) == {"model": b'"m"', "messages": b"[]", "n": b"1"}
    assert members_beside(Request(b'{"a": 1}', "", False, (), 0, 0)) == {"a": b"1"}
