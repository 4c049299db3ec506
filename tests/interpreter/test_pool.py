"""The pool: ready kernels, each handed out once, none left."""

import asyncio

import psutil
import pytest

from cibench_eval.interpreter import Interpreter, KernelPool, KernelSettings
from cibench_eval.interpreter.sandbox import NoSandbox, bubblewrap
from cibench_eval.schema import HarnessError

pytestmark = pytest.mark.kernel
SETTINGS = KernelSettings(sandbox='auto', preload=(), ready=2)


def test_no_kernel_is_handed_out_twice():
    async def run():
        async with KernelPool(SETTINGS) as pool:
            for _ in range(4):
                async with Interpreter(SETTINGS, pool) as interpreter:
                    yield await interpreter.run("'x' in dir()"), await interpreter.run('x = 1')

    async def all_of():
        return [pair async for pair in run()]

    assert [(first.result, second.status) for first, second in asyncio.run(all_of())] == [('False', 'ok')] * 4


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


@pytest.mark.parametrize('filled', [False, True])
def test_its_end_leaves_nothing(filled):
    async def run():
        async with KernelPool(SETTINGS) as pool:
            if filled:
                await asyncio.gather(*pool._starting)
            else:
                await asyncio.wait(pool._starting, timeout=0.01)

    before = {process.pid for process in psutil.Process().children(recursive=True)}
    asyncio.run(run())
    left = [p for p in psutil.Process().children(recursive=True) if p.pid not in before]
    assert [
        p.cmdline() for p in left if p.status() != psutil.STATUS_ZOMBIE and 'prefork.py' not in str(p.cmdline())
    ] == []


def test_kernels_that_cannot_start_are_a_harness_error(tmp_path):
    """Walls that cannot be raised, while sessions wait for them."""

    class Broken(type(bubblewrap()) if not isinstance(bubblewrap(), str) else NoSandbox):
        def command(self, argv, **_):
            return ['false']

    async def run():
        async with KernelPool(SETTINGS) as pool:
            await pool.take()

    with pytest.MonkeyPatch.context() as patch:
        if isinstance(bubblewrap(), str):
            pytest.skip(f'no walls here: {bubblewrap()}')
        patch.setattr('cibench_eval.interpreter.pool.choose', lambda _: Broken(bubblewrap().unprivileged))
        with pytest.raises(HarnessError, match='bubblewrap does not start'):
            asyncio.run(run())
