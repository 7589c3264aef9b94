"""What is imported when: nothing heavy before it is needed."""

import json
import subprocess
import sys

import pytest
from tests.patience import PATIENCE

import holmgang

HEAVY = {
    "asyncio",
    "click",
    "discord",
    "fastapi",
    "gymnasium",
    "hypothesis",
    "jinja2",
    "llvmlite",
    "matplotlib",
    "mcp",
    "numba",
    "numpy",
    "pettingzoo",
    "pyspiel",
    "rich",
    "sqlalchemy",
    "starlette",
    "textual",
    "typer",
    "uvicorn",
    "websockets",
}
SHOW = (
    "import json, sys; print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))"
)


def imported_by(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{SHOW}"],
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=True,
        input="",
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


def command(*arguments: str) -> str:
    """Code that runs the command line and goes on after it."""
    return (
        f"import sys; sys.argv = ['holmgang', *{list(arguments)!r}]\n"
        "from holmgang.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit as left:\n    assert not left.code, left.code"
    )


def test_everything_that_holmgang_offers_is_there():
    assert set(holmgang.__all__) <= set(dir(holmgang))
    for name in holmgang.__all__:
        assert getattr(holmgang, name) is not None


def test_import_holmgang_imports_nothing_heavy():
    imported = imported_by("import holmgang")
    assert "holmgang" in imported
    assert imported & HEAVY == set()


def test_playing_by_the_rules_needs_only_the_standard_library():
    imported = imported_by(
        "import holmgang\n"
        "duel = holmgang.Duel('bagh', seed=1)\n"
        "duel.choose('red', 'boost'); duel.choose('blue', 'heal'); duel.reveal()"
    )
    others = imported - set(sys.stdlib_module_names) - {"holmgang", "__main__", "sitecustomize"}
    assert {name for name in others if not name.startswith("_")} == set()


@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",),
        ("--version",),
        ("play", "--help"),
        ("games",),
        ("rules", "bagh", "--plain"),
        ("step",),
    ],
    ids=" ".join,
)
def test_a_light_command_imports_no_compiler_no_screen_and_no_database(arguments):
    imported = imported_by(command(*arguments))
    allowed = {"asyncio", "click", "rich", "typer"}
    heavy = HEAVY - allowed | {"alembic", "psycopg"}
    assert imported & heavy == set()


@pytest.mark.parametrize("arguments", [("--help",), ("play", "--help"), ("value", "--help")])
def test_help_loads_no_game(arguments):
    code = "print(any(name.startswith('holmgang.games') for name in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", f"{command(*arguments)}\n{code}"],
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "False"
