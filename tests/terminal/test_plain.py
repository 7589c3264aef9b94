"""A match in lines of text, from a pipe."""

import io
import sys

import pytest
from tests.terminal.shell import HEALS_TWICE, run

from holmgang.engine.record import read, replay
from holmgang.errors import UsageError
from holmgang.games.catalogue import CATALOGUE
from holmgang.terminal.play import play_match

CHOICES = {"bagh": "b", "fencing": "w", "defend": "32", "magic": "h7"}


@pytest.fixture
def played(tmp_path, monkeypatch, capsys):
    """Plays in this process, with `given` as the input, and gives what was said."""

    def play(name, given="", *, red="human", vs="random", seed=HEALS_TWICE, wins=None, columns=80):
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given.encode())))
        records = tmp_path / "records"
        play_match(name, red=red, blue=vs, wins=wins, seed=seed, records=records, plain=True)
        return capsys.readouterr().out

    return play


def records(tmp_path):
    return sorted((tmp_path / "records").glob("*.jsonl"))


# As a process


def test_a_game_against_random_from_a_pipe(tmp_path):
    folder = str(tmp_path / "records")
    args = ("play", "bagh", "--vs", "random", "--plain", "--seed", str(HEALS_TWICE))
    done = run(tmp_path, *args, "--records", folder, given="attack\nguard\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Blue's heal is lost: Red attacks, and Blue's priority (0)" in done.stdout
    assert "  g  guard   Stops an attack and earns priority 1." in done.stdout
    assert "The input has ended." in done.stdout
    assert "The match was left at 0 – 0." in done.stdout
    [path] = records(tmp_path)
    assert f"Watch:    holmgang replay {path}" in done.stdout
    assert [line["red"] for line in read(path).rounds] == ["attack", "guard"]
    assert not replay(path).is_over


def test_records_go_to_the_data_folder_of_the_user(tmp_path):
    data = tmp_path / "data"
    run(tmp_path, "play", "bagh", "--vs", "random", XDG_DATA_HOME=str(data))
    assert len(list(data.glob("holmgang/records/bagh-*-1.jsonl"))) == 1


def test_input_that_is_no_text_is_only_a_wrong_word(tmp_path):
    done = run(tmp_path, "play", "bagh", "--vs", "random", given=b"\xff\xfe\n\0\nattack\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("That is not a choice here.") == 2


def test_without_unicode_plain_characters_stand_for_the_others(tmp_path):
    args = ("play", "bagh", "--vs", "random", "--seed", "1")
    done = run(tmp_path, *args, given="attack\n", PYTHONIOENCODING="ascii")
    assert done.stdout.isascii()
    assert "* * * 3     hp     3 * * *" in done.stdout
    assert "Boost 0 -> 1" in done.stdout


def test_no_game_is_one_line_on_stderr_and_exit_code_2(tmp_path):
    done = run(tmp_path, "play")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(
        "holmgang: no game given; the games are bagh, bagh-advantage, fencing, "
    )
    assert done.stderr.count("\n") == 1


# In this process


def test_a_whole_match_is_told_to_its_end(played, tmp_path):
    told = played("bagh", "a\n" * 200, seed=2, wins=2)
    assert "Game 2" in told
    assert "Match: Red " in told
    assert "wins the match 2 – " in told
    assert all(replay(path).outcome.reason == "hp" for path in records(tmp_path))


def test_a_drawn_bout_between_two_levels_is_not_played_again(played, tmp_path):
    out = played("fencing:turns=2", red="random")
    assert out.count("2 turns without a point: both are disqualified.") == 1
    assert len(records(tmp_path)) == 1


def test_a_match_repeats_with_its_seed(played):
    one, other = (played("bagh", "a\n" * 50, seed=3, wins=1) for _ in range(2))
    assert one.split("Saved:")[0] == other.split("Saved:")[0]


@pytest.mark.parametrize("name", CATALOGUE)
def test_two_levels_play_every_game_through(name, played, tmp_path):
    told = played(name, red="random", wins=1)
    assert "Round 1  Red: " in told
    assert "wins the match" not in told  # the ending of the game has told it
    assert replay(records(tmp_path)[-1]).outcome.winner is not None


@pytest.mark.parametrize(
    ("name", "given", "seen"),
    [
        ("defend-the-city", "32\n", "Red has offense 3 and defense 2"),
        ("defend-the-city", "3/2\n", "Red has offense 3 and defense 2"),
        ("magic-duel", "h7\n", "Red's shield is now 7."),
        ("magic-duel", "heal 7\n", "Red's shield is now 7."),
        ("fencing", "W\n", "Red walks twice; Blue "),
        ("bagh-advantage", "h\n", "advantage"),
    ],
)
def test_short_forms_and_words(name, given, seen, played):
    assert seen in played(name, given)


def test_a_person_may_play_blue(played):
    told = played("bagh", "h\n", red="random", vs="human")
    assert "Red (random) against Blue (you)" in told
    assert "Blue> " in told
    assert "Blue: heal" in told


def test_a_wrong_word_is_answered_with_the_right_ones_and_asked_again(played):
    told = played("bagh", "atack\n\nattack\n")
    wrong = "That is not a choice here. Choose one of boost, attack, guard or heal."
    assert told.count(wrong) == 2
    assert "Round 1  Red: attack" in told


def test_commands(played, tmp_path):
    given = "help\n? attack\n/nonsense\nundo\ndraw\nrules\nforfeit\nno\nforfeit\nyes\nquit\n"
    told = played("bagh", given)
    for seen in (
        "? attack  what a choice would do",
        "against guard: blue priority 0 → 1",
        "There is no command 'nonsense'",
        "There is no choice to take back.",
        "Blue (random) declines the draw.",
        "heal_limit_per_boost",
        "Red forfeits; Blue wins.",
        "Match: Red 0 – 1 Blue, first to 3",
        "The match was left at 0 – 1.",
    ):
        assert seen in told
    assert told.count("Red: give up this game? (yes or no)") == 2
    forfeited, unfinished = records(tmp_path)
    assert replay(forfeited).outcome.winner == "blue"
    assert not replay(unfinished).is_over


def test_the_word_forfeit_is_a_choice_where_the_game_has_it(played):
    told = played("defend-the-city", "10\nforfeit\n/forfeit\nno\n" * 5, seed=1)
    assert "Red forfeits the offense." in told
    assert "Red: give up this game?" in told
    assert "Red forfeits; Blue wins." not in told


def test_two_people_agree_on_a_draw(played):
    told = played("bagh", "draw\nmaybe\nno\ndraw\nyes\nquit\n", vs="human")
    assert told.count("Blue, do you accept a draw? (yes or no)") == 3
    assert "Blue declines the draw." in told
    assert "Draw by agreement." in told


def test_undo_before_the_reveal_gives_the_choice_back(played):
    told = played("bagh", "attack\nundo\nheal\nboost\nquit\n", vs="human")
    assert "Red chooses again." in told
    assert "Round 1  Red: heal  Blue: boost" in told


@pytest.mark.parametrize(
    ("name", "vs", "told"),
    [
        ("bagh", None, "no opponent given"),
        ("bagh", "robot", "unknown player 'robot'; name a level \\(beginner, easy"),
    ],
)
def test_who_is_missing_or_unknown(name, vs, told, played):
    with pytest.raises(UsageError, match=told):
        played(name, vs=vs)


def test_a_folder_that_cannot_be_written_is_told_once_and_play_goes_on(played, tmp_path):
    (tmp_path / "records").touch()
    told = played("bagh", "a\n" * 100, wins=2)
    assert told.count("This match is not recorded any further") == 1
    assert "wins the match" in told
    assert "Saved" not in told


@pytest.mark.parametrize("name", CATALOGUE)
@pytest.mark.parametrize("columns", [40, 80, 200])
def test_no_line_is_wider_than_the_terminal(name, columns, played):
    choice = next(key for start, key in CHOICES.items() if name.startswith(start))
    told = played(name, f"? {choice}\nhelp\nrules\n" + f"{choice}\n" * 4, columns=columns)
    assert "Round 2" in told
    assert max(map(len, told.split("Saved:")[0].splitlines())) <= columns
