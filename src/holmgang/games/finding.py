"""Games outside of Holmgang: a file, a folder, or an installed package.

The code of a game is loaded only if the operator names it: on the command line, with `--games`, in
the environment, or with `holmgang.load` in Python. A ruleset that is named in a record, a file or a
request is looked up with `ruleset.load`, among the games that are loaded already.
"""

import hashlib
import importlib
import importlib.util
import linecache
import os
import re
import shlex
import sys
import traceback
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType

from holmgang.errors import RulesetError
from holmgang.games import ruleset as rulesets
from holmgang.games.assembling import assemble
from holmgang.games.catalogue import CATALOGUE, Entry, register
from holmgang.games.code import foreign_imports, game_digest
from holmgang.games.contract import AnyGame
from holmgang.games.defaults.page import title_of
from holmgang.games.ruleset import Ruleset
from holmgang.games.shape import brief
from holmgang.games.structure import mistakes
from holmgang.machine import program, relative

GROUP = "holmgang.games"
"""The entry points of installed games: a name, and a module with rules or a package."""
ENVIRONMENT = "HOLMGANG_GAMES"
"""The variable with paths and names of games, separated as in $PATH. Child processes inherit it."""
PREFIX = "holmgang_game_"
"""Prefix of the names of modules that are loaded from a path. A name also has a hash of the files,
so that games that were loaded before a change keep their modules."""
OTHER_MODULES = (
    "notation",
    "story",
    "board",
    "picture",
    "estimate",
    "dominance",
    "holding",
    "guide",
)
GAME_NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")
SETTINGS = re.compile(r":(?=[^/\\]*$)")


def load(text: object, *, plays: bool = True) -> Ruleset:
    """The ruleset with this text, in which a game may be named by its path: `./standoff.py` or
    `./standoff.py:lives=3`. The code of the game is loaded, so do not pass untrusted text. `plays`
    is whether to check a few rounds of the game.
    """
    if not isinstance(text, str) or not is_outside(text):
        return rulesets.load(text)
    name, *settings = SETTINGS.split(text.strip(), maxsplit=1)
    entry = add(Path(name), plays=plays) if is_path(name) else add_installed(name)
    return rulesets.load(":".join((entry.name, *settings)))


def is_outside(text: str) -> bool:
    """Whether a text names a game that is not loaded yet: by its path, or as an installed game."""
    name = SETTINGS.split(text.strip(), maxsplit=1)[0]
    return is_path(name) or (name not in CATALOGUE and name in installed())


def is_path(name: str) -> bool:
    """Whether a name is that of a file or a folder, and not of a game."""
    return name.endswith(".py") or "/" in name or os.sep in name or name in (".", "..")


def add_all(source: str) -> None:
    """Loads a game by its path, all games in a folder, or an installed game by its name."""
    path = Path(source)
    if path.is_dir() and not (path / "rules.py").is_file():
        found = [each for each in sorted(path.iterdir()) if is_game(each)]
        if not found:
            raise RulesetError(f"{path} has no games: files with rules, or folders with a rules.py")
        for each in found:
            add(each)
    elif not is_path(source) and not path.exists() and source in installed():
        add_installed(source)
    else:
        add(path)


def is_game(path: Path) -> bool:
    if path.is_dir():
        return (path / "rules.py").is_file()
    return path.suffix == ".py" and not path.name.startswith(("_", "test_"))


@cache
def load_environment() -> None:
    """Loads the games in $HOLMGANG_GAMES; once per process. Other processes that this one starts
    find them from any folder.
    """
    for source in filter(None, os.environ.pop(ENVIRONMENT, "").split(os.pathsep)):
        add_all(source)


def remember(source: str) -> None:
    """Adds a game to the environment of this process and of its child processes."""
    known = os.environ.get(ENVIRONMENT, "").split(os.pathsep)
    os.environ[ENVIRONMENT] = os.pathsep.join(filter(None, dict.fromkeys((*known, source))))


# Loading

_paths: dict[str, Path] = {}
"""The path from which each game was loaded."""


def paths() -> Mapping[str, Path]:
    """The path from which each game was loaded, by its name."""
    return _paths


def add(path: Path, *, plays: bool = True) -> Entry:
    """The game in a file or folder, under the name of the file. It is loaded again if its files
    have changed.
    """
    path = path.absolute()
    name = path.stem.lower().replace("_", "-")
    rules = path / "rules.py" if path.is_dir() else path
    if not rules.is_file():
        what = "has no rules.py" if path.is_dir() else "does not exist"
        raise RulesetError(f"{relative(path)} {what}")
    if os.pathsep in str(path):  # it could not be told to other processes
        raise RulesetError(f"{relative(path)}: the path of a game must not contain {os.pathsep!r}")
    if not GAME_NAME.fullmatch(name):
        raise RulesetError(
            f"{relative(path)}: the name of a game must begin with a letter and have only letters"
            " from a to z, digits and underscores"
        )
    if name in CATALOGUE and _paths.get(name) != path:
        raise RulesetError(f"{relative(path)}: there is already a game {name}; rename the file")
    files = sorted(path.glob("*.py")) if path.is_dir() else [path]
    version = hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()[:12]
    package = f"{PREFIX}{name.replace('-', '_')}_{version}"
    if name in CATALOGUE and CATALOGUE[name].game.rules.__name__.split(".")[0] == package:
        return CATALOGUE[name]
    entry = entry_of(name, load_game(name, path, package))
    if plays:
        check_play(entry)
    _paths[name] = path
    register(entry)
    rulesets.forget()
    remember(str(path))
    return entry


def load_game(name: str, path: Path, package: str) -> AnyGame:
    linecache.checkcache()
    if path.is_dir():
        run(package, path / "__init__.py", [str(path)])
        modules = {
            part: run(f"{package}.{part}", path / f"{part}.py")
            for part in ("rules", *OTHER_MODULES)
            if (path / f"{part}.py").is_file()
        }
    else:
        modules = {"rules": run(package, path)}
    check(modules["rules"], path / "rules.py" if path.is_dir() else path)
    return keyed(name, assemble(name, **modules))


def keyed(name: str, game: AnyGame) -> AnyGame:
    """The game with a hash that covers its code."""
    return game._replace(key=f"{name}@{game_digest(game)}")


def run(name: str, file: Path, folder: list[str] | None = None) -> ModuleType:
    """The module in a file, loaded under this name. Its mistakes are reported with their lines."""
    if name in sys.modules:  # imported by another part
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, file, submodule_search_locations=folder)
    if spec is None or spec.loader is None:
        raise RulesetError(f"{relative(file)} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    if folder is not None and not file.is_file():  # a folder needs no __init__.py
        return module
    try:
        with uncompiled(), redirect_stdout(sys.stderr):
            spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever the author's code raises
        del sys.modules[name]
        raise RulesetError(blame(error, [file]) or f"{relative(file)}: {error!r}") from None
    return module


@contextmanager
def uncompiled() -> Iterator[None]:
    """Keeps Python from writing bytecode. It would use that even for a file that was saved again
    later, in the same second and with the same size.
    """
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        yield
    finally:
        sys.dont_write_bytecode = before


def check(rules: ModuleType, file: Path) -> None:
    """Raises `RulesetError` with the first mistake in the structure of the rules."""
    for mistake in mistakes(rules, file.read_text(encoding="utf-8")):
        raise RulesetError(f"{place(file, mistake.line)}: {mistake.what}")
    for module, line, name in foreign_imports(rules):
        raise RulesetError(
            f"{place(Path(str(module.__file__)), line)}: rules must not import {name}: their hash"
            " covers only their own file or folder, Python and Holmgang"
        )


def check_play(entry: Entry) -> None:
    """Raises `RulesetError` with the first mistake in a few rounds."""
    from holmgang.games.checking import QUICK_ROUNDS, GameCheck  # it imports this module

    ruleset = Ruleset(entry, entry.game.rules.Rules())
    mistake = GameCheck(ruleset, QUICK_ROUNDS).first_mistake()
    if mistake is not None:
        raise RulesetError(str(mistake))


def entry_of(name: str, game: AnyGame) -> Entry:
    """The catalogue entry of a game, with the constants of its rules."""
    module = game.rules
    title, line = title_of(module.__doc__ or "", name)
    usual = Entry(name, title, line, game)
    return usual._replace(
        title=getattr(module, "TITLE", title),
        line=getattr(module, "LINE", line),
        wins_needed=getattr(module, "WINS_NEEDED", usual.wins_needed),
        round_limit=getattr(module, "ROUND_LIMIT", usual.round_limit),
        opponent=getattr(module, "OPPONENT", usual.opponent),
    )


# Installed packages


@cache
def installed() -> dict[str, str]:
    """The games of installed packages: the module of each name. None of them is loaded."""
    return {point.name: point.value for point in entry_points(group=GROUP)}


def add_installed(name: str) -> Entry:
    """Loads the installed game of that name: a module with rules, or a package with a `rules`."""
    if name in CATALOGUE:
        return CATALOGUE[name]
    package = importlib.import_module(installed()[name])
    if hasattr(package, "__path__"):
        found = {
            part: importlib.import_module(f"{package.__name__}.{part}")
            for part in ("rules", *OTHER_MODULES)
            if importlib.util.find_spec(f"{package.__name__}.{part}") is not None
        }
    else:
        found = {"rules": package}
    if "rules" not in found or found["rules"].__file__ is None:
        raise RulesetError(f"the installed game {brief(name)} has no rules")
    check(found["rules"], Path(found["rules"].__file__))
    entry = entry_of(name, keyed(name, assemble(name, **found)))
    register(entry)
    rulesets.forget()
    remember(name)
    return entry


# Mistakes of authors


def blame(error: BaseException, files: Iterable[Path] = ()) -> str:
    """The error as one line with its place in a game's file; empty if it comes from elsewhere."""
    return ": ".join(blame_parts(error, files) or ())


def blame_parts(error: BaseException, files: Iterable[Path] = ()) -> tuple[str, str] | None:
    """The place of an error in a game's file, and its message; None if it comes from elsewhere."""
    known = {str(each) for each in files} | loaded_files()
    if isinstance(error, SyntaxError) and error.filename in known:
        return place(Path(str(error.filename)), error.lineno or 0), error.msg
    frames = [
        frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename in known
    ]
    if not frames:
        return None
    said = " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")
    return place(Path(frames[-1].filename), frames[-1].lineno or 0), said


def loaded_files() -> set[str]:
    """The files of the games that were loaded from a path."""
    modules = [module for name, module in sys.modules.items() if name.startswith(PREFIX)]
    return {str(module.__file__) for module in modules if getattr(module, "__file__", None)}


def place(file: Path, line: int) -> str:
    return f"{relative(file)}:{line}" if line else relative(file)


def typed(ruleset: Ruleset, *, is_here: bool = True) -> str:
    """The ruleset as it is named on the command line: by its path, if it was loaded from one. The
    path is absolute unless the command is typed in this folder (`is_here`).
    """
    name = ruleset.entry.name
    if name not in _paths:
        return ruleset.text
    path = relative(_paths[name]) if is_here else str(_paths[name])
    return ruleset.text.replace(name, path if os.sep in path else f"./{path}", 1)


def program_for(ruleset: Ruleset) -> str:
    """The beginning of a command that reads records of this ruleset."""
    path = _paths.get(ruleset.entry.name)
    return program() if path is None else f"{program()} --games {shlex.quote(relative(path))}"
