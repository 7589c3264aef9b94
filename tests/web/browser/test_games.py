"""Two people play each game to its end and a third watches. What is hidden stays hidden: every
frame that came over the network before a reveal is looked at.
"""

import re
from itertools import count
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.web.browser.duel import Duel

# The rounds: what red chooses and what blue chooses; None for a seat that is not asked.
PLAYED = [
    pytest.param(
        "bagh:start_hp=2",
        [("attack", "boost"), ("attack", "heal")],
        id="bagh",
    ),
    pytest.param(
        "bagh-advantage:start_hp=2",
        [("boost", "guard"), ("attack", "heal")],
        id="bagh-advantage",
    ),
    pytest.param(
        "fencing:blue_start=280,lead_to_win=1,points_to_win=1,red_start=240",
        [("parry", "double_retreat"), ("double_walk", "break"), ("lunge", "break")],
        id="fencing",
    ),
    pytest.param(
        "defend-the-city:soldiers=1",
        [("5/0", "1/0"), (None, "keep")],
        id="defend-the-city",
    ),
    pytest.param(
        "magic-duel:max_hp=12",
        [
            ("normal 2 player", None),
            ("pierce player", None),
            (None, "heal 3"),
            (None, "magic"),
            ("pierce player", None),
            ("pierce player", None),
        ],
        id="magic-duel",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("ruleset", "rounds"), PLAYED)
def test_two_people_play_a_game_to_its_end_while_a_third_watches(newcomer, ruleset, rounds):
    red, blue, spectator = newcomer(), newcomer(), newcomer()
    match = red.open_match(ruleset, wins_needed=1)
    blue.join_match(match)
    duels = {
        "red": Duel(red, match, by="mouse").open(),
        "blue": Duel(blue, match, by="keys").open(),
    }
    watching = Duel(spectator, match).open()
    expect(watching.find(".frame")).to_have_accessible_name(
        re.compile(r"Board: guest \d+ \(red\) against guest \d+ \(blue\)")
    )
    pages = [*duels.values(), watching]
    for number, (of_red, of_blue) in zip(count(1), rounds):
        chosen = {"red": of_red, "blue": of_blue}
        asked = [seat for seat in ("red", "blue") if chosen[seat] is not None]
        if len(asked) == 2:
            first, second = asked if number % 2 else asked[::-1]
            choose_unseen(duels[first], first, chosen[first], [duels[second], watching])
            duels[second].choose(chosen[second])
        else:
            duels[asked[0]].choose(chosen[asked[0]])
        for page in pages:
            page.expect_round(number)
            expect(page.find(".board:is(.red-chosen, .blue-chosen)")).to_have_count(0)
    duels["red"].expect_over("You win")
    duels["blue"].expect_over(re.compile(r"guest \d+ wins"))
    watching.expect_over(re.compile(r"guest \d+ wins"))
    assert duels["red"].story() == duels["blue"].story() == watching.story()
    view = watching.view()
    assert view["status"] == "over"
    assert [[each["red"], each["blue"]] for each in view["rounds"]] == [list(r) for r in rounds]
    for page in pages:
        expect(page.find("[data-seal]")).to_have_attribute("data-seal", "checked")


def choose_unseen(duel: Duel, seat: str, choice: str, others: list[Duel]) -> None:
    """Makes a choice, changes it and changes it back, and sees to it that the others learn nothing
    but that there is one.
    """
    before = [len(other.visitor.received) for other in others]
    answers = len(duel.visitor.received)
    menu = duel.view()["menu"]
    another = next(option["word"] for option in menu["options"] if option["word"] != choice)
    seen = []
    for word in (choice, another, choice):
        duel.choose(word)
        expect(duel.find("[data-slot=chosen]")).to_contain_text(word.replace("_", " "))
        duel.expect_acknowledged()
        seen.append([seen_by(other) for other in others])
    assert seen[0] == seen[1] == seen[2]  # whatever is chosen
    assert any(f'"{another}"' in text for text in duel.visitor.received[answers:])
    for other, since in zip(others, before, strict=True):
        other.expect_chosen(seat)
        expect(other.find("[data-card]")).to_have_count(0)
        other.expect_told_only_that_chosen(seat, since)
        view = other.view()
        assert view["chosen"] is None
        assert seat not in view["waiting_for"]
        assert len(view["rounds"]) == view["round"] - 1


def seen_by(duel: Duel) -> dict[str, Any]:
    """All that the server tells, but for the time of day."""
    return {**duel.view(), "now": None}
