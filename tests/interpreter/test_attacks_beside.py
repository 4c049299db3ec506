"""What hostile code does to a session beside it, by way of what Linux shares between them.

A file of its own: a place that another test keeps open alters the machine for its level.
"""

import asyncio

import pytest

from cibench_eval.interpreter import Interpreter, KernelPool
from tests.interpreter.nobody import nobody_problem, run_as_nobody
from tests.interpreter.programs import FORK, USER_FORK, at, settings_at
from tests.interpreter.test_attacks_on_linux import CHILDREN

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
VOICES = 'import random, uuid, tempfile, numpy, ssl\n' + (
    'print(random.random(), numpy.random.rand(), uuid.uuid4().hex, next(tempfile._get_candidate_names()), '
    'ssl.RAND_bytes(8).hex())'
)
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
    'names_of_sockets': (
        "import socket\none = socket.socket(socket.AF_UNIX)\none.bind('\\0attack')\none.listen()\n"
        "two = socket.create_server(('127.0.0.1', 45671))",
        'import socket\nfound = []\nfor family, address in ((1, "\\0attack"), (2, ("127.0.0.1", 45671))):\n'
        '    found.append(socket.socket(family).connect_ex(address))\nassert found == [111, 111]',
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


@pytest.mark.parametrize('level', at(FORK, USER_FORK))
@pytest.mark.parametrize('name', list(BESIDE))
def test_a_neighbour_is_as_it_would_be_alone(level, name):
    if (name, level) == ('descriptors_on_their_way', USER_FORK):
        pytest.skip("Linux counts them for a user, and an ordinary user's sessions are one to it")
    _, execution = beside(level, *BESIDE[name])
    assert execution.status == 'ok', execution


def test_sessions_draw_numbers_of_their_own():
    one, other = beside(FORK, VOICES, VOICES)
    assert not set(one.stdout.split()) & set(other.stdout.split())


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
