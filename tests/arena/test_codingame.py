"""Fencing's published protocol: what is sent, what is an answer, how a bad one ends the game."""

import pytest
from msgspec.structs import replace
from tests.arena.stage import TRUSTED, bot, play

from holmgang.arena import codingame
from holmgang.arena.codingame import parse_answer, transcript
from holmgang.engine import record
from holmgang.errors import ChoiceError, UsageError
from holmgang.games.fencing.rules import Fencer, State
from holmgang.games.ruleset import load

FENCING = load("fencing")
FIRST_TURN = ["200 20 0 0 20 0 0 0 0 0 0 0", "300 20 0 0 20 0 0 0 0 0 0 0"]


def test_f16_twelve_numbers_in_the_printed_order_own_line_first():
    red = Fencer(210, 11, 3, 4, 25, 10, 5, 20, 15, 30, 35, -5, False)
    blue = Fencer(290, 19, 1, 0, 20, 0, 0, 0, 0, 0, 0, 0, False)
    state = State(7, red, blue)
    assert codingame.format_turn(FENCING, state, 0).splitlines() == [
        "210 11 3 4 25 10 5 20 15 30 35 -5",
        "290 19 1 0 20 0 0 0 0 0 0 0",
    ]
    assert codingame.format_turn(FENCING, state, 1).splitlines() == [  # itself at the left
        "210 19 1 0 20 0 0 0 0 0 0 0",
        "290 11 3 4 25 10 5 20 15 30 35 -5",
    ]


@pytest.mark.parametrize("line", ["WALK", "WALK ", "WALK    "])
def test_f16_blanks_after_the_word_are_accepted(line):
    assert parse_answer(FENCING, line) == 1


@pytest.mark.parametrize(
    "line",
    [
        "",
        " ",
        "walk",
        "Walk",
        " WALK",
        "WALK\t",
        "WALK LUNGE",
        "WALK!",
        "WALKS",
        "1",
        "WALK\n",
        "\uff37ALK",
    ],
)
def test_f16_anything_else_is_invalid(line):
    with pytest.raises(ChoiceError):
        parse_answer(FENCING, line)


@pytest.mark.parametrize(
    ("league", "word", "is_known"),
    [
        (1, "PARRY", True),
        (1, "DOUBLE_WALK", False),
        (2, "DOUBLE_RETREAT", True),
        (2, "LUNGE_DRUG", False),
        (3, "BREAK_DRUG", True),
    ],
)
def test_f16_a_word_of_a_higher_league_is_invalid(league, word, is_known):
    [turn] = transcript(f"fencing:league={league}", [(word, "BREAK")])
    assert (turn.invalid == []) == is_known


def test_a_turn_and_a_respawn():
    turns = transcript("fencing", [("WALK", "WALK"), ("WALK", "WALK"), ("LUNGE", "BREAK")])
    assert turns[0].sent == {"red": FIRST_TURN, "blue": FIRST_TURN}
    assert turns[1].sent["red"] == ["220 19 0 0 20 0 0 0 0 0 0 0", "280 19 0 0 20 0 0 0 0 0 0 0"]
    assert turns[2].sent["blue"] == ["240 18 0 0 20 0 0 0 0 0 0 0", "260 18 0 0 20 0 0 0 0 0 0 0"]
    assert turns[2].state["turn"] == 4  # F6: the touch uses a turn in which nobody is asked
    assert turns[2].state["red"]["score"] == 1


@pytest.mark.parametrize(
    ("answers", "invalid", "points"),
    [
        (("WALK", "walk"), ["blue"], {"red": 1, "blue": -1}),
        (("", "WALK"), ["red"], {"red": -1, "blue": 1}),
        (("x", "y"), ["red", "blue"], {"red": -1, "blue": -1}),
    ],
)
def test_f14_f16_a_bad_answer_ends_the_game_unplayed(answers, invalid, points):
    [turn] = transcript("fencing", [answers, ("WALK", "WALK")])
    assert turn.invalid == invalid
    assert turn.outcome["reason"] == "invalid"
    assert turn.outcome["points"] == points
    assert turn.state["turn"] == 0


def test_only_fencing_has_it():
    with pytest.raises(UsageError):
        transcript("bagh", [("ATTACK", "GUARD")])


# The same through processes


def test_a_codingame_bot_runs_unchanged_and_is_sent_what_the_transcript_says(tmp_path):
    red, blue = ["WALK", "WALK  ", "LUNGE", "BREAK"], ["WALK", "RETREAT\\r", "PARRY", "BREAK"]
    settings = replace(TRUSTED, records=str(tmp_path))
    result = play(bot("fencer", *red), bot("fencer", *blue), "fencing", settings=settings)
    assert (result.red.status, result.blue.status, result.rounds) == ("ok", "ok", 200)
    answers = [("WALK", "WALK"), ("WALK  ", "RETREAT"), ("LUNGE", "PARRY"), *[("BREAK",) * 2] * 300]
    turns = transcript("fencing", answers)
    assert len(turns) == result.rounds
    for seat in ("red", "blue"):
        told = (tmp_path / f"game.{seat}.stderr.txt").read_text(encoding="utf-8").splitlines()
        assert told == ["|".join(turn.sent[seat]) for turn in turns]
    assert record.replay(result.record).outcome.reason == result.reason


def test_f14_an_invalid_answer_in_a_record(tmp_path):
    settings = replace(TRUSTED, records=str(tmp_path))
    result = play(bot("fencer", "WALK", "lunge"), "random", "fencing", settings=settings)
    assert (result.winner, result.reason, result.rounds) == ("blue", "invalid", 1)
    assert result.red.status == "invalid"
    assert "'lunge'" in result.red.detail
    replayed = record.replay(result.record).outcome
    assert replayed.points == {"red": -1, "blue": 1}


def test_both_answers_are_read_before_either_is_judged():
    result = play(bot("fencer", "nonsense"), bot("fencer", "sleep?"), "fencing")
    assert (result.winner, result.red.status, result.blue.status) == (None, "invalid", "invalid")
    assert len(result.blue.latencies_ms) == 1


def test_a_bot_that_speaks_json_is_told_how_to_say_so():
    hello = '{"name": "x"}'
    result = play(bot("fencer", hello), "random", "fencing")
    assert "json:" in result.red.detail


def test_an_answer_ahead_of_time_is_the_answer_to_the_next_turn(tmp_path):
    settings = replace(TRUSTED, records=str(tmp_path))
    result = play(bot("fencer", "WALK\\nBREAK", "BREAK"), "random", "fencing", settings=settings)
    assert [line["red"] for line in record.read(result.record).rounds[:2]] == ["walk", "break"]
