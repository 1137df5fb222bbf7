"""An agent of Google's Agent Development Kit, in one session."""

import asyncio

import project
from google.adk.agents import Agent
from google.adk.models.lite_llm import LiteLlm
from google.adk.runners import InMemoryRunner
from google.genai import types


async def talk() -> None:
    """Ask all of it."""
    model = LiteLlm(f"openai/{project.MODEL}")
    agent = Agent(name="assistant", model=model, instruction=project.SYSTEM, tools=[project.read_file])
    runner = InMemoryRunner(agent, app_name="orders")
    session = await runner.session_service.create_session(app_name="orders", user_id="one")
    for question in project.questions():
        message = types.Content(role="user", parts=[types.Part(text=question)])
        async for event in runner.run_async(user_id="one", session_id=session.id, new_message=message):
            if event.is_final_response():
                print(event.content.parts[0].text, flush=True)


if __name__ == "__main__":
    asyncio.run(talk())
