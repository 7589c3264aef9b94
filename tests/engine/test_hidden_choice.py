"""Until the reveal, nobody but the seat itself can tell what it has chosen.

Two duels that differ in nothing but red's choice must look the same to blue and to everyone else,
in every way they can be asked.
"""

from dataclasses import asdict

import pytest

from holmgang.engine.duel import Duel
from holmgang.errors import HolmgangError
from holmgang.games.catalogue import CATALOGUE


def asked(name: str) -> str:
    """A seat that has something to choose at the start."""
    return Duel(name, seed=1).waiting_for[0]


def looks(duel: Duel, hidden: str) -> dict[str, object]:
    """All that anyone but the hidden seat can see, do and be told."""
    other = "blue" if hidden == "red" else "red"
    seen: dict[str, object] = {
        "views": [repr(duel.view(seat)) for seat in (None, other)],
        "views as JSON": [repr(asdict(duel.view(seat))) for seat in (None, other)],
        "repr": repr(duel).partition(" at ")[0],
        "text": str(duel).partition(" at ")[0],
        "state": duel.state_json,
        "story": duel.story,
        "rounds": repr(duel.rounds),
        "waiting for": duel.waiting_for,
        "ready": duel.is_ready,
        "ending": duel.ending(),
        "choices": [duel.choices(seat) for seat in ("red", "blue")],
    }
    for what, call in {
        "choose nonsense": lambda: duel.choose(other, "no such choice"),
        "choose too early": lambda: duel.choose(other, "no such choice", round=99),
        "withdraw": lambda: duel.withdraw(other),
        "reveal": lambda: duel.reveal() if duel.waiting_for else None,
        "reveal with wrong chance": lambda: duel.reveal(chance="x") if duel.waiting_for else None,
        "forfeit for nobody": lambda: duel.forfeit("green"),
    }.items():
        try:
            seen[what] = repr(call())
        except HolmgangError as refusal:
            seen[what] = f"{type(refusal).__name__}: {refusal}"
    return seen


@pytest.mark.parametrize("name", CATALOGUE)
def test_choices_cannot_be_told_apart(name):
    hidden = asked(name)
    seen = []
    for word in Duel(name, seed=1).choices(hidden):
        duel = Duel(name, seed=1, clock=lambda: 0.0)
        duel.choose(hidden, word)
        seen.append(looks(duel, hidden))
    assert len(seen) > 1
    assert all(look == seen[0] for look in seen)


@pytest.mark.parametrize("name", CATALOGUE)
def test_neither_can_a_changed_choice(name):
    hidden = asked(name)
    words = Duel(name, seed=1).choices(hidden)
    once, often = Duel(name, seed=1), Duel(name, seed=1)
    once.choose(hidden, words[0])
    for word in words:
        often.choose(hidden, word)
    assert looks(once, hidden) == looks(often, hidden)


def test_nor_how_long_it_took():
    quick, slow = (
        Duel("bagh", seed=1, clock=iter([0.0, seconds]).__next__) for seconds in (0.1, 99.0)
    )
    quick.choose("red", "boost")
    slow.choose("red", "boost")
    assert looks(quick, "red") == looks(slow, "red")


def test_the_seat_itself_sees_its_choice():
    duel = Duel("bagh", seed=1)
    duel.choose("red", "guard")
    assert duel.view("red").chosen == "guard"
    assert duel.view("blue").chosen is None
    assert duel.view().chosen is None
    duel.withdraw("red")
    assert duel.view("red").chosen is None


def test_a_spectator_has_no_choices():
    view = Duel("bagh", seed=1).view()
    assert (view.seat, view.choices) == (None, [])


def test_a_view_is_what_its_seat_needs_to_choose():
    duel = Duel("bagh:start_hp=5", seed=1)
    duel.offer_draw("blue")
    fighter = {"hp": 5, "boost": 0, "priority": 0, "shield_damage": 0}
    assert asdict(duel.view("red")) == {
        "ruleset": "bagh:start_hp=5",
        "seat": "red",
        "round": 1,
        "state": {"red": fighter, "blue": fighter},
        "choices": ["boost", "attack", "guard", "heal"],
        "chosen": None,
        "waiting_for": ["red", "blue"],
        "draw_offered_by": ["blue"],
        "outcome": None,
        "rounds": (),
    }


def test_a_revealed_reaction_hides_nothing_and_asks_only_one():
    duel = Duel("defend-the-city", seed=1)
    duel.choose("red", "2/4")
    duel.choose("blue", "5/0")
    duel.reveal()
    assert duel.view().state["scores"] == {"red": [2, 4], "blue": [5, 0]}
    assert (duel.waiting_for, duel.choices("blue")) == (["red"], [])
