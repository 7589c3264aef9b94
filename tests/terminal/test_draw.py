"""The command `holmgang draw`."""

import json

import pytest
from tests.terminal.shell import run

from holmgang.games.catalogue import CATALOGUE
from holmgang.games.ruleset import load


@pytest.mark.parametrize("name", CATALOGUE)
def test_the_start_as_svg_and_png(name, tmp_path):
    svg, png = tmp_path / "board.svg", tmp_path / "board.png"
    done = run(tmp_path, "draw", name, "--svg", str(svg), "--png", str(png), "--width", "360")
    assert (done.returncode, done.stderr) == (0, "")
    assert svg.read_text(encoding="utf-8").startswith("<svg ")
    assert png.read_bytes().startswith(b"\x89PNG")


def test_the_last_round_is_shown(tmp_path):
    done = run(tmp_path, "draw", "bagh", "--after", "b/a g/h", "--svg", "-")
    assert done.returncode == 0
    assert "Round 3" in done.stdout
    assert "no attack" in done.stdout  # what red's guard came to


def test_a_state_can_be_given_as_json(tmp_path):
    ruleset = load("bagh")
    state = ruleset.parse_state("2.1.0.0/3.0.1.0")
    given = (ruleset.format_text(state), json.dumps(ruleset.format_state(state)))
    short, as_json = (run(tmp_path, "draw", "bagh", text, "--svg", "-") for text in given)
    assert (as_json.returncode, as_json.stderr) == (0, "")
    assert as_json.stdout == short.stdout


def test_a_decided_state_names_the_winner(tmp_path):
    done = run(tmp_path, "draw", "bagh", "0.0.0.0/1.0.0.0", "--svg", "-")
    assert "Blue wins" in done.stdout


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["bagh"], "--svg FILE"),
        (["bagh", "nonsense", "--svg", "-"], "nonsense"),
        (["chess", "--svg", "-"], "chess"),
        (["bagh", "--after", "x/y", "--svg", "-"], "round 1"),
        (["bagh", "--theme", "pink", "--svg", "-"], "light or dark"),
        (["bagh", "--png", "/dev/null/board.png"], "cannot write"),
    ],
    ids=["nothing-to-write", "no-state", "no-game", "no-round", "no-theme", "no-folder"],
)
def test_bad_input_is_refused(args, told, tmp_path):
    done = run(tmp_path, "draw", *args)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr
