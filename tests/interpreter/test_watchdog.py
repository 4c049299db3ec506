"""What is watched: only what nothing else limits, and never on the event loop."""

import asyncio
import threading
from pathlib import Path

import pytest

from cibench_eval.interpreter import KernelSettings
from cibench_eval.interpreter.cgroup import Cgroup
from cibench_eval.interpreter.environments import KernelEnvironment
from cibench_eval.interpreter.kernel import Kernel
from cibench_eval.interpreter.sandboxes.base import LIMITS
from cibench_eval.interpreter.watchdog import Watchdog
from cibench_eval.schema import HarnessError
from tests.interpreter.programs import FORK, NONE_FORK, groups_can_be_made, level_problem

needs_group = pytest.mark.skipif(not groups_can_be_made(), reason='no control groups can be made here')
needs_bubblewrap = pytest.mark.skipif(bool(level_problem(FORK)), reason=f'no bubblewrap here: {level_problem(FORK)}')


def started(level, look):
    """What `look` says of a kernel that has started."""

    async def session():
        settings = KernelSettings(sandbox=level.sandbox, preload=())
        kernel = Kernel(settings, KernelEnvironment.find('modern'), settings.chosen_sandbox())
        await kernel.start()
        try:
            return look(kernel)
        finally:
            await kernel.stop()

    return asyncio.run(session())


def watched(kernel):
    """Whether a watchdog runs, and what for."""
    return kernel._watch is not None, Watchdog(kernel._process.session, kernel.settings).limits


@pytest.mark.kernel
@needs_group
@needs_bubblewrap
def test_where_a_control_group_limits_a_session_nothing_is_watched():
    assert started(FORK, watched) == (False, frozenset())


@pytest.mark.kernel
@needs_group
def test_without_a_sandbox_the_disk_alone_is_watched():
    assert started(NONE_FORK, watched) == (True, {'disk'})


@pytest.mark.kernel
def test_without_a_control_group_memory_is_watched(monkeypatch):
    monkeypatch.setattr(Cgroup, 'make', classmethod(lambda *_: None))
    assert started(NONE_FORK, watched) == (True, LIMITS)


@pytest.mark.kernel
@needs_bubblewrap
def test_behind_bubblewrap_resource_limits_count_processes(monkeypatch):
    monkeypatch.setattr(Cgroup, 'make', classmethod(lambda *_: None))
    assert started(FORK, watched) == (True, {'memory'})


@pytest.mark.kernel
@pytest.mark.parametrize('start', ['spawn', 'fork'])
def test_a_session_that_cannot_enter_its_control_group_does_not_start(monkeypatch, start, tmp_path):
    """It would run without limits, and nobody would watch it."""
    group = Cgroup((tmp_path / 'gone',), frozenset({'memory', 'processes'}))
    monkeypatch.setattr(Cgroup, 'make', classmethod(lambda *_: group))
    settings = KernelSettings(sandbox='none', preload=(), start=start)

    async def session():
        await Kernel(settings, KernelEnvironment.find('modern'), settings.chosen_sandbox()).start()

    with pytest.raises(HarnessError, match=r'did not start: .*gone/cgroup\.procs'):
        asyncio.run(session())


class Slow:
    """A session whose processes cannot be read before the event loop has gone on."""

    enforced = frozenset({'processes', 'disk'})
    own_processes = 0

    def __init__(self):
        self._loop, self.reading, self.goes_on = asyncio.get_running_loop(), asyncio.Event(), threading.Event()

    def processes(self):
        self._loop.call_soon_threadsafe(self.reading.set)
        assert self.goes_on.wait(60)
        return [Path('/proc/self')]

    def file_systems(self):
        return []

    def sockets(self):
        return 0

    def disk_folder(self):
        return None


def test_the_loop_goes_on_while_a_session_is_looked_at():
    async def run():
        session = Slow()
        task = asyncio.create_task(Watchdog(session, KernelSettings(memory=1)).wait_for_violation())
        await session.reading.wait()
        session.goes_on.set()
        return await task

    assert asyncio.run(run()) == 'the session used more than 9.31e-10 GiB of memory'
