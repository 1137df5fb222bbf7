"""An agent of Pydantic AI's, given its own messages back for each question."""

import project
from pydantic_ai import Agent

if __name__ == "__main__":
    agent = Agent(f"openai-chat:{project.MODEL}", instructions=project.SYSTEM, tools=[project.read_file])
    history = []
    for question in project.questions():
        result = agent.run_sync(question, message_history=history)
        history = result.all_messages()
        print(result.output, flush=True)
