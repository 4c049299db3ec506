"""Programs that attack by what they use up, and by messages of their own making (`docs/security.md`)."""

import pytest

from tests.interpreter.neighbours import HOSTILE
from tests.interpreter.programs import (
    BARE,
    BWRAP,
    CONTAINERS,
    DIED,
    EITHER,
    ENDED,
    EVERYWHERE,
    FORGE,
    FORK,
    HURT,
    NONE_FORK,
    SANDBOXED,
    SPAWN,
    USER_FORK,
    USERS,
    WATCHED,
    Block,
    cases,
    check,
    goes_on,
    program,
    sandboxed,
    watched,
)
from tests.support.soak import many

pytestmark = pytest.mark.kernel
COUNTED = (*SANDBOXED, *watched(FORK))
"""Levels at which something other than the watchdog, which comes too late for the machine, counts processes: where
root has a user namespace, RLIMIT_NPROC does not bind."""

# --- Resources -------------------------------------------------------------------------------------------------

FILL = """\
def fill(megabytes):
    block = bytearray(megabytes * 2**20)
    for at in range(0, len(block), 4096):
        block[at] = 1
    return block
"""
SHARED_FILL = """\
import mmap, signal
blocks = [mmap.mmap(-1, 256 * 2**20) for _ in range(6)]
for block in blocks:
    for at in range(0, len(block), 4096):
        block[at] = 1
signal.pause()
"""
RESOURCES = [
    program(
        '30_gb_at_once', 'bytearray(30 * 2**30)', status='error', error='MemoryError', levels=(*EVERYWHERE, *USERS)
    ),
    goes_on(
        'memory_of_one_process',
        FILL + 'import signal\nblock = fill(1500)\nsignal.pause()',
        status=DIED,
        error='KernelDied',
        levels=(*EVERYWHERE, USER_FORK, *CONTAINERS, *WATCHED, *watched(NONE_FORK)),
    ),
    program(
        'memory_of_many_processes',
        Block(
            FILL + 'import os, signal\n'
            'for _ in range(6):\n    if os.fork() == 0:\n        block = fill(300)\n        signal.pause()\n'
            'while os.wait()[1] != 9:\n    pass\nprint("one was killed")',
            status=('ok', 'kernel_died'),
        ),
        Block('1', status=('ok', 'kernel_died')),
        levels=(FORK, *CONTAINERS, *watched(FORK, NONE_FORK)),
    ),
    goes_on('memory_that_is_shared', SHARED_FILL, status=DIED, levels=(FORK, *CONTAINERS, *watched(FORK))),
    program(
        'memory_in_files_without_names',
        'import os\nos.memfd_create("x")',
        status='error',
        error='OSError',
        levels=(*EVERYWHERE, USER_FORK),
    ),
    program(
        'memory_in_system_v_segments',
        'import ctypes\nctypes.CDLL(None).shmget(0, 2**20, 0o1600)',
        result='-1',
        levels=(*EVERYWHERE, USER_FORK),
    ),
    program(
        'file_system_of_its_own',
        "import subprocess\nsubprocess.run(['unshare', '-Urm', 'true']).returncode",
        result='1',
        levels=(*EVERYWHERE, USER_FORK),
    ),
    *(
        program(
            f'disk_one_file_in_{name}',
            f"import os\nwith open(os.path.join({where}, 'x'), 'wb') as file:\n"
            '    for _ in range(200):\n        file.write(bytes(2**20))',
            status=('error', 'kernel_died'),  # without a sandbox, the watchdog may be first
            error=('OSError', 'PermissionError', 'KernelDied'),
            levels=levels,
        )
        for name, where, levels in (
            ('workspace', "'.'", (*EVERYWHERE, *CONTAINERS)),
            ('tmp', "os.environ['TMPDIR']", (FORK, USER_FORK)),
            ('tmp_of_the_system', "'/tmp'", (FORK, *CONTAINERS)),
            ('home', "os.environ['HOME']", (FORK,)),
            ('shm', "'/dev/shm'", (FORK, USER_FORK, *CONTAINERS)),
            ('sockets', "'/session/sockets'", (FORK, *CONTAINERS)),
        )
    ),
    sandboxed(
        'disk_many_files',
        "for i in range(100):\n    with open(f'{i}', 'wb') as file:\n        file.write(bytes(2**20))",
        status='error',
        error='OSError',
    ),
    program(
        'disk_many_small_files',
        "for i in range(100_000):\n    with open(f'{i}', 'wb') as file:\n        file.write(b'x')",
        status='error',
        error='OSError',
        levels=(FORK, USER_FORK),
    ),
    goes_on(
        'disk_many_files_without_sandbox',
        "import signal\nfor i in range(100):\n    with open(f'{i}', 'wb') as file:\n"
        '        file.write(bytes(2**20))\nsignal.pause()',
        status=DIED,
        holds=lambda e: 'wrote more than' in e.error.value,
        levels=BARE,
    ),
    goes_on(
        'fork_bomb',
        'import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass',
        status=('timeout', 'kernel_died'),
        timeout=1,
        levels=COUNTED,
    ),
    goes_on(
        'shell_fork_bomb',
        '!bomb() { bomb | bomb & }; bomb; sleep 1',
        status=ENDED,
        truncated=None,
        timeout=2,
        levels=COUNTED,
    ),
    program(
        'threads_to_the_last',
        Block(
            'import threading\nend = threading.Event()\n'
            'def hog():\n    while True:\n        try:\n'
            '            threading.Thread(target=end.wait, daemon=True).start()\n'
            '        except RuntimeError:\n            full.set()\n'
            'full = threading.Event()\nthreading.Thread(target=hog, daemon=True).start()\n'
            'print(full.wait(), end.wait(1))',  # a second, so that the watchdog looks at it
            stdout='True False\n',
        ),
        Block("print('more')", stdout='more\n'),
        levels=COUNTED,
    ),
    program(
        'thread_bomb',
        Block(
            'import threading\nend = threading.Event()\nfor _ in range(500):\n'
            '    threading.Thread(target=end.wait, daemon=True).start()\n'
            'end.wait(1)',  # so that the watchdog looks at it
            status=HURT,
        ),
        '1',
        result='1',
        levels=(*COUNTED, NONE_FORK),
    ),
    *(
        goes_on(f'overwriting_with_{name}', f"print({text}, end='')", **wanted)
        for name, text, wanted in (
            ('returns', "'a\\r' * 2_000_000", {'stdout': 'a\r'}),
            ('backspaces', "'a\\b' * 400_000 + 'b'", {'truncated': None}),
            ('broken_escapes', "'\\x1b[' * 500_000 + 'x'", {'truncated': None}),
        )
    ),
    program(
        'open_files',
        Block("files = []\nwhile True:\n    files.append(open('data/x.csv'))", status=('error', 'kernel_died')),
        Block('files = []\n1', status=('ok', 'kernel_died')),
        '1',
        result='1',
        levels=EITHER,
    ),
    goes_on(
        'loop_in_many_processes',
        'import os, signal\nfor _ in range(8):\n    if os.fork() == 0:\n'
        '        signal.signal(signal.SIGINT, signal.SIG_IGN)\n        while True: pass\n'
        'os.wait()',
        status='timeout',
        timeout=0.5,
        levels=(FORK, NONE_FORK),
    ),
]

# --- Messages --------------------------------------------------------------------------------------------------

NEXT_OK = Block('1', result='1')


def forged_reply(name, code):
    return goes_on(f'reply_{name}', FORGE + code, status=ENDED, truncated=None)


def forged_output(name, code):
    forging = Block(f"{FORGE}{code}\nprint('after')", truncated=None, stdout='after\n')
    return program(f'output_{name}', forging, NEXT_OK)


MESSAGES = [
    forged_reply('that_answers_nothing', "reply(b'<IDS|MSG>', b'bad', b'{}', b'{}', b'{}', b'{}')"),
    forged_reply('without_status', "reply(*parts('execute_reply', {}))"),
    forged_output('that_answers_nothing', "publish(b'<IDS|MSG>', b'bad', b'{}', b'{}', b'{}', b'{}')"),
    forged_output('whose_figure_is_none', "publish(*parts('display_data', {}, shown={'image/png': b'GIF89a'}))"),
    forged_output('status_without_state', "publish(*parts('status', {}))"),
    program(
        'output_of_an_earlier_block',
        Block('earlier = get_ipython().kernel.get_parent()'),
        Block(
            FORGE + "publish(*parts('stream', {'name': 'stdout'}, earlier, {'text': b'forged'}))\nprint('own')",
            stdout='own\n',
        ),
        NEXT_OK,
    ),
    goes_on(
        'output_of_a_later_block_is_only_its_own_sessions',
        FORGE + 'import copy\nlater = copy.deepcopy(kernel.get_parent())\n'
        "front, _, number = later['header']['msg_id'].rpartition('_')\n"
        "later['header']['msg_id'] = f'{front}_{int(number) + 1}'\n"
        "publish(*parts('stream', {'name': 'stdout'}, later, {'text': b'forged'}))",
    ),
    goes_on(
        'idle_too_early',
        FORGE + "publish(*parts('status', {'execution_state': 'idle'}))\nprint('late')",
        truncated=None,
    ),
    program(
        'reply_too_early',
        Block(
            FORGE + "reply(*parts('execute_reply', {'status': 'ok'}))\nforged = 1\nwhile True: pass",
            status=ENDED,
            truncated=True,  # its kernel is never idle, so something may have been lost
            timeout=1,
        ),
        Block('1', status=ENDED, truncated=None, timeout=1),
        Block('1', status=ENDED, truncated=None, timeout=1),  # its lie may have lost the rest of its own session
    ),
    goes_on(
        'reply_with_a_strange_status',
        FORGE + "reply(*parts('execute_reply', {'status': 'superb'}))",
        status=('ok', 'error'),
    ),
    goes_on(
        'sockets_closed',
        'import os, stat\nfor name in os.listdir("/proc/self/fd"):\n    try:\n'
        '        if stat.S_ISSOCK(os.fstat(int(name)).st_mode):\n            os.close(int(name))\n'
        '    except OSError:\n        pass',
        status=('timeout', 'kernel_died'),
        timeout=1,
        levels=(FORK, SPAWN, NONE_FORK),
    ),
    *(
        goes_on(
            f'sockets_removed_from_{name}',
            "import glob, os\nfor path in glob.glob('/session/sockets/*'):\n    os.remove(path)",
            **wanted,
            levels=levels,
        )
        for name, wanted, levels in (
            ('bubblewrap', {'status': 'ok'}, (*BWRAP, *USERS)),
            ('a_container', {'status': 'error', 'error': 'PermissionError'}, CONTAINERS),
        )
    ),
    program(
        'kernel_object_taken_apart',
        Block(
            'kernel = get_ipython().kernel\nkernel.session.send = None\n'
            'kernel.shell_stream = kernel.iopub_socket = None\n',
            status=HURT,
            timeout=1,
        ),
        Block('1', status=ENDED, timeout=1),
    ),
    goes_on(
        'messages_on_a_channel_that_nobody_reads',
        FORGE + 'for _ in range(100):\n    kernel.stdin_socket.send_multipart([*ident, b"x" * 10_000])',
    ),
]

AGAINST_NEIGHBOURS = [
    goes_on(name, HOSTILE[name], status=ENDED, truncated=None, timeout=1.5, levels=levels, slow=True)
    for name, levels in {
        'sockets': (USER_FORK, *WATCHED),
        'watchdog_trap': (USER_FORK, *WATCHED),
        'burners': (USER_FORK, NONE_FORK),
    }.items()
]
"""What uses up what a sandbox limits, at more levels than `test_neighbours.py` has.

Where nothing counts processes or memory of sockets in time, those are the machine's trouble.
"""

PROGRAMS = [*RESOURCES, *MESSAGES, *AGAINST_NEIGHBOURS]


@pytest.mark.parametrize(('level', 'made'), cases(many(PROGRAMS, PROGRAMS[::2])))
def test_program(place_at, level, made):
    check(place_at(level), made)
