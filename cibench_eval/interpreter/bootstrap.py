"""Started inside the kernel environment in place of `ipykernel_launcher`; imports nothing of this package.

usage: python bootstrap.py CONNECTION_FILE OUTPUT_LIMIT MEMORY FILE_SIZE

It sets the limits of the process, ties its life to its parent's, keeps what a code block prints within
OUTPUT_LIMIT characters before it reaches the wire (a flood would otherwise fill the kernel's memory),
and never lets the wire drop a message (SNDHWM 0).
"""

import ctypes
import os
import resource
import signal
import sys
from typing import Any

PR_SET_PDEATHSIG = 1
connection_file = sys.argv[1]
output_limit, memory, file_size = (int(value) for value in sys.argv[2:5])

sys.path.pop(0)
os.environ.pop('JPY_PARENT_PID', None)  # of another pid namespace: ipykernel would think itself orphaned
parent = os.getppid()
ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
if os.getppid() != parent:
    sys.exit('the harness is gone')
for limit, value in (
    (resource.RLIMIT_AS, memory),
    (resource.RLIMIT_FSIZE, file_size),
    (resource.RLIMIT_CORE, 0),
):
    resource.setrlimit(limit, (value, value))

from ipykernel.iostream import OutStream  # noqa: E402
from ipykernel.kernelapp import IPKernelApp  # noqa: E402


class CappedOutStream(OutStream):
    """Drops what a code block prints over the limit; one character more goes out, so the cut is seen."""

    left = output_limit + 1

    def write(self, string: str) -> int:
        kept = string[: self.left] if isinstance(string, str) else string
        self.left -= len(kept)
        if kept:
            super().write(kept)
        return len(string)


class KernelApp(IPKernelApp):
    """ipykernel's application with a lossless output socket."""

    def init_iopub(self, context: Any) -> None:
        context.sndhwm = 0
        super().init_iopub(context)


def restore_limits(*_: Any) -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, CappedOutStream):
            stream.left = output_limit + 1


null = os.open(os.devnull, os.O_RDWR)
for descriptor in (0, 1, 2):
    os.dup2(null, descriptor)  # from here on output goes over the wire only: the host's pipe is never written
app = KernelApp.instance(outstream_class=f'{__name__}.{CappedOutStream.__name__}')
app.initialize(['-f', connection_file, '--HistoryManager.enabled=False'])
shell: Any = app.shell
shell.events.register('pre_run_cell', restore_limits)
app.start()
