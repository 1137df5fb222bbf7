"""Answers of a given shape, over what was said before and the file that it is about."""

import instructor
import project
from openai import OpenAI
from pydantic import BaseModel


class Answer(BaseModel):
    """What is known."""

    text: str


if __name__ == "__main__":
    client = instructor.from_openai(OpenAI())
    messages = [{"role": "system", "content": project.SYSTEM}]
    for number, question in enumerate(project.questions()):
        file = project.read_file(f"src/module_{number}.py")
        messages.append({"role": "user", "content": f"{question}\n{file}"})
        answer = client.chat.completions.create(model=project.MODEL, messages=messages, response_model=Answer)
        messages.append({"role": "assistant", "content": answer.text})
        print(answer.text, flush=True)
