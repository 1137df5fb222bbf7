"""An agent's loop with OpenAI's Python SDK: ask, run the calls, go on until there is an answer."""

import json
from typing import Any

from openai import OpenAI
from project import DESCRIPTION, MODEL, PARAMETERS, SYSTEM, questions, read_file

FUNCTION = {"name": "read_file", "description": DESCRIPTION, "parameters": PARAMETERS}


def ask(client: OpenAI, messages: list[Any]) -> str:
    """Return the model's answer."""
    while True:
        answer = client.chat.completions.create(
            model=MODEL, messages=messages, tools=[{"type": "function", "function": FUNCTION}]
        )
        message = answer.choices[0].message
        messages.append(message)
        if not message.tool_calls:
            return message.content or ""
        for call in message.tool_calls:
            result = read_file(**json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})


if __name__ == "__main__":
    client = OpenAI()
    messages: list[Any] = [{"role": "system", "content": SYSTEM}]
    for question in questions():
        messages.append({"role": "user", "content": question})
        print(ask(client, messages), flush=True)
