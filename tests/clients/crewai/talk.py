"""An agent of CrewAI's with one task: of earlier ones it is not given the calls."""

import project
from crewai import LLM, Agent
from crewai.tools import tool

if __name__ == "__main__":
    agent = Agent(
        role="maintainer",
        goal="Say what the modules do.",
        backstory=project.SYSTEM,
        llm=LLM(model=project.MODEL, provider="openai"),
        tools=[tool("read_file")(project.read_file)],
        max_iter=60,
    )
    for question in project.questions():
        print(agent.kickoff(question).raw, flush=True)
