"""A match in lines of text, through pipes."""

import pytest
from tests.terminal.shell import run

from holmgang.engine.record import read, replay
from holmgang.games.catalogue import CATALOGUE


def play(tmp_path, *args, given="", **more):
    return run(tmp_path, "play", *args, "--records", str(tmp_path / "records"), given=given, **more)


def records(tmp_path):
    return sorted((tmp_path / "records").glob("*.jsonl"))


def test_a_game_against_random_from_a_pipe(tmp_path):
    done = play(
        tmp_path, "bagh", "--vs", "random", "--plain", "--seed", "1", given="attack\nguard\n"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Red attacks for 1; Blue tries to heal and is interrupted." in done.stdout
    assert "  g  guard   blocks an attack, and may earn priority" in done.stdout
    assert "The input has ended." in done.stdout
    assert "The match was left at 0 – 0." in done.stdout
    [path] = records(tmp_path)
    assert f"Watch: holmgang replay {path}" in done.stdout
    assert [line["red"] for line in read(path).rounds] == ["attack", "guard"]
    assert replay(path).outcome.reason == "abandoned"


def test_a_whole_match_is_told_to_its_end(tmp_path):
    given = "a\n" * 200
    done = play(tmp_path, "bagh", "--vs", "random", "--seed", "2", "--wins", "2", given=given)
    assert "Game 2" in done.stdout
    assert "Match: Red " in done.stdout
    assert "wins the match 2 – " in done.stdout
    assert all(replay(path).outcome.reason == "hp" for path in records(tmp_path))


def test_a_match_repeats_with_its_seed(tmp_path):
    args = ("bagh", "--vs", "random", "--seed", "3", "--wins", "1")
    one, other = (play(tmp_path, *args, given="a\n" * 50).stdout for _ in range(2))
    assert one.split("Saved:")[0] == other.split("Saved:")[0]


@pytest.mark.parametrize("name", CATALOGUE)
def test_two_levels_play_every_game_through(name, tmp_path):
    done = play(tmp_path, name, "--red", "random", "--vs", "random", "--seed", "1", "--wins", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Round 1  Red: " in done.stdout
    assert "wins the match 1 – 0." in done.stdout
    assert replay(records(tmp_path)[-1]).outcome.winner is not None


@pytest.mark.parametrize(
    ("name", "given", "seen"),
    [
        ("defend-the-city", "32\n", "Red 3/2; Blue "),
        ("defend-the-city", "3/2\n", "Red 3/2; Blue "),
        ("magic-duel", "h7\n", "Red is at 25 hp, shield 7."),
        ("magic-duel", "heal 7\n", "Red is at 25 hp, shield 7."),
        ("fencing", "W\n", "Red walks twice; Blue "),
        ("bagh-advantage", "h\n", "advantage"),
    ],
)
def test_short_forms_and_words(name, given, seen, tmp_path):
    assert seen in play(tmp_path, name, "--vs", "random", "--seed", "4", given=given).stdout


def test_a_wrong_word_is_answered_with_the_right_ones_and_asked_again(tmp_path):
    done = play(tmp_path, "bagh", "--vs", "random", "--seed", "1", given="atack\n\nattack\n")
    told = "That is not a choice here. Choose one of boost, attack, guard or heal."
    assert done.stdout.count(told) == 2
    assert "Round 1  Red: attack" in done.stdout


def test_commands(tmp_path):
    given = "help\n? attack\n/nonsense\nundo\ndraw\nrules\nforfeit\nno\nforfeit\nyes\nquit\n"
    done = play(tmp_path, "bagh", "--vs", "random", "--seed", "1", given=given)
    for seen in (
        "? attack  what a choice would do",
        "against guard: blue priority 0 → 1",
        "There is no command 'nonsense'",
        "There is no choice to take back.",
        "The draw is declined.",
        "heal_limit_per_boost",
        "Red forfeits; Blue wins.",
        "Match: Red 0 – 1 Blue, first to 3",
        "The match was left at 0 – 1.",
    ):
        assert seen in done.stdout
    assert done.stdout.count("Red gives this game up? (yes or no)") == 2
    forfeited, abandoned = records(tmp_path)
    assert replay(forfeited).outcome.winner == "blue"
    assert replay(abandoned).outcome.reason == "abandoned"


def test_the_word_forfeit_is_a_choice_where_the_game_has_it(tmp_path):
    # Red chooses 1/0 until blue is higher, and is asked.
    given = "10\nforfeit\n" * 10
    done = play(tmp_path, "defend-the-city", "--vs", "random", "--seed", "8", given=given)
    assert "Red forfeits the offense." in done.stdout
    assert "gives this game up" not in done.stdout.split("Red forfeits the offense.")[0]


def test_two_people_agree_on_a_draw(tmp_path):
    given = "draw\nmaybe\nno\ndraw\nyes\nquit\n"
    done = play(tmp_path, "bagh", "--vs", "human", given=given)
    assert done.stdout.count("Blue, do you accept a draw? (yes or no)") == 3
    assert "Blue declines." in done.stdout
    assert "Draw by agreement." in done.stdout


def test_undo_before_the_reveal_gives_the_choice_back(tmp_path):
    done = play(tmp_path, "bagh", "--vs", "human", given="attack\nundo\nheal\nboost\nquit\n")
    assert "Red chooses again." in done.stdout
    assert "Round 1  Red: heal  Blue: boost" in done.stdout


def test_input_that_is_no_text_is_only_a_wrong_word(tmp_path):
    done = play(tmp_path, "bagh", "--vs", "random", given=b"\xff\xfe\n\0\nattack\n")
    assert done.returncode == 0
    assert done.stdout.count("That is not a choice here.") == 2


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ((), "which game? There are bagh, bagh-advantage, fencing, "),
        (("bagh",), "against whom? Say --vs and one of human, random"),
        (("bagh", "--vs", "robot"), "nobody is called 'robot'; there are human, random"),
        (("bahg", "--vs", "random"), "no game 'bahg'; did you mean bagh?"),
    ],
)
def test_what_is_missing_or_wrong_is_one_line_and_exit_code_2(args, told, tmp_path):
    done = play(tmp_path, *args)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"holmgang: {told}")
    assert done.stderr.count("\n") == 1


def test_a_folder_that_cannot_be_written_is_told_once_and_play_goes_on(tmp_path):
    (tmp_path / "records").touch()
    args = ("bagh", "--vs", "random", "--seed", "1", "--wins", "2")
    done = play(tmp_path, *args, given="a\n" * 100)
    assert done.returncode == 0
    assert done.stdout.count("This match is not recorded any further") == 1
    assert "wins the match" in done.stdout
    assert "Saved" not in done.stdout


@pytest.mark.parametrize("name", CATALOGUE)
@pytest.mark.parametrize("columns", ["40", "200"])
def test_no_line_is_wider_than_the_terminal(name, columns, tmp_path):
    done = play(
        tmp_path, name, "--vs", "random", "--seed", "1", given="? 1\nhelp\n", COLUMNS=columns
    )
    shown = done.stdout.split("Saved:")[0]
    assert max(map(len, shown.splitlines())) <= int(columns)


def test_without_unicode_plain_characters_stand_for_the_others(tmp_path):
    args = ("bagh", "--vs", "random", "--seed", "1")
    done = play(tmp_path, *args, given="attack\n", PYTHONIOENCODING="ascii")
    assert done.stdout.isascii()
    assert "* * * 3     hp     3 * * *" in done.stdout
    assert "boost 0 -> 1" in done.stdout
