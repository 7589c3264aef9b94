"""The first game of all: nothing is compiled, no table is there, and yet it starts at once."""

import pytest
from tests.terminal.shell import CTRL_C, Terminal, run

from holmgang.engine.record import read


@pytest.fixture
def empty(tmp_path):
    """Folders for compiled code and tables, with nothing in them."""
    folders = {"HOLMGANG_CACHE": tmp_path / "cache", "HOLMGANG_TABLES": tmp_path / "tables"}
    return {name: str(folder) for name, folder in folders.items()}


@pytest.mark.parametrize(
    ("game", "level", "key", "answer"),
    [
        ("bagh", "search", "a", "attacks for 1"),
        ("bagh", "perfect", "a", "attacks for 1"),
        ("bagh", "exploiter", "a", "attacks for 1"),
        ("fencing", "search", "w", "walks; "),
        ("defend-the-city-duel", "perfect", "32\r", "has offense 3 and defense 2"),
        ("magic-duel", "greedy", "mm", "choose"),
    ],
)
def test_board_and_answer_are_there_before_anything_is_compiled(
    game, level, key, answer, empty, tmp_path
):
    with Terminal(tmp_path, "play", game, "--vs", level, **empty) as here:
        seen = here.expect("choose")
        assert not list((tmp_path / "cache").glob("*.o"))
        here.send(key)
        here.expect(answer, after=seen)
        compiled = {path.name for path in (tmp_path / "cache").glob("*.o")}
        here.send(CTRL_C)
        assert here.finish() == 130
    assert len(compiled) < 3  # all three kernels of a search are needed
    assert not list((tmp_path / "tables").glob("*.table"))


def test_the_screen_says_how_a_level_plays_that_is_not_ready(empty, tmp_path):
    with Terminal(tmp_path, "play", "bagh", "--vs", "search", **empty) as here:
        here.expect("Blue: compiling; short look-ahead until then")
        here.send(CTRL_C)
        here.finish()
    with Terminal(tmp_path, "play", "bagh", "--vs", "perfect", **empty) as here:
        here.expect("Blue: searching; building exact table, ")
        here.send(CTRL_C)
        here.finish()


def test_lines_of_text_start_at_once_too(empty, tmp_path):
    done = run(
        tmp_path,
        *("play", "bagh", "--vs", "search", "--plain"),
        *("--records", str(tmp_path / "records")),
        given="a\n",
        **empty,
    )
    assert done.returncode == 0
    assert done.stderr == ""
    [path] = (tmp_path / "records").iterdir()
    assert len(read(path).rounds) == 1
    assert not list((tmp_path / "cache").glob("*.o"))
