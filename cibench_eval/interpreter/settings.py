"""The settings of an interpreter: every value that changes what code sees or may do."""

from pathlib import Path
from typing import Any, Literal

from pydantic import Field, NonNegativeInt, PositiveFloat, PositiveInt, ValidationError, field_validator
from pydantic_core import PydanticCustomError

from cibench_eval import __version__
from cibench_eval.interpreter.environments import KernelEnvironment
from cibench_eval.interpreter.limits import ResourceLimits
from cibench_eval.interpreter.sandboxes import choices, choose
from cibench_eval.interpreter.sandboxes.base import Sandbox
from cibench_eval.schema import CibenchError, problem

Start = Literal['fork', 'spawn']


class KernelSettings(ResourceLimits):
    """How kernels are started and what they may use; memory, disk and processes are fields of `ResourceLimits`."""

    environment: str = 'modern'
    """Name of a kernel environment (`cibench kernel list`) or the path of a python that has ipykernel."""
    datasources: Path | None = None
    """Folder copied into each session as its working directory; None starts in an empty one."""
    sandbox: str = 'bubblewrap'
    """A file of `sandboxes/`; an error where it does not work. `auto` is `bubblewrap` where it works, else `none`
    with a warning."""
    sandbox_options: dict[str, Any] = Field(default={})
    """Fields of the sandbox, such as `runtime` and `image` of `docker`."""
    start: Start = 'fork'
    """`fork` a kernel from a process that has imported the libraries, or `spawn` a new one that has not. Where a forked
    process cannot enter the sandbox (a container), kernels are spawned in any case."""
    preload: tuple[str, ...] | None = None
    """Modules that the fork server imports; missing ones are skipped, with a warning but for those of the benchmark.
    None: in a run the modules that its gold code imports, else the modules of the benchmark."""
    pool_size: NonNegativeInt = 2
    """Kernels that a pool keeps ready."""
    max_concurrent_cells: PositiveInt | None = None
    """Code blocks of one pool that run at the same time; None is two per core. More would push each other over their
    time limits."""
    network: bool = False
    """Whether code may reach other machines (without a sandbox it always can)."""

    timeout: PositiveFloat = 60.0
    """Seconds a code block may take; waits for a processor do not count, up to three times as many."""
    grace: PositiveFloat = 3.0
    """Seconds an interrupted code block gets to stop before its kernel is killed."""
    startup_timeout: PositiveFloat = 60.0
    """Seconds a kernel may take to answer for the first time."""

    output_limit: PositiveInt = 1_000_000
    """Characters kept of stdout, of stderr and of a text: half from the head, half from the tail, the cut marked."""
    figure_limit: PositiveInt = 20
    """Figures kept of a code block."""
    figure_size: PositiveInt = 5_000_000
    """Bytes of the largest figure that is kept; all figures of a code block together may take three times as many. A
    figure of more than ten million pixels is left out."""
    session_output: PositiveInt = 25_000_000
    """Bytes that all outputs and errors of a session may take in files, figures included; later ones are left out."""

    threads: PositiveInt = 1
    """Threads of OpenMP, BLAS, torch and TensorFlow; fixed, because the last digits of results depend on it."""

    def __hash__(self) -> int:
        return hash(self.model_dump_json())  # `sandbox_options` is a dict, which has no hash

    @field_validator('sandbox')
    @classmethod
    def _known(cls, sandbox: str) -> str:
        if sandbox not in choices():
            raise PydanticCustomError('unknown', f'there is no sandbox {sandbox!r}; there are {", ".join(choices())}')
        return sandbox

    def chosen_sandbox(self) -> Sandbox:
        """The sandbox on this machine; a `CibenchError` where it has no such options, or cannot be used here."""
        return choose(self.sandbox, self.sandbox_options)

    def start_in(self, sandbox: Sandbox) -> Start:
        """How kernels are started in `sandbox`."""
        return self.start if sandbox.can_fork else 'spawn'

    def provenance(self) -> dict[str, str]:
        """What the outcome of code depends on, as found on this machine."""
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
        CibenchError: a field is unknown or its value is wrong; the message ends with `place`, where it was given.
    """
    try:
        return KernelSettings.model_validate(fields)
    except ValidationError as error:
        raise CibenchError(f'kernels: {problem(error)} ({place})') from error
