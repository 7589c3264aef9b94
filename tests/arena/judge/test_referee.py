"""Whole games with bots that behave, and with bots that do not: who wins, and how it is told."""

import json
import os
import re
import shlex
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.arena.folders import bot_folder
from tests.arena.stage import TRUSTED, bot, mark, play, processes_with

from holmgang.arena.judge.referee import file_name, play_games
from holmgang.arena.task import GameTask, JudgeSettings
from holmgang.engine import record
from holmgang.engine.duel import Duel
from holmgang.engine.keys import derive, draw
from holmgang.errors import UsageError
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.contract import SEATS
from holmgang.games.ruleset import load
from holmgang.players import find_level
from holmgang.players.naming import find_player

BAGH = load("bagh")


@pytest.mark.parametrize("ruleset", CATALOGUE)
def test_a_game_of_levels_is_the_duel_it_would_be_elsewhere(ruleset, tmp_path):
    settings = JudgeSettings(records=str(tmp_path))
    duel = Duel(ruleset, seed=5)
    players = {
        name: find_level("random").sit(seat, duel.key(name)) for seat, name in enumerate(SEATS)
    }
    while not duel.is_over:
        for seat in duel.waiting_for:
            duel.choose(seat, duel.ruleset.word(players[seat].choose(duel.course)))
        duel.reveal()
    result = play("random", "random", ruleset, seed=5, settings=settings)
    assert (result.winner, result.reason) == (duel.outcome.winner, duel.outcome.reason)
    replayed = record.replay(result.record)
    assert replayed.outcome == duel.outcome
    assert replayed.story == duel.story


@pytest.mark.parametrize("ruleset", ["bagh", "defend-the-city", "magic-duel"])
def test_the_record_of_a_bots_game_replays(ruleset, tmp_path):
    settings = replace(TRUSTED, records=str(tmp_path))
    result = play(bot("player"), bot("player", "mix"), ruleset, settings=settings)
    assert (result.red.status, result.blue.status) == ("ok", "ok")
    read = record.read(result.record)
    assert record.replay(read).outcome.winner == result.winner
    assert len(read.rounds) == result.rounds
    assert read.header["seats"]["red"]["name"] == "player"
    assert read.header["seats"]["red"]["author"] == "tests"


def test_a_mix_is_sampled_with_the_key_of_its_seat_and_recorded(tmp_path):
    settings = replace(TRUSTED, records=str(tmp_path))
    seed = 77
    result = play(bot("player", "mix"), "random", seed=seed, settings=settings)
    for line in record.read(result.record).rounds:
        assert line["mix"] == {"red": {"boost": 3, "heal": 1}}
        picked = "boost" if draw(derive(seed, "red"), line["round"]) / 2**64 < 0.75 else "heal"
        assert line["red"] == picked


FAILURES = {
    "illegal": ("invalid", "'surrender' is not a choice"),
    "early": ("invalid", "it answers request "),
    "twice": ("invalid", "it answers request "),
    "rude": ("invalid", "Expected `int` <= 1 - at `$.protocol`"),
    "quit": ("crash", "exit code 3"),
    "forfeit": ("forfeit", "gave up"),
}


@pytest.mark.parametrize("habit", FAILURES)
@pytest.mark.parametrize("seat", ["red", "blue"])
def test_statuses_are_not_merged_and_the_other_wins(habit, seat, tmp_path):
    settings = replace(TRUSTED, records=str(tmp_path))
    players = {"red": "random", "blue": "random", seat: bot("player", habit)}
    result = play(**players, settings=settings)
    status, told = FAILURES[habit]
    report, other = (result.red, result.blue) if seat == "red" else (result.blue, result.red)
    assert (report.status, other.status) == (status, "ok")
    assert told in report.detail
    assert (result.winner, result.reason) == ({"red": "blue", "blue": "red"}[seat], status)
    assert record.replay(result.record).outcome.winner == result.winner


def test_f17_late_is_timeout():
    settings = JudgeSettings(trust=True, turn_ms=30)
    result = play(bot("player", "sleep=60"), settings=settings)
    assert (result.red.status, result.winner, result.rounds) == ("timeout", "blue", 1)
    assert result.red.latencies_ms[-1] > 30


def test_f17_the_first_answer_has_its_own_limit():
    settings = JudgeSettings(trust=True, first_ms=20)
    result = play(bot("player", "sleep=40"), settings=settings)
    assert (result.red.status, result.rounds) == ("timeout", 0)


def test_no_hello_is_timeout():
    result = play(bot("player", "silent"), settings=JudgeSettings(trust=True, start_ms=300))
    assert (result.red.status, result.rounds) == ("timeout", 0)


def test_strikes_let_late_answers_pass():
    settings = JudgeSettings(trust=True, turn_ms=5, strikes=3)
    result = play(bot("player", "sleep=15"), settings=settings)
    assert (result.red.status, result.red.strikes) == ("timeout", 3)
    assert result.rounds == 4  # the first answer is not late
    patient = play(
        bot("player", "sleep=15"), settings=JudgeSettings(trust=True, turn_ms=5, strikes=999)
    )
    assert patient.red.status == "ok"


def told_in(folder, seat="red"):
    """What the bot in that seat was told, if it echoes that."""
    said = (folder / f"game.{seat}.stderr.txt").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in said if line.startswith("{")]


def test_all_answers_of_a_game_share_a_budget(tmp_path):
    settings = replace(TRUSTED, game_ms=200, records=str(tmp_path))
    result = play(bot("player", "sleep=30", "echo"), settings=settings)
    assert (result.red.status, result.winner) == ("timeout", "blue")
    *before, last = result.red.latencies_ms
    assert sum(before) <= 200 < sum(before) + last
    assert last < TRUSTED.turn_ms  # its own limit has not been broken
    assert re.search(r"(left of|was left of) 200 for the game$", result.red.detail)


def test_a_bot_is_told_what_is_left_for_the_game(tmp_path):
    settings = replace(TRUSTED, game_ms=200, records=str(tmp_path))
    result = play(bot("player", "sleep=30", "echo"), settings=settings)
    kinds = ("new game", "choose")
    new_game, *requests = [each for each in told_in(tmp_path) if each["type"] in kinds]
    assert new_game["game_ms"] == 200
    left = 200.0
    for request, charged in zip(requests, (0.0, *result.red.latencies_ms), strict=False):
        left -= charged
        assert request["game_left_ms"] == pytest.approx(left, abs=0.01)
        assert request["time_ms"] == pytest.approx(left, abs=0.01)  # less than its own limit


def test_without_a_budget_nothing_is_said_of_one(tmp_path):
    play(bot("player", "echo"), settings=replace(TRUSTED, records=str(tmp_path)))
    assert not any("game" in key for each in told_in(tmp_path) for key in each)


def test_every_game_has_the_whole_budget(tmp_path):
    settings = replace(TRUSTED, game_ms=1500)
    slow, prey = (bot_folder(tmp_path / name, name) for name in ("attack", "boost"))
    program = (
        (slow / "bot.py")
        .read_text()
        .replace("choices =", "import time; time.sleep(0.16)\n        choices =", 1)
    )
    (slow / "bot.py").write_text(program)
    tasks = [
        GameTask(str(number), "bagh:start_hp=1", str(slow), str(prey), number, settings)
        for number in range(10)
    ]
    results = list(play_games(tasks))
    assert {(result.red.status, result.rounds) for result in results} == {("ok", 1)}
    assert sum(sum(result.red.latencies_ms) for result in results) > 1500


def test_strikes_do_not_lengthen_the_budget():
    settings = JudgeSettings(trust=True, turn_ms=5, strikes=999, game_ms=60)
    result = play(bot("player", "sleep=15"), settings=settings)
    assert result.red.status == "timeout"
    assert result.red.strikes <= 3
    silent = play(bot("player", "sleep=5000"), settings=settings)
    assert silent.red.detail == "no answer within 60 ms, all that was left of 60 for the game"


def test_the_hard_limit_holds_within_a_budget():
    settings = JudgeSettings(trust=True, first_ms=100, hard_ms=100, game_ms=5000, strikes=9)
    result = play(bot("player", "sleep=3000"), settings=settings)
    assert result.red.status == "timeout"
    assert "game" not in result.red.detail


def test_codingames_protocol_has_the_budget_too():
    settings = JudgeSettings(trust=True, turn_ms=40, first_ms=2000, game_ms=30)
    result = play(bot("timed_fencer", "sleep=20"), ruleset="fencing", settings=settings)
    assert result.red.status == "timeout"
    assert "30 for the game" in result.red.detail


def test_a_game_starts_where_it_is_told_to(tmp_path):
    settings = replace(TRUSTED, records=str(tmp_path))
    start = "1.2.0.0/3.0.0.0"
    echo = bot("player", "echo")
    [result] = play_games([GameTask("game", "bagh", echo, "greedy", 1, settings, start=start)])
    first = next(each for each in told_in(tmp_path) if each["type"] == "choose")
    assert (first["round"], first["last"]) == (1, None)
    assert (first["state"]["red"]["hp"], first["state"]["red"]["boost"]) == (1, 2)
    read = record.read(result.record)
    assert read.header["start"] == first["state"]
    assert record.replay(read).outcome.winner == result.winner


def test_answers_to_requests_that_are_over_are_dropped_and_counted():
    result = play(bot("player", "stale"))
    assert (result.red.status, result.red.dropped) == ("ok", result.rounds)


def test_both_fail():
    result = play(bot("player", "illegal"), bot("player", "rude"))
    assert (result.winner, result.reason) == (None, "invalid")
    given_up = play(bot("player", "forfeit"), bot("player", "forfeit"))
    assert (given_up.winner, given_up.reason) == (None, "agreement")
    worst = play(bot("player", "illegal"), bot("player", "quit"), seed=1)
    assert (worst.winner, worst.reason) == ("blue", "invalid")


def test_a_program_that_is_no_bot():
    result = play("true")
    assert (result.red.status, result.winner) == ("crash", "blue")
    assert "exit code 0" in result.red.detail


# Processes go on from game to game


def stderr_of(folder: Path, game: str, seat: str) -> str:
    return (folder / f"{game}.{seat}.stderr.txt").read_text(encoding="utf-8")


def test_a_json_bot_plays_many_games_in_one_process(tmp_path):
    settings = replace(TRUSTED, records=str(tmp_path))
    mine, yours, short = bot("player", "echo", "pid"), bot("player"), "bagh:start_hp=1"
    tasks = [
        GameTask("1", short, mine, yours, 1, settings),
        GameTask("2", short, yours, mine, 1, settings),
        GameTask("3", short, yours, mine, 2, settings),
    ]
    assert [result.red.status for result in play_games(tasks)] == ["ok"] * 3
    first, second, third = (
        stderr_of(tmp_path, *game) for game in (("1", "red"), ("2", "blue"), ("3", "blue"))
    )
    assert '"hello"' in first
    assert '"hello"' not in second
    assert '"game over"' in second + third  # it may say so when the next game has begun
    assert '"seat":"blue"' in second
    assert not second.splitlines()[0].isdigit()  # its process number, which it says when it starts


def test_a_codingame_bot_has_a_process_for_each_game():
    fencer = bot("fencer", "BREAK", "WALK", "WALK")
    results = play_games(
        [GameTask(str(n), "fencing", fencer, "random", n, TRUSTED) for n in (1, 2)]
    )
    assert [result.red.status for result in results] == ["ok", "ok"]


def test_a_bot_that_failed_starts_anew():
    tasks = [GameTask(str(n), "bagh", bot("player", "quit"), "random", n, TRUSTED) for n in (1, 2)]
    assert [result.red.status for result in play_games(tasks)] == ["crash", "crash"]


def test_a_bot_against_itself_is_two_processes():
    result = play(bot("player"), bot("player"))
    assert (result.red.status, result.blue.status) == ("ok", "ok")


def test_nothing_is_left_when_it_is_closed_early():
    word = mark()
    games = play_games([GameTask("1", "bagh", bot("player", word), "random", 1, TRUSTED)] * 5)
    next(games)
    assert len(processes_with(word)) == 1
    games.close()
    assert processes_with(word) == []


# Who takes part


def test_players(tmp_path):
    (tmp_path / "bot.toml").write_text('command = "python3 -u main.py"\n')
    found = find_player(str(tmp_path), BAGH)
    assert (found.name, found.command) == (tmp_path.name, ("python3", "-u", "main.py"))
    assert (found.folder, found.own, found.protocol) == (str(tmp_path),) * 2 + ("json",)
    assert find_player("random", BAGH).name == "random"
    script = tmp_path / "main.py"
    script.touch()
    assert find_player(f"python3 {script}", BAGH).own == str(tmp_path)


@pytest.mark.parametrize(
    ("prefix", "said", "ruleset", "spoken"),
    [
        ("", "", "bagh", "json"),
        ("", "", "fencing:league=1", "codingame"),
        ("json:", "", "fencing", "json"),
        ("", "json", "fencing", "json"),
        ("codingame:", "json", "fencing-codingame", "codingame"),
    ],
)
def test_which_protocol_is_spoken(prefix, said, ruleset, spoken, tmp_path):
    protocol = f'protocol = "{said}"\n' if said else ""
    (tmp_path / "bot.toml").write_text(f'command = "true"\n{protocol}')
    assert find_player(f"{prefix}{tmp_path}", load(ruleset)).protocol == spoken


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("rndom", r"unknown player 'rndom'; did you mean random\?$"),
        ("serach:50", r"unknown player 'serach:50'; did you mean search\?$"),
        ("human", "only levels and bots can play here; people play with holmgang play"),
        ("", "does not name a player"),
        ("json:", "does not name a player"),
        ("no-such-program bot.py", "no program 'no-such-program'"),
        ("python3 'bot.py", "not a command line"),
        ("codingame:python3 bot.py", "for fencing"),
        (".", "no bot.toml"),
        ("x" * 5000, "unknown player"),
        (f"python3 -c '{'1;' * 6000}'", "longer than 10,000"),
    ],
)
def test_who_is_nobody(text, told):
    with pytest.raises(UsageError, match=told):
        find_player(text, BAGH)


@pytest.mark.parametrize(
    "text",
    [
        "command = 7",
        "name = 1",
        "command = []",
        "x",
        'protocol = "morse"',
        'command = "python3 \'bot.py"',
    ],
)
def test_a_folder_that_is_not_quite_a_bot(text, tmp_path):
    (tmp_path / "bot.toml").write_text(f"{text}\n")
    with pytest.raises(UsageError, match=r"bot\.toml"):
        find_player(str(tmp_path), BAGH)


def test_a_command_that_no_system_can_run(tmp_path):
    (tmp_path / "bot.toml").write_text('command = ["python3", "-c", "\\u0000"]\n')
    with pytest.raises(UsageError, match="NUL"):
        find_player(str(tmp_path), BAGH)


def test_what_is_no_file_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "bot.toml")
    with pytest.raises(UsageError, match=r"no bot\.toml"):
        find_player(str(tmp_path), BAGH)


def test_a_long_command_line_is_no_file():
    words = "python3", "-c", "1;" * 3000
    assert find_player(shlex.join(words), BAGH).command == words


# Results and records


def test_a_record_is_written_again_and_its_name_is_safe(tmp_path):
    settings = replace(TRUSTED, records=str(tmp_path))
    tasks = [GameTask("../a b/ü", "bagh", "random", "random", 1, settings)] * 2
    first, second = play_games(tasks)
    assert first.record == second.record
    assert Path(first.record).parent == tmp_path
    assert [path.name for path in tmp_path.iterdir()] == ["_a_b_ü.jsonl"]
    assert file_name("..") == "game"


def test_a_folder_that_cannot_be_written_to(tmp_path):
    (tmp_path / "taken").touch()
    with pytest.raises(UsageError, match="cannot write"):
        play("random", "random", settings=JudgeSettings(records=str(tmp_path / "taken")))
