"""Programs that attack by way of the operating system: what Linux shares between all that run on it."""

import functools
import platform
from dataclasses import replace

import pytest

from tests.interpreter.programs import (
    BARE,
    BWRAP,
    CONTAINERS,
    EVERYWHERE,
    FORK,
    LIBC,
    MIB,
    NONE_FORK,
    USER_FORK,
    USERS,
    Block,
    cases,
    check,
    goes_on,
    groups_can_be_made,
    program,
    run,
    sandboxed,
    watched,
)

pytestmark = pytest.mark.kernel
OF_A_NAMESPACE = '/proc/(pressure/|sys/(fs/mqueue/|kernel/(auto_msgmni|msg|ns_last_pid|pid_max|sem|shm)))'
"""Settings that Linux keeps for each namespace, open to the user who made it: a session's are its own."""
FILTERED = (*EVERYWHERE, USER_FORK, *CONTAINERS)
"""Levels of a few programs, which show that the filter is there. What it answers is the same: `test_filter.py`."""
filtered = functools.partial(program, levels=FILTERED)
TRIED = """\
import ctypes, errno, fcntl, os, socket
libc = ctypes.CDLL(None, use_errno=True)
def tried(call, *arguments):
    try:
        found = call(*arguments)
    except OSError as error:
        return errno.errorcode[error.errno]
    return 'done' if found is None or not isinstance(found, int) or found >= 0 else errno.errorcode[ctypes.get_errno()]
"""
CHILDREN = """\
import os, signal, socket
reading, writing = os.pipe()
def children(count, work):
    for _ in range(count):
        if os.fork() == 0:
            try:
                work()
            except OSError:
                pass
            os.write(writing, b'.')
            signal.pause()
    for _ in range(count):
        os.read(reading, 1)
"""
CONNECTIONS = """\
kept = []
def connections():
    server = socket.create_server(('127.0.0.1', 0))
    for _ in range(100):
        kept.extend((socket.create_connection(server.getsockname()), server.accept()[0]))
        for one in kept[-2:]:
            one.setblocking(False)
            try:
                while one.send(bytes(2**16)):
                    pass
            except BlockingIOError:
                pass
"""
DATAGRAMS = """\
kept = []
def datagrams():
    while len(kept) < 900:
        one, other = (socket.socket(type=socket.SOCK_DGRAM) for _ in range(2))
        one.bind(('127.0.0.1', 0))
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2**24)
        for _ in range(8):
            other.sendto(bytes(60_000), one.getsockname())
        kept.append(one)
"""
HELD = """\
[int(line.split()[-1]) * 4 // 1024 for line in open('/proc/net/sockstat') if line.startswith('@NAME@:')][0] < 600
"""

# --- Calls -------------------------------------------------------------------------------------------------------

CALLS = [
    program(
        'cores_and_pages_of_its_own',
        TRIED
        + '[tried(libc.prctl, *call, 0) for call in ((62, 1, 0, 0), (67, 1, 0, 0), (35, 1, 0, 0), (57, 1, 0, 0))]',
        result=str(['EPERM'] * 4),
    ),
    program(
        'files_of_others_out_of_memory',
        "import mmap, os\nshared = os.open('/usr/bin/env', os.O_RDONLY)\n"
        'os.posix_fadvise(shared, 0, 0, os.POSIX_FADV_DONTNEED)\nos.fsync(shared)\nos.fdatasync(shared)\n'
        "with open('x', 'w+b') as file:\n    file.write(bytes(5000))\n    file.flush()\n    os.fsync(file.fileno())\n"
        '    with mmap.mmap(file.fileno(), 5000) as view:\n        view[:3] = b"abc"\n        view.flush()\n'
        '    file.seek(0)\n    print(file.read(3))',
        stdout="b'abc'\n",
    ),
    sandboxed(
        'ranks_over_others',
        TRIED + '[tried(os.nice, -5), tried(os.sched_setscheduler, 0, os.SCHED_FIFO, os.sched_param(1)), '
        'tried(libc.syscall, 251 if os.uname().machine == "x86_64" else 30, 1, 0, 1 << 13), '
        'tried(os.setpriority, os.PRIO_PROCESS, 0, -1)]',
        holds=lambda e: set(eval(e.result)) <= {'EPERM', 'EACCES'},
    ),
    program(
        'first_process_by_a_descriptor',
        TRIED + 'first = os.pidfd_open(1)\nfound = set()\nfor request in range(0xFF00, 0xFF20):\n'
        '    space = libc.ioctl(first, request, 0)\n'
        '    found |= {tried(libc.setns, space, 0)} if space > 2 else set()\n'
        '    found |= {tried(libc.setns, first, flag) for flag in (0x20000, 0x10000000, 0x20000000, 0x40000000)}\n'
        'found',
        result="{'EPERM'}",
        levels=(*BWRAP, *USERS),
    ),
    sandboxed(
        'namespaces_above_its_own',
        TRIED + 'import platform\nfound = set()\nfor name in os.listdir("/proc/self/ns"):\n'
        '    try:\n        space = os.open(f"/proc/self/ns/{name}", os.O_RDONLY)\n'
        '    except OSError:\n        continue\n'
        '    found |= {tried(libc.setns, tried_space, 0) for request in (0xB701, 0xB702) '
        'if (tried_space := libc.ioctl(space, request)) >= 0}\nfound <= {"EPERM"}',
        result='True',
    ),
    program(
        'what_proc_lets_write',
        'import os\nfound = []\nfor top, folders, files in os.walk("/proc"):\n'
        '    if top == "/proc":\n'
        '        folders[:] = [name for name in folders if not name.isdigit() and "self" not in name]\n'
        '    for path in (os.path.join(top, name) for name in files):\n'
        '        try:\n            os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))\n'
        '            found.append(path)\n        except OSError:\n            pass\n'
        f'import re\n[path for path in found if not re.match("{OF_A_NAMESPACE}", path)]',
        result='[]',
        levels=BWRAP,
    ),
    program(
        'number_of_the_next_process',
        TRIED + "tried(os.write, os.open('/proc/sys/kernel/ns_last_pid', os.O_WRONLY), b'1000')",
        holds=lambda e: (
            e.result == "'EPERM'" or (e.error is not None and e.error.name in ('PermissionError', 'FileNotFoundError'))
        ),
        status=('ok', 'error'),
        levels=BWRAP,
    ),
    sandboxed(
        'modes_and_marks_of_files_that_all_share',
        TRIED + '[tried(call, path, *arguments) for path in ("/usr/bin/env", "/opt/kernel/bootstrap.py") '
        'for call, *arguments in ((os.chmod, 0o777), (os.utime, (0, 0)), (os.setxattr, b"user.x", b"1"), '
        '(os.truncate, 0), (os.link, "/session/tmp/x"), (os.rename, "/session/tmp/x"))]',
        holds=lambda e: 'done' not in e.result,
    ),
    goes_on(
        'a_process_with_a_strange_name',
        TRIED + "open('/proc/self/comm', 'w').write('x) Z 1 (\\n')\nlibc.prctl(4, 0, 0, 0, 0)\n"
        'if os.fork() == 0:\n    import signal\n    signal.pause()\n1',
        levels=(FORK, USER_FORK, *watched(FORK, USER_FORK), *BARE),
    ),
]

# --- Calls that the filter answers ------------------------------------------------------------------------------


X86 = platform.machine() == 'x86_64'
TRY = """\
import ctypes, errno
libc = ctypes.CDLL(None, use_errno=True)
def other_than(error, **numbers):
    found = {}
    for name, number in numbers.items():
        code = ctypes.get_errno() if libc.syscall(number, *[ctypes.c_long(-1)] * 6) < 0 else 0
        found[name] = errno.errorcode.get(code, code)
    return {name: code for name, code in found.items() if code != error}
"""
by_number = functools.partial(program, levels=FILTERED if X86 else ())
FILTER = [
    by_number(
        'calls_no_session_has_business_with',
        TRY + "other_than('EPERM', open_tree_attr=467, pidfd_getfd=438, process_madvise=440, process_mrelease=448, "
        'semget=64, semop=65, semctl=66, semtimedop=220, msgget=68, msgsnd=69, msgrcv=70, msgctl=71, mq_open=240, '
        'mq_unlink=241, mq_notify=244, modify_ldt=154, fanotify_init=300, fanotify_mark=301, name_to_handle_at=303, '
        'open_by_handle_at=304, quotactl=179, quotactl_fd=443, syslog=103, acct=163, swapon=167, swapoff=168, '
        'iopl=172, ioperm=173, settimeofday=164, clock_settime=227, clock_adjtime=305, adjtimex=159, '
        'lookup_dcookie=212, vhangup=153, kexec_load=246, io_uring_setup=425, io_uring_enter=426, '
        'io_uring_register=427, sync=162, syncfs=306, kcmp=312, seccomp_listener=317, ptrace=101)',
        result='{}',
    ),
    by_number(
        'calls_libraries_do_without',
        TRY + "other_than('ENOSYS', clone3=435, memfd_create=319, memfd_secret=447, shmget=29, mbind=237, "
        'get_mempolicy=239, move_pages=279, pkey_alloc=330, io_setup=206, landlock_create_ruleset=444, statmount=457, '
        'listmount=458, lsm_list_modules=461, cachestat=451, setxattrat=463, inotify_init=253, inotify_init1=294)',
        result='{}',
    ),
    by_number(
        'calls_that_are_yet_to_be_made',
        TRY + "other_than('ENOSYS', next=480, later=600, far=1000, x32=0x40000000 + 39, x32_trace=0x40000000 + 521)",
        result='{}',
    ),
    filtered(
        'namespaces_by_clone',
        LIBC + 'import platform\nnumber = {"x86_64": 56}.get(platform.machine(), 220)\n'
        "[tried('syscall', number, 1 << bit | 17, 0, 0, 0, 0) for bit in (17, *range(25, 31))]",
        result=str(['EPERM'] * 7),
    ),
    filtered(
        'families_of_sockets',
        'import socket\nout = []\nfor family in range(64):\n    try:\n'
        '        socket.socket(family, socket.SOCK_DGRAM).close()\n        out.append(family)\n'
        '    except OSError as error:\n        assert error.errno == 97, (family, error)\nout',
        result='[1, 2, 10, 16]',
    ),
    program(
        'larger_buffers_of_sockets',
        'import socket\none, _ = socket.socketpair()\nsizes = []\n'
        'for name in (socket.SO_SNDBUF, socket.SO_RCVBUF):\n'
        '    before = one.getsockopt(socket.SOL_SOCKET, name)\n'
        '    one.setsockopt(socket.SOL_SOCKET, name, 2**26)\n'
        '    sizes.append(one.getsockopt(socket.SOL_SOCKET, name) - before)\n'
        'one.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)\n'
        'sizes, one.getsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED)',
        result='([0, 0], 1)',
    ),
    program(
        'first_process',
        'import os\nout = []\nfor name in ("mem", "environ", "fd", "ns", "root", "task/1/mem", "maps", "cwd"):\n'
        '    try:\n        os.stat(f"/proc/1/{name}")\n        out.append(name)\n'
        '    except FileNotFoundError:\n        pass\nout, os.listdir("/proc/1")',
        result='([], [])',
        levels=(*BWRAP, *USERS),
    ),
    program(
        'nothing_below_what_hides_the_first_process',
        LIBC + "[tried('umount2', b'/proc/1', 2), tried('mount', b'proc', b'/session/tmp', b'proc', 0, 0)]",
        result="['EPERM', 'EPERM']",
        levels=(*BWRAP, *USERS),
    ),
]


# --- Memory that is no process's ---------------------------------------------------------------------------------

MEMORY = [
    *(
        program(
            f'memory_in_{name}',
            Block(
                CHILDREN + code + f'children(4, {name})\n' + HELD.replace('@NAME@', kind),
                status='ok' if groups_can_be_made() else 'kernel_died',
                result='True' if groups_can_be_made() else None,
                timeout=30,
            ),
            levels=(*BWRAP, *USERS),
        )
        for name, code, kind in (('connections', CONNECTIONS, 'TCP'), ('datagrams', DATAGRAMS, 'UDP'))
    ),
    goes_on(
        'memory_in_connections_that_are_watched',
        CHILDREN + CONNECTIONS + 'children(6, connections)\nsignal.pause()',
        status='kernel_died',
        levels=watched(FORK, USER_FORK),
    ),
    goes_on(
        'memory_in_marks_of_files',
        'import os\nfor i in range(200_000):\n    open(f"f{i}", "w").close()\n    for j in range(20):\n'
        '        os.setxattr(f"f{i}", f"user.{j}", bytes(60_000))',
        status=('error', 'kernel_died'),
        levels=(FORK, USER_FORK, *watched(FORK)),
        slow=True,
    ),
    program(
        'terminals_of_its_own',
        Block(
            'import os\nkept = []\ntry:\n    while True:\n        kept.append(os.open("/dev/ptmx", os.O_RDWR))\n'
            'except OSError as error:\n    print(len(kept), error.errno)',
            stdout='16 28\n',
        ),
        Block('for one in kept: os.close(one)'),
        Block('!echo shown', stdout='shown\r\n'),
        levels=(*BWRAP, *USERS),
    ),
    program(
        'files_nested_too_deep_for_a_path',
        Block(
            "import os, signal\nfor _ in range(30):\n    os.mkdir('d' * 200)\n    os.chdir('d' * 200)\n"
            "for i in range(4):\n    with open(f'f{i}', 'wb') as file:\n        file.write(bytes(40 * 2**20))\n"
            'signal.pause()',
            status='kernel_died',
            holds=lambda e: 'wrote more than' in e.error.value,
        ),
        levels=(NONE_FORK,),
    ),
]


@pytest.mark.parametrize(
    ('level', 'made'), cases([*CALLS, *(replace(made, for_rights=True) for made in FILTER), *MEMORY])
)
def test_attack(place_at, level, made):
    check(place_at(level), made)


# --- What is left behind -----------------------------------------------------------------------------------------


def test_empty_files_take_of_a_disk():
    """Each takes of what a disk can hold, though it has no content."""
    code = 'import os, signal\nfor i in range(3000):\n    os.close(os.open(f"e{i}", os.O_CREAT))\nsignal.pause()'
    (execution,) = run(code, sandbox='none', disk=MIB)
    assert execution.status == 'kernel_died' and 'wrote more than' in execution.error.value
