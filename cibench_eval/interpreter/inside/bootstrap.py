"""Becomes a kernel, in place of `ipykernel_launcher`. It imports nothing of the package.

usage: python bootstrap.py    (reads its plan, a `KernelPlan` of the package in JSON, from standard input)

It sets the limits of the process, drops every privilege and serves as an IPython kernel. It writes `ready` to its
standard output when the sockets are bound; afterwards the process holds no file of the host.
"""

import ctypes
import json
import os
import signal
import sys
import traceback
from typing import Any

import process_limits
import seccomp

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 4, 24, 38
CAPABILITY_VERSION_3 = 0x20080522
READY = b'ready\n'
libc = ctypes.CDLL(None, use_errno=True)


def drop_privileges(uid: Any) -> None:
    """Become `uid` (unless None), give up all capabilities for good and install the filter of system calls."""
    seccomp.leave_keyring(libc)
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    for capability in range(64):
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    if uid is not None:
        os.setresuid(uid, uid, uid)
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    if libc.capset(header, (ctypes.c_uint32 * 6)()):
        raise OSError(ctypes.get_errno(), 'capset')
    seccomp.refuse_calls(libc)
    libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)  # the change of user undid it; libraries need it to read /proc/self


def die_with(parent: int) -> None:
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def serve(plan: dict[str, Any], status: int) -> None:
    """Be a kernel, as `plan` says, until it ends.

    Writes to descriptor `status` that the kernel can be reached, or what went wrong, and closes it.
    """
    try:
        app = prepare(plan)
    except Exception:  # noqa: BLE001  (the process ends here)
        os.write(status, traceback.format_exc().encode())
        os._exit(1)
    os.write(status, READY)
    os.close(status)
    app.start()


def prepare(plan: dict[str, Any]) -> Any:
    """Give up everything that the code must not have; return an application whose sockets are bound."""
    os.environ.clear()
    os.environ.update(plan['variables'])
    with open('/proc/self/oom_score_adj', 'w') as score:
        score.write('1000')  # if the machine runs out of memory, Linux kills this process first
    process_limits.set_limits(plan['limits'])
    drop_privileges(plan['uid'])
    if plan['die_with']:  # a change of user would undo it
        die_with(plan['die_with'])
    os.umask(0o022)
    os.chdir(plan['cwd'])
    if processes := sys.modules.get('multiprocessing.process'):
        vars(processes)['ORIGINAL_DIR'] = plan['cwd']  # where spawned processes look for modules of the code
    with open(plan['connection_file'], 'w') as file:
        json.dump(plan['connection'], file)

    sys.argv[:] = ['ipykernel_launcher.py']
    leave_host_files()
    app = sys.modules['kernel_app'].KernelApp.make(plan)
    if plan['shared_sockets']:
        for entry in os.scandir(os.path.dirname(plan['connection_file'])):  # only the harness can enter the folder
            os.chmod(entry.path, 0o666)
    forget_own_modules()
    return app


def forget_own_modules() -> None:
    """Leave the names of the modules in this folder to modules that the code brings."""
    here = os.path.dirname(__file__)
    for name, module in [*sys.modules.items()]:
        if os.path.dirname(getattr(module, '__file__', None) or '') == here:
            del sys.modules[name]


def leave_host_files() -> None:
    """Replace standard input and outputs: the status pipe is then the only file of the host."""
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    os.close(null)


if __name__ == '__main__':
    from kernel_app import KernelApp  # noqa: F401  (imported while this folder is still on the path)

    sys.path.pop(0)
    serve(json.load(sys.stdin), os.dup(1))
