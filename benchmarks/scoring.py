"""How fast and how flat scoring is: pairs of figures, a whole benchmark's steps, memory over rounds.

    python benchmarks/scoring.py [--seconds 5] [--steps 1900] [--rounds 5]
    python benchmarks/scoring.py --part pairs | steps | memory

*Pairs* compares plots of the built-in set by their pixels, as figures without a description are compared. `strict`
reads a figure, composites and fits it, reads the gold with what a blank canvas would get, and computes SSIM; the
yardstick is `skimage.metrics.structural_similarity` alone on pixels that are ready. The two take turns within one run,
in as many processes as there are cores; rates are by CPU time.

*Steps* answers the steps of its split `generation` over and over, first with their own gold outputs, then with those
of other steps of their kind, and scores them by each profile, as a run's evaluation does. Each copy of a
figure is another file. *Memory* is what the process holds after each of some rounds of that.
"""

import argparse
import io
import itertools
import os
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

REPO = Path(__file__).parents[1]
sys.path.insert(0, str(REPO))

import numpy as np  # noqa: E402
import psutil  # noqa: E402
from PIL import Image  # noqa: E402
from rich.console import Console  # noqa: E402
from rich.table import Table  # noqa: E402
from skimage.metrics import structural_similarity  # noqa: E402

from cibench_eval.datasets import load_experiments  # noqa: E402
from cibench_eval.datasets.builtin_sets import builtin_folder  # noqa: E402
from cibench_eval.evaluators.comparing.figures import similarity  # noqa: E402
from cibench_eval.evaluators.predictions import Actions, works_read  # noqa: E402
from cibench_eval.images import read_image  # noqa: E402
from cibench_eval.opencompass.evaluator import SessionEvaluator  # noqa: E402
from cibench_eval.plots import plot_file  # noqa: E402
from cibench_eval.schema import INTERPRETER, Experiment, Step  # noqa: E402

SIZES = ((320, 240), (640, 480))
PAIRS, LIMIT, SECONDS = 300, 0.8, 60
"""What is aimed at: pairs a second on two cores, or this share of scikit-image's; the seconds of 1,900 steps."""
PROFILES = ('official', 'strict')


def golds() -> list[Experiment]:
    return load_experiments(builtin_folder('builtin', 'modern') / 'cibench_generation')


# Pairs.


def plots(size: tuple[int, int]) -> list[bytes]:
    """The figures of the built-in set's split `generation` as PNGs of a size."""
    found = []
    for figure in (step.figure for experiment in golds() for step in experiment.steps):
        if figure:
            file = io.BytesIO()
            read_image(figure.data)[0].resize(size, Image.Resampling.LANCZOS).save(file, 'PNG')
            found.append(file.getvalue())
    return found


def rate(compare: Callable[[int], object], seconds: float) -> float:
    """Calls a second of a free core: other processes on the machine do not count."""
    started, count = time.process_time(), 0
    while time.process_time() - started < seconds:
        compare(count)
        count += 1
    return count / (time.process_time() - started)


def pair_rates(job: tuple[tuple[int, int], float]) -> tuple[float, float]:
    """Pairs a second of one process: the strict profile's, scikit-image's."""
    size, seconds = job
    images = plots(size)
    pixels = [np.asarray(read_image(data)[0]) for data in images]
    pairs = list(itertools.permutations(range(len(images)), 2))

    def strict(count: int) -> object:
        gold, answer = pairs[count % len(pairs)]
        return similarity([images[gold]], [images[answer]])

    def yardstick(count: int) -> object:
        gold, answer = pairs[count % len(pairs)]
        return structural_similarity(pixels[gold], pixels[answer], channel_axis=-1)

    turns = [(rate(strict, seconds / 6), rate(yardstick, seconds / 6)) for _ in range(3)]
    return statistics.median(own for own, _ in turns), statistics.median(theirs for _, theirs in turns)


def show_pairs(console: Console, seconds: float) -> None:
    cores = os.cpu_count() or 1
    table = Table('figures', 'strict, pairs/s', 'structural_similarity alone, calls/s', 'ratio', 'aim')
    for size in SIZES:
        with ProcessPoolExecutor(cores, mp_context=get_context('spawn')) as pool:
            found = list(pool.map(pair_rates, [(size, seconds)] * cores))
        own, theirs = (sum(rates) for rates in zip(*found, strict=True))
        met = 'met' if own >= PAIRS or own >= LIMIT * theirs else 'MISSED'
        table.add_row(f'{size[0]} × {size[1]}', f'{own:.0f}', f'{theirs:.0f}', f'{own / theirs:.2f}', met)
    console.print(f'{cores} processes; aim: {PAIRS} pairs/s or {LIMIT} of structural_similarity', table)


# Steps.


def answer(step: Step, shown: Step, folder: Path, copy: int) -> Actions:
    """Actions that show the gold output of another step, its figure in a file of its own."""
    text, image = (f'stdout:\n\n```\n{shown.text}\n```' if shown.text else 'silent'), ''
    if shown.figure:
        path = folder / f'{copy}_{step.index}_{shown.figure.filename}'
        path.write_bytes(shown.figure.data)
        plot_file(path).write_bytes(shown.figure.described)
        image = f'![fig-001]({path})'
    return [{'type': INTERPRETER, 'result': {'text': text, 'image_path': image}, 'errmsg': None}]


def later(steps: list[Step], step: Step, places: int) -> Step:
    return steps[(steps.index(step) + places) % len(steps)]


def sessions(steps: int, folder: Path) -> list[tuple[list[Actions], Experiment]]:
    """Sessions with at least so many steps in all, and their gold."""
    found: list[tuple[list[Actions], Experiment]] = []
    kinds: dict[str, list[Step]] = {}
    for experiment in golds():
        for step in experiment.steps:
            kinds.setdefault(step.kind, []).append(step)
    for copy in itertools.count():
        for experiment in golds():
            if sum(len(actions) for actions, _ in found) >= steps:
                return found
            shown = [later(kinds[step.kind], step, 2 * copy) for step in experiment.steps]
            pairs = zip(experiment.steps, shown, strict=True)
            actions = [answer(step, other, folder, len(found)) for step, other in pairs]
            found.append((actions, experiment))
    raise AssertionError


def score(work: list[tuple[list[Actions], Experiment]], profile: str) -> tuple[dict[str, int], float]:
    """Metric -> its number of steps, and the seconds that scoring took."""
    started = time.perf_counter()
    steps, experiments = (list(part) for part in zip(*work, strict=True))
    sessions = [works_read(own, gold.id, Path('figures')) for own, gold in zip(steps, experiments, strict=True)]
    scores = SessionEvaluator(profile).scores(sessions, experiments)
    return dict(Counter(name for score in scores for name in score.values)), time.perf_counter() - started


def show_steps(console: Console, steps: int) -> None:
    table = Table('profile', 'steps', 'with figures', 'seconds', 'CPU seconds', 'aim')
    with tempfile.TemporaryDirectory() as folder:
        work = sessions(steps, Path(folder))
        for profile in PROFILES:
            cpu = time.process_time()
            counts, seconds = score(work, profile)
            cpu, met = time.process_time() - cpu, 'met' if seconds < SECONDS else 'MISSED'
            table.add_row(
                profile, str(counts['tool_rate']), str(counts['vis_sim']), f'{seconds:.1f}', f'{cpu:.1f}', met
            )
    console.print(f'one process, {os.cpu_count()} cores; aim: below {SECONDS} s', table)


def show_memory(console: Console, rounds: int) -> None:
    table = Table('round', *(f'{profile}, MB' for profile in PROFILES))
    process = psutil.Process()
    with tempfile.TemporaryDirectory() as folder:
        work = sessions(200, Path(folder))
        for number in range(1, rounds + 1):
            held = []
            for profile in PROFILES:
                score(work, profile)
                held.append(f'{process.memory_info().rss / 1e6:.0f}')
            table.add_row(str(number), *held)
    console.print('resident memory after 200 steps more', table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--part', choices=('pairs', 'steps', 'memory'))
    parser.add_argument(
        '--seconds', type=float, default=5, help='of CPU time that each process compares pairs of one size'
    )
    parser.add_argument('--steps', type=int, default=1900)
    parser.add_argument('--rounds', type=int, default=5)
    options, console = parser.parse_args(), Console()
    if options.part in (None, 'pairs'):
        show_pairs(console, options.seconds)
    if options.part in (None, 'steps'):
        show_steps(console, options.steps)
    if options.part in (None, 'memory'):
        show_memory(console, options.rounds)


if __name__ == '__main__':
    main()
