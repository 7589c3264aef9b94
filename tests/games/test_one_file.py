"""A game in one file: what is derived from it, and that everything works with it."""

import os
import re

import pytest
from tests import forked
from tests.engine.duels import random_duel, replayed_alike
from tests.games.one_file import LINES, STANDOFF, standoff  # noqa: F401 - a fixture

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
from holmgang.games.editing import form
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
        "Red's ammo 1 → 0.",
        "Blue's lives 2 → 1, ammo 1 → 2.",
    ]
    assert game.preview(start, 0, 0) == "Ammo 0 → 1."
    assert game.notes(loaded, 0, 2) == [
        "ammo 1 → 0",
        "lives 2 → 1 against shoot",
        "Blue's lives 2 → 1 against reload or shoot",
    ]
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


def test_a_missing_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RulesetError, match=r"^nowhere\.py does not exist$"):
        holmgang.load("./nowhere.py")
    with pytest.raises(RulesetError, match="has no games"):
        finding.add_all(str(tmp_path))


def test_a_folder_is_a_game_too(tmp_path):
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
    before, changed = holmgang.load(str(folder)).hash, before
    assert before != changed  # the helper decides something too
    types.write_text(f"from .numbers import COST as HELPED\n{types.read_text()}")
    numbers = folder / "numbers.py"
    seen = {before, changed}
    for text in ("COST = 3\n", "COST = 4\n", "COST = 4  # a comment\n"):
        numbers.write_text(text)
        seen.add(holmgang.load(str(folder)).hash)
    assert len(seen) == 4  # a constant that only a helper imports decides, too
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


def test_names_that_are_taken_or_impossible(tmp_path):
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


def test_an_installed_game(tmp_path, monkeypatch):
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
    told = forked.run(
        ["step"],
        input='{"game": "standoff", "ask": "start"}\n',
        capture_output=True,
        text=True,
        check=True,
    )
    assert '"lives":2' in told.stdout


def test_a_game_of_the_environment_is_found_from_any_folder(standoff, monkeypatch):  # noqa: F811
    monkeypatch.chdir(standoff.parent)
    monkeypatch.setenv(finding.ENVIRONMENT, standoff.name)
    finding.load_environment.cache_clear()
    finding.load_environment()
    finding.load_environment.cache_clear()
    assert os.environ[finding.ENVIRONMENT] == str(standoff)


def test_a_path_that_cannot_be_told_to_other_processes_is_refused(tmp_path):
    folder = tmp_path / f"a{os.pathsep}b"
    folder.mkdir()
    (folder / "standoff.py").write_text(STANDOFF)
    with pytest.raises(RulesetError, match="the path of a game must not contain ':'"):
        holmgang.load(str(folder / "standoff.py"))


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


def test_truth_values_may_be_set_to_numbers(standoff):  # noqa: F811
    text = STANDOFF.replace("    ammo: int\n", "    ammo: bool\n").replace("= 3", "= 1")
    standoff.write_text(text)
    game = holmgang.load(str(standoff))
    after = game.resolve(game.initial(), 0, 1)
    assert type(after.red.ammo) is int
    assert game.format_state(after)["red"] == {"lives": 2, "ammo": True}
    assert game.parse_state(game.format_state(after)) == after


# Games of other kinds

BAZAAR = '''"""Bazaar: bid coins for carpets of a random worth."""
from enum import IntEnum
from typing import NamedTuple
from holmgang.game import BLUE, NOBODY, RED, Outcome

class Rules(NamedTuple):
    pass

class Trader(NamedTuple):
    coins: int
    worth: int

class State(NamedTuple):
    red: Trader
    blue: Trader
    carpet: int
    left: int

Reason = IntEnum("Reason", "ON WORTH", start=0)

def initial(rules):
    return State(Trader(5, 0), Trader(5, 0), 2, 3)

def choices(rules, state, seat):
    return 2 ** ((state.red if seat == RED else state.blue).coins + 1) - 1

def chance(rules, state, red, blue):
    return 3 if state.left > 1 else 1

def after(me, mine, theirs, carpet):
    return Trader(me.coins - mine, me.worth + carpet) if mine > theirs else me

def resolve(rules, state, red, blue, face):
    red_after = after(state.red, red, blue, state.carpet)
    blue_after = after(state.blue, blue, red, state.carpet)
    return State(red_after, blue_after, 1 + face, state.left - 1)

def outcome(rules, state):
    if state.left > 0:
        return Outcome(Reason.ON, NOBODY)
    lead = state.red.worth - state.blue.worth
    return Outcome(Reason.WORTH, RED if lead > 0 else BLUE if lead < 0 else NOBODY)
'''


@pytest.fixture
def bazaar(tmp_path):
    path = tmp_path / "bazaar.py"
    path.write_text(BAZAAR)
    return holmgang.load(str(path))


def test_shared_fields_have_pips_and_long_choices_two_lines(tmp_path):
    path = tmp_path / "bazaar.py"
    labels = "\ndef format_choice(rules, choice):\n    return f'offer_all_of_{choice}_coins'\n"
    parse = "def parse_choice(rules, word):\n    return int(word.split('_')[3])\n"
    path.write_text(BAZAAR + labels + parse)
    bazaar = holmgang.load(str(path))
    start = bazaar.initial()
    after = bazaar.resolve(start, 1, 0, 2)
    picture = bazaar.picture(after, Scene(Transition(start, 1, 0, 2)))
    pips = re.findall(r'class="p (f-\w+)" id="shared-1-\d"', picture)
    assert pips == ["f-steel", "f-steel", "f-even"]  # left: 2 of 3
    assert ">offer all of 1<" in picture
    assert ">coins<" in picture


def test_choices_that_are_numbers(bazaar):
    start = bazaar.initial()
    assert bazaar.words(start, 0) == [bazaar.short(bid) for bid in range(6)]
    # What the dice and the opponent do without this choice is left out.
    assert bazaar.notes(start, 0, 1) == [
        "coins 5 → 4, worth 0 → 2 against 0",
        "Blue's coins 5 → 0 to 3, Blue's worth 0 → 2 against 2 to 5",
    ]
    assert bazaar.tell(start, 1, 0, 2, bazaar.resolve(start, 1, 0, 2)) == [
        "Red chooses 1; Blue chooses 0.",
        "Red's coins 5 → 4, worth 0 → 2.",
        "Carpet 2 → 3, left 3 → 2.",
    ]


STONES = '''"""Stones: take one or two stones in turn, and throw a die; the last stone wins."""
from enum import IntEnum
from typing import NamedTuple
from holmgang.game import BLUE, NOBODY, RED, Outcome, Seat, choice_set

class Rules(NamedTuple):
    pass

class State(NamedTuple):
    stones: int
    turn: Seat
    red_has_passed: bool
    blue_has_passed: bool

Choice = IntEnum("Choice", "TAKE_1 TAKE_2 PASS", start=0)
Reason = IntEnum("Reason", "ON LAST_STONE", start=0)

def initial(rules):
    return State(7, RED, False, False)

def choices(rules, state, seat):
    if seat != state.turn:
        return 0
    has_passed = state.red_has_passed if seat == RED else state.blue_has_passed
    other = choice_set(Choice.TAKE_2) if has_passed else choice_set(Choice.PASS)
    return choice_set(Choice.TAKE_1) | other

def chance(rules, state, red, blue):
    return 2 if red == Choice.TAKE_2 or blue == Choice.TAKE_2 else 1

def resolve(rules, state, red, blue, face):
    mine = max(red, blue)
    taken = 0 if mine == Choice.PASS else 1 if mine == Choice.TAKE_1 else 1 + face
    return State(
        max(0, state.stones - taken),
        1 - state.turn,
        state.red_has_passed or red == Choice.PASS,
        state.blue_has_passed or blue == Choice.PASS,
    )

def outcome(rules, state):
    if state.stones > 0:
        return Outcome(Reason.ON, NOBODY)
    return Outcome(Reason.LAST_STONE, 1 - state.turn)
'''


@pytest.fixture
def stones(tmp_path):
    path = tmp_path / "stones.py"
    path.write_text(STONES)
    return holmgang.load(str(path))


def test_a_field_with_a_seat(stones):
    start = stones.initial()
    after = stones.resolve(start, 2, -1)
    assert stones.is_symmetric
    assert stones.mirror(after) == (7, 0, False, True)
    assert stones.format_state(after)["turn"] == "blue"
    assert stones.parse_state({**stones.format_state(start), "turn": "blue"}).turn == 1
    assert stones.parse_state(stones.format_text(after)) == after
    with pytest.raises(StateError, match='turn must be "red", "blue" or null; not \'green\''):
        stones.parse_state({**stones.format_state(start), "turn": "green"})
    assert stones.field_bounds["turn"] == (0, 1)
    assert [field.words for field in form(stones, after) if field.path == "turn"] == [
        ["red", "blue"]
    ]
    assert stones.tell(start, 2, -1, 0, after) == [
        "Red chooses pass.",
        "Red's has passed no → yes.",
        "Turn Red → Blue.",
    ]
    assert "turn Blue" in "\n".join(row_text(row) for row in stones.board(after, 60))
    assert stones.notes(start, 0, 2) == ["has passed no → yes"]
    conformance.check(stones)


def test_turns_with_few_choices_are_solved(stones, tmp_path, monkeypatch):
    """Where a move after a move, or after a die, has at most two choices."""
    monkeypatch.setenv("HOLMGANG_TABLES", str(tmp_path))

    def value(state):
        if stones.ending(state).reason:
            return stones.utility(state)
        seat = state.turn
        worths = []
        for choice in stones.choices(state, seat):
            pair = (choice, -1) if seat == 0 else (-1, choice)
            faces = range(stones.chance(state, *pair))
            results = [value(stones.resolve(state, *pair, face)) for face in faces]
            worths.append(sum(results) / len(results))
        return max(worths) if seat == 0 else min(worths)

    solve("stones")
    oracle = holmgang.Oracle("stones", build=False)
    found = {text: oracle.evaluate(stones.parse_state(text)) for text in ("7/0/0/0", "4/1/1/0")}
    for text, evaluation in found.items():
        assert evaluation.is_exact
        assert evaluation.value == pytest.approx(value(stones.parse_state(text)), abs=1e-9)
    assert oracle.evaluate(stones.parse_state("9/0/0/1")).is_exact  # beyond the table
