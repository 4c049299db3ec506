"""What the files of many jobs cost as a run grows: filing sessions, counting them, cutting again, merging, the table.

    python benchmarks/cluster.py outputs/demo/TIMESTAMP gold-replay/demo [--jobs 64]

Sessions are those of a dataset of a real run, over and over under other names, so that a line is as long as lines are.
Nothing is asked and no code runs: shown is what stands beside that, in ms a session. Then its scores are those of many
models with four epochs: shown is what the table of all of them takes, a step. Constant columns mean constant cost.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path

import psutil

REPO = Path(__file__).parents[1]
sys.path.insert(0, str(REPO))

from cibench_eval.analysis.results import Results  # noqa: E402
from cibench_eval.cluster.counting import Counts, Expected  # noqa: E402
from cibench_eval.cluster.cutting import Piece, cut  # noqa: E402
from cibench_eval.cluster.parts import PartStore, finished, gather, part_files, store_of  # noqa: E402
from cibench_eval.reports.rows import DatasetResult, aggregate  # noqa: E402
from cibench_eval.reports.summary import to_markdown  # noqa: E402
from cibench_eval.schema import Trace  # noqa: E402
from cibench_eval.traces import TraceStore  # noqa: E402

DATASETS = 52
"""Of the built-in set, a model."""
EPOCHS = 4


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('run', type=Path, help='a run folder')
    parser.add_argument('dataset', help='MODEL/DATASET of it')
    parser.add_argument('--jobs', type=int, default=64)
    parser.add_argument('--steps', type=int, nargs='+', default=[1_000, 5_000, 20_000, 50_000])
    args = parser.parse_args()
    like = list(TraceStore(args.run / f'predictions/{args.dataset}.traces.jsonl').load().values())
    print(f'{"steps":>7} {"sessions":>8} {"MB":>6} {"parts":>6} | ms a session: file, count, cut again, merge')
    for steps in args.steps:
        with tempfile.TemporaryDirectory() as folder:
            measure(Path(folder), like, steps, args.jobs)
    print(f'{"steps":>7} {"models":>8} | ms a step: read, table; kB a step')
    for steps in args.steps:
        measure_table(args.run / f'results/{args.dataset}.json', steps)


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


def measure_table(results: Path, steps: int) -> None:
    """Print a line for the table of about so many steps, of as many models as that takes."""
    a_model = EPOCHS * len(Results.read(results).steps)
    models, before = -(-steps // a_model), psutil.Process().memory_info().rss
    everything: list[DatasetResult] = []

    def read() -> None:
        everything.extend(
            DatasetResult(f'm{number}', f'd@{epoch + 1}', 'demo', 'end_to_end', epoch, Results.read(results), False)
            for number in range(models)
            for epoch in range(EPOCHS)
        )

    reading, table = seconds(read), seconds(lambda: to_markdown(aggregate(everything)))
    size = psutil.Process().memory_info().rss - before
    of_step = [1000 * reading, 1000 * table, size / 1000]
    each = ' '.join(f'{one / (models * a_model):8.3f}' for one in of_step)
    print(f'{models * a_model:7} {models:8} | {each}', flush=True)


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
