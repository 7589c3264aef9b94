"""Progress: a bar in a terminal, plain lines elsewhere, and nothing of what is soon done."""

import io
import re

import pytest
from rich.console import Console
from tests.terminal.shell import CTRL_C, Terminal, run

from holmgang.terminal import progress
from holmgang.terminal.progress import progress_of


@pytest.fixture
def at_once(monkeypatch):
    monkeypatch.setattr(progress, "QUIET_SECONDS", 0.0)


def shown(games, told, *, is_terminal=False, **more):
    file = io.StringIO()
    console = Console(file=file, force_terminal=is_terminal, width=80)
    with progress_of(console, games, "playing", **more) as tell:
        for done in told:
            tell(done)
    return file.getvalue()


@pytest.mark.parametrize("is_terminal", [False, True])
def test_what_is_soon_done_shows_nothing(is_terminal):
    assert shown(3, [1, 2, 3], is_terminal=is_terminal) == ""


def test_plain_lines_where_it_is_no_terminal(at_once):
    assert shown(2000, [1000, 2000], news=lambda: "A 3, B 4") == "1,000 of 2,000 games  A 3, B 4\n"
    assert shown(None, [7]) == "7 games\n"


def test_a_line_says_what_is_waited_for_and_none_is_repeated(at_once):
    line = "0 of 9 games  starting; the first time, code is compiled\n"
    assert shown(9, [0, 0, 0]) == line
    assert shown(9, [4, 4]) == "4 of 9 games\n"


def test_nothing_at_all_if_it_is_to_be_silent(at_once):
    for is_terminal in (False, True):
        assert shown(9, [1, 2], is_terminal=is_terminal, is_silent=True) == ""


def test_ctrl_c_in_a_terminal_leaves_a_command_that_can_be_copied(tmp_path):
    """The bar is gone, and the command is not broken in two, however long it is."""
    folder = tmp_path / ("a-long-name" * 8)
    assert run(tmp_path, "league", "init", str(folder), "bagh").returncode == 0
    assert run(tmp_path, "league", "add", str(folder), "random", "dice=random").returncode == 0
    with Terminal(tmp_path, "league", "run", str(folder)) as here:
        here.expect("playing")
        here.expect(" games")
        here.send(CTRL_C)
        assert here.finish() == 130
        last = here.seen.rpartition("Stopped")[2]
    assert re.search(rf"\n  holmgang league run {re.escape(str(folder))}\r\n$", last)
