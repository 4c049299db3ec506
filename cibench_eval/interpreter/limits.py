"""What the processes of a session may use (memory, disk, processes), and how a session over a limit is told so."""

from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, PositiveInt

Limit = Literal['memory', 'processes', 'disk']
"""Limits of a whole session. What neither its sandbox nor a control group enforces is watched (`watchdog.py`)."""
LIMITS: frozenset[Limit] = frozenset(get_args(Limit))
GIB = 2**30
LEAST = 64 * 2**20
"""Bytes without which no kernel starts."""


def _room(size: int) -> int:
    if size < LEAST:
        raise ValueError('a number of bytes, at least 64 * 2**20')
    return size


class ResourceLimits(BaseModel):
    """What a session may use. Each field is also one of `KernelSettings`."""

    model_config = ConfigDict(extra='forbid', frozen=True)

    memory: Annotated[int, AfterValidator(_room)] = 4 * GIB
    """Bytes that all processes of a session and the files that it wrote may take together."""
    address_space: Annotated[int, AfterValidator(_room)] = 8 * GIB
    """Address space of one process, bytes (RLIMIT_AS; libraries reserve far more than they use)."""
    disk: PositiveInt = 2 * GIB
    """Bytes that a session may write, and the size of its largest file."""
    processes: PositiveInt = 128
    """Processes and threads of a session."""
    open_files: PositiveInt = 1024
    """Open files of one process."""
    cpu_seconds: PositiveInt = 3600
    """CPU time of one process."""

    def of_process(self, *, count_processes: bool) -> dict[str, int]:
        """Limits of one process, by their names in `resource`; on processes where Linux counts this session's alone."""
        limits = {
            'AS': self.address_space,
            'FSIZE': self.disk,
            'NOFILE': self.open_files,
            'CPU': self.cpu_seconds,
            'CORE': 0,
        }
        return limits | ({'NPROC': self.processes} if count_processes else {})

    def exceeded(self, limit: Limit) -> str:
        """What the model is told when its session was ended for a limit."""
        match limit:
            case 'memory':
                return f'the session used more than {self.memory / GIB:.3g} GiB of memory'
            case 'processes':
                return f'the session had more than {self.processes} processes and threads'
            case 'disk':
                return f'the session wrote more than {self.disk / GIB:.3g} GiB'
