"""The mistakes that authors make: each is found, in one line, at the right line of their file."""

import re
from pathlib import Path

import pytest
from tests import forked

from holmgang.engine.compiled.comparing import compare
from holmgang.engine.compiled.native import can_compile
from holmgang.errors import RulesetError
from holmgang.games import checking, starter
from holmgang.games.checking import GameCheck
from holmgang.games.finding import load

GOOD = Path(starter.__file__).read_text(encoding="utf-8")


def line_of(source: str, text: str) -> int:
    return source[: source.index(text)].count("\n") + 1


def findings(path):
    """What check-game finds, without compiling."""
    try:
        return [str(each) for each in GameCheck(load(str(path))).findings()]
    except RulesetError as error:
        return [str(error)]


@pytest.fixture
def broken(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(old, new):
        assert GOOD.count(old) >= 1
        path = tmp_path / "standoff.py"
        path.write_text(GOOD.replace(old, new, 1))
        return path

    return write


RESOLVE = GOOD[GOOD.index("    return State(after(") : GOOD.index("\n\n\ndef outcome")]
WINS = "return Outcome(Reason.SHOT, RED)"
CHANCE = "def chance(rules, state, red, blue):\n    return {}\n\n\ndef outcome("

MISTAKES = {
    "a choice that is not in the enum": (
        ("allowed = choice_set(Choice.SHIELD)", "allowed = choice_set(Choice.SHIELD, 9)"),
        "def choices", "red may choose 9, which is no Choice in 2.0/2.0",
    ),
    "a float in the state": (
        ("else me.lives, ammo)", "else me.lives, ammo / 1)"),
        "def resolve", "red.ammo must be a whole number; not the float",
    ),
    "a string in the state": (
        ("State(Fighter(rules.lives, 0), Fighter(rules.lives, 0))",
         "State(Fighter('two', 0), Fighter(rules.lives, 0))"),
        "def initial", "red.lives must be a whole number; not the str 'two'",
    ),
    "a number outside of the range of its type": (
        ("    ammo: int\n", "    ammo: Annotated[int, range(3)]\n"),
        "def resolve", "red.ammo leaves the range of its type, 0 to 2, in ",
    ),
    "a text of states that cannot be made": (
        ("# Words, stories", "def format_text(rules, state):\n    return state.nix\n# Words"),
        "return state.nix", "AttributeError: 'State' object has no attribute 'nix' in red.lives 2,",
    ),
    "a list as a field": (
        ("    lives: int\n", "    lives: list[int]\n"),
        "red: Fighter", "a state must consist of ints, bools and NamedTuples of them",
    ),
    "a field that is forgotten": (
        ("return Fighter(me.lives - 1 if is_hit(mine, theirs) else me.lives, ammo)",
         "return Fighter(ammo)"),
        "return Fighter(ammo)", "TypeError: Fighter.__new__() missing 1 required positional",
    ),
    "chance of 0 faces": (
        ("def outcome(", CHANCE.format(0)),
        "def chance", "chance must be a number of faces from 1 up; not 0",
    ),
    "a duel that is over at the start": (
        ("State(Fighter(rules.lives, 0), Fighter(rules.lives, 0))",
         "State(Fighter(rules.lives, 0), Fighter(0, 0))"),
        "def initial", "the duel is over before the first round",
    ),
    "a die of too many faces": (
        ("def outcome(", CHANCE.format(10**12)),
        "def chance", "a die of 1,000,000,000,000 faces is too large without face_groups in 2.0",
    ),
    "a die that is not used": (
        ("def outcome(", CHANCE.format(2)),
        "def chance", "a die is thrown, but resolve never uses its face",
    ),
    "winner 2": (
        (WINS, "return Outcome(Reason.SHOT, 2)"),
        "def outcome", "the winner must be RED, BLUE or NOBODY; not 2",
    ),
    "an outcome that differs in the mirror image": (
        ("return Outcome(Reason.SHOT, NOBODY)", WINS),
        "def outcome", "0.0/0.0: its mirror image has another outcome; if that is meant, ",
    ),
    "a rule without a range": (
        ('lives: Annotated[int, range(1, 10), "lives at the start"] = 2', "lives: int = 2"),
        "lives: int = 2", "the rule lives needs a range, as in lives: Annotated[int, range(1, 10)]",
    ),
    "a resolve that changes nothing": (
        (RESOLVE, "    return state"),
        "def resolve", "no choice changes anything in 2.0/2.0",
    ),
    "no choices for anybody": (
        ("    allowed = choice_set(Choice.SHIELD)\n", "    return 0\n    allowed = 0\n"),
        "def choices", "neither seat has a choice, but the duel goes on in 2.0/2.0",
    ),
    "choices as a list": (
        ("    return allowed", "    return [Choice.SHIELD]"),
        "def choices", "choices must be a set, as choice_set makes it; not [<Choice.SHIELD: 1>]",
    ),
    "a missing function": (("def outcome(", "def result("), None, "outcome is missing"),
    "wrong parameters": (
        ("def resolve(rules: Rules, state: State, red: int, blue: int, face: int)",
         "def resolve(rules: Rules, state: State, red: int, blue: int)"),
        "def resolve", "resolve must be resolve(rules, state, red, blue, face); not",
    ),
    "an outcome that is no Outcome": (
        (WINS, "return RED"), "def outcome", "outcome must return an Outcome; not 0 in ",
    ),
    "a resolve without a return": (
        ("    return State(after(", "    State(after("),
        "def resolve", "resolve must return a State; not NoneType in 2.0/2.0",
    ),
    "choices without a return": (
        ("    return allowed", "    allowed"),
        "def choices", "choices must be a set, as choice_set makes it; not None in 2.0/2.0",
    ),
    "a list in the place of a tuple": (
        ("State(Fighter(rules.lives, 0), Fighter(rules.lives, 0))",
         "State([rules.lives, 0], Fighter(rules.lives, 0))"),
        "def initial", "red.lives must be a whole number; not the list [2, 0]",
    ),
    "a function that calls itself without end": (
        ("    return theirs == Choice.BLAST", "    return is_hit(mine, theirs)"),
        "return is_hit(", "RecursionError: maximum recursion depth exceeded",
    ),
    "rules that print": (
        ("    ammo = me.ammo\n", "    print(me)\n    ammo = me.ammo\n"),
        "def after", "after must not call print",
    ),
    "a file that exits": (
        ("class Fighter(", "raise SystemExit(3)\n\n\nclass Fighter("),
        "raise SystemExit", "SystemExit: 3",
    ),
    "an import that does not exist": (
        ("from enum import IntEnum\n", "from enum import IntEnum\nimport nunpy\n"),
        "import nunpy", "ModuleNotFoundError: No module named 'nunpy'",
    ),
    "two choices with the same number": (
        ("    SHOOT = 2\n", "    SHOOT = 3\n"),
        "BLAST = 3", "Choice.BLAST has the same value as Choice.SHOOT",
    ),
    "too few keys": (
        ("# Words, stories", 'KEYS = "ab"\n# Words, stories'),
        "KEYS =", "KEYS must have 4 keys, one for each Choice",
    ),
    "a story with the wrong parameters": (
        ("# Words, stories", "def tell(rules, state):\n    return []\n# Words, stories"),
        "def tell", "tell must be tell(rules, before, red, blue, face, after); not tell(rules, st",
    ),
    "a board of the wrong type": (
        ("# Words, stories",
         "def draw_board(rules, state, width):\n    return 'x'\n# Words, stories"),
        "def draw_board", "AttributeError: 'str' object has no attribute 'text' in 2.0/2.0",
    ),
    "a syntax error": (("    ammo = me.ammo\n", "    ammo = = me.ammo\n"), "ammo = =", "invalid"),
    "a name that does not exist": (
        ("ammo -= rules.blast_ammo", "ammo -= rules.blast_amo"),
        "ammo -= rules.blast_amo", "AttributeError: 'Rules' object has no attribute 'blast_amo'",
    ),
    "results that differ from one time to the next": (
        (RESOLVE, RESOLVE.replace("after(rules, state.red, red, blue)",
                                  "Fighter(1, id(object()) % 97 + next(COUNT))")
         + "\n\n\nfrom itertools import count\nCOUNT = count()\n"),
        "def resolve", "the same round has two different results",
    ),
    "parameters in another order": (
        ("def choices(rules: Rules, state: State, seat: int)", "def choices(rules, seat, state)"),
        "def choices", "choices must be choices(rules, state, seat); not choices(rules, seat, ",
    ),
    "an async function": (
        ("def outcome(", "async def outcome("),
        "async def outcome", "outcome must be a plain function, without async or yield",
    ),
    "a global variable that changes": (
        ("    ammo = me.ammo\n", "    global LAST\n    LAST = ammo = me.ammo\n"),
        "def after", "after must not change the global variable LAST",
    ),
    "an import that the hash does not cover": (
        ("class Rules(", "from pytest import version_tuple\n\n\nclass Rules("),
        "from pytest", "rules must not import pytest: their hash covers only their own file",
    ),
    "an error of several lines": (
        ("    ammo = me.ammo\n", "    raise ValueError('no\\n\\nammo')\n"),
        "raise", "ValueError: no ammo in 2.0/2.0",
    ),
    "a story that fails later": (
        ("# Words, stories", """def tell(rules, before, red, blue, face, after):
    return [] if before.red.lives == 2 else 1 / 0
# Words, stories"""),
        "return [] if", "ZeroDivisionError: division by zero in 1.",
    ),
}  # fmt: skip


USED = {"an import that the hash does not cover": "    ammo = me.ammo + 0 * version_tuple[0]\n"}
"""What uses the name that a mistake imports; without it, nothing would be wrong."""


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_found_at_its_line(broken, name):
    (old, new), where, told = MISTAKES[name]
    path = broken(old, new)
    if name in USED:
        path.write_text(path.read_text().replace("    ammo = me.ammo\n", USED[name]))
    found = findings(path)
    assert found
    place, _, what = found[0].partition(": ")
    assert told in found[0]
    assert "\n" not in found[0]
    expected = "standoff.py"
    if where is not None:
        expected += f":{line_of(path.read_text(), where)}"
    assert place == expected, what


def test_the_starter_has_none(broken):
    path = broken("two lives", "two lives")
    found = findings(path)
    assert len(found) == 1
    assert re.fullmatch(
        r"standoff.py:\d+: warning: play can go on for ever: \S+ comes again after .*", found[0]
    )
    check = GameCheck(load(str(path)))
    list(check.findings())
    assert check.reached.is_all


def test_results_that_differ_in_the_mirror_image_are_a_warning_in_words(broken):
    path = broken("after(rules, state.blue, blue, red))", "state.blue)")
    found = GameCheck(load(str(path))).findings()
    told = "warning: 2.0/2.0: its mirror image has other results after reload/reload; if that is"
    assert any(told in str(each) for each in found)


def test_a_call_that_does_not_end_is_interrupted(broken, monkeypatch):
    monkeypatch.setattr(checking, "SECONDS", 0.05)
    path = broken("    ammo = me.ammo\n", "    ammo = me.ammo\n    while ammo:\n        pass\n")
    with pytest.raises(RulesetError) as refused:
        load(str(path))
    lines = {line_of(path.read_text(), "    while ammo"), line_of(path.read_text(), "    pass")}
    told = {f"standoff.py:{line}: TimeoutError: still running after 0.05 seconds" for line in lines}
    assert str(refused.value).partition(" in ")[0] in told


def test_a_duel_that_cannot_end_is_a_warning(broken):
    path = broken("    return theirs == Choice.BLAST or", "    return False and")
    found = findings(path)
    assert len(found) == 1
    assert "warning: no duel ever ends: 2.3/2.3 comes again after shield/shield" in found[0]


def test_a_die_of_very_many_faces_is_thrown_a_few_times(broken):
    end = "    if face % 2:\n        return State(Fighter(0, 0), Fighter(0, 0))\n"
    path = broken(RESOLVE, end + RESOLVE)
    path.write_text(path.read_text().replace("def outcome(", CHANCE.format(100_000)))
    game = load(str(path))
    check = GameCheck(game, most_rounds=20_000)
    assert not [each for each in check.findings() if not each.is_warning]
    assert not check.is_whole
    assert game.preview(game.initial(), 0, 0)


def test_numbers_without_end_are_a_warning(broken):
    path = broken("    if ammo < rules.max_ammo:\n", "    if ammo >= 0:\n")
    found = GameCheck(load(str(path)), most_rounds=20_000).findings()
    assert any("warning: red.ammo has no end: it is" in str(each) for each in found)


@pytest.mark.skipif(not can_compile(), reason="numba is not installed: pip install holmgang[fast]")
@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            "    ammo = me.ammo\n",
            "    ammo = sum(each for each in (me.ammo,))\n",
            "standoff.py:{line}: it does not compile: ",
        ),
        (
            "    ammo = me.ammo\n",
            "    ammo = me.ammo\n    if ammo > 99:\n        ammo = Choice.BLAZE\n",  # never here
            "standoff.py:{resolve}: it does not compile: module 'Choice' has no attribute 'BLAZE'",
        ),
        (
            "    ammo = me.ammo\n",
            "    ammo = me.ammo + (0 if (me.ammo + 2**62) * 2 > 0 else 1)\n",  # overflows
            "standoff.py:{resolve}: compiled, ",
        ),
        (
            "    ammo = me.ammo\n",
            "    ammo = (lambda ammo: ammo)(me.ammo)\n",
            "standoff.py:{line}: it does not compile: use a function instead of a lambda",
        ),
        (
            "    return theirs == Choice.BLAST",
            "    return is_hit(mine, theirs + 1) if theirs < 0 else theirs == Choice.BLAST",
            "standoff.py:{line}: it does not compile: use a loop instead of a function that calls",
        ),
    ],
)
def test_what_the_compiler_refuses_or_does_differently(broken, old, new, told):
    path = broken(old, new)
    ruleset = load(str(path))
    check = GameCheck(ruleset)
    assert [each for each in check.findings() if not each.is_warning] == []
    source = path.read_text()
    lines = {"line": line_of(source, new), "resolve": line_of(source, "def resolve")}
    found = compare(ruleset, check.rounds, f"standoff.py:{lines['resolve']}")
    assert found is not None
    assert str(found).startswith(told.format(**lines))


def run(*words, folder):
    return forked.run(
        [*words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", ["an outcome that is no Outcome", "a board of the wrong type"])
def test_every_command_reports_it_in_one_line(broken, name, tmp_path):
    (old, new), where, told = MISTAKES[name]
    path = broken(old, new)
    for words in (
        ("play", "./standoff.py", "--vs", "random", "--plain"),
        ("simulate", "./standoff.py"),
        ("solve", "./standoff.py"),
        ("value", "./standoff.py"),
        ("serve", "--games", ".", "--no-open"),
    ):
        done = run(*words, folder=tmp_path)
        assert done.returncode == 2, words
        place = f"holmgang: standoff.py:{line_of(path.read_text(), where)}: "
        assert done.stderr.startswith(place + told), words
        assert done.stderr.count("\n") == 1


def test_the_commands(tmp_path):
    done = run("new-game", "high_noon.py", folder=tmp_path)
    assert done.returncode == 0
    assert done.stdout.startswith("Wrote high_noon.py. Try:\n  holmgang play ./high_noon.py\n")
    assert run("new-game", "high_noon.py", folder=tmp_path).returncode == 2
    done = run("check-game", "./high_noon.py", folder=tmp_path)
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1].startswith("high-noon: no mistakes in all 117 states and ")
    file = tmp_path / "high_noon.py"
    file.write_text(file.read_text().replace(WINS, "return Outcome(Reason.SHOT, 2)"))
    done = run("check-game", "./high_noon.py", folder=tmp_path)
    assert done.returncode == 2
    assert re.match(r"high_noon.py:\d+: the winner must be RED, BLUE or NOBODY", done.stdout)


def test_other_commands_report_in_the_same_way(tmp_path):
    source = GOOD.replace("ammo -= rules.blast_ammo", "ammo -= rules.blast_amo")
    (tmp_path / "standoff.py").write_text(source)
    done = run("value", "./standoff.py", "2.3/2.0", "--after", "b/s", folder=tmp_path)
    assert done.returncode == 2
    line = line_of(source, "blast_amo\n")
    told = done.stderr.splitlines()[-1]
    assert told.startswith(f"holmgang: standoff.py:{line}: AttributeError: 'Rules' object has no")


def test_numbers_that_only_take_long_are_no_warning(broken):
    path = broken("    if ammo < rules.max_ammo:\n", "    if ammo < 2_000:\n")
    check = GameCheck(load(str(path)), most_rounds=20_000)
    found = [str(each) for each in check.findings()]
    assert not check.reached.is_all
    assert any("red.ammo has no end: it is 1000 after 1,000 rounds" in each for each in found)
    path.write_text(path.read_text().replace("ammo < 2_000", "ammo < 400"))
    check = GameCheck(load(str(path)), most_rounds=20_000)
    assert not any("has no end" in str(each) for each in check.findings())
    assert not check.reached.is_all
