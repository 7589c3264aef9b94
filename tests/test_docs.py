"""Documents that cannot rot: what they show is run, what they name exists, what exists is named."""

import doctest
import importlib
import json
import os
import pkgutil
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from tests import forked
from tests.engine.duels import random_duel
from tests.patience import PATIENCE
from typer.models import CommandInfo

import holmgang
from holmgang.cli.main import app
from holmgang.engine import record
from holmgang.games import conformance
from holmgang.games.assembling import (
    CHANCE_JSON,
    CHOICE_WORDS,
    OPTIONAL,
    STATE_JSON,
    STATE_TEXT,
    STORY,
    SYMMETRY,
)
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.checking import GameCheck

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
COMMANDS_PAGE = ROOT / "docs" / "commands.md"
ARCHITECTURE = ROOT / "docs" / "architecture.md"
PAGES = [
    README,
    ROOT / "CHANGELOG.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
RULES_PAGES = sorted((ROOT / "src").rglob("RULES.md"))

# Commands that are shown but not run here, and why.
NOT_RUN = {
    "make": "it makes an environment; .ci/run and whoever reads this have run it",
    ".venv/bin/": "the same commands as without the folder",
    "holmgang play --server": "it needs a server; tests/terminal/test_online.py has one",
    "holmgang play bagh --server": "the same",
    "holmgang play --join": "the same",
    "holmgang balance ./standoff.py": "it needs the file; tests/lab has games in one file",
    "holmgang serve": "it serves until it is stopped; tests/web runs it",
}


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def blocks(path: Path, language: str) -> list[str]:
    text = path.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


# Python


def modules() -> list[str]:
    found = pkgutil.walk_packages(holmgang.__path__, "holmgang.")
    return ["holmgang", *(module.name for module in found if not module.name.endswith("__main__"))]


@pytest.mark.parametrize("name", modules())
def test_examples_in_docstrings(name):
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_examples_in_pages(path):
    failed, tried = doctest.testfile(str(path), module_relative=False, encoding="utf-8")
    assert failed == 0
    assert (tried > 0) == (">>>" in path.read_text(encoding="utf-8"))


# Commands


def shown_commands() -> list[tuple[Path, str, list[str]]]:
    """Every command behind a `$ ` in a console block, with the lines shown as its output."""
    shown = []
    for path in PAGES:
        for block in blocks(path, "console"):
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, *output = part.rstrip("\n").split("\n")
                shown.append((path, command.partition("  #")[0].strip(), output))
    return shown


def table_commands() -> list[tuple[Path, str, list[str]]]:
    """Every command in the first column of a table."""
    rows = re.findall(r"^\| `(holmgang [^`]*)`", README.read_text(encoding="utf-8"), re.MULTILINE)
    return [(README, command, []) for command in rows]


RUN = [
    shown
    for shown in (*shown_commands(), *table_commands())
    if not shown[1].startswith(tuple(NOT_RUN))
]


def run(command: str, folder: Path, lines: str = "") -> subprocess.CompletedProcess[str]:
    """The command in a shell that has `holmgang`, with a record called FILE where it runs."""
    if not (folder / "FILE").exists():
        record.save(random_duel("bagh"), folder / "FILE")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    is_plain = re.fullmatch(r"holmgang [\w ./:=,\'-]*", command)
    start, words = (
        (forked.run, shlex.split(command)[1:])
        if is_plain
        else (subprocess.run, ["/bin/sh", "-c", command])
    )
    return start(
        words,
        cwd=folder,
        env={**os.environ, "PATH": path, "XDG_DATA_HOME": str(folder), "COLUMNS": "80"},
        input=lines,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )


@pytest.mark.parametrize(
    ("path", "command", "output"),
    [pytest.param(*shown, id=f"{name_of(shown[0])}: {shown[1][:60]}") for shown in RUN],
)
def test_commands(path, command, output, tmp_path):
    requests = [line for line in output if line.startswith('{"game"')]  # typed, in a transcript
    done = run(command, tmp_path, "".join(line + "\n" for line in requests))
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    answers = [line for line in output if line not in requests]
    shown = done.stdout.splitlines()
    if answers and answers[-1].strip() == "…":  # and so on
        answers.pop()
        shown = shown[: len(answers)]
    if answers:
        assert shown == answers


def test_commands_that_are_not_run_are_still_there():
    commands = [command for _, command, _ in (*shown_commands(), *table_commands())]
    unused = [start for start in NOT_RUN if not any(c.startswith(start) for c in commands)]
    assert unused == []


def commands_of(commands: list[CommandInfo], prefix: str = "") -> dict[str, str]:
    return {
        prefix + (command.name or command.callback.__name__): command.callback.__doc__
        for command in commands
    }


def all_commands() -> dict[str, str]:
    """All commands with their help texts, those of a group behind its name."""
    found = commands_of(app.registered_commands)
    for group in app.registered_groups:
        found |= commands_of(group.typer_instance.registered_commands, f"{group.name} ")
    return found


def command_names() -> list[str]:
    return list(all_commands())


def test_the_page_of_commands_has_each_with_its_help_text():
    text = COMMANDS_PAGE.read_text(encoding="utf-8")
    listed = re.findall(r"^\| \[`holmgang ([^`]*)`\]\(\S+\) +\| (.*?) +\|$", text, re.MULTILINE)
    assert len(listed) == len(dict(listed))
    assert dict(listed) == all_commands()


@pytest.mark.parametrize("command", command_names())
def test_every_command_is_documented(command):
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert re.search(rf"holmgang {command}\b", text), f"no page mentions `holmgang {command}`"


@pytest.mark.parametrize("command", command_names())
def test_every_option_is_documented(command, tmp_path):
    usage = run(f"holmgang {command} --help", tmp_path).stdout
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    options = set(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", usage)) - {"--help"}
    missing = [option for option in options if not re.search(rf"{option}\b", text)]
    assert missing == [], f"no page mentions these options of `holmgang {command}`"


def test_no_page_shows_a_command_that_is_not_there():
    named = set()
    for page in PAGES:
        named |= set(
            re.findall(r"(?:`|\$ )holmgang ([a-z][\w-]*)", page.read_text(encoding="utf-8"))
        )
    assert named <= {name.partition(" ")[0] for name in command_names()}


# Records, games, links


def test_the_record_that_is_shown_replays():
    shown = [block for page in PAGES for block in blocks(page, "jsonl")]
    assert shown
    for block in shown:
        read = record.parse(block, "the record in the page")
        assert read.is_complete
        assert record.replay(read).outcome is not None


def test_the_game_of_add_a_game(tmp_path):
    page = (ROOT / "docs" / "add-a-game.md").read_text(encoding="utf-8")
    found = re.search(r"^`(lowest.py)`\n\n```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    path = tmp_path / found[1]
    path.write_text(found[2], encoding="utf-8")
    conformance.check(holmgang.load(str(path)))
    conformance.check(holmgang.load(f"{path}:goal=2"))
    assert all(each.is_warning for each in GameCheck(conformance.load("lowest")).findings())


def test_add_a_game_lists_everything_that_can_be_replaced():
    page = (ROOT / "docs" / "add-a-game.md").read_text(encoding="utf-8")
    names = [*STATE_JSON, *STATE_TEXT, *CHOICE_WORDS, *CHANCE_JSON, *SYMMETRY, *STORY, *OPTIONAL]
    unlisted = {name for name in names if f"`{name}" not in page}
    assert unlisted == {"format_short", "expand_short", "choice_count", "points_of_side"}


@pytest.mark.parametrize("path", [*PAGES, *RULES_PAGES], ids=name_of)
def test_links_lead_somewhere(path):
    text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if "://" not in link:
            assert (path.parent / link).exists(), f"{name_of(path)} links to {link}"


def test_the_map_of_the_code_has_all_folders_and_no_module_that_does_not_exist():
    text = ARCHITECTURE.read_text(encoding="utf-8")
    drawn = re.search(r"```\nsrc/holmgang/\n(.*?)```", text, re.DOTALL)[1]
    modules = list((ROOT / "src" / "holmgang").rglob("*.py"))
    named = {Path(name).name for name in re.findall(r"[\w/]+\.py\b", drawn)}
    assert named <= {path.name for path in modules}
    packages = {path.parent.name for path in modules if path.name == "__init__.py"} - {"holmgang"}
    assert {name for name in packages if f"{name}/" not in drawn} == set()


def test_the_walk_of_a_choice_names_functions_that_exist():
    text = ARCHITECTURE.read_text(encoding="utf-8")
    walk = re.search(r"^## One choice.*?(?=^## )", text, re.MULTILINE | re.DOTALL)[0]
    steps = re.findall(r"^\d+\. `(?:(\w+)\.)?(#?\w+)` \(`(\S+)`\)", walk, re.MULTILINE)
    assert 0 < len(steps) == len(re.findall(r"^\d+\. ", walk, re.MULTILINE)) <= 12
    for owner, name, file in steps:
        source = (ROOT / "src" / "holmgang" / file).read_text(encoding="utf-8")
        assert f"class {owner}" in source or not owner, f"{file} has no class {owner}"
        assert re.search(rf"^ *(async )?(def )?{name}\(", source, re.MULTILINE), f"{file}: {name}"


def test_the_readme_is_short():
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 150


def test_the_readme_names_every_game():
    text = README.read_text(encoding="utf-8")
    assert [name for name in CATALOGUE if f"`{name}`" not in text] == []


@pytest.mark.parametrize("page", RULES_PAGES, ids=name_of)
def test_examples_of_states_in_the_rules_are_states(page):
    """JSON that is shown as a state or a chance in a rules page can be read."""
    for line in page.read_text(encoding="utf-8").splitlines():
        for shown in re.findall(r"`(\{\".*?\})`", line):
            if "…" not in shown:
                json.loads(shown)
