"""kill -9 of the harness and of what it starts: a run ends as an undisturbed one does, and leaves nothing behind."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from tests.support.chat_server import chat_server
from tests.support.killed_model import CODES, DEADLY, answer, place_of
from tests.support.notebooks import REPO, add_endpoint, config_folder, notebook
from tests.support.runs import change, outcome, run_folder

pytestmark = [pytest.mark.kernel, pytest.mark.soak]

SEED = 7
AT_ONCE = 2
KILLED_AT = (1, 6, 5, 8)
"""The requests of a run and of those which go on with it at which the harness is killed: before there is anything, and
in both modes, however much of what was asked is lost each time."""
NOTEBOOKS = {'end_to_end': 'ab', 'oracle': 'cd'}
"""Enough requests that none of the runs which are to be killed ends before."""
EVERYTHING = {(name, step, n) for names in NOTEBOOKS.values() for name in names for step, n in CODES}
STEPS = (
    ('exec', 'set `n` to 20.', 'n = 20', ''),
    ('num', 'add one to `n` and print it.', 'n += 1\nprint(n)', '21\n'),
    ('exec', 'draw a line up to n, keep `xs`.', 'import matplotlib.pyplot as plt\nplt.plot(range(n))\nxs = 1', ''),
    ('num', 'print n plus 1.5.', 'print(n + 1.5)', '22.5\n'),
)
SERVED = """
from tests.support.killed_model import KilledModel

models = [dict(type=KilledModel, abbr='mine', path='any')]
"""
LATEST = 0.3
"""Seconds after a request in which a process is killed that is no harness: its block runs, is described, or is over."""


def lives(process):
    """Whether a process is no zombie, which is dead and waits for the machine's first process to notice."""
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


class Harness:
    """A project with a model behind a loopback endpoint, and the harness that asks it and is killed at it."""

    def __init__(self, folder):
        self.folder = folder
        self.asked = []
        """(experiment, step, attempt) of every request since the harness was started."""
        self.deadly = None
        """The number of the request at which the harness is killed."""
        self.victims = []
        self.hunted, self.moments = [], random.Random(SEED)
        """What is still killed while the harness goes on."""
        self.due = 0
        """The number of the request after which it is killed next: by then the last kill has been made good."""
        self._pids = []
        self._process = None
        self._lock = threading.Lock()

    def set_up(self, url):
        configs = config_folder(self.folder, self.folder / 'data')
        dataset = configs / 'datasets/small.py'
        change(dataset, 'abbr=abbr', 'abbr=mode')
        change(dataset, f"path='{self.folder}/data'", f"path='{self.folder}/data/' + mode")
        change(dataset, 'max_sessions=1', f'max_sessions={AT_ONCE}')
        change(configs / 'runtimes/local.py', 'preload=[]', 'preload=[], pool_size=1')
        add_endpoint(configs, 'mine', url)
        (configs / 'models/served.py').write_text(SERVED)
        for mode, names in NOTEBOOKS.items():
            (self.folder / 'data' / mode).mkdir(parents=True)
            for name in names:
                steps = [(kind, f'Step {i} of {name}: {q}', *rest) for i, (kind, q, *rest) in enumerate(STEPS)]
                (self.folder / 'data' / mode / f'{name}.ipynb').write_text(json.dumps(notebook(*steps)))
        (self.folder / 'tmp').mkdir()

    def run(self, out, *words, model='mine', deadly=None, **variables):
        """Run the harness to its end, whichever it is; its exit code."""
        argv = [sys.executable, str(REPO / 'run.py'), '--models', model, '--datasets', 'small']
        env = {**os.environ, 'TMPDIR': str(self.folder / 'tmp'), 'PYTHONPATH': str(REPO), **variables}
        with (self.folder / 'stderr').open('w') as stderr:
            with self._lock:
                self.asked, self.deadly, self.victims, self.due = [], deadly, [], 2
                options = {'cwd': self.folder, 'env': env, 'stdout': subprocess.DEVNULL, 'stderr': stderr}
                self._process = subprocess.Popen([*argv, '-w', out, *words], **options)
                self._pids.append(self._process.pid)
            return self._process.wait(300)

    @property
    def said(self):
        return (self.folder / 'stderr').read_text()

    def answer(self, messages):
        with self._lock:
            self.asked.append(place_of(messages))
            if len(self.asked) == self.deadly:
                self._kill()
            if self.hunted and len(self.asked) == self.due:
                threading.Timer(self.moments.uniform(0, LATEST), self._hunt).start()
        return answer(messages)

    def _kill(self):
        """It is stopped first, so that the list of its processes is complete."""
        harness = psutil.Process(self._process.pid)
        harness.suspend()
        self.victims = harness.children(recursive=True)
        harness.kill()

    def _hunt(self):
        """Kill a kernel, or what kernels are forked from."""
        with suppress(psutil.NoSuchProcess), self._lock:
            below = psutil.Process(self._process.pid).children(recursive=True)
            self.victims += below
            forked = [process for process in below if 'forkserver.py' in ' '.join(process.cmdline())]
            of_kind = [one for one in forked if (one.ppid() == self._process.pid) == (self.hunted[0] == 'fork server')]
            if of_kind:
                self.moments.choice(of_kind).kill()
                del self.hunted[0]
            self.due = len(self.asked) + 2

    def stop(self):
        """End what a failed test has left running."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()

    def left_over(self):
        """Processes that the harness started, and any other that is at work in its temporary folder."""
        _, alive = psutil.wait_procs(self.victims, timeout=20)
        alive = [process for process in alive if lives(process)]
        return alive + [process for process in psutil.process_iter() if self.at_work(process)]

    def rubbish(self):
        """What is not gone when a run has ended by itself: processes, temporary files, control groups."""
        ours = tuple(f'cibench-{pid}-' for pid in self._pids)
        named = (name for _, names, _ in os.walk('/sys/fs/cgroup') for name in names)  # others' may vanish meanwhile
        groups = [name for name in named if name.startswith(ours)]
        return [*self.left_over(), *(self.folder / 'tmp').iterdir(), *groups]

    def at_work(self, process):
        return str(self.folder / 'tmp') in places_of(process)

    def finished(self, out):
        """(experiment, step) of all that stands on disk as done."""
        files = [*(self.folder / out).glob('*/predictions/mine/**/*.jsonl')]
        lines = [line for file in files for line in file.read_text().splitlines(keepends=True) if line.endswith('\n')]
        found = [match for line in lines for match in re.findall(r'"question": ?"Step (\d) of (\w):', line)]
        return {(name, int(step)) for step, name in found}

    def outcome(self, out):
        """What a run has come to: all predictions and scores."""
        return outcome(run_folder(self.folder, out), datasets=NOTEBOOKS)


def places_of(process):
    """Paths that a process names, is in or has open; none if it is not ours to look at."""
    try:
        return ' '.join([*process.cmdline(), process.cwd(), *(file.path for file in process.open_files())])
    except psutil.Error:
        return ''


@pytest.fixture(scope='module')
def harness():
    """In a folder of short name: sockets are in it. It has made one run that nothing disturbed."""
    folder = Path(tempfile.mkdtemp(prefix='k', dir='/tmp'))
    made = Harness(folder)
    with chat_server(made.answer) as server:
        made.set_up(server.base_url)
        assert made.run('calm') == 0, made.said
        assert Counter(made.asked) == Counter(EVERYTHING)
        yield made
        made.stop()
    shutil.rmtree(folder)


def test_the_harness_is_killed(harness):
    """`-r` asks for nothing twice."""
    answered, hit, had_processes = set(), set(), 0
    for number, deadly in enumerate(KILLED_AT, 1):
        before = harness.finished('out')
        assert harness.run('out', '-r', deadly=deadly) == -signal.SIGKILL, harness.said
        had_processes += bool(harness.victims)  # at the first request of a run its kernels may be yet to come
        assert harness.left_over() == [], f'kill {number}'
        assert len(set(harness.asked)) == len(harness.asked)
        assert before.isdisjoint(place[:2] for place in harness.asked), f'asked again after kill {number}'
        assert len({place[:2] for place in harness.asked} - harness.finished('out')) <= AT_ONCE
        answered.update(harness.asked)
        hit.update(mode for mode, names in NOTEBOOKS.items() if harness.asked[-1][0] in names)
    assert hit == {*NOTEBOOKS}
    assert had_processes, 'there was something to leave behind'

    before = harness.finished('out')
    assert harness.run('out', '-r') == 0, harness.said
    assert before.isdisjoint(place[:2] for place in harness.asked)
    assert harness.rubbish() == []
    assert answered | set(harness.asked) == EVERYTHING
    assert harness.outcome('out') == harness.outcome('calm')


def test_processes_of_kernels_are_killed(harness):
    """The run notices nothing, and the model is asked what it is asked in any run."""
    harness.hunted = ['kernel', 'fork server', 'kernel']
    number = 0
    while harness.hunted:
        number += 1
        assert harness.run(f'hunted {number}', '--max-sessions', '1') == 0, harness.said
        assert Counter(harness.asked) == Counter(EVERYTHING)
        assert harness.outcome(f'hunted {number}') == harness.outcome('calm')
        assert harness.rubbish() == []


def test_a_server_of_the_harness_is_killed(harness):
    """That costs the sessions which ask it then, by name; `-r` runs them again."""
    assert harness.run('served', model='served', **{DEADLY: '3'}) not in (0, 2), harness.said
    assert 'model server any: ended with code 137 in the middle of the run' in harness.said
    assert harness.rubbish() == []
    assert harness.run('served', '-r', model='served') == 0, harness.said
    assert harness.outcome('served') == harness.outcome('calm')
    assert harness.rubbish() == []
