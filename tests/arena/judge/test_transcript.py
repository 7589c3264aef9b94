"""The log of a game: all that a bot was sent and answered, in order, and readable."""

import re

import pytest
from msgspec.structs import replace
from tests.arena.stage import bot, holmgang, play

from holmgang.arena.judge.referee import play_games
from holmgang.arena.task import GameTask, JudgeSettings

LINE = re.compile(r" *(\d+\.\d{3})  (red|blue) +([<>!]) (.*)")


def lines_of(path):
    """Time, seat, mark and text of each line of a log."""
    found = [LINE.fullmatch(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [(float(each[1]), *each.groups()[1:]) for each in found if each]


@pytest.fixture
def settings(tmp_path):
    folders = {"log": str(tmp_path / "log"), "records": str(tmp_path / "records")}
    return JudgeSettings(trust=True, turn_ms=5000, **folders)  # also on a busy machine


def test_every_line_is_logged_with_its_time(settings, tmp_path):
    result = play(bot("player", "echo"), bot("player", "mix"), settings=settings)
    path = tmp_path / "log" / "game.log"
    lines = lines_of(path)
    times = [line[0] for line in lines]
    assert times == sorted(times)
    sent = [text for _, seat, mark, text in lines if (seat, mark) == ("red", ">")]
    echoed = [text for _, seat, mark, text in lines if (seat, mark) == ("red", "!")]
    assert echoed == sent[: len(echoed)]  # what it was sent is what it heard
    assert len(echoed) > result.rounds
    assert [line.split('"')[3] for line in sent[:3]] == ["hello", "new game", "choose"]
    assert '"type":"game over"' in sent[-1]
    answers = [text for _, seat, mark, text in lines if (seat, mark) == ("blue", "<")]
    assert len(answers) == 1 + result.rounds
    assert '"mix"' in answers[-1]
    head, *_, won, red, blue = path.read_text(encoding="utf-8").splitlines()
    assert head.startswith("Game game: bagh, 20")
    assert won == f"{result.winner} wins (hp) after {result.rounds} rounds"
    assert (red, blue) == ("red: ok", "blue: ok")


def test_the_time_of_an_answer_can_be_seen(settings, tmp_path):
    play(bot("player", "sleep=20"), ruleset="bagh:start_hp=1", settings=settings)
    lines = [line for line in lines_of(tmp_path / "log" / "game.log") if '"id"' in line[3]]
    for (asked, *_), (answered, *_) in zip(lines[::2], lines[1::2], strict=True):
        assert answered - asked >= 20


def test_games_are_judged_as_without_a_log(settings, tmp_path):
    echo = bot("player", "echo")
    logged = play(echo, settings=settings)
    stderr = (tmp_path / "records" / "game.red.stderr.txt").read_bytes()
    plain = replace(settings, log=None, records=str(tmp_path / "plain"))
    unlogged = play(echo, settings=plain)
    assert (logged.winner, logged.rounds) == (unlogged.winner, unlogged.rounds)
    without = (tmp_path / "plain" / "game.red.stderr.txt").read_bytes()
    varies = re.compile(rb'"(?:id|latency_ms)":[0-9.]+|{"type":"game over".*\n')
    # ids are random, and what a bot says of the end may be too late to be read
    assert varies.sub(b"", stderr) == varies.sub(b"", without)


def test_each_game_of_a_process_has_its_own_log(settings, tmp_path):
    player, short = bot("player"), "bagh:start_hp=1"
    tasks = [GameTask(name, short, player, "random", 1, settings) for name in ("1", "2")]
    list(play_games(tasks))
    first, second = (
        [text for *_, mark, text in lines_of(tmp_path / "log" / f"{name}.log") if mark == ">"]
        for name in ("1", "2")
    )
    assert '"hello"' in first[0]
    assert '"new game"' in second[0]
    assert '"game over"' in first[-1]


@pytest.mark.parametrize("habit", ["rude", "quit", "illegal"])
def test_a_bot_that_fails_is_logged_to_its_end(habit, settings, tmp_path):
    result = play(bot("player", habit), settings=settings)
    text = (tmp_path / "log" / "game.log").read_text(encoding="utf-8")
    assert '"type":"hello"' in text
    assert f"red: {result.red.status}: {result.red.detail}" in text


def test_control_characters_of_a_bot_are_escaped(settings, tmp_path):
    shout = "import sys; sys.stderr.write('\\x1b[2J'); print('\\x07')"
    play(f'python3 -c "{shout}"', settings=settings)
    text = (tmp_path / "log" / "game.log").read_text(encoding="utf-8")
    assert "\x1b" not in text
    assert "\\x1b[2J" in text


def test_codingames_lines_are_logged_one_by_one(settings, tmp_path):
    play(bot("fencer", "PARRY"), ruleset="fencing", settings=settings)
    first, second, answer = lines_of(tmp_path / "log" / "game.log")[:3]
    assert (first[2:], second[2:]) == (
        (">", "200 20 0 0 20 0 0 0 0 0 0 0"),
        (">", "300 20 0 0 20 0 0 0 0 0 0 0"),
    )
    assert answer[2:] == ("<", "PARRY")


@pytest.mark.parametrize(
    ("command", "names"),
    [
        (("match", "bagh", "random", "dice=random", "--games", 2), ["dice--random--0"]),
        (("tournament", "bagh", "random", "dice=random", "--games", 2), ["dice--random--0"]),
        (("better", "bagh", "random", "dice=random", "--games", 40), ["dice--random--0"]),
        (("check", bot("player"), "bagh", "--trust", "--games", 1), ["self-play-1"]),
    ],
    ids=lambda value: value[0],
)
def test_commands_write_logs(command, names, tmp_path):
    holmgang(*command, "--log", tmp_path / "log", XDG_DATA_HOME=str(tmp_path / "data"))
    assert set(names) <= {path.stem for path in (tmp_path / "log").iterdir()}


def test_a_league_writes_logs_when_it_is_asked_to(tmp_path):
    folder = tmp_path / "winter"
    holmgang("league", "init", folder, "bagh")
    holmgang("league", "add", folder, "random", "dice=random")
    holmgang("league", "run", folder, "--games", 2, "--log", tmp_path / "log")
    assert len(list((tmp_path / "log").glob("*.log"))) == 2


def test_a_folder_that_cannot_be_written_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    command = ("match", "bagh", "random", "random", "--log", tmp_path / "file")
    assert "cannot write logs to" in holmgang(*command, code=2).stderr
