"""The model of test_kill.py, and a server with it that the harness starts: python -m tests.support.killed_model PORT"""

import itertools
import os
import re
import signal
import sys
from typing import Any

from cibench_eval.models.servers import Served
from tests.support.chat_server import ChatServer

DEADLY = 'DEADLY_REQUEST'
"""Environment variable with the number of the request at which the server is killed."""
QUESTION = re.compile(r'Step (\d) of (\w):')
CODES = {
    (0, 0): 'n = 20',
    (1, 0): 'n += 1\nprint(undefined)',
    (1, 1): 'print(n)',
    (2, 0): 'import matplotlib.pyplot as plt\nplt.plot(range(n))\nplt.show()\nxs = sorted(range(200_000), key=str)[:n]',
    (3, 0): 'print(n + 1.5)',
}
"""The model's code at each (step, attempt). Its error at step 1 changes the state, as errors do."""


def answer(messages: list[dict[str, Any]]) -> str:
    """The reply to a conversation."""
    code = CODES[place_of(messages)[1:]]
    return f'Thought: so\nAction: IPythonInterpreter\nAction Input:\n```python\n{code}\n```'


def place_of(messages: list[dict[str, Any]]) -> tuple[str, int, int]:
    """(experiment, step, attempt) of the last question."""
    turn = max(index for index, message in enumerate(messages) if QUESTION.search(message['content']))
    step, name = QUESTION.findall(messages[turn]['content'])[-1]
    return name, int(step), sum(message['role'] == 'assistant' for message in messages[turn:])


class KilledModel(Served):
    """The server as a backend."""

    def command(self) -> list[str]:
        return [sys.executable, '-m', 'tests.support.killed_model', '{port}']


def main(port: int) -> None:
    deadly, numbers = int(os.environ.get(DEADLY, '0')), itertools.count(1)

    def answered(messages: Any) -> str:
        if next(numbers) == deadly:
            os.kill(os.getpid(), signal.SIGKILL)
        return answer(messages)

    ChatServer(answered, port).serve()


if __name__ == '__main__':
    main(int(sys.argv[1]))
