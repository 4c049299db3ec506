"""Runs that stop in the middle: a model whose answers wait, and `run.py` in processes of its own."""

import json
import re
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.support.chat_server import chat_server
from tests.support.notebooks import add_endpoint, config_folder, small_set, solve
from tests.support.runs import change, command

NAMES = tuple('abcdefgh')
"""Experiments of the set that the model knows, of two steps each."""
QUESTION = re.compile(r'(Set n to 20|Print n plus 1.5) in (\w)\.')


class HeldModel:
    """An endpoint that solves every step, and can be told to let second steps wait."""

    def __init__(self) -> None:
        self.url = ''
        self.asked: list[tuple[str, str]] = []
        self.open = threading.Event()
        self.open.set()
        self.held: set[str] = set()
        self.enough = threading.Condition()

    def answer(self, messages: Any) -> str:
        question, name = QUESTION.findall(str(messages))[-1]
        with self.enough:
            self.asked.append((name, question))
            if question.startswith('Print') and not self.open.is_set():
                self.held.add(name)
                self.enough.notify_all()
        if question.startswith('Print'):
            self.open.wait(600)
        return solve([{'content': question}])

    def wait_for(self, sessions: int) -> None:
        """Wait until so many sessions have done their first step and wait in the second."""
        with self.enough:
            assert self.enough.wait_for(lambda: len(self.held) >= sessions, 600)


@contextmanager
def held_model() -> Iterator[HeldModel]:
    """Serve the model; waiting answers are released at the end."""
    made = HeldModel()
    with chat_server(made.answer) as server:
        made.url = server.base_url
        yield made
        made.open.set()


def eight_sessions(project: Path, model: HeldModel) -> Path:
    """The configs of a project of eight end-to-end sessions of the model, of two steps each."""
    configs = config_folder(project, small_set(project / 'data', NAMES))
    change(configs / 'datasets/small.py', ", ('small_oracle', 'oracle'))", ',)')
    add_endpoint(configs, 'mine', model.url)
    return configs


@contextmanager
def started(project: Path, before: Sequence[str] = ()) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Give a function that starts `run.py` with arguments; remaining processes are killed at the end.

    Args:
        project: its folder.
        before: words before the command.
    """
    processes: list[subprocess.Popen[str]] = []

    def begin(*words: str) -> subprocess.Popen[str]:
        options: dict[str, Any] = {'stdout': subprocess.PIPE, 'stderr': subprocess.PIPE, 'text': True, 'cwd': project}
        processes.append(subprocess.Popen([*before, *command(project, *words)], **options))
        return processes[-1]

    yield begin
    for process in processes:
        with suppress(ProcessLookupError):
            process.kill()
        process.communicate()


def finish(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Wait for a run; returns its exit code and its output."""
    said, errors = process.communicate(timeout=600)
    return process.returncode, said + errors


def scores(folder: Path) -> dict[str, Any]:
    results = json.loads((folder / 'results/mine/small.json').read_text())
    return {key: value for key, value in results.items() if key not in ('usage', 'provenance', 'seal')}


def predictions(folder: Path) -> str:
    return (folder / 'predictions/mine/small.json').read_text().replace(str(folder), 'RUN')
