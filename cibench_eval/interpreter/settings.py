"""The settings of an interpreter: every value that changes what code sees or may do."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, NonNegativeInt, PositiveFloat, PositiveInt, ValidationError

from cibench_eval import __version__
from cibench_eval.interpreter.environments import KernelEnvironment
from cibench_eval.interpreter.sandbox import choose
from cibench_eval.schema import CibenchError, problem

SandboxChoice = Literal['bubblewrap', 'auto', 'none']
GIB = 2**30


class KernelSettings(BaseModel):
    """How kernels are started and what they may use."""

    model_config = ConfigDict(extra='forbid', frozen=True)

    environment: str = 'modern'
    """Name of a kernel environment (`cibench kernel list`) or the path of a python that has ipykernel."""
    datasources: Path | None = None
    """Folder copied into each session as its working directory; None starts in an empty one."""
    sandbox: SandboxChoice = 'bubblewrap'
    """`bubblewrap` is required to work, `auto` falls back to `none` where it cannot, `none` is no sandbox."""
    start: Literal['fork', 'spawn'] = 'fork'
    """`fork` from a process that has imported the libraries, or `spawn` a new one that has not."""
    preload: tuple[str, ...] | None = None
    """Modules that `fork` imports beforehand, those that are there; None is those of the benchmark."""
    ready: NonNegativeInt = 2
    """Kernels that a pool keeps ready."""
    at_once: PositiveInt | None = None
    """Code blocks of one pool that run at the same time, so that sessions which share cores do not push each other
    over their time limits; None is two a core."""
    network: bool = False
    """Whether code may reach other machines (without a sandbox it always can)."""

    timeout: PositiveFloat = 60.0
    """Wall-clock seconds a code block may take."""
    grace: PositiveFloat = 3.0
    """Seconds an interrupted code block gets to stop before its kernel is killed."""
    startup_timeout: PositiveFloat = 60.0
    """Seconds a kernel may take to answer for the first time."""
    recover: Literal['replay', 'fresh'] = 'replay'
    """After the death of a kernel, what had succeeded runs again in a new one, or the new one is empty."""

    output_limit: PositiveInt = 1_000_000
    """Characters kept of each of stdout, stderr and a text: half from the head, half from the tail, the cut marked."""
    figure_limit: PositiveInt = 20
    """Figures kept of a code block."""
    figure_size: PositiveInt = 20_000_000
    """Bytes of the largest figure that is kept; all of a code block together may have three times as many."""

    memory: PositiveInt = 4 * GIB
    """Bytes that all processes of a session and the files that it wrote may take together."""
    address_space: PositiveInt = 8 * GIB
    """Address space of one process, bytes (RLIMIT_AS; libraries reserve far more than they use)."""
    disk: PositiveInt = 2 * GIB
    """Bytes that a session may write, and those of its largest file."""
    processes: PositiveInt = 128
    """Processes and threads of a session."""
    open_files: PositiveInt = 1024
    """Open files of one process."""
    cpu_seconds: PositiveInt = 3600
    """CPU time of one process."""
    threads: PositiveInt = 1
    """Threads of OpenMP, BLAS, torch and TensorFlow; fixed, because last digits depend on it."""

    stdin: Literal['error', 'eof'] = 'error'
    """What `input()` raises: StdinNotImplementedError, or EOFError."""
    magics: bool = True
    """Whether IPython's `%magics` work."""
    shell_escapes: bool = True
    """Whether `!command` and `%%bash` work; `subprocess` does in any case."""

    def provenance(self) -> dict[str, str]:
        """What the outcome of code depends on, as it is on this machine."""
        return {
            'cibench_eval': __version__,
            **KernelEnvironment.find(self.environment).fingerprint(self.threads),
            'sandbox': choose(self.sandbox).name,
            'kernel_start': self.start,
        }


def read_settings(fields: dict[str, Any], place: str) -> KernelSettings:
    """Settings from a config or a command line.

    Raises:
        CibenchError: a field is unknown or has a value that it cannot have; `place` says where it was given.
    """
    try:
        return KernelSettings.model_validate(fields)
    except ValidationError as error:
        raise CibenchError(f'kernels: {problem(error)} ({place})') from error
