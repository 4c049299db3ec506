"""The pool: ready kernels, each handed out once, none left."""

import asyncio

import pytest

from cibench_eval.interpreter import Interpreter, KernelPool, KernelSettings
from cibench_eval.interpreter.kernel import Kernel
from cibench_eval.interpreter.sandboxes import bubblewrap
from cibench_eval.schema import HarnessError
from tests.interpreter.programs import FORK, children, level_problem

pytestmark = pytest.mark.kernel
SETTINGS = KernelSettings(sandbox='auto', preload=(), pool_size=2)


def test_data_come_with_the_hand_out(tmp_path):
    """Kernels are started before it is known for which experiment."""
    for name in ('a', 'b'):
        (tmp_path / name / 'data').mkdir(parents=True)
        (tmp_path / name / 'data' / 'x.txt').write_text(name)

    async def read(pool, name):
        settings = SETTINGS.model_copy(update={'datasources': tmp_path / name})
        async with Interpreter(settings, pool) as interpreter:
            return (await interpreter.run("open('data/x.txt').read(), open('data/x.txt', 'a').write('+')")).result

    async def run():
        async with KernelPool(SETTINGS) as pool:
            return await asyncio.gather(*(read(pool, name) for name in 'abab'))

    assert asyncio.run(run()) == ["('a', 1)", "('b', 1)", "('a', 1)", "('b', 1)"]
    assert (tmp_path / 'a' / 'data' / 'x.txt').read_text() == 'a'


def test_a_kernel_that_died_while_it_waited_is_not_handed_out():
    async def run():
        async with KernelPool(SETTINGS) as pool:
            waiting = await asyncio.gather(*pool._starting)
            for kernel in waiting:
                await kernel._process.kill()
            async with Interpreter(SETTINGS, pool) as interpreter:
                return (await interpreter.run('1')).result

    assert asyncio.run(run()) == '1'


def test_a_start_that_failed_before_it_was_wanted_is_not_the_first_of_two_tries(monkeypatch):
    """It was lost with a fork server, say; the next may be lost with another."""
    start, lost = Kernel.start, ['in the pool', 'at the first try']

    async def lost_twice(kernel):
        if lost:
            raise HarnessError(f'kernels: lost {lost.pop(0)}')
        await start(kernel)

    async def run():
        settings = SETTINGS.model_copy(update={'pool_size': 1})
        async with KernelPool(settings) as pool:
            await asyncio.wait(pool._starting)
            async with Interpreter(settings, pool) as interpreter:
                return (await interpreter.run('1')).result

    monkeypatch.setattr(Kernel, 'start', lost_twice)
    assert asyncio.run(run()) == '1'
    assert lost == []


@pytest.mark.parametrize('filled', [False, True])
def test_its_end_leaves_nothing(filled):
    async def run():
        async with KernelPool(SETTINGS) as pool:
            if filled:
                await asyncio.gather(*pool._starting)
            else:
                await asyncio.wait(pool._starting, timeout=0.01)

    before = children()
    asyncio.run(run())
    assert children() - before == set()


@pytest.mark.skipif(bool(level_problem(FORK)), reason=f'no bubblewrap here: {level_problem(FORK)}')
def test_kernels_that_cannot_start_are_a_harness_error(monkeypatch):
    """A sandbox that cannot be set up, while sessions wait for it."""

    async def run():
        async with KernelPool(SETTINGS) as pool:
            await pool.take()

    monkeypatch.setattr(bubblewrap.BwrapCommand, 'line', lambda *_, **__: ['false'])
    with pytest.raises(HarnessError, match='bubblewrap does not start'):
        asyncio.run(run())
