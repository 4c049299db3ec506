"""One script of replies through every door: do all give the scores of `run.py`, step by step?

    python benchmarks/doors.py [--environment DIR]

The replies are right, wrong, failing at every attempt, and right at the second one. They go through `run.py`, Inspect,
verifiers, the environment server with OpenEnv's client, TRL's trainer over it, AgentCompass, and the verifier of a task
of Harbor's. The packages of the others stand with `cibench-core` in one environment (CPython 3.12, numpy 2), the
verifier has that of its image. DIR keeps both for the next time. Exit code 1 if a score is another one.
"""

import argparse
import contextlib
import io
import itertools
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

REPO = Path(__file__).parents[1]
sys.path.insert(0, str(REPO))

from cibench_eval import cli  # noqa: E402
from cibench_eval.datasets import load_experiments  # noqa: E402
from cibench_eval.evaluators.metrics import METRICS  # noqa: E402
from cibench_eval.reports.layout import Cell, Table  # noqa: E402
from cibench_eval.reports.sessions import values_of  # noqa: E402
from cibench_eval.schema import StepScore  # noqa: E402
from tests.support.chat_server import chat_server  # noqa: E402
from tests.support.env_server import TOKEN, env_server  # noqa: E402
from tests.support.integrations import (  # noqa: E402
    answering,
    new_python,
    scores_by_run_py,
    told,
    verified,
    verifier_python,
    wrong,
)
from tests.support.notebooks import EXAMPLES  # noqa: E402
from tests.support.pythons import python_of  # noqa: E402

ONLY = ['pandas/penguins', 'scipy/oscillation', 'matplotlib/electricity']
PACKAGES = {
    'Inspect': 'inspect-ai==0.3.285',
    'verifiers': 'verifiers==0.4.0',
    'OpenEnv': 'openenv-core==0.3.0',
    'TRL': 'trl==1.16.0',
    'AgentCompass': 'agentcompass==1.0.1',
}
NAMES = ('numpy', 'inspect_ai', 'verifiers', 'openenv', 'trl', 'agentcompass', 'cibench_eval')
FAILS = '1 / 0'
Scores = dict[tuple[str, int], dict[str, Any]]
"""Experiment and step -> the score of the step, as JSON."""


class Script:
    """The code of each reply, by experiment and step, and the endpoint that gives these replies."""

    def __init__(self) -> None:
        self.steps = {one.id: one.steps for one in load_experiments(EXAMPLES, include=ONLY)}
        self.codes = {
            name: [[wrong(step.code, step.index, failed) for failed in range(3)] for step in steps]
            for name, steps in self.steps.items()
        }
        self.answer = answering(ONLY, wrong)

    def said(self, name: str) -> list[list[str]]:
        """What is said at each step: until code runs, three times at most."""
        return [
            codes[: 1 + next((n for n, code in enumerate(codes) if code != FAILS), 2)] for codes in self.codes[name]
        ]


def by_place(scores: Any) -> Scores:
    listed = list(scores)
    found = {(one['experiment'], one['index']): one for one in listed}
    if len(found) != len(listed):
        raise SystemExit('a step has several scores')
    return found


def run_py(script: Script, python: Path, folder: Path) -> Scores:
    with chat_server(script.answer) as server, contextlib.redirect_stdout(io.StringIO()):
        found = scores_by_run_py(folder, server.base_url, ONLY)['end_to_end']
    return by_place(one.model_dump(mode='json') for one in found)


def inspect(script: Script, python: Path, folder: Path) -> Scores:
    jobs = {name: [name, [*itertools.chain(*script.said(name))], {}] for name in ONLY}
    (folder / 'jobs.json').write_text(json.dumps(jobs))
    logs = told(python, program('inspect'), 'tasks', EXAMPLES, folder / 'jobs.json', folder / 'logs')
    return by_place(step for log in logs.values() for step in log['samples'][0]['steps'])


def verifiers(script: Script, python: Path, folder: Path) -> Scores:
    with chat_server(script.answer) as server:
        jobs = {
            name: [server.base_url, {'path': str(EXAMPLES), 'only': name, 'protocol': 'react'}, {}, 1, 1]
            for name in ONLY
        }
        rollouts = told(python, program('verifiers'), json.dumps(jobs))
    return by_place(step['score'] for (one,) in rollouts.values() for step in one['info']['steps'])


def env(script: Script, python: Path, folder: Path) -> Scores:
    with env_server('--max-sessions', '1', '--wait', '0') as server:
        found = told(python, program('openenv'), server.url, TOKEN, json.dumps(script.codes))
    return by_place(score for one in found['played'] for score in one['state']['scores'])


def agentcompass(script: Script, python: Path, folder: Path) -> Scores:
    job = {'path': str(EXAMPLES), 'only': ONLY, 'protocol': 'react'}
    with chat_server(script.answer) as server:
        (found,), _ = told(python, program('agentcompass'), folder, json.dumps([[server.base_url, job]]))
    return by_place(step for one in found['attempts'] for step in one['meta']['benchmark']['steps'])


def harbor(script: Script, python: Path, folder: Path) -> Scores:
    """The last code at each step is the file of its answer; the verifier has the packages of its image."""
    words = ['data', 'export', str(EXAMPLES), '--to', 'harbor', '--out', str(folder / 'tasks')]
    with contextlib.redirect_stdout(io.StringIO()):
        if cli.main(words):
            raise SystemExit('no tasks')
    tasks = {name: folder / 'tasks' / name.replace('/', '-') for name in ONLY}
    image = python.parents[2] / 'verifier'
    own = image / 'venv/bin/python'
    if not own.exists():
        own = verifier_python(image, tasks[ONLY[0]])
    found = []
    for name, task in tasks.items():
        answers = folder / task.name
        answers.mkdir()
        for number, codes in enumerate(script.said(name), 1):
            (answers / f'step_{number:02}.py').write_text(codes[-1])
        _, _, scores = verified(task, answers, folder / f'{task.name}-logs', own)
        found += scores
    return by_place(found)


def trl(script: Script, python: Path, ours: Scores) -> Iterator[tuple[float, float]]:
    """The reward of a rollout of each notebook by TRL's trainer, and the share of right steps by `run.py`."""
    for name, steps in script.steps.items():
        replies = {step.question.strip(): codes for step, codes in zip(steps, script.codes[name], strict=True)}
        with env_server('--max-sessions', '2', '--wait', '0') as server:
            found = told(python, program('trl'), server.url, TOKEN, name, json.dumps(replies), 0)
        own = [score for (experiment, _), score in ours.items() if experiment == name and score['decided']]
        right = [score['outcome'] == 'correct' for score in own]
        yield found['log']['reward'], sum(right) / len(right)


def program(name: str) -> Path:
    return REPO / f'tests/integrations/{name}_program.py'


DOORS: dict[str, Callable[[Script, Path, Path], Scores]] = {
    '`run.py`': run_py,
    'Inspect': inspect,
    'verifiers': verifiers,
    'environment server, OpenEnv': env,
    'AgentCompass': agentcompass,
    'Harbor’s verifier': harbor,
}


def line(door: str, scores: Scores, ours: Scores) -> list[Cell]:
    """A line of the table: the scores of a door, and how many of them are those of `run.py`."""
    steps = [StepScore.model_validate(one) for one in scores.values()]
    ends = [sum(one.outcome in kinds for one in steps) for kinds in (['correct'], ['wrong'], ['exec_error'])]
    values = values_of(steps)
    places = scores.keys() | ours.keys()
    same = sum(scores.get(place) == ours.get(place) for place in places)
    means = [f'{100 * values[one.name]:.2f}' for one in METRICS if one.name in values]
    return [Cell(text) for text in (door, *map(str, ends), *means, f'{same} of {len(places)}')]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--environment', type=Path, help='folder that keeps the environments')
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        return shown(Path(name), (arguments.environment or Path(name) / 'environment').absolute())


def shown(folder: Path, environment: Path) -> int:
    """Play the script through all doors and print the table."""
    python = environment / 'venv/bin/python'
    if not python.exists():
        core = f'{REPO / "distributions/core"}[env,verifiers]'
        new_python(environment / 'venv', core, 'torch==2.13.0', *PACKAGES.values(), base=python_of('3.12'))
    imports = f'import {", ".join(NAMES)}; print("numpy", numpy.__version__)'
    print(subprocess.check_output([python, '-P', '-c', imports], text=True, cwd='/').strip(), file=sys.stderr)
    script, lines, ours = Script(), [], Scores()
    for door, play in DOORS.items():
        started = time.monotonic()
        own = folder / play.__name__
        own.mkdir()
        scores = play(script, python, own)
        ours = ours or scores
        lines.append(line(door, scores, ours))
        print(f'{door}: {time.monotonic() - started:.0f} s', file=sys.stderr)
    rewards = list(trl(script, python, ours))
    same = sum(abs(reward - right) < 1e-6 for reward, right in rewards)
    blank = [Cell('')] * (len(lines[0]) - 2)
    lines.append([Cell('TRL, rewards'), *blank, Cell(f'{same} of {len(rewards)}')])
    shorts = [one.short for one in METRICS if any(one.name in score['values'] for score in ours.values())]
    table = Table('The same replies', ['Door', 'Right', 'Wrong', 'Error', *shorts, 'Same'], lines)
    print('\n'.join(table.markdown()[2:]))
    return int(any(last.text.split()[0] != last.text.split()[-1] for *_, last in lines))


if __name__ == '__main__':
    sys.exit(main())
