"""An agent of Haystack's, given its own messages back for each question."""

import project
from haystack.components.agents import Agent
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.tools import Tool

if __name__ == "__main__":
    tool = Tool("read_file", project.DESCRIPTION, project.PARAMETERS, project.read_file)
    generator = OpenAIChatGenerator(model=project.MODEL)
    agent = Agent(chat_generator=generator, tools=[tool], system_prompt=project.SYSTEM)
    messages = []
    for question in project.questions():
        result = agent.run(messages=[*messages, ChatMessage.from_user(question)])
        messages = [message for message in result["messages"] if not message.is_from("system")]
        print(result["last_message"].text, flush=True)
