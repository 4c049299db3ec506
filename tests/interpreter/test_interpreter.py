"""The interpreter on real kernels: isolation, time limits, death, caps. One kernel environment, `modern`."""

import asyncio
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from cibench_eval.interpreter import BlockingInterpreter, Interpreter, KernelSettings
from cibench_eval.interpreter.sandboxes import bubblewrap, choose
from cibench_eval.interpreter.sandboxes.bubblewrap import bubblewrap_problem
from cibench_eval.interpreter.scratch import scratch
from cibench_eval.interpreter.snapshots import GoldStates
from cibench_eval.interpreter.streams import CUT
from cibench_eval.schema import CibenchError, Execution, HarnessError
from tests.interpreter.programs import children

pytestmark = pytest.mark.kernel
LIBRARIES = ('pandas', 'matplotlib.pyplot')
"""What kernels are forked with: all ten modules take seconds."""
needs_bubblewrap = pytest.mark.skipif(bool(bubblewrap_problem()), reason=f'no sandbox here: {bubblewrap_problem()}')
SANDBOXES = ['none', pytest.param('bubblewrap', marks=needs_bubblewrap)]


def run(*codes, sandbox='auto', **settings):
    """The executions of code blocks in one fresh session."""

    async def session():
        async with Interpreter(KernelSettings(**{'sandbox': sandbox, 'preload': LIBRARIES, **settings})) as interpreter:
            return [await interpreter.run(code) for code in codes]

    return asyncio.run(session())


@pytest.mark.parametrize('sandbox', SANDBOXES)
def test_outputs_in_order(sandbox):
    code = "import sys\nprint('a')\nprint('b', file=sys.stderr)\nprint('c')\n6 * 7"
    (execution,) = run(code, sandbox=sandbox)
    assert execution.status == 'ok'
    assert execution.outputs[-1].type == 'execute_result'
    assert (execution.stdout, execution.stderr, execution.result) == ('a\nc\n', 'b\n', '42')


def test_error_has_a_clean_traceback():
    (execution,) = run('1 / 0')
    assert execution.status == 'error'
    assert (execution.error.name, execution.error.value) == ('ZeroDivisionError', 'division by zero')
    assert '\x1b' not in execution.error.traceback


def test_figures_shown_and_left_open_count():
    shown, left = run('import matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.show()', 'plt.plot([2, 1]);')
    assert [len(e.figures) for e in (shown, left)] == [1, 1]
    assert shown.figures[0].data.startswith(b'\x89PNG')
    assert shown.figures[0].sha256 != left.figures[0].sha256


@pytest.mark.parametrize('sandbox', SANDBOXES)
def test_sessions_share_nothing(tmp_path, sandbox):
    (tmp_path / 'data').mkdir()
    (tmp_path / 'data' / 'x.csv').write_text('a\n1\n')
    vandal = (
        "import os, math\nleak = 1\nmath.pi = 3\nos.environ['LEAK'] = '1'\nos.remove('data/x.csv')\nos.chdir('/')",
        'print(leak)',
    )
    heir = (
        "import os, math\nprint('leak' in globals(), round(math.pi, 2), 'LEAK' in os.environ)",
        "print(open('data/x.csv').read().split())",
    )
    assert [e.status for e in run(*vandal, sandbox=sandbox, datasources=tmp_path)] == ['ok', 'ok']
    assert [e.stdout for e in run(*heir, sandbox=sandbox, datasources=tmp_path)] == [
        'False 3.14 False\n',
        "['a', '1']\n",
    ]
    assert (tmp_path / 'data' / 'x.csv').exists()


def test_environment_of_the_harness_is_not_seen(monkeypatch):
    monkeypatch.setenv('OPENAI_API_KEY', 'secret-of-the-harness')
    (execution,) = run("import os\n'secret-of-the-harness' in str(os.environ)")
    assert execution.result == 'False'


def test_hung_block_is_interrupted_and_state_survives():
    before, hung, after = run('a = 5', 'while True: pass', 'a', timeout=1)
    assert (before.status, hung.status, after.status, after.result) == ('ok', 'timeout', 'ok', '5')


def test_block_that_prints_for_ever_ends_with_its_output():
    hung, after = run("while True: print('y' * 1000)", "print('next')", timeout=1, output_limit=5000)
    assert (hung.status, hung.truncated) == ('timeout', True)
    assert len(hung.stdout) == 5000 + len(CUT)
    assert (after.status, after.stdout) == ('ok', 'next\n')


def test_block_that_ignores_interrupts_is_killed_and_its_past_runs_again():
    stubborn = 'import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass'
    before, hung, after = run("b = 7\nprint('once')", stubborn, 'b', timeout=1, grace=0.5)
    assert (before.status, hung.status) == ('ok', 'timeout')
    assert (after.status, after.result, after.stdout) == ('ok', '7', '')


@pytest.mark.parametrize('death', ['import os; os._exit(1)', 'import ctypes; ctypes.string_at(0)'])
def test_dead_kernel_is_replaced(death):
    before, dead, after = run('c = 9', death, 'c')
    assert [e.status for e in (before, dead, after)] == ['ok', 'kernel_died', 'ok']
    assert after.result == '9'


def test_state_that_cannot_be_restored_is_left_out():
    """`a` came from a block that timed out; what stood on it fails in the new kernel, the rest is there."""
    codes = ('x = 1', 'a = 5\nwhile True: pass', 'y = a', 'import os; os._exit(1)', 'x', 'y')
    *_, died, x, y = run(*codes, timeout=1)
    assert died.status == 'kernel_died'
    assert (x.result, y.error.name) == ('1', 'NameError')


def test_late_output_does_not_reach_the_next_block():
    late = "import threading, sys\nt = threading.Timer(0.3, lambda: print('late'))\nt.start()"
    _, after, _ = run(late, "print('now')", 't.join()')
    assert after.stdout == 'now\n'


def test_output_limit_keeps_head_and_tail_of_each_stream():
    code = "import sys\nprint('a' + 'x' * 5000 + 'b', end='')\nprint('c' + 'y' * 500 + 'd', file=sys.stderr, end='')"
    cut, whole = run(code, "print('x' * 999)", output_limit=1000)
    assert cut.stdout == 'a' + 'x' * 499 + CUT + 'x' * 499 + 'b'
    assert (len(cut.stderr), cut.truncated) == (502, True)
    assert (whole.stdout, whole.truncated) == ('x' * 999 + '\n', False)


def test_a_result_over_the_limit_is_cut_too():
    (execution,) = run("'x' * 10**7", output_limit=1000)
    assert execution.truncated
    assert execution.result == "'" + 'x' * 499 + CUT + 'x' * 499 + "'"


def test_figures_over_the_limits_are_left_out():
    draw = (
        'import numpy, io\nfrom PIL import Image\nfrom IPython.display import Image as Shown, display\n'
        'def show(size):\n    file = io.BytesIO()\n'
        "    Image.fromarray(numpy.random.randint(0, 255, (size, size), 'uint8')).save(file, 'png')\n"
        '    display(Shown(file.getvalue()))'
    )
    _, many, large = run(draw, 'for _ in range(5): show(10)', 'show(400)', figure_limit=3, figure_size=100_000)
    assert (len(many.figures), many.truncated) == (3, True)
    assert (len(large.figures), large.truncated, large.status) == (0, True, 'ok')


def test_many_small_writes_lose_nothing():
    (execution,) = run('for i in range(5000): print(i, flush=True)')
    assert execution.stdout.split() == [str(i) for i in range(5000)]


def test_forged_messages_are_harmless():
    code = (
        'from IPython.display import display\n'
        "display({'text/plain': 3, 'image/png': '!!'}, raw=True)\n"
        "display({'image/png': 5}, raw=True)"
    )
    (execution,) = run(code)
    assert (execution.status, execution.figures) == ('ok', [])


@pytest.mark.parametrize('code', ["print('a\\ud83d')", "'a\\ud83d'", "raise ValueError('a\\ud83d')", "print('a\\x00')"])
def test_what_is_no_text_can_be_kept(code):
    (execution,) = run(code)
    again = Execution.model_validate_json(execution.model_dump_json())
    assert again == execution
    assert 'a' in execution.model_dump_json()


@pytest.mark.parametrize(('stdin', 'error'), [('error', 'StdinNotImplementedError'), ('eof', 'EOFError')])
def test_input_is_as_configured(stdin, error):
    (execution,) = run('input()', stdin=stdin)
    assert execution.error.name == error


def test_magics_and_shell_escapes_are_as_configured():
    codes = ('!echo here', '%%bash\necho there', '%pwd', 'files = !ls')
    assert [e.status for e in run(*codes)] == ['ok'] * 4
    assert [e.status for e in run(*codes, shell_escapes=False)] == ['error', 'error', 'ok', 'error']
    assert [e.status for e in run(*codes, magics=False)] == ['ok', 'ok', 'error', 'ok']


def test_what_a_recovery_took_is_said_of_the_block_after_it():
    work, died, after, then = run('c = sum(range(3_000_000))', 'import os; os._exit(1)', 'c', 'c')
    assert (died.status, after.result, then.result) == ('kernel_died', '4499998500000', '4499998500000')
    assert died.recovery > 0.0, 'it was tried again'
    assert after.recovery > 0.0
    assert [work.recovery, then.recovery] == [0.0, 0.0]


def test_a_session_has_room_for_so_much_and_no_more():
    figure = 'import matplotlib.pyplot as plt\nplt.plot([1, 2]);'
    blocks = ["print('x' * 60_000)"] * 3 + [
        figure,
        "raise ValueError('y' * 20_000)",
        'print(1)',
        "kept = 'still'",
        'kept',
    ]
    found = run(*blocks, session_output=150_000)
    assert [e.truncated for e in found] == [False, False, True, False, True, False, False, False]
    assert (found[2].stdout, found[2].status) == (CUT, 'ok')
    assert len(found[3].figures) == 1
    assert (found[4].error.name, len(found[4].error.value)) == ('ValueError', 1000 + len(CUT))
    assert found[-1].result == "'still'"
    assert sum(len(o.text) + len(o.figure.data if o.figure else b'') for e in found for o in e.outputs) < 150_000


def test_figures_of_a_session_have_room_for_so_much_and_no_more():
    figure = 'import os\nfrom IPython.display import display\n'
    figure += "display({'image/png': b'\\x89PNG\\r\\n\\x1a\\n' + os.urandom(40_000)}, raw=True)"
    found = run(figure, figure, figure, session_output=100_000)
    assert [len(e.figures) for e in found] == [1, 1, 0]
    assert [e.truncated for e in found] == [False, False, True]


def test_recovery_with_an_empty_kernel():
    _, died, after = run('c = 9', 'import os; os._exit(1)', 'c', recover='fresh')
    assert died.error.value.endswith('a new kernel starts empty')
    assert after.error.name == 'NameError'


def test_a_kernel_that_dies_between_blocks_costs_no_block():
    later = 'import os, threading\nthreading.Timer(0, os._exit, [1]).start()'
    first, after = run(later, "'next'")
    assert first.status in ('ok', 'kernel_died')
    assert (after.status, after.result) == ('ok', "'next'")


def test_chinese_titles_render():
    code = (
        'import warnings\nwarnings.simplefilter("error")\nimport matplotlib.pyplot as plt\n'
        "plt.title('每月平均气温')\nplt.show()"
    )
    (execution,) = run(code)
    assert (execution.status, len(execution.figures)) == ('ok', 1)


def test_kernel_that_cannot_start_is_a_harness_error(tmp_path):
    python = tmp_path / 'python'
    python.write_text('#!/bin/sh\necho broken on purpose >&2\nexit 3\n')
    python.chmod(0o755)
    with pytest.raises(CibenchError, match='python'):
        run('1', environment=str(python), sandbox='none')


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


def session_folders():
    """Folders of sessions that are still there; those of fork servers stay."""
    return [path for path in scratch().iterdir() if (path / 'sockets').exists()]


@pytest.mark.parametrize('start', ['fork', 'spawn'])
def test_session_that_is_cancelled_leaves_nothing(start):
    async def session():
        task = asyncio.create_task(begin())
        await asyncio.wait([task], timeout=0.05)
        task.cancel()
        await asyncio.wait([task])
        return task.cancelled()

    async def begin():
        async with Interpreter(KernelSettings(preload=LIBRARIES, sandbox='auto', start=start)) as interpreter:
            await interpreter.run('while True: pass')

    before = children()
    assert asyncio.run(session())
    assert children() - before == set()
    assert session_folders() == []


def test_missing_kernel_environment_is_one_line():
    with pytest.raises(CibenchError, match='nonesuch') as error:
        run('1', environment='nonesuch')
    assert '\n' not in str(error.value)


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


def test_missing_datasources_is_one_line(tmp_path):
    with pytest.raises(CibenchError, match='is not a folder'):
        run('1', datasources=tmp_path / 'none')


def test_required_sandbox_that_cannot_run_is_refused(monkeypatch):
    monkeypatch.setattr(bubblewrap, 'bubblewrap_problem', lambda: 'bwrap is not on PATH')
    with pytest.raises(CibenchError, match="sandbox='none'"):
        choose('bubblewrap')
    assert choose('auto').name == 'none'


def test_nothing_is_left_behind():
    codes = ('import subprocess; subprocess.Popen(["sleep", "1000"])', 'import os; os._exit(0)', '1')
    before = children()
    run(*codes)
    assert session_folders() == []
    assert children() - before == set()


def test_blocking_interpreter_works_inside_an_event_loop():
    async def caller():
        with BlockingInterpreter(KernelSettings(preload=LIBRARIES, sandbox='auto')) as interpreter:
            return [interpreter.run('a = 2').status, interpreter.run('a * 3').result]

    assert asyncio.run(caller()) == ['ok', '6']


def test_blocking_interpreter_that_cannot_start_ends_its_thread(tmp_path):
    before = threading.active_count()
    with pytest.raises(CibenchError, match='is not a folder'):
        BlockingInterpreter(KernelSettings(preload=LIBRARIES, sandbox='auto', datasources=tmp_path / 'none')).start()
    assert threading.active_count() == before


def test_processes_that_start_together_keep_their_folders(tmp_path):
    """Each sweeps while the others make theirs; in each, many threads ask at once."""
    code = (
        'from concurrent.futures import ThreadPoolExecutor\n'
        'from cibench_eval.interpreter.scratch import scratch\n'
        'folders = set(ThreadPoolExecutor(16).map(lambda _: scratch(), range(64)))\n'
        'print(len(folders), all(folder.exists() for folder in folders), flush=True)\n'
        'input()\nprint(all(folder.exists() for folder in folders))'
    )
    env = {**os.environ, 'TMPDIR': str(tmp_path)}
    processes = [
        subprocess.Popen(
            [sys.executable, '-c', code], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(12)
    ]
    assert [process.stdout.readline() for process in processes] == ['1 True\n'] * 12
    assert [process.communicate('\n')[0] for process in processes] == ['True\n'] * 12


def test_folders_of_a_killed_process_are_swept(tmp_path):
    """A process that ends by SIGKILL leaves its folder; the next one deletes it, but none of a living one."""
    code = 'from cibench_eval.interpreter.scratch import scratch\nprint(scratch(), flush=True)\ninput()'
    env = {**os.environ, 'TMPDIR': str(tmp_path)}

    def start():
        process = subprocess.Popen(
            [sys.executable, '-c', code], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        return process, Path(process.stdout.readline().strip())

    killed, left = start()
    living, kept = start()
    killed.kill()
    killed.wait()
    assert (left.exists(), kept.exists()) == (True, True)
    last, _ = start()
    assert (left.exists(), kept.exists()) == (False, True)
    for process in (living, last):
        process.communicate('')
    assert list(tmp_path.iterdir()) == []


def test_gold_states_are_clean_after_other_code():
    async def session():
        async with GoldStates(
            KernelSettings(preload=LIBRARIES, sandbox='auto'), ['n = 0', 'n += 1', 'n += 1']
        ) as states:
            async with states.at(1) as (interpreter, before):
                await interpreter.run('n += 100')
            async with states.at(2) as (again, executions):
                return len(before), (await again.run('n')).result, len(executions)

    assert asyncio.run(session()) == (1, '1', 2)


@pytest.mark.parametrize('recover', ['replay', 'fresh'])
def test_a_kernel_that_died_in_one_step_is_not_given_to_the_next(recover):
    async def session():
        settings = KernelSettings(preload=LIBRARIES, sandbox='auto', recover=recover)
        async with GoldStates(settings, ['n = 0', 'n += 1', 'n += 1']) as states:
            async with states.at(1) as (interpreter, _):
                await interpreter.run('import os; os._exit(1)')
            async with states.at(2) as (again, _):
                return (await again.run('n')).result

    assert asyncio.run(session()) == '1'


def test_gold_state_reuses_the_kernel_of_a_gold_answer():
    async def session():
        async with GoldStates(KernelSettings(preload=LIBRARIES, sandbox='auto'), ['n = 0', 'n += 1']) as states:
            async with states.at(0) as (first, _):
                await first.run('n = 0\n')
            async with states.at(1) as (second, _), states.at(1) as (third, _):
                return first is second, second is third

    assert asyncio.run(session()) == (True, False)


def test_gold_code_that_fails_is_a_harness_error():
    async def session():
        async with (
            GoldStates(KernelSettings(preload=LIBRARIES, sandbox='auto'), ['1 / 0', '1']) as states,
            states.at(1),
        ):
            raise AssertionError('not reached')

    with pytest.raises(HarnessError, match=r'gold step 1 fails.*ZeroDivisionError'):
        asyncio.run(session())
