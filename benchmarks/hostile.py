"""Honest sessions among hostile ones: every honest step has to be right, and nothing may grow or be left over.

    python benchmarks/hostile.py [--sessions 300] [--hostile 120] [--at-once 16]

Both kinds take turns in the same slots. An honest session runs the cells of `HONEST`; its gold is what one such session
shows alone. A hostile one runs two programs, those of `tests/interpreter/neighbours.py` and `SPITEFUL`, each within a
few seconds. All sessions are filed and scored by both profiles, as those of any run. The exit code is 1 when an honest
step is wrong, a hostile session stops the scoring, something is left over, or memory or open files grow.
"""

import argparse
import asyncio
import gc
import itertools
import logging
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

REPO = Path(__file__).parents[1]
sys.path.insert(0, str(REPO))

from benchmarks.leaks import MEGABYTE, count, own_temporary_folder, rss, settled, slope, use_all_threads  # noqa: E402
from cibench_eval.agents.progress import Observer, Progress  # noqa: E402
from cibench_eval.agents.runner import Batch, run_batches, run_sessions  # noqa: E402
from cibench_eval.agents.settings import SessionSettings  # noqa: E402
from cibench_eval.agents.slots import SessionSlots  # noqa: E402
from cibench_eval.evaluators import find_profile  # noqa: E402
from cibench_eval.evaluators.engine import score_session  # noqa: E402
from cibench_eval.evaluators.work import works_of  # noqa: E402
from cibench_eval.interpreter.settings import KernelSettings  # noqa: E402
from cibench_eval.models.base import Stateless, Turn  # noqa: E402
from cibench_eval.plots import read_plot  # noqa: E402
from cibench_eval.schema import CibenchError, Experiment, Figure, Reply, Step, StepKind, Trace  # noqa: E402
from cibench_eval.traces import TraceStore  # noqa: E402
from tests.interpreter.neighbours import HOSTILE  # noqa: E402

KERNELS = KernelSettings(
    preload=('pandas', 'matplotlib.pyplot'), memory=2**30, disk=2**28, processes=128, output_limit=1_000_000
)
HONEST: tuple[tuple[str, StepKind], ...] = (
    ("import pandas as pd\nframe = pd.DataFrame({'a': range(200_000)})\nint((frame.a ** 2).sum())", 'num'),
    ('total = 0\nfor i in range(300_000):\n    total += i * i % 7\ntotal', 'num'),
    ('import matplotlib.pyplot as plt\nplt.plot([1, 4, 9])\nplt.show()', 'vis'),
    ("print('x ' * 20_000)", 'text'),
    ('rows = frame.groupby(frame.a % 7).a.sum()', 'exec'),
    ('rows.tolist()', 'num'),
)
SPITEFUL = {
    'odd_names': "frame = rows = type('Rows', (), {'__repr__': lambda self: '\\ud800' * 99_999})()\nframe",
    'odd_plot': 'import json\nfrom IPython.display import display\n'
    "line = {'kind': 'line', 'size': 2, 'columns': [[1, 2], [1, 2], [1, 2]]}\n"
    "other = {'kind': 'line', 'size': 2, 'columns': [[1, 2], [1, 2]]}\n"
    "dot = {'kind': 'scatter', 'size': 1, 'columns': [[1], [2]]}\n"
    "axes = {'x': {'view': [0, 1]}, 'y': {'view': [0, 1]}, 'series': [line, other, dot]}\n"
    "display({'image/png': b'\\x89PNG\\r\\n\\x1a\\n',\n"
    "    'application/vnd.cibench.plot+json': json.dumps({'axes': [axes]})}, raw=True)",
    'dies': 'import os\nos._exit(1)',
    'dies_later': 'import os, threading\nthreading.Timer(0.2, os._exit, [1]).start()',
    'dies_when_described': 'import os\nclass Rows:\n    __class__ = property(lambda self: os._exit(1))\nrows = Rows()',
    'stubborn': 'while True:\n    try:\n        while True: pass\n    except BaseException: pass',
}
"""Programs that aim at what follows the run of their code, in places where each first meets the step it aims at."""
SAMPLES = 20
"""Sessions between two looks at memory and files."""
GROWTH = 2.0
"""MB in 100 sessions of the second half, above which memory counts as growing."""
PROFILES = ('strict', 'official')
QUESTION = 'Make `rows` of `frame`.'


class Recited(Stateless):
    """Answers every step of an experiment with the code that there is for it."""

    def __init__(self, codes: Mapping[str, Sequence[str]]) -> None:
        self.codes = codes

    async def chat(self, messages: object, turn: Turn, stop: object = (), tools: object = ()) -> Reply:
        code = self.codes[turn.experiment][turn.step]
        return Reply(text=f'Thought: .\nAction: IPythonInterpreter\nAction Input:\n```python\n{code}\n```')


@dataclass
class Sampler(Observer):
    """Looks at memory and open files of this process now and then."""

    began: float = field(default_factory=time.monotonic)
    samples: list[tuple[int, int, int]] = field(default_factory=list)
    """Sessions that were over, bytes, open files."""

    def session(self, progress: Progress, trace: Trace) -> None:
        if progress.sessions_done % SAMPLES == 0:
            gc.collect()
            self.samples.append((progress.sessions_done, rss(), len(list(Path('/proc/self/fd').iterdir()))))
            done, memory, files = self.samples[-1]
            seconds = time.monotonic() - self.began
            print(f'{done:5} sessions {memory / MEGABYTE:7.1f} MB {files:4} files {seconds:5.0f} s', flush=True)

    def growth(self) -> float:
        """MB in 100 sessions, by the line that fits the second half best."""
        half = self.samples[len(self.samples) // 2 :]
        return slope([(done, memory) for done, memory, _ in half]) * 100 / MEGABYTE if half else 0.0


def honest_experiment() -> Experiment:
    steps = [
        Step(index=index, question=QUESTION if kind == 'exec' else 'Show it.', code=code, kind=kind)
        for index, (code, kind) in enumerate(HONEST)
    ]
    return Experiment(id='honest/gold', path=Path('honest.ipynb'), language='en', steps=steps, typed=True)


def with_gold(one: Experiment, shown: Trace, figures: Path) -> Experiment:
    """The experiment with what a session of it showed as its gold."""
    steps = []
    for step, done in zip(one.steps, shown.steps, strict=True):
        ((_, execution),) = done.runs
        drawn = [figures / figure.filename for figure in execution.figures]
        figure = Figure.of(drawn[0].read_bytes(), read_plot(drawn[0])) if drawn else None
        text = execution.result or execution.stdout
        steps.append(step.model_copy(update={'text': text, 'state': done.state, 'figure': figure}))
    return one.model_copy(update={'steps': steps})


async def with_own_gold(one: Experiment, folder: Path) -> Experiment:
    """The experiment with what a session of it shows alone as its gold."""
    store = TraceStore(folder / 'alone.traces.jsonl')
    batch = Batch([one], Recited({one.id: [code for code, _ in HONEST]}), SessionSettings(kernels=KERNELS), store)
    (shown,) = await run_sessions(batch)
    return with_gold(one, shown, store.figures)


def attacked(gold: Experiment, number: int) -> tuple[list[Experiment], dict[str, list[str]]]:
    """Experiments of a step with a figure and one with variables, and for each two programs as the answers."""
    steps = [step for step in gold.steps if step.kind in ('vis', 'exec')]
    steps = [step.model_copy(update={'index': index}) for index, step in enumerate(steps)]
    programs = itertools.cycle({**HOSTILE, **SPITEFUL}.items())  # an odd number: each one meets both steps
    codes = {}
    for index in range(number):
        (first, one), (second, other) = next(programs), next(programs)
        codes[f'hostile/{first}-{second}-{index}'] = [one, other]
    return [gold.model_copy(update={'id': name, 'steps': steps}) for name in codes], codes


async def together(batches: list[Batch]) -> Sampler:
    """Run honest and hostile sessions side by side."""
    sampler = Sampler()
    for failure in await run_batches(batches, sampler):
        if failure:
            print(f'sessions that failed: {failure}')
    return sampler


def wrong(experiments: list[Experiment], store: TraceStore, profile: str) -> Counter[str]:
    """How often which step is not right; sessions that are not there, and those that cannot be scored, too."""
    found, traces = Counter[str](), store.load()
    for one in experiments:
        if one.id not in traces:
            found['no session'] += 1
            continue
        try:
            scores = score_session(works_of(traces[one.id].steps, store.figures), one, find_profile(profile))
        except CibenchError as error:
            found[f'not scored: {error}'] += 1
            continue
        found.update(f'step {score.index}: {score.values}' for score in scores if min(score.values.values()) < 0.999)
    return found


async def measure(sessions: int, hostile: int, at_once: int, folder: Path, timeout: float = 3.0) -> bool:
    """Run, score and print; whether all is well. Others may use the machine's temporary folder meanwhile.

    A hostile block has `timeout` seconds.
    """
    with own_temporary_folder():
        return await _measure(sessions, hostile, at_once, folder, timeout)


async def _measure(sessions: int, hostile: int, at_once: int, folder: Path, timeout: float) -> bool:
    use_all_threads()
    gold = await with_own_gold(honest_experiment(), folder)
    before = count()
    honest = [gold.model_copy(update={'id': f'honest/{index}'}) for index in range(sessions - hostile)]
    attackers, attacks = attacked(gold, hostile)
    recited = {one.id: [code for code, _ in HONEST] for one in honest}
    slots, impatient = SessionSlots(at_once), KERNELS.model_copy(update={'timeout': timeout, 'grace': 0.5})
    stores = [TraceStore(folder / f'{name}.traces.jsonl') for name in ('honest', 'hostile')]
    shared = [SessionSlots(at_once, shared=slots) for _ in stores]
    sampler = await together(
        [
            Batch(honest, Recited(recited), SessionSettings(kernels=KERNELS), stores[0], shared[0]),
            Batch(attackers, Recited(attacks), SessionSettings(kernels=impatient), stores[1], shared[1]),
        ]
    )
    after = await settled(before)
    left = {name: after[name] - number for name, number in before.items() if after[name] > number}
    faults, stopped = Counter[str](), Counter[str]()
    for profile in PROFILES:
        faults.update(wrong(honest, stores[0], profile))
        scored = wrong(attackers, stores[1], profile)
        stopped.update({why: times for why, times in scored.items() if not why.startswith('step')})
    print(f'honest steps: {len(honest) * len(HONEST)}; wrong, in any profile: {dict(faults) or 0}')
    print(f'hostile sessions: {hostile}; without scores: {dict(stopped) or 0}; left over: {left or "nothing"}')
    print(f'harness: {sampler.growth():+.2f} MB in 100 sessions (bound {GROWTH})')
    return not faults and not stopped and not left and sampler.growth() <= GROWTH


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--sessions', type=int, default=300)
    parser.add_argument('--hostile', type=int, default=120)
    parser.add_argument('--at-once', type=int, default=16)
    options = parser.parse_args()
    logging.getLogger('cibench_eval').setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as folder:
        well = asyncio.run(measure(options.sessions, options.hostile, options.at_once, Path(folder)))
    sys.exit(not well)


if __name__ == '__main__':
    main()
