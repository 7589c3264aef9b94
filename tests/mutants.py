"""`make mutants`: the tests of each game notice every small change of its rules.

A mutant is a game's `rules.py` with one operator, constant or branch changed. The tests of the game
run against each, in a process of its own, until one fails. A mutant that no test catches must be
listed in `mutants.txt` with the reason why it plays the same game; one that is listed must not be
caught. Anything else fails the run.

mutmut and cosmic-ray make and run mutants too, but have no list of exceptions that must stay true.
"""

import argparse
import ast
import importlib.machinery
import importlib.util
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from importlib.machinery import ModuleSpec
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from types import CodeType
from typing import NamedTuple

import hypothesis  # noqa: F401  loaded once here, so that no child has to
import pytest

ROOT = Path(__file__).parents[1]
GAMES = ("bagh", "fencing", "defend_the_city", "magic_duel")
LISTED = Path(__file__).with_name("mutants.txt")
TIME_LIMIT_S = 120  # of one mutant; a game that no longer ends is caught

COMPARISONS: dict[type, tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
}
OPERATORS: dict[type, type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
OPPOSITES = {"min": "max", "max": "min"}


class Mutant(NamedTuple):
    game: str
    place: str  # the class or function
    is_in_function: bool
    name: str  # where, what, and what it became; unique, and independent of line numbers
    source: str


def variants(node: ast.AST) -> Iterator[ast.AST]:
    """What may stand in the place of a node."""
    match node:
        case ast.Compare(ops=[op]):
            for other in COMPARISONS[type(op)]:
                yield ast.Compare(node.left, [other()], node.comparators)
        case ast.BinOp():
            yield ast.BinOp(node.left, OPERATORS[type(node.op)](), node.right)
        case ast.AugAssign():
            yield ast.AugAssign(node.target, OPERATORS[type(node.op)](), node.value)
        case ast.BoolOp():
            yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
            for left_out in node.values:
                rest = [value for value in node.values if value is not left_out]
                yield rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
        case ast.UnaryOp():  # `not` or a minus
            yield node.operand
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
            yield ast.Constant(value - 1)
        case ast.IfExp():
            yield ast.IfExp(node.test, node.orelse, node.body)
            yield node.body
            yield node.orelse
        case ast.Call(func=ast.Name(id="min" | "max" as name)):
            yield ast.Call(ast.Name(OPPOSITES[name]), node.args, node.keywords)


def changes(node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Pieces of source with what to write in their place, in this node and all below it."""
    for new in variants(node):
        yield node, ast.unparse(new)
    if isinstance(node, ast.If):
        for new in (ast.UnaryOp(ast.Not(), node.test), ast.Constant(True), ast.Constant(False)):
            yield node.test, ast.unparse(new)
    for child in ast.iter_child_nodes(node):
        yield from changes(child)


def spliced(source: str, node: ast.AST, text: str) -> tuple[str, str, str]:
    """The source with the node replaced, and the lines of the node before and after."""
    lines = source.splitlines(keepends=True)
    first, last = node.lineno - 1, node.end_lineno - 1
    head = lines[first].encode()[: node.col_offset].decode()
    tail = lines[last].encode()[node.end_col_offset :].decode()
    changed = head + (f"({text})" if isinstance(node, ast.expr) else text) + tail
    return (
        "".join([*lines[:first], changed, *lines[last + 1 :]]),
        on_one_line("".join(lines[first : last + 1])),
        on_one_line(changed),
    )


def on_one_line(text: str) -> str:
    code = (line.partition("  # ")[0] for line in text.splitlines())
    return " ".join(" ".join(code).split())


def mutants(game: str) -> Iterator[Mutant]:
    source = rules_of(game).read_text(encoding="utf-8")
    seen: Counter[str] = Counter()
    for top in ast.parse(source).body:
        place, is_function = name_of(top), isinstance(top, ast.FunctionDef)
        for node, text in changes(top):
            changed, old, new = spliced(source, node, text)
            name = f"{game} {place}: {old} -> {new}"
            seen[name] += 1
            number = f" #{seen[name]}" if seen[name] > 1 else ""
            yield Mutant(game, place, is_function, name + number, changed)


def name_of(top: ast.stmt) -> str:
    return getattr(top, "name", "module")


def rules_of(game: str) -> Path:
    return ROOT / "src" / "holmgang" / "games" / game / "rules.py"


def module_of(game: str) -> str:
    return f"holmgang.games.{game}.rules"


# Running the tests against a mutant. Each has a process of its own, forked from this one. A mutant
# in a function is put into the loaded modules, when pytest has collected the tests. One in a class
# or a constant has to be there before anything is imported, so those come first.

QUIET = (
    "-x",
    "-s",
    "-m",
    "not slow",
    "--assert=plain",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:terminal",
)


def tests_of(game: str) -> list[str]:
    games = ROOT / "tests" / "games"
    groups = f"test_conformance.py::test_conformance[face_groups-{game.replace('_', '-')}]"
    tests = (games / each for each in (game, "test_rules_pages.py", groups))
    return [*QUIET, f"--rootdir={ROOT}", *map(str, tests)]


class Loader(importlib.machinery.SourceFileLoader):
    """Gives a module the source of a mutant, and is the finder of that one module."""

    def __init__(self, mutant: Mutant) -> None:
        super().__init__(module_of(mutant.game), str(rules_of(mutant.game)))
        self.source = mutant.source

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.source, self.path, "exec", dont_inherit=True)

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:
        if fullname == self.name:
            return importlib.util.spec_from_file_location(fullname, self.path, loader=self)
        return None


def run_from_import(mutant: Mutant) -> int:
    sys.meta_path.insert(0, Loader(mutant))
    return pytest.main(tests_of(mutant.game))


class Session:
    """A plugin for pytest: runs the tests it has collected against each of these mutants."""

    def __init__(self, mutants: list[Mutant], jobs: int) -> None:
        self.mutants, self.jobs = mutants, jobs
        self.survived: list[Mutant] = []

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.session = session
        self.survived.extend(survivors(self.mutants, self.jobs, self.run))
        return True

    def run(self, mutant: Mutant) -> int:
        put_in(mutant)
        for item, following in pairwise([*self.session.items, None]):
            self.session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.session.testsfailed:
                return pytest.ExitCode.TESTS_FAILED
        return pytest.ExitCode.OK


def put_in(mutant: Mutant) -> None:
    """Replaces one function of the rules, wherever it was imported."""
    rules = vars(sys.modules[module_of(mutant.game)])
    old = rules[mutant.place]
    body = [top for top in ast.parse(mutant.source).body if name_of(top) == mutant.place]
    exec(compile(ast.Module(body, []), str(rules_of(mutant.game)), "exec"), rules)  # noqa: S102
    for name, module in list(sys.modules.items()):
        if name.startswith(("holmgang.", "tests.")):
            same = [key for key, value in vars(module).items() if value is old]
            vars(module).update(dict.fromkeys(same, rules[mutant.place]))


def forked(run: Callable[[Mutant], int], mutant: Mutant) -> int:
    """The process in which the tests run."""
    if pid := os.fork():
        return pid
    code = int(pytest.ExitCode.INTERNAL_ERROR)
    try:
        signal.alarm(TIME_LIMIT_S)
        # One folder each: pytest's numbered ones are not made for so many at once.
        os.environ["PYTEST_DEBUG_TEMPROOT"] = mkdtemp(dir=os.environ["PYTEST_DEBUG_TEMPROOT"])
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        code = run(mutant)
    finally:
        os._exit(code)


def is_caught(mutant: Mutant, status: int) -> bool:
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGALRM, f"{mutant.name}: signal {status}"
        return True
    code = os.WEXITSTATUS(status)
    failed = (
        pytest.ExitCode.TESTS_FAILED,
        pytest.ExitCode.INTERRUPTED,  # a test module could not be imported
        pytest.ExitCode.USAGE_ERROR,  # a conftest could not
    )
    assert code in (0, *failed), f"{mutant.name}: pytest ended with {code}"
    return code != 0


def survivors(every: list[Mutant], jobs: int, run: Callable[[Mutant], int]) -> Iterator[Mutant]:
    """The mutants that no test catches."""
    began, running, waiting, done = time.monotonic(), {}, list(reversed(every)), 0
    while waiting or running:
        while waiting and len(running) < jobs:
            mutant = waiting.pop()
            running[forked(run, mutant)] = mutant
        pid, status = os.wait()
        mutant = running.pop(pid)
        done += 1
        if not is_caught(mutant, status):
            yield mutant
        if done % 50 == 0:
            took = time.monotonic() - began
            print(f"{done} of {len(every)}, {took:.0f} s", file=sys.stderr, flush=True)


def all_survivors(every: list[Mutant], games: Iterable[str], jobs: int) -> set[str]:
    in_functions = [mutant for mutant in every if mutant.is_in_function]
    others = [mutant for mutant in every if not mutant.is_in_function]
    survived = list(survivors(others, jobs, run_from_import))
    for game in games:
        session = Session([mutant for mutant in in_functions if mutant.game == game], jobs)
        pytest.main(tests_of(game), plugins=[session])
        survived.extend(session.survived)
    return {mutant.name for mutant in survived}


def listed() -> dict[str, str]:
    """The mutants of the list, each with its reason: the line without indent above it."""
    reason, found = "", {}
    for line in LISTED.read_text(encoding="utf-8").splitlines():
        if line.startswith("    "):
            assert reason, f"no reason for {line.strip()}"
            assert line.strip() not in found, f"listed twice: {line.strip()}"
            found[line.strip()] = reason
        elif line and not line.startswith("#"):
            reason = line
    return found


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Check that tests notice every change of a rule.")
    parser.add_argument("--game", choices=GAMES, help="only this game (default: all)")
    parser.add_argument("--only", default="", help="only mutants whose name contains this text")
    parser.add_argument("--sample", type=int, help="number of mutants, at random (default: all)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the sample (default: 0)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
    return parser.parse_args()


def main() -> None:
    with TemporaryDirectory(prefix="mutants-") as folder:
        os.environ["PYTEST_DEBUG_TEMPROOT"] = folder
        sys.exit(is_unsound(options()))


def is_unsound(asked: argparse.Namespace) -> bool:
    """Whether a mutant is neither caught nor listed, or listed for nothing; tells which."""
    games = [asked.game] if asked.game else GAMES
    for game in games:
        same = Mutant(game, "", False, game, rules_of(game).read_text(encoding="utf-8"))
        if not list(survivors([same], 1, run_from_import)):
            sys.exit(f"the tests of {game} fail before anything is changed")
    known = {name for name in listed() if name.split(" ")[0] in games and asked.only in name}
    every = [mutant for game in games for mutant in mutants(game) if asked.only in mutant.name]
    gone = known - {mutant.name for mutant in every}
    if asked.sample is not None:
        every = random.Random(asked.seed).sample(every, min(asked.sample, len(every)))
    survived = all_survivors(every, games, asked.jobs)
    caught = {mutant.name for mutant in every} - survived
    for title, names in (
        ("Not caught, and not listed in mutants.txt", survived - known),
        ("Listed, but caught", known & caught),
        ("Listed, but there is no such mutant", gone),
    ):
        if names:
            print(f"{title}:", *sorted(names), sep="\n    ")
    print(f"{len(every)} mutants: {len(caught)} caught, {len(survived & known)} equivalent")
    return bool(survived - known or known & caught or gone)


if __name__ == "__main__":
    main()
