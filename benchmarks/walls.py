"""What the walls of a session cost: an earlier commit beside the present one, in turns.

    python benchmarks/walls.py OLD_REF [--rounds 5] [--sandbox none]

Each round runs the same few sessions with the package of either commit, in a process of its own. Printed are the
medians over all rounds and, for each figure, the median of the ratios within the rounds, which holds when the machine's
speed drifts. What is not committed is measured as the present one.
"""

import argparse
import asyncio
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
from rich.console import Console
from rich.table import Table

REPO = Path(__file__).parents[1]
CELLS, SESSIONS = 200, 8
FIGURES = {
    'hand-out, spawn, ms': 1e3,
    'hand-out, fork, ms': 1e3,
    'hand-out, filled pool, ms': 1e3,
    'trivial cell, ms': 1e3,
    'trivial cell, CPU-ms of the harness': 1e3,
    'figure of 1 MB, ms': 1e3,
    'memory of an idle session, MB': 1e-6,
    'memory of the harness a session, MB': 1e-6,
}
"""What is measured, and by how much it is multiplied to be shown."""
FIGURE = 'import os\nfrom IPython.display import Image, display\ndisplay(Image({header} + os.urandom(10**6)))'
HEADER = b'\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\0\0\0\0'


async def measure(sandbox: str) -> list[float]:
    """The figures of the package that is imported here: seconds and bytes, in the order of FIGURES."""
    from cibench_eval.interpreter import Interpreter, KernelSettings
    from cibench_eval.interpreter.pool import KernelPool

    settings = KernelSettings(sandbox=sandbox, preload=('pandas', 'matplotlib.pyplot'), start='fork')
    await handout(Interpreter(settings.model_copy(update={'start': 'spawn'})))  # caches of files: nobody is first
    spawned = await handout(Interpreter(settings.model_copy(update={'start': 'spawn'})))
    await handout(Interpreter(settings))
    forked = statistics.median([await handout(Interpreter(settings)) for _ in range(5)])
    async with KernelPool(settings) as pool:
        await asyncio.gather(*pool._starting)
        pooled = await handout(Interpreter(settings, pool))
    async with Interpreter(settings) as interpreter:
        await interpreter.run('1')
        started, used = time.monotonic(), cpu_seconds()
        for _ in range(CELLS):
            await interpreter.run('1')
        cell, cpu = (time.monotonic() - started) / CELLS, (cpu_seconds() - used) / CELLS
        code, started = FIGURE.format(header=HEADER), time.monotonic()
        for _ in range(10):
            await interpreter.run(code)
        figure = (time.monotonic() - started) / 10
    return [spawned, forked, pooled, cell, cpu, figure, *await memory(settings)]


async def handout(interpreter: object) -> float:
    """Seconds from asking for a session until its first result."""
    started = time.monotonic()
    async with interpreter as session:  # type: ignore[attr-defined]
        execution = await session.run('1')
        assert execution.status == 'ok', execution
        return time.monotonic() - started


async def memory(settings: object) -> tuple[float, float]:
    """Bytes that an idle session takes in processes of its own, and in the harness."""
    from cibench_eval.interpreter import Interpreter

    others, resident = children(), psutil.Process().memory_info().rss
    sessions = [Interpreter(settings) for _ in range(SESSIONS)]  # type: ignore[arg-type]
    for session in sessions:
        await session.__aenter__()
        await session.run('1')
    own = sum(private(process) for process in children() - others)
    grown = psutil.Process().memory_info().rss - resident
    for session in sessions:
        await session.__aexit__(None, None, None)
    return own / SESSIONS, grown / SESSIONS


def children() -> set[psutil.Process]:
    return set(psutil.Process().children(recursive=True))


def private(process: psutil.Process) -> int:
    lines = Path(f'/proc/{process.pid}/smaps_rollup').read_text().splitlines()[1:]
    return sum(1024 * int(line.split()[1]) for line in lines if line.startswith('Private_'))


def cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def figures_of(tree: Path, sandbox: str) -> list[float]:
    """The figures of the package in `tree`."""
    command = [sys.executable, str(Path(__file__).resolve()), '--measure', '--sandbox', sandbox]
    env = {**os.environ, 'PYTHONPATH': str(tree)}
    done = subprocess.run(command, cwd=tree, env=env, check=True, stdout=subprocess.PIPE)
    return [float(number) for number in json.loads(done.stdout)]


def compare(ref: str, rounds: int, sandbox: str) -> Table:
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, 'old')
        subprocess.run(['git', '-C', str(REPO), 'worktree', 'add', '-q', '--detach', str(tree), ref], check=True)
        try:
            pairs = [(figures_of(tree, sandbox), figures_of(REPO, sandbox)) for _ in range(rounds)]
        finally:
            subprocess.run(['git', '-C', str(REPO), 'worktree', 'remove', '--force', str(tree)], check=True)
    table = Table(title=f'{ref} and now, medians of {rounds} rounds, sandbox {sandbox}')
    for name in ('', 'before', 'now', 'ratio'):
        table.add_column(name, justify='left' if not name else 'right')
    for place, (name, scale) in enumerate(FIGURES.items()):
        old, new = ([pair[side][place] for pair in pairs] for side in (0, 1))
        ratio = statistics.median(now / max(before, 1e-9) for before, now in zip(old, new, strict=True))
        table.add_row(name, *(f'{statistics.median(side) * scale:.2f}' for side in (old, new)), f'{ratio:.2f}')
    return table


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or '').partition('\n')[0])
    parser.add_argument('ref', nargs='?', metavar='OLD_REF')
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--sandbox', default='bubblewrap')
    parser.add_argument('--measure', action='store_true', help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(asyncio.run(measure(options.sandbox))))
    elif options.ref:
        Console().print(compare(options.ref, options.rounds, options.sandbox))
    else:
        parser.error('which commit is the earlier one? give OLD_REF')


if __name__ == '__main__':
    main()
