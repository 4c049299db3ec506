"""The settings of an interpreter: every value that changes what code sees or may do."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from cibench_eval import __version__
from cibench_eval.interpreter.environments import KernelEnvironment
from cibench_eval.interpreter.sandboxes import choices, choose
from cibench_eval.interpreter.sandboxes.base import Sandbox
from cibench_eval.schema import CibenchError, problem

Start = Literal['fork', 'spawn']
GIB = 2**30
RENAMED = {'ready': 'pool_size', 'at_once': 'max_concurrent_cells'}
"""Old names of fields."""


class KernelSettings(BaseModel):
    """How kernels are started and what they may use."""

    model_config = ConfigDict(extra='forbid', frozen=True)

    environment: str = 'modern'
    """Name of a kernel environment (`cibench kernel list`) or the path of a python that has ipykernel."""
    datasources: Path | None = None
    """Folder copied into each session as its working directory; None starts in an empty one."""
    sandbox: str = 'bubblewrap'
    """A file of `sandboxes/`; refused where it does not work. `auto` is `bubblewrap` where it works, else `none`, with
    a warning."""
    sandbox_options: dict[str, Any] = {}
    """Fields of the sandbox, as `runtime` and `image` of `docker`."""
    start: Start = 'fork'
    """`fork` a kernel from a process that has imported the libraries, or `spawn` a new one that has not. A sandbox
    that no forked process can enter, as a container, spawns in any case."""
    preload: tuple[str, ...] | None = None
    """Modules that the fork server imports; missing ones are skipped. None is those of the benchmark, in a run those
    that its gold code imports."""
    pool_size: NonNegativeInt = 2
    """Kernels that a pool keeps started."""
    max_concurrent_cells: PositiveInt | None = None
    """Code blocks of one pool that run at the same time; None is two a core. More would push each other over their
    time limits."""
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
    figure_size: PositiveInt = 5_000_000
    """Bytes of the largest figure that is kept; all of a code block together may have three times as many. None is
    kept of more than ten million pixels."""

    session_output: PositiveInt = 25_000_000
    """Bytes that all outputs and errors of a session may take in files, figures included; further ones are left out."""

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

    def __hash__(self) -> int:
        return hash(self.model_dump_json())  # a dictionary among the fields has no hash

    @model_validator(mode='before')
    @classmethod
    def _refuse_old_names(cls, fields: Any) -> Any:
        for old in RENAMED.keys() & fields.keys() if isinstance(fields, dict) else ():
            raise PydanticCustomError('renamed', f'{old} is now called {RENAMED[old]}: write that')
        return fields

    @field_validator('sandbox')
    @classmethod
    def _known(cls, sandbox: str) -> str:
        if sandbox not in choices():
            raise PydanticCustomError('unknown', f'there is no sandbox {sandbox!r}; there are {", ".join(choices())}')
        return sandbox

    def chosen_sandbox(self) -> Sandbox:
        """The sandbox on this machine.

        Raises:
            CibenchError: it has no such options, or cannot be used here.
        """
        return choose(self.sandbox, self.sandbox_options)

    def start_in(self, sandbox: Sandbox) -> Start:
        """How kernels are started in `sandbox`."""
        return self.start if sandbox.can_fork else 'spawn'

    def provenance(self) -> dict[str, str]:
        """What the outcome of code depends on, as it is on this machine."""
        sandbox = self.chosen_sandbox()
        return {
            'cibench_eval': __version__,
            **KernelEnvironment.find(self.environment).fingerprint(self.threads),
            'sandbox': sandbox.label,
            'kernel_start': self.start_in(sandbox),
            'limits': sandbox.limiter(),
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
