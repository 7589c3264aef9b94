"""A game in one file: what is derived from it, and that everything works with it."""

import subprocess
import sys

import pytest
from tests.engine.duels import random_duel, replayed_alike
from tests.games.one_file import LINES, STANDOFF, outside, standoff  # noqa: F401 - fixtures

import holmgang
from holmgang.analysis.analyse import analyse
from holmgang.engine.compiled.native import Kernels, can_compile, zeros
from holmgang.engine.duel import Duel
from holmgang.engine.record import read, replay, save
from holmgang.errors import ChoiceError, RecordError, RulesetError, StateError
from holmgang.games import conformance, finding, ruleset
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.contract import Scene, Transition
from holmgang.games.describe import rules_markdown
from holmgang.games.drawing import row_text
from holmgang.games.ruleset import load, load_stored
from holmgang.simulation.simulate import simulate
from holmgang.solver.exact.table import tabulate
from holmgang.solver.search.dispatch import search
from holmgang.solver.tables import solve

BUILT_IN = tuple(CATALOGUE)


@pytest.fixture
def game(standoff):  # noqa: F811
    return holmgang.load(str(standoff))


def test_it_is_short():
    assert len(LINES) <= 42


# What is derived


def test_title_line_and_rules_page(game):
    assert (game.entry.title, game.entry.opponent) == ("Standoff", "beginner")
    assert game.entry.line == "reload, shield, shoot or blast; two lives"
    page = rules_markdown(game)
    assert page.startswith("# Standoff\n\nReload, shield, shoot or blast; two lives.\n")
    assert "- blast\n" in page
    assert "| `max_ammo` | 3 | 1–9 | most rounds in the gun |" in page


def test_words_and_keys(game):
    assert [game.word(choice) for choice in range(4)] == ["reload", "shield", "shoot", "blast"]
    assert [game.short(choice) for choice in range(4)] == ["r", "s", "h", "b"]
    assert game.expand_short("H") == "shoot"
    with pytest.raises(ChoiceError, match="'duck' is not a choice; choose reload, shield, shoot"):
        game.parse_word("duck")


def test_states_as_json_and_text(game):
    start = game.initial()
    side = {"lives": 2, "ammo": 0}
    assert game.format_state(start) == {"red": side, "blue": side}
    assert game.format_text(start) == "2.0/2.0"
    assert game.parse_state("2.1/1.3") == game.parse_state(
        {"red": {"lives": 2, "ammo": 1}, "blue": {"lives": 1, "ammo": 3}}
    )
    for wrong, told in (
        ("2.0/2", "a state as text is lives.ammo of red/lives.ammo of blue, such as 2.0/2.0; not"),
        ("2.0/2.0.0", "a state as text is lives.ammo of red"),
        ({"red": side}, "state lacks blue"),
        ({"red": side, "blue": {"lives": 2}}, "blue lacks ammo"),
        ({"red": side, "blue": {**side, "ammo": 1.5}}, "blue.ammo must be a whole number"),
    ):
        with pytest.raises(StateError) as refusal:
            game.parse_state(wrong)
        assert told in str(refusal.value)


def test_bounds_are_found_and_seats_swap(game):
    assert game.field_bounds == {
        "red.lives": (0, 2), "red.ammo": (0, 3), "blue.lives": (0, 2), "blue.ammo": (0, 3),
    }  # fmt: skip
    assert game.is_symmetric
    assert game.mirror(game.parse_state("2.1/1.3")) == game.parse_state("1.3/2.1")


TIE = "Outcome(Reason.SHOT, NOBODY)"
FAVOURS_RED = "Outcome(Reason.SHOT, RED)"


def test_a_game_that_favours_a_seat_is_not_symmetric(standoff):  # noqa: F811
    assert TIE in STANDOFF
    standoff.write_text(STANDOFF.replace(TIE, FAVOURS_RED))
    assert not holmgang.load(str(standoff)).is_symmetric


def test_story_board_picture_and_previews(game):
    start = game.initial()
    loaded = game.resolve(start, 0, 0)
    shot = game.resolve(loaded, 2, 0)
    assert game.tell(loaded, 2, 0, 0, shot) == [
        "Red chooses shoot; Blue chooses reload.",
        "Red goes from 1 to 0 ammo.",
        "Blue goes from 2 lives to 1 and from 1 to 2 ammo.",
    ]
    assert game.preview(start, 0, 0) == "Ammo 0 → 1."
    assert "Blue's lives 2 → 1 against reload or shoot" in game.notes(loaded, 0, 2)
    fallen = game.parse_state("0.0/1.0")
    assert game.tell_ending(fallen) == "Blue wins: shot."
    board = "\n".join(row_text(row) for row in game.board(shot, 60))
    assert "●● 2  lives  1 ●" in board
    picture = game.picture(shot, Scene(Transition(loaded, 2, 0, 0)))
    assert ">shoot<" in picture
    assert "Blue: lives 1, ammo 2." in picture


def test_it_passes_every_check_of_our_own_games(game):
    conformance.check(game)
    conformance.check(load("standoff:lives=1,max_ammo=1"))


# Everything works


@pytest.mark.skipif(not can_compile(), reason="numba is not installed: pip install holmgang[fast]")
def test_compiled_rules_play_the_same_games(game):
    counted = []
    for interpret in (True, False):
        ends, lengths, picks = zeros(30), zeros(1001), zeros(128)
        kernel = Kernels(game, interpret=interpret)("playouts")
        rounds = kernel(7, 0, 200, 1000, ends, lengths, picks)
        counted.append((rounds, list(ends), list(lengths), list(picks)))
    assert counted[0] == counted[1]
    assert counted[0][0] > 1000


def test_simulation(game):
    found = simulate(game, 200, seed=1)
    assert found.games == 200
    assert set(found.as_json()["reasons"]) == {"shot"}


def test_solving_and_values(game, tmp_path, monkeypatch):
    monkeypatch.setenv("HOLMGANG_TABLES", str(tmp_path))
    summary = solve("standoff")
    assert summary.as_json()["states"] == 64  # 1 or 2 lives and 0 to 3 rounds, for each
    oracle = holmgang.Oracle("standoff", build=False)
    assert oracle.evaluate().value == pytest.approx(0, abs=1e-9)
    certain = oracle.evaluate(game.parse_state("1.3/1.0"))  # a blast hits whatever blue does
    assert (certain.value, certain.is_exact) == (pytest.approx(1, abs=1e-9), True)
    assert oracle.evaluate(game.parse_state("1.0/1.3")).value == pytest.approx(-1, abs=1e-9)
    table = next(tmp_path.glob("standoff-*.table"))
    assert table.name == f"standoff-{game.hash}.table"


def test_symmetry_is_checked_and_not_believed(standoff, caplog):  # noqa: F811
    assert tabulate(holmgang.load(str(standoff))).mirrored > 0
    claim = "\n\ndef is_symmetric(rules):\n    return True\n"
    standoff.write_text(STANDOFF.replace(TIE, FAVOURS_RED) + claim)
    claimed = holmgang.load(str(standoff))
    assert claimed.is_symmetric
    assert tabulate(claimed).mirrored == 0
    assert "standoff is not symmetric: its rules treat" in caplog.text


def test_a_record_and_its_analysis(game, tmp_path, monkeypatch):
    monkeypatch.setenv("HOLMGANG_TABLES", str(tmp_path))
    duel = random_duel("standoff", 5)
    path = save(duel, tmp_path / "duel.jsonl")
    assert replayed_alike(duel, replay(read(path)))
    solve("standoff")
    found = analyse(path)
    assert len(found.rounds) == len(duel.rounds)


def test_a_record_of_a_game_that_is_not_there(game, tmp_path):
    path = save(random_duel("standoff", 5), tmp_path / "duel.jsonl")
    del CATALOGUE["standoff"]
    ruleset.forget()
    with pytest.raises(RecordError, match="no game 'standoff'; there are bagh, "):
        read(path)


# Where games are found


def test_paths_and_names(standoff, tmp_path, monkeypatch):  # noqa: F811
    monkeypatch.chdir(tmp_path)
    three = holmgang.load("./standoff.py:lives=3")
    assert (three.text, three.rules.lives) == ("standoff:lives=3", 3)
    assert load("standoff:lives=3") == three
    assert holmgang.load(f"{standoff}") == holmgang.load("standoff.py") == load("standoff")
    with pytest.raises(RulesetError, match="standoff has no rule 'live'; did you mean lives"):
        holmgang.load("./standoff.py:live=3")


def test_a_missing_file(tmp_path, monkeypatch, outside):  # noqa: F811
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RulesetError, match=r"^nowhere\.py does not exist$"):
        holmgang.load("./nowhere.py")
    with pytest.raises(RulesetError, match="has no games"):
        finding.add_all(str(tmp_path))


def test_a_folder_is_a_game_too(tmp_path, outside):  # noqa: F811
    folder = tmp_path / "duel_at_dawn"
    folder.mkdir()
    rules, helper = STANDOFF.split("def resolve")
    helped, function = rules.split("def after")
    types = "from .types import Choice, Fighter, Reason, Rules, State\n"
    head, classes = helped.split("class Rules")
    body, rest = classes.split("def initial")
    (folder / "types.py").write_text(f"{head}class Rules{body}\n\ndef after{function}")
    (folder / "rules.py").write_text(
        f"{head}{types}from .types import after\n\ndef initial{rest}def resolve{helper}"
    )
    (folder / "story.py").write_text(
        "def ending(rules, state, outcome):\n    return 'The sun rises.'\n"
    )
    game = holmgang.load(str(folder))
    assert (game.text, game.tell_ending(game.initial())) == ("duel-at-dawn", "The sun rises.")
    conformance.CHECKS["mirror"](game)
    before = game.hash
    types = folder / "types.py"
    types.write_text(types.read_text().replace("me.ammo - cost", "me.ammo - cost + 0"))
    assert holmgang.load(str(folder)).hash != before  # the helper decides something too
    if can_compile():
        ends, lengths, picks = zeros(30), zeros(1001), zeros(128)
        assert Kernels(game)("playouts")(7, 0, 10, 1000, ends, lengths, picks) > 0


def test_the_hash_covers_the_code_and_not_its_comments(standoff):  # noqa: F811
    first = holmgang.load(str(standoff))
    standoff.write_text(STANDOFF.replace("def initial", "# the start\ndef initial"))
    assert holmgang.load(str(standoff)).hash == first.hash
    standoff.write_text(STANDOFF.replace("(-1, 0, 1,", "(-2, 0, 1,"))
    changed = holmgang.load(str(standoff))
    assert changed.hash != first.hash
    assert changed.resolve(changed.initial(), 0, 0) != first.resolve(first.initial(), 0, 0)
    with pytest.raises(RulesetError, match="uses different rules for standoff"):
        load_stored("standoff", first.hash)


DESCRIBING = """
import textwrap
MOST_HEARTS = 40
def shown(lives):
    return textwrap.shorten("♥" * lives, MOST_HEARTS)
def ending(rules, state, ended):
    return "It is over: " + shown(state.red.lives)
"""


def test_an_estimate_beside_the_rules_is_used_by_searches(standoff):  # noqa: F811
    plain = holmgang.load(str(standoff))
    assert search(plain, plain.parse_state("2.0/1.0"), depth=1).value == 0
    text = "\ndef estimate(rules, state):\n    return 0.4 * (state.red.lives - state.blue.lives)\n"
    standoff.write_text(STANDOFF + text)
    guessed = holmgang.load(str(standoff))
    found = search(guessed, guessed.parse_state("2.0/1.0"), depth=1)
    assert found.value == pytest.approx(0.4)


def test_what_only_describes_changes_neither_the_hash_nor_the_kernels(
    standoff,  # noqa: F811
    tmp_path,
    monkeypatch,
):
    monkeypatch.setenv("HOLMGANG_CACHE", str(tmp_path / "compiled"))
    first = holmgang.load(str(standoff))
    Kernels(first)("playouts")
    standoff.write_text(STANDOFF + DESCRIBING)
    described = holmgang.load(str(standoff))
    assert described.tell_ending(described.parse_state("1.0/0.0")) == "It is over: ♥"
    assert described.hash == first.hash
    assert Kernels(described).is_cached("playouts")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("me.ammo - cost", "me.ammo - 2 * cost"),  # in a function that another one calls
        ("COST = 3", "COST = 2"),
        ("def is_symmetric(rules): return False", ""),
        ("Reason = ", "LATE = print()\nReason = "),  # which may do anything
    ],
)
def test_what_decides_changes_both(standoff, tmp_path, monkeypatch, old, new):  # noqa: F811
    monkeypatch.setenv("HOLMGANG_CACHE", str(tmp_path / "compiled"))
    text = STANDOFF.replace("(-1, 0, 1, rules.blast_ammo)", "(-1, 0, 1, COST)") + (
        "\nCOST = 3\ndef is_symmetric(rules): return False\n"
    )
    assert old in text
    standoff.write_text(text)
    first = holmgang.load(str(standoff))
    Kernels(first)("playouts")
    standoff.write_text(text.replace(old, new))
    changed = holmgang.load(str(standoff))
    assert changed.hash != first.hash
    assert not Kernels(changed).is_cached("playouts")


def test_names_that_are_taken_or_impossible(tmp_path, outside):  # noqa: F811
    for name, told in (("bagh.py", "already a game bagh"), ("1st.py", "begin with a letter")):
        path = tmp_path / name
        path.write_text(STANDOFF)
        with pytest.raises(RulesetError, match=told):
            holmgang.load(str(path))
    assert tuple(CATALOGUE) == BUILT_IN


def test_nothing_from_outside_loads_code(standoff, tmp_path):  # noqa: F811
    """Records, logs and requests name rulesets through `load`, which knows no paths."""
    trap = tmp_path / "trap.py"
    trap.write_text(f"open({str(tmp_path / 'sprung')!r}, 'w')\n" + STANDOFF)
    for text in (str(trap), f"{trap}:lives=3", "./trap.py"):
        with pytest.raises(RulesetError, match="no game"):
            load(text)
        with pytest.raises(RulesetError, match="no game"):
            load_stored(text, "0" * 16)
        with pytest.raises(RulesetError, match="no game"):
            Duel(text)
    record = save(random_duel("bagh"), tmp_path / "record.jsonl")
    record.write_text(record.read_text().replace('"bagh"', f'"{trap}"', 1))
    with pytest.raises(RecordError, match="no game"):
        read(record)
    assert not (tmp_path / "sprung").exists()


def test_an_installed_game(tmp_path, monkeypatch, outside):  # noqa: F811
    package = tmp_path / "duels_of_mine"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "standoff.py").write_text(STANDOFF)
    about = tmp_path / "duels_of_mine-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: duels-of-mine\nVersion: 1\n")
    points = "[holmgang.games]\nstandoff = duels_of_mine.standoff\n"
    (about / "entry_points.txt").write_text(points)
    monkeypatch.syspath_prepend(tmp_path)
    finding.installed.cache_clear()
    with pytest.raises(RulesetError, match="no game 'standoff'"):
        load("standoff")  # installed, but not named by anyone
    assert holmgang.load("standoff:lives=1").rules.lives == 1
    assert load("standoff").entry.title == "Standoff"
    finding.installed.cache_clear()


def test_other_processes_find_the_game(standoff):  # noqa: F811
    holmgang.load(str(standoff))
    told = subprocess.run(
        [sys.executable, "-m", "holmgang", "step"],
        input='{"game": "standoff", "ask": "start"}\n',
        capture_output=True,
        text=True,
        check=True,
    )
    assert '"lives":2' in told.stdout


# Constants and functions that take the place of a default


def test_parts_are_overridden_one_by_one(standoff):  # noqa: F811
    standoff.write_text(
        STANDOFF
        + """
TITLE, WINS_NEEDED, ROUND_LIMIT, OPPONENT = "High Noon", 2, 50, "hard"

def harmless(rules, state, seat):
    return Choice.SHIELD

def format_choice(rules, choice):
    return ("load", "duck", "fire", "blast")[choice]

def parse_choice(rules, word):
    return ("load", "duck", "fire", "blast").index(word)

def endless(rules):
    return Outcome(Reason.SHOT, BLUE)
"""
    )
    game = holmgang.load(str(standoff))
    entry = game.entry
    assert (entry.title, entry.wins_needed, entry.round_limit) == ("High Noon", 2, 50)
    assert entry.opponent == "hard"
    start = game.initial()
    assert game.words(start, 0) == ["load", "duck"]
    assert game.word(game.harmless(start, 0)) == "duck"
    assert game.endless().winner == "blue"
    assert game.format_text(start) == "2.0/2.0"
