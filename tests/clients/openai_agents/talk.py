"""An agent of OpenAI's Agents SDK, given its own items back for each question."""

import project

from agents import Agent, Runner, function_tool

if __name__ == "__main__":
    tool = function_tool(project.read_file)
    agent = Agent("assistant", instructions=project.SYSTEM, model=project.MODEL, tools=[tool])
    items = []
    for question in project.questions():
        result = Runner.run_sync(agent, [*items, {"role": "user", "content": question}])
        items = result.to_input_list()
        print(result.final_output, flush=True)
