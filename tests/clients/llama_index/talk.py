"""An agent of LlamaIndex's, streaming, with one context for the whole conversation."""

import asyncio

import project
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.tools import FunctionTool
from llama_index.core.workflow import Context
from llama_index.llms.openai import OpenAI

# It refuses model names it has no window for, so this is one it knows; the upstream's window is smaller.
MODEL = "gpt-4o"


async def talk() -> None:
    """Ask everything."""
    tool = FunctionTool.from_defaults(project.read_file)
    agent = FunctionAgent(tools=[tool], llm=OpenAI(model=MODEL), system_prompt=project.SYSTEM)
    context, memory = Context(agent), ChatMemoryBuffer.from_defaults(token_limit=1_000_000)
    for question in project.questions():
        print(await agent.run(question, ctx=context, memory=memory), flush=True)


if __name__ == "__main__":
    asyncio.run(talk())
