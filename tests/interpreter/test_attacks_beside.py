"""What hostile code does to a session beside it, by way of what Linux shares between them, and to its harness.

A file of its own: a place that another test keeps open alters the machine for its level.
"""

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys

import pytest

from cibench_eval.interpreter import Interpreter, KernelPool
from cibench_eval.interpreter.scratch import scratch
from tests.interpreter.nobody import nobody_problem, run_as_nobody
from tests.interpreter.programs import (
    ENDED,
    FORGE,
    FORK,
    FORKED,
    MARKER,
    NONE_FORK,
    REPO,
    USER_FORK,
    at,
    left_behind,
    settings_at,
    with_kernel,
)
from tests.interpreter.test_attacks_on_linux import CHILDREN
from tests.support.soak import many

pytestmark = pytest.mark.kernel

LIBRARIES = ('pandas', 'matplotlib.pyplot')
LEASES = """\
import fcntl, glob, os, signal
signal.signal(signal.SIGIO, signal.SIG_IGN)
kept = []
for path in glob.glob(os.path.dirname(os.__file__) + '/xml/dom/*.py'):
    kept.append(os.open(path, os.O_RDONLY))
    try:
        fcntl.fcntl(kept[-1], fcntl.F_SETLEASE, fcntl.F_WRLCK)
    except OSError:
        pass
"""
TERMINALS = """\
def terminals():
    kept = []
    while True:
        kept.append(os.open('/dev/ptmx', os.O_RDWR))
children(6, terminals)
"""
BUSY = """\
for _ in range(12):
    if os.fork() == 0:
        os.sched_setaffinity(0, {0})
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        while True: pass
"""
FILL_DESCRIPTORS = """\
import os, socket
kept, null = [], os.open(os.devnull, os.O_RDONLY)
try:
    while True:
        kept += socket.socketpair()
        socket.send_fds(kept[-1], [b'x'], [null] * 253)
except OSError as error:
    print(error.errno)
"""
BESIDE = {
    'terminals': (CHILDREN + TERMINALS, '!echo shown'),
    'leases': (
        LEASES,
        'import xml.dom.minidom, glob, os\n[open(p).read(1) for p in glob.glob(os.path.dirname('
        'os.__file__) + "/xml/dom/*.py")] != []',
    ),
    'descriptors_on_their_way': (
        FILL_DESCRIPTORS,
        'import socket\none, other = socket.socketpair()\n'
        'socket.send_fds(one, [b"x"], [0])\nlen(socket.recv_fds(other, 1, 1)[1])',
    ),
    'settings_of_its_namespaces': (
        'for name in ("pid_max", "shmmax"):\n    open(f"/proc/sys/kernel/{name}", "w").write("400")',
        'found = [int(open(f"/proc/sys/kernel/{name}").read()) for name in ("pid_max", "shmmax")]\n'
        'assert min(found) > 400',
    ),
    'stopped_and_deaf_processes': (
        CHILDREN + BUSY + 'if os.fork() == 0:\n    os.setsid()\n    os.kill(-1, signal.SIGSTOP)\n1',
        'sum(i * i % 7 for i in range(1_000_000)) > 0',
    ),
}


def beside(level, hostile, honest):
    """What code does in a session beside one in which hostile code has run."""

    async def sessions():
        settings = settings_at(level, preload=LIBRARIES, timeout=20)
        async with (
            KernelPool(settings) as pool,
            Interpreter(settings, pool) as one,
            Interpreter(settings, pool) as other,
        ):
            await other.run('1')
            return await one.run(hostile, 3), await other.run(honest)

    with level.imposed():
        return asyncio.run(sessions())


@pytest.mark.parametrize('level', at(FORK, *many([USER_FORK], [])))
@pytest.mark.parametrize('name', list(BESIDE))
def test_a_neighbour_is_as_it_would_be_alone(level, name):
    if name == 'descriptors_on_their_way' and (level == USER_FORK or os.getuid() != 0):
        pytest.skip("Linux counts them for a user, and an ordinary user's sessions are one to it")
    _, execution = beside(level, *BESIDE[name])
    assert execution.status == 'ok', execution


IN_THE_WAY = """import asyncio, resource, sys
from cibench_eval.interpreter import Interpreter
from tests.interpreter.programs import FORK, settings_at
resource.setrlimit(resource.RLIMIT_NOFILE, (1024, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
async def sessions():
    settings = settings_at(FORK)
    async with Interpreter(settings) as one:
        print((await one.run(sys.argv[1])).stdout.strip())
        async with Interpreter(settings) as other:
            print((await other.run('6 * 7')).result)
asyncio.run(sessions())
"""


def test_descriptors_on_their_way_do_not_keep_an_ordinary_user_from_starting_kernels():
    if problem := nobody_problem():
        pytest.skip(problem)
    done = run_as_nobody(IN_THE_WAY, FILL_DESCRIPTORS)
    assert done.stdout == '109\n42\n', done.stderr


# --- What takes more than a program ----------------------------------------------------------------------------

HARNESS = """\
import asyncio, sys
from cibench_eval.interpreter import Interpreter
from tests.interpreter.neighbours import highest_ever
from tests.interpreter.programs import Level, settings_at
async def session():
    async with Interpreter(settings_at(Level('auto', 'fork'), timeout=4)) as interpreter:
        await interpreter.run('1')
        before = highest_ever()
        for code in sys.argv[1:]:
            print((await interpreter.run(code)).status)
            await interpreter.run('1')
        print((highest_ever() - before) // 2**20)
asyncio.run(session())
"""
FLOODS = (
    "for _ in range(300): display('x' * 10**6)",
    FORGE + "publish(*parts('stream', {'name': 'stdout'}, shown={'text': bytes(200 * 2**20)}))",
    FORGE + 'for _ in range(50): kernel.stdin_socket.send_multipart([*ident, bytes(15 * 2**20)])',  # which nobody reads
)


@pytest.mark.soak
def test_floods_do_not_fill_the_harness():
    """In a process of its own, because what a process has used at most never shrinks."""
    env = {**os.environ, 'PYTHONPATH': str(REPO)}
    done = subprocess.run([sys.executable, '-c', HARNESS, *FLOODS], env=env, cwd=REPO, capture_output=True, text=True)
    *statuses, megabytes = done.stdout.split()
    assert len(statuses) == len(FLOODS) and {*statuses} <= {*ENDED}
    assert int(megabytes) < 300


async def _sessions(settings, *codes):
    """One block in each of as many sessions, which are open at the same time."""
    async with contextlib.AsyncExitStack() as stack:
        interpreters = [await stack.enter_async_context(Interpreter(settings)) for _ in codes]
        return [await interpreter.run(code) for interpreter, code in zip(interpreters, codes, strict=True)]


@pytest.mark.parametrize('level', at(*FORKED))
def test_sessions_do_not_see_each_other(level):
    first = (
        "import socket, subprocess\nopen('mine', 'w').write('secret of a session')\n"
        "server = socket.create_server(('127.0.0.1', 17113))\nhidden = socket.socket(socket.AF_UNIX)\n"
        "hidden.bind('\\0of-a-session')\nhidden.listen()\n"
        f"child = subprocess.Popen(['sleep', '1000', '{MARKER}'])"
    )
    second = (
        'import glob, os, socket\n'
        "[socket.socket().connect_ex(('127.0.0.1', 17113)), "
        "socket.socket(socket.AF_UNIX).connect_ex('\\0of-a-session'), "
        "not any(b'sleep' in open(path, 'rb').read() for path in glob.glob('/proc/[0-9]*/cmdline')), "
        "os.listdir('.'), sorted(os.listdir('/session'))]"
    )
    with level.imposed():
        one, other = asyncio.run(_sessions(settings_at(level), first, second))
    assert one.status == 'ok', one.error
    assert other.result == "[111, 111, True, [], ['home', 'sockets', 'tmp', 'workspace']]"
    assert left_behind() == []


@pytest.mark.parametrize('level', at(*FORKED))
def test_sockets_of_the_machine_are_out_of_reach(level, tmp_path):
    """The servers say whether they were reached: a kernel has a server of its own, whose port can be the same."""
    code = (
        'import socket\n'
        "socket.socket().connect_ex(('127.0.0.1', {port}))\n"
        "[socket.socket(socket.AF_UNIX).connect_ex(path) for path in ('{path}', '\\0{name}')]"
    )
    name = f'cibench-test-{os.getpid()}'
    with (
        level.imposed(),
        socket.create_server(('127.0.0.1', 0)) as tcp,
        socket.socket(socket.AF_UNIX) as file,
        socket.socket(socket.AF_UNIX) as abstract,
    ):
        file.bind(str(tmp_path / 's'))
        abstract.bind(f'\0{name}')
        for server in (file, abstract):
            server.listen()
        code = code.format(port=tcp.getsockname()[1], path=tmp_path / 's', name=name)
        (execution,) = asyncio.run(_sessions(settings_at(level), code))
        assert execution.result == '[2, 111]'
        for server in (tcp, file, abstract):
            server.setblocking(False)
            with pytest.raises(BlockingIOError):
                server.accept()


RECONNECT = """\
import os, socket, stat
for channel in range(1, 6):
    os.remove(f'/session/sockets/k-{channel}')
    os.symlink('@PATH@', f'/session/sockets/k-{channel}')
for name in os.listdir('/proc/self/fd'):
    try:
        if stat.S_ISSOCK(os.fstat(int(name)).st_mode):
            found = socket.socket(fileno=os.dup(int(name)))
            if found.family == socket.AF_UNIX and found.getsockname() and '/sockets/k-' in str(found.getsockname()):
                found.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
"""


@pytest.mark.parametrize('level', at(FORK))
def test_harness_follows_no_link_out_of_the_socket_folder(level, tmp_path):
    """A session's sockets are reached by path; what it puts in their place must not be."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / 's'))
        server.listen()
        server.setblocking(False)
        code = RECONNECT.replace('@PATH@', str(tmp_path / 's'))
        asyncio.run(_sessions(settings_at(level, timeout=2), code))
        with pytest.raises(BlockingIOError):
            server.accept()


def test_deep_folders_can_be_removed():
    code = "import os\nfor _ in range(3000):\n    os.mkdir('d')\n    os.chdir('d')"
    before = set(scratch().iterdir())
    try:
        (execution,) = asyncio.run(_sessions(settings_at(NONE_FORK, start='spawn'), code))
        assert execution.status == 'ok'
        assert set(scratch().iterdir()) == before
    finally:
        for folder in set(scratch().iterdir()) - before:
            subprocess.run(['rm', '-rf', str(folder)])


def test_end_of_a_kernel_reaches_all_who_wait():
    """The watchdog waits for the end of what it has killed; `stop`, meanwhile, cancels it and waits as well."""

    async def session(kernel):
        watchdog, stop = (asyncio.ensure_future(kernel._process.wait()) for _ in range(2))
        await asyncio.sleep(0)
        watchdog.cancel()
        await asyncio.wait([watchdog])
        os.killpg(kernel._process.session.pid, signal.SIGKILL)
        async with asyncio.timeout(2):
            await stop

    with_kernel(settings_at(NONE_FORK), session)


@pytest.mark.parametrize('start', ['fork', 'spawn'])
def test_harness_that_is_not_root(start):
    problem = nobody_problem()
    if problem:
        pytest.skip(problem)
    script = (
        'import asyncio\nfrom cibench_eval.interpreter import Interpreter\n'
        'from tests.interpreter.programs import Level, settings_at\n'
        f"settings = settings_at(Level('bubblewrap', {start!r}))\n"
        'async def session():\n    async with Interpreter(settings) as interpreter:\n'
        '        execution = await interpreter.run(\'import os\\nos.getuid(), os.path.exists("/etc/passwd")\')\n'
        '        print(execution.status, execution.result)\nasyncio.run(session())'
    )
    done = run_as_nobody(script)
    assert done.stdout == 'ok (1000, False)\n', done.stderr
