"""An assistant of AutoGen's, which keeps the conversation in a context of its own."""

import asyncio

import project
from autogen_agentchat.agents import AssistantAgent
from autogen_core.models import ModelInfo
from autogen_ext.models.openai import OpenAIChatCompletionClient

# Of models it does not know it must be told.
INFO = ModelInfo(
    vision=False, function_calling=True, json_output=True, structured_output=True, family="unknown"
)


async def talk() -> None:
    """Ask all of it."""
    model = OpenAIChatCompletionClient(model=project.MODEL, model_info=INFO)
    agent = AssistantAgent(
        "assistant",
        model,
        tools=[project.read_file],
        system_message=project.SYSTEM,
        max_tool_iterations=4,
        reflect_on_tool_use=True,
    )
    for question in project.questions():
        result = await agent.run(task=question)
        print(result.messages[-1].content, flush=True)


if __name__ == "__main__":
    asyncio.run(talk())
