"""System calls that the code of a session has no business with, refused by the kernel (Linux: seccomp filter).

They are ways to look into other processes, to make namespaces and mounts, to reach keys, and to hold memory that
nobody counts. The filter is a small program of the classic BPF (linux/filter.h); numbers are those of the
architecture, and where an architecture has none here, nothing is refused.
"""

import ctypes
import errno
import platform
import struct

PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
LOAD, EQUAL, ANY_BIT, RETURN, ABOVE = 0x20, 0x15, 0x45, 0x06, 0x35
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16
X32 = 0x40000000
"""From this number on, x86-64 has another set of calls."""
CLONE_NEWUSER = 0x10000000

AUDIT = {'x86_64': 0xC000003E, 'aarch64': 0xC00000B7}
DENIED = {
    'x86_64': (
        *(101, 310, 311, 312),  # ptrace, process_vm_readv, process_vm_writev, kcmp
        *(272, 308, 165, 166, 155, 161),  # unshare, setns, mount, umount2, pivot_root, chroot
        *(428, 429, 430, 431, 432, 433, 442),  # open_tree, move_mount, fsopen, fsconfig, fsmount, fspick, mount_setattr
        *(248, 249, 250),  # add_key, request_key, keyctl
        *(321, 298, 323, 425),  # bpf, perf_event_open, userfaultfd, io_uring_setup
        *(175, 313, 246, 320, 169),  # init_module, finit_module, kexec_load, kexec_file_load, reboot
    ),
    'aarch64': (
        *(117, 270, 271, 272),
        *(97, 268, 40, 39, 41, 51),
        *(428, 429, 430, 431, 432, 433, 442),
        *(217, 218, 219),
        *(280, 241, 282, 425),
        *(105, 273, 104, 294, 142),
    ),
}
"""Refused with EPERM."""
ABSENT = {'x86_64': (435, 319, 447, 29), 'aarch64': (435, 279, 447, 194)}
"""clone3, memfd_create, memfd_secret, shmget: refused with ENOSYS, at which libraries do without."""
CLONE = {'x86_64': 56, 'aarch64': 220}
KEYCTL = {'x86_64': 250, 'aarch64': 219}
KEYCTL_JOIN_SESSION_KEYRING = 1


def leave_keyring(libc: ctypes.CDLL) -> None:
    """Give the process a session keyring of its own, with nothing of the harness's in it."""
    number = KEYCTL.get(platform.machine())
    if number is not None:
        libc.syscall(number, KEYCTL_JOIN_SESSION_KEYRING, None)


def refuse_calls(libc: ctypes.CDLL) -> None:
    """Install the filter, for this process and all that come of it; privileges must have been given up for good."""
    machine = platform.machine()
    if machine not in AUDIT:
        return
    code = b''.join(program(machine))
    buffer = ctypes.create_string_buffer(code, len(code))
    pointer = struct.pack('HL', len(code) // 8, ctypes.addressof(buffer))
    if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.c_char_p(pointer), 0, 0):
        raise OSError(ctypes.get_errno(), 'seccomp')


def program(machine: str) -> list[bytes]:
    """The filter: instructions of `code, jump if true, jump if false, constant`."""
    made = [
        instruction(LOAD, 0, 0, ARCHITECTURE),
        instruction(EQUAL, 1, 0, AUDIT[machine]),
        instruction(RETURN, 0, 0, REFUSE | errno.ENOSYS),
        instruction(LOAD, 0, 0, NUMBER),
        instruction(ABOVE, 0, 1, X32),
        instruction(RETURN, 0, 0, REFUSE | errno.ENOSYS),
    ]
    for error, numbers in ((errno.EPERM, DENIED[machine]), (errno.ENOSYS, ABSENT[machine])):
        for number in numbers:
            made += [instruction(EQUAL, 0, 1, number), instruction(RETURN, 0, 0, REFUSE | error)]
    return [
        *made,
        instruction(EQUAL, 0, 3, CLONE[machine]),
        instruction(LOAD, 0, 0, FIRST_ARGUMENT),
        instruction(ANY_BIT, 0, 1, CLONE_NEWUSER),
        instruction(RETURN, 0, 0, REFUSE | errno.EPERM),
        instruction(RETURN, 0, 0, ALLOW),
    ]


def instruction(code: int, if_true: int, if_false: int, constant: int) -> bytes:
    return struct.pack('HBBI', code, if_true, if_false, constant)
