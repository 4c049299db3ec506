"""Command lines of `run.py` on the small set, and what is made once for all tests."""

import contextlib
import fcntl
import io
import json
import logging
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from cibench_eval import cli
from cibench_eval.run.main import main
from tests.support.notebooks import REPO

SMALL = ('--models', 'gold_replay', '--datasets', 'small')
MINE = ('--models', 'mine', '--datasets', 'small')


def command(project: Path, *words: str) -> list[str]:
    """The command of a run that goes into the project's `out`."""
    return [sys.executable, str(REPO / 'run.py'), *words, '-w', str(project / 'out')]


def run(project: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """A run in a process of its own, with further environment variables."""
    environment = {**os.environ, **variables}
    return subprocess.run(
        command(project, *words), capture_output=True, text=True, cwd=project, timeout=300, env=environment
    )


def run_here(project: Path, *words: str, out: str = 'out') -> Path:
    """The folder of a run in this process, which has to end well, by the project's configs."""
    assert main([*words, '--config-dir', str(project / 'configs'), '-w', str(project / out)]) == 0
    return run_folder(project, out)


def in_process(start: Callable[[], int]) -> SimpleNamespace:
    """What a command says that is started here, which takes no time; lines of the log stand in standard error."""
    out, err = io.StringIO(), io.StringIO()
    handler = logging.StreamHandler(err)
    logging.getLogger().addHandler(handler)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = start()
    finally:
        logging.getLogger().removeHandler(handler)
    return SimpleNamespace(returncode=code, stdout=out.getvalue(), stderr=err.getvalue())


def cibench(*words: object) -> SimpleNamespace:
    """What a command line says, in this process."""
    return in_process(lambda: cli.main([*map(str, words)]))


def score(*words: object) -> SimpleNamespace:
    """What `cibench score` says, in this process."""
    return cibench('score', *words)


def run_folder(project: Path, out: str = 'out') -> Path:
    """The folder of the project's one run."""
    (folder,) = (project / out).iterdir()
    return folder


def results(run: Path, dataset: str = 'small', model: str = 'mine') -> dict[str, Any]:
    """The scores of a dataset of a run."""
    return dict(json.loads((run / f'results/{model}/{dataset}.json').read_text()))


def outcome(run: Path, model: str = 'mine', datasets: Iterable[str] = ('small',)) -> list[dict[str, Any]]:
    """The predictions and the scores of datasets of a run, without what is of its time and its place."""
    files = [run / f'{kind}/{model}/{name}.json' for name in datasets for kind in ('predictions', 'results')]
    found = [json.loads(file.read_text().replace(str(run), 'RUN')) for file in files]
    return [{key: value for key, value in one.items() if key not in ('usage', 'provenance', 'seal')} for one in found]


def made_once(near: Path, name: str, make: Callable[[Path], object]) -> Path:
    """A folder that is made by whom asks first of all processes of the tests; nobody may change it.

    Args:
        near: a temporary folder of the test that asks.
    """
    shared = next((one for one in near.parents if re.fullmatch(r'pytest-\d+', one.name)), near) / name
    shared.mkdir(exist_ok=True)
    made = shared / 'project'
    with (shared / 'lock').open('w') as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (shared / 'whole').exists():
            shutil.rmtree(made, ignore_errors=True)
            made.mkdir()
            make(made)
            (shared / 'whole').touch()
    return made


def one_line(done: Any, *words: str) -> None:
    """The run refused: exit code 2, one line that has all `words`, nothing written."""
    lines = done.stderr.strip().splitlines()
    assert (done.returncode, len(lines)) == (2, 1), done.stderr
    for word in words:
        assert word in lines[0]


def change(path: Path, old: str, new: str) -> None:
    """Put a text in the place of another one, which has to be there."""
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
