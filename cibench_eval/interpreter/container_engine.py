"""Docker and Podman by their command lines: whether one works here, and how it is called."""

import csv
import functools
import io
import resource
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from cibench_eval.environments import last_line

Command = Literal['docker', 'podman']
OTHER: dict[Command, Command] = {'docker': 'podman', 'podman': 'docker'}
ANSWER = 30
"""Seconds in which an engine has to answer."""
ULIMITS = {'nofile': (resource.RLIMIT_NOFILE, 65536), 'nproc': (resource.RLIMIT_NPROC, 32768)}
"""Limits of a container's first process; kernels have lower ones (`limits.py`)."""
HARDWARE = [
    f'/sys/{name}' for name in ('block', 'bus', 'class', 'dev', 'devices', 'firmware', 'kernel', 'module', 'power')
]
"""Folders that describe the machine."""
EMPTY = 'ro,size=4096'
"""Options of a tmpfs that takes the place of a folder."""
NO_NAMES = ('--dns', '0.0.0.0', '--dns-search', '.')
"""Options without which Docker tells a container the machine's name servers and domains, also one without a network."""
MENDS = {
    'cgroups in hybrid mode': 'crun refuses a cgroup2 mount beside version 1 of control groups: unmount it, or hide it '
    "from this command alone by `unshare -m sh -c 'umount /sys/fs/cgroup/unified; exec COMMAND'`",
}
"""What to do about errors of engines, by words in them."""


@dataclass(frozen=True)
class Engine:
    """A command that runs containers."""

    command: Command

    def run(self, *arguments: str, data: bytes = b'') -> subprocess.CompletedProcess[bytes]:
        """Run one of its commands to the end; a command that does not answer in time has failed."""
        command = [self.command, *arguments]
        try:
            return subprocess.run(command, input=data, capture_output=True, timeout=ANSWER)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(command, 1, b'', f'no answer in {ANSWER} s'.encode())

    def problem(self) -> str:
        """Why it cannot be used here; empty where it can."""
        if not shutil.which(self.command):
            return f'{self.command} is not on PATH'
        done = self.run('version')
        if done.returncode:
            return f'{self.command}: {last_line(done.stderr)}'
        if self.command == 'podman':
            host = self.run('info', '--format', '{{.Host.Security.Rootless}} {{.Host.CgroupsVersion}}')
            if host.stdout.split() == [b'true', b'v1']:
                return 'podman: without root, it limits nothing where control groups have version 1: run it as root'
        return ''

    def with_runtime(self, runtime: str | None, *, network: bool) -> list[str]:
        """The start of a command line that runs a container."""
        if self.command == 'docker':
            own = [word for path in HARDWARE if Path(path).exists() for word in ('--tmpfs', f'{path}:{EMPTY}')]
            own += () if network else NO_NAMES
            return ['docker', 'run', *(('--runtime', runtime) if runtime else ()), *own]
        # By itself it adds writable folders of any size, a list of users, and the names of hosts that this machine has.
        own = ['--read-only-tmpfs=false', '--passwd=false', *(() if network else ('--no-hosts',))]
        own += ['--security-opt', f'mask={":".join(HARDWARE)}']
        return ['podman', *(('--runtime', runtime) if runtime else ()), 'run', *own]

    def ulimits(self) -> list[str]:
        """Options for limits of processes that it may set: its defaults may be over the hard limits of this process."""
        found = [(name, min(value, resource.getrlimit(limit)[1] % 2**63)) for name, (limit, value) in ULIMITS.items()]
        return [word for name, value in found for word in ('--ulimit', f'{name}={value}:{value}')]


@functools.cache
def engine_problem(command: Command) -> str:
    """Why an engine cannot be used here, and whether the other can; tried once per process."""
    problem = Engine(command).problem()
    if problem and not Engine(OTHER[command]).problem():
        return f"{problem} ({OTHER[command]} works here: sandbox_options=dict(command='{OTHER[command]}'))"
    return problem


def mended(error: str) -> str:
    """An error of an engine with what to do about it, if that is known."""
    return next((f'{error} ({mend})' for words, mend in MENDS.items() if words in error), error)


def mount(source: str, target: str, *options: str) -> str:
    """A value of `--mount`, a line of CSV."""
    line = io.StringIO()
    csv.writer(line, lineterminator='').writerow(['type=bind', f'source={source}', f'target={target}', *options])
    return line.getvalue()
