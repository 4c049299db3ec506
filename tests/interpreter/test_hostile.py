"""Programs that attack: the machine, the harness, other sessions. None gets further than `docs/security.md` says."""

import functools
import os
import platform
from dataclasses import replace

import pytest

from tests.interpreter.programs import (
    BWRAP,
    DIED,
    DOCKER,
    EITHER,
    ENDED,
    ENGINE,
    EVERYWHERE,
    FORK,
    LIBC,
    SANDBOXED,
    USER_FORK,
    USERS,
    WATCHED,
    Block,
    cases,
    check,
    goes_on,
    program,
    sandboxed,
)

pytestmark = pytest.mark.kernel
either = functools.partial(program, levels=EITHER)

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
    either(
        'environment_of_its_own',
        "import os\n'@SECRET@' in str(os.environ) or b'@SECRET@' in open('/proc/self/environ', 'rb').read()",
        result='False',
    ),
    sandboxed(
        'files_of_the_harness',
        "import os, sys\n[os.path.exists(path) for path in ('@CANARY@', '@REPO@/pyproject.toml', '/etc/passwd', "
        "'/sys/kernel/notes', '/sys/class/dmi', '/var/run', '/run/lock', '/root/.ssh', "
        "'/srv' if sys.prefix.startswith('/home/') else '/home')]",  # the kernel environment lies at its own path
        result=str([False] * 9),
    ),
    sandboxed(
        'gold',
        'import os\nprint([where for top in ("/opt", "/session", os.path.expanduser("~")) for where, _, names in '
        'os.walk(top) for name in names if name.endswith(".ipynb") or name == "canary"])',
        stdout='[]\n',
    ),
    *(
        program(
            f'root_folder_of_{name}',
            'import os, sys\nnames = {"etc", "home", "media", "mnt", "run", "srv", "sys", "var", "boot"}\n'
            'sorted(set(os.listdir("/")) & names - {sys.prefix.split("/")[1]})',
            result=result,
            levels=levels,
        )
        for name, result, levels in (
            ('bubblewrap', "['etc']", (*BWRAP, *USERS)),
            ('docker', "['etc', 'sys']", (DOCKER,)),
            (str(ENGINE), "['etc', 'run', 'sys']" if ENGINE.engine == 'podman' else "['etc', 'sys']", (ENGINE,)),
        )
    ),
    sandboxed(
        'proc_of_others',
        "import glob, os\nout = []\nfor link in glob.glob('/proc/[0-9]*/root') + glob.glob('/proc/[0-9]*/cwd'):\n"
        '    for name in ("@CANARY@", "/etc/passwd", "/../../etc/shadow"):\n'
        '        try:\n            out += [link] * os.path.exists(link + name)\n'
        '        except OSError:\n            pass\nout',
        result='[]',
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
    sandboxed(
        'folders_behind_descriptors',
        "import os\nout = []\nfor name in os.listdir('/proc/self/fd'):\n    try:\n        os.fchdir(int(name))\n"
        "        os.chdir('../../../..')\n        out.append(os.listdir('.'))\n    except OSError:\n        pass\nout",
        result='[]',
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
    *(
        program(
            f'outside_as_{user}',
            'import json, os, sys\nwrote = []\n'
            f"for path in ('/usr/x', '/etc/x', '/x', '/opt/kernel/x', sys.prefix + '/x', '/dev/x', {more}"
            "'/proc/sysrq-trigger', json.__file__, '@CANARY@'):\n"
            "    try:\n        open(path, 'a').write('x')\n        wrote.append(path)\n"
            '    except OSError:\n        pass\nwrote',
            result='[]',
            levels=levels,
        )
        for user, more, levels in (
            ('another', "'/bin/x', '/opt/x', '/proc/x', '/proc/sys/kernel/hostname', '/usr/lib/x', '/sys/x', ", BWRAP),
            ('the_harness_user', '', USERS),
        )
    ),
    sandboxed(
        'delete_outside',
        'import json, os, shutil, sys\ngone = []\n'
        "for path in (json.__file__, sys.executable, '/opt/kernel/bootstrap.py', '/usr/bin/env'):\n"
        '    try:\n        os.remove(path)\n        gone.append(path)\n    except OSError:\n        pass\n'
        "shutil.rmtree('/opt', ignore_errors=True)\ngone, os.path.exists('/opt/kernel/bootstrap.py')",
        result='([], True)',
    ),
    program('rm_rf', '!timeout -s KILL 0.5 rm -rf --no-preserve-root / 2>/dev/null', levels=(FORK, USER_FORK)),
    either(
        'its_own_data',
        Block("import shutil\nshutil.rmtree('data')"),
        "import os\nos.path.exists('data')",
        result='False',
    ),
    goes_on('its_own_folders', '!rm -rf ../* ~ $TMPDIR 2>/dev/null', status=ENDED, truncated=None, levels=EITHER),
    sandboxed(
        'link_out_of_the_workspace',
        "import os\nos.symlink(os.path.dirname('@CANARY@'), 'out')\nos.symlink('@CANARY@', 'data/link')\n"
        "os.path.exists('out/canary'), os.path.exists('data/link')",
        result='(False, False)',
    ),
    sandboxed(
        'link_where_the_harness_may_write',
        "import os, shutil\nshutil.rmtree('data')\nos.symlink(os.path.dirname('@CANARY@'), 'data')\n"
        "shutil.rmtree(os.environ['MPLCONFIGDIR'], ignore_errors=True)\n"
        "os.symlink(os.path.dirname('@CANARY@'), os.environ['MPLCONFIGDIR'])",
        Block('import os\nos._exit(0)', status=DIED),
        "import os\nos.path.islink(os.environ['MPLCONFIGDIR'])",
        result='True',
    ),
    either(
        'permissions_of_its_folders',
        "import os\nfor path in ('.', 'data', os.environ['HOME'], os.environ['TMPDIR']):\n"
        '    try:\n        os.chmod(path, 0)\n    except PermissionError:\n        pass',
    ),
]

# --- Privileges ------------------------------------------------------------------------------------------------

PRIVILEGES = [
    sandboxed(
        'status',
        'lines = open("/proc/self/status").read().splitlines()\n'
        'status = dict(line.split(":\\t", 1) for line in lines if "\\t" in line)\n'
        '[int(status[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs")]',
        result='[0, 0, 0, 0, 0, 1]',
    ),
    sandboxed(
        'user',
        'import os\nlen(set(os.getresuid() + os.getresgid())), os.getuid() == 0, set(os.getgroups()) - {os.getgid()}',
        holds=lambda e: e.result in ('(1, False, set())', '(1, False, {65534})'),
    ),
    program(
        'become_root',
        LIBC + "[tried(call, 0) for call in ('setuid', 'setgid')]",
        holds=lambda e: (
            e.result in ("['EPERM', 'EPERM']", "['EINVAL', 'EINVAL']")
        ),  # forbidden, or not even known inside
        levels=BWRAP,
    ),
    sandboxed(
        'mounts',
        LIBC + "[tried('mount', b'x', b'/session/tmp', b'tmpfs', 0, 0), tried('mount', 0, b'/', 0, 32 | 4096, 0), "
        "tried('umount2', b'/proc', 2), tried('chroot', b'/session'), tried('unshare', 0x20000), "
        "tried('sethostname', b'x', 1), tried('pivot_root', b'/session', b'/session/tmp')]",
        result=str(['EPERM'] * 7),
    ),
    sandboxed(
        'mount_in_a_user_namespace',
        'import subprocess\n'
        "script = 'mount -o remount,rw,bind / ; echo x > /usr/x; mount -o remount,rw /usr ; echo x > /usr/y; "
        "umount -l /session; umount -l /usr; ls /usr/x /usr/y; cat @CANARY@ /proc/1/root/@CANARY@'\n"
        "done = subprocess.run(['unshare', '-Urm', 'sh', '-c', script], capture_output=True, text=True)\n"
        'done.stdout',
        result="''",
    ),
    sandboxed(
        'devices',
        'import os, stat\nout = []\nfor kind, numbers in ((stat.S_IFBLK, (254, 0)), (stat.S_IFCHR, (1, 1))):\n'
        "    try:\n        os.mknod('device', kind | 0o666, os.makedev(*numbers))\n        out.append('made')\n"
        "    except PermissionError:\n        out.append('EPERM')\n"
        "out, sorted(set(os.listdir('/dev')) & {'mem', 'kmsg', 'sda', 'vda', 'kvm', 'fuse', 'loop0'})",
        result="(['EPERM', 'EPERM'], [])",
    ),
    sandboxed(
        'setuid_programs',
        'import glob, os, subprocess\nout = []\n'
        "for path in ('su', 'mount', 'passwd', 'chfn', 'newgrp', 'sudo', 'pkexec'):\n"
        "    if os.path.exists(f'/usr/bin/{path}'):\n"
        "        done = subprocess.run([path, '-c', 'id -u'], stdin=-3, capture_output=True, text=True, timeout=5)\n"
        "        out.append(done.stdout.strip() == '0')\nany(out)",
        result='False',
    ),
    sandboxed(
        'leave_by_namespaces',
        LIBC + 'out = []\n'
        "for pid in [p for p in os.listdir('/proc') if p.isdigit()]:\n"
        "    for name in ('mnt', 'pid', 'net', 'user'):\n"
        "        try:\n            space = os.open(f'/proc/{pid}/ns/{name}', os.O_RDONLY)\n"
        "        except OSError:\n            continue\n        out.append(tried('setns', space, 0))\n"
        "'done' in out",
        result='False',
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
    sandboxed('terminal', "open('/dev/tty')", status='error', error='OSError'),
    either(
        'core_dump',
        'import os, resource, subprocess, sys\n'
        "subprocess.run([sys.executable, '-c', 'import os; os.abort()'])\n"
        "resource.getrlimit(resource.RLIMIT_CORE), os.listdir('.')",
        result="((0, 0), ['data'])",
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
    sandboxed(
        'see_others', "import os\nlen([name for name in os.listdir('/proc') if name.isdigit()]) < 8", result='True'
    ),
    sandboxed(
        'kill_all',
        Block('import os\nos.kill(-1, 9)', status=ENDED, truncated=None),  # what brings its output may be among them
        Block('1', status=('ok', 'kernel_died')),  # where bubblewrap's own process is among them, they end a bit later
    ),
    sandboxed('kill_harness', 'import os\nos.kill(@PID@, 9)', status='error', error='ProcessLookupError'),
    goes_on(
        'kill_parent', 'import os\nos.kill(os.getppid(), 9)', status=('ok', 'error', 'kernel_died'), levels=SANDBOXED
    ),
    goes_on('kill_first', 'import os\nos.kill(1, 9)', status=('ok', 'error'), levels=SANDBOXED),
    sandboxed(
        'trace_first',
        LIBC + "libc.ptrace.argtypes = [ctypes.c_long] * 4\n[tried('ptrace', 16, pid, 0, 0) for pid in (1, @PID@)]",
        result="['EPERM', 'EPERM']",
    ),
    program('daemon', DAEMON, levels=(*SANDBOXED, *WATCHED)),
    sandboxed('daemon_of_a_dead_kernel', Block(DAEMON), Block('import os\nos._exit(0)', status=DIED), '1'),
    either(
        'child_of_a_dead_kernel',
        Block("import subprocess\nsubprocess.Popen(['sh', '-c', 'sleep 20', '@MARKER@']).pid > 0", result='True'),
        Block('import os\nos._exit(0)', status=DIED),
        '1',
        slow=True,
    ),
    either(
        'child_of_a_live_kernel',
        "import subprocess\nsubprocess.Popen(['sh', '-c', 'sleep 20', '@MARKER@']).pid > 0",
        result='True',
    ),
]

# --- Network ---------------------------------------------------------------------------------------------------

NETWORK = [
    sandboxed(
        'outside_world',
        'import socket\ns = socket.socket()\ns.settimeout(2)\n'
        "out = [s.connect_ex(('1.1.1.1', 53)), socket.socket(type=socket.SOCK_DGRAM).connect_ex(('1.1.1.1', 53))]\n"
        "try:\n    socket.getaddrinfo('example.com', 80)\nexcept socket.gaierror:\n    out.append('no name')\nout",
        result="[101, 101, 'no name']",
    ),
    sandboxed('interfaces', 'import socket\n[name for _, name in socket.if_nameindex()]', result="['lo']"),
    sandboxed(
        'raw_sockets',
        'import errno, socket\nout = []\nfor family in (socket.AF_PACKET, socket.AF_INET):\n'
        '    try:\n        socket.socket(family, socket.SOCK_RAW, 1)\n        out.append("made")\n'
        '    except OSError as error:\n        out.append(errno.errorcode[error.errno])\nout',
        result="['EAFNOSUPPORT', 'EPERM']",
    ),
]

PROGRAMS = [*READING, *WRITING, *(replace(made, for_rights=True) for made in PRIVILEGES), *PROCESSES, *NETWORK]


@pytest.mark.parametrize(('level', 'made'), cases(PROGRAMS))
def test_program(place_at, level, made):
    check(place_at(level), made)
