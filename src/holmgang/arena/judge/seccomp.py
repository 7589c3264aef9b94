"""The system calls that a bot in the sandbox may make, as a seccomp filter.

The filter is a BPF program, which `bwrap --seccomp` reads from an open file. A few calls are
allowed depending on an argument. Refused calls fail with EPERM, for which programs are prepared;
if a call that every kernel has seems to be missing, some print a warning or give up. The calls in
`ABSENT` and those that are newer than this list fail with ENOSYS, as on a kernel without them.
"""

import errno
import platform
import struct
from functools import lru_cache

from holmgang.errors import UsageError

MACHINES = {"x86_64": (0, 0xC000_003E), "aarch64": (1, 0xC000_00B7)}
"""For each architecture, the column of `CALLS` and the kernel's number of the architecture."""

X32 = 0x4000_0000  # the first number of the x32 calls on x86_64

CLONE_NEW = 0x7E02_0000  # flags that make namespaces
MAP_SHARED_ANONYMOUS = 0x21  # memory that no resource limit counts
AF_UNIX = 1
S_IFMT, S_IFIFO = 0xF000, 0x1000  # mask of the file type; a named pipe
SCHED_OTHER, SCHED_BATCH, SCHED_IDLE = 0, 3, 5  # the policies that need no privileges
TIOCSTI, TIOCLINUX = 0x5412, 0x541C  # insert input into a terminal

# fmt: off
CALLS: dict[str, tuple[int | None, int | None]] = {
    # files
    "read": (0, 63), "write": (1, 64), "open": (2, None), "close": (3, 57), "stat": (4, None),
    "fstat": (5, 80), "lstat": (6, None), "lseek": (8, 62), "pread64": (17, 67), "pwrite64":
    (18, 68), "readv": (19, 65), "writev": (20, 66), "access": (21, None), "pipe": (22, None),
    "dup": (32, 23), "dup2": (33, None), "sendfile": (40, 71), "fcntl": (72, 25), "flock": (73,
    32), "fsync": (74, 82), "fdatasync": (75, 83), "truncate": (76, 45), "ftruncate": (77, 46),
    "getdents": (78, None), "getcwd": (79, 17), "chdir": (80, 49), "fchdir": (81, 50), "rename":
    (82, None), "mkdir": (83, None), "rmdir": (84, None), "creat": (85, None), "link": (86,
    None), "unlink": (87, None), "symlink": (88, None), "readlink": (89, None), "chmod": (90,
    None), "fchmod": (91, 52), "chown": (92, None), "fchown": (93, 55), "lchown": (94, None),
    "umask": (95, 166), "utime": (132, None), "statfs": (137, 43), "fstatfs": (138, 44),
    "readahead": (187, 213), "getxattr": (191, 8), "lgetxattr": (192, 9), "fgetxattr": (193,
    10), "listxattr": (194, 11), "getdents64": (217, 61), "fadvise64": (221, 223), "utimes":
    (235, None), "inotify_init": (253, None), "inotify_add_watch": (254, 27),
    "inotify_rm_watch": (255, 28), "openat": (257, 56), "mkdirat": (258, 34), "fchownat": (260,
    54), "futimesat": (261, None), "newfstatat": (262, 79), "unlinkat": (263, 35), "renameat":
    (264, 38), "linkat": (265, 37), "symlinkat": (266, 36), "readlinkat": (267, 78), "fchmodat":
    (268, 53), "faccessat": (269, 48), "splice": (275, 76), "tee": (276, 77), "sync_file_range":
    (277, 84), "utimensat": (280, 88), "fallocate": (285, 47), "dup3": (292, 24), "pipe2": (293,
    59), "inotify_init1": (294, 26), "preadv": (295, 69), "pwritev": (296, 70), "renameat2":
    (316, 276), "copy_file_range": (326, 285), "preadv2": (327, 286), "pwritev2": (328, 287),
    "statx": (332, 291), "close_range": (436, 436), "openat2": (437, 437), "faccessat2": (439,
    439),
    # waiting
    "poll": (7, None), "select": (23, None), "pause": (34, None), "nanosleep": (35, 101),
    "getitimer": (36, 102), "alarm": (37, None), "setitimer": (38, 103), "epoll_create": (213,
    None), "timer_create": (222, 107), "timer_settime": (223, 110), "timer_gettime": (224, 108),
    "timer_getoverrun": (225, 109), "timer_delete": (226, 111), "clock_nanosleep": (230, 115),
    "epoll_wait": (232, None), "epoll_ctl": (233, 21), "pselect6": (270, 72), "ppoll": (271,
    73), "epoll_pwait": (281, 22), "signalfd": (282, None), "timerfd_create": (283, 85),
    "eventfd": (284, None), "timerfd_settime": (286, 86), "timerfd_gettime": (287, 87),
    "signalfd4": (289, 74), "eventfd2": (290, 19), "epoll_create1": (291, 20), "epoll_pwait2":
    (441, 441),
    # memory
    "mprotect": (10, 226), "munmap": (11, 215), "brk": (12, 214), "mremap": (25, 216), "msync":
    (26, 227), "mincore": (27, 232), "madvise": (28, 233), "get_mempolicy": (239, 236),
    "membarrier": (324, 283), "pkey_mprotect": (329, 288), "pkey_alloc": (330, 289),
    "pkey_free": (331, 290),
    # processes
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139),
    "sched_yield": (24, 124), "getpid": (39, 172), "fork": (57, None), "vfork": (58, None),
    "execve": (59, 221), "exit": (60, 93), "wait4": (61, 260), "kill": (62, 129), "getrlimit":
    (97, 163), "getrusage": (98, 165), "times": (100, 153), "getuid": (102, 174), "getgid":
    (104, 176), "geteuid": (107, 175), "getegid": (108, 177), "setpgid": (109, 154), "getppid":
    (110, 173), "getpgrp": (111, None), "setsid": (112, 157), "getgroups": (115, 158),
    "getresuid": (118, 148), "getresgid": (120, 150), "getpgid": (121, 155), "getsid": (124,
    156), "capget": (125, 90), "rt_sigpending": (127, 136), "rt_sigtimedwait": (128, 137),
    "rt_sigqueueinfo": (129, 138), "rt_sigsuspend": (130, 133), "sigaltstack": (131, 132),
    "getpriority": (140, 141), "setpriority": (141, 140), "sched_setparam": (142, 118),
    "sched_getparam": (143, 121), "sched_getscheduler": (145, 120), "sched_get_priority_max":
    (146, 125), "sched_get_priority_min": (147, 126), "sched_rr_get_interval": (148, 127),
    "sched_getattr": (315, 275), "prctl": (157, 167), "arch_prctl": (158, None),
    "setrlimit": (160, 164), "gettid": (186, 178), "tkill": (200, 130), "futex": (202, 98),
    "sched_getaffinity": (204, 123), "set_tid_address": (218, 96), "restart_syscall": (219,
    128), "exit_group": (231, 94), "tgkill": (234, 131), "waitid": (247, 95), "set_robust_list":
    (273, 99), "get_robust_list": (274, 100), "prlimit64": (302, 261), "getcpu": (309, 168),
    "execveat": (322, 281), "rseq": (334, 293), "pidfd_send_signal": (424, 424), "pidfd_open":
    (434, 434), "futex_waitv": (449, 449),
    # clock and machine
    "uname": (63, 160), "gettimeofday": (96, 169), "sysinfo": (99, 179), "time": (201, None),
    "clock_gettime": (228, 113), "clock_getres": (229, 114), "getrandom": (318, 278),
    # sockets between a bot's own processes
    "connect": (42, 203), "accept": (43, 202), "sendto": (44, 206), "recvfrom": (45, 207),
    "sendmsg": (46, 211), "recvmsg": (47, 212), "shutdown": (48, 210), "bind": (49, 200),
    "listen": (50, 201), "getsockname": (51, 204), "getpeername": (52, 205), "setsockopt": (54,
    208), "getsockopt": (55, 209), "accept4": (288, 242), "recvmmsg": (299, 243), "sendmmsg":
    (307, 269),
}
# fmt: on

RESUMING = ("timer_create",)
"""Calls that could make the kernel send SIGCONT to a stopped process."""

DEPENDS: dict[str, tuple[int | None, int | None]] = {
    "mmap": (9, 222),
    "ioctl": (16, 29),
    "socket": (41, 198),
    "socketpair": (53, 199),
    "clone": (56, 220),
    "sched_setscheduler": (144, 119),
    "mknod": (133, None),
    "mknodat": (259, 33),
}

ABSENT = {"clone3": (435, 435)}
"""Calls that C libraries replace by an older one only if the kernel seems to lack them. The flags
of `clone3` are in memory, which a filter cannot read; glibc falls back to `clone`, whose flags are
checked. There is no fallback for any other refused call."""

IGNORED = {"sched_setaffinity": (203, 122)}
"""Calls that succeed without effect: a bot stays on its judge's core, like a process whose control
group allows only one core. .NET does not start if the call fails."""

NEWEST = 449
"""The newest call when this list was made. Programs fall back from newer ones, such as glibc from
`fchmodat2` (452), only if these seem to be missing."""

LOAD, JUMP_EQUAL, JUMP_FROM, JUMP_ANY, AND, RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
ALLOW, KILL, ERROR = 0x7FFF_0000, 0x8000_0000, 0x0005_0000
NUMBER, ARCHITECTURE, ARGUMENT = 0, 4, 16  # offsets in the kernel's struct seccomp_data

Instruction = tuple[int, int, int, int]
"""Operation, how many instructions to skip if true and if false, operand."""


@lru_cache(maxsize=2)
def filter_program(but: tuple[str, ...] = ()) -> bytes:
    """The filter for this machine in the kernel's format, without the calls in `but`."""
    if platform.machine() not in MACHINES:
        raise UsageError(
            f"no sandbox for a {platform.machine()}: the list of system calls is for "
            f"{' and '.join(MACHINES)}; --trust goes without"
        )
    column, mark = MACHINES[platform.machine()]
    program: list[Instruction] = [
        (LOAD, 0, 0, ARCHITECTURE),
        (JUMP_EQUAL, 1, 0, mark),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER),
        (JUMP_FROM, 0, 1, X32),
        (RETURN, 0, 0, KILL),
    ]
    allowed = {calls[column] for name, calls in CALLS.items() if name not in but}
    for first, last in ranges(allowed):
        program += [
            (JUMP_FROM, 0, 2, first),
            (JUMP_FROM, 1, 0, last + 1),
            (RETURN, 0, 0, ALLOW),
        ]
    for name, check in CHECKS.items():
        number = DEPENDS[name][column]
        if number is not None:
            program += [(JUMP_EQUAL, 0, len(check), number), *check]
    for calls in ABSENT.values():
        program += [(JUMP_EQUAL, 0, 1, calls[column]), MISSING]
    for calls in IGNORED.values():
        program += [(JUMP_EQUAL, 0, 1, calls[column]), (RETURN, 0, 0, ERROR)]
    program += [(JUMP_FROM, 0, 1, NEWEST + 1), MISSING, REFUSE]
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


def ranges(numbers: set[int | None]) -> list[tuple[int, int]]:
    """Whole numbers as ranges without gaps, each with its first and last number.

    >>> ranges({1, 2, 3, 7})
    [(1, 3), (7, 7)]
    """
    found: list[tuple[int, int]] = []
    for number in sorted(each for each in numbers if each is not None):
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found


def argument(place: int) -> Instruction:
    return (LOAD, 0, 0, ARGUMENT + 8 * place)  # the lower 32 bits, which have all flags


REFUSE: Instruction = (RETURN, 0, 0, ERROR | errno.EPERM)
MISSING: Instruction = (RETURN, 0, 0, ERROR | errno.ENOSYS)
PERMIT: Instruction = (RETURN, 0, 0, ALLOW)
OF_UNIX = [argument(0), (JUMP_EQUAL, 0, 1, AF_UNIX), PERMIT, REFUSE]
NAMED_PIPE: list[Instruction] = [(AND, 0, 0, S_IFMT), (JUMP_EQUAL, 0, 1, S_IFIFO), PERMIT, REFUSE]

CHECKS: dict[str, list[Instruction]] = {
    "mmap": [
        argument(3),
        (AND, 0, 0, MAP_SHARED_ANONYMOUS),
        (JUMP_EQUAL, 0, 1, MAP_SHARED_ANONYMOUS),
        REFUSE,
        PERMIT,
    ],
    "ioctl": [
        argument(1),
        (JUMP_EQUAL, 1, 0, TIOCSTI),
        (JUMP_EQUAL, 0, 1, TIOCLINUX),
        REFUSE,
        PERMIT,
    ],
    "socket": OF_UNIX,
    "socketpair": OF_UNIX,
    "clone": [argument(0), (JUMP_ANY, 0, 1, CLONE_NEW), REFUSE, PERMIT],
    "sched_setscheduler": [
        argument(1),
        (JUMP_EQUAL, 2, 0, SCHED_OTHER),
        (JUMP_EQUAL, 1, 0, SCHED_BATCH),
        (JUMP_EQUAL, 0, 1, SCHED_IDLE),
        PERMIT,
        REFUSE,
    ],
    "mknod": [argument(1), *NAMED_PIPE],
    "mknodat": [argument(2), *NAMED_PIPE],
}
