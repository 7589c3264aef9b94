"""The cache of compiled kernels: what is stale, broken, missing or forbidden only costs time."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.games.one_file import STANDOFF

import holmgang
from holmgang.engine.compiled.binding import Link, bind_numbers, fingerprint
from holmgang.engine.compiled.kernels import KernelSpec
from holmgang.engine.compiled.native import Kernels
from holmgang.engine.compiled.objects import read_object, write_object
from holmgang.games.ruleset import load

SOURCE = Path(holmgang.__file__).parent
SIMULATE = """
import sys, holmgang
done = holmgang.simulate("bagh", 300, seed=1)
print(done.rounds, done.red_wins, done.compiled, "numba" in sys.modules)
"""

FINGERPRINT = """
import holmgang
from holmgang.engine.compiled.native import kernels_of
print(kernels_of(holmgang.load("bagh"))._fingerprint)
"""


def simulated(cache: Path, code: str = SIMULATE, source: Path = SOURCE.parent) -> str:
    environment = {**os.environ, "HOLMGANG_CACHE": str(cache), "PYTHONPATH": str(source)}
    run = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    return run.stdout.strip()


@pytest.fixture(scope="module")
def cache(tmp_path_factory) -> Path:
    """A folder with one compiled kernel in it."""
    folder = tmp_path_factory.mktemp("cache")
    assert simulated(folder).endswith("True True")
    return folder


def test_the_second_start_needs_no_numba(cache):
    assert simulated(cache).endswith("True False")


def test_a_broken_file_is_compiled_anew(cache, tmp_path):
    shutil.copytree(cache, tmp_path / "cache")
    (file,) = (tmp_path / "cache").glob("*.o")
    file.write_bytes(file.read_bytes()[:-100])
    assert simulated(tmp_path / "cache").endswith("True True")
    assert simulated(tmp_path / "cache").endswith("True False")


def test_a_folder_that_cannot_be_made_only_costs_time(tmp_path):
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    assert simulated(in_the_way / "cache").endswith("True True")


@pytest.mark.thorough
def test_processes_may_compile_at_once(tmp_path):
    environment = {
        **os.environ,
        "HOLMGANG_CACHE": str(tmp_path),
        "PYTHONPATH": str(SOURCE.parent),
    }
    running = [
        subprocess.Popen(
            [sys.executable, "-c", SIMULATE], env=environment, stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    answers = {process.communicate()[0].split()[0] for process in running}
    assert len(answers) == 1
    assert all(process.returncode == 0 for process in running)
    assert [path.suffix for path in tmp_path.iterdir()] == [".o"]


def edited_source(folder: Path, old: str, new: str) -> Path:
    """A copy of the package in which a line of BAGH's rules is another one."""
    shutil.copytree(SOURCE, folder / "holmgang", ignore=shutil.ignore_patterns("__pycache__"))
    rules = folder / "holmgang" / "games" / "bagh" / "rules.py"
    text = rules.read_text()
    assert old in text
    rules.write_text(text.replace(old, new))
    return folder


def test_an_edited_function_is_never_stale(cache, tmp_path):
    old = "return rules.attack_damage + attacker.boost"
    edited_source(tmp_path, old, "return rules.attack_damage")
    interpreted = SIMULATE.replace("seed=1", "seed=1, interpret=True")
    edited = simulated(cache, source=tmp_path).split()[:2]
    assert edited == simulated(cache, interpreted, source=tmp_path).split()[:2]
    assert edited != simulated(cache).split()[:2]


def test_an_edited_constant_is_never_stale(cache, tmp_path):
    """The name of a kernel's file has the fingerprint in it."""
    first_hp = "start_hp: Annotated[int, range(1, 100)] = "
    source = edited_source(tmp_path, f"{first_hp}3", f"{first_hp}5")
    assert simulated(cache, FINGERPRINT, source) != simulated(cache, FINGERPRINT)


def test_without_numba_the_same_games_are_played(cache):
    missing = "import sys\nsys.modules.update(dict.fromkeys(('numba', 'llvmlite', 'numpy')))\n"
    compiled, plain = simulated(cache).split(), simulated(cache, missing + SIMULATE).split()
    assert plain[:2] == compiled[:2]
    assert plain[2] == "False"


def test_what_is_written_is_read_again(tmp_path):
    path = tmp_path / "new" / "kernel.o"
    assert write_object(path, "symbol", b"code\n\0code")
    assert read_object(path) == ("symbol", b"code\n\0code")


@pytest.mark.parametrize("content", [b"", b"foreign", b"holmgang-object-1\n", None])
def test_a_foreign_file_is_not_read(tmp_path, content):
    path = tmp_path / "kernel.o"
    if content is not None:
        path.write_bytes(content)
    assert read_object(path) is None


def test_the_fingerprint_follows_the_rules():
    same = Kernels(load("bagh"))._fingerprint
    assert Kernels(load("bagh:max_boost=6"))._fingerprint == same
    assert Kernels(load("bagh:max_boost=5"))._fingerprint != same
    assert Kernels(load("magic-duel"))._fingerprint != same


def test_the_fingerprint_follows_what_a_linked_kernel_takes():
    def total(values, size):
        return sum(values[:size])

    entries = (
        KernelSpec(("values",)),
        KernelSpec((), ("values",)),
        KernelSpec(("values",), gives_float=True),
    )
    bound = [bind_numbers((), {"total": Link(total, entry)}) for entry in entries]
    assert len({fingerprint(each) for each in (*bound, bind_numbers(()))}) == 4


def test_rules_that_do_not_compile_are_named_in_one_line(tmp_path):
    shutil.copytree(SOURCE, tmp_path / "holmgang", ignore=shutil.ignore_patterns("__pycache__"))
    rules = tmp_path / "holmgang" / "games" / "bagh" / "rules.py"
    text = rules.read_text()
    old = "return rules.attack_damage + attacker.boost"
    rules.write_text(text.replace(old, "return attacker._replace(boost=1).boost"))
    run = subprocess.run(
        [sys.executable, "-m", "holmgang", "simulate", "bagh", "--json"],
        env={**os.environ, "HOLMGANG_CACHE": str(tmp_path), "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    line = 1 + text[: text.index(old)].count("\n")
    assert run.returncode == 2
    assert run.stderr.count("\n") == 1
    assert "Unknown attribute '_replace'" in run.stderr
    assert f'rules.py", line {line}' in run.stderr


def test_an_error_that_compiled_rules_raise_is_told_with_its_place(tmp_path):
    """Also without numba, when the kernel comes from the cache."""
    text = STANDOFF.replace('"lives at the start"] = 2', '"lives at the start"] = 9')
    old = "    return State(after("
    text = text.replace(old, f"    if state.red.lives == 1:\n        raise KeyError(5)\n{old}")
    game = tmp_path / "standoff.py"
    game.write_text(text)
    code = (
        "import sys, holmgang\n"
        f"game = holmgang.load({str(game)!r})\n"
        "try: holmgang.simulate(game, 300, seed=1)\n"
        "except holmgang.errors.RulesetError as error: print(error)\n"
        "print('numba' in sys.modules)"
    )
    line = 2 + text[: text.index("    if state.red.lives == 1")].count("\n")
    for is_compiling in (True, False):
        told, has_numba = simulated(tmp_path / "cache", code).splitlines()
        assert told == f"{game}:{line}: KeyError: 5"
        assert has_numba == str(is_compiling)
