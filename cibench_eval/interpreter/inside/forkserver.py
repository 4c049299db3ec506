"""The fork server: it has imported the libraries, and forks into kernels. It imports nothing of the package.

usage: python forkserver.py MODULE...    (standard input is a unix socket of type SOCK_SEQPACKET)

First it sends `{"imported": [...], "threads": N}`. A request is the `KernelPlan` of the package together with the
descriptor of the kernel's status pipe. The answer is `{"pid": N}` with a pidfd of the kernel, or
`{"problem": text}`. The process ends when the socket is closed.

A fork is safe only while there is one thread. So OpenMP, BLAS, torch and TensorFlow, which start threads at their first
use, must not be used here but only in the child.
"""

import contextlib
import gc
import importlib
import json
import os
import random
import signal
import socket
import sys
import tempfile
import time
from typing import Any, NoReturn

import bootstrap
import kernel_app  # noqa: F401  (found by its name later)
import namespaces
import process_limits

PR_SET_CHILD_SUBREAPER = 36
FIXED_TORCH_SEED = 67280421310721
"""The seed of every process, in versions of torch that draw none."""
REQUEST_LIMIT = 2**17
ROUNDS = 1000
PARTS_OF_KERNELS = (
    'IPython.core.debugger', 'IPython.core.magics.execution', 'IPython.core.pylabtools',
    'IPython.extensions.storemagic', 'pygments.formatters.terminal256', 'stack_data',
    'tornado.platform.asyncio',
)  # fmt: skip
"""Modules that a kernel imports when it starts or runs its first block."""


def main() -> NoReturn:
    bootstrap.seccomp.leave_keyring(bootstrap.libc)
    process_limits.raise_open_files()
    control = socket.socket(fileno=os.dup(0))
    given = dict(os.environ)
    imported = [name for name in sys.argv[1:] if can_import(name)]
    for name in PARTS_OF_KERNELS:
        can_import(name)
    made = {name: value for name, value in os.environ.items() if given.get(name) != value}
    bootstrap.libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nothing has to wait for the children
    gc.collect()
    gc.freeze()  # else a collection in a child would touch, and so copy, everything imported
    send(control, {'imported': imported, 'threads': len(os.listdir('/proc/self/task'))})
    while True:
        request, descriptors, _, _ = socket.recv_fds(control, REQUEST_LIMIT, 1)
        if not request:
            end_children()
            os._exit(0)  # a normal exit of the libraries takes time
        plan = json.loads(request) | {'entered': False}
        plan['variables'] = {**made, **plan['variables']}  # imports set variables, too
        fork(control, plan, descriptors[0])
        os.close(descriptors[0])


def end_children() -> None:
    """Kill kernels and, without a sandbox, their descendants, which become children of this process.

    If their harness was killed while they were stopped, nothing else would ever end them.
    """
    for _ in range(ROUNDS):
        with open(f'/proc/self/task/{os.getpid()}/children') as file:
            children = file.read().split()
        if not children:
            return
        for pid in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)
        time.sleep(0.001)


def can_import(name: str) -> bool:
    """Import a module; False if that fails, which then is a matter of the code that uses it."""
    variables = dict(os.environ)
    try:
        importlib.import_module(name)
    except Exception:  # noqa: BLE001  (a library can fail in any way)
        return False
    if '._' in name:  # code does not import this part itself, so it does not find the variables that the part sets
        os.environ.clear()
        os.environ.update(variables)
    return True


def send(control: socket.socket, answer: dict[str, Any], *descriptors: int) -> None:
    socket.send_fds(control, [json.dumps(answer).encode()], list(descriptors))


def fork(control: socket.socket, plan: dict[str, Any], status: int) -> None:
    """Start a kernel and answer. This process answers, once, because its children may be killed at any moment.

    A kernel without a sandbox is a child and dies with this process; others end with their sandbox.
    """
    sandbox = plan['sandbox_pid']
    try:
        pid = os.fork() if sandbox is None else fork_inside(sandbox) if os.geteuid() == 0 else fork_twice(plan)
    except OSError as error:
        send(control, {'problem': f'cannot enter the sandbox: {error}'})
        return
    if pid:
        answer(control, pid)
        return
    control.close()
    try:
        enter_sandbox(plan)
    except OSError as error:
        os.write(status, f'cannot enter the sandbox: {error}'.encode())
        os._exit(1)
    be_kernel(plan, status)


def enter_sandbox(plan: dict[str, Any]) -> None:
    """In a forked process: enter the session's control groups and namespaces, unless the parent did."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if plan['sandbox_pid'] is None:
        plan['die_with'] = os.getppid()
    if plan['entered']:
        return
    for file in plan['cgroup_files']:
        with open(file, 'w') as group:
            group.write('0')  # this process
    if plan['sandbox_pid'] is not None:
        namespaces.enter(plan['sandbox_pid'])
    plan['entered'] = True


def answer(control: socket.socket, pid: int) -> None:
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        send(control, {'problem': 'the forked process ended at once'})
        return
    send(control, {'pid': pid}, descriptor)
    os.close(descriptor)


def fork_inside(sandbox: int) -> int:
    """Fork a child in the pid namespace of `sandbox`; only root can do this and come back."""
    own, theirs = os.open('/proc/self/ns/pid', os.O_RDONLY), os.open(f'/proc/{sandbox}/ns/pid', os.O_RDONLY)
    pid = -1
    try:
        namespaces.join(theirs)
        pid = os.fork()
    finally:
        if pid:
            namespaces.join(own)
        os.close(own)
        os.close(theirs)
    return pid


def fork_twice(plan: dict[str, Any]) -> int:
    """Fork a kernel inside for another user, who cannot come back: a first child enters, and forks the kernel there."""
    reading, writing = os.pipe()
    if os.fork():
        os.close(writing)
        with open(reading, 'rb') as report:
            outcome = json.loads(report.read() or b'"it ended at once"')
        if isinstance(outcome, str):
            raise OSError(outcome)
        return int(outcome)
    os.close(reading)
    try:
        enter_sandbox(plan)
        pid = os.fork()
    except OSError as error:
        os.write(writing, json.dumps(str(error)).encode())
        os._exit(1)
    if pid:
        os.write(writing, json.dumps(pid).encode())
        os._exit(0)
    os.close(writing)
    return 0


def be_kernel(plan: dict[str, Any], status: int) -> NoReturn:
    os.setsid()
    tempfile.tempdir = None  # an import has set it to the folder of this process
    reseed()
    raise_threads(plan['threads'])
    bootstrap.serve(plan, status)
    sys.exit(0)


def reseed() -> None:
    """Draw new random states in place of those drawn when the libraries were imported."""
    random.seed()
    if 'numpy' in sys.modules:
        sys.modules['numpy'].random.seed()
    torch = sys.modules.get('torch')
    if torch and torch.initial_seed() != FIXED_TORCH_SEED:
        torch.seed()


def raise_threads(number: int) -> None:
    """Lift the limit of one BLAS thread under which the libraries were loaded."""
    if number > 1 and 'threadpoolctl' in sys.modules:
        sys.modules['threadpoolctl'].threadpool_limits(number)
    if number > 1 and 'torch' in sys.modules:
        sys.modules['torch'].set_num_threads(number)


if __name__ == '__main__':
    sys.path.pop(0)
    main()
