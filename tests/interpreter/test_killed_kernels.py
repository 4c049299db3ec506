"""Kernels that are killed from outside, of which nothing is seen, and those that their own code kills."""

import asyncio
import signal

import pytest

from cibench_eval.interpreter import Interpreter, KernelPool, KernelSettings, forkserver
from cibench_eval.interpreter import kernel as module
from cibench_eval.interpreter.kernel import Kernel

pytestmark = pytest.mark.kernel
SETTINGS = KernelSettings(sandbox='auto', preload=(), grace=1)
DIES = 'import os; os._exit(1)'
DIES_WHEN_ASKED = f'def f(*_):\n {DIES}\nget_ipython().kernel.shell_handlers["describe_request"] = f'


class Kernels:
    """All kernels that are started, so that one can be killed."""

    def __init__(self, monkeypatch):
        self.started = []
        self.due = False
        """Whether the next thing that is looked for kills the newest one, once."""
        self._monkeypatch = monkeypatch
        start = Kernel.start

        async def noted(kernel):
            self.started.append(kernel)
            await start(kernel)

        monkeypatch.setattr(Kernel, 'start', noted)

    def kill(self, by=signal.SIGKILL):
        signal.pidfd_send_signal(self.started[-1]._process.session.pidfd, by)

    def kill_at(self, where, name, by=signal.SIGKILL):
        """Kill the newest kernel once, when a method is called the next time."""
        method = getattr(where, name)
        self.due = True

        def deadly(*arguments, **options):
            if self.due:
                self.due = False
                self.kill(by)
            return method(*arguments, **options)

        self._monkeypatch.setattr(where, name, deadly)


@pytest.fixture
def kernels(monkeypatch):
    return Kernels(monkeypatch)


def session(work, **settings):
    async def running():
        async with Interpreter(SETTINGS.model_copy(update=settings)) as interpreter:
            return await work(interpreter)

    return asyncio.run(running())


HALF_DONE = ('n = 20', 'm = [n, 1]\n1 / 0')
UNREAD = dict.fromkeys(['n', 'x'], ('unknown', 'KernelDied'))


@pytest.mark.parametrize('moment', ['before', 'when asked', 'silent'])
def test_variables_are_what_they_were_in_a_kernel_that_was_killed(kernels, monkeypatch, moment):
    """Or in one that had no time to answer, as on a busy machine. What a failed block has left is there, too."""

    monkeypatch.setattr(module, 'DESCRIBING', 1.0)

    async def work(interpreter):
        done = [(await interpreter.run(code)).status for code in HALF_DONE]
        undisturbed = await interpreter.describe(['n', 'm', 'x'])
        if moment == 'before':
            kernels.kill()
        else:
            kernels.kill_at(module.Requests, 'send', signal.SIGSTOP if moment == 'silent' else signal.SIGKILL)
        return done, undisturbed, await interpreter.describe(['n', 'm', 'x']), await interpreter.run('m')

    done, undisturbed, states, after = session(work)
    assert done == ['ok', 'error'] and set(undisturbed) == {'n', 'm'}
    assert states == undisturbed
    assert after.result == '[20, 1]' and len(kernels.started) == 2


def test_a_block_whose_kernel_is_killed_runs_again(kernels):
    async def work(interpreter):
        for code in HALF_DONE:
            await interpreter.run(code)
        kernels.kill_at(module.OutputCollector, 'steps')
        return await interpreter.run("print('begun', flush=True)\nfor _ in range(10**7): pass\nm.append(2)\nm")

    execution = session(work)
    assert (execution.status, execution.stdout, execution.result) == ('ok', 'begun\n', '[20, 1, 2]')
    assert execution.recovery > 0 and len(kernels.started) == 2


def test_a_kernel_that_is_killed_between_blocks_costs_nothing(kernels):
    async def work(interpreter):
        for code in HALF_DONE:
            await interpreter.run(code)
        kernels.kill()
        return await interpreter.run('m')

    assert session(work).result == '[20, 1]'


def test_a_recovery_that_is_killed_leaves_nothing_out(kernels):
    """The block has one more try, so it costs two kernels; then the one in which the first runs again is killed."""

    async def work(interpreter):
        await interpreter.run('n = 20')
        died = await interpreter.run(DIES)
        kernels.kill_at(Kernel, 'execute')
        return died, await interpreter.run('n')

    died, after = session(work)
    assert (died.status, after.result) == ('kernel_died', '20')
    assert len(kernels.started) == 4


def test_code_that_cannot_be_asked_is_unreadable_and_keeps_its_state(kernels):
    async def work(interpreter):
        for code in (*HALF_DONE, DIES_WHEN_ASKED):
            await interpreter.run(code)
        states = [await interpreter.describe(['n', 'x']) for _ in range(3)]
        return states, await interpreter.run('m')

    states, after = session(work)
    assert all({name: (one.kind, one.why) for name, one in found.items()} == UNREAD for found in states)
    assert after.result == '[20, 1]'
    assert len(kernels.started) < 10


def test_a_session_over_a_limit_is_not_tried_again(kernels):
    async def work(interpreter):
        assert await interpreter.describe(['x']) == {}  # before there is a kernel
        return await interpreter.run("x = 'a' * 2**30"), await interpreter.describe(['x'])

    execution, states = session(work, memory=2**28, address_space=2**34)
    assert 'GiB of memory' in execution.error.value
    assert states == {} and len(kernels.started) == 1


def test_a_kernel_that_is_killed_while_it_starts_is_started_again(kernels):
    kernels.kill_at(Kernel, '_open')
    assert session(lambda interpreter: interpreter.run('1 + 1')).result == '2'
    assert len(kernels.started) == 2


def test_sessions_go_on_when_what_they_are_forked_from_is_killed():
    settings = SETTINGS.model_copy(update={'preload': ('json', 'not_there'), 'pool_size': 1})

    async def running():
        async with KernelPool(settings) as pool, Interpreter(settings, pool) as first:
            await first.run('n = 20')
            server = forkserver.fork_server(pool.environment, settings.threads, settings.preload)
            assert server.imported == ['json']
            server._process.kill()
            server._process.wait()
            async with Interpreter(settings, pool) as second:
                return await first.run('n'), await second.run('1 + 1')

    first, second = asyncio.run(running())
    assert (first.result, second.result) == ('20', '2')
