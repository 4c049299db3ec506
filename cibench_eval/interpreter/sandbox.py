"""The walls around a session: which command raises them, and which of the host's folders are seen from inside.

A session lives in one tmpfs of limited size: nothing that it writes touches a disk of the host, and all of it is
gone with the session. Everything else of the machine is absent or read-only.
"""

from __future__ import annotations

import functools
import os
import random
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from cibench_eval.interpreter.environments import KernelEnvironment
from cibench_eval.interpreter.room import Layout
from cibench_eval.schema import CibenchError

SYSTEM = (
    '/usr',
    '/bin',
    '/sbin',
    '/lib',
    '/lib32',
    '/lib64',
    '/etc/alternatives',
    '/etc/fonts',
    '/etc/ld.so.cache',
)
"""What programs need of the operating system: read-only, and nothing of /etc that tells of this machine."""
NETWORK = ('/etc/hosts', '/etc/nsswitch.conf', '/etc/resolv.conf', '/etc/ssl', '/etc/pki')
"""What they need besides to reach other machines, where a config lets them."""
INSIDE = Layout('/session/workspace', '/session/home', '/session/tmp', '/session/wire')
TOOLS_HERE = Path(__file__).parent / 'inside'
TOOLS = '/opt/kernel'
"""The kernel's start-up code, on the host and inside."""
READABLE = 0o005
"""Mode bits that let everybody list and enter a folder."""
UID_MAP = Path('/proc/self/uid_map')


class NoSandbox:
    """No walls: for machines where nothing else runs, and only when the config says so."""

    name = 'none'


@dataclass(frozen=True)
class Bubblewrap:
    """Own mount, pid, network, ipc and uts namespaces; no capability; dies with the harness.

    Args:
        unprivileged: whether a user namespace is needed for it. Root needs none and must not use one: what is
            root outside could write settings of the machine in /proc/sys, and limits on processes do not bind it.
            Root's kernels run under user ids of their own instead.
    """

    unprivileged: bool
    name = 'bubblewrap'

    def uid(self) -> int | None:
        """A user id for a new session, nobody else's as far as chance goes; None where the walls map one."""
        return None if self.unprivileged else random.SystemRandom().choice(_spare_uids())

    def command(self, argv: list[str], *, info: int, readable: tuple[Path, ...], disk: int, network: bool) -> list[str]:
        """The command line that runs `argv` inside.

        Args:
            info: descriptor on which bubblewrap says, as JSON, the `child-pid` of a process inside.
            readable: what is shown read-only under its own name, besides the operating system.
            disk: bytes that the session may write.
            network: whether it is left to the session.
        """
        shown = (*SYSTEM, *(NETWORK if network else ()), *map(str, readable))
        folders = [INSIDE.work, INSIDE.home, INSIDE.tmp, INSIDE.wire]
        return [
            'bwrap',
            *('--info-fd', str(info), *self._identity()),
            *('--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-cgroup-try'),
            *(() if network else ('--unshare-net',)),
            *('--die-with-parent', '--new-session', '--hostname', 'sandbox'),
            *('--proc', '/proc', '--dev', '/dev'),
            *('--size', str(disk), '--perms', '1777', '--tmpfs', '/dev/shm', '--remount-ro', '/dev'),
            *('--size', str(disk), '--perms', '0755', '--tmpfs', '/session', *_tmp(shown, disk)),
            *(word for folder in folders for word in ('--perms', '0777', '--dir', folder)),
            *_read_only([Path(path) for path in shown]),
            *('--perms', '0755', '--dir', str(Path(TOOLS).parent), '--ro-bind', str(TOOLS_HERE), TOOLS),
            *('--remount-ro', '/', '--chdir', INSIDE.work, '--', *argv),
        ]

    def _identity(self) -> list[str]:
        if self.unprivileged:
            return ['--unshare-user', '--uid', '1000', '--gid', '1000', '--cap-drop', 'ALL']
        return ['--cap-drop', 'ALL', '--cap-add', 'CAP_SETUID', '--cap-add', 'CAP_SETGID', '--cap-add', 'CAP_SETPCAP']


Sandbox = NoSandbox | Bubblewrap


def _tmp(shown: tuple[str, ...], disk: int) -> list[str]:
    """bwrap's arguments for /tmp: a link into the session's own folder, unless something below it is to be shown."""
    if any(path.startswith('/tmp/') for path in shown):
        return ['--size', str(disk), '--perms', '1777', '--tmpfs', '/tmp']
    return ['--symlink', INSIDE.tmp, '/tmp']


def _spare_uids() -> range:
    """User ids of this user namespace that no account has: high ones."""
    blocks = [[int(number) for number in line.split()] for line in UID_MAP.read_text().splitlines()]
    first, _, count = max(blocks, key=lambda block: block[2])
    return range(2**30, 2**31 - 1) if count > 2**31 else range(first + count // 2, first + count)


def _read_only(paths: list[Path]) -> list[str]:
    """bwrap's arguments that show `paths` read-only, a link as the link it is, under folders that all can enter."""
    arguments: list[str] = []
    made: set[Path] = set()
    for path in paths:
        for parent in reversed(path.parents[:-1]):
            if parent not in made and not any(shown in (parent, *parent.parents) for shown in paths):
                made.add(parent)
                arguments += ['--perms', '0755', '--dir', str(parent)]
        if path.is_symlink():
            arguments += ['--symlink', str(path.readlink()), str(path)]
        elif path.exists():
            arguments += ['--ro-bind', str(path), str(path)]
    return arguments


def folders_of(environment: KernelEnvironment) -> tuple[Path, ...]:
    """The folders of a kernel environment and of the Python it was made from; none inside another.

    Raises:
        CibenchError: somebody's home is among them, or only root can read them and kernels have other user ids.
    """
    base = _base_prefix(environment)
    inside = base.is_relative_to('/usr') or base.is_relative_to(environment.root)
    parts = () if inside else tuple(base / name for name in ('bin', 'lib', 'lib64') if (base / name).is_dir())
    for folder in (environment.root, *parts):
        if Path.home().is_relative_to(folder):
            raise CibenchError(
                f'kernel environment {folder}: it has your home folder in it; make a virtual environment'
            )
        if os.geteuid() == 0 and folder.stat().st_mode & READABLE != READABLE:
            raise CibenchError(
                f'kernel environment {folder}: only root can read it, and kernels run under user ids of their own: '
                f'run `chmod -R o+rX {folder}`'
            )
    return environment.root, *parts


def _base_prefix(environment: KernelEnvironment) -> Path:
    """Prefix of the Python that a virtual environment was made from; its own root where it is none."""
    settings = environment.root / 'pyvenv.cfg'
    if not settings.exists():
        return environment.root
    fields = dict(line.partition('=')[::2] for line in settings.read_text().splitlines())
    home = Path(next(value for key, value in fields.items() if key.strip() == 'home').strip())
    python = next((path for path in (home / 'python3', home / 'python') if path.exists()), home / 'python3')
    return python.resolve().parent.parent


@functools.cache
def bubblewrap() -> Bubblewrap | str:
    """Bubblewrap as it works here, or why it does not. Tried once a process."""
    if not shutil.which('bwrap'):
        return 'bwrap is not on PATH (install the package bubblewrap)'
    found = Bubblewrap(unprivileged=os.geteuid() != 0)
    return _try(found) or found


def _try(sandbox: Bubblewrap) -> str:
    command = sandbox.command(['true'], info=1, readable=(), disk=2**20, network=False)
    done = subprocess.run(command, capture_output=True, text=True, timeout=20, stdin=subprocess.DEVNULL)
    return '' if done.returncode == 0 else f'bwrap fails: {done.stderr.strip() or done.returncode}'


def bubblewrap_problem() -> str:
    """Why bubblewrap cannot run here, empty where it can."""
    found = bubblewrap()
    return found if isinstance(found, str) else ''


def choose(choice: str) -> Sandbox:
    """The sandbox that a config's choice means on this machine.

    Raises:
        CibenchError: `bubblewrap` is asked for and cannot run here, or nothing can.
    """
    try:
        os.close(os.pidfd_open(os.getpid()))
    except OSError as error:
        raise CibenchError(f'kernels need Linux 5.3 or newer, for pidfd_open: {error.strerror}') from error
    if choice == 'none':
        return NoSandbox()
    found = bubblewrap()
    if isinstance(found, Bubblewrap):
        return found
    if choice == 'auto':
        return NoSandbox()
    raise CibenchError(
        f"sandbox='bubblewrap': {found}; mend that, or run without walls by sandbox='none' in the config"
    )
