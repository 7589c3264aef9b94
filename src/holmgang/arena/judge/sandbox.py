"""The sandbox of bots, made with bubblewrap. docs/sandbox.md says what it prevents and what it does
not.

A bot sees the installed programs, its own folder, and nothing else of this machine: no network and
no other process. It can write only to a small private folder for temporary files. If the judge runs
as root, each bot first gets a user id of its own.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from itertools import count
from pathlib import Path

from holmgang.arena.judge.groups import ControlGroup
from holmgang.arena.judge.process import BotProcesses, Launch, Process
from holmgang.arena.judge.seccomp import RESUMING, filter_program
from holmgang.arena.judge.transcript import LoggedProcess
from holmgang.arena.task import JudgeSettings
from holmgang.errors import UsageError
from holmgang.players.naming import Bot

PATH = "/usr/local/bin:/usr/bin:/bin"
SYSTEM = ("/bin", "/sbin", "/lib", "/lib32", "/lib64")
SETTINGS = ("/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d")
RUNTIME_SETTINGS = ("java*", "mono", "dotnet", "php/*/cli", "php/*/mods-available")  # in /etc
STAGES = ("/mnt", "/media", "/srv", "/tmp")  # noqa: S108 - any folder that is open to all
FIRST_UID = 0x6000_0000
BOTS_A_JUDGE = 64
LARGEST_COPY = 256 << 20
MOST_FILES = 20_000
OPEN_FILES = 1024
OURS = Path(__file__).parents[2]
"""The installed Holmgang, for bots that run in its Python: they may use the rules."""
CODINGAME = OURS / "arena" / "codingame.cjs"
"""Node loads this before a bot in CodinGame's protocol: `readline()` and `print()`."""
SHOWN_CODINGAME = "/holmgang/codingame.cjs"  # its path in the sandbox
LAYERS = 2  # processes of bwrap above the bot's own
PROBE = ("--unshare-all", "--unshare-user", "--disable-userns", "--ro-bind", "/", "/")


class Sandbox:
    """Starts the bots of one judge, in a sandbox unless they are trusted."""

    def __init__(self) -> None:
        self._numbers = count()
        self._copies: dict[str, str] = {}

    def start(
        self,
        processes: BotProcesses,
        bot: Bot,
        settings: JudgeSettings,
        secrets: Iterable[str] = (),
    ) -> Process:
        """Starts a bot. The folders in `secrets` appear empty to it, if they appear at all."""
        kind = None if settings.log is None else LoggedProcess
        if settings.trust:
            environment = dict(os.environ)
            if bot.protocol == "codingame":
                others = environment.get("NODE_OPTIONS", "")
                environment["NODE_OPTIONS"] = f"{others} {node_options(str(CODINGAME))}"
            return processes.start(
                Launch(
                    bot.command,
                    bot.folder,
                    environment,
                    group=ControlGroup(),
                    ponders=settings.ponder,
                    kind=kind,
                )
            )
        check_bubblewrap()
        program, runtime = find_program(bot)
        shown = {path: path for path in runtime}
        if bot.own is not None:
            if is_too_much(Path(bot.own)):
                raise UsageError(
                    f"the bot would see all of {bot.own}: put it into a folder of its own, or use"
                    " --trust"
                )
            shown[bot.own] = bot.own
        secrets = tuple(secrets)
        hidden = [path for folder in shown for path in hidden_within(folder, secrets)]
        if bot.own is not None:
            shown[bot.own] = self._readable(bot.own, processes.folder)
        uid, stage = None, None
        if os.geteuid() == 0:
            uid = FIRST_UID + os.getpid() * BOTS_A_JUDGE + next(self._numbers) % BOTS_A_JUDGE
            place = next(folder for folder in map(Path, STAGES) if folder.is_dir())
            stage = {"folder": str(place), "paths": list(shown.values())}
            shown = {path: str(place / str(number)) for number, path in enumerate(shown)}
        group = ControlGroup(settings.memory_mb, settings.processes)
        files = [os.memfd_create("filter")]
        try:
            needs_signals = group.freezer is None and not settings.ponder
            os.write(files[0], filter_program(RESUMING if needs_signals else ()))
            os.lseek(files[0], 0, os.SEEK_SET)
            functions = []
            if bot.protocol == "codingame":
                files.append(os.open(CODINGAME, os.O_RDONLY))
                functions = codingame_functions("{file 1}")
            return processes.start(
                Launch(
                    command=[
                        *(
                            shutil.which("bwrap") or "bwrap",
                            *isolation(settings),
                            *functions,
                            *visible(shown, hidden, bot),
                        ),
                        *("--seccomp", "{file 0}", "--", "/usr/bin/prlimit"),
                        *(f"--nproc={settings.processes}", "--", program, *bot.command[1:]),
                    ],
                    folder="/",
                    environment={},  # bwrap sets that of the bot
                    depth=LAYERS,
                    uid=uid,
                    limits=limits(settings),
                    stage=stage,
                    group=group,
                    ponders=settings.ponder,
                    files=files,
                    kind=kind,
                )
            )
        finally:
            for file in files:
                os.close(file)

    def _readable(self, folder: str, room: Path) -> str:
        """The folder, or a copy of it if the bot's user cannot read all of it."""
        if os.geteuid() != 0 or is_open_to_all(Path(folder)):
            return folder
        if folder not in self._copies:
            copy = room / f"copy-{len(self._copies)}"
            shutil.copytree(folder, copy, symlinks=True)
            for path in (copy, *copy.rglob("*")):
                if not path.is_symlink():
                    mode = path.stat().st_mode
                    path.chmod(mode | (0o555 if path.is_dir() or mode & 0o100 else 0o444))
            self._copies[folder] = str(copy)
        return self._copies[folder]


# Isolation


def isolation(settings: JudgeSettings) -> list[str]:
    """Options of bwrap: no network, no other processes, no privileges, a minimal file system."""
    disk = str(settings.disk_mb << 20)
    system = []
    for path in map(Path, SYSTEM):
        if path.is_symlink():
            system += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            system += ["--ro-bind", str(path), str(path)]
    runtimes = (path for each in RUNTIME_SETTINGS for path in Path("/etc").glob(each))
    for name in (*SETTINGS, *map(str, runtimes)):
        system += ["--ro-bind-try", name, name]
    return [
        *("--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent"),
        *("--cap-drop", "ALL", "--hostname", "bot", "--uid", "1000", "--gid", "1000"),
        *("--clearenv", "--setenv", "PATH", PATH, "--setenv", "HOME", "/tmp"),  # noqa: S108
        *("--setenv", "LANG", "C.UTF-8", "--setenv", "PYTHONDONTWRITEBYTECODE", "1"),
        *("--ro-bind", "/usr", "/usr", *system, "--proc", "/proc", "--dev", "/dev"),
        *("--dev-bind", "/dev/null", "/dev/zero"),  # mapping it gives memory that no limit counts
        *("--size", disk, "--tmpfs", "/dev/shm", "--remount-ro", "/dev"),  # noqa: S108
        *("--size", disk, "--perms", "1777", "--tmpfs", "/tmp"),  # noqa: S108
    ]


def codingame_functions(file: str) -> list[str]:
    """Options of bwrap that make Node load CodinGame's functions before the bot."""
    return [
        *("--perms", "0444", "--ro-bind-data", file, SHOWN_CODINGAME),
        *("--setenv", "NODE_OPTIONS", node_options(SHOWN_CODINGAME)),
    ]


def node_options(path: str) -> str:
    """The value of NODE_OPTIONS that loads a file.

    >>> node_options("/a b")
    '--require "/a b"'
    """
    escaped = path.replace("\\", r"\\").replace('"', r"\"")
    return f'--require "{escaped}"'


def visible(shown: dict[str, str], hidden: list[str], bot: Bot) -> list[str]:
    """Options of bwrap that show the bot's folder and the programs it needs, read-only and at their
    usual paths. Hidden folders in them appear empty.
    """
    binds = [word for path, source in shown.items() for word in ("--ro-bind", source, path)]
    binds += [word for path in hidden for word in ("--tmpfs", path, "--remount-ro", path)]
    return [*binds, "--dir", bot.folder, "--remount-ro", "/", "--chdir", bot.folder]


def limits(settings: JudgeSettings) -> dict[str, int]:
    """The resource limits of each process."""
    return {
        "RLIMIT_DATA": settings.memory_mb << 20,
        "RLIMIT_FSIZE": settings.disk_mb << 20,
        "RLIMIT_NOFILE": OPEN_FILES,
        "RLIMIT_MEMLOCK": 64 << 10,
        "RLIMIT_CORE": 0,
    }


# Programs and folders that a bot needs


def find_program(bot: Bot) -> tuple[str, list[str]]:
    """The program of a command, and the folders that it needs outside the system's own: those of
    an interpreter in a home folder, and of a virtual environment that links to it.
    """
    first = bot.command[0]
    found = shutil.which(str(Path(bot.folder, first)) if "/" in first else first)
    if found is None:
        raise UsageError(f"there is no program {first}")
    program = Path(found).absolute()
    if program.parent.name == "shims":  # a script of pyenv that needs files in the home folder
        program = real_program(program)
    roots: list[str] = []
    place = program
    while True:
        if not is_installed(place) and not (bot.own and place.is_relative_to(bot.own)):
            roots.append(str(root_of(place)))
        if not place.is_symlink():
            if sys.prefix in roots and not OURS.is_relative_to(sys.prefix):
                roots.append(str(OURS))
            return str(program), list(dict.fromkeys(roots))
        place = Path(os.path.normpath(place.parent / place.readlink()))


@lru_cache(maxsize=64)
def real_program(shim: Path) -> Path:
    """The program that a shim of pyenv, rbenv or nodenv runs."""
    tool = next((tool for tool in ("pyenv", "rbenv", "nodenv") if tool in str(shim)), "pyenv")
    told = subprocess.run(  # noqa: S603
        [shim.parent.parent / "bin" / tool, "which", shim.name],
        capture_output=True,
        text=True,
        check=False,
    )
    if told.returncode != 0:
        raise UsageError(f"{shim} does not resolve to a program: {told.stderr.strip()}")
    return Path(told.stdout.strip())


def is_installed(path: Path) -> bool:
    return any(path.is_relative_to(folder) for folder in ("/usr", *SYSTEM, *SETTINGS))


def root_of(program: Path) -> Path:
    """The folder that an installed program needs: the one above its `bin`, or the program alone if
    that is a home folder. .NET has its libraries next to the program.
    """
    if program.name == "dotnet" and (program.parent / "host" / "fxr").is_dir():
        return program.parent
    above = program.parent.parent
    if program.parent.name != "bin" or is_too_much(above) or above.name == ".local":
        return program
    return above


def is_too_much(folder: Path) -> bool:
    """Whether a folder is shared by unrelated programs: a home folder, /tmp, /etc, or above one."""
    homes = (Path.home(), Path("/tmp"), Path("/var/tmp"), Path("/etc"))  # noqa: S108
    return any(home == folder or home.is_relative_to(folder) for home in homes)


def hidden_within(own: str, secrets: Iterable[str]) -> list[str]:
    """The outermost of the secret folders within a folder that a bot is shown. Makes them if they
    are missing. Raises `UsageError` if one is the shown folder itself.
    """
    hidden: list[str] = []
    for path in sorted(Path(folder).resolve() for folder in secrets):  # outer folders first
        if path == Path(own):
            raise UsageError(
                f"{path} is a bot's own folder, where it could read the seed and predict the game:"
                " keep records and results in another one"
            )
        if path.is_relative_to(own) and not any(map(path.is_relative_to, hidden)):
            path.mkdir(parents=True, exist_ok=True)
            hidden.append(str(path))
    return hidden


def is_open_to_all(folder: Path) -> bool:
    """Whether every user can read everything in a folder. Raises `UsageError` if not and it is too
    large to copy.
    """
    size = files = 0
    is_open = folder.stat().st_mode & 0o5 == 0o5
    for place, folders, names in os.walk(folder):
        for name in (*folders, *names):
            with suppress(FileNotFoundError):
                stat = Path(place, name).lstat()
                needed = 0o5 if name in folders else 0o4
                is_open = is_open and stat.st_mode & needed == needed
                size, files = size + stat.st_size, files + 1
        if not is_open and (size > LARGEST_COPY or files > MOST_FILES):
            raise UsageError(
                f"{folder} is too large to be copied, and not all of it can be read by every "
                f"user: run chmod -R a+rX {folder}, or use --trust"
            )
    return is_open


@lru_cache(maxsize=1)
def check_bubblewrap() -> None:
    """Raises `UsageError` if bubblewrap does not work here."""
    advice = "or use --trust to run bots as ordinary programs, which can do all that you can"
    if shutil.which("bwrap") is None:
        raise UsageError(
            "the sandbox for bots needs bubblewrap, which is not installed: apt install "
            f"bubblewrap (Debian, Ubuntu) or dnf install bubblewrap (Fedora); {advice}"
        )
    user = {"user": FIRST_UID, "group": FIRST_UID, "extra_groups": []} if not os.geteuid() else {}
    tried = subprocess.run(  # noqa: S603
        ["bwrap", *PROBE, "true"],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
        **user,  # type: ignore[call-overload]
    )
    if tried.returncode != 0:
        raise UsageError(
            f"bubblewrap cannot make a sandbox here ({tried.stderr.strip()}): unprivileged user "
            f"namespaces may be switched off; {advice}"
        )
