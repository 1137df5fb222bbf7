"""An agent of Semantic Kernel's in one thread, with many calls in each turn."""

import asyncio

import project
from semantic_kernel.agents import ChatCompletionAgent
from semantic_kernel.connectors.ai import FunctionChoiceBehavior
from semantic_kernel.connectors.ai.open_ai import OpenAIChatCompletion
from semantic_kernel.functions import kernel_function


class Files:
    """A plugin with one function."""

    read_file = staticmethod(kernel_function(project.read_file, description=project.DESCRIPTION))


async def talk() -> None:
    """Ask all of it."""
    agent = ChatCompletionAgent(
        service=OpenAIChatCompletion(ai_model_id=project.MODEL),
        name="assistant",
        instructions=project.SYSTEM,
        plugins=[Files()],
        function_choice_behavior=FunctionChoiceBehavior.Auto(maximum_auto_invoke_attempts=50),
    )
    thread = None
    for question in project.questions():
        response = await agent.get_response(messages=question, thread=thread)
        thread = response.thread
        print(response, flush=True)


if __name__ == "__main__":
    asyncio.run(talk())
