"""Why a task failed that ran in a process of its own, as far as its log tells."""

import re
from pathlib import Path

ERROR = re.compile(r' ERROR (?:\S+: )?(.*)')
"""A line of a task's log with what it failed of."""
OF_SLURM = ('srun:', 'slurmstepd:')
LOG_END = 20_000
"""Bytes of a log in which the cause is looked for."""


def last_error(log: Path) -> str:
    """The last error in a log; where there is none, its last line that is not Slurm's."""
    try:
        with log.open('rb') as file:
            file.seek(max(0, log.stat().st_size - LOG_END))
            lines = file.read().decode('utf-8', 'replace').splitlines()
    except OSError as error:
        return f'no log ({error.strerror}), so its job may not have started ({log})'
    texts = [line.strip() for line in lines if line.strip()]
    errors = [match[1] for line in texts if (match := ERROR.search(line))]
    others = [line for line in texts if not line.startswith(OF_SLURM)]
    return (errors or others or texts or ['its log is empty'])[-1]
