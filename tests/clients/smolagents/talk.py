"""An agent of smolagents', which goes on with the same memory for each question."""

import project
from smolagents import OpenAIServerModel, ToolCallingAgent, tool


@tool
def read_file(path: str) -> str:
    """Return a file of the project.

    Args:
        path: where it is
    """
    return project.read_file(path)


if __name__ == "__main__":
    agent = ToolCallingAgent(tools=[read_file], model=OpenAIServerModel(project.MODEL), verbosity_level=0)
    for question in project.questions():
        print(agent.run(question, reset=False), flush=True)
