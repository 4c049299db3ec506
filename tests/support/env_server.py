"""Environment servers in processes of their own, and a client that speaks their protocol."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psutil
from websockets.sync.client import connect

from cibench_eval.schema import Experiment, StepScore
from tests.support.notebooks import EXAMPLES, REPO

TOKEN = 'secret-1'


@dataclass(frozen=True)
class Server:
    """A running `cibench env`."""

    process: subprocess.Popen[str]
    url: str


@contextmanager
def env_server(*words: str, notebooks: object = EXAMPLES) -> Iterator[Server]:
    """A server while the block runs; it is killed if it has not ended by then."""
    command = [sys.executable, '-m', 'cibench_eval.cli', 'env', str(notebooks), '--sandbox', 'auto', '--token', 'TOKEN']
    variables = {**os.environ, 'TOKEN': TOKEN}
    with subprocess.Popen([*command, *words], cwd=REPO, env=variables, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            said = []
            for line in process.stderr:
                said.append(line)
                if line.startswith('environment server: '):
                    yield Server(process, line.split()[-1])
                    return
            raise AssertionError(''.join(said))
        finally:
            process.terminate()
            try:
                process.wait(60)
            finally:
                process.kill()


class Client:
    """A client without any framework. Use it as a context manager."""

    def __init__(self, url: str, token: str = TOKEN) -> None:
        address = url.replace('http', 'ws', 1) + '/ws'
        self.socket = connect(address, additional_headers={'Authorization': f'Bearer {token}'}, proxy=None)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, kind: str, **data: Any) -> None:
        """Send a message without waiting for the answer."""
        self.socket.send(json.dumps({'type': kind, 'data': data}))

    def answer(self) -> dict[str, Any]:
        """The next answer: the data of an observation or a state, or the whole of an error."""
        found = json.loads(self.socket.recv())
        return found if found['type'] == 'error' else found['data']

    def ask(self, kind: str, **data: Any) -> dict[str, Any]:
        """Send a message and wait for the answer."""
        self.send(kind, **data)
        return self.answer()

    def play(self, experiment: Experiment, code_of: Any, as_text: str = '') -> list[dict[str, Any]]:
        """Answer a whole notebook with the code that `code_of` makes (`support.integrations`): every answer.

        Args:
            as_text: the form of a whole reply, with a place for its code; empty sends the code alone.
        """
        seen = [self.ask('reset', experiment=experiment.id)]
        while not seen[-1]['done']:
            due = seen[-1]['observation']
            failed = 3 - due['attempts_left']
            code = code_of(experiment.steps[due['step'] - 1].code, due['step'] - 1, failed)
            seen.append(self.ask('step', **({'text': as_text.format(code)} if as_text else {'code': code})))
        return seen


def scores_in(seen: list[dict[str, Any]]) -> list[StepScore]:
    """The scores of all observations of a session."""
    return [StepScore.model_validate(score) for one in seen for score in one['observation']['scores']]


def sleeper(number: int) -> str:
    """Code that starts a process which sleeps until its session ends; `sleeping` finds it."""
    return f"import subprocess; sleeper = subprocess.Popen(['sleep', '{number}'])\n"


def sleeping(number: int) -> list[psutil.Process]:
    """The processes that `sleeper(number)` has started and that are there."""
    return [one for one in psutil.process_iter(['cmdline']) if one.info['cmdline'] == ['sleep', str(number)]]
