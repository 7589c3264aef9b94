"""Until the reveal, nobody but the seat itself can tell what it has chosen.

Two duels that differ in nothing but red's choice must look the same to blue and to everyone else,
in every way they can be asked.
"""

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
        "chosen": duel.chosen(other),
        "offers": duel.draw_offered_by,
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
    assert duel.chosen("red") == "guard"
    assert duel.chosen("blue") is None
    duel.withdraw("red")
    assert duel.chosen("red") is None


def test_a_revealed_reaction_hides_nothing_and_asks_only_one():
    duel = Duel("defend-the-city", seed=1)
    duel.choose("red", "2/4")
    duel.choose("blue", "5/0")
    duel.reveal()
    assert duel.state_json["scores"] == {"red": [2, 4], "blue": [5, 0]}
    assert (duel.waiting_for, duel.choices("blue")) == (["red"], [])
