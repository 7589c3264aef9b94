"""Stories tell what the rules did, also where it is not what the choices look like."""

import re

import pytest
from tests.games.cases import cases, request

from holmgang.engine.duel import Duel
from holmgang.games.contract import NOBODY, RED, Clause
from holmgang.games.ruleset import load

FENCING = """
F1 a touch says how far it reached
    0/260/300: lunge, break -> Red lunges; Blue rests. | Red touches from 40 away (reach 40): 1-0. \
| Blue's rest does nothing: Blue's energy is 20, the most. | Both go back to their lines.
F1 a lunge that is too short
    0/250/300: lunge, walk_drug -> Red lunges; Blue takes a walk drug. | \
Red's lunge falls short: Blue is 50 away, and the lunge reaches 40. | \
Blue's walk then goes 25 forward, not 20.
F9 a parry stops a lunge
    0/260/300: lunge, parry -> Red lunges; Blue parries. | \
Blue parries and takes 2 energy: Red's lunge reaches 0 against the parry, not 40.
F9 a parry without a lunge
    0/260/300: parry, walk -> Red parries; Blue walks. | \
Red's parry does nothing: Blue does not lunge.
F7 a point for leaving the piste is not told as a touch
    0/470/490: lunge, retreat -> Red lunges; Blue retreats. | \
Red's lunge does not count: someone left the piste. | \
Blue leaves the piste, a point for Red: 1-0. | Both go back to their lines.
    0/19/481: retreat, retreat -> Red retreats; Blue retreats. | \
Red leaves the piste, a point for Blue: 1-1. | Blue leaves the piste, a point for Red: 1-1. | \
Both go back to their lines.
F8 a parry without effect takes no energy
    0/200/300.1: lunge, parry -> Red lunges; Blue parries. | \
Red's lunge falls short: Blue is 100 away, and the lunge reaches 40. | \
Blue is out of energy: Blue's parry costs 2, and Blue had 1.
F8 a lunge without effect is not told as a touch
    0/260.4/300: lunge, lunge -> Red lunges; Blue lunges. | \
Red is out of energy: Red's lunge costs 5, and Red had 4. | \
Blue touches from 40 away (reach 40): 0-1.
F9 a parry that puts the lunger out is told
    0/200.5/300: lunge, parry -> Red lunges; Blue parries. | \
Blue parries and takes 2 energy: Red's lunge reaches 40, and Blue is 100 away. | \
Red is out of energy: Blue's parry takes 2, and Red had 0 left.
F3 fencers who pass each other
    0/250/260: walk, walk -> Red walks; Blue walks. | \
Both go back to their lines: they have passed each other.
F13 one drug too many
    0/200.20.3.7/300.18: walk_drug, break -> Red takes a walk drug; Blue rests. | \
Red takes one drug too many: 7 are allowed. | Blue's energy rises from 18 to 20.
"""
BAGH = """
B4 a shield that mends and guards
    3.0.0.1/3.0.0.0: guard, attack (red_mends=true) -> Red's shield mends (the chance was 1 in 2). \
| Red stops the attack and earns priority 1; Blue attacks for 1.
B5 a guard with a broken shield
    3.0.0.1/3.0.0.0: guard, attack (red_mends=false) -> \
Red's shield does not mend (the chance was 1 in 2). | Red's guard fails: Red's shield is broken. | \
Blue attacks for 1. | Red falls from 3 to 2 hp.
B4 a shield that breaks
    3.0.0.0/3.2.0.0: guard, attack -> Red stops the attack, but the shield breaks (damage 2): \
Blue's boost is higher (2 against 0). | Blue attacks for 3.
B6 a guard against nothing
    3.0.0.0/3.0.0.0: guard, boost -> Red's guard does nothing: Blue does not attack. | \
Blue boosts to 1.
B7 boost 6 stays 6
    3.6.0.0/3.0.0.0: boost, boost -> Red's boost stays at 6, the most; Blue boosts to 1.
B8 an attack that is outpaced
    3.0.1.0/3.0.0.0: attack, attack -> Red attacks for 1. | \
Blue attacks for 1, too late: Red has the higher priority (1 against 0). | \
Blue falls from 3 to 2 hp.
B9 a heal that is interrupted
    3.0.0.0/3.0.0.0: heal, attack -> \
Red's heal is lost: Blue attacks, and Red's priority (0) is not higher than Blue's (0). | \
Blue attacks for 1. | Red falls from 3 to 2 hp.
B9 a heal that is not interrupted
    3.0.2.0/3.0.1.0: heal, attack -> \
Red heals 1 although Blue attacks: Red's priority is higher (2 against 1). | Blue attacks for 1.
P1 a heal at the limit
    10.0.0.0/3.0.0.0: heal, heal -> Red's heal does nothing: Red has 10 hp, the most. | \
Blue heals 1. | Blue rises from 3 to 4 hp.
P2 a guard that the attacker's priority dampens
    3.0.0.0/3.0.1.0: guard, attack -> \
Red stops the attack but earns no priority: Blue's priority is higher (1 against 0). | \
Blue attacks for 1.
P2 a guard that keeps its priority
    3.0.2.0/3.0.0.0: guard, attack -> \
Red stops the attack and keeps priority 2; Blue attacks for 1.
"""
ADVANTAGE = """
A2 a guard against a higher advantage
    3.0.1.0/3.0.2.0: guard, attack -> \
Red stops the attack but earns no advantage: Blue's advantage is higher (2 against 1). | \
Blue attacks for 1.
"""
CITY = """
D4 both are spent, and not only one
    30/5/0: 0/0, 0/5 (red_roll=0 blue_roll=0) -> \
Red has offense 0 and defense 0; Blue has offense 0 and defense 5. | \
Nobody can hit: neither offense is higher than the other's defense.
    5/5/0: 0/5, 0/5 (red_roll=0 blue_roll=0) -> \
Red has offense 0 and defense 5; Blue has offense 0 and defense 5. | \
Nobody can hit: neither offense is higher than the other's defense. | \
Both are spent: the soldier withdraws and a new one comes.
D6 a second attack that is not rolled says why
    30.5.0/30.4.1/0: keep (red_roll=0 blue_roll=null) -> Blue keeps the offense. | \
Red hits: offense 5 against defense 1 is a chance of 4 in 5. | \
Blue's attack comes too late: Red had the higher offense and hit first. | A soldier falls: 1 of 5.
D6 an attack that cannot hit says why
    30/30/0: 3/4, 3/0 (red_roll=4 blue_roll=0) -> \
Red has offense 3 and defense 4; Blue has offense 3 and defense 0. | \
Red misses: offense 3 against defense 0 is a chance of 3 in 5. | \
Blue cannot hit: offense 3 is not higher than defense 4.
D1 who may forfeit
    30/30/0: 4/0, 2/1 -> \
Red has offense 4 and defense 0; Blue has offense 2 and defense 1. | \
Blue has the lower offense (2 against 4) and may forfeit it.
"""
MAGIC = """
M1 burn, as the turn passes
    r1/25.0.0.0/3.0.3.0: magic -> Red gathers 4 magic and has 4. | \
Blue burns for 3 as the turn begins: 3 → 0 hp.
M2 a bubble that explodes
    r1/25.0.0.0/25.0.0.9+b6@3: normal 2 player -> Red attacks Blue for 3. | \
Blue's shield takes all 3, Blue loses nothing. | Blue's bubbles bring 7 magic and burst.
M5 a shield takes a part
    r2/25.3.0.0/25.0.0.2: normal 2 player -> Red attacks Blue for 6. | Blue's shield takes 2. | \
Blue falls from 25 to 21 hp and now burns for 2 a turn.
M8 a minion that dies on the last move
    r1/25.4.0.0/25.0.0.0+b6@3: normal 0 1 -> Red attacks Blue's bubble for 7. | Blue's bubble dies.
M9 a shield does not stop a piercing attack
    r2/25.4.0.0/25.0.0.9: pierce player -> Red pierces Blue for 5. | \
Blue's shield does not stop it. | Blue falls from 25 to 20 hp.
M13 a heal at full hp
    r2/25.0.0.0/25.0.0.0: heal 5 -> Red heals and adds 5 shield. | \
Red gains no hp: Red is at 25 hp, the most. | Red's shield is now 5.
"""


@pytest.mark.parametrize(
    "case",
    [
        *cases(FENCING, "fencing"),
        *cases(BAGH, "bagh"),
        *cases(ADVANTAGE, "bagh-advantage"),
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
bagh 3.0.0.0/3.0.1.0: attack, attack -> Red attacks for 1, too late (1), because Blue has the \
higher priority (1 against 0)
bagh 3.0.0.0/3.0.0.0: guard, heal -> Red's guard does nothing, because Blue does not attack
bagh 3.0.0.0/3.0.0.0: attack, boost -> Red attacks for 1 (1)
fencing 0/200/300: lunge, break -> Red lunges, because Blue is 100 away, and the lunge reaches 40
fencing 0/260/300: lunge, parry -> Red lunges, because Blue parries
fencing 0/260/300: lunge, break -> Red lunges
magic-duel r1/25.0.0.0/25.0.0.9: normal 0 player, - -> Red attacks Blue for 3 (3), because \
Blue's shield takes all 3
magic-duel r1/25.0.0.0/25.0.0.0: normal 0 player, - -> Red attacks Blue for 3 (3)
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


def test_an_attack_says_its_chance():
    ruleset = load("defend-the-city")
    before = ruleset.parse_state("30.5.0/30.4.1/0")
    made = -1, ruleset.parse_word("keep")
    face = ruleset.parse_chance(before, *made, {"red_roll": 4, "blue_roll": 0})
    told = ruleset.clauses(before, *made, face, ruleset.resolve(before, *made, face))
    why = Clause(NOBODY, "offense 5 against defense 1 is a chance of 4 in 5")
    assert told[1] == Clause(RED, "misses", 4, why)
