"""`-r` with nothing to do opens each notebook once, and each file of traces once a stage."""

import json
import subprocess
import sys

import pytest

from tests.support.notebooks import REPO
from tests.support.runs import SMALL

pytestmark = pytest.mark.kernel


def test_nothing_is_read_twice(project, here):
    words = (*SMALL, '--epochs', '2')
    assert here(*words).returncode == 0
    command = [sys.executable, str(REPO / 'benchmarks/opened.py'), *words, '-w', 'out', '-r']
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    opened = json.loads(done.stdout.splitlines()[-1])['opened']
    notebooks = {path: times for path, times in opened.items() if path.endswith('.ipynb')}
    traces = {path: times for path, times in opened.items() if path not in notebooks}
    assert {*notebooks.values()} == {1}, notebooks
    assert len(traces) == 4 and {*traces.values()} == {2}, traces
