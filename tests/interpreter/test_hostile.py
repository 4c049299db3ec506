"""Programs that attack: the machine, the harness, other sessions. None gets further than `docs/security.md` says."""

import asyncio
import contextlib
import os
import platform
import signal
import socket
import subprocess
import sys
from dataclasses import replace

import pytest

from cibench_eval.interpreter import Interpreter
from cibench_eval.interpreter.scratch import scratch
from tests.interpreter.neighbours import HOSTILE
from tests.interpreter.nobody import nobody_problem, run_as_nobody
from tests.interpreter.programs import (
    BARE,
    BWRAP,
    DOCKER,
    EVERYWHERE,
    FORGE,
    FORK,
    MARKER,
    NONE_FORK,
    REPO,
    SANDBOXED,
    SPAWN,
    USER_FORK,
    USERS,
    Block,
    at,
    cases,
    check,
    left_behind,
    program,
    settings_at,
    watched,
    with_kernel,
)

pytestmark = pytest.mark.kernel
DIED = ('kernel_died',)
HURT = ('error', 'timeout', 'kernel_died')
ENDED = ('ok', *HURT)
WATCHED = watched(FORK, USER_FORK)
"""Levels without a control group: the watchdog alone."""
COUNTED = (*SANDBOXED, *watched(FORK))
"""Levels at which something other than the watchdog, which comes too late for the machine, counts processes: where
root has a user namespace, RLIMIT_NPROC does not bind."""

TOO_MUCH_FOR_NONE = ('fork_bomb', 'sockets', 'watchdog_trap')
"""Where nothing counts processes or memory of sockets in time, these are the machine's trouble."""

LIBC = """\
import ctypes, errno, os
libc = ctypes.CDLL(None, use_errno=True)
def tried(call, *arguments):
    return errno.errorcode.get(ctypes.get_errno(), '?') if getattr(libc, call)(*arguments) < 0 else 'done'
"""

# --- Reading ---------------------------------------------------------------------------------------------------

READING = [
    program(
        'environment_of_the_harness',
        "import glob, os\nfound = '@SECRET@' in str(os.environ)\n"
        "for path in glob.glob('/proc/[0-9]*/environ'):\n"
        '    try:\n        found |= b"@SECRET@" in open(path, "rb").read()\n    except OSError:\n        pass\nfound',
        result='False',
        levels=(*SANDBOXED, *WATCHED),
    ),
    program(
        'environment_of_its_own',
        "import os\n'@SECRET@' in str(os.environ) or b'@SECRET@' in open('/proc/self/environ', 'rb').read()",
        result='False',
    ),
    program(
        'files_of_the_harness',
        "import os\n[os.path.exists(path) for path in ('@CANARY@', '@REPO@/pyproject.toml', '/etc/passwd', "
        "'/sys/kernel', '/var/run', '/run', '/root/.ssh', '/home')]",
        result=str([False] * 8),
        levels=SANDBOXED,
    ),
    program(
        'gold',
        'import os\nprint([where for top in ("/opt", "/session", os.path.expanduser("~")) for where, _, names in '
        'os.walk(top) for name in names if name.endswith(".ipynb") or name == "canary"])',
        stdout='[]\n',
        levels=SANDBOXED,
    ),
    *(
        program(
            f'root_folder_of_{name}',
            'import os\n'
            'sorted(set(os.listdir("/")) & {"etc", "home", "media", "mnt", "run", "srv", "sys", "var", "boot"})',
            result=result,
            levels=levels,
        )
        for name, result, levels in (
            ('bubblewrap', "['etc']", (*BWRAP, *USERS)),
            ('a_container', "['etc', 'sys']", (DOCKER,)),
        )
    ),
    program(
        'proc_of_others',
        "import glob, os\nout = []\nfor link in glob.glob('/proc/[0-9]*/root') + glob.glob('/proc/[0-9]*/cwd'):\n"
        '    for name in ("@CANARY@", "/etc/passwd", "/../../etc/shadow"):\n'
        '        try:\n            out += [link] * os.path.exists(link + name)\n'
        '        except OSError:\n            pass\nout',
        result='[]',
        levels=SANDBOXED,
    ),
    program(
        'descriptors',
        "import os\nfound = []\nfor name in os.listdir('/proc/self/fd'):\n"
        "    link = os.path.realpath(f'/proc/self/fd/{name}') if os.path.exists(f'/proc/self/fd/{name}') else ''\n"
        "    try:\n        target = os.readlink(f'/proc/self/fd/{name}')\n"
        '    except FileNotFoundError:\n        continue\n'
        "    if target.startswith('/') and not target.startswith(('/dev/null', '/session')):\n"
        '        found.append(target)\nfound',
        result='[]',
        levels=EVERYWHERE,
    ),
    program(
        'folders_behind_descriptors',
        "import os\nout = []\nfor name in os.listdir('/proc/self/fd'):\n    try:\n        os.fchdir(int(name))\n"
        "        os.chdir('../../../..')\n        out.append(os.listdir('.'))\n    except OSError:\n        pass\nout",
        result='[]',
        levels=SANDBOXED,
    ),
    program(
        'keyring_of_the_harness',
        LIBC + "key, text = libc.syscall(250, 10, -3, b'user', b'cibench', 0), ctypes.create_string_buffer(100)\n"
        'libc.syscall(250, 11, key, text, 100)\ntext.value.decode()',
        levels=SANDBOXED if platform.machine() == 'x86_64' else (),
        result="''",
    ),
]

# --- Writing ---------------------------------------------------------------------------------------------------

WRITING = [
    program(
        'outside',
        'import json, os, sys\nwrote = []\n'
        "for path in ('/usr/x', '/bin/x', '/etc/x', '/x', '/opt/x', '/opt/kernel/x', sys.prefix + '/x', '/dev/x', "
        "'/proc/x', '/proc/sys/kernel/hostname', '/proc/sysrq-trigger', json.__file__, '@CANARY@', "
        "'/usr/lib/x', '/sys/x'):\n"
        "    try:\n        open(path, 'a').write('x')\n        wrote.append(path)\n    except OSError:\n        pass\n"
        'wrote',
        result='[]',
        levels=BWRAP,
    ),
    program(
        'outside_as_the_harness_user',
        'import json, sys\nwrote = []\n'
        "for path in ('/usr/x', '/etc/x', '/x', '/opt/kernel/x', sys.prefix + '/x', '/dev/x', "
        "'/proc/sysrq-trigger', json.__file__, '@CANARY@'):\n"
        "    try:\n        open(path, 'a').write('x')\n        wrote.append(path)\n    except OSError:\n        pass\n"
        'wrote',
        result='[]',
        levels=USERS,
    ),
    program(
        'delete_outside',
        'import json, os, shutil, sys\ngone = []\n'
        "for path in (json.__file__, sys.executable, '/opt/kernel/bootstrap.py', '/usr/bin/env'):\n"
        '    try:\n        os.remove(path)\n        gone.append(path)\n    except OSError:\n        pass\n'
        "shutil.rmtree('/opt', ignore_errors=True)\ngone, os.path.exists('/opt/kernel/bootstrap.py')",
        result='([], True)',
        levels=SANDBOXED,
    ),
    program('rm_rf', '!timeout -s KILL 0.5 rm -rf --no-preserve-root / 2>/dev/null', levels=(FORK, USER_FORK)),
    program(
        'its_own_data',
        Block("import shutil\nshutil.rmtree('data')"),
        "import os\nos.path.exists('data')",
        result='False',
    ),
    program(
        'its_own_folders',
        Block('!rm -rf ../* ~ $TMPDIR 2>/dev/null', status=ENDED, truncated=None),
        '6 * 7',
        result='42',
    ),
    program(
        'link_out_of_the_workspace',
        "import os\nos.symlink(os.path.dirname('@CANARY@'), 'out')\nos.symlink('@CANARY@', 'data/link')\n"
        "os.path.exists('out/canary'), os.path.exists('data/link')",
        result='(False, False)',
        levels=SANDBOXED,
    ),
    program(
        'link_where_the_harness_may_write',
        "import os, shutil\nshutil.rmtree('data')\nos.symlink(os.path.dirname('@CANARY@'), 'data')\n"
        "shutil.rmtree(os.environ['MPLCONFIGDIR'], ignore_errors=True)\n"
        "os.symlink(os.path.dirname('@CANARY@'), os.environ['MPLCONFIGDIR'])",
        Block('import os\nos._exit(0)', status=DIED),
        "import os\nos.path.islink(os.environ['MPLCONFIGDIR'])",
        result='True',
        levels=SANDBOXED,
    ),
    program(
        'permissions_of_its_folders',
        "import os\nfor path in ('.', 'data', os.environ['HOME'], os.environ['TMPDIR']):\n"
        '    try:\n        os.chmod(path, 0)\n    except PermissionError:\n        pass',
    ),
]

# --- Privileges ------------------------------------------------------------------------------------------------

PRIVILEGES = [
    program(
        'status',
        'lines = open("/proc/self/status").read().splitlines()\n'
        'status = dict(line.split(":\\t", 1) for line in lines if "\\t" in line)\n'
        '[int(status[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs")]',
        result='[0, 0, 0, 0, 0, 1]',
        levels=SANDBOXED,
    ),
    program(
        'user',
        'import os\nlen(set(os.getresuid() + os.getresgid())), os.getuid() == 0, os.getgroups()',
        holds=lambda e: e.result in ('(1, False, [])', '(1, False, [65534])'),
        levels=SANDBOXED,
    ),
    program(
        'become_root',
        LIBC + "[tried(call, 0) for call in ('setuid', 'setgid')]",
        holds=lambda e: (
            e.result in ("['EPERM', 'EPERM']", "['EINVAL', 'EINVAL']")
        ),  # forbidden, or not even known inside
        levels=BWRAP,
    ),
    program(
        'mounts',
        LIBC + "[tried('mount', b'x', b'/session/tmp', b'tmpfs', 0, 0), tried('mount', 0, b'/', 0, 32 | 4096, 0), "
        "tried('umount2', b'/proc', 2), tried('chroot', b'/session'), tried('unshare', 0x20000), "
        "tried('sethostname', b'x', 1), tried('pivot_root', b'/session', b'/session/tmp')]",
        result=str(['EPERM'] * 7),
        levels=SANDBOXED,
    ),
    program(
        'mount_in_a_user_namespace',
        'import subprocess\n'
        "script = 'mount -o remount,rw,bind / ; echo x > /usr/x; mount -o remount,rw /usr ; echo x > /usr/y; "
        "umount -l /session; umount -l /usr; ls /usr/x /usr/y; cat @CANARY@ /proc/1/root/@CANARY@'\n"
        "done = subprocess.run(['unshare', '-Urm', 'sh', '-c', script], capture_output=True, text=True)\n"
        'done.stdout',
        result="''",
        levels=SANDBOXED,
    ),
    program(
        'devices',
        'import os, stat\nout = []\nfor kind, numbers in ((stat.S_IFBLK, (254, 0)), (stat.S_IFCHR, (1, 1))):\n'
        "    try:\n        os.mknod('device', kind | 0o666, os.makedev(*numbers))\n        out.append('made')\n"
        "    except PermissionError:\n        out.append('EPERM')\n"
        "out, sorted(set(os.listdir('/dev')) & {'mem', 'kmsg', 'sda', 'vda', 'kvm', 'fuse', 'loop0'})",
        result="(['EPERM', 'EPERM'], [])",
        levels=SANDBOXED,
    ),
    program(
        'setuid_programs',
        'import glob, os, subprocess\nout = []\n'
        "for path in ('su', 'mount', 'passwd', 'chfn', 'newgrp', 'sudo', 'pkexec'):\n"
        "    if os.path.exists(f'/usr/bin/{path}'):\n"
        "        done = subprocess.run([path, '-c', 'id -u'], stdin=-3, capture_output=True, text=True, timeout=5)\n"
        "        out.append(done.stdout.strip() == '0')\nany(out)",
        result='False',
        levels=SANDBOXED,
    ),
    program(
        'leave_by_namespaces',
        LIBC + 'out = []\n'
        "for pid in [p for p in os.listdir('/proc') if p.isdigit()]:\n"
        "    for name in ('mnt', 'pid', 'net', 'user'):\n"
        "        try:\n            space = os.open(f'/proc/{pid}/ns/{name}', os.O_RDONLY)\n"
        "        except OSError:\n            continue\n        out.append(tried('setns', space, 0))\n"
        "'done' in out",
        result='False',
        levels=SANDBOXED,
    ),
    program(
        'settings_of_the_machine',
        'found = []\n'
        "for name in ('core_pattern', 'hostname', 'modprobe', 'panic'):\n"
        "    try:\n        open(f'/proc/sys/kernel/{name}', 'r+').close()\n        found.append(name)\n"
        '    except OSError:\n        pass\nfound',
        result='[]',
        levels=BWRAP if os.geteuid() == 0 else SANDBOXED,  # root must not use a user namespace for that reason
    ),
    program(
        'terminal',
        "open('/dev/tty')",
        status='error',
        error='OSError',
        levels=SANDBOXED,
    ),
    program(
        'core_dump',
        'import os, resource, subprocess, sys\n'
        "subprocess.run([sys.executable, '-c', 'import os; os.abort()'])\n"
        "resource.getrlimit(resource.RLIMIT_CORE), os.listdir('.')",
        result="((0, 0), ['data'])",
    ),
]

# --- System calls ----------------------------------------------------------------------------------------------

X86 = platform.machine() == 'x86_64'
CALLS = """\
import ctypes, errno
libc = ctypes.CDLL(None, use_errno=True)
def other_than(error, **numbers):
    found = {}
    for name, number in numbers.items():
        code = ctypes.get_errno() if libc.syscall(number, *[ctypes.c_long(-1)] * 6) < 0 else 0
        found[name] = errno.errorcode.get(code, code)
    return {name: code for name, code in found.items() if code != error}
"""
FILTER_LEVELS = (*EVERYWHERE, USER_FORK, DOCKER) if X86 else ()
FILTER = [
    program(
        'calls_no_session_has_business_with',
        CALLS + "other_than('EPERM', open_tree_attr=467, pidfd_getfd=438, process_madvise=440, process_mrelease=448, "
        'semget=64, semop=65, semctl=66, semtimedop=220, msgget=68, msgsnd=69, msgrcv=70, msgctl=71, mq_open=240, '
        'mq_unlink=241, mq_notify=244, modify_ldt=154, fanotify_init=300, fanotify_mark=301, name_to_handle_at=303, '
        'open_by_handle_at=304, quotactl=179, quotactl_fd=443, syslog=103, acct=163, swapon=167, swapoff=168, '
        'iopl=172, ioperm=173, settimeofday=164, clock_settime=227, clock_adjtime=305, adjtimex=159, '
        'lookup_dcookie=212, vhangup=153, kexec_load=246, io_uring_setup=425, io_uring_enter=426, '
        'io_uring_register=427, sync=162, syncfs=306, kcmp=312, seccomp_listener=317, ptrace=101)',
        result='{}',
        levels=FILTER_LEVELS,
    ),
    program(
        'calls_libraries_do_without',
        CALLS + "other_than('ENOSYS', clone3=435, memfd_create=319, memfd_secret=447, shmget=29, mbind=237, "
        'get_mempolicy=239, move_pages=279, pkey_alloc=330, io_setup=206, landlock_create_ruleset=444, statmount=457, '
        'listmount=458, lsm_list_modules=461, cachestat=451, setxattrat=463)',
        result='{}',
        levels=FILTER_LEVELS,
    ),
    program(
        'calls_that_are_yet_to_be_made',
        CALLS + "other_than('ENOSYS', next=480, later=600, far=1000, x32=0x40000000 + 39, x32_trace=0x40000000 + 521)",
        result='{}',
        levels=FILTER_LEVELS,
    ),
    program(
        'personality_without_protections',
        LIBC + "tried('personality', 0x40000)",
        result="'EPERM'",
        levels=FILTER_LEVELS,
    ),
    program(
        'namespaces_by_clone',
        LIBC + 'import platform\nnumber = {"x86_64": 56}.get(platform.machine(), 220)\n'
        "[tried('syscall', number, 1 << bit | 17, 0, 0, 0, 0) for bit in (17, *range(25, 31))]",
        result=str(['EPERM'] * 7),
        levels=(*EVERYWHERE, USER_FORK, DOCKER),
    ),
    program(
        'port_of_the_machine',
        'import socket\nserver = socket.socket(40, socket.SOCK_STREAM)\nserver.bind((socket.VMADDR_CID_ANY, 47114))',
        status='error',
        error='OSError',
        holds=lambda e: '[Errno 97]' in e.error.value,
        levels=(*EVERYWHERE, USER_FORK, DOCKER),
    ),
    program(
        'families_of_sockets',
        'import socket\nout = []\nfor family in range(64):\n    try:\n'
        '        socket.socket(family, socket.SOCK_DGRAM).close()\n        out.append(family)\n'
        '    except OSError as error:\n        assert error.errno == 97, (family, error)\nout',
        result='[1, 2, 10, 16]',
        levels=(*EVERYWHERE, USER_FORK, DOCKER),
    ),
    program(
        'netlink_that_is_not_for_routes',
        'import socket\nout = []\nfor protocol in range(23):\n    try:\n'
        '        socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, protocol).close()\n        out.append(protocol)\n'
        '    except OSError as error:\n        assert error.errno == 97, (protocol, error)\nout',
        result='[0]',
        levels=(*EVERYWHERE, USER_FORK, DOCKER),
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
        levels=(*EVERYWHERE, USER_FORK, DOCKER),
    ),
    program(
        'typing_on_a_terminal',
        'import fcntl, os, pty\nfirst, second = pty.openpty()\nout = []\n'
        'for request, argument in ((0x5412, b"x"), (0x541C, b"\\x02")):\n    try:\n'
        "        fcntl.ioctl(second, request, argument)\n        out.append('done')\n"
        '    except OSError as error:\n        out.append(error.errno)\nout',
        result='[1, 1]',
        levels=(*EVERYWHERE, USER_FORK),
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

# --- Other processes -------------------------------------------------------------------------------------------

DAEMON = """\
import os, time
readable, writable = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execvp('sh', ['sh', '-c', 'trap "" HUP INT TERM; while :; do sleep 1000; done', '@MARKER@'])
    os.write(writable, b'.')
    os._exit(0)
os.read(readable, 1)
"""
PROCESSES = [
    program(
        'see_others',
        "import os\nlen([name for name in os.listdir('/proc') if name.isdigit()]) < 8",
        result='True',
        levels=SANDBOXED,
    ),
    program(
        'kill_all',
        Block('import os\nos.kill(-1, 9)', status=ENDED, truncated=None),  # what brings its output may be among them
        Block('1', status=('ok', 'kernel_died')),  # where bubblewrap's own process is among them, they end a bit later
        levels=SANDBOXED,
    ),
    program(
        'kill_harness', 'import os\nos.kill(@PID@, 9)', status='error', error='ProcessLookupError', levels=SANDBOXED
    ),
    program(
        'kill_parent',
        Block('import os\nos.kill(os.getppid(), 9)', status=('ok', 'error', 'kernel_died')),
        '1',
        result='1',
        levels=SANDBOXED,
    ),
    program(
        'kill_first',
        Block('import os\nos.kill(1, 9)', status=('ok', 'error')),
        '1',
        result='1',
        levels=SANDBOXED,
    ),
    program(
        'trace_first',
        LIBC + "libc.ptrace.argtypes = [ctypes.c_long] * 4\n[tried('ptrace', 16, pid, 0, 0) for pid in (1, @PID@)]",
        result="['EPERM', 'EPERM']",
        levels=SANDBOXED,
    ),
    program('daemon', DAEMON, levels=(*SANDBOXED, *WATCHED)),
    program(
        'daemon_of_a_dead_kernel', Block(DAEMON), Block('import os\nos._exit(0)', status=DIED), '1', levels=SANDBOXED
    ),
    program(
        'child_of_a_dead_kernel',
        Block("import subprocess\nsubprocess.Popen(['sh', '-c', 'sleep 20', '@MARKER@']).pid > 0", result='True'),
        Block('import os\nos._exit(0)', status=DIED),
        '1',
    ),
    program(
        'child_of_a_live_kernel',
        "import subprocess\nsubprocess.Popen(['sh', '-c', 'sleep 20', '@MARKER@']).pid > 0",
        result='True',
    ),
]

# --- Network ---------------------------------------------------------------------------------------------------

NETWORK = [
    program(
        'outside_world',
        'import socket\ns = socket.socket()\ns.settimeout(2)\n'
        "out = [s.connect_ex(('1.1.1.1', 53)), socket.socket(type=socket.SOCK_DGRAM).connect_ex(('1.1.1.1', 53))]\n"
        "try:\n    socket.getaddrinfo('example.com', 80)\nexcept socket.gaierror:\n    out.append('no name')\nout",
        result="[101, 101, 'no name']",
        levels=SANDBOXED,
    ),
    program(
        'interfaces',
        'import socket\n[name for _, name in socket.if_nameindex()]',
        result="['lo']",
        levels=SANDBOXED,
    ),
    program(
        'raw_sockets',
        'import errno, socket\nout = []\nfor family in (socket.AF_PACKET, socket.AF_INET):\n'
        '    try:\n        socket.socket(family, socket.SOCK_RAW, 1)\n        out.append("made")\n'
        '    except OSError as error:\n        out.append(errno.errorcode[error.errno])\nout',
        result="['EAFNOSUPPORT', 'EPERM']",
        levels=SANDBOXED,
    ),
    program(
        'its_own_loopback',
        "import socket\nwith socket.create_server(('127.0.0.1', 0)) as s:\n"
        '    socket.create_connection(s.getsockname()).close()\n1',
        result='1',
    ),
]

# --- Resources -------------------------------------------------------------------------------------------------

FILL = """\
def fill(megabytes):
    block = bytearray(megabytes * 2**20)
    for at in range(0, len(block), 4096):
        block[at] = 1
    return block
"""
OF_MEMORY = ('MemoryError', 'OSError', 'KernelDied', 'BrokenProcessPool')
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
    program(
        'memory_of_one_process',
        Block(FILL + 'import signal\nblock = fill(1500)\nsignal.pause()', status=DIED, error='KernelDied'),
        '1',
        result='1',
        levels=(*EVERYWHERE, USER_FORK, DOCKER, *WATCHED, *watched(NONE_FORK)),
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
        levels=(*EVERYWHERE, USER_FORK, DOCKER, *WATCHED, *watched(NONE_FORK)),
    ),
    program(
        'memory_that_is_shared',
        Block(SHARED_FILL, status=DIED),
        '1',
        result='1',
        levels=(FORK, USER_FORK, DOCKER, *WATCHED),
    ),
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
            ('workspace', "'.'", (*EVERYWHERE, DOCKER)),
            ('tmp', "os.environ['TMPDIR']", (FORK, USER_FORK)),
            ('tmp_of_the_system', "'/tmp'", (FORK, DOCKER)),
            ('home', "os.environ['HOME']", (FORK,)),
            ('shm', "'/dev/shm'", (FORK, USER_FORK, DOCKER)),
            ('sockets', "'/session/sockets'", (FORK, DOCKER)),
        )
    ),
    program(
        'disk_many_files',
        "for i in range(100):\n    with open(f'{i}', 'wb') as file:\n        file.write(bytes(2**20))",
        status='error',
        error='OSError',
        levels=SANDBOXED,
    ),
    program(
        'disk_many_small_files',
        "for i in range(100_000):\n    with open(f'{i}', 'wb') as file:\n        file.write(b'x')",
        status='error',
        error='OSError',
        levels=(FORK, USER_FORK),
    ),
    program(
        'disk_many_files_without_sandbox',
        Block(
            "import signal\nfor i in range(100):\n    with open(f'{i}', 'wb') as file:\n"
            '        file.write(bytes(2**20))\nsignal.pause()',
            status=DIED,
            holds=lambda e: 'wrote more than' in e.error.value,
        ),
        '1',
        result='1',
        levels=BARE,
    ),
    program(
        'fork_bomb',
        Block(
            'import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass',
            status=('timeout', 'kernel_died'),
            timeout=1,
        ),
        '1',
        result='1',
        levels=COUNTED,
    ),
    program(
        'shell_fork_bomb',
        Block('!bomb() { bomb | bomb & }; bomb; sleep 1', status=ENDED, truncated=None, timeout=2),
        '1',
        result='1',
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
        program(
            f'overwriting_with_{name}',
            Block(f"print({text}, end='')", **wanted),
            Block('1', result='1'),
        )
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
    ),
    program(
        'loop_in_many_processes',
        Block(
            'import os, signal\nfor _ in range(8):\n    if os.fork() == 0:\n'
            '        signal.signal(signal.SIGINT, signal.SIG_IGN)\n        while True: pass\n'
            'os.wait()',
            status='timeout',
            timeout=0.5,
        ),
        '1',
        result='1',
        levels=(FORK, NONE_FORK),
    ),
]

# --- Messages --------------------------------------------------------------------------------------------------

NEXT_OK = Block('1', result='1')


def forged_reply(name, code):
    everywhere = (FORK, NONE_FORK)
    return program(
        f'reply_{name}',
        Block(FORGE + code, status=ENDED, truncated=None),
        NEXT_OK,
        levels=everywhere,
    )


def forged_output(name, code, **wanted):
    everywhere = (FORK, NONE_FORK)
    return program(
        f'output_{name}',
        Block(f"{FORGE}{code}\nprint('after')", truncated=None, stdout='after\n', **wanted),
        NEXT_OK,
        levels=everywhere,
    )


MESSAGES = [
    forged_reply('that_answers_nothing', "reply(b'<IDS|MSG>', b'bad', b'{}', b'{}', b'{}', b'{}')"),
    forged_reply('of_no_parts', "reply(b'<IDS|MSG>')"),
    forged_reply('without_delimiter', "reply(b'x')"),
    forged_reply('that_is_no_json', "reply(*parts('execute_reply', {}, _5=b'{'))"),
    forged_reply('that_is_deep', "reply(*parts('execute_reply', {}, _5=b'[' * 100_000))"),
    forged_reply('without_status', "reply(*parts('execute_reply', {}))"),
    forged_reply('whose_parent_is_a_list', "reply(*parts('execute_reply', {}, _3=b'[]'))"),
    forged_reply('whose_content_is_a_list', "reply(*parts('execute_reply', {}, _5=b'[]'))"),
    forged_reply('whose_number_is_long', "reply(*parts('execute_reply', {}, _5=b'1' * 10_000))"),
    forged_output('that_answers_nothing', "publish(b'<IDS|MSG>', b'bad', b'{}', b'{}', b'{}', b'{}')"),
    forged_output('of_parts_without_names', "publish(*parts('stream', {'name': 'stdout'}), b'x', b'y')"),
    forged_output('of_names_without_parts', "publish(*parts('stream', {}, shown={'text': b'x', 'y': b''})[:-1])"),
    forged_output('whose_parts_are_a_number', "publish(*parts('stream', {}, _5=b'{\"parts\": 5}'))"),
    forged_output('whose_names_are_lists', "publish(*parts('stream', {}, _5=b'{\"parts\": [[]]}'), b'x')"),
    forged_output('that_is_no_text', "publish(*parts('stream', {'name': 'stderr'}, shown={'text': bytes([255, 0])}))"),
    forged_output('that_is_deep', "publish(*parts('stream', {}, _5=b'[' * 100_000))"),
    forged_output('that_is_a_list', "publish(*parts('stream', {}, _5=b'[]'))"),
    forged_output('error_without_words', "publish(*parts('error', {}))", status=('ok', 'error')),
    forged_output('whose_figure_is_none', "publish(*parts('display_data', {}, shown={'image/png': b'GIF89a'}))"),
    forged_output('whose_display_is_a_list', "publish(*parts('display_data', {'display_id': [[]]}))"),
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
    program(
        'output_of_a_later_block_is_only_its_own_sessions',
        Block(
            FORGE + 'import copy\nlater = copy.deepcopy(kernel.get_parent())\n'
            "front, _, number = later['header']['msg_id'].rpartition('_')\n"
            "later['header']['msg_id'] = f'{front}_{int(number) + 1}'\n"
            "publish(*parts('stream', {'name': 'stdout'}, later, {'text': b'forged'}))"
        ),
        Block('1', result='1'),
    ),
    program(
        'idle_too_early',
        Block(FORGE + "publish(*parts('status', {'execution_state': 'idle'}))\nprint('late')", truncated=None),
        NEXT_OK,
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
        levels=(FORK, NONE_FORK),
    ),
    program(
        'reply_with_a_strange_status',
        Block(FORGE + "reply(*parts('execute_reply', {'status': 'superb'}))", status=('ok', 'error')),
        NEXT_OK,
    ),
    program(
        'sockets_closed',
        Block(
            'import os, stat\nfor name in os.listdir("/proc/self/fd"):\n    try:\n'
            '        if stat.S_ISSOCK(os.fstat(int(name)).st_mode):\n            os.close(int(name))\n'
            '    except OSError:\n        pass',
            status=('timeout', 'kernel_died'),
            timeout=1,
        ),
        NEXT_OK,
        levels=(FORK, SPAWN, NONE_FORK),
    ),
    *(
        program(
            f'sockets_removed_from_{name}',
            Block("import glob, os\nfor path in glob.glob('/session/sockets/*'):\n    os.remove(path)", **wanted),
            NEXT_OK,
            levels=levels,
        )
        for name, wanted, levels in (
            ('bubblewrap', {'status': 'ok'}, (*BWRAP, *USERS)),
            ('a_container', {'status': 'error', 'error': 'PermissionError'}, (DOCKER,)),
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
        levels=(FORK, NONE_FORK),
    ),
    program(
        'messages_on_a_channel_that_nobody_reads',
        Block(FORGE + 'for _ in range(100):\n    kernel.stdin_socket.send_multipart([*ident, b"x" * 10_000])'),
        NEXT_OK,
    ),
]

AGAINST_NEIGHBOURS = [
    program(
        name,
        Block(code, status=ENDED, truncated=None, timeout=1.5),
        NEXT_OK,
        levels=(FORK, USER_FORK, DOCKER, *WATCHED)
        if name in TOO_MUCH_FOR_NONE
        else (FORK, USER_FORK, DOCKER, NONE_FORK),
    )
    for name, code in HOSTILE.items()
]

PROGRAMS = [
    *READING,
    *WRITING,
    *(replace(made, for_rights=True) for made in (*PRIVILEGES, *FILTER)),
    *PROCESSES,
    *NETWORK,
    *RESOURCES,
    *MESSAGES,
    *(replace(made, slow=True) for made in AGAINST_NEIGHBOURS),
]


@pytest.mark.parametrize(('level', 'made'), cases(PROGRAMS))
def test_program(place_at, level, made):
    check(place_at(level), made)


# --- What takes more than a program ----------------------------------------------------------------------------

HARNESS = """\
import asyncio, resource, sys
from cibench_eval.interpreter import Interpreter
from tests.interpreter.programs import Level, settings_at
async def session():
    settings = settings_at(Level('auto', 'fork'), timeout=4)
    async with Interpreter(settings) as interpreter:
        await interpreter.run('1')
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        execution = await interpreter.run(sys.argv[1])
        await interpreter.run('1')
        print(execution.status, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
asyncio.run(session())
"""
FLOODS = [
    pytest.param("for _ in range(200): print('x' * 10**6)", id='stdout', marks=pytest.mark.soak),
    pytest.param("for _ in range(300): display('x' * 10**6)", id='displays'),
    pytest.param(
        "publish(*parts('stream', {'name': 'stdout'}, shown={'text': bytes(200 * 2**20)}))",
        id='one_message',
        marks=pytest.mark.soak,
    ),
    pytest.param(
        'for _ in range(60): kernel.iopub_socket.send(bytes(10 * 2**20), zmq.SNDMORE)',
        id='one_message_without_end',
        marks=pytest.mark.soak,
    ),
    pytest.param(
        'for _ in range(50): kernel.stdin_socket.send_multipart([*ident, bytes(15 * 2**20)])',
        id='channel_that_nobody_reads',
    ),
    pytest.param(
        "publish(*parts('display_data', {}, _5=b'[' + b'[],' * 10_000_000 + b'[]]'))",
        id='json_of_many_small_parts',
        marks=pytest.mark.soak,
    ),
]


@pytest.mark.parametrize('flood', FLOODS)
def test_flood_does_not_fill_the_harness(flood):
    """In a process of its own, because what a process has used at most never shrinks."""
    env = {**os.environ, 'PYTHONPATH': str(REPO)}
    done = subprocess.run(
        [sys.executable, '-c', HARNESS, FORGE + flood], env=env, cwd=REPO, capture_output=True, text=True
    )
    status, megabytes = done.stdout.split()
    assert status in ENDED
    assert int(megabytes) < 300


async def _sessions(settings, *codes):
    """One block in each of as many sessions, which are open at the same time."""
    async with contextlib.AsyncExitStack() as stack:
        interpreters = [await stack.enter_async_context(Interpreter(settings)) for _ in codes]
        return [await interpreter.run(code) for interpreter, code in zip(interpreters, codes, strict=True)]


@pytest.mark.parametrize('level', at(*SANDBOXED))
def test_sessions_do_not_see_each_other(level):
    first = (
        "import socket, subprocess\nopen('mine', 'w').write('secret of a session')\n"
        "server = socket.create_server(('127.0.0.1', 47113))\nhidden = socket.socket(socket.AF_UNIX)\n"
        "hidden.bind('\\0of-a-session')\nhidden.listen()\n"
        f"child = subprocess.Popen(['sleep', '1000', '{MARKER}'])"
    )
    second = (
        'import glob, os, socket\n'
        "[socket.socket().connect_ex(('127.0.0.1', 47113)) != 0, "
        "socket.socket(socket.AF_UNIX).connect_ex('\\0of-a-session') != 0, "
        "not any(b'sleep' in open(path, 'rb').read() for path in glob.glob('/proc/[0-9]*/cmdline')), "
        "os.listdir('.'), sorted(os.listdir('/session'))]"
    )
    with level.imposed():
        one, other = asyncio.run(_sessions(settings_at(level), first, second))
    assert one.status == 'ok', one.error
    assert other.result == "[True, True, True, [], ['home', 'sockets', 'tmp', 'workspace']]"
    assert left_behind() == []


@pytest.mark.parametrize('level', at(*SANDBOXED))
def test_sockets_of_the_machine_are_out_of_reach(level, tmp_path):
    code = (
        'import socket\n'
        "[socket.socket().connect_ex(('127.0.0.1', {port})), socket.socket(socket.AF_UNIX).connect_ex('{path}'), "
        "socket.socket(socket.AF_UNIX).connect_ex('\\0{name}')]"
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
    assert execution.result == '[111, 2, 111]'


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
