"""The filter of system calls of every process of a session (seccomp). It imports nothing of the package.

`system_calls.txt` lists the allowed calls; any other call fails as if Linux did not have it. The filter is a program in
classic BPF (linux/filter.h), a binary search for the number of the call.
"""

import ctypes
import errno
import os
import platform
import struct

PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2
KEYCTL = {'x86_64': 250, 'aarch64': 219}
KEYCTL_JOIN_SESSION_KEYRING = 1

LOAD, JUMP, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x05, 0x15, 0x35, 0x45, 0x06
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16
"""Offsets of the call's number, its architecture and its arguments (8 bytes each, the lower 4 first)."""
FARTHEST = 255
"""Most instructions that a conditional jump can skip."""
MACHINES = {'x86_64': 0xC000003E, 'aarch64': 0xC00000B7}
"""Architectures with their numbers in linux/audit.h, in the order of the table's columns."""

Code = list[bytes]


def instruction(code: int, if_true: int, if_false: int, constant: int) -> bytes:
    return struct.pack('HBBI', code, if_true, if_false, constant)


def refuse(error: int) -> Code:
    return [instruction(RETURN, 0, 0, 0x00050000 | error)]


ALLOW: Code = [instruction(RETURN, 0, 0, 0x7FFF0000)]
UNKNOWN = refuse(errno.ENOSYS)
DONE = refuse(0)
"""The call does nothing and returns 0."""


def where(argument: int, test: int, values: tuple[int, ...], then: Code, otherwise: Code) -> Code:
    """Do `then` if `test` holds between the lower 32 bits of an argument and one of `values`."""
    jumps = [instruction(test, len(values) - i + len(otherwise) - 1, 0, value) for i, value in enumerate(values)]
    return [instruction(LOAD, 0, 0, ARGUMENTS + 8 * argument), *jumps, *otherwise, *then]


CLONE_NEW = 0x7E020000
"""The flags of `clone` for new namespaces."""
UNIX_INET_INET6, NETLINK, NETLINK_ROUTE = (1, 2, 10), 16, 0
NO_FAMILY = refuse(errno.EAFNOSUPPORT)
LINUX_OR_QUERY = (0, 0xFFFFFFFF)
REFUSED_IOCTLS = (0x5412, 0x541C, 0x5423, 0xAA00)
"""TIOCSTI and TIOCLINUX type into another's terminal, TIOCSETD loads modules of Linux, USERFAULTFD_IOC_NEW would go
around the refusal of `userfaultfd`."""
NEW_LISTENER = 1 << 3
LEASE_OR_NOTIFY = (1024, 1026)
"""Commands of `fcntl`: a lease, which the owner of a file can take, blocks everybody who opens it for 45 seconds."""
SOL_SOCKET, ATTACH_PROGRAM, BUFFERS = 1, (26, 50, 51, 52), (7, 8, 32, 33)
"""Options of `setsockopt`. Programs attached to sockets become machine code in memory that no group counts. SO_SNDBUF,
SO_RCVBUF and their FORCE forms are ignored: data in the buffers is memory of no process."""
SHARE_CORE_OR_PAGES = (62, 67)
"""Options of `prctl`: keeping others off a core, and detecting memory pages equal to others'."""
DROP_FROM_MEMORY = 4
"""Advice of `fadvise64` after which others would have to read the file from the disk again."""
PROTOCOLS = (0, 1, 6, 17, 58)
"""Any, ICMP, TCP, UDP, ICMPv6. For other protocols Linux may load a module."""

NETLINK_ONLY_ROUTE = where(2, EQUAL, (NETLINK_ROUTE,), ALLOW, NO_FAMILY)
ONLY_USUAL = where(2, EQUAL, PROTOCOLS, ALLOW, refuse(errno.EPROTONOSUPPORT))
SOCKET = where(0, EQUAL, UNIX_INET_INET6, ONLY_USUAL, where(0, EQUAL, (NETLINK,), NETLINK_ONLY_ROUTE, NO_FAMILY))
OWN_SOCKET = where(2, EQUAL, ATTACH_PROGRAM, refuse(errno.EPERM), where(2, EQUAL, BUFFERS, DONE, ALLOW))
CHECKS = {
    'clone': where(0, ANY_BIT, (CLONE_NEW,), refuse(errno.EPERM), ALLOW),
    'socket': SOCKET,
    'socketpair': SOCKET,
    'personality': where(0, EQUAL, LINUX_OR_QUERY, ALLOW, refuse(errno.EPERM)),
    'ioctl': where(1, EQUAL, REFUSED_IOCTLS, refuse(errno.EPERM), ALLOW),
    'fcntl': where(1, EQUAL, LEASE_OR_NOTIFY, refuse(errno.EPERM), ALLOW),
    'prctl': where(0, EQUAL, SHARE_CORE_OR_PAGES, refuse(errno.EPERM), ALLOW),
    'fadvise64': where(3, EQUAL, (DROP_FROM_MEMORY,), DONE, ALLOW),
    'setsockopt': where(1, EQUAL, (SOL_SOCKET,), OWN_SOCKET, ALLOW),
    'seccomp': where(1, ANY_BIT, (NEW_LISTENER,), refuse(errno.EPERM), ALLOW),
}
"""Calls whose arguments decide the answer."""
ANSWERS = {'allow': ALLOW, 'EPERM': refuse(errno.EPERM), 'ENOSYS': UNKNOWN, 'done': DONE}


def table(machine: str) -> dict[int, tuple[str, str]]:
    """The calls of an architecture in system_calls.txt: number -> name and answer."""
    column = 1 + list(MACHINES).index(machine)
    with open(os.path.join(os.path.dirname(__file__), 'system_calls.txt')) as file:
        rows = [line.split() for line in file if line.strip() and line[0] != '#']
    return {int(row[column]): (row[0], row[3]) for row in rows if row[column] != '-'}


def program(machine: str) -> bytes:
    """The filter for an architecture, in the form of Linux and bubblewrap."""
    code = {number: CHECKS.get(name) or ANSWERS[answer] for number, (name, answer) in table(machine).items()}
    ranges: list[tuple[int, Code]] = [(0, code.get(0, UNKNOWN))]
    for number in range(1, max(code) + 2):  # the last range is what comes after the table, x32's calls among it
        answer = code.get(number, UNKNOWN)
        if answer is not ranges[-1][1]:
            ranges.append((number, answer))
    return b''.join(
        [
            instruction(LOAD, 0, 0, ARCHITECTURE),
            instruction(EQUAL, 1, 0, MACHINES[machine]),
            *UNKNOWN,
            instruction(LOAD, 0, 0, NUMBER),
            *search(ranges),
        ]
    )


def search(ranges: list[tuple[int, Code]]) -> Code:
    """Code that runs the code of the range of the loaded number; ranges are given by their first numbers."""
    if len(ranges) == 1:
        return ranges[0][1]
    middle = len(ranges) // 2
    below, above = search(ranges[:middle]), search(ranges[middle:])
    first = ranges[middle][0]
    if len(below) <= FARTHEST:
        return [instruction(AT_LEAST, len(below), 0, first), *below, *above]
    return [instruction(AT_LEAST, 0, 1, first), instruction(JUMP, 0, 0, len(below)), *below, *above]


PROGRAM = program(platform.machine()) if platform.machine() in MACHINES else b''
"""The filter of this machine; empty for an architecture without a table."""


def leave_keyring(libc: ctypes.CDLL) -> None:
    """Give this thread and its future children an empty session keyring in place of the harness's."""
    number = KEYCTL.get(platform.machine())
    if number is not None:
        libc.syscall(number, KEYCTL_JOIN_SESSION_KEYRING, None)


def refuse_calls(libc: ctypes.CDLL) -> None:
    """Install the filter for this process and its descendants; it has to have given up its privileges before."""
    if not PROGRAM:
        return
    buffer = ctypes.create_string_buffer(PROGRAM, len(PROGRAM))
    pointer = struct.pack('HL', len(PROGRAM) // 8, ctypes.addressof(buffer))
    if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.c_char_p(pointer), 0, 0):
        raise OSError(ctypes.get_errno(), 'seccomp')
