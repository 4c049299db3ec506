"""Runs a server and ends all that the server starts: python supervisor.py GRACE COMMAND...

It ends every process of the command, and itself, when the command ends, when standard input closes (because the harness
has ended), or on SIGTERM. Processes that detach themselves become its children. It imports nothing of the harness.
"""

import contextlib
import ctypes
import os
import select
import signal
import subprocess
import sys
from types import FrameType

import psutil

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
KILL_WAIT = 5.0
"""Seconds between two rounds of SIGKILL."""


def main(grace: float, command: list[str]) -> int:
    """Run `command`, and return its exit code; `grace` is the seconds between SIGTERM and SIGKILL."""
    _prctl(PR_SET_CHILD_SUBREAPER, 1)
    signal.signal(signal.SIGTERM, _leave)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the harness, which then closes standard input
    try:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, preexec_fn=die_with_parent)  # noqa: PLW1509
    except OSError as error:
        print(f'{command[0]} cannot be started: {error.strerror}', flush=True)
        return 127
    code = None
    try:
        code = _code(child)
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        end_descendants(grace if code is None else 0)
    return 0 if code is None else code


def end_descendants(grace: float) -> None:
    """Ask every process below this one to end, and kill the rest after `grace` seconds."""
    below = psutil.Process().children(recursive=True)
    for process in below if grace else []:
        _send(process, signal.SIGTERM)
    psutil.wait_procs(below, timeout=grace)
    while below := psutil.Process().children(recursive=True):
        for process in below:
            _send(process, signal.SIGKILL)
        psutil.wait_procs(below, timeout=KILL_WAIT)


def _code(child: subprocess.Popen[bytes]) -> int | None:
    """The exit code of the command as a shell gives it; None where standard input closed first."""
    ended = os.pidfd_open(child.pid)
    try:
        while True:
            ready, _, _ = select.select([sys.stdin, ended], [], [])
            if ended in ready:
                code = child.wait()
                return code if code >= 0 else 128 - code
            if not os.read(sys.stdin.fileno(), 4096):
                return None
    finally:
        os.close(ended)


def _send(process: psutil.Process, number: signal.Signals) -> None:
    with contextlib.suppress(psutil.NoSuchProcess):
        process.send_signal(number)


def _leave(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def die_with_parent() -> None:
    """Let the kernel kill this process when its parent dies."""
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _prctl(option: int, value: int) -> None:
    ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


if __name__ == '__main__':
    sys.exit(main(float(sys.argv[1]), sys.argv[2:]))
