"""The walls around a kernel: which command line starts it, and what it can see from inside.

Each sandbox turns `(argv, Room)` into the argv to start. `Room` names the only folders that belong to
the session; everything else of the machine is absent or read-only.
"""

from __future__ import annotations

import functools
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from cibench_eval.schema import CibenchError

SYSTEM = [
    '/usr',
    '/bin',
    '/sbin',
    '/lib',
    '/lib32',
    '/lib64',
    '/etc/alternatives',
    '/etc/fonts',
    '/etc/ld.so.cache',
]
"""What programs need of the operating system: read-only, and nothing of /etc that tells of this machine."""


@dataclass(frozen=True)
class Room:
    """The folders of one session on the host, and what it reads of the host."""

    work: Path
    """Working directory: the session's own copy of the data."""
    home: Path
    wire: Path
    """Connection file and sockets; the same path inside and outside."""
    readable: tuple[Path, ...]
    """The kernel environment and the bootstrap."""

    @property
    def folders(self) -> tuple[Path, ...]:
        return self.work, self.home, self.wire


@dataclass(frozen=True)
class Place:
    """Where a session finds its folders from inside."""

    work: str
    home: str


class NoSandbox:
    """No walls: for machines where nothing else runs, and only when the config says so."""

    name = 'none'

    def place(self, room: Room) -> Place:
        return Place(str(room.work), str(room.home))

    def wrap(self, argv: list[str], room: Room) -> list[str]:
        return argv


class Bubblewrap:
    """Own mount, pid, network, ipc, uts and user namespaces; every capability dropped; dies with the harness."""

    name = 'bubblewrap'
    inside = Place('/workspace', '/home/agent')

    def place(self, room: Room) -> Place:
        return self.inside

    def wrap(self, argv: list[str], room: Room) -> list[str]:
        return [
            'bwrap',
            *('--unshare-all', '--unshare-user', '--uid', '1000', '--gid', '1000', '--cap-drop', 'ALL'),
            *('--die-with-parent', '--new-session', '--hostname', 'sandbox'),
            *('--proc', '/proc', '--dev', '/dev', '--perms', '1777', '--tmpfs', '/tmp'),
            *_read_only([Path(p) for p in SYSTEM]),
            *_read_only(room.readable),
            *('--bind', str(room.work), self.inside.work, '--bind', str(room.home), self.inside.home),
            *('--bind', str(room.wire), str(room.wire)),
            *('--remount-ro', '/', '--chdir', self.inside.work, '--', *argv),
        ]


Sandbox = NoSandbox | Bubblewrap


def _read_only(paths: list[Path] | tuple[Path, ...]) -> list[str]:
    """bwrap's arguments that show `paths` read-only, a link as the link it is."""
    arguments: list[str] = []
    for path in paths:
        if path.is_symlink():
            arguments += ['--symlink', str(path.readlink()), str(path)]
        elif path.exists():
            arguments += ['--ro-bind', str(path), str(path)]
    return arguments


@functools.cache
def bubblewrap_problem() -> str:
    """Why bubblewrap cannot run here, empty where it can. Tried once a process."""
    if not shutil.which('bwrap'):
        return 'bwrap is not on PATH (install the package bubblewrap)'
    probe = ['bwrap', '--unshare-all', '--unshare-user', '--ro-bind', '/', '/', '--proc', '/proc', 'true']
    done = subprocess.run(probe, capture_output=True, text=True, timeout=20)
    return '' if done.returncode == 0 else f'bwrap fails: {done.stderr.strip() or done.returncode}'


def choose(choice: str) -> Sandbox:
    """The sandbox that a config's choice means on this machine.

    Raises:
        CibenchError: `bubblewrap` is asked for and cannot run here.
    """
    if choice == 'none':
        return NoSandbox()
    problem = bubblewrap_problem()
    if not problem:
        return Bubblewrap()
    if choice == 'auto':
        return NoSandbox()
    raise CibenchError(
        f"sandbox='bubblewrap': {problem}; mend that, or run without walls by sandbox='none' in the config"
    )
