"""Who is not asked does not run: a bot gets nothing out of its opponent's time, and takes none of
it, wherever its processes are and whenever they would wake.
"""

import time
from pathlib import Path

import pytest
from tests.arena.stage import bot, needs_bubblewrap, play

from holmgang.arena.judge import groups
from holmgang.arena.judge.groups import ControlGroup
from holmgang.arena.judge.process import Process
from holmgang.arena.judge.referee import play_games
from holmgang.arena.task import GameTask, JudgeSettings

SHORT = "bagh:start_hp=2"
PATIENT = {"first_ms": 20_000, "turn_ms": 20_000, "hard_ms": 60_000, "start_ms": 60_000}
UNNOTICED_MS = (
    600  # until stopped, on a busy machine (322 once); a crowd that never stops uses 1,500
)


def can_freeze() -> bool:
    group = ControlGroup()
    freezer = group.freezer
    for folder in group.folders:
        folder.rmdir()
    return freezer is not None


@pytest.fixture(params=["by a control group", "by signals"])
def stopped(request, monkeypatch):
    """How bots are stopped."""
    if request.param == "by signals":
        monkeypatch.setattr(groups, "ROOT", Path("/no/such/folder"))
    elif not can_freeze():
        pytest.skip("needs the right to make control groups: run as root")


def free_ms(results, folder: Path) -> float:
    """Processor time that red, a crowd, has used in these games and was not charged for."""
    charged = sum(sum(result.red.latencies_ms) for result in results)
    said = "".join(path.read_text() for path in folder.glob("*.red.stderr.txt"))
    assert said
    return sum(map(float, said.split())) - charged


def crowd(habit: str, processes: int = 8) -> str:
    return bot("crowd", habit, str(processes))


@pytest.mark.parametrize("trust", [True, pytest.param(False, marks=needs_bubblewrap)])
@pytest.mark.parametrize("habit", ["signal", "timer", "daemon"])
def test_nothing_runs_in_the_opponents_time(stopped, tmp_path, habit, trust):
    settings = JudgeSettings(trust=trust, records=str(tmp_path), **PATIENT)
    result = play(crowd(habit), bot("player", "sleep=500"), SHORT, settings=settings)
    assert (result.red.status, result.blue.status) == ("ok", "ok"), result
    assert free_ms([result], tmp_path) < UNNOTICED_MS


@needs_bubblewrap
def test_nothing_runs_while_a_level_thinks(stopped, tmp_path):
    settings = JudgeSettings(records=str(tmp_path), **PATIENT)
    result = play(crowd("daemon"), "search:500", SHORT, settings=settings)
    assert result.red.status == "ok"
    assert free_ms([result], tmp_path) < UNNOTICED_MS


@needs_bubblewrap
def test_nothing_runs_between_games(stopped, tmp_path):
    settings = JudgeSettings(records=str(tmp_path), **PATIENT)
    red = crowd("daemon")
    results = []
    for result in play_games(GameTask(str(n), SHORT, red, "random", n, settings) for n in range(3)):
        results.append(result)
        time.sleep(1)  # in which it would run
    assert free_ms(results, tmp_path) < UNNOTICED_MS


@needs_bubblewrap
def test_nothing_runs_while_the_opponent_starts(stopped, tmp_path):
    settings = JudgeSettings(records=str(tmp_path), **PATIENT)
    red = crowd("daemon")
    tasks = [
        GameTask("1", SHORT, red, "random", 1, settings),
        GameTask("2", SHORT, red, bot("player", "late=1000"), 2, settings),
    ]
    results = list(play_games(tasks))
    assert {result.blue.status for result in results} == {"ok"}
    assert free_ms(results, tmp_path) < UNNOTICED_MS


def test_who_ponders_runs_in_the_opponents_time(stopped, tmp_path):
    settings = JudgeSettings(trust=True, records=str(tmp_path), ponder=True, **PATIENT)
    result = play(crowd("daemon"), bot("player", "sleep=1000"), SHORT, settings=settings)
    assert result.red.status == "ok"
    assert free_ms([result], tmp_path) > UNNOTICED_MS


@pytest.mark.timed
@needs_bubblewrap
def test_a_crowd_does_not_make_its_opponent_late(stopped):
    """Alone, the opponent needs 100 ms of the core; among 60 others that would be 6 seconds."""
    settings = JudgeSettings(first_ms=2500, turn_ms=2500, hard_ms=2500, start_ms=60_000)
    result = play(crowd("daemon", 58), bot("player", "work=100"), SHORT, settings=settings)
    assert result.blue.status == "ok", result.blue


def test_a_bot_that_was_stopped_is_not_charged_for_it(stopped):
    settings = JudgeSettings(
        trust=True, first_ms=20_000, turn_ms=750, hard_ms=20_000, start_ms=60_000
    )
    slow = bot("player", "sleep=400")
    result = play(slow, slow, SHORT, settings=settings)
    assert (result.red.status, result.blue.status) == ("ok", "ok"), result


def test_a_bot_that_only_waits_is_not_stopped_for_a_fast_opponent(monkeypatch):
    stops = []

    def rest(process):
        stops.append(process)

    monkeypatch.setattr(Process, "rest", rest)
    fast, settings = bot("player"), JudgeSettings(trust=True, start_ms=60_000)
    tasks = [GameTask(str(n), "bagh", fast, fast, n, settings) for n in range(20)]
    answers = sum(len(result.red.latencies_ms) for result in play_games(tasks))
    assert len(stops) < answers / 2


def test_a_process_that_a_bot_has_stopped_itself_stays_stopped(stopped, tmp_path):
    settings = JudgeSettings(trust=True, records=str(tmp_path), **PATIENT)
    result = play(bot("crowd", "never", "2"), bot("player", "sleep=50"), SHORT, settings=settings)
    assert result.red.status == "ok"
    said = (tmp_path / "game.red.stderr.txt").read_text().split()
    assert max(map(float, said)) < 1
