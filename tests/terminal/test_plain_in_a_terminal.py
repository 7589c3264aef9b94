"""Lines of text in a real terminal: waiting for people, and leaving it as it was."""

import pytest
from tests.terminal.shell import CTRL_C, CTRL_D, ENDING_SIGNALS, Terminal

from holmgang.engine.record import replay


@pytest.fixture
def terminal(tmp_path):
    opened = []

    def opening(*args, **more):
        records = str(tmp_path / "records")
        here = Terminal(tmp_path, "play", *args, "--plain", "--records", records, **more)
        opened.append(here)
        return here

    yield opening
    for here in opened:
        here.__exit__()


def only_record(tmp_path):
    [path] = (tmp_path / "records").glob("*.jsonl")
    return path


def test_two_people_pass_the_keyboard_and_reveal_together(terminal, tmp_path):
    here = terminal("bagh", "--vs", "human")
    here.expect("Red (hidden)> ")
    here.send("attack\n")
    here.expect("Red has chosen.")
    here.expect("Pass the keyboard to Blue: Enter, or undo: ")
    here.send("nonsense\n")
    here.expect("Press Enter, or type a command")
    assert "nonsense" not in here.text  # it may have been a choice, typed too early
    here.expect("or undo: ", after=here.seen.rfind("Press Enter"))
    here.send("\n")
    here.expect("Blue (hidden)> ")
    here.send("nonsense\n")
    here.expect("That is not a choice here.")
    here.expect("Blue (hidden)> ", after=here.seen.rfind("That is not"))
    here.send("h\n")
    here.expect("Both have chosen. Enter reveals, or undo: ")
    assert "attack" not in here.text.split("Red (hidden)> ")[1].split("  b  boost")[0]
    here.send("\n")
    end = here.expect("Round 1  Red: attack  Blue: heal")
    here.expect("Red (hidden)> ", after=end)
    here.send("quit\n")
    assert here.finish() == 0
    assert here.is_restored
    assert not replay(only_record(tmp_path)).is_over


def test_undo_at_the_reveal_and_at_the_pass(terminal):
    here = terminal("bagh", "--vs", "human")
    here.expect("Red (hidden)> ")
    here.send("a\n")
    here.expect("or undo: ")
    here.send("undo\n")
    here.expect("Red chooses again.")
    end = here.expect("Red (hidden)> ", after=here.seen.rfind("chooses again"))
    here.send("g\n")
    here.expect("or undo: ", after=end)
    here.send("\n")
    here.expect("Blue (hidden)> ")
    here.send("b\n")
    here.expect("Enter reveals, or undo: ")
    here.send("undo\n")
    end = here.expect("Blue chooses again.")
    here.expect("Blue (hidden)> ", after=end)
    here.send("h\n")
    here.expect("Enter reveals, or undo: ", after=end)
    here.send("\n")
    end = here.expect("Round 1  Red: guard  Blue: heal")
    here.expect("Red (hidden)> ", after=end)
    here.send(CTRL_D)
    assert here.finish() == 0


@pytest.mark.parametrize("hidden", [True, False])
@pytest.mark.parametrize("key", [CTRL_C, CTRL_D], ids=["ctrl-c", "ctrl-d"])
def test_leaving_by_a_key(key, hidden, terminal, tmp_path):
    here = terminal("bagh", "--vs", "human" if hidden else "random")
    here.expect("(hidden)> " if hidden else "Red> ")
    here.send(key)
    assert here.finish() == (130 if key == CTRL_C else 0)
    assert "Traceback" not in here.text
    assert "Aborted" not in here.text
    assert f"Saved:    {only_record(tmp_path)}" in here.text
    assert here.is_restored
    assert not replay(only_record(tmp_path)).is_over


@pytest.mark.parametrize("number", ENDING_SIGNALS)
def test_leaving_by_a_signal(number, terminal, tmp_path):
    here = terminal("bagh", "--vs", "human")
    here.expect("Red (hidden)> ")
    here.signal(number)
    assert here.finish() == 128 + number
    assert "Traceback" not in here.text
    assert here.is_restored
    assert not replay(only_record(tmp_path)).is_over


def test_ctrl_c_between_the_games_of_a_match(terminal, tmp_path):
    here = terminal("bagh", "--vs", "random")
    here.expect("Red> ")
    here.send("forfeit\n")
    here.expect("(yes or no) ")
    here.send("yes\n")
    here.expect("Enter begins the next game: ")
    here.send(CTRL_C)
    assert here.finish() == 130
    assert "The match was left at 0 – 1." in here.text
    assert replay(only_record(tmp_path)).outcome.reason == "forfeit"


def test_a_dumb_terminal_gets_lines_by_itself(tmp_path):
    with Terminal(tmp_path, "play", "bagh", "--vs", "random", term="dumb") as here:
        here.expect("Red> ")
        here.send("quit\n")
        assert here.finish() == 0
        assert "\x1b" not in here.seen


def test_a_terminal_without_unicode_gets_plain_lines_by_itself(tmp_path):
    with Terminal(tmp_path, "play", "bagh", "--vs", "random", PYTHONIOENCODING="ascii") as here:
        here.expect("Red> ")
        here.send("quit\n")
        assert here.finish() == 0
        assert here.seen.isascii()


@pytest.mark.parametrize("columns", [40, 200])
def test_widths(columns, terminal):
    here = terminal("fencing", "--vs", "random", columns=columns)
    here.expect("Red> ")
    here.send("quit\n")
    here.finish()
    shown = here.text.replace("\r", "").split("Saved:")[0]
    assert max(map(len, shown.splitlines())) <= columns
