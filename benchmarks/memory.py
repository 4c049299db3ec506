"""Memory of the harness while sessions come and go: what a finished session leaves behind must be nothing.

    python benchmarks/memory.py [--sessions 2000] [--steps 10] [--at-once 16]

Sessions are short and real: kernels, journals, traces and figures are those of any run; the model is a replay in this
process. Shown is the resident memory of the harness process after so many sessions, and what each one left behind,
from the first quarter to the end.
"""

import argparse
import asyncio
import gc
import sys
import tempfile
import time
from pathlib import Path

REPO = Path(__file__).parents[1]
sys.path.insert(0, str(REPO))

import psutil  # noqa: E402

from cibench_eval.agents.progress import Observer, Progress  # noqa: E402
from cibench_eval.agents.runner import Batch, run_sessions  # noqa: E402
from cibench_eval.agents.settings import SessionSettings  # noqa: E402
from cibench_eval.agents.slots import SessionSlots  # noqa: E402
from cibench_eval.interpreter.settings import KernelSettings  # noqa: E402
from cibench_eval.models.scripts import ScriptReplay  # noqa: E402
from cibench_eval.schema import Experiment, Step, Trace  # noqa: E402
from cibench_eval.traces import TraceStore  # noqa: E402

CELL = 'for number in range(40): print(number, number * number)'
REPLY = f'Thought: I print them.\nAction: IPythonInterpreter\nAction Input:\n```python\n{CELL}\n```'
SAMPLES = 20


class Sampler(Observer):
    """Prints the memory of this process now and then."""

    def __init__(self, sessions: int) -> None:
        self.every = max(1, sessions // SAMPLES)
        self.samples: list[tuple[int, int]] = []
        self.began = time.monotonic()

    def session(self, progress: Progress, trace: Trace) -> None:
        if progress.sessions_done % self.every == 0:
            gc.collect()
            self.samples.append((progress.sessions_done, psutil.Process().memory_info().rss))
            done, memory = self.samples[-1]
            print(f'{done:6} sessions {memory / 1e6:7.1f} MB {time.monotonic() - self.began:6.0f} s', flush=True)

    def growth(self) -> float:
        """Bytes a session, from the first quarter to the end."""
        (first, before), (last, after) = self.samples[len(self.samples) // 4], self.samples[-1]
        return (after - before) / max(1, last - first)


def experiments(sessions: int, steps: int) -> list[Experiment]:
    made = [Step(index=n, question=f'Print the squares, part {n}.', code=CELL, kind='num') for n in range(steps)]
    return [
        Experiment(id=f'bench/{n}', path=Path(f'{n}.ipynb'), language='en', steps=made, typed=True)
        for n in range(sessions)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--sessions', type=int, default=2000)
    parser.add_argument('--steps', type=int, default=10)
    parser.add_argument('--at-once', type=int, default=16)
    options = parser.parse_args()
    settings = SessionSettings(kernels=KernelSettings(sandbox='auto', preload=()))
    made, model = experiments(options.sessions, options.steps), ScriptReplay(replies=REPLY)
    sampler = Sampler(options.sessions)
    with tempfile.TemporaryDirectory() as folder:
        store = TraceStore(Path(folder) / 'bench.traces.jsonl')
        batch = Batch(made, model, settings, store, SessionSlots(options.at_once))
        asyncio.run(run_sessions(batch, sampler))
    print(f'each session left {sampler.growth() / 1e3:.1f} kB behind')


if __name__ == '__main__':
    main()
