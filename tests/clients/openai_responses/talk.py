"""An agent's loop with OpenAI's Python SDK over Responses: the whole conversation goes along each time."""

import json
from typing import Any

from openai import OpenAI
from project import DESCRIPTION, MODEL, PARAMETERS, SYSTEM, questions, read_file

TOOL = {"type": "function", "name": "read_file", "description": DESCRIPTION, "parameters": PARAMETERS}


def ask(client: OpenAI, items: list[Any]) -> str:
    """Return the model's answer."""
    while True:
        with client.responses.stream(
            model=MODEL, instructions=SYSTEM, input=items, tools=[TOOL], store=False
        ) as stream:
            response = stream.get_final_response()
        items += [item.to_dict() for item in response.output]
        calls = [item for item in response.output if item.type == "function_call"]
        if not calls:
            return response.output_text
        for call in calls:
            result = read_file(**json.loads(call.arguments))
            items.append({"type": "function_call_output", "call_id": call.call_id, "output": result})


if __name__ == "__main__":
    client = OpenAI()
    items: list[Any] = []
    for question in questions():
        items.append({"role": "user", "content": question})
        print(ask(client, items), flush=True)
