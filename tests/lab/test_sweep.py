"""Sweeps and aims: the same numbers as single reports, kept, and bad input refused in a line."""

import csv
import json
import re
from collections import OrderedDict

import pytest
from tests import forked
from tests.lab.test_balance import HERE

import holmgang
from holmgang.errors import RulesetError, UsageError
from holmgang.games.ruleset import load
from holmgang.lab import sweep as sweeping
from holmgang.lab import sweep_measures as measures
from holmgang.lab.aims import Aim, find_settings, parse_aim, parse_vary, parse_wanted
from holmgang.lab.aims_report import aims_page
from holmgang.lab.balance import balance
from holmgang.lab.sweep import parse_sweep, sweep
from holmgang.lab.sweep_report import sweep_page
from holmgang.solver.exact.solve import solve_whole
from holmgang.solver.exact.table import tabulate

SMALL = "bagh:max_boost=2,heal_limit=3"


@pytest.fixture
def tables(tmp_path, monkeypatch):
    monkeypatch.setenv("HOLMGANG_TABLES", str(tmp_path))
    return tmp_path


@pytest.fixture(scope="module")
def walks():
    """The walk takes steps² rounds, and each side is as likely to win."""
    game = holmgang.load(str(HERE / "walk.py"))
    return sweep(game, {"steps": [1, 2, 3, 4]}, measures=["value", "red", "length", "dice"])


def test_a_game_in_one_file_is_swept(walks):
    assert [cell.measures["length"] for cell in walks.cells] == pytest.approx([1, 4, 9, 16])
    assert [cell.measures["red"] for cell in walks.cells] == pytest.approx([0.5] * 4)
    assert walks.today == {"steps": 3}


def test_a_cell_has_the_numbers_of_the_report(tables):
    found = sweep(SMALL, {"start_hp": [1, 2]}, measures=["draws", "comebacks", "use.heal"])
    for cell in found.cells:
        report = balance(cell.ruleset)
        numbers = cell.measures
        assert numbers["red"] == pytest.approx(report.endings.red)
        assert numbers["draws"] == pytest.approx(report.endings.draw)
        assert numbers["length"] == pytest.approx(report.length.mean)
        assert numbers["dice"] == pytest.approx(report.luck.dice)
        assert numbers["open"] == pytest.approx(report.red.open_choices)
        assert numbers["comebacks"] == pytest.approx(report.tension.comeback)
        uses = {each.choice: each.use for each in report.red.choices}
        assert numbers["use.heal"] == pytest.approx(uses["heal"])


def test_both_seats_of_an_unequal_game(tables):
    game = "defend-the-city:stamina=2,max_score=1"
    (cell,) = sweep(game, {"soldiers": [2]}, measures=["value", "red"]).cells
    report = balance(cell.ruleset)
    assert cell.measures["value"] == pytest.approx(report.value.value)
    assert cell.measures["red"] == pytest.approx(report.endings.red)


def test_what_is_known_is_not_measured_again(tables, monkeypatch):
    first = sweep(SMALL, {"start_hp": [1, 2]}, measures=["value"])
    asked = []
    known = sweeping.measured
    monkeypatch.setattr(
        sweeping,
        "measured",
        lambda ruleset, *a, **k: asked.append(ruleset) or known(ruleset, *a, **k),
    )
    again = sweep(SMALL, {"start_hp": [1, 2, 3]}, measures=["value"])
    assert [ruleset.rules.start_hp for ruleset in asked] == [3]
    assert again.cells[:2] == first.cells


def test_rulesets_that_differ_in_their_start_are_solved_once(tables, monkeypatch):
    solved, known = [], measures.TableSolver.solve

    def counted(solver):
        solved.append(solver.table.ruleset)
        return known(solver)

    monkeypatch.setattr(measures, "_proven", OrderedDict())
    monkeypatch.setattr(measures.TableSolver, "solve", counted)
    sweep(SMALL, {"start_hp": [1, 2, 3]}, measures=["value"], workers=2)
    assert len(solved) == 1


def test_values_are_those_of_the_solver(tables):
    game = "defend-the-city:stamina=2,max_score=1"
    for cell in sweep(game, {"soldiers": [1, 2, 3]}, measures=["value"]).cells:
        exact = solve_whole(cell.ruleset)
        value = exact.values[exact.table.start]
        assert cell.measures["value"] == pytest.approx(value, abs=1e-8)


def test_a_table_is_known_by_what_follows_and_not_by_its_start():
    tables = {
        text: tabulate(load(f"bagh:max_boost=2,{text}"))
        for text in ("start_hp=2", "start_hp=3", "start_hp=3,heal_amount=2")
    }
    digests = [measures.sorted_digest(table) for table in tables.values()]
    assert digests[0][0] == digests[1][0] != digests[2][0]
    for table, (_, ranks) in zip(tables.values(), digests, strict=True):
        assert sorted(ranks) == list(range(table.count))


def test_a_damaged_file_is_measured_again(tables):
    first = sweep(SMALL, {"start_hp": [1]}, measures=["value"])
    (kept,) = tables.glob("*.measures")
    kept.write_text('{"measures": 3}')
    assert sweep(SMALL, {"start_hp": [1]}, measures=["value"]) == first
    assert json.loads(kept.read_text())["measures"]["value"] == 0


def test_a_ruleset_that_is_too_large_is_named(tables):
    found = sweep(SMALL, {"start_hp": [1]}, measures=["value"], most_states=10)
    assert "more than 10 states" in found.cells[0].trouble
    assert found.cells[0].measures == {}


@pytest.mark.parametrize(
    ("text", "values"), [("max_boost=2..4", [2, 3, 4]), ("max_boost=5,1", [1, 5])]
)
def test_values_are_a_range_or_a_list(text, values):
    assert parse_sweep(load("bagh"), text) == ("max_boost", values)


@pytest.mark.parametrize(
    "text",
    ["max_boost", "max_boost=", "max_boost=4..2", "max_boost=a", "bost=1..2", "start_hp=0..2"],
)
def test_values_that_make_no_sense_are_refused(text):
    with pytest.raises((UsageError, RulesetError)):
        parse_sweep(load("bagh"), text)


def test_a_page_has_curves_of_one_rule_and_heat_maps_of_two(walks, tables):
    page = sweep_page(walks)
    assert "are outlined" in page
    assert page.count("<polyline") == len(walks.measures)
    assert "16.00" in page
    found = sweep(SMALL, {"start_hp": [1, 2], "max_boost": [0, 2]}, measures=["draws"])
    page = sweep_page(found)
    assert 'class="heat"' in page
    assert "are outlined" not in page, "today's rules have 3 hp"
    assert "http" not in page.replace("http-equiv", "")


def test_heat_maps_have_a_tint_of_the_style_for_every_number(tables):
    found = sweep(SMALL, {"start_hp": [1, 2], "max_boost": [0, 2]}, measures=["length"])
    page = sweep_page(found)
    used = set(re.findall(r'<td class="(tint-[1-9][0-9]*)', page))
    assert "tint-10" in used
    assert used <= set(re.findall(r"\.(tint-[0-9]+) \{", page))
    assert page.count("background: color-mix") == 1, "a second rule would hide the tints"


def test_the_use_of_a_choice_by_blue(tables):
    game = "defend-the-city:stamina=2,max_score=1"
    (cell,) = sweep(game, {"soldiers": [2]}, measures=["use.blue.1/0", "use.1/0"]).cells
    report = balance(cell.ruleset)
    for name, seat in (("use.blue.", report.blue), ("use.", report.red)):
        uses = {each.choice: each.use for each in seat.choices}
        assert cell.measures[f"{name}1/0"] == pytest.approx(uses["1/0"])


def test_the_use_of_a_choice_that_only_some_rulesets_have(tables):
    game = "defend-the-city:stamina=2,soldiers=1"
    found = sweep(game, {"max_score": [1, 2]}, measures=["use.2/1"])
    assert ["use.2/1" in cell.measures for cell in found.cells] == [False, True]


# Aims


def test_far_too_many_rulesets_are_refused_before_they_are_listed():
    class Unlisted(list):
        def __iter__(self):
            raise AssertionError("listed")

    values = {rule: Unlisted(range(1, 100)) for rule in ("start_hp", "max_boost", "heal_limit")}
    with pytest.raises(UsageError, match="970,299"):
        sweep(SMALL, values)


def test_settings_that_meet_an_aim_are_found(walks):
    game = holmgang.load(str(HERE / "walk.py"))
    found = find_settings(game, [parse_aim("length=15..20")], {"steps": range(1, 10)})
    assert [each.found.settings for each in found.met] == [{"steps": 4}]
    assert found.combinations == len(found.tried) == 9
    assert found.today.found.settings == {"steps": 3}


def test_a_search_finds_what_a_grid_finds():
    game = holmgang.load(str(HERE / "walk.py"))
    found = find_settings(game, [parse_aim("length=49")], {"steps": range(1, 10)}, tries=7)
    assert found.tried[0].found.settings == {"steps": 7}
    assert len(found.tried) == 7 < found.combinations


def test_trade_offs_are_those_that_nothing_beats():
    game = holmgang.load(str(HERE / "walk.py"))
    aims = [parse_aim("length<=1"), parse_aim("length>=16")]
    found = find_settings(game, aims, {"steps": range(1, 6)})
    assert sorted(each.found.settings["steps"] for each in found.front) == [1, 2, 3, 4]


def test_a_page_shows_the_aims_as_a_box_and_every_ruleset_as_a_dot():
    game = holmgang.load(str(HERE / "walk.py"))
    aims = ["length=15..20", "red=50%"]
    found = find_settings(game, aims, {"steps": range(1, 6)})
    page = aims_page(found)
    assert page.count("<circle") == len(found.tried) + 1  # and today's rules
    assert page.count('class="aim"') == 1
    assert "1 ruleset meets every aim" in page
    nothing = aims_page(find_settings(game, ["length=15..20", "length<=1"], {"steps": [2, 3]}))
    assert "Trade-offs" in nothing


def test_a_table_says_who_should_beat_whom():
    found = parse_wanted(",random,easy\nhard,80..90,\nmedium,,>=55\n")
    assert found == [
        Aim("score.hard.random", 0.8, 0.9),
        Aim("score.medium.easy", 0.55, float("inf")),
    ]
    too_long = "x" * (csv.field_size_limit() + 1)
    for text in ("", ",random\nhard,", ",random\nnobody,50", ",random\nhard,much", too_long):
        with pytest.raises(UsageError):
            parse_wanted(text)


def test_scores_between_levels_are_those_of_the_report(tables):
    found = sweep(SMALL, {"start_hp": [1]}, measures=["score.easy.random", "score.perfect.hard"])
    (cell,) = found.cells
    levels = balance(cell.ruleset).levels
    place = levels.players.index
    for one, other in (("easy", "random"), ("perfect", "hard")):
        expected = levels.points[place(one)][place(other)] / 100
        assert cell.measures[f"score.{one}.{other}"] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("text", "aim"),
    [
        ("value=0", Aim("value", 0, 0)),
        ("length = 10..20", Aim("length", 10, 20)),
        ("draws<=10%", Aim("draws", float("-inf"), 0.1)),
        ("use.heal>=0.05", Aim("use.heal", 0.05, float("inf"))),
        ("use.blue.5/0 <= 5%", Aim("use.blue.5/0", float("-inf"), 0.05)),
    ],
)
def test_aims_are_read(text, aim):
    assert parse_aim(text) == aim


@pytest.mark.parametrize(
    "text", ["value", "value=x", "fun=1", "length=20..10", "draws<=1..2", "=3"]
)
def test_aims_that_make_no_sense_are_refused(text):
    with pytest.raises(UsageError):
        parse_aim(text)


def test_rules_that_may_vary():
    bagh = load("bagh")
    assert parse_vary(bagh, ["advantage,start_hp", "max_boost=1..2"]) == {
        "advantage": range(2),
        "start_hp": range(1, 100),
        "max_boost": [1, 2],
    }
    with pytest.raises(RulesetError, match="no rule 'bost'"):
        parse_vary(bagh, ["bost"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--sweep", "max_boost=9..2"), "from a lower to a higher"),
        (("--sweep", "start_hp=1..2", "--measure", "fun"), "unknown measure"),
        (("--sweep", "start_hp=1..2", "--measure", "use.parry"), "'parry' is not a choice"),
        (("--aim", "use.parry=0", "--vary", "start_hp"), "'parry' is not a choice"),
        (("--sweep", "start_hp=1..20000"), "at most 10,000 values"),
        (("--aim", "value=0", "--vary", "start_hp", "--wanted", "/"), "read /: Is a directory"),
        (("--aim", "value=0", "--vary", "start_hp", "--html", "/"), "write /: Is a directory"),
        (("--sweep", "start_hp=1..2", "--html", "/"), "write /: Is a directory"),
        (("--html", "/dev/null/report.html"), "Not a directory"),
        (("--html", "report.html", "--server", "ftp://nowhere"), "ftp://nowhere"),
        (("--sweep", "start_hp=1", "--sweep", "start_hp=2"), "twice"),
        (("--measure", "draws"), "needs --sweep"),
        (("--aim", "value=0", "--vary", "start_hp", "--measure", "draws"), "needs --sweep"),
        (("--sweep", "start_hp=1", "--vary", "max_boost"), "needs --aim"),
        (("--cluster", "tcp://localhost:1"), "needs --sweep or --aim"),
        (("--aim", "value=0"), "needs --vary"),
        (("--tries", "5"), "--tries needs --aim"),
    ],
)
def test_bad_parameters_are_one_line(arguments, said):
    command = ("balance", SMALL, *arguments)
    done = forked.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_comparison_measures_nothing_if_one_game_does_not_exist():
    command = ("compare", SMALL, "bagh:nope=1")
    done = forked.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "nope" in done.stderr
    assert len(done.stderr.splitlines()) == 1
