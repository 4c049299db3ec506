"""The interpreter on real kernels of `modern`: outputs, limits, deaths, folders, gold states.

What single blocks do, and what is left of their sessions, is told by the programs of test_awkward.py and
test_hostile.py.
"""

import asyncio
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from cibench_eval.interpreter import BlockingInterpreter, Interpreter, KernelSettings
from cibench_eval.interpreter.sandboxes.base import SandboxedSession
from cibench_eval.interpreter.scratch import scratch
from cibench_eval.interpreter.snapshots import GoldStates
from cibench_eval.schema import CibenchError, HarnessError
from tests.interpreter.programs import CUT, REPO, children, run

pytestmark = pytest.mark.kernel
SETTINGS = KernelSettings(sandbox='auto', preload=())
DIES = 'import os; os._exit(1)'
ALONE = str(REPO / 'cibench_eval' / 'interpreter')
"""Where `scratch` is imported from by itself: the package takes a second."""


def test_no_frame_of_a_traceback_is_looked_for_in_all_modules():
    """`inspect` knows the module of the code of a cell, and that Cython's sources and `<string>` are of none."""
    code = 'import inspect\ndef f(): pass\ninspect.getmodule(f.__code__).__name__'
    own, others = run(code, '[inspect.modulesbyfile[name] for name in ("<string>", "index.pyx")]')
    assert (own.result, others.result) == ("'__main__'", "['', '']")


@pytest.mark.soak
def test_state_that_cannot_be_restored_is_left_out():
    """`a` came from a block that timed out; what stood on it fails in the new kernel, the rest is there."""
    codes = ('x = 1', 'a = 5\nwhile True: pass', 'y = a', DIES, 'x', 'y')
    *_, died, x, y = run(*codes, timeout=1)
    assert died.status == 'kernel_died'
    assert (x.result, y.error.name) == ('1', 'NameError')


def test_what_others_took_does_not_count_when_a_block_is_to_stop(monkeypatch):
    monkeypatch.setattr(SandboxedSession, 'waited', lambda _: time.monotonic())
    (execution,) = run('import time\ntry: time.sleep(99)\nfinally: time.sleep(3.5)', timeout=0.2, grace=3)
    assert (execution.status, execution.error.name) == ('timeout', 'KeyboardInterrupt')


def test_an_interrupt_meets_no_block_but_its_own():
    """The block ends by itself when it is interrupted, and the signal comes when the next one has begun, if it can."""
    late = (
        'import os, signal, threading\nended, begun = threading.Event(), threading.Event()\n'
        'def interrupt():\n    ended.set(); begun.wait(1); os.kill(os.getpid(), signal.SIGINT)\n'
        'get_ipython().kernel._send_interrupt_children = interrupt\nended.wait()'
    )
    first, second = run(late, "begun.set()\nthreading.Event().wait(1)\n'whole'", timeout=2)
    assert (first.status, second.status, second.result) == ('timeout', 'ok', "'whole'")


def test_texts_over_the_limit_keep_head_and_tail():
    code = "import sys\nprint('a' + 'x' * 5000 + 'b', end='')\nprint('c' + 'y' * 500 + 'd', file=sys.stderr, end='')"
    cut, whole, result = run(code, "print('x' * 999)", "'x' * 10**7", output_limit=1000)
    assert cut.stdout == 'a' + 'x' * 499 + CUT + 'x' * 499 + 'b'
    assert (len(cut.stderr), cut.truncated) == (502, True)
    assert (whole.stdout, whole.truncated) == ('x' * 999 + '\n', False)
    assert (result.result, result.truncated) == ("'" + 'x' * 499 + CUT + 'x' * 499 + "'", True)


@pytest.mark.soak
def test_many_small_writes_lose_nothing():
    (execution,) = run('for i in range(2000): print(i, flush=True)')
    assert execution.stdout.split() == [str(i) for i in range(2000)]


def test_what_a_recovery_took_is_said_of_the_block_after_it():
    work, died, after, then = run('c = sum(range(3_000_000))', DIES, 'c', 'c')
    assert (died.status, after.result, then.result) == ('kernel_died', '4499998500000', '4499998500000')
    assert died.recovery > 0.0, 'it was tried again'
    assert after.recovery > 0.0
    assert [work.recovery, then.recovery] == [0.0, 0.0]


@pytest.mark.soak
def test_a_session_has_room_for_so_much_and_no_more():
    figure = 'import matplotlib.pyplot as plt\nplt.plot([1, 2]);'
    raw = "import os\ndisplay({'image/png': b'\\x89PNG\\r\\n\\x1a\\n' + os.urandom(60_000)}, raw=True)"
    texts = ["print('x' * 60_000)"] * 3
    found = run(*texts, figure, "raise ValueError('y' * 20_000)", raw, "kept = 'still'", 'kept', session_output=150_000)
    assert [e.truncated for e in found] == [False, False, True, False, True, True, False, False]
    assert (found[2].stdout, found[2].status) == (CUT, 'ok')
    assert [len(e.figures) for e in found[3:6]] == [1, 0, 0]
    assert (found[4].error.name, len(found[4].error.value)) == ('ValueError', 1000 + len(CUT))
    assert found[-1].result == "'still'"
    assert sum(len(o.text) + len(o.figure.data if o.figure else b'') for e in found for o in e.outputs) < 150_000


def test_python_that_dies_at_once_says_its_last_words(tmp_path):
    """It has ipykernel as far as a look can tell, and ends when it is to be a kernel."""
    python = tmp_path / 'bin' / 'python'
    python.parent.mkdir()
    python.write_text('#!/bin/sh\ncase "$*" in *"-c "*) echo 3.11; exit 0;; esac\necho broken on purpose >&2\nexit 3\n')
    python.chmod(0o755)
    before = set(scratch().iterdir())
    with pytest.raises(HarnessError, match='did not start: broken on purpose'):
        run('1', environment=str(python), sandbox='none', start='spawn')
    assert set(scratch().iterdir()) == before


@pytest.mark.parametrize('start', ['fork', 'spawn'])
def test_session_that_is_cancelled_leaves_nothing(start):
    async def session():
        task = asyncio.create_task(begin())
        await asyncio.wait([task], timeout=0.05)
        task.cancel()
        await asyncio.wait([task])
        return task.cancelled()

    async def begin():
        async with Interpreter(SETTINGS.model_copy(update={'start': start})) as interpreter:
            await interpreter.run('while True: pass')

    before = children()
    assert asyncio.run(session())
    assert children() - before == set()
    assert [path for path in scratch().iterdir() if (path / 'sockets').exists()] == []  # fork servers have none


def test_data_behind_links_out_of_their_folder_are_never_copied(tmp_path):
    """A set may be a stranger's; the folder itself may be a link of one's own, and links may stay within it."""
    (tmp_path / 'secret').write_text('a key')
    data = tmp_path / 'shared/data'
    data.mkdir(parents=True)
    (data / 'x').write_text('1')
    (data / 'y').symlink_to('x')
    (tmp_path / 'datasources').symlink_to('shared')
    code = "print(open('data/x').read(), open('data/y').read())"
    assert [e.stdout for e in run(code, datasources=tmp_path / 'datasources')] == ['1 1\n']
    for place in (tmp_path / 'secret', '../../secret', tmp_path, '/'):
        link = data / 'link'
        link.symlink_to(place)
        with pytest.raises(CibenchError, match='data/link leads out of the folder'):
            run('1', datasources=tmp_path / 'datasources')
        link.unlink()


def test_blocking_interpreter_works_inside_an_event_loop_and_says_where_it_does_not_run():
    def refuses():
        interpreter.close()
        with pytest.raises(CibenchError, match='the interpreter does not run: use it in its `with` block'):
            interpreter.run('1')

    async def caller():
        with interpreter:
            return [interpreter.run('a = 2').status, interpreter.run('a * 3').result]

    interpreter = BlockingInterpreter(SETTINGS)
    refuses()
    assert asyncio.run(caller()) == ['ok', '6']
    refuses()


def test_blocking_interpreter_that_cannot_start_ends_its_thread(tmp_path):
    before = threading.active_count()
    with pytest.raises(CibenchError, match='is not a folder'):
        BlockingInterpreter(SETTINGS.model_copy(update={'datasources': tmp_path / 'none'})).start()
    assert threading.active_count() == before


# --- The scratch folder of a process -----------------------------------------------------------------------------


def start(code, folder):
    return subprocess.Popen(
        [sys.executable, '-c', f'import sys\nsys.path.insert(0, {ALONE!r})\nfrom scratch import scratch\n{code}'],
        env={**os.environ, 'TMPDIR': str(folder)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.soak
def test_processes_that_start_together_keep_their_folders(tmp_path):
    """Each sweeps while the others make theirs; in each, many threads ask at once."""
    code = (
        'from concurrent.futures import ThreadPoolExecutor\n'
        'folders = set(ThreadPoolExecutor(16).map(lambda _: scratch(), range(64)))\n'
        'print(len(folders), all(folder.exists() for folder in folders), flush=True)\n'
        'input()\nprint(all(folder.exists() for folder in folders))'
    )
    processes = [start(code, tmp_path) for _ in range(12)]
    assert [process.stdout.readline() for process in processes] == ['1 True\n'] * 12
    assert [process.communicate('\n')[0] for process in processes] == ['True\n'] * 12


def test_folders_of_a_killed_process_are_swept(tmp_path):
    """A process that ends by SIGKILL leaves its folder; the next one deletes it, but none of a living one.

    What else stands in the place of a lock stops nobody.
    """
    locks = [tmp_path / f'cibench-{kind}' / 'lock' for kind in ('folder', 'loop', 'pipe')]
    for lock in locks:
        lock.parent.mkdir()
    locks[0].mkdir()
    locks[1].symlink_to('lock')
    os.mkfifo(locks[2])
    code = 'print(scratch(), flush=True)\ninput()'
    killed, living = start(code, tmp_path), start(code, tmp_path)
    left, kept = (Path(process.stdout.readline().strip()) for process in (killed, living))
    killed.kill()
    killed.wait()
    assert (left.exists(), kept.exists()) == (True, True)
    last = start(code, tmp_path)
    last.stdout.readline()
    assert (left.exists(), kept.exists()) == (False, True)
    for process in (living, last):
        process.communicate('')
    assert {*tmp_path.iterdir()} <= {lock.parent for lock in locks}


def test_a_folder_whose_process_was_killed_before_it_was_locked_is_swept(tmp_path):
    """One of a process that lives is not: it is about to be locked."""
    code = "import scratch as made\nmade._locked = lambda *_, **__: print('made', flush=True) or input()\nscratch()"
    killed, living = start(code, tmp_path), start(code, tmp_path)
    assert [process.stdout.readline() for process in (killed, living)] == ['made\n'] * 2
    assert len(list(tmp_path.iterdir())) == 2
    killed.kill()
    killed.wait()
    last = start('print(scratch(), flush=True)\ninput()', tmp_path)
    last.stdout.readline()
    assert sorted(path.name.rpartition('-')[0] for path in tmp_path.iterdir()) == [
        'cibench',
        f'new-cibench-{living.pid}',
    ]
    for process in (living, last):
        process.communicate('\n')
    assert list(tmp_path.iterdir()) == []


# --- Gold states -------------------------------------------------------------------------------------------------


def with_gold(work, *codes, **settings):
    """What a coroutine returns that is given the states of gold code."""

    async def session():
        async with GoldStates(SETTINGS.model_copy(update=settings), list(codes)) as states:
            return await work(states)

    return asyncio.run(session())


@pytest.mark.parametrize('other', ['n += 100', DIES])
def test_gold_states_are_clean_after_other_code(other):
    async def work(states):
        async with states.at(1) as (interpreter, before):
            await interpreter.run(other)
        async with states.at(2) as (again, executions):
            return len(before), (await again.run('n')).result, len(executions)

    assert with_gold(work, 'n = 0', 'n += 1', 'n += 1') == (1, '1', 2)


def test_gold_state_reuses_the_kernel_of_a_gold_answer():
    async def work(states):
        async with states.at(0) as (first, _):
            await first.run('n = 0\n')
        async with states.at(1) as (second, _), states.at(1) as (third, _):
            return first is second, second is third

    assert with_gold(work, 'n = 0', 'n += 1') == (True, False)


def test_gold_code_that_fails_is_a_harness_error():
    async def work(states):
        async with states.at(1):
            raise AssertionError('not reached')

    with pytest.raises(HarnessError, match=r'gold step 1 fails.*ZeroDivisionError'):
        with_gold(work, '1 / 0', '1')
