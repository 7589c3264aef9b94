"""Stories tell what the rules did, also where it is not what the choices look like."""

import pytest
from tests.games.cases import cases, request

from holmgang.engine.duel import Duel

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
