"""An agent of LangChain's, given its own messages back for each question."""

import project
from langchain.agents import create_agent
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI

read_file = tool(project.read_file)

if __name__ == "__main__":
    agent = create_agent(ChatOpenAI(model=project.MODEL), [read_file], system_prompt=project.SYSTEM)
    state = {"messages": []}
    for question in project.questions():
        state = agent.invoke({"messages": [*state["messages"], {"role": "user", "content": question}]})
        print(state["messages"][-1].content, flush=True)
