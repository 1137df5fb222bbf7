"""A conversation of the llm library's, which runs the tools by itself."""

import llm
import project

# One of the models it knows; the upstream's window is smaller.
MODEL = "gpt-4o-mini"

if __name__ == "__main__":
    conversation = llm.get_model(MODEL).conversation(tools=[project.read_file])
    for question in project.questions():
        print(conversation.chain(question, system=project.SYSTEM).text(), flush=True)
