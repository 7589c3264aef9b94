"""`holmgang games` and `holmgang rules`, for people and for programs."""

import importlib
import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from tests.terminal.shell import Terminal, environment, run

from holmgang.games import bagh
from holmgang.games.assembling import assemble
from holmgang.games.catalogue import CATALOGUE, Entry
from holmgang.games.ruleset import load
from holmgang.terminal.catalogue import show_rules
from holmgang.terminal.rules_text import rules_lines


def test_games_in_a_pipe_are_a_line_each(tmp_path):
    done = run(tmp_path, "games")
    assert [line.split()[0] for line in done.stdout.splitlines()] == list(CATALOGUE)


def test_printed_commands_work_as_printed(tmp_path):
    """Also where the shell does not find `holmgang`, as after `make play`."""
    installed = Path(sys.executable).with_name("holmgang")
    file = tmp_path / "high_noon.py"

    def said(command, path):
        words = shlex.split(command)
        env, folder = environment(tmp_path, PATH=path), installed.parents[1]
        return subprocess.run(
            words, cwd=folder, env=env, stdout=subprocess.PIPE, text=True, check=True
        ).stdout

    printed = said(f"bin/holmgang new-game {file}", "/usr/bin:/bin").splitlines()
    command = next(line.strip() for line in printed if "check-game" in line)
    assert command == f"bin/holmgang check-game {file}"
    assert "no mistakes" in said(command, "/usr/bin:/bin")
    file.unlink()
    path = f"{installed.parent}:/usr/bin:/bin"
    assert f"  holmgang check-game {file}" in said(f"bin/holmgang new-game {file}", path)


def test_games_as_json_say_what_each_rule_may_be(tmp_path):
    listed = json.loads(run(tmp_path, "games", "--json").stdout)
    assert [entry["name"] for entry in listed] == list(CATALOGUE)
    for entry in listed:
        assert entry["ruleset_hash"] == load(entry["name"]).hash
    advantage = listed[1]["rules"]
    assert advantage["heal_limit"] == {"default": 4, "range": [1, 999]}


@pytest.mark.parametrize("columns", [40, 200])
def test_games_on_a_terminal_fit_its_width(columns, tmp_path):
    with Terminal(tmp_path, "games", columns=columns) as terminal:
        assert terminal.finish() == 0
        lines = terminal.text.splitlines()
        assert max(map(len, lines)) <= columns
        assert all(any(name in line for line in lines) for name in CATALOGUE)


@pytest.mark.parametrize("name", CATALOGUE)
def test_rules_have_the_page_and_every_number_at_any_width(name):
    for width in (40, 100):
        lines = rules_lines(load(name), width)
        assert max(map(len, lines)) <= width
        shown = "\n".join(lines)
        assert CATALOGUE[name].title.split()[0].rstrip(",") in shown
        if width == 100:
            assert all(rule in shown for rule in load(name).rules._fields)


def test_rules_end_with_what_was_changed(tmp_path):
    shown = run(tmp_path, "rules", "bagh:max_boost=4", "--plain").stdout
    rows = [line for line in shown.splitlines() if line.startswith("│")]
    assert [[cell.strip() for cell in row.strip("│").split("│")] for row in rows] == [
        ["max_boost", "4", "6", "0 to 99"]
    ]
    assert "Changed in" not in run(tmp_path, "rules", "bagh", "--plain").stdout


def test_rules_go_through_the_pager_of_the_user(tmp_path):
    with Terminal(tmp_path, "rules", "bagh", PAGER="sed s/^/PAGED:/") as terminal:
        assert terminal.finish() == 0
        assert "PAGED:" in terminal.text


def test_rules_in_a_terminal_without_special_characters(tmp_path):
    with Terminal(tmp_path, "rules", "fencing", PYTHONIOENCODING="ascii") as terminal:
        assert terminal.finish() == 0
        assert terminal.seen.isascii()
        assert "lunge_drug_skill" in terminal.text


def test_rules_of_no_game_are_refused_in_one_line(tmp_path):
    done = run(tmp_path, "rules", "bahg")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "holmgang: no game 'bahg'; did you mean bagh?\n"


def test_the_rules_of_a_game_outside_the_package(tmp_path, monkeypatch, capsys):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "rules.py").write_text(Path(bagh.rules.__file__).read_text())
    (folder / "RULES.md").write_text("# Elsewhere\n\nRules that came with another package.\n")
    monkeypatch.syspath_prepend(tmp_path)
    rules = importlib.import_module("elsewhere.rules")
    game = assemble("elsewhere", rules, bagh.notation, bagh.story, bagh.board)
    monkeypatch.setitem(CATALOGUE, "elsewhere", Entry("elsewhere", "Elsewhere", "one", game))
    show_rules("elsewhere", plain=True)
    assert "Rules that came with another package." in capsys.readouterr().out
