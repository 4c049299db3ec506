"""What a session in a container costs beside one behind bubblewrap, in turns.

    python benchmarks/containers.py [--command podman] [--rounds 5]

Printed are medians. A cell is trivial. MB is the memory that all processes which came with a session, those of the
engine too, have for themselves, which takes root to read; the fork server, which sessions share, is not counted.
"""

import argparse
import asyncio
import contextlib
import statistics
import time
from pathlib import Path

import psutil
from rich.console import Console
from rich.table import Table

from cibench_eval.interpreter import Interpreter, KernelSettings

CELLS = 100
FIGURE = 'import matplotlib.pyplot as plt\nplt.plot([1, 2, 3])\nplt.show()'
COLUMNS = ('start, s', 'end, s', 'cell, ms', 'figure, ms', 'MB')


async def measure(settings: KernelSettings) -> list[float]:
    """The figures of one session, in the order of COLUMNS."""
    before, started = set(psutil.pids()), time.monotonic()
    async with Interpreter(settings) as session:
        await session.run('1')
        start = time.monotonic() - started
        await session.run('import matplotlib.pyplot')
        memory = sum(private(pid) for pid in set(psutil.pids()) - before)
        cell = await seconds(session, '1', CELLS) / CELLS
        await session.run(FIGURE)
        figure = await seconds(session, FIGURE, 5) / 5
        started = time.monotonic()
    return [start, time.monotonic() - started, cell * 1e3, figure * 1e3, memory / 1e6]


async def seconds(session: Interpreter, code: str, times: int) -> float:
    started = time.monotonic()
    for _ in range(times):
        execution = await session.run(code)
        assert execution.status == 'ok', execution
    return time.monotonic() - started


def private(pid: int) -> int:
    """Bytes of memory that a process shares with no other; 0 where it has ended."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        lines = Path(f'/proc/{pid}/smaps_rollup').read_text().splitlines()[1:]
        return sum(1024 * int(line.split()[1]) for line in lines if line.startswith('Private_'))
    return 0


async def compare(command: str, rounds: int) -> Table:
    ways = {
        'bubblewrap, fork': KernelSettings(sandbox='bubblewrap', start='fork', preload=('matplotlib.pyplot',)),
        'bubblewrap, spawn': KernelSettings(sandbox='bubblewrap', start='spawn'),
        command: KernelSettings(sandbox='docker', sandbox_options={'command': command}, start='spawn'),
    }
    for settings in ways.values():
        await measure(settings)  # caches of files: nobody is first
    found = {name: list[list[float]]() for name in ways}
    for _ in range(rounds):
        for name, settings in ways.items():
            found[name].append(await measure(settings))
    table = Table(title=f'One session, medians of {rounds}')
    for column in ('', *COLUMNS):
        table.add_column(column, justify='right' if column else 'left')
    for name, rows in found.items():
        table.add_row(name, *(f'{statistics.median(values):.2f}' for values in zip(*rows, strict=True)))
    return table


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or '').partition('\n')[0])
    parser.add_argument('--command', choices=('docker', 'podman'), default='podman')
    parser.add_argument('--rounds', type=int, default=5)
    options = parser.parse_args()
    Console().print(asyncio.run(compare(options.command, options.rounds)))


if __name__ == '__main__':
    main()
