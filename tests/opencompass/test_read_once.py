"""`-r` with nothing to do opens each notebook once, and each file of traces once a stage."""

import json
import subprocess
import sys
from collections import Counter

import pytest

from tests.support.runs import SMALL

pytestmark = pytest.mark.kernel
COUNTED = """
import collections, json, os, sys
opened = collections.Counter()
def count(event, args):
    if event == 'open' and str(args[0]).endswith(('.ipynb', '.traces.jsonl')):
        opened[os.path.abspath(args[0])] += 1
sys.addaudithook(count)
from cibench_eval.run.main import main
code = main(sys.argv[1:])
json.dump(opened, open('opened.json', 'w'))
sys.exit(code)
"""


def test_nothing_is_read_twice(project, here):
    assert here(*SMALL, '--epochs', '2').returncode == 0
    command = [sys.executable, '-c', COUNTED, *SMALL, '--epochs', '2', '-w', 'out', '-r']
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    opened = json.loads((project / 'opened.json').read_text())
    notebooks = Counter({path: times for path, times in opened.items() if path.endswith('.ipynb')})
    traces = {path: times for path, times in opened.items() if path.endswith('.traces.jsonl')}
    assert {*notebooks.values()} == {1}, notebooks
    assert len(traces) == 4 and {*traces.values()} == {2}, traces
