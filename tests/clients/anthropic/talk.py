"""Anthropic's tool runner: it asks for a thread at the vendor, and falls back to the whole history."""

import project
from anthropic import Anthropic, beta_tool


@beta_tool
def read_file(path: str) -> str:
    """Return a file of the project.

    Args:
        path: where it is
    """
    return project.read_file(path)


if __name__ == "__main__":
    client = Anthropic()
    messages = []
    for question in project.questions():
        messages.append({"role": "user", "content": question})
        runner = client.beta.messages.tool_runner(
            model=project.MODEL,
            max_tokens=500,
            system=project.SYSTEM,
            messages=messages,
            tools=[read_file],
        )
        for message in runner:
            messages.append({"role": "assistant", "content": message.content})
            if results := runner.generate_tool_call_response():
                messages.append(results)
        print(message.content[-1].text, flush=True)
