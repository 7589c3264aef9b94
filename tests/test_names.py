"""One name for one thing: each class has a name of its own."""

import ast
from collections import defaultdict
from pathlib import Path

import holmgang

ROOT = Path(holmgang.__file__).parent
TWICE = {"Outcome"}
"""In numbers for those who write rules, in words for those who read a duel's."""


def defined_by_a_game(path: Path) -> bool:
    """Whether a module describes one game, in the words of its rulebook, or is to be copied."""
    place = path.relative_to(ROOT)
    return path.name in ("rules.py", "starter.py") or "starters" in place.parts


def test_each_class_has_a_name_of_its_own():
    found = defaultdict(list)
    for path in ROOT.rglob("*.py"):
        for statement in ast.parse(path.read_text("utf-8")).body:
            if isinstance(statement, ast.ClassDef) and not defined_by_a_game(path):
                found[statement.name].append(str(path.relative_to(ROOT)))
    shared = {name: paths for name, paths in found.items() if len(paths) > 1}
    assert shared.keys() <= TWICE, shared
