"""Environments with the packages of other frameworks, and the scores of our own runs on the same replies."""

import json
import os
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cibench_eval.analysis.results import Results
from cibench_eval.datasets import load_experiments
from cibench_eval.schema import StepScore
from cibench_eval.uv_install import install
from tests.support.chat_server import chat_server
from tests.support.notebooks import ENDPOINT, EXAMPLES, REPO, add_examples, config_folder
from tests.support.pythons import python_of
from tests.support.runs import made_once, run_here

CALL = 'Thought: I compute it.\nAction: IPythonInterpreter\nAction Input:\n```python\n{}\n```'
ONLY = ['pandas/penguins', 'scipy/oscillation']
WRONG, RIGHT = ONLY
"""What is played by frameworks and by `run.py`; and where the model is wrong, and where right."""


def new_python(folder: Path, *arguments: str, base: object = sys.executable) -> Path:
    """The Python of a new environment, into which uv has installed `arguments`."""
    subprocess.run([sys.executable, '-m', 'uv', 'venv', '-q', '--python', str(base), folder], check=True)
    python = folder / 'bin/python'
    command, environment = install(['-q', '--python', str(python), *arguments])
    subprocess.run(command, env=environment, check=True)
    return python


def core(near: Path, extra: str = '') -> str:
    """What uv installs to have the core of this tree, with an extra: a wheel, built once, and by an absolute path."""

    def build(folder: Path) -> None:
        words = [sys.executable, '-m', 'uv', 'build', '-q', '--wheel', '-o', folder, REPO / 'distributions/core']
        subprocess.run(words, env=install([])[1], check=True)

    (wheel,) = made_once(near, 'core', build).glob('*.whl')
    return f'cibench-core{f"[{extra}]" if extra else ""} @ {wheel.as_uri()}'


def python_with(folder: Path, *arguments: str) -> Path:
    """The Python of a new environment, which also finds the packages of this one, after its own."""
    python = new_python(folder, *arguments)
    (site,) = folder.glob('lib/python*/site-packages')
    (site / 'zz_behind.pth').write_text(f'{REPO}\n{sysconfig.get_paths()["purelib"]}\n')
    return python


HARBOR = 'harbor==0.26.0'


def harbor_python(near: Path) -> Path:
    """The Python of an environment with Harbor, which all processes of the tests share."""
    base = python_of('3.12')
    return made_once(near, 'harbor', lambda folder: new_python(folder / 'venv', HARBOR, base=base)) / 'venv/bin/python'


def trl_python(near: Path) -> Path:
    """The Python of an environment with TRL, OpenEnv and the core, which all processes of the tests share."""
    packages = ['trl==1.16.0', 'torch==2.13.0', 'openenv-core==0.3.0', core(near, 'env')]
    return made_once(near, 'trl', lambda folder: new_python(folder / 'venv', *packages)) / 'venv/bin/python'


def told(python: Path, program: Path, *words: object) -> Any:
    """The JSON in the last line that a program prints."""
    done = subprocess.run([python, '-P', program, *map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


def verified(
    task: Path, answers: Path, logs: Path, python: object = sys.executable, *, path: object = '', under: Any = ()
) -> list[Any]:
    """How the script of a task of Harbor ended, then the reward and the scores that it has written.

    Args:
        path: PATH of the script; empty: the PATH of the tests.
        under: a command that runs it.
    """
    variables = {'CIBENCH_PYTHON': str(python), 'CIBENCH_ANSWERS': str(answers), 'CIBENCH_LOGS': str(logs)}
    variables |= {'PATH': str(path)} if path else {}
    command = [*under, task / 'tests/test.sh']
    done = subprocess.run(command, env=os.environ | variables, capture_output=True, text=True, cwd=task)
    found = [json.loads(path.read_text()) for name in ('reward', 'scores') if (path := logs / f'{name}.json').exists()]
    return [done, *found]


def solved(task: Path, answers: Path) -> Path:
    """The answers of a task's own solution."""
    subprocess.run([task / 'solution/solve.sh'], env=os.environ | {'CIBENCH_ANSWERS': str(answers)}, check=True)
    return answers


def verifier_python(folder: Path, task: Path) -> Path:
    """The Python of an environment with nothing but the packages and the archive of the verifier's image of a task."""
    python = new_python(folder / 'venv', '-r', str(task / 'tests/requirements.txt'))
    with zipfile.ZipFile(task / 'tests/cibench_eval.zip') as archive:
        archive.extractall(folder / 'package')
    (site,) = (folder / 'venv').glob('lib/python*/site-packages')
    (site / 'cibench.pth').write_text(f'{folder}/package\n')
    words = [python, '-m', 'cibench_eval.cli', 'kernel', 'list']
    subprocess.run(words, check=True, cwd=folder, capture_output=True)
    return python


def gold(code: str, index: int, failed: int) -> str:
    return code


def wrong(code: str, index: int, failed: int) -> str:
    """The second step fails three times, the third shows too much, the fourth is right at the second attempt."""
    if index == 1 or (index == 3 and not failed):
        return '1 / 0'
    return f'print(-1)\n{code}' if index == 2 else code


def answering(
    only: list[str], made_of: Callable[[str, int, int], str], right: tuple[str, ...] = (), reply: str = CALL
) -> Callable[[list[dict[str, Any]]], str]:
    """An endpoint that answers the last question with a `reply` around what is made of its gold code, its index and how
    often an error was seen since; in the experiments `right`, with the gold code."""
    experiments = load_experiments(EXAMPLES, include=only)
    steps = [step for one in experiments for step in one.steps]
    golds = [step for one in experiments if one.id in right for step in one.steps]

    def answer(messages: list[dict[str, Any]]) -> str:
        said = '\n'.join(str(message['content']) for message in messages)
        step = max(steps, key=lambda one: said.rfind(one.question))
        make = gold if step in golds else made_of
        return reply.format(make(step.code, step.index, said[said.rfind(step.question) :].count('Error')))

    return answer


@dataclass(frozen=True)
class Played:
    """What a whole run came to, whose model is `wrong` in one experiment, and right in the other."""

    scores: dict[str, list[StepScore]]
    """Mode -> the score of each step."""
    asked: list[list[dict[str, Any]]]
    """The messages of its requests."""

    def of(self, experiment: str) -> list[StepScore]:
        return [score for score in self.scores['end_to_end'] if score.experiment == experiment]


def by_run_py(near: Path) -> Played:
    """That run, which all processes of the tests share."""

    def play(folder: Path) -> None:
        with chat_server(answering(ONLY, wrong, (RIGHT,))) as server:
            scores_by_run_py(folder, server.base_url, ONLY)
        asked = [request['messages'] for request in server.requests]
        (folder / 'asked.json').write_text(json.dumps(asked))

    made = made_once(near, 'by_run_py', play)
    return Played(_results_in(made), json.loads((made / 'asked.json').read_text()))


def scores_by_run_py(
    folder: Path, url: str, only: list[str], *, model: str = '', agent: str = 'react'
) -> dict[str, list[StepScore]]:
    """Mode -> the score of each step by a whole run over an endpoint, or with the model of a config file."""
    configs = config_folder(folder, folder)
    add_examples(configs, only, ('end_to_end', 'oracle'))
    (configs / 'models' / 'mine.py').write_text(model or ENDPOINT.format(name='mine', url=url))
    run_here(folder, '--models', 'mine', '--datasets', 'examples', '--agents', agent)
    return _results_in(folder)


def _results_in(folder: Path) -> dict[str, list[StepScore]]:
    """Mode -> the score of each step of the run in a folder."""
    (results,) = folder.glob('out/*/results/mine')
    return {mode: Results.read(results / f'{mode}.json').steps for mode in ('end_to_end', 'oracle')}
