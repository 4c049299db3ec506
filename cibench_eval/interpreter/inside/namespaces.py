"""Enters the namespaces of a session and limits its terminals. It imports nothing of the package.

usage: python namespaces.py PID    (limits the terminals of the session of process PID)
"""

import ctypes
import fcntl
import os
import sys
from typing import Any

NS_GET_USERNS = 0xB701
NAMESPACES = ('mnt', 'pid', 'net', 'ipc', 'uts', 'cgroup')
MS_NOSUID, MS_NOEXEC, MS_REMOUNT = 2, 8, 32
TERMINALS = b'max=16,ptmxmode=0666,mode=0620'
"""Mount options that limit the terminals of a session: the machine has 4,096, and each `!command` takes one."""
libc = ctypes.CDLL(None, use_errno=True)


def enter(pid: int, names: tuple[str, ...] = NAMESPACES) -> None:
    """Enter namespaces of `pid`, among them the mount namespace; only children get into the pid namespace.

    The user namespace that owns the others comes first, because it gives the right to join them. It also gives every
    capability over it, which bootstrap.py drops.
    """
    own, theirs = opened('self', (*names, 'user')), opened(pid, (*names, 'user'))
    owner = fcntl.ioctl(theirs['mnt'], NS_GET_USERNS)
    join_other(own['user'], owner)
    for name in names:
        join_other(own[name], theirs[name])
    limit_terminals()
    join_other(owner, theirs['user'])
    for descriptor in (*own.values(), *theirs.values(), owner):
        os.close(descriptor)


def join_other(now: int, then: int) -> None:
    """Join namespace `then`, unless it is `now`."""
    if not os.path.samestat(os.fstat(now), os.fstat(then)):
        join(then)


def join(namespace: int) -> None:
    if libc.setns(namespace, 0):
        raise OSError(ctypes.get_errno(), f'setns: {os.strerror(ctypes.get_errno())}')


def limit_terminals() -> None:
    """Limit the terminals of the session whose mount namespace this process has entered."""
    if libc.mount(b'devpts', b'/dev/pts', b'devpts', MS_REMOUNT | MS_NOSUID | MS_NOEXEC, TERMINALS):
        raise OSError(ctypes.get_errno(), f'/dev/pts: {os.strerror(ctypes.get_errno())}')


def opened(pid: Any, names: tuple[str, ...]) -> dict[str, int]:
    return {name: os.open(f'/proc/{pid}/ns/{name}', os.O_RDONLY) for name in names}


if __name__ == '__main__':
    enter(int(sys.argv[1]), ('mnt',))
