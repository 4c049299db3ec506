"""What the files of many jobs cost as a run grows: filing sessions, counting them, cutting again, merging.

    python benchmarks/cluster.py outputs/demo/TIMESTAMP/predictions/gold-replay/demo.traces.jsonl [--jobs 64]

Sessions are those of a real run, over and over under other names, so that a line is as long as lines are. Nothing is
asked and no code runs: shown is what stands beside that, in ms a session. Constant columns mean constant cost.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path

REPO = Path(__file__).parents[1]
sys.path.insert(0, str(REPO))

from cibench_eval.cluster.counting import Counts, Expected  # noqa: E402
from cibench_eval.cluster.cutting import Piece, cut  # noqa: E402
from cibench_eval.cluster.parts import PartStore, finished, gather, part_files, store_of  # noqa: E402
from cibench_eval.schema import Trace  # noqa: E402
from cibench_eval.traces import TraceStore  # noqa: E402

DATASETS = 52
"""Of the built-in set, a model."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('traces', type=Path, help='a traces file of a run')
    parser.add_argument('--jobs', type=int, default=64)
    parser.add_argument('--steps', type=int, nargs='+', default=[1_000, 5_000, 20_000, 50_000])
    args = parser.parse_args()
    like = list(TraceStore(args.traces).load().values())
    print(f'{"steps":>7} {"sessions":>8} {"MB":>6} {"parts":>6} | ms a session: file, count, cut again, merge')
    for steps in args.steps:
        with tempfile.TemporaryDirectory() as folder:
            measure(Path(folder), like, steps, args.jobs)


def measure(folder: Path, like: list[Trace], steps: int, jobs: int) -> None:
    """Print a line for a run of about so many steps."""
    traces = some(like, steps)
    number = len(traces)
    names = [f'dataset/{at % DATASETS}' for at in range(number)]
    stores = {(job, name): PartStore(folder, name, f'1-{job}') for job in range(jobs) for name in set(names)}
    named = [
        trace.model_copy(update={'dataset': name, 'experiment': f'{trace.experiment}_{at}'})
        for at, (trace, name) in enumerate(zip(traces, names, strict=True))
    ]

    def file() -> None:
        for at, trace in enumerate(named):
            stores[at % jobs, trace.dataset].append(trace)

    expected: dict[str, dict[str, int]] = {name: {} for name in names}
    for trace in named:
        expected[trace.dataset][trace.experiment] = len(trace.steps)
    filing = seconds(file)
    parts = part_files(folder)
    size = sum(path.stat().st_size for path in parts)
    counting = seconds(lambda: Counts([Expected('m', folder, expected)]).look())

    def cut_again() -> None:
        there = finished(folder, expected)
        missing = [Piece('m', t.dataset, f'{t.experiment}?', len(t.steps), 1.0) for t in named if there[t.dataset]]
        cut(missing, max_tasks=jobs)

    cutting, merging = seconds(cut_again), seconds(lambda: gather(folder, expected))
    assert sum(len(store_of(folder, name).index()) for name in expected) == number
    ms = ' '.join(f'{1000 * one / number:8.2f}' for one in (filing, counting, cutting, merging))
    print(f'{sum(len(t.steps) for t in named):7} {number:8} {size / 1e6:6.1f} {len(parts):6} | {ms}', flush=True)


def some(like: list[Trace], steps: int) -> list[Trace]:
    """Sessions, over and over, until there are so many steps."""
    a_session = sum(len(trace.steps) for trace in like) / len(like)
    return list(islice(cycle(like), round(steps / a_session)))


def seconds(do: Callable[[], object]) -> float:
    began = time.perf_counter()
    do()
    return time.perf_counter() - began


if __name__ == '__main__':
    main()
