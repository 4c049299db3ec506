"""The first process of a container: it starts the kernel, and ends with it or with the harness.

usage: python init.py    (reads the kernel's plan, see bootstrap.py, as one line from standard input, which stays open
                          as long as the harness lives)

Nothing inside can end it, and its end ends everything else. It imports nothing of the package.
"""

import contextlib
import json
import os
import select
import signal
import sys
from typing import Any, NoReturn

import bootstrap

OUT_OF_MEMORY = 137
"""Exit code where memory ran out, as that of a killed container."""
OOM_COUNTS = ('/sys/fs/cgroup/memory.events', '/sys/fs/cgroup/memory/memory.oom_control')
"""Files in which the container's control group counts deaths by lack of memory, in version 2 and 1."""


def main() -> None:
    plan = json.loads(sys.stdin.buffer.readline())
    for folder in (plan['cwd'], plan['variables']['HOME'], plan['variables']['TMPDIR']):
        os.makedirs(folder, exist_ok=True)
    kernel = os.fork()
    if kernel == 0:
        be_kernel(plan)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 1)  # the status pipe is the kernel's
    os.dup2(null, 2)
    bootstrap.drop_privileges(None)
    bootstrap.libc.prctl(bootstrap.PR_SET_DUMPABLE, 0, 0, 0, 0)  # other processes cannot read its memory and files
    os._exit(wait_for_end(kernel))


def be_kernel(plan: dict[str, Any]) -> NoReturn:
    import kernel_app  # noqa: F401  (imported in the child alone, because it is large)

    sys.path.pop(0)
    os.setsid()
    bootstrap.serve(plan, os.dup(1))
    sys.exit(0)


def wait_for_end(kernel: int) -> int:
    """Wait for the end of the kernel or the harness; return the exit code."""
    waking, woken = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
    poll = select.poll()
    poll.register(0, select.POLLIN)
    poll.register(waking, select.POLLIN)
    while True:
        status = reap(kernel)
        if status is not None:
            return OUT_OF_MEMORY if os.WIFSIGNALED(status) and memory_ran_out() else 1
        for descriptor, _ in poll.poll():
            if not os.read(descriptor, 4096):
                return 0


def reap(kernel: int) -> Any:
    """Reap children that have ended; return the status of the kernel, None while it lives."""
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == kernel:
                return status
            if pid == 0:
                return None
    return 0


def memory_ran_out() -> bool:
    for path in OOM_COUNTS:
        with contextlib.suppress(OSError), open(path) as file:
            return any(line.split()[0] == 'oom_kill' and int(line.split()[1]) > 0 for line in file)
    return False


if __name__ == '__main__':
    main()
