"""The filter of system calls: its table, its program, and that every process of a session has it."""

import asyncio
import ctypes
import errno
import json
import os
import platform
import re
import struct
from dataclasses import replace
from pathlib import Path

import pytest

from cibench_eval.interpreter import Interpreter
from cibench_eval.interpreter.inside import seccomp
from cibench_eval.interpreter.sandboxes.base import launcher
from tests.interpreter.nobody import nobody_problem, run_as_nobody
from tests.interpreter.programs import (
    FORK,
    FORKED,
    LIMITS,
    NONE_SPAWN,
    SECRET,
    USER_FORK,
    at,
    cases,
    check,
    keep_key,
    program,
    settings_at,
)

HEADERS = {
    'x86_64': Path('/usr/include/x86_64-linux-gnu/asm/unistd_64.h'),
    'aarch64': Path('/usr/include/asm-generic/unistd.h'),
}
GONE = {
    *('afs_syscall', 'create_module', 'epoll_ctl_old', 'epoll_wait_old', 'get_kernel_syms', 'get_thread_area'),
    *('getpmsg', 'nfsservctl', 'putpmsg', 'query_module', 'security', 'set_thread_area', 'sysfs', 'tuxcall'),
    *('uselib', 'ustat', 'vserver', '_sysctl'),
}
"""Calls that Linux no longer has, or for 32 bits alone."""
X32 = 0x40000000
ALLOWED, DONE = 0, 'done'


def numbers(header):
    """Calls by name; those that depend on the width of a word by that of 64 bits."""
    found = dict(re.findall(r'#define __NR(?:3264)?_(\w+)\s+(\d+)', header.read_text()))
    same = re.findall(r'#define __NR_(\w+) __NR3264_(\w+)', header.read_text())
    found |= {new: found[old] for new, old in same if old in found}
    return {name: int(number) for name, number in found.items() if name != 'syscalls'}  # how many there are


@pytest.mark.parametrize('machine', list(HEADERS))
def test_numbers_are_those_of_linux(machine):
    if not HEADERS[machine].exists():
        pytest.skip(f'no {HEADERS[machine]} here')
    there = numbers(HEADERS[machine])
    table = {name: number for number, (name, _) in seccomp.table(machine).items()}
    assert {name: there.get(name, number) for name, number in table.items()} == table
    newer = {'uretprobe', 'uprobe', *(name for name, number in table.items() if number > max(there.values()))}
    assert table.keys() - there.keys() <= newer
    assert machine != 'x86_64' or there.keys() - table.keys() == GONE


def test_newer_calls_have_one_number_everywhere():
    x86, arm = ({n: number for number, (n, _) in seccomp.table(m).items() if number >= 424} for m in HEADERS)
    assert x86 == arm


def answer(machine, number, *arguments, architecture=None):
    """What the filter answers, an error or ALLOWED, and after how many instructions."""
    program = seccomp.program(machine)
    call = struct.pack(
        '<IIQ6Q', number, architecture or seccomp.MACHINES[machine], 0, *arguments, *[0] * (6 - len(arguments))
    )
    at, loaded, steps = 0, 0, 0
    while True:
        code, if_true, if_false, constant = struct.unpack_from('<HBBI', program, 8 * at)
        at, steps = at + 1, steps + 1
        if code == seccomp.RETURN:
            return (ALLOWED if constant == 0x7FFF0000 else constant ^ 0x00050000 or DONE), steps
        if code == seccomp.LOAD:
            (loaded,) = struct.unpack_from('<I', call, constant)
        elif code == seccomp.JUMP:
            at += constant
        else:
            tests = {
                seccomp.EQUAL: loaded == constant,
                seccomp.AT_LEAST: loaded >= constant,
                seccomp.ANY_BIT: bool(loaded & constant),
            }
            at += if_true if tests[code] else if_false


@pytest.mark.parametrize('machine', list(HEADERS))
def test_program_answers_what_the_table_says(machine):
    table = seccomp.table(machine)
    words = {'allow': ALLOWED, 'done': DONE, 'EPERM': errno.EPERM, 'ENOSYS': errno.ENOSYS}
    for number in (*range(1024), X32, X32 + 1, X32 + 520, 2**31, 2**32 - 1):
        name, said = table.get(number, ('', 'ENOSYS'))
        assert said in words or name in seccomp.CHECKS
        found, steps = answer(machine, number)
        assert said == 'checked' or found == words[said], (name, number)
        assert steps <= 20
    other = next(seccomp.MACHINES[name] for name in HEADERS if name != machine)
    assert {answer(machine, number, architecture=other)[0] for number in table} == {errno.ENOSYS}


HIGH = 0xDEAD_0000_0000
"""Upper bits of an argument of which Linux reads the lower ones."""
MODULES = ((1, 132), (5, 132), (6, 33), (1, 262), (2, 136), (2, 115))
"""Kinds and protocols of sockets that load modules of Linux."""
ARGUMENTS = [
    *(('clone', (flag,), errno.EPERM) for flag in (1 << 17, *(1 << bit for bit in range(25, 31)), HIGH | 1 << 28)),
    ('clone', (0x01200011,), ALLOWED),  # a fork
    ('clone', (0x3D0F00,), ALLOWED),  # a thread
    *((call, (family, 1, 0), ALLOWED) for call in ('socket', 'socketpair') for family in (1, 2, 10, 16)),
    *(('socket', (family, 1, 0), errno.EAFNOSUPPORT) for family in (0, 4, 9, 17, 21, 29, 30, 31, 38, 40, 44, 45, 99)),
    ('socket', (HIGH | 40, 1, 0), errno.EAFNOSUPPORT),
    *(('socket', (16, 3, protocol), errno.EAFNOSUPPORT) for protocol in range(1, 32)),
    *(('personality', (number,), ALLOWED) for number in (0, 0xFFFFFFFF)),
    *(('personality', (number,), errno.EPERM) for number in (8, 0x20000, 0x40000, 0x400000)),
    *(('ioctl', (0, request), errno.EPERM) for request in (0x5412, 0x541C, 0xAA00, HIGH | 0x5412)),
    *(('ioctl', (0, request), ALLOWED) for request in (0x5401, 0x5413, 0x541B)),
    ('seccomp', (1, 8), errno.EPERM),
    ('seccomp', (1, 0), ALLOWED),
    *(('socket', (family, *of), errno.EPROTONOSUPPORT) for family in (2, 10) for of in MODULES),
    *(('socket', (2, 1, protocol), ALLOWED) for protocol in (1, 6, 17, 58)),
    ('ioctl', (0, 0x5423), errno.EPERM),
    *(('fcntl', (0, command), errno.EPERM) for command in (1024, 1026)),
    *(('fcntl', (0, command), ALLOWED) for command in (0, 3, 6, 1025, 1030, 1031)),
    *(('setsockopt', (0, 1, option), errno.EPERM) for option in (26, 50, 51, 52)),
    *(('setsockopt', (0, level, option), ALLOWED) for level, option in ((1, 2), (6, 8), (6, 26), (0, 50))),
    *(('setsockopt', (0, 1, option), DONE) for option in (7, 8, 32, 33)),
    *(('prctl', (option,), errno.EPERM) for option in (62, 67)),
    *(('prctl', (option,), ALLOWED) for option in (1, 15, 22, 38)),
    ('fadvise64', (0, 0, 0, 4), DONE),
    *(('fadvise64', (0, 0, 0, advice), ALLOWED) for advice in (0, 1, 2, 3, 5)),
]


@pytest.mark.parametrize('machine', list(HEADERS))
def test_arguments_decide(machine):
    numbers = {name: number for number, (name, _) in seccomp.table(machine).items()}
    found = [(name, arguments, answer(machine, numbers[name], *arguments)[0]) for name, arguments, _ in ARGUMENTS]
    assert found == ARGUMENTS


def test_a_jump_that_is_too_far_for_a_condition_is_made_in_two():
    block = [seccomp.instruction(seccomp.LOAD, 0, 0, 0)] * 150
    code = seccomp.search(
        [(number, [*block, seccomp.instruction(seccomp.RETURN, 0, 0, number)]) for number in range(4)]
    )
    kinds = [struct.unpack('<HBBI', word) for word in code]
    assert sum(kind[0] == seccomp.JUMP for kind in kinds) == 1
    assert all(kind[1] <= seccomp.FARTHEST for kind in kinds)


# --- Every process -----------------------------------------------------------------------------------------------

HERE = "import os, subprocess\nchild = subprocess.Popen(['sleep', '1000'])\nprint(os.readlink('/proc/self/ns/pid'))"
FILTERED = {'Seccomp': '2', 'NoNewPrivs': '1', 'CapEff': '0' * 16, 'CapPrm': '0' * 16, 'CapAmb': '0' * 16}


def processes_of(namespace):
    """Living processes of the machine that are in a process namespace."""
    for folder in Path('/proc').glob('[0-9]*'):
        try:
            if (
                str((folder / 'ns' / 'pid').readlink()) == namespace
                and 'State:\tZ' not in (folder / 'status').read_text()
            ):
                yield folder
        except OSError:  # it has just ended
            continue


async def looked_at(level):
    """Of each process of a session its name, user, status and limits."""
    async with Interpreter(settings_at(level)) as interpreter:
        namespace = (await interpreter.run(HERE)).stdout.strip()
        found = []
        for folder in processes_of(namespace):
            name, status, limits = ((folder / file).read_text().splitlines() for file in ('comm', 'status', 'limits'))
            found.append((name[0], folder.stat().st_uid, status, limits))
        return found


BOUNDS = {
    'Max address space': LIMITS.address_space,
    'Max file size': LIMITS.disk,
    'Max open files': LIMITS.open_files,
    'Max cpu time': LIMITS.cpu_seconds,
    'Max core file size': 0,
    'Max processes': LIMITS.processes,
}


@pytest.mark.kernel
@pytest.mark.parametrize('level', at(*FORKED))
def test_all_processes_inside_are_filtered_and_limited(level):
    own = {'fork': ['bwrap', 'cat'], 'spawn': ['bwrap']}[level.start] if level.sandbox == 'bubblewrap' else ['init']
    with level.imposed():
        found = asyncio.run(looked_at(level))
    assert len(found) == len(own) + 2
    for name, user, status, limits in found:
        fields = dict(line.split(':', 1) for line in status)
        assert {field: fields[field].strip() for field in FILTERED} == FILTERED, name
        if level.sandbox == 'bubblewrap':  # those of a container are its engine's
            there = {line[:26].strip(): line[26:].split()[:2] for line in limits}
            bounds = {limit: [str(most)] * 2 for limit, most in BOUNDS.items()}
            if name in own and not level.userns and user == 0:
                del bounds['Max processes']  # root's own, whom nothing inside can be
            assert {limit: there[limit] for limit in bounds} == bounds, name
    if level.sandbox == 'bubblewrap':
        assert [name for name, *_ in found if name in ('bwrap', 'cat')] == own


# --- Taking over what is not the kernel --------------------------------------------------------------------------

INJECTED = bytes.fromhex(
    '4881ec001000004883e4f04889e3b8fa000000bf0a00000048c7c6fdffffff488d15b20000004c8d15b00000004531c00f05488903b83f'
    '010000488d3d9700000031f60f0548894308b829000000bf28000000be0100000031d20f0548894310b8a9010000bf0100000031f60f05'
    '48894318b843010000bf010000000f0548894320b810010000bf000000100f0548894328b82e01000031ffbe0900000031d24c8d53300f'
    '05b802000000488d3d33000000be41040000bab60100000f0589c7b8010000004889deba400000000f05b8220000000f05ebf775736572'
    '00636962656e6368002f73657373696f6e2f746d702f6f776e656400'
)
"""Machine code of x86-64: it tries ATTEMPTS and writes what each returned, then its limits on memory, to a file."""
ATTEMPTS = ('key of the harness', 'memfd_create', 'AF_VSOCK', 'io_uring_setup', 'userfaultfd', 'user namespace')
TAKE_OVER = """import json, os, struct, time
taken = {}
for pid in sorted(int(name) for name in os.listdir('/proc') if name.isdigit()):
    try:
        name = open(f'/proc/{pid}/comm').read().strip()
        if name not in ('bwrap', 'cat'):
            continue
        place = int(open(f'/proc/{pid}/syscall').read().split()[-1], 16)
        with open(f'/proc/{pid}/mem', 'r+b', buffering=0) as memory:
            memory.seek(place)
            memory.write(bytes.fromhex('@CODE@'))
    except OSError as error:
        continue
    if name == 'cat':
        os.write(os.open(f'/proc/{pid}/fd/0', os.O_WRONLY), b'go on')
    elif os.fork() == 0:
        if os.fork() == 0:
            os._exit(0)
        os._exit(0)
    end = time.monotonic() + 10
    results = b''
    while len(results) < 64 and time.monotonic() < end:
        if os.path.exists('/session/tmp/owned'):
            results = open('/session/tmp/owned', 'rb').read()
    taken[name] = struct.unpack('8q', results)
    os.remove('/session/tmp/owned')
print(json.dumps(taken))
""".replace('@CODE@', INJECTED.hex())
HARNESS = """import asyncio, sys
from cibench_eval.interpreter import Interpreter
from tests.interpreter.programs import SECRET, Level, keep_key, settings_at
keep_key(SECRET.encode())
async def session():
    async with Interpreter(settings_at(Level('bubblewrap', sys.argv[1]))) as interpreter:
        execution = await interpreter.run(sys.argv[2])
        print(execution.stdout or execution.error)
asyncio.run(session())
"""


@pytest.mark.kernel
@pytest.mark.skipif(platform.machine() != 'x86_64', reason='the machine code is that of x86-64')
@pytest.mark.parametrize(('start', 'reached'), [('fork', {'cat'}), ('spawn', set())])
def test_taking_over_the_sandboxs_own_processes_gains_nothing(start, reached):
    """As an ordinary user, whose kernels have the user id of bubblewrap itself."""
    if problem := nobody_problem():
        pytest.skip(problem)
    done = run_as_nobody(HARNESS, start, TAKE_OVER)
    taken = json.loads(done.stdout or done.stderr)
    assert taken.keys() == reached
    for results in taken.values():
        tried = dict(zip(ATTEMPTS, results, strict=False))
        assert {name: errno.errorcode.get(-number, number) for name, number in tried.items()} == {
            'key of the harness': 'EPERM',
            'memfd_create': 'ENOSYS',
            'AF_VSOCK': 'EAFNOSUPPORT',
            'io_uring_setup': 'EPERM',
            'userfaultfd': 'EPERM',
            'user namespace': 'EPERM',
        }
        assert results[6:] == [LIMITS.address_space] * 2


@pytest.mark.skipif(platform.machine() != 'x86_64', reason='numbers of x86-64')
def test_what_starts_sessions_does_not_hold_the_harness_keys():
    libc = ctypes.CDLL(None)

    def key():
        return libc.syscall(250, 10, -3, b'user', b'cibench', 0)

    keep_key(SECRET.encode())
    if key() < 0:
        pytest.skip('no keys here')
    assert launcher(os.getpid()).submit(key).result() < 0


# --- Work --------------------------------------------------------------------------------------------------------

WORK = [
    *(
        program(
            f'processes_by_{method}',
            f"import math, multiprocessing\ncontext = multiprocessing.get_context('{method}')\n"
            'from concurrent.futures import ProcessPoolExecutor\n'
            'with context.Pool(2) as pool, ProcessPoolExecutor(2, context) as executor:\n'
            '    made = pool.map(math.factorial, range(5)), list(executor.map(math.sqrt, [1, 4]))\nmade',
            result='([1, 1, 2, 6, 24], [1.0, 2.0])',
            slow=method == 'spawn',
        )
        for method in ('fork', 'spawn', 'forkserver')
    ),
    program(
        'a_manager_and_shared_memory',
        'import multiprocessing, numpy\nfrom multiprocessing.shared_memory import SharedMemory\n'
        'memory = SharedMemory(create=True, size=80)\narray = numpy.ndarray(10, buffer=memory.buf)\narray[:] = 1\n'
        'total = array.sum()\ndel array\nmemory.close()\nmemory.unlink()\n'
        'with multiprocessing.Manager() as manager:\n    found = dict(manager.dict(a=1))\nprint(total, found)',
        stdout="10.0 {'a': 1}\n",
    ),
    program(
        'subprocesses',
        "import asyncio, subprocess\nshell = subprocess.run('ps > /dev/null; mkfifo f; cp -r . $TMPDIR/c; sync; "
        "tar c . | gzip > $TMPDIR/x; rm f; df . && echo done', shell=True, capture_output=True, text=True)\n"
        "process = await asyncio.create_subprocess_exec('echo', 'asked', stdout=subprocess.PIPE)\n"
        'shell.stdout[-5:], shell.stderr, await process.communicate()',
        result="('done\\n', '', (b'asked\\n', None))",
    ),
    program(
        'a_database',
        "import sqlite3\ndatabase = sqlite3.connect('x.db')\ndatabase.execute('pragma journal_mode=wal')\n"
        "database.execute('create table t(x)')\ndatabase.executemany('insert into t values (?)', [(1,), (2,)])\n"
        "database.commit()\ndatabase.execute('select sum(x) from t').fetchone()",
        result='(3,)',
    ),
    program(
        'an_alarm',
        'import signal\ndef ring(*_):\n    raise TimeoutError\nsignal.signal(signal.SIGALRM, ring)\n'
        'signal.setitimer(signal.ITIMER_REAL, 0.05)\ntry:\n    signal.pause()\nexcept TimeoutError:\n    print("rang")',
        stdout='rang\n',
    ),
    program(
        'a_server_of_its_own',
        'import http.server, socket, threading, urllib.request\n'
        'class Handler(http.server.SimpleHTTPRequestHandler):\n    def log_message(*_):\n        pass\n'
        "server = http.server.ThreadingHTTPServer(('localhost', 0), Handler)\n"
        'threading.Thread(target=server.serve_forever, daemon=True).start()\n'
        "status = urllib.request.urlopen(f'http://localhost:{server.server_port}').status\nserver.shutdown()\n"
        "one, other = socket.socketpair()\none.send(b'x')\nstatus, other.recv(1)",
        result="(200, b'x')",
    ),
    program(
        'files_and_descriptors',
        'import mmap, os, shutil, tempfile\nwith tempfile.TemporaryFile() as file:\n'
        '    os.posix_fallocate(file.fileno(), 0, 9999)\n    os.fsync(file.fileno())\n'
        '    size = len(mmap.mmap(file.fileno(), 0))\n'
        "open('q', 'w').write('1')\nshutil.copy2('q', 'r')\nos.utime('r')\n"
        'size, os.eventfd(1) > 0, os.pidfd_open(os.getpid()) > 0, len(os.sched_getaffinity(0)) > 0, os.nice(1) > 0',
        result='(9999, True, True, True, True)',
    ),
]


@pytest.mark.kernel
@pytest.mark.parametrize(('level', 'made'), cases(replace(made, levels=(FORK, USER_FORK, NONE_SPAWN)) for made in WORK))
def test_work_is_done(place_at, level, made):
    check(place_at(level), made)
