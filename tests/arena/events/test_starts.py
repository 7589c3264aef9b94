"""Starting positions: what a file may hold, which game starts where, and what is refused."""

import json

import pytest
from msgspec.structs import replace
from tests.arena.stage import holmgang

from holmgang.arena.events.entrant import parse_entrant
from holmgang.arena.events.starts import read_starts
from holmgang.arena.events.tournament import MATCH, Contest, ContestPlan, Tournament
from holmgang.arena.task import JudgeSettings
from holmgang.engine import record
from holmgang.errors import UsageError
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.ruleset import load

BAGH = load("bagh")
STARTS = ("3.1.0.0/3.0.0.0", "2.0.0.0/2.1.0.0")
ENTRANTS = tuple(parse_entrant(f"{name}=random", BAGH) for name in ("ann", "bob"))
PLAN = ContestPlan("bagh", MATCH, ENTRANTS, 6, 1, JudgeSettings(), starts=STARTS)


def test_a_file_has_states_as_json_or_in_short_and_comments(tmp_path):
    path = tmp_path / "starts"
    side = {"hp": 2, "boost": 0, "priority": 0, "shield_damage": 0}
    as_json = json.dumps({"red": side, "blue": {**side, "boost": 1}})
    path.write_text(f"# two openings\n\n 3.1.0.0/3.0.0.0  # red is boosted\n{as_json}\n")
    assert read_starts(path, BAGH) == STARTS
    assert read_starts(None, BAGH) == ()


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_game_can_start_at_its_own_start(name, tmp_path):
    ruleset = load(name)
    notation, first = ruleset.game.notation, ruleset.initial()
    as_json = json.dumps(notation.format_state(ruleset.rules, first))
    as_text = notation.format_text(ruleset.rules, first)
    (tmp_path / "starts").write_text(f"{as_json}\n{as_text}\n")
    assert read_starts(tmp_path / "starts", ruleset) == (as_text, as_text)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("3.1.0.0/3.0.0.0\n\nnonsense\n", r"starts, line 3: .*such as 3\.0\.0\.0/3\.0\.0\.0"),
        ('{"red": 1}\n', "line 1: "),
        ("{\n", "line 1: the state is neither JSON nor short text"),
        ("-1.0.0.0/3.0.0.0\n", "line 1: "),
        ("# nothing\n", "has no starting position: .*one state per line"),
        ("3.0.0.0/0.0.0.0", r"line 1: the game is over in this state: red has won \(hp\)"),
    ],
)
def test_bad_lines_are_refused_with_their_number(lines, said, tmp_path):
    (tmp_path / "starts").write_text(lines)
    with pytest.raises(UsageError, match=said):
        read_starts(tmp_path / "starts", BAGH)


def test_each_start_is_used_for_both_seat_orders_before_the_next():
    contest = Contest(PLAN)
    tasks = [contest.task(fixture) for fixture in contest.schedule.due(contest.results())]
    assert [task.start for task in tasks] == [STARTS[0]] * 2 + [STARTS[1]] * 2 + [STARTS[0]] * 2
    assert [task.names[0] for task in tasks] == ["ann", "bob"] * 3
    unswapped = Contest(replace(PLAN, swap=False))
    tasks = [unswapped.task(fixture) for fixture in unswapped.schedule.due(unswapped.results())]
    assert [task.start for task in tasks] == [*STARTS] * 3


def test_other_starts_are_another_plan(tmp_path):
    Tournament(PLAN, tmp_path)
    for starts in ((), STARTS[:1], STARTS[::-1]):
        with pytest.raises(UsageError, match="starting positions of --starts are not the same"):
            Tournament(replace(PLAN, starts=starts), tmp_path)
    Tournament(PLAN, tmp_path)


@pytest.mark.parametrize(
    "command",
    [("match", "--games", 4), ("tournament", "--games", 4), ("better", "--games", 40)],
    ids=lambda value: value[0],
)
def test_records_have_the_start(command, tmp_path):
    (tmp_path / "starts").write_text("\n".join(STARTS))
    verb, *options = command
    out = tmp_path / "cup"
    holmgang(
        *(verb, "bagh", "random", "dice=random", *options),
        *("--starts", tmp_path / "starts", "--out", out),
    )
    for number, start in enumerate(STARTS):
        for name in (f"random--dice--{number}", f"dice--random--{number}"):
            read = record.read(out / "records" / f"{name}.jsonl")
            state = BAGH.game.notation.parse_state(BAGH.rules, read.header["start"])
            assert BAGH.game.notation.format_text(BAGH.rules, state) == start
            assert record.replay(read).outcome is not None


def test_nothing_is_played_from_a_bad_file(tmp_path):
    (tmp_path / "starts").write_text("3.1.0.0/3.0.0.0\n3.1\n")
    command = ("match", "bagh", "random", "random", "--starts", tmp_path / "starts")
    assert "starts, line 2: " in holmgang(*command, "--out", tmp_path / "cup", code=2).stderr
    assert not (tmp_path / "cup").exists()
