"""The full screen in a real terminal: it begins, it is left in every way, it breaks nothing."""

import pytest
from tests.terminal.shell import CTRL_C, CTRL_D, ENDING_SIGNALS, HEALS_TWICE, Terminal

from holmgang.engine.record import read, replay

OWN_SCREEN, SCREEN_OF_THE_SHELL = "\x1b[?1049h", "\x1b[?1049l"


@pytest.fixture
def terminal(tmp_path):
    opened = []

    def opening(*args, **more):
        opened.append(Terminal(tmp_path, *args, **more))
        return opened[-1]

    yield opening
    for here in opened:
        here.__exit__()


def play(terminal, tmp_path, *args, **more):
    return terminal("play", *args, "--records", str(tmp_path / "records"), **more)


def check_left(here, tmp_path, rounds):
    """The terminal is as it was, the record whole, and its path said on the shell's screen."""
    assert here.is_restored
    assert "Traceback" not in here.text
    [path] = (tmp_path / "records").glob("*.jsonl")
    assert f"Saved:    {path}" in here.seen.split(SCREEN_OF_THE_SHELL)[-1]
    assert len(read(path).rounds) == rounds
    assert not replay(path).is_over
    assert f"Continue: holmgang resume {path}" in here.seen


@pytest.mark.parametrize(("key", "code"), [(CTRL_C, 130), (CTRL_D, 0)], ids=["ctrl-c", "ctrl-d"])
def test_a_round_and_away(key, code, terminal, tmp_path):
    here = play(terminal, tmp_path, "bagh", "--vs", "random", "--seed", str(HEALS_TWICE))
    here.expect("Red, choose")
    assert OWN_SCREEN in here.seen
    here.send("a")
    here.expect("attacks for 1")
    here.send(key)
    assert here.finish() == code
    check_left(here, tmp_path, rounds=1)


def test_ctrl_c_while_a_choice_is_hidden(terminal, tmp_path):
    here = play(terminal, tmp_path, "bagh", "--vs", "human", columns=40, rows=20)
    here.expect("Red, choose")
    here.send("a")
    here.expect("has chosen")
    here.send(CTRL_C)
    assert here.finish() == 130
    check_left(here, tmp_path, rounds=0)


@pytest.mark.parametrize("number", ENDING_SIGNALS)
def test_signals(number, terminal, tmp_path):
    here = play(terminal, tmp_path, "magic-duel", "--vs", "random")
    here.expect("Red, choose")
    here.signal(number)
    assert here.finish() == 128 + number
    check_left(here, tmp_path, rounds=0)


def test_nothing_said_starts_with_the_menu_and_the_questions(terminal, tmp_path):
    here = play(terminal, tmp_path)
    here.expect("new match")
    here.send("n")
    here.expect("Which game?")
    here.send("b")
    here.expect("Against whom?")
    here.send("r")
    here.expect("Length of the match?")
    here.send("1")
    here.expect("Red, choose")
    here.send("g")  # nobody can win in the first round
    here.expect("Red, choose", after=here.expect("round 2"))
    here.send("/")
    seen = here.expect("leave the match")
    here.send("q")
    here.expect("new match", after=seen)
    here.send("q")
    assert here.finish() == 0
    assert "The match was left at 0 – 0." in here.text


def test_leaving_the_questions_leaves_nothing(terminal, tmp_path):
    here = play(terminal, tmp_path)
    here.expect("new match")
    here.send("n")
    here.expect("Which game?")
    here.send(CTRL_C)
    assert here.finish() == 130
    assert here.is_restored
    assert not (tmp_path / "records").exists()


def test_a_match_to_its_end_tells_who_won_on_the_shells_screen(terminal, tmp_path):
    here = play(terminal, tmp_path, "bagh", "--vs", "random", "--wins", "1")
    here.expect("Red, choose")
    here.send("/")
    here.expect("give up this game")
    here.send("f")
    here.expect("yes")
    here.send("y")
    here.expect("wins the match 1")
    here.send(CTRL_D)
    assert here.finish() == 0
    said = here.seen.split(SCREEN_OF_THE_SHELL)[-1]
    assert "Blue (random) wins the match 1 – 0." in said
    assert "Watch:    holmgang replay " in said


@pytest.mark.parametrize("key", ["a", "b", "\r"])
def test_hammering_on_a_key_stops_at_the_end_of_the_game(key, terminal, tmp_path):
    """A hundred presses more than the game needed neither begin another nor leave this one."""
    here = play(terminal, tmp_path, "bagh:start_hp=1", "--vs", "random", "--wins", "1")
    here.expect("Red, choose")
    here.send("/")
    here.expect("give up this game")
    here.send("f")
    here.expect("yes")
    here.send("y" + key * 100)
    here.expect("rematch")
    here.send("?")
    here.expect("take the last choice back")  # the help page: all keys before it were handled
    here.send(CTRL_D)
    assert here.finish() == 0
    assert len(list((tmp_path / "records").iterdir())) == 1
    assert here.text.count("wins the match 1") >= 1


def test_a_killed_game_is_continued_from_the_menu(terminal, tmp_path):
    here = play(terminal, tmp_path, "bagh", "--vs", "random", "--seed", "1", "--wins", "1")
    here.expect("Red, choose")
    here.send("b")
    here.expect("boosts to 1")
    here.send("g")
    here.expect("round 3")
    here.process.kill()
    here.process.wait()
    [path] = (tmp_path / "records").iterdir()
    with path.open("a") as file:
        file.write('{"round":3,"red":"bo')  # as a power cut may leave it
    again = play(terminal, tmp_path)
    again.expect("bagh, you against random: round 3")
    again.send("c")
    again.expect("boosts to 1", after=again.expect("round 3"))
    again.send("a")
    again.expect("round 4")
    again.send(CTRL_D)
    assert again.finish() == 0
    assert [line["red"] for line in read(path).rounds] == ["boost", "guard", "attack"]
    assert not replay(path).is_over


def test_two_levels_need_no_screen(terminal, tmp_path):
    here = play(terminal, tmp_path, "bagh", "--red", "random", "--vs", "random")
    assert here.finish() == 0
    assert OWN_SCREEN not in here.seen
    assert "wins the match 3 – " in here.text


def test_a_record_is_watched_and_left(terminal, tmp_path):
    here = play(terminal, tmp_path, "bagh", "--red", "random", "--vs", "random", "--wins", "1")
    assert here.finish() == 0
    path = max((tmp_path / "records").glob("*.jsonl"))
    viewer = terminal("replay", str(path), "--round", "1")
    viewer.expect("Round 1 of ")
    viewer.send("q")
    assert viewer.finish() == 0
    assert viewer.is_restored


def test_a_game_is_analysed_and_puzzles_are_solved_from_the_menu(terminal, tmp_path):
    game = "bagh:start_hp=1,max_boost=1"
    play(terminal, tmp_path, game, "--red", "random", "--vs", "random", "--wins", "1").finish()
    here = play(terminal, tmp_path)
    here.expect("watch or analyse the last game")
    here.send("w")
    here.expect("analyse", after=here.expect("Replays"))
    here.send("a")
    at = here.expect("Enter returns to the menu", after=here.expect("Points of 100"))
    here.send("\r")
    at = here.expect("Replays", after=at)
    here.send("q")
    at = here.expect("positions with a proven answer", after=at)
    here.send("p")
    at = here.expect("Ctrl-C returns to the menu.", after=at)
    here.send(CTRL_C)  # which ends what was begun, not the program
    at = here.expect("positions with a proven answer", after=at)
    here.send("q")
    assert here.finish() == 0
    assert here.is_restored
    assert "Traceback" not in here.text


def test_a_game_is_learned_from_the_menu(terminal, tmp_path):
    here = play(terminal, tmp_path)
    here.expect("a game in a few guided rounds")
    here.send("l")
    at = here.expect("Which game? (1 to 4) >", after=here.expect("1  BAGH"))
    here.send("9\r")
    at = here.expect("Type a number from 1 to 4.", after=at)
    here.send("1\r")
    at = here.expect("Round 1 of 3", after=at)
    here.send("g\r")
    at = here.expect("Why:", after=at)
    at = here.expect("Round 2 of 3", after=at)
    here.send("q\r")
    at = here.expect("Enter returns to the menu", after=at)
    here.send("\r")
    here.expect("a game in a few guided rounds", after=at)
    here.send("q")
    assert here.finish() == 0
    assert here.is_restored
    assert "Traceback" not in here.text
