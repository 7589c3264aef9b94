"""Every rule that can be changed changes what it says."""

import pytest
from tests.games.cases import cases, played

from holmgang.engine import step
from holmgang.errors import RulesetError
from holmgang.games.ruleset import load

ACTIONS = ["break", "walk", "retreat", "lunge", "parry", "double_walk", "double_retreat"]
DRUGS = {
    "lunge": "lunge_distance_skill",
    "parry": "parry_distance_skill",
    "energy_max": "energy_max",
    "walk": "walk_skill",
    "retreat": "retreat_skill",
    "double_walk": "double_walk_skill",
    "double_retreat": "double_retreat_skill",
    "break": "break_skill",
}


def fencer_after(ruleset: str, choice: str, start: str = "0/200.10/300.10") -> dict:
    """Red after choosing this against a break."""
    loaded = load(ruleset)
    notation = loaded.game.notation
    state = notation.format_state(loaded.rules, notation.parse_text(loaded.rules, start))
    answer = step.answer({"game": ruleset, "state": state, "red": choice, "blue": "break"})
    return answer["state"]["red"]


@pytest.mark.parametrize("action", [*ACTIONS, *(f"{drug}_drug" for drug in DRUGS)])
def test_energy_of_an_action(action):
    assert fencer_after(f"fencing:{action}_energy=-7", action)["energy"] == 3
    assert fencer_after(f"fencing:{action}_energy=4", action)["energy"] == 14


@pytest.mark.parametrize("action", ["walk", "retreat", "double_walk", "double_retreat"])
def test_move_of_an_action(action):
    assert fencer_after(f"fencing:{action}_move=-3", action)["position"] == 197


@pytest.mark.parametrize(("drug", "skill"), DRUGS.items())
def test_skill_of_a_drug(drug, skill):
    before = fencer_after("fencing", "break")[skill]
    assert fencer_after(f"fencing:{drug}_drug_skill=-3", f"{drug}_drug")[skill] == before - 3


TABLES = {
    "fencing:points_to_win=2,lead_to_win=1": """
points_to_win and lead_to_win decide
    0/260.20.1/300.20.1: lunge, break -> 1/260.15.2/300.20.1, red wins by score 1:0
    0/260/300: lunge, break -> 2/200.15.1/300
""",
    "fencing:turns=3": """
turns are all there are
    2/200.20.1/300: break, break -> 3/200.20.1/300, red wins by turns 1:0
    2/260/300: lunge, break -> 3/200.15.1/300, red wins by turns 1:0
""",
    "fencing:piste=600,red_start=250,blue_start=350": """
piste, red_start and blue_start are where fencers stand
    0/260/590: break, retreat -> 2/250.20.1/350.19
    0/260/580: break, retreat -> 1/260/600.19
""",
    "fencing:lunge_distance=50,parry_distance=-20,energy_transfer=3": """
lunge_distance, parry_distance and energy_transfer
    0/250/300: lunge, break -> 2/200.15.1/300
    0/270/300.10: lunge, parry -> 2/200.15.1/300.8
    0/269/300.10: lunge, parry -> 1/269.12/300.11
""",
    "fencing:energy_transfer=5": """
F9 the parrier's gain stops at his maximum, though the lunger loses it all
    0/200/300: lunge, parry -> 1/200.10/300
    0/200/300.10: lunge, parry -> 1/200.10/300.13
    0/200/300.20.0.1.25: lunge, parry -> 1/200.10/300.23.0.1.25
""",
    "fencing:break_energy=1": """
F15 a gain of 1 stops at the maximum too
    0/200/300: break, walk -> 1/200/280.19
    0/200.18/300: break, walk -> 1/200.19/280.19
""",
    "fencing:break_energy=0": """
F15 an action that gives nothing changes nothing, also above the maximum
    0/200.25/300: break, walk -> 1/200.25/280.19
""",
    "fencing:max_drugs=0": """
max_drugs are allowed, and one more is too many
    0/200.20.1/300: walk_drug, break -> 1/200.15.1!/300, blue wins by doping -1:1
""",
    "fencing:level_collides=1": """
F3 level_collides
    0/280/300: walk, break -> 2/200.19/300
""",
    "fencing:parry_drug_works=0": """
F4 parry_drug_works
    0/200.20.0.7/300: parry_drug, break -> 1/200.15.0.7/300
""",
    "fencing:scoreless_doping_fails_both=1": """
F5 scoreless_doping_fails_both
    0/200.20.0.7/300: walk_drug, break -> 1/200.15.0.7!/300, draw by doping -1:-1
""",
}


@pytest.mark.parametrize(
    "case", [case for ruleset, table in TABLES.items() for case in cases(table, ruleset)]
)
def test_house_rule(case):
    assert played(case) == case.after


@pytest.mark.parametrize("settings", ["piste=300", "red_start=500,blue_start=500", "red_start=0"])
def test_fencers_may_start_at_the_edges_and_level(settings):
    state = step.answer({"game": f"fencing:{settings}", "ask": "start"})["state"]
    assert 0 <= state["red"]["position"] <= state["blue"]["position"]


def test_start_energy_and_max_energy():
    state = step.answer({"game": "fencing:start_energy=9,max_energy=30", "ask": "start"})["state"]
    assert [state[seat][key] for seat in ("red", "blue") for key in ("energy", "energy_max")] == [
        9,
        30,
        9,
        30,
    ]


@pytest.mark.parametrize(
    "settings",
    [
        "blue_start=100",
        "piste=299",
        "red_start=501,blue_start=501",
        "red_start=250,blue_start=250,level_collides=1",
        "start_energy=21",
        "max_energy=19",
    ],
)
def test_fencers_must_start_apart_on_the_piste_and_not_above_their_maximum(settings):
    with pytest.raises(RulesetError, match="cannot be played"):
        load(f"fencing:{settings}")


@pytest.mark.parametrize("settings", ["red_start=501", "blue_start=501"])
def test_a_start_off_the_piste_is_named(settings):
    with pytest.raises(RulesetError, match="both start positions must be on the piste"):
        load(f"fencing:{settings}")
