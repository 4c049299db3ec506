"""The glue imports little, and what it defers is still OpenCompass's own."""

import ast
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from cibench_eval.opencompass import arguments

HEAVY = ['torch', 'transformers', 'datasets', 'opencompass.models', 'opencompass.datasets', 'opencompass.openicl']


def python(code):
    return subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, timeout=300)


def test_main_path_imports_nothing_heavy():
    done = python(
        'import sys\n'
        'from cibench_eval.opencompass import main, partitioner, runner, tasks, summarizer, dataset\n'
        f'print([name for name in {HEAVY!r} if name in sys.modules])'
    )
    assert done.stdout.strip() == '[]', done.stdout + done.stderr


def test_a_run_that_names_no_class_of_opencompass_imports_nothing_heavy(tmp_path):
    done = python(
        'import sys\n'
        'from cibench_eval.opencompass.main import main\n'
        f"main(['configs/eval_demo.py', '--dry-run', '-w', {str(tmp_path)!r}])\n"
        f'print([name for name in {HEAVY!r} if name in sys.modules])'
    )
    assert 'infer: ' in done.stdout and done.stdout.splitlines()[-1] == '[]', done.stdout + done.stderr


def test_classes_are_opencompass_classes():
    done = python(
        'from cibench_eval.opencompass import SessionInferTask, SessionPartitioner, SessionRunner\n'
        'print(*(c.__mro__[k].__module__ for c, k in ((SessionInferTask, 2), (SessionPartitioner, 1), '
        '(SessionRunner, 1))))'
    )
    assert done.stdout.split() == [
        'opencompass.tasks.base',
        'opencompass.partitioners.naive',
        'opencompass.runners.base',
    ], done.stderr


@pytest.mark.soak
def test_deferred_packages_still_have_their_names():
    done = python(
        'from cibench_eval.opencompass import SessionRunner\n'
        'import sys\nfrom opencompass.runners import LocalRunner, SlurmRunner\n'
        'from opencompass.tasks import OpenICLInferTask\n'
        'from opencompass.registry import RUNNERS\n'
        "print(RUNNERS.get('LocalRunner') is LocalRunner, issubclass(LocalRunner, SessionRunner.__bases__[0]))"
    )
    assert done.stdout.strip() == 'True True', done.stderr


def test_every_flag_of_opencompass_is_taken():
    """Read off the source of the installed program: its flags are ours or delegated to it."""
    root = Path(importlib.util.find_spec('opencompass').submodule_search_locations[0])
    tree = ast.parse((root / 'cli' / 'main.py').read_text())
    calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and getattr(n.func, 'attr', '') == 'add_argument']
    flags = {word for call in calls for word in (getattr(arg, 'value', '') for arg in call.args) if word[:1] == '-'}
    ours = {flag for action in arguments.parser()._actions for flag in action.option_strings}
    assert len(flags) > 40
    assert flags - ours - set(arguments.DELEGATED) == set()
