"""An agent's loop with LiteLLM, streaming: chunks are put together by its own builder."""

import json
from typing import Any

import litellm
from project import DESCRIPTION, MODEL, PARAMETERS, SYSTEM, questions, read_file

FUNCTION = {"name": "read_file", "description": DESCRIPTION, "parameters": PARAMETERS}


def ask(messages: list[Any]) -> str:
    """Return the model's answer."""
    while True:
        stream = litellm.completion(
            model=f"openai/{MODEL}",
            messages=messages,
            tools=[{"type": "function", "function": FUNCTION}],
            stream=True,
        )
        message = litellm.stream_chunk_builder(list(stream), messages=messages).choices[0].message
        messages.append(message.model_dump())
        if not message.tool_calls:
            return message.content or ""
        for call in message.tool_calls:
            result = read_file(**json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})


if __name__ == "__main__":
    messages: list[Any] = [{"role": "system", "content": SYSTEM}]
    for question in questions():
        messages.append({"role": "user", "content": question})
        print(ask(messages), flush=True)
