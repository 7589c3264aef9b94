"""docs/bot-protocol.md opens with a game that happens as it says, and shows a bot that works."""

import json
import re
import shlex
import sys
from pathlib import Path

from tests.arena.stage import bot, play

from holmgang.arena.judge.referee import play_games
from holmgang.arena.task import GameTask, JudgeSettings

PAGE = Path(__file__).parents[2] / "docs" / "bot-protocol.md"
SEED = 3  # of the game that is shown
RULESET = "bagh:start_hp=2"


def block(language: str) -> str:
    """The first block of that language in the page."""
    return re.search(rf"^```{language}\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)[1]


def test_the_transcript_is_of_a_real_game(tmp_path):
    shown = block("text").splitlines()
    said = [line[2:] for line in shown if line.startswith("< ")]
    told = [json.loads(line[2:]) for line in shown if line.startswith("> ")]
    settings = JudgeSettings(trust=True, strikes=99, start_ms=60_000, records=str(tmp_path))
    egil = bot("scripted", "\n".join(said))
    tasks = [GameTask(game, RULESET, egil, "random", SEED, settings) for game in ("1", "2")]
    first, second = play_games(tasks)  # it hears of the end at the latest when the next one begins
    heard = "".join(
        (tmp_path / f"{game}.red.stderr.txt").read_text() for game in (first.id, second.id)
    )
    lines = [json.loads(line) for line in heard.splitlines() if line.startswith("{")]
    assert (first.winner, first.red.status) == ("red", "ok")
    assert [without_latency(line) for line in lines[: len(told)]] == list(
        map(without_latency, told)
    )


def without_latency(message: dict) -> dict:
    if message.get("latency_ms") is not None:
        return {**message, "latency_ms": "some"}
    return message


def test_the_bot_that_is_shown_plays(tmp_path):
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "bot.py").write_text(block("python"))
    command = shlex.join([sys.executable, str(tmp_path / "bot" / "bot.py")])
    result = play(command, ruleset="magic-duel")
    assert result.red.status == "ok", result.red


def test_the_manifest_that_is_shown_is_one(tmp_path):
    (tmp_path / "bot.toml").write_text(block("toml").replace("python3", sys.executable))
    (tmp_path / "bot.py").write_text(block("python"))
    assert play(str(tmp_path), ruleset=RULESET).red.status == "ok"
