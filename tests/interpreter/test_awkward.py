"""Programs that mean no harm and are odd: what each shows, and that neither its session nor another suffers."""

from dataclasses import replace

import pytest

from tests.interpreter.programs import (
    ANYWHERE,
    EITHER,
    ENDED,
    EVERYWHERE,
    FORK,
    NONE_FORK,
    Block,
    cases,
    check,
    goes_on,
    program,
)
from tests.support.soak import many

pytestmark = pytest.mark.kernel
DIED = 'kernel_died'
FORKS = (FORK, NONE_FORK)
KEEPS = Block("kept = 5\nprint('once')", stdout='once\n')
KEPT = Block('kept', result='5', stdout='')


def hangs(name, code, *, levels=ANYWHERE, **wanted):
    """Code that does not end by itself; whether its kernel can be interrupted or not, the state is there."""
    return program(
        name, KEEPS, Block(code, status='timeout', timeout=0.5, truncated=None, **wanted), KEPT, levels=levels
    )


def dies(name, code, **wanted):
    return program(name, KEEPS, Block(code, status=DIED, error='KernelDied', **wanted), KEPT)


HANGING = [
    hangs('loop', 'while True: pass', levels=EVERYWHERE),
    hangs('sleep', 'import time\ntime.sleep(1000)', levels=EVERYWHERE),
    hangs(
        'loop_that_swallows_interrupts',
        'while True:\n    try:\n        while True: pass\n    except BaseException: pass',
    ),
    hangs(
        'ignored_signal',
        'import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass',
        levels=EVERYWHERE,
    ),
    hangs('own_handler', 'import signal\nsignal.signal(signal.SIGINT, lambda *_: None)\nwhile True: pass'),
    hangs('pause_in_c', 'import ctypes\nctypes.CDLL(None).pause()'),
    hangs('pause_in_c_with_the_lock', 'import ctypes\nctypes.PyDLL(None).usleep(2_000_000_000)'),
    hangs('await_that_never_ends', 'import asyncio\nawait asyncio.Event().wait()', levels=EVERYWHERE),
    hangs('subprocess', "import subprocess\nsubprocess.run(['sleep', '1000'])", levels=FORKS),
    hangs('shell', '!sleep 1000', levels=FORKS),
    hangs(
        'join_of_a_thread',
        'import threading\nt = threading.Thread(target=threading.Event().wait, daemon=True)\nt.start()\nt.join()',
    ),
    hangs('prints_for_ever', 'while True: print("y" * 1000)', holds=lambda e: 0 < len(e.stdout) <= 100_100),
    replace(hangs('shows_for_ever', 'from IPython.display import display\nwhile True: display("y" * 1000)'), slow=True),
    hangs(
        'signals_blocked',
        'import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))\nwhile True: pass',
        levels=FORKS,
    ),
]

ENDING = [
    dies('os_exit', 'import os\nos._exit(3)'),
    dies('segmentation_fault', 'import ctypes\nctypes.string_at(0)'),
    dies('abort', 'import os\nos.abort()'),
    dies('kill_itself', 'import os\nos.kill(os.getpid(), 9)'),
    dies('process_group', 'import os\nos.killpg(0, 9)'),
    program('sys_exit', KEEPS, Block('import sys\nsys.exit(3)', status='error', error='SystemExit'), KEPT),
    program(
        'keyboard_interrupt', KEEPS, Block('raise KeyboardInterrupt', status='error', error='KeyboardInterrupt'), KEPT
    ),
    program(
        'exit',
        KEEPS,
        Block('exit()', status=('ok', DIED)),
        Block('import threading\nthreading.Event().wait(0.5)', status=('ok', DIED), result=None),
        KEPT,
        levels=FORKS,
    ),
    program(
        'death_some_time_later',
        KEEPS,
        Block('import os, threading\nthreading.Timer(0.2, os._exit, [1]).start()'),
        Block('import threading\nthreading.Event().wait(5)', status=DIED),
        Block('1', status=('ok', DIED)),
        levels=FORKS,
    ),
    program(
        'handlers_at_the_end',
        'import atexit, gc, os, signal, time, weakref\n'
        'atexit.register(time.sleep, 1000)\nos.register_at_fork(before=lambda: None)\n'
        'class Leak:\n    def __del__(self): time.sleep(1000)\nleak = Leak()\n'
        'signal.signal(signal.SIGTERM, signal.SIG_IGN)\ngc.callbacks.append(print)\n1',
        holds=lambda e: e.status == 'ok',
    ),
    program(
        'thread_that_never_ends', 'import threading, time\nthreading.Thread(target=time.sleep, args=(1000,)).start()'
    ),
]

OUTPUT = [
    program(
        '200_mb', "for _ in range(200): print('x' * 10**6)", truncated=True, holds=lambda e: len(e.stdout) <= 100_100
    ),
    program('many_lines', 'for i in range(100_000): print(i)', truncated=True),
    program('long_html', "from IPython.display import HTML\nHTML('x' * 10**7)", truncated=True),
    program('huge_integer', '10 ** 10000', status='error', error='ValueError'),
    program('huge_integer_shown', 'import sys\nsys.set_int_max_str_digits(0)\n10 ** 150_000', truncated=True),
    program(
        'division', '1 / 0', status='error', error='ZeroDivisionError', holds=lambda e: '\x1b' not in e.error.traceback
    ),
    program('deep_recursion', 'def f(): return f()\nf()', status='error', error='RecursionError'),
    program('syntax_error', 'a = (', status='error', error=('SyntaxError', '_IncompleteInputError')),
    program('null_byte_in_code', 'a = 1\x00', status='error', error=('SyntaxError', 'ValueError')),
    program('null_byte', "print('a\\x00b')", stdout='a\x00b\n'),
    program('lone_surrogate_in_code', "x = '\ud800'", status=('ok', 'error')),
    program('lone_surrogate', "print('a\\ud83db')", holds=lambda e: 'a' in e.stdout),
    program('empty', '', result=None, stdout=''),
    program('nothing_but_a_comment', '# nothing', stdout=''),
    program('windows_lines', 'print(1)\r\nprint(2)\r\n', stdout='1\n2\n'),
    program('bytes_to_stdout', "import sys\nsys.stdout.write(b'x')", status='error', error='TypeError'),
    program(
        'late_thread',
        'import threading\ngo = threading.Event()\n'
        "thread = threading.Thread(target=lambda: (go.wait(), print('late')))\nthread.start()",
        Block("go.set()\nthread.join()\nprint('now')", stdout='now\n'),
        Block("print('after')", stdout='after\n'),
    ),
    program(
        'pool_of_threads',
        'from concurrent.futures import ThreadPoolExecutor\npool = ThreadPoolExecutor(1)\n'
        "pool.submit(print, 'a').result()",
        Block("pool.submit(print, 'b').result()", stdout='b\n'),
    ),
    program(
        'loop_in_a_thread',
        'import asyncio, threading\nloop = asyncio.new_event_loop()\nasync def say(what): print(what)\n'
        'threading.Thread(target=loop.run_forever, daemon=True).start()\n'
        "asyncio.run_coroutine_threadsafe(say('a'), loop).result()",
        Block("asyncio.run_coroutine_threadsafe(say('b'), loop).result()", stdout='b\n'),
    ),
    program(
        'late_work_of_a_pool',
        'import threading\nfrom concurrent.futures import ThreadPoolExecutor\ngo = threading.Event()\n'
        "late = ThreadPoolExecutor(1).submit(lambda: (go.wait(), print('late')))",
        Block("go.set()\nlate.result()\nprint('now')", stdout='now\n'),
    ),
]

STREAMS = [
    program('descriptor_one', "import os\nos.write(1, b'x')\nos.write(2, b'y')", result='1', stdout='x'),
    program('output_of_c', "import ctypes\nctypes.CDLL(None).printf(b'x')", result='1', stdout='x'),
    program(
        'output_of_children',
        "import os, subprocess\nos.system('echo a')\nsubprocess.run(['echo', 'b'])\nprint('c')",
        stdout='a\nb\nc\n',
    ),
    program(
        'stream_of_a_child',
        "import subprocess, sys\nprint('a')\nsubprocess.run(['echo', 'b'], stdout=sys.stdout)\nsys.stderr.fileno()",
        stdout='a\nb\n',
        result='2',
    ),
    program('flood_of_children', "import os\nos.system('seq 1000000')", truncated=True),
    program(
        'shell_cells',
        Block('%%bash\necho one', stdout='one\n'),
        Block('%%bash\necho two\necho three >&2', stdout='two\n', holds=lambda e: e.stderr == 'three\n'),
    ),
    program(
        'module_named_like_one_of_the_harness',
        Block('%%writefile bootstrap.py\nx = 7'),
        Block('import bootstrap\nbootstrap.x', result='7'),
    ),
    program(
        'late_subprocess',
        "import subprocess\nchild = subprocess.Popen('read x; echo late', shell=True, stdin=subprocess.PIPE)",
        Block("child.communicate(b'go\\n')\nprint('now')", stdout='now\n'),
        Block("import os\nos.system('echo mine')", stdout='mine\n'),
    ),
    goes_on('closed_streams', 'import sys\nsys.stdout.close()\nsys.stderr.close()'),
    program(
        'replaced_streams',
        "import io, sys, types\nown, sys.stdout = sys.stdout, io.StringIO()\nprint('gone')",
        Block('sys.stdout = types.SimpleNamespace(write=own.write, flush=lambda: None)\n6 * 7', result='42'),
        Block("print('a')", stdout='a\n'),
        Block("sys.stdout = sys.__stdout__\nprint('b')", stdout='b\n'),
        Block("print('c')", stdout='c\n'),
        Block("import asyncio\nawait asyncio.sleep(0)\nprint('d')", stdout='d\n'),
        Block("with open('f', 'w') as sys.stdout:\n    print('gone')"),
        Block("sys.stderr = None\ndel sys.__stdout__\nprint('e')", stdout='e\n'),
        Block(
            'class Tee:\n    write = sys.stdout.write\n    flush = lambda self: sys.stdout.flush()\nsys.stdout = Tee()'
        ),
        Block("print('f')", stdout='f\n'),
    ),
]
"""What comes by descriptors and from other processes."""

UNPRINTABLE = [
    goes_on(f'repr_that_{name}', f'class Odd:\n    def __repr__(self):\n        {body}\nOdd()', **wanted)
    for name, body, wanted in (
        ('raises', "raise ValueError('no')", {'status': ('ok', 'error')}),
        ('is_no_text', 'return 5', {'status': ('ok', 'error')}),
        ('is_huge', "return 'x' * 10**7", {'truncated': True}),
        ('exits', 'raise SystemExit', {'status': ('ok', 'error')}),
        ('prints', "print('in repr')\n        return 'odd'", {'result': 'odd', 'stdout': 'in repr\n'}),
        ('never_returns_itself', 'return repr(self)', {'status': ('ok', 'error')}),
    )
] + [
    program(
        'html_that_raises',
        'class Odd:\n    def _repr_html_(self): raise ValueError\n    def __repr__(self): return "odd"\nOdd()',
        status='error',
        error='ValueError',
        result='odd',
    ),
    program(
        'html_that_is_no_text',
        'class Odd:\n    def _repr_html_(self): return 5\n    def __repr__(self): return "odd"\nOdd()',
        status=('ok', 'error'),
    ),
    program(
        'mime_bundle',
        'class Odd:\n    def _repr_mimebundle_(self, **_): return {"text/plain": 3, "image/png": "!!"}\nOdd()',
        status=('ok', 'error'),
    ),
]

PATCHES = [
    program(f'patched_{name}', Block(code, status=ENDED, truncated=None, timeout=1))
    for name, code in (
        ('print', 'import builtins\nbuiltins.print = None\nbuiltins.leak = 1'),
        ('import', 'import builtins\nbuiltins.__import__ = None'),
        ('json', "import json\njson.dumps = json.loads = lambda *a, **k: '{}'"),
        ('math', 'import math\nmath.pi = 3'),
        ('display', 'ip = get_ipython()\nip.display_formatter = ip.display_pub = None\n1'),
        ('hooks', 'import sys\nsys.displayhook = sys.excepthook = lambda *a: None\n1'),
        ('compiler', 'get_ipython().run_cell = None'),
        ('events', "get_ipython().events.register('pre_run_cell', lambda *_: 1 / 0)"),
        ('transformer', "get_ipython().input_transformers_cleanup.append(lambda lines: ['1 / 0'])"),
        ('stream', 'import sys\ntype(sys.stdout).write = lambda *a: 0\nprint(1)'),
        ('open', 'import builtins\nbuiltins.open = None'),
        ('modules', 'import sys\nsys.modules.clear()'),
        ('random', 'import random\nrandom.seed(1)'),
        ('environment', "import os\nos.environ.clear()\nos.environ['LEAK'] = '1'"),
        (
            'settings',
            "import matplotlib, locale, warnings\nmatplotlib.rcParams['lines.linewidth'] = 9\n"
            "warnings.simplefilter('error')\nlocale.setlocale(locale.LC_ALL, 'C')",
        ),
        ('directory', "import os\nos.chdir('/')"),
        ('directory_that_is_gone', "import os\nos.mkdir('x')\nos.chdir('x')\nos.rmdir('../x')"),
        ('numpy', 'import numpy\nnumpy.array = numpy.mean = None'),
        ('trace', 'import sys\nsys.settrace(lambda *_: None)\nsys.setprofile(lambda *_: None)'),
        (
            'affinity',
            'import os, resource\nos.sched_setaffinity(0, [0])\nos.nice(10)\n'
            'resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))',
        ),
    )
]

IPYTHON = [
    program('reset', KEEPS, '%reset -f', Block('kept', status='error', error='NameError')),
    program('bash_that_fails', '%%bash\nexit 3', status='error', error='CalledProcessError'),
    program('shell_escape', '!echo from a shell', stdout='from a shell\r\n', truncated=None),
    program('shell_into_a_name', 'lines = !echo a; echo b\nlines', result="['a', 'b']"),
    program('change_directory', '%cd -q data', Block("open('x.csv').read()", result="'a\\n1\\n'")),
    program('run_file', '%%writefile it.py\nvalue = 42', Block('%run it.py\nvalue', result='42')),
    program('time', '%timeit -n 1 -r 1 1'),
    program('unknown_magic', '%nonesuch', truncated=None, status=('ok', 'error')),
    program('pip', '%pip --version', status=('ok', 'error')),
    program('await', 'import asyncio\nawait asyncio.sleep(0, 42)', result='42'),
    program('asyncio_run', 'import asyncio\nasyncio.run(asyncio.sleep(0))', status='error', error='RuntimeError'),
    program(
        'unfinished_async_task',
        'import asyncio\nasyncio.get_running_loop().create_task(asyncio.sleep(1000))',
        Block('1', result='1'),
    ),
    program('input', 'input()', status='error', error='StdinNotImplementedError'),
    program('getpass', 'import getpass\ngetpass.getpass()', status='error', error='StdinNotImplementedError'),
    program('read_stdin', 'import sys\nsys.stdin.read()', result="''"),
    program('debugger', 'breakpoint()', status=('ok', 'error')),
    program('debug_magic', Block('1 / 0', status='error'), Block('%debug', status=('ok', 'error'))),
]

PLOT = 'import matplotlib.pyplot as plt\n'
FIGURES = [
    program(
        'backend_agg', "import matplotlib\nmatplotlib.use('Agg')\n" + PLOT + 'plt.plot([1, 2])\nplt.show()', figures=1
    ),
    program('switch_backend', PLOT + "plt.switch_backend('agg')\nplt.plot([1, 2])", figures=1),
    program('matplotlib_widget', f'%matplotlib widget\n{PLOT}plt.plot([1, 2])', figures=1),
    program(
        'backend_that_is_not_there', "import matplotlib\nmatplotlib.use('module://nonesuch')", status=('ok', 'error')
    ),
    program('inline_magic', '%matplotlib inline\n' + PLOT + 'plt.plot([1, 2]);', figures=1),
    program('figure_shown', PLOT + 'fig, ax = plt.subplots()\nfig.show()', figures=1),
    program(
        'bold_text', PLOT + "plt.title('bold', weight='bold')\nplt.show()", figures=1, holds=lambda e: e.stderr == ''
    ),
    program(
        'chinese_title',
        f"import warnings\nwarnings.simplefilter('error')\n{PLOT}plt.title('每月平均气温')\nplt.show()",
        figures=1,
        holds=lambda e: e.stderr == '',
    ),
    program('figure_as_result', PLOT + 'fig = plt.figure()\nfig.add_subplot()\nplt.close(fig)\nfig', figures=1),
    program(
        'saved_and_displayed',
        PLOT + "plt.plot([1, 2])\nplt.savefig('x.png')\nplt.close()\n"
        "from IPython.display import Image, display\ndisplay(Image('x.png'))",
        figures=1,
    ),
    program('several_open', PLOT + 'for _ in range(3):\n    plt.figure()\n    plt.plot([1, 2])', figures=3),
    program(
        'forty',
        PLOT + 'for _ in range(40):\n    plt.figure(figsize=(1, 1)).add_subplot()',
        figures=10,
        truncated=True,
        slow=True,
    ),
    program(
        'one_pixel',
        PLOT
        + 'fig = plt.figure(figsize=(0.01, 0.01), dpi=100)\nfig.savefig("x.png", bbox_inches=None)\nplt.close(fig)\n'
        'from IPython.display import Image\nImage("x.png")',
        figures=1,
    ),
    program('no_pixel', PLOT + 'plt.figure(figsize=(0, 0))', status=('ok', 'error')),
    program(
        'too_many_pixels', PLOT + 'plt.figure(figsize=(1e5, 1e5))\nplt.show()', status=('ok', 'error'), truncated=None
    ),
    program(
        'noise',
        'import numpy as np\nfrom PIL import Image\n'
        'Image.fromarray(np.random.randint(0, 255, (1500, 1500, 3), np.uint8))',
        figures=0,
        truncated=True,
    ),
    program(
        'blank',
        'import numpy as np\nfrom PIL import Image\nImage.fromarray(np.zeros((10_000, 10_000), np.uint8))',
        figures=0,
        truncated=True,
    ),
    program(
        'jpeg',
        "from IPython.display import display\ndisplay({'image/jpeg': 'AAAA', 'text/plain': 'x'}, raw=True)",
        figures=0,
    ),
    program(
        'animation',
        PLOT + 'from matplotlib.animation import FuncAnimation\nfig = plt.figure()\n'
        'animation = FuncAnimation(fig, lambda i: [], frames=2)',
        truncated=None,
    ),
]

LIBRARIES = [
    program(
        'own_module_in_workers',
        "import multiprocessing\nwith open('mine.py', 'w') as file:\n    file.write('def f(x):\\n    return x + 1')\n"
        "import mine\nwith multiprocessing.get_context('spawn').Pool(2) as pool:\n    print(pool.map(mine.f, [1, 2]))",
        stdout='[2, 3]\n',
    ),
    goes_on('fork_that_returns', 'import os\nif os.fork() == 0:\n    os._exit(0)\nos.wait()[1]', result='0'),
    program(
        'fork_that_goes_on',
        Block('import os\npid = os.fork()', status=ENDED, truncated=None, timeout=2),
        Block('6 * 7', status=ENDED, timeout=2),
        levels=FORKS,
    ),
    program('same_random_numbers', Block('import random, numpy as np\nrandom.random(), np.random.rand()')),
    program('logging', "import logging\nlogging.warning('x')", holds=lambda e: 'x' in e.stderr),
    program('warning', "import warnings\nwarnings.warn('odd')", holds=lambda e: 'odd' in e.stderr),
    program(
        'user_and_home',
        'import getpass, os, pathlib\ngetpass.getuser(), pathlib.Path.home().is_dir()',
        result="('agent', True)",
    ),
]

OF_PROCESSES = [
    replace(made, levels=EITHER) if made.levels == ANYWHERE else made for made in (*ENDING, *STREAMS, *LIBRARIES)
]
KINDS = (HANGING, OF_PROCESSES, OUTPUT, UNPRINTABLE, PATCHES, IPYTHON, FIGURES)
PROGRAMS = [made for kind in KINDS for made in kind[:: many(1, 2)]]


@pytest.mark.parametrize(('level', 'made'), cases(many(PROGRAMS, PROGRAMS[::3])))
def test_program(place_at, level, made):
    check(place_at(level), made)
