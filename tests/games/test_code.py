"""Digests of code: the same for what runs the same, with every version of Python."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import holmgang
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.code import add_used, digest
from holmgang.games.ruleset import load

SOURCE = Path(holmgang.__file__).parent.parent
VERSIONS = ["3.11", "3.12", "3.13"]
PLAIN = """
def resolve(rules, state):
    return {"hp": state.hp - 2, "says": f"{state.hp:>3} left"}
"""
SAME = '''"""A module."""
# Section 1
def resolve( rules,state ):
    "A function."
    return {"hp": state.hp-2,  # B1
            'says': f"{state.hp:>3} left"}
'''
PRINT_ALL = (
    "from holmgang.games.ruleset import load\nfrom holmgang.games.catalogue import CATALOGUE\n"
    "print([load(name).code for name in CATALOGUE])"
)


def test_comments_docstrings_and_layout_change_nothing():
    assert digest([PLAIN]) == digest([SAME])


@pytest.mark.parametrize(
    ("old", "new"), [("2", "3"), ("hp -", "hp +"), ("left", "gone"), (">3", "<3"), (", state", "")]
)
def test_anything_else_does(old, new):
    assert old in PLAIN
    assert digest([PLAIN]) != digest([PLAIN.replace(old, new)])


def test_each_game_has_its_own():
    codes = {entry.game.folder: load(name).code for name, entry in CATALOGUE.items()}
    assert len(set(codes.values())) == len(codes)
    assert all(load(name).code == codes[entry.game.folder] for name, entry in CATALOGUE.items())


def test_what_a_function_calls_in_its_module_counts():
    functions = {}
    add_used(test_comments_docstrings_and_layout_change_nothing, functions)
    add_used(digest, functions)
    names = [function.__name__ for function in functions]
    assert names[0] == "test_comments_docstrings_and_layout_change_nothing"
    assert {"digest", "add_parts", "is_text"} == {*names[1:]}


def printed(python, path):
    run = subprocess.run(
        [python, "-S", "-c", PRINT_ALL],
        env={"PYTHONPATH": str(path)},
        capture_output=True,
        text=True,
        check=False,
    )
    return run.stdout or run.stderr


@pytest.mark.parametrize("version", VERSIONS)
def test_every_version_of_python_gives_the_same(version):
    found = subprocess.run(
        ["/usr/bin/env", f"python{version}", "-c", "import sys; print(sys.executable)"],
        capture_output=True,
        text=True,
        check=False,
    )
    if found.returncode:
        pytest.skip(f"python{version} is not installed, so its syntax trees cannot be compared")
    expected = str([load(name).code for name in CATALOGUE])
    assert printed(found.stdout.strip(), SOURCE).strip() == expected


def test_a_zip_file_gives_the_same(tmp_path):
    packed = tmp_path / "holmgang.zip"
    with zipfile.ZipFile(packed, "w") as file:
        for path in sorted((SOURCE / "holmgang").rglob("*.py")):
            file.write(path, path.relative_to(SOURCE))
    expected = str([load(name).code for name in CATALOGUE])
    assert printed(sys.executable, packed).strip() == expected
