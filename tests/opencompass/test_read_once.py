"""A run reads and imports what it needs: each notebook once, each file of traces once a stage, no client of an API."""

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


@pytest.mark.soak
def test_a_run_without_an_endpoint_imports_no_client_of_one(project):
    code = 'import sys; from cibench_eval.run.main import main; main(sys.argv[1:]); print({"openai"} & {*sys.modules})'
    command = [sys.executable, '-c', code, *SMALL, '-w', 'out', '--dry-run']
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=300)
    assert done.stdout.endswith('\nset()\n'), done.stderr
