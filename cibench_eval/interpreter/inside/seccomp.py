"""The filter of system calls that every process of a session has (Linux: seccomp).

`system_calls.txt` says what is allowed; a call that does not stand there is answered as if Linux did not have it. The
filter is a program of the classic BPF (linux/filter.h), a binary search for the number of the call. This file imports
nothing of the package.
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
"""Where the call's number, its architecture and its arguments (8 bytes each, the lower 4 first) are found."""
FARTHEST = 255
"""Instructions that a jump with a condition can leave out."""
MACHINES = {'x86_64': 0xC000003E, 'aarch64': 0xC00000B7}
"""Their numbers in linux/audit.h, in the order of the table's columns."""

Code = list[bytes]


def instruction(code: int, if_true: int, if_false: int, constant: int) -> bytes:
    return struct.pack('HBBI', code, if_true, if_false, constant)


def refuse(error: int) -> Code:
    return [instruction(RETURN, 0, 0, 0x00050000 | error)]


ALLOW: Code = [instruction(RETURN, 0, 0, 0x7FFF0000)]
UNKNOWN = refuse(errno.ENOSYS)
DONE = refuse(0)
"""Nothing is done, and the call returns 0."""


def where(argument: int, test: int, values: tuple[int, ...], then: Code, otherwise: Code) -> Code:
    """Do `then` if `test` holds between an argument, of which Linux reads 32 bits, and one of `values`."""
    jumps = [instruction(test, len(values) - i + len(otherwise) - 1, 0, value) for i, value in enumerate(values)]
    return [instruction(LOAD, 0, 0, ARGUMENTS + 8 * argument), *jumps, *otherwise, *then]


CLONE_NEW = 0x7E020000
"""The flags of `clone` for new namespaces."""
UNIX_INET_INET6, NETLINK, NETLINK_ROUTE = (1, 2, 10), 16, 0
NO_FAMILY = refuse(errno.EAFNOSUPPORT)
LINUX_OR_QUERY = (0, 0xFFFFFFFF)
REFUSED_IOCTLS = (0x5412, 0x541C, 0x5423, 0xAA00)
"""TIOCSTI and TIOCLINUX type for somebody else, TIOCSETD loads parts of Linux, USERFAULTFD_IOC_NEW is a call that is
refused by another way."""
NEW_LISTENER = 1 << 3
LEASE_OR_NOTIFY = (1024, 1026)
"""Of `fcntl`: a lease stops all who open a file, for 45 seconds; it takes no more than being its owner."""
SOL_SOCKET, ATTACH_PROGRAM, BUFFERS = 1, (26, 50, 51, 52), (7, 8, 32, 33)
"""Of `setsockopt`: machine code for a program takes memory of the machine that no group counts. SO_SNDBUF, SO_RCVBUF
and their FORCE forms stay as they are: what waits in a socket is memory that no process has."""
SHARE_CORE_OR_PAGES = (62, 67)
"""Of `prctl`: keeping others off a core, and looking for pages that are equal to others'."""
DROP_FROM_MEMORY = 4
"""Of `fadvise64`: others would have to read the file from the disk again."""
PROTOCOLS = (0, 1, 6, 17, 58)
"""Any, ICMP, TCP, UDP, ICMPv6. For others Linux may load a module."""

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
"""Calls whose arguments decide."""
ANSWERS = {'allow': ALLOW, 'EPERM': refuse(errno.EPERM), 'ENOSYS': UNKNOWN, 'done': DONE}


def table(machine: str) -> dict[int, tuple[str, str]]:
    """The calls of an architecture by their numbers: their names and answers, as system_calls.txt has them."""
    column = 1 + list(MACHINES).index(machine)
    with open(os.path.join(os.path.dirname(__file__), 'system_calls.txt')) as file:
        rows = [line.split() for line in file if line.strip() and line[0] != '#']
    return {int(row[column]): (row[0], row[3]) for row in rows if row[column] != '-'}


def program(machine: str) -> bytes:
    """The filter for an architecture, as Linux and bubblewrap take it."""
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
    """What does the code of that range in which the loaded number is; ranges are given by their first numbers."""
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
    """Give the thread, and all that it starts, an empty session keyring in the place of the harness's."""
    number = KEYCTL.get(platform.machine())
    if number is not None:
        libc.syscall(number, KEYCTL_JOIN_SESSION_KEYRING, None)


def refuse_calls(libc: ctypes.CDLL) -> None:
    """Install the filter, for this process and all that come of it; privileges must have been given up for good."""
    if not PROGRAM:
        return
    buffer = ctypes.create_string_buffer(PROGRAM, len(PROGRAM))
    pointer = struct.pack('HL', len(PROGRAM) // 8, ctypes.addressof(buffer))
    if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.c_char_p(pointer), 0, 0):
        raise OSError(ctypes.get_errno(), 'seccomp')
