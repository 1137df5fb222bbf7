"""An agent of Strands', without its own window of forty messages: see the README on such windows."""

import project
from strands import Agent, tool
from strands.agent.conversation_manager import NullConversationManager
from strands.models.openai import OpenAIModel

if __name__ == "__main__":
    agent = Agent(
        model=OpenAIModel(model_id=project.MODEL),
        tools=[tool(project.read_file)],
        system_prompt=project.SYSTEM,
        conversation_manager=NullConversationManager(),
        callback_handler=None,
    )
    for question in project.questions():
        print(agent(question), flush=True)
