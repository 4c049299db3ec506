"""What sessions leave behind: many in a row, and a count of everything before and after.

    python benchmarks/leaks.py [2000] [--parallel 2] [--start fork] [--sandbox none]

The sessions take turns through both ways to start, both levels of sandbox, with and without a pool, and through fates:
they run a few cells to their end, die, time out, leave daemons or a flood of output, or are cancelled in the middle.
The exit code is 1 when anything is left over, a session ends otherwise than it should, or memory grows beyond a bound.
"""

import argparse
import asyncio
import itertools
import os
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
from rich.console import Console
from rich.table import Table

from cibench_eval.interpreter.cgroup import Cgroup
from cibench_eval.interpreter.forkserver import _servers
from cibench_eval.interpreter.interpreter import Interpreter
from cibench_eval.interpreter.pool import KernelPool
from cibench_eval.interpreter.sandboxes import names
from cibench_eval.interpreter.sandboxes.bubblewrap import bubblewrap_problem
from cibench_eval.interpreter.scratch import scratch
from cibench_eval.interpreter.settings import KernelSettings

SLEEP = f'import time; time.sleep(86400) or {os.getpid()}'
"""What daemons do; the number tells those of this run."""
DAEMON = f"""\
import subprocess, sys
child = subprocess.Popen([sys.executable, '-c', {SLEEP!r}], start_new_session=%s)
"""
STUBBORN = 'import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass'
FATES = {
    'cells': {'x = 1': 'ok', 'print(x)': 'ok', 'x + 1': 'ok'},
    'dies': {'x = 1': 'ok', 'import os; os._exit(3)': 'kernel_died', 'x': 'ok'},
    'stubborn': {'x = 1': 'ok', STUBBORN: 'timeout', 'x': 'ok'},
    'daemon': {DAEMON % False: 'ok', 'child.pid': 'ok'},
    'interrupted': {'x = 1': 'ok', 'while True: pass': 'timeout', 'x': 'ok'},
    'lonely daemon': {DAEMON % True: 'ok', 'child.pid': 'ok'},
    'flood': {"print('x' * 3_000_000)": 'ok', 'raise ValueError': 'error'},
    'cancelled': {'x = 1': 'ok', 'import time; time.sleep(3600)': 'never'},
}
"""The cells of a session and how they end, by what becomes of it."""
BLOCK = 0.5
"""Seconds that a code block gets which does not end by itself, and then again until it is killed."""
THREADS = 8
"""Threads of the event loop's executor."""
SAMPLES = 20
"""Sessions between two looks at memory."""
HARNESS_GROWTH, SERVER_GROWTH = 1.0, 0.5
"""MB in 100 sessions, above which memory counts as leaking."""
MEGABYTE = 2**20


@dataclass(frozen=True)
class Case:
    """A session: how it starts, where, from a pool or not, and what becomes of it."""

    start: str
    sandbox: str
    pooled: bool
    fate: str

    @property
    def settings(self) -> KernelSettings:
        return KernelSettings.model_validate(
            {'start': self.start, 'sandbox': self.sandbox, 'pool_size': 1, 'grace': BLOCK}
        )


@dataclass(frozen=True)
class Memory:
    """Bytes after a number of sessions; the forking process counts what is its alone."""

    sessions: int
    harness: int
    server: int


@dataclass(frozen=True)
class Report:
    """Counts of everything before and after, and memory in between."""

    before: dict[str, int]
    after: dict[str, int]
    memory: list[Memory]
    faults: list[str]
    """Sessions that did not end as they should."""

    @property
    def left_over(self) -> dict[str, int]:
        """What there is more of (or less) than before."""
        return {name: self.after[name] - count for name, count in self.before.items() if self.after[name] != count}

    def growth(self, who: str) -> float:
        """MB in 100 sessions, by the line that fits best the second half, when all that is used once is there."""
        half = self.memory[len(self.memory) // 2 :]
        return slope([(sample.sessions, getattr(sample, who)) for sample in half]) * 100 / MEGABYTE


def slope(points: list[tuple[int, int]]) -> float:
    """Of the line with the least squares; 0 for a single point."""
    middle = sum(x for x, _ in points) / len(points)
    spread = sum((x - middle) ** 2 for x, _ in points)
    return sum((x - middle) * y for x, y in points) / spread if spread else 0.0


def cases(starts: tuple[str, ...], sandboxes: tuple[str, ...], groups: bool) -> Iterator[Case]:
    """Every way to start with every fate, again and again, so mixed that few sessions have something of everything.

    Without a sandbox, only control groups (`groups`) end a daemon that has left its process group.
    """
    places = list(itertools.product(starts, sandboxes, (False, True)))
    fates = list(FATES)
    for number in itertools.count():
        turn, place = divmod(number, len(places))
        start, sandbox, pooled = places[place]
        fate = fates[(number + turn) % len(fates)]
        if fate == 'lonely daemon' and sandbox == 'none' and not groups:
            fate = 'daemon'
        yield Case(start, sandbox, pooled, fate)


class Soak:
    """Runs sessions, those from a pool with one pool for each kind of settings."""

    def __init__(self, parallel: int) -> None:
        self.places = asyncio.Semaphore(parallel)
        self.pools: dict[KernelSettings, KernelPool] = {}
        self.ended = 0
        self.memory: list[Memory] = []
        self.faults: list[str] = []

    @asynccontextmanager
    async def open_pools(self, kinds: set[KernelSettings]) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            self.pools = {settings: await stack.enter_async_context(KernelPool(settings)) for settings in kinds}
            yield

    async def session(self, case: Case) -> None:
        async with self.places:
            task = asyncio.create_task(self._cells(case))
            if case.fate == 'cancelled':
                await asyncio.wait([task], timeout=self.ended % 40 / 100)  # it starts, runs or has just been asked for
                task.cancel()
            (outcome,) = await asyncio.gather(task, return_exceptions=True)
        if isinstance(outcome, Exception):
            self.faults.append(f'{case}: {outcome!r}')
        self.ended += 1
        if self.ended % SAMPLES == 0:
            self.memory.append(Memory(self.ended, rss(), forking_memory()))
        if self.ended % 100 == 0:
            print(f'{self.ended} sessions; harness {rss() / MEGABYTE:.1f} MB', flush=True)

    async def _cells(self, case: Case) -> None:
        settings = case.settings
        async with Interpreter(settings, self.pools[settings] if case.pooled else None) as interpreter:
            for code, status in FATES[case.fate].items():
                execution = await interpreter.run(code, timeout=BLOCK if status == 'timeout' else None)
                if execution.status != status:
                    self.faults.append(f'{case}: {code!r} ended with {execution.status}: {execution.error}')


# What is counted.


def count() -> dict[str, int]:
    """Everything that a session could leave behind, of this process and on this machine."""
    children = psutil.Process().children(recursive=True)
    servers = [psutil.Process(pid) for pid in forking()]
    return {
        'file descriptors': entries('/proc/self/fd'),
        'file descriptors of forking processes': sum(server.num_fds() for server in servers),
        'threads': entries('/proc/self/task'),
        'child processes': len(children),
        'zombies': sum(is_zombie(child) for child in children),
        'daemons of sessions': sum(is_daemon(process) for process in psutil.process_iter()),
        'entries of the scratch folder': entries(scratch()),
        'entries of the temporary folder': entries(tempfile.gettempdir()),
        'control groups': sum(name.startswith(f'cibench-{os.getpid()}-') for name in control_groups()),
        'unix sockets': unix_sockets(),
        'mounts in these folders': len(mounts_in(str(scratch()), tempfile.gettempdir())),
        'asyncio tasks': len(asyncio.all_tasks()),
        'event loop readers': len(asyncio.get_running_loop()._selector.get_map()),  # type: ignore[attr-defined]
        'python threads': threading.active_count(),
    }


def control_groups() -> Iterator[str]:
    """The names of all on this machine. Others' come and go meanwhile, which ends `rglob` in an error, and no walk."""
    return (name for _, names, _ in os.walk('/sys/fs/cgroup') for name in names)


def entries(folder: str | Path) -> int:
    return len(list(Path(folder).iterdir()))


def mounts_in(*folders: str) -> list[str]:
    places = [line.split()[1] for line in Path('/proc/self/mounts').read_text().splitlines()]
    return [place for place in places if place.startswith(folders)]


def is_zombie(process: psutil.Process) -> bool:
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def is_daemon(process: psutil.Process) -> bool:
    try:
        return process.cmdline()[2:] == [SLEEP]
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return False


def unix_sockets() -> int:
    """Those that are open here, and those bound in a folder of a session that the host can see."""
    links = [str(path.readlink()) for path in Path('/proc/self/fd').iterdir() if path.is_symlink()]
    rows = [line.split() for line in Path('/proc/net/unix').read_text().splitlines()[1:]]
    return sum(f'socket:[{row[6]}]' in links or row[-1].startswith(str(scratch())) for row in rows)


def forking() -> list[int]:
    return [server._process.pid for server in _servers.values()]


def rss() -> int:
    return psutil.Process().memory_info().rss


def forking_memory() -> int:
    """Bytes that the processes that fork have for themselves or share with kernels only."""
    return sum(psutil.Process(pid).memory_info().rss for pid in forking())


# The run.


async def soak(
    sessions: int,
    parallel: int = 1,
    starts: tuple[str, ...] = ('fork', 'spawn'),
    sandboxes: tuple[str, ...] = ('bubblewrap', 'none'),
) -> Report:
    """Run sessions and count before and after.

    Args:
        sessions: how many, after one of each kind that warms up what a process has once: threads, a fork server.
        parallel: how many at a time.
        starts: values of `KernelSettings.start`.
        sandboxes: values of `KernelSettings.sandbox`.
    """
    with own_temporary_folder():
        return await _soak(sessions, parallel, starts, sandboxes)


async def _soak(sessions: int, parallel: int, starts: tuple[str, ...], sandboxes: tuple[str, ...]) -> Report:
    use_all_threads()
    warm_up = {Case(start, sandbox, False, 'cells') for start in starts for sandbox in sandboxes}
    run = Soak(parallel)
    for case in warm_up:
        await run.session(case)
    group = Cgroup.make(2**30, 100)
    if group is not None:
        await group.remove()
    before = count()
    async with run.open_pools({case.settings for case in warm_up}):
        every = list(itertools.islice(cases(starts, sandboxes, group is not None), sessions))
        await asyncio.gather(*(run.session(case) for case in every))
    return Report(before, await settled(before), run.memory, run.faults)


@contextmanager
def own_temporary_folder() -> Iterator[None]:
    """What others put into the machine's meanwhile is not counted; the scratch folder stays where it is."""
    scratch()
    usual = tempfile.tempdir
    with tempfile.TemporaryDirectory() as folder:
        tempfile.tempdir = folder
        try:
            yield
        finally:
            tempfile.tempdir = usual


def use_all_threads() -> None:
    """Give the loop an executor whose threads are all there already, so that they can be counted."""
    workers, together = ThreadPoolExecutor(THREADS), threading.Barrier(THREADS)
    list(workers.map(lambda _: together.wait(), range(THREADS)))
    asyncio.get_running_loop().set_default_executor(workers)


async def settled(before: dict[str, int], patience: float = 10) -> dict[str, int]:
    """The counts, when they are as before or after `patience` seconds: processes that were killed end in their time."""
    deadline = time.monotonic() + patience
    while (after := count()) != before and time.monotonic() < deadline:
        await asyncio.sleep(0.1)
    return after


def show(report: Report, seconds: float) -> bool:
    """Print a report; whether all is well."""
    table = Table(title='Before and after')
    for name in ('what', 'before', 'after', 'left over'):
        table.add_column(name, justify='left' if name == 'what' else 'right')
    for name, number in report.before.items():
        table.add_row(name, str(number), str(report.after[name]), str(report.left_over.get(name, '')))
    Console(width=None if sys.stdout.isatty() else 120).print(table)
    for fault in report.faults:
        print(fault)
    well = not report.left_over and not report.faults
    for who, bound in (('harness', HARNESS_GROWTH), ('server', SERVER_GROWTH)):
        sizes = [getattr(sample, who) / MEGABYTE for sample in report.memory]
        if sizes:
            grown = report.growth(who)
            well &= grown <= bound
            change = f'{sizes[0]:.1f} -> {sizes[-1]:.1f} MB; {grown:+.2f} MB in 100 sessions (bound {bound})'
            print(f'memory of {who}: {change}')
    print(f'{seconds:.0f} s: {"nothing is left over" if well else "something is wrong"}')
    return well


def main() -> None:
    """Run and print; the exit code says whether something leaks."""
    parser = argparse.ArgumentParser(description=(__doc__ or '').partition('\n')[0])
    parser.add_argument('sessions', type=int, nargs='?', default=2000)
    parser.add_argument('--parallel', type=int, default=1, metavar='K')
    parser.add_argument('--start', choices=('fork', 'spawn'), action='append')
    parser.add_argument('--sandbox', choices=names(), action='append')
    options = parser.parse_args()
    sandboxes = options.sandbox or (['none'] if bubblewrap_problem() else ['bubblewrap', 'none'])
    started = time.monotonic()
    starts = options.start or ['fork', 'spawn']
    report = asyncio.run(soak(options.sessions, options.parallel, tuple(starts), tuple(sandboxes)))
    sys.exit(not show(report, time.monotonic() - started))


if __name__ == '__main__':
    main()
