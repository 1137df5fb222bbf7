"""What the clients' scripts share: the files of a project that is not there, and what is asked about it.

It lies beside each script while that runs, in an environment that has nothing of ours.
"""

import os
from collections.abc import Iterator

SYSTEM = "You maintain an order service. Amounts are integers in cents. Never touch migrations."
MODEL = "local-model"
PARAMETERS = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
DESCRIPTION = "Return a file of the project."


def questions() -> Iterator[str]:
    """Yield what is asked, one after the other."""
    for number in range(int(os.environ["QUESTIONS"])):
        yield f"Question {number}: what does src/module_{number}.py do?"


def read_file(path: str) -> str:
    """Return a file of the project."""
    return "\n".join(f"{path} line {number}: value={number * 37 % 101}" for number in range(40))
