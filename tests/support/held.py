"""Runs that stop in the middle: a model whose answers wait, and `run.py` in processes of its own."""

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

    def hold(self, start: Callable[..., subprocess.Popen[str]], *words: str, sessions: int = 2) -> Any:
        """Start a run; so many of its sessions have done their first step, and wait in the second."""
        self.open.clear()
        running = start(*words)
        with self.enough:
            assert self.enough.wait_for(lambda: len(self.held) >= sessions, 600)
        return running

    @property
    def begun(self) -> list[str]:
        """The sessions whose first step was asked, each as often as it was."""
        return sorted(name for name, question in self.asked if question.startswith('Set'))


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


def finish(process: subprocess.Popen[str], code: int = 0) -> str:
    """Wait for a run, which has to end with this exit code; returns its output."""
    said = ''.join(process.communicate(timeout=600))
    assert process.returncode == code, said
    return said
