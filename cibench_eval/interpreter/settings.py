"""The settings of an interpreter: every value that changes what code sees or may do."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, PositiveFloat, PositiveInt

from cibench_eval import __version__
from cibench_eval.interpreter.environments import KernelEnvironment
from cibench_eval.interpreter.sandbox import choose

SandboxChoice = Literal['bubblewrap', 'auto', 'none']


class KernelSettings(BaseModel):
    """How kernels are started and what they may use."""

    model_config = ConfigDict(extra='forbid', frozen=True)

    environment: str = 'modern'
    """Name of a kernel environment (`cibench kernel list`) or the path of a python that has ipykernel."""
    datasources: Path | None = None
    """Folder copied into each session as its working directory; None starts in an empty one."""
    sandbox: SandboxChoice = 'bubblewrap'
    """`bubblewrap` is required to work, `auto` falls back to `none` where it cannot, `none` is no sandbox."""
    timeout: PositiveFloat = 60.0
    """Wall-clock seconds a code block may take."""
    grace: PositiveFloat = 3.0
    """Seconds an interrupted code block gets to stop before its kernel is killed."""
    startup_timeout: PositiveFloat = 60.0
    """Seconds a kernel may take to answer for the first time."""
    output_limit: PositiveInt = 1_000_000
    """Characters kept of a code block's output; the rest is dropped and the Execution says `truncated`."""
    figure_limit: PositiveInt = 20
    """Figures kept of a code block."""
    memory: PositiveInt = 8 * 2**30
    """Address space of one kernel process, bytes (RLIMIT_AS; libraries reserve far more than they use)."""
    file_size: PositiveInt = 2 * 2**30
    """Largest file that code may write, bytes (RLIMIT_FSIZE)."""
    threads: PositiveInt = 1
    """Threads of OpenMP, BLAS, torch and TensorFlow; fixed, because last digits depend on it."""

    def provenance(self) -> dict[str, str]:
        """What the outcome of code depends on, as it is on this machine."""
        environment = KernelEnvironment.find(self.environment)
        return {
            'cibench_eval': __version__,
            'kernel_environment': environment.root.name,
            'sandbox': choose(self.sandbox).name,
        }
