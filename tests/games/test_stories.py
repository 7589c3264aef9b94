"""Stories tell what the rules did, also where it is not what the choices look like."""

import re

import pytest
from tests.games.cases import cases, request

from holmgang.engine.duel import Duel
from holmgang.games.contract import NOBODY, RED, Clause
from holmgang.games.ruleset import load

FENCING = """
F7 a point for leaving the piste is not told as a touch
    0/470/490: lunge, retreat -> \
Red lunges; Blue retreats. | Blue leaves the piste: 1-0. | Both go back to their lines.
    0/19/481: retreat, retreat -> Red retreats; Blue retreats. | Red leaves the piste: 1-1. | \
Blue leaves the piste: 1-1. | Both go back to their lines.
F8 a parry without effect takes no energy
    0/200/300.1: lunge, parry -> \
Red lunges; Blue parries. | Red's lunge falls short. | Blue is out of energy.
F8 a lunge without effect is not told as a touch
    0/260.4/300: lunge, lunge -> \
Red lunges; Blue lunges. | Red is out of energy. | Blue touches: 0-1.
F9 a parry that puts the lunger out is told
    0/200.5/300: lunge, parry -> Red lunges; Blue parries. | \
Blue parries the lunge and takes 2 energy. | Red is out of energy.
F13 one drug too many
    0/200.20.3.7/300: walk_drug, break -> \
Red takes a walk drug; Blue rests. | Red takes one drug too many.
"""
BAGH = """
B5 a guard with a broken shield
    3.0.0.1/3.0.0.0: guard, attack (red_mends=false) -> Red's shield stays broken. | \
Red guards with a broken shield; Blue attacks for 1. | Red falls to 2 hp.
B8 an attack that is outpaced
    3.0.1.0/3.0.0.0: attack, attack -> \
Red attacks for 1; Blue attacks for 1, too late. | Blue falls to 2 hp.
B9 a heal that is interrupted
    3.0.0.0/3.0.0.0: heal, attack -> \
Red tries to heal and is interrupted; Blue attacks for 1. | Red falls to 2 hp.
"""
CITY = """
D4 both are spent, and not only one
    30/5/0: 0/0, 0/5 (red_roll=0 blue_roll=0) -> Red 0/0; Blue 0/5. | No attack can get through.
    5/5/0: 0/5, 0/5 (red_roll=0 blue_roll=0) -> Red 0/5; Blue 0/5. | \
No attack can get through. | Both are spent: the soldier withdraws and a new one comes.
D6 a second attack that is not rolled is not told
    30.5.0/30.4.1/0: keep (red_roll=0 blue_roll=null) -> \
Blue keeps the offense. | Red attacks (4 in 5) and hits. | A soldier falls: 1 of 5.
"""
MAGIC = """
M1 burn, as the turn passes
    r1/25.0.0.0/3.0.3.0: magic -> Red gathers 4 magic (4). | Blue burns for 3 and is at 0 hp.
M2 a bubble that explodes
    r1/25.0.0.0/25.0.0.9+b6@3: normal 2 player -> Red attacks the player for 3. | \
The shield absorbs 3. | Blue's bubbles bring 7 magic and burst.
M8 a minion that dies on the last move
    r1/25.4.0.0/25.0.0.0+b6@3: normal 0 1 -> Red attacks the bubble for 7. | Blue's bubble dies.
"""


@pytest.mark.parametrize(
    "case",
    [
        *cases(FENCING, "fencing"),
        *cases(BAGH, "bagh"),
        *cases(CITY, "defend-the-city", "defend-the-city:stamina=5"),  # 5: none lost, or all
        *cases(MAGIC, "magic-duel"),
    ],
)
def test_story(case):
    duel = Duel(case.ruleset, seed=1, start=case.before)
    made = request(case.ruleset, duel.state_json, case.rounds)
    for seat in list(duel.waiting_for):
        duel.choose(seat, made[seat])
    assert " | ".join(duel.reveal(chance=made["chance"]).story) == case.after


WHY = """
bagh 3.2.0.0/3.2.0.0: attack, guard -> Red attacks for 3 (3), because Blue guards
bagh 3.0.0.0/3.0.1.0: attack, attack -> Red attacks for 1, too late (1), because Blue has more \
priority
bagh 3.0.0.0/3.0.0.0: heal, attack -> Red tries to heal and is interrupted, because Blue attacks
bagh 3.0.0.0/3.0.0.0: guard, heal -> Red guards against nothing, because Blue does not attack
bagh 3.0.0.0/3.0.0.0: attack, boost -> Red attacks for 1 (1)
fencing 0/200/300: lunge, break -> Red lunges, because Blue is out of reach
fencing 0/260/300: lunge, parry -> Red lunges, because Blue parries
fencing 0/260/300: lunge, break -> Red lunges
magic-duel r1/25.0.0.0/25.0.0.9: normal 0 player, - -> Red attacks the player for 3 (3), because \
Blue's shield absorbs 3
magic-duel r1/25.0.0.0/25.0.0.0: normal 0 player, - -> Red attacks the player for 3 (3)
"""


@pytest.mark.parametrize("line", WHY.strip().split("\n"))
def test_a_clause_says_why_a_choice_had_no_effect(line):
    name, text, made, told = re.fullmatch(r"(\S+) (\S+): (.*) -> (.*)", line).groups()
    ruleset = load(name)
    before = ruleset.parse_state(text)
    choices = [-1 if word == "-" else ruleset.parse_word(word) for word in made.split(", ")]
    clause, *_ = ruleset.clauses(before, *choices, 0, ruleset.resolve(before, *choices, 0))
    amount = "" if clause.amount is None else f" ({clause.amount})"
    why = f", because {clause.why.text}" if clause.why else ""
    assert f"{clause.text}{amount}{why}" == told


def test_an_attack_that_misses_says_what_was_rolled():
    ruleset = load("defend-the-city")
    before = ruleset.parse_state("30.5.0/30.4.1/0")
    made = -1, ruleset.parse_word("keep")
    face = ruleset.parse_chance(before, *made, {"red_roll": 4, "blue_roll": 0})
    told = ruleset.clauses(before, *made, face, ruleset.resolve(before, *made, face))
    why = Clause(NOBODY, "the roll is 4", 4)
    assert told[1] == Clause(RED, "attacks (4 in 5) and misses", 4, why)
