"""What is watched: only what nothing else limits, and never on the event loop."""

import asyncio
import itertools
import threading
from pathlib import Path

import pytest

from cibench_eval.interpreter import KernelSettings, watchdog
from cibench_eval.interpreter.cgroup import Cgroup
from cibench_eval.schema import HarnessError
from tests.interpreter.programs import FORK, NONE_FORK, groups_can_be_made, level_problem, run, with_kernel

needs_group = pytest.mark.skipif(not groups_can_be_made(), reason='no control groups can be made here')
needs_bubblewrap = pytest.mark.skipif(bool(level_problem(FORK)), reason=f'no bubblewrap here: {level_problem(FORK)}')


def without_groups(patch):
    patch.setattr(Cgroup, 'make', classmethod(lambda *_: None))


@pytest.mark.kernel
@pytest.mark.parametrize(
    ('level', 'groups', 'watched'),
    [
        pytest.param(FORK, True, set(), marks=[needs_group, needs_bubblewrap]),
        pytest.param(NONE_FORK, True, {'disk'}, marks=needs_group),
        pytest.param(NONE_FORK, False, {'memory', 'processes', 'disk'}),
        pytest.param(FORK, False, {'memory'}, marks=needs_bubblewrap),  # resource limits count processes
    ],
    ids=['group', 'no sandbox', 'no sandbox, no group', 'no group'],
)
def test_what_nothing_else_limits_is_watched(monkeypatch, level, groups, watched):
    if not groups:
        without_groups(monkeypatch)

    async def session(kernel):
        return kernel._watch is not None, watchdog.Watchdog(kernel._process.session, kernel.settings).watched

    settings = KernelSettings(sandbox=level.sandbox, preload=())
    assert with_kernel(settings, session) == (bool(watched), watched)


@pytest.mark.kernel
@pytest.mark.parametrize('start', ['spawn', 'fork'])
def test_a_session_that_cannot_enter_its_control_group_does_not_start(monkeypatch, start, tmp_path):
    """It would run without limits, and nobody would watch it."""
    group = Cgroup((tmp_path / 'gone',), frozenset({'memory', 'processes'}))
    monkeypatch.setattr(Cgroup, 'make', classmethod(lambda *_: group))
    with pytest.raises(HarnessError, match=r'did not start: .*gone/cgroup\.procs'):
        run('1', sandbox='none', start=start)


class Own:
    enforced = frozenset({'processes', 'disk'})
    own_processes = 0

    def processes(self):
        return [Path('/proc/self')]

    def file_systems(self):
        return []

    def sockets(self):
        return 0

    def queued(self):
        return 0

    def disk_folder(self):
        return None


class Slow(Own):
    """A session whose processes cannot be read before the event loop has gone on."""

    def __init__(self):
        self._loop, self.reading, self.goes_on = asyncio.get_running_loop(), asyncio.Event(), threading.Event()

    def processes(self):
        self._loop.call_soon_threadsafe(self.reading.set)
        assert self.goes_on.wait(60)
        return super().processes()


class Endless(Own):
    def processes(self):
        return itertools.repeat(Path('/proc/self'))


class Deep(Own):
    enforced = frozenset({'processes', 'memory'})

    def disk_folder(self):
        return Path('/usr')


def test_the_loop_goes_on_while_a_session_is_looked_at():
    async def run():
        session = Slow()
        task = asyncio.create_task(
            watchdog.Watchdog(session, KernelSettings().model_copy(update={'memory': 1})).wait_for_violation()
        )
        await session.reading.wait()
        session.goes_on.set()
        return await task

    assert asyncio.run(run()) == 'the session used more than 9.31e-10 GiB of memory'


def test_sessions_that_are_slow_to_look_at_hold_up_no_other():
    async def run():
        slow = [Slow() for _ in range(20)]
        tasks = [
            asyncio.create_task(watchdog.Watchdog(session, KernelSettings()).wait_for_violation()) for session in slow
        ]
        try:
            async with asyncio.timeout(60):
                await asyncio.gather(*(session.reading.wait() for session in slow))
            return await watchdog.Watchdog(
                Own(), KernelSettings().model_copy(update={'memory': 1})
            ).wait_for_violation()
        finally:
            for session, task in zip(slow, tasks, strict=True):
                task.cancel()
                session.goes_on.set()

    assert 'GiB of memory' in asyncio.run(run())


@pytest.mark.parametrize('session', [Endless(), Deep()])
def test_what_cannot_be_measured_in_time_is_too_much(monkeypatch, session):
    monkeypatch.setattr(watchdog, 'CHECK_SECONDS', 0.01)
    watched = watchdog.Watchdog(session, KernelSettings())
    found = [watched.check() for _ in range(watchdog.TOO_MANY_UNMEASURED)]
    assert found == [*[''] * (watchdog.TOO_MANY_UNMEASURED - 1), 'what the session uses could not be measured in time']


def test_a_check_in_time_makes_up_for_those_before(monkeypatch):
    session = Endless()
    watched = watchdog.Watchdog(session, KernelSettings())
    monkeypatch.setattr(watchdog, 'CHECK_SECONDS', 0.01)
    for _ in range(3):
        found = [watched.check() for _ in range(watchdog.TOO_MANY_UNMEASURED - 1)]
        with monkeypatch.context() as patch:
            patch.setattr(session, 'processes', lambda: [Path('/proc/self')])
            found.append(watched.check())
        assert found == [''] * watchdog.TOO_MANY_UNMEASURED


def test_memory_is_read_exactly_only_until_it_is_clear(monkeypatch):
    """Each reading is slow where processes share much."""
    read = []
    monkeypatch.setattr(watchdog, '_proportional', lambda folder, resident: read.append(resident) or resident)
    sizes = {'/proc/1': 100, '/proc/2': 5000, '/proc/3': 1000}
    monkeypatch.setattr(watchdog, 'read_process', lambda folder: watchdog.Process('S', 1, sizes[str(folder)], 0))
    session = Own()
    session.processes = lambda: map(Path, sizes)
    assert 'GiB of memory' in watchdog.Watchdog(session, KernelSettings().model_copy(update={'memory': 5500})).check()
    assert read == [5000, 1000]
    assert watchdog.Watchdog(session, KernelSettings().model_copy(update={'memory': 6100})).check() == ''
    assert read == [5000, 1000]


IN_SOCKETS = """\
import socket, threading
pairs = [socket.socketpair() for _ in range(480)]
for one, other in pairs:
    for end in (one, other):
        end.setblocking(False)
        end.send(b'x' * 4000)
threading.Event().wait()
"""


@pytest.mark.kernel
@pytest.mark.parametrize('start', ['fork', 'spawn'])
@needs_bubblewrap
def test_what_sockets_hold_is_counted_where_no_group_does(monkeypatch, start):
    """Four thousand bytes in each of 960: what they could hold counts, so that a test needs no gigabytes."""
    without_groups(monkeypatch)
    (execution,) = run(IN_SOCKETS, sandbox='bubblewrap', start=start, memory=400 * 2**20)
    assert execution.status == 'kernel_died'
    assert execution.error.value.startswith('the session used more than 0.391 GiB of memory;')
