"""`holmgang check`: what is found in sound bots, broken ones and hostile ones."""

import json
import sys
from pathlib import Path

import pytest
from tests.arena.stage import bot, holmgang, needs_bubblewrap, refused

from holmgang.arena.task import JudgeSettings, SeatReport
from holmgang.arena.workshop.check import Checkup
from holmgang.arena.workshop.unusual import unusual_probes
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.contract import SEATS
from holmgang.games.ruleset import load

STUMBLES = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    kind = message["type"]
    if kind not in ("hello", "new game", "choose", "game over"):
        sys.exit(f"nobody told me of {kind}")
    if kind == "hello":
        print('{"name": "strict", "author": "tests", "protocol": 1}', flush=True)
    elif kind == "choose":
        if message["round"] >= WORST:
            sys.exit("I did not think of that")
        print(json.dumps({"id": message["id"], "choice": message["choices"][1]}), flush=True)
"""


PATIENT = ("--first-ms", "60000", "--turn-ms", "60000", "--hard-ms", "60000")


def check(text: str, game: str = "bagh", *options: str, code: int) -> dict:
    options = ("--seed", "1", "--games", "2", "--trust", "--json", *PATIENT, *options)
    done = holmgang("check", text, game, *options, code=code)
    assert done.stderr == ""
    told = json.loads(done.stdout)
    assert told["is_sound"] == (code == 0) == (not told["disqualified_for"])
    told["status"] = {each["check"]: each["status"] for each in told["checks"]}
    return told


def strict(tmp_path: Path, worst: int) -> str:
    """A bot that knows neither later versions nor rounds from `worst` on."""
    (tmp_path / "strict.py").write_text(STUMBLES.replace("WORST", str(worst)))
    return f"{sys.executable} {tmp_path / 'strict.py'}"


@needs_bubblewrap
def test_a_sound_bot_in_the_sandbox():
    done = holmgang(
        "check", f"rival={bot('player')}", "bagh", "--games", "2", "--seed", "1", *PATIENT, code=0
    )
    assert "player by tests" in done.stdout
    assert done.stdout.splitlines()[-1] == "sound"


def test_a_sound_bot_as_json():
    told = check(bot("player", "mix"), "magic-duel", code=0)
    assert told["verdict"] == "sound"
    assert (told["name"], told["author"], told["protocol"]) == ("player", "tests", "json")
    assert set(told["status"].values()) == {"ok"}
    first, others = told["times"]["first"], told["times"]["others"]
    assert (first["answers"], first["allowed_ms"], others["allowed_ms"]) == (6, 60_000, 60_000)
    assert others["answers"] > 0
    assert set(others["latency_ms"]) == {"p50", "p90", "p99", "max"}
    assert len(told["slowest"]) == 3


def test_a_sound_fencer():
    told = check(bot("fencer", "PARRY"), "fencing:league=1", code=0)
    assert told["protocol"] == "codingame"
    assert set(told["status"]) == {"self-play", "against random", "unusual states", "time"}


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("text", "reason", "where"),
    [
        (bot("player", "illegal"), "invalid", "self-play"),
        (bot("player", "early"), "invalid", "self-play"),
        (bot("player", "quit"), "crash", "self-play"),
        (bot("player", "rude"), "invalid", "hello"),
        (bot("player", "sleep=60"), "timeout", "time"),
        (bot("hostile", "long_line"), "invalid", "self-play"),
        (bot("hostile", "many_lines"), "invalid", "against random"),
        ("true", "crash", "hello"),
        ("yes", "invalid", "hello"),
        ("sh -c 'head -c 100000 /dev/urandom'", "invalid", "hello"),
    ],
)
def test_what_a_bot_would_be_disqualified_for(text, reason, where):
    limits = ("--turn-ms", "50") if reason == "timeout" else ()
    told = check(text, "bagh", *limits, code=1)
    assert list(told["disqualified_for"]) == [reason]
    assert told["status"][where] == "fault"
    assert reason in told["verdict"]


def test_silence():
    told = check("sleep 60", "fencing", "--first-ms", "100", code=1)
    assert list(told["disqualified_for"]) == ["timeout"]
    assert told["status"]["unusual states"] == "skipped"
    assert "is every line flushed?" in told["checks"][0]["details"][0]


@pytest.mark.parametrize(
    ("habit", "where"),
    [("stale", "extra answers"), ("forfeit", "self-play")],
)
def test_what_is_only_noted(habit, where):
    told = check(bot("player", habit), "bagh:start_hp=1", code=0)
    assert told["status"][where] == "warning"
    assert told["verdict"].startswith("sound, with ")


@pytest.mark.parametrize(
    ("ms", "status"), [(40.0, "ok"), (40.1, "warning"), (50.0, "warning"), (50.1, "fault")]
)
def test_a_time_close_to_its_limit_is_noted(ms, status):
    checkup = Checkup("true", load("bagh"), games=1, seed=1, settings=JudgeSettings(turn_ms=50))
    report = SeatReport(latencies_ms=[50.1, 1.0, ms], wall_ms=[60.0, 1.0, 60.0])
    checkup.times.add(report, "game 1, red")  # the first answer of a game has its own limit
    [remark] = checkup._look_at_times(lambda _: None)
    assert (remark.check, remark.status) == ("time", status)
    assert f"at worst {ms} ms of 50" in remark.told


def test_edges_of_the_game_and_later_versions(tmp_path):
    """It plays sound games, as they are short here; a long one would have found it out."""
    told = check(strict(tmp_path, worst=9), "bagh:start_hp=1", code=1)
    assert told["status"]["unusual states"] == "fault"
    assert told["status"]["self-play"] == told["status"]["against random"] == "ok"
    assert told["status"]["later versions"] == "warning"
    [faults] = [each["details"] for each in told["checks"] if each["check"] == "unusual states"]
    assert "stderr: I did not think of that" in faults


def test_for_people_what_went_wrong_is_told_with_the_words_of_the_bot(tmp_path):
    done = holmgang("check", strict(tmp_path, worst=2), "bagh", "--trust", "--seed", "1", code=1)
    assert "crash in game 1, round 2, as red" in done.stdout
    assert done.stdout.count("stderr: I did not think of that") == 1
    assert done.stdout.splitlines()[-1].startswith("would be disqualified for crash (")


def test_a_bot_cannot_write_to_the_terminal(tmp_path):
    (tmp_path / "bot.py").write_text("import sys; sys.exit('\\x1b[2J')")
    done = holmgang("check", f"{sys.executable} {tmp_path / 'bot.py'}", "bagh", "--trust", code=1)
    assert "\x1b" not in done.stdout
    assert "\\x1b[2J" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("random", "bagh"), "is a built-in level"),
        (("no-such-bot x", "bagh"), "no program 'no-such-bot'"),
        (("true x", "bahg"), "did you mean bagh?"),
        (("bagh", "my bot"), "the bot comes first: holmgang check 'my bot' bagh"),
        (("true x", "bagh", "--build"), "--build needs a folder"),
        (("true x", "bagh", "--hard-ms", "10"), "--hard-ms"),
    ],
)
def test_refusals(arguments, told):
    assert told in refused("check", *arguments)


def test_build_comes_first(tmp_path):
    player = Path(bot("player").split()[1]).read_text()
    (tmp_path / "bot.py").write_text(player)
    manifest = f'command = "{sys.executable} built.py"\nbuild = "cp bot.py built.py"\n'
    (tmp_path / "bot.toml").write_text(manifest)
    assert check(str(tmp_path), code=1)["status"]["build"] == "warning"
    assert "build" not in check(str(tmp_path), "bagh", "--build", code=0)["status"]


@pytest.mark.parametrize("name", CATALOGUE)
def test_unusual_probes_are_open_and_the_same_for_a_seed(name):
    ruleset = load(name)
    questions = unusual_probes(ruleset, seed=3, most=30)
    assert 10 < len(questions) <= 30
    assert {SEATS[each.seat] for each in questions} == set(SEATS)
    for each in questions:
        assert ruleset.outcome(each.state) is None
        assert ruleset.choices(each.state, each.seat)
    assert unusual_probes(ruleset, seed=3, most=30) == questions
    assert unusual_probes(ruleset, seed=4, most=30) != questions
