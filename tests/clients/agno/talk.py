"""An agent of Agno's, which keeps the session by itself."""

import project
from agno.agent import Agent
from agno.db.in_memory import InMemoryDb
from agno.models.openai import OpenAIChat

if __name__ == "__main__":
    agent = Agent(
        model=OpenAIChat(id=project.MODEL),
        tools=[project.read_file],
        instructions=project.SYSTEM,
        db=InMemoryDb(),
        add_history_to_context=True,
        num_history_runs=1000,
        telemetry=False,
    )
    for question in project.questions():
        print(agent.run(question, session_id="one").content, flush=True)
