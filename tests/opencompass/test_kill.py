"""kill -9 of the harness, again and again: `-r` ends in what an undisturbed run ends in, and asks for nothing twice."""

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
from pathlib import Path

import psutil
import pytest

from tests.support.chat_server import chat_server
from tests.support.notebooks import REPO, add_endpoint, notebook

pytestmark = [pytest.mark.kernel, pytest.mark.soak]

KILLS, SEED = 20, 7
AT_ONCE = 2
NOTEBOOKS = {'end_to_end': 'abc', 'oracle': 'defghij'}
"""Enough requests that none of the runs which are to be killed ends before."""
QUESTION = re.compile(r'Step (\d) of (\w):')
STEPS = (
    ('exec', 'set n to 20.', 'n = 20', ''),
    ('num', 'add one to n and print it.', 'n += 1\nprint(n)', '21\n'),
    ('exec', 'draw a line up to n.', 'import matplotlib.pyplot as plt\nplt.plot(range(n))\nplt.show()', ''),
    ('num', 'print n plus 1.5.', 'print(n + 1.5)', '22.5\n'),
)
CODES = {
    (0, 0): 'n = 20',
    (1, 0): 'n += 1\nprint(undefined)',
    (1, 1): 'print(n)',
    (2, 0): 'import matplotlib.pyplot as plt\nplt.plot(range(n))\nplt.show()',
    (3, 0): 'print(n + 1.5)',
}
"""What the model answers at each (step, attempt). Its error at step 1 changes the state, as errors do."""
DATASETS = """
from cibench_eval.opencompass import CIBenchDataset, ExperimentRetriever, SessionEvaluator, SessionInferencer
from opencompass.openicl.icl_prompt_template import PromptTemplate

kill_datasets = [
    dict(
        abbr=mode,
        type=CIBenchDataset,
        path={data!r} + '/' + mode,
        reader_cfg=dict(input_columns=['questions'], output_column='references'),
        infer_cfg=dict(
            prompt_template=dict(type=PromptTemplate, template='{{questions}}'),
            retriever=dict(type=ExperimentRetriever),
            inferencer=dict(type=SessionInferencer, mode=mode, max_sessions={at_once}),
        ),
        eval_cfg=dict(evaluator=dict(type=SessionEvaluator)),
    )
    for mode in ('end_to_end', 'oracle')
]
"""
KERNELS = "kernels = dict(environment='modern', sandbox='auto', timeout=60, preload=[], pool_size=1)"


class Harness:
    """A project with a model behind a loopback endpoint, and the harness that asks it and is killed at it."""

    def __init__(self, folder):
        self.folder = folder
        self.asked = []
        """(experiment, step, attempt) of every request since the harness was started."""
        self.deadly = None
        """The number of the request at which the harness is killed."""
        self.victims = []
        self.seen = False
        self._process = None
        self._lock = threading.Lock()

    def set_up(self, url):
        shutil.copytree(REPO / 'configs', self.folder / 'configs')
        runtime = self.folder / 'configs/runtimes/local.py'
        runtime.write_text(re.sub(r'^kernels = .*$', KERNELS, runtime.read_text(), flags=re.MULTILINE))
        dataset = DATASETS.format(data=str(self.folder / 'data'), at_once=AT_ONCE)
        (self.folder / 'configs/datasets/kill.py').write_text(dataset)
        add_endpoint(self.folder / 'configs', 'mine', url)
        for mode, names in NOTEBOOKS.items():
            (self.folder / 'data' / mode).mkdir(parents=True)
            for name in names:
                steps = [(kind, f'Step {i} of {name}: {q}', *rest) for i, (kind, q, *rest) in enumerate(STEPS)]
                (self.folder / 'data' / mode / f'{name}.ipynb').write_text(json.dumps(notebook(*steps)))
        (self.folder / 'tmp').mkdir()

    def run(self, out, *words, deadly=None):
        """Run the harness to its end, whichever it is; its exit code."""
        argv = [sys.executable, str(REPO / 'run.py'), '--models', 'mine', '--datasets', 'kill', '-m', 'infer']
        env = {**os.environ, 'TMPDIR': str(self.folder / 'tmp')}
        with (self.folder / 'stderr').open('w') as stderr:
            with self._lock:
                self.asked, self.deadly, self.victims, self.seen = [], deadly, [], False
                options = {'cwd': self.folder, 'env': env, 'stdout': subprocess.DEVNULL, 'stderr': stderr}
                self._process = subprocess.Popen([*argv, '-w', out, *words], **options)
            return self._process.wait(120)

    @property
    def said(self):
        return (self.folder / 'stderr').read_text()

    def answer(self, messages):
        place = place_of(messages)
        with self._lock:
            self.asked.append(place)
            if len(self.asked) == self.deadly:
                self._kill()
        return reply(CODES[place[1:]])

    def _kill(self):
        """It is stopped first, so that the list of its processes is complete."""
        harness = psutil.Process(self._process.pid)
        harness.suspend()
        self.victims = harness.children(recursive=True)
        self.seen = any(self.at_work(process) for process in self.victims)
        harness.kill()

    def stop(self):
        """End what a failed test has left running."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()

    def left_over(self):
        """Processes that the harness started, and any other that is at work in its temporary folder."""
        _, alive = psutil.wait_procs(self.victims, timeout=20)
        return alive + [process for process in psutil.process_iter() if self.at_work(process)]

    def at_work(self, process):
        return str(self.folder / 'tmp') in places_of(process)

    def finished(self, out):
        """(experiment, step) of all that stands on disk as done."""
        files = [*(self.folder / out).glob('*/predictions/mine/**/*.jsonl')]
        lines = [line for file in files for line in file.read_text().splitlines(keepends=True) if line.endswith('\n')]
        found = [match for line in lines for match in re.findall(r'"question": ?"Step (\d) of (\w):', line)]
        return {(name, int(step)) for step, name in found}

    def predictions(self, out):
        (run,) = (self.folder / out).iterdir()
        files = {mode: run / f'predictions/mine/{mode}.json' for mode in NOTEBOOKS}
        return {mode: json.loads(file.read_text().replace(str(run), 'RUN')) for mode, file in files.items()}


def place_of(messages):
    """(experiment, step, attempt): the last question, and how often it was answered."""
    turn = max(index for index, message in enumerate(messages) if QUESTION.search(message['content']))
    step, name = QUESTION.findall(messages[turn]['content'])[-1]
    return name, int(step), sum(message['role'] == 'assistant' for message in messages[turn:])


def reply(code):
    return f'Thought: so\nAction: IPythonInterpreter\nAction Input:\n```python\n{code}\n```'


def places_of(process):
    """Paths that a process names, is in or has open; none if it is not ours to look at."""
    try:
        return ' '.join([*process.cmdline(), process.cwd(), *(file.path for file in process.open_files())])
    except psutil.Error:
        return ''


@pytest.fixture
def harness():
    """In a folder of short name: sockets are in it."""
    folder = Path(tempfile.mkdtemp(prefix='k', dir='/tmp'))
    made = Harness(folder)
    with chat_server(made.answer) as server:
        made.set_up(server.base_url)
        yield made
        made.stop()
    shutil.rmtree(folder)


def test_killed_at_twenty_moments(harness):
    assert harness.run('calm') == 0, harness.said
    everything = {(name, step, n) for names in NOTEBOOKS.values() for name in names for step, n in CODES}
    assert Counter(harness.asked) == Counter(everything)

    moments = random.Random(SEED)
    answered, hit, had_processes = set(), Counter(), 0
    for number in range(KILLS):
        before = harness.finished('out')
        assert harness.run('out', '-r', deadly=moments.randint(1, 5)) == -signal.SIGKILL, harness.said
        had_processes += bool(harness.victims)  # at the first request of a run its kernels may be yet to come
        assert harness.left_over() == [], f'kill {number}'
        assert len(set(harness.asked)) == len(harness.asked)
        assert before.isdisjoint(place[:2] for place in harness.asked), f'asked again after kill {number}'
        assert len({place[:2] for place in harness.asked} - harness.finished('out')) <= AT_ONCE
        answered.update(harness.asked)
        hit.update(mode for mode, names in NOTEBOOKS.items() if harness.asked[-1][0] in names)
    assert set(hit) == set(NOTEBOOKS), 'both modes were killed at'
    assert had_processes, 'there was something to leave behind'

    before = harness.finished('out')
    assert harness.run('out', '-r') == 0, harness.said
    assert before.isdisjoint(place[:2] for place in harness.asked)
    assert harness.left_over() == []
    assert answered | set(harness.asked) == everything
    assert harness.predictions('out') == harness.predictions('calm')
