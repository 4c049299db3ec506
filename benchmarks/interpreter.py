"""Kernels that are started, used and stopped: this package's interpreter beside plain `jupyter_client`.

    python benchmarks/interpreter.py [--repeat 10] [--imports 3] [--sessions 50] [--sandbox none] [--json FILE]

The yardstick is jupyter_client with its stock launcher, over TCP and without a sandbox, in the same kernel
environment. All ways of starting take turns within one run, so that their ratios hold when the machine's speed drifts.
What is measured with a pool waits until the pool is full. CPU time is that of the whole process tree, the dead and
the reparented included: from a control group of its own where one can be made, else from all of the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import psutil
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from rich.console import Console
from rich.table import Table

from cibench_eval.interpreter.environments import KernelEnvironment
from cibench_eval.interpreter.forkserver import close_all, fork_server
from cibench_eval.interpreter.interpreter import Interpreter
from cibench_eval.interpreter.pool import KernelPool
from cibench_eval.interpreter.sandboxes import choices, choose
from cibench_eval.interpreter.settings import KernelSettings
from cibench_eval.sets.preload import preload_of

FOUR = 'import pandas, matplotlib.pyplot, sklearn, torch'
TEN = 'import pandas, matplotlib.pyplot, seaborn, scipy, sklearn, lightgbm, torch, tensorflow, nltk, cv2'
CELLS = (
    'import pandas as pd\nimport matplotlib.pyplot as plt\nfrom sklearn.linear_model import LinearRegression',
    "table = pd.DataFrame({'x': range(100), 'y': [2 * n + 1 for n in range(100)]})\ntable.describe()",
    "model = LinearRegression().fit(table[['x']], table['y'])\nprint(model.coef_, model.intercept_)",
    "plt.plot(table['x'], table['y'])\nplt.show()",
    "table.groupby(table['x'] % 7)['y'].mean()",
)
TRIVIAL_CELLS = 200
OPEN = 4
"""Sessions that are open at a time where several are."""
YARDSTICK = 'jupyter_client'

Run = Callable[[str], Awaitable[None]]
Session = AbstractAsyncContextManager[Run]
Clock = Callable[[], float]


@dataclass(frozen=True)
class Way:
    """A way to get kernels.

    Args:
        name: as the tables call it.
        settings: ours; None is the yardstick.
        pooled: whether they come from a pool.
    """

    name: str
    settings: KernelSettings | None = None
    pooled: bool = False

    @property
    def forks(self) -> bool:
        return self.settings is not None and self.settings.start == 'fork'

    def forking(self, codes: Sequence[str]) -> Way:
        """The same with kernels forked with what some code imports, as those of a run are."""
        if self.settings is None or not self.forks:
            return self
        return replace(self, settings=self.settings.model_copy(update={'preload': preload_of(codes)}))


@dataclass
class Many:
    """What a number of sessions took together, in seconds."""

    wall: float
    cpu: float


@dataclass
class Figures:
    """What was measured of one way: lists of seconds, bytes of memory."""

    handout: list[float] = field(default_factory=list)
    four: list[float] = field(default_factory=list)
    ten: list[float] = field(default_factory=list)
    cell: list[float] = field(default_factory=list)
    one_at_a_time: Many | None = None
    four_at_a_time: Many | None = None
    private: float | None = None
    proportional: float | None = None


@dataclass
class Kernels:
    """Where sessions come from; `pool` is None where they are started when they are asked for."""

    session: Callable[[], Session]
    pool: KernelPool | None = None

    async def filled(self) -> None:
        if self.pool is not None:
            await asyncio.gather(*self.pool._starting)


def ways(sandbox: str) -> list[Way]:
    """The ways that are compared, the yardstick first."""
    spawn, fork = KernelSettings(start='spawn', sandbox=sandbox), KernelSettings(start='fork', sandbox=sandbox)
    return [
        Way(YARDSTICK),
        Way('spawn', spawn),
        Way('spawn, pool', spawn, pooled=True),
        Way('fork', fork),
        Way('fork, pool', fork, pooled=True),
    ]


def check(code: str, status: str) -> None:
    if status != 'ok':
        raise SystemExit(f'this cell ended with {status!r}: {code}')


@asynccontextmanager
async def stock_session(python: Path) -> AsyncIterator[Run]:
    """A session as jupyter_client's own documentation has it."""
    manager = AsyncKernelManager()
    argv = [str(python), '-m', 'ipykernel_launcher', '-f', '{connection_file}']
    manager._kernel_spec = KernelSpec(argv=argv, display_name='Python', language='python')
    await manager.start_kernel(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    client = manager.client()
    client.start_channels()
    outputs: list[dict[str, Any]] = []

    async def run(code: str) -> None:
        reply = await client.execute_interactive(code, output_hook=outputs.append, allow_stdin=False, timeout=120)
        check(code, reply['content']['status'])

    try:
        await client.wait_for_ready(timeout=120)
        yield run
    finally:
        client.stop_channels()
        await manager.shutdown_kernel(now=True)


@asynccontextmanager
async def our_session(settings: KernelSettings, pool: KernelPool | None) -> AsyncIterator[Run]:
    async with Interpreter(settings, pool) as interpreter:
        await interpreter.ready()  # it begins to take a kernel, and waits for it at the first code

        async def run(code: str) -> None:
            check(code, (await interpreter.run(code, timeout=120)).status)

        yield run


@asynccontextmanager
async def kernels(way: Way) -> AsyncIterator[Kernels]:
    """Where the sessions of a way come from; its pool is open, but maybe not full."""
    if way.settings is None:
        yield Kernels(partial(stock_session, KernelEnvironment.find('modern').python))
    elif way.pooled:
        async with KernelPool(way.settings) as pool:
            yield Kernels(partial(our_session, way.settings, pool), pool)
    else:
        yield Kernels(partial(our_session, way.settings, None))


# What is measured.


async def seconds_until(source: Kernels, code: str = '') -> tuple[float, float]:
    """Seconds from asking for a session until it could take code, and until `code` was done."""
    await source.filled()
    started = time.monotonic()
    async with source.session() as run:
        ready = time.monotonic() - started
        if code:
            await run(code)
        return ready, time.monotonic() - started


async def measure_start(found: dict[Way, Figures], repeat: int, imports: int) -> None:
    """Hand-out and imports: a round is one of each for every way."""
    for number in range(max(repeat, imports)):
        for way, figures in found.items():
            async with kernels(way) as source:
                if number < repeat:
                    figures.handout.append((await seconds_until(source))[0])
                if number < imports:
                    figures.four.append((await seconds_until(source, FOUR))[1])
                    figures.ten.append((await seconds_until(source, TEN))[1])
        say(f'hand-out and imports: round {number + 1} of {max(repeat, imports)}')


async def measure_cells(found: dict[Way, Figures]) -> None:
    """The trivial cell; where its kernel came from makes no difference to it, so pools are left out."""
    for way, figures in found.items():
        if way.pooled:
            continue
        async with kernels(way) as source, source.session() as run:
            await run('1')
            for _ in range(TRIVIAL_CELLS):
                started = time.monotonic()
                await run('1')
                figures.cell.append(time.monotonic() - started)
        say(f'trivial cell: {way.name}')


async def measure_many(way: Way, sessions: int, at_a_time: int, clock: Clock) -> Many:
    """Whole sessions, from nothing: the start of a fork server and the end of a pool are part of it."""
    way = way.forking(CELLS)
    close_all()
    places = asyncio.Semaphore(at_a_time)
    wall, cpu = time.monotonic(), clock()
    async with kernels(way) as source:

        async def session() -> None:
            async with places, source.session() as run:
                for cell in CELLS:
                    await run(cell)

        await asyncio.gather(*(session() for _ in range(sessions)))
    close_all()
    done = Many(time.monotonic() - wall, clock() - cpu)
    say(f'{sessions} sessions, {at_a_time} at a time: {way.name}: {done.wall:.1f} s, {done.cpu:.1f} CPU-s')
    return done


async def measure_memory(way: Way, figures: Figures) -> None:
    """Memory of an idle session that has imported the ten modules; the process that forks is nobody's part."""
    if way.settings is not None and way.forks:
        start_fork_server(way.settings)
    before = descendants()
    async with kernels(way) as source, AsyncExitStack() as stack:
        for _ in range(OPEN):
            await (await stack.enter_async_context(source.session()))(TEN)
        sizes = [memory_of(pid) for pid in descendants() - before]
    figures.private, figures.proportional = (sum(column) / OPEN for column in zip(*sizes, strict=True))
    say(f'memory: {way.name}')


def start_fork_server(settings: KernelSettings) -> int:
    """Its pid; started unless it runs."""
    environment = KernelEnvironment.find(settings.environment)
    return fork_server(environment, settings.threads, settings.preload)._process.pid


def measure_fork_server(settings: KernelSettings, clock: Clock) -> dict[str, float]:
    """What the process that forks costs, once in a run of the harness: seconds and bytes."""
    close_all()
    wall, cpu = time.monotonic(), clock()
    pid = start_fork_server(settings)
    cost = {'wall': time.monotonic() - wall, 'cpu': clock() - cpu}
    private, proportional = memory_of(pid)
    return cost | {'private': private, 'proportional': proportional}


def descendants() -> set[int]:
    return {process.pid for process in psutil.Process().children(recursive=True)}


def memory_of(pid: int) -> tuple[int, int]:
    """Bytes of a process: its own, and with its part of what it shares."""
    lines = Path(f'/proc/{pid}/smaps_rollup').read_text().splitlines()[1:]
    sizes = {name: 1024 * int(size) for name, size, _ in map(str.split, lines)}
    return sizes['Private_Clean:'] + sizes['Private_Dirty:'], sizes['Pss:']


# CPU time of a process tree.


@contextmanager
def cpu_clock() -> Iterator[tuple[Clock, str]]:
    """A clock of the CPU seconds of this process and all that it starts from now on, and how it counts."""
    parent, count, unit = accounting()
    folder = parent / f'benchmark-{os.getpid()}'
    try:
        folder.mkdir()
        join(folder)
    except OSError:
        yield seconds_of_machine, 'all CPU time of the machine (/proc/stat): it has to be idle otherwise'
        return
    try:
        yield lambda: count((folder / unit).read_text()), f'a control group ({unit})'
    finally:
        join(parent)
        close_all()
        folder.rmdir()


def accounting() -> tuple[Path, Callable[[str], float], str]:
    """The control group of this process that counts CPU time, and how to read the file that it counts in."""
    root = Path('/sys/fs/cgroup')
    lines = [line.split(':', 2) for line in Path('/proc/self/cgroup').read_text().splitlines()]
    for _, controllers, path in lines:
        if 'cpuacct' in controllers.split(','):
            return root / controllers / path.lstrip('/'), lambda text: int(text) / 1e9, 'cpuacct.usage'
    own = next((path for _, controllers, path in lines if not controllers), '')
    return root / own.lstrip('/'), lambda text: int(text.split()[1]) / 1e6, 'cpu.stat'


def join(group: Path) -> None:
    (group / 'cgroup.procs').write_text(str(os.getpid()))


def seconds_of_machine() -> float:
    user, nice, system, _, _, irq, softirq, *_ = Path('/proc/stat').read_text().split('\n', 1)[0].split()[1:]
    return sum(map(int, (user, nice, system, irq, softirq))) / os.sysconf('SC_CLK_TCK')


# What is shown.


def say(line: str) -> None:
    print(line, flush=True)


def cell(value: float | None, scale: float = 1) -> str:
    return '' if value is None else f'{value * scale:.{2 if value * scale < 1 else 1}f}'


def median(values: list[float]) -> float | None:
    return statistics.median(values) if values else None


def start_table(found: dict[Way, Figures]) -> Table:
    table = Table(title='One session: medians, ms')
    for name in ('kernels from', 'hand-out', 'four modules', 'ten modules', 'trivial cell'):
        table.add_column(name, justify='left' if name == 'kernels from' else 'right')
    for way, figures in found.items():
        measured = (figures.handout, figures.four, figures.ten, figures.cell)
        table.add_row(way.name, *(cell(median(values), 1000) for values in measured))
    return table


def many_table(found: dict[Way, Figures], sessions: int) -> Table:
    table = Table(title=f'{sessions} sessions of {len(CELLS)} cells; memory of an idle session')
    for name in ('1 at a time, s', 'CPU-s', f'{OPEN} at a time, s', 'CPU-s', 'private, MB', 'proportional, MB'):
        if not table.columns:
            table.add_column('kernels from')
        table.add_column(name, justify='right')
    for way, figures in found.items():
        many = [figures.one_at_a_time, figures.four_at_a_time]
        times = [cell(value) for run in many if run for value in (run.wall, run.cpu)]
        table.add_row(way.name, *times, cell(figures.private, 1e-6), cell(figures.proportional, 1e-6))
    return table


def targets(found: dict[Way, Figures]) -> Iterator[tuple[str, float, float, bool]]:
    """What was aimed at: (what, the bound, what was found, whether more is better)."""
    named = {way.name: figures for way, figures in found.items()}
    for name in ('spawn', 'fork'):
        yield f'trivial cell, ms ({name})', 5, 1000 * statistics.median(named[name].cell), False
    for name, bound in (('fork, pool', 50), ('fork', 250)):
        yield f'hand-out with ten modules, ms ({name})', bound, 1000 * statistics.median(named[name].ten), False
    for name in ('fork', 'fork, pool'):
        for at_a_time in ('one_at_a_time', 'four_at_a_time'):
            ratio = getattr(named[YARDSTICK], at_a_time).cpu / getattr(named[name], at_a_time).cpu
            yield f'CPU-s of the yardstick / of {name}, {at_a_time.replace("_", " ")}', 6, ratio, True


def target_table(found: dict[Way, Figures]) -> Table:
    table = Table(title='Targets')
    for name in ('what', 'target', 'found', ''):
        table.add_column(name, justify='left' if name == 'what' else 'right')
    for what, bound, value, more in targets(found):
        met = value >= bound if more else value <= bound
        table.add_row(what, f'{">=" if more else "<="} {bound:g}', f'{value:.1f}', 'met' if met else 'missed')
    return table


async def measure(found: dict[Way, Figures], options: argparse.Namespace, clock: Clock) -> dict[str, float]:
    """Find all figures; those of the process that forks are returned."""
    fork = next(way.settings for way in found if way.forks)
    assert fork is not None
    for way in found:  # caches of files, bytecode and fonts: nobody is first
        async with kernels(way) as source:
            await seconds_until(source, ';'.join((TEN, *CELLS[0].splitlines())))
        say(f'warm-up: {way.name}')
    server = measure_fork_server(fork, clock)
    await measure_start(found, options.repeat, options.imports)
    await measure_cells(found)
    for way, figures in found.items():
        if not way.pooled:
            await measure_memory(way, figures)
    for way, figures in found.items():
        figures.one_at_a_time = await measure_many(way, options.sessions, 1, clock)
        figures.four_at_a_time = await measure_many(way, options.sessions, OPEN, clock)
    return server


def show(found: dict[Way, Figures], server: dict[str, float], sessions: int, heading: str) -> None:
    console = Console(width=None if sys.stdout.isatty() else 120)
    console.print(f'\n{heading}')
    for table in (start_table(found), many_table(found, sessions), target_table(found)):
        console.print(table)
    console.print(
        f'The process that forks, within the CPU-s above: {server["wall"]:.1f} s and {server["cpu"]:.1f} CPU-s '
        f'to start, {server["proportional"] / 1e6:.0f} MB while it has no kernels'
    )


def main() -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or '').partition('\n')[0])
    parser.add_argument('--repeat', type=int, default=10, help='hand-outs')
    parser.add_argument('--imports', type=int, default=3, help='sessions that import')
    parser.add_argument('--sessions', type=int, default=50)
    parser.add_argument('--sandbox', choices=choices(), default='auto')
    parser.add_argument('--json', type=Path, metavar='FILE')
    options = parser.parse_args()
    with cpu_clock() as (clock, method):
        found = {way: Figures() for way in ways(options.sandbox)}
        server = asyncio.run(measure(found, options, clock))
    machine = f'{os.cpu_count()} cores, CPython {platform.python_version()}, sandbox {choose(options.sandbox).label}'
    show(found, server, options.sessions, f'{machine}; CPU-s: {method}')
    if options.json:
        report: dict[str, Any] = {way.name: asdict(figures) for way, figures in found.items()}
        report |= {'machine': machine, 'cpu': method, 'fork server': server}
        options.json.write_text(json.dumps(report, indent=1))


if __name__ == '__main__':
    main()
