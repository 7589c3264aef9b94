"""Whole duels for tests to look at, save and replay."""

from holmgang.engine.duel import Duel
from holmgang.players import find_level

CITY_SEED = 38  # a short campaign in which soldiers fall, chance is thrown and step 2 is asked


def random_duel(ruleset: str, seed: int = CITY_SEED, **options) -> Duel:
    """A duel of two random players, to its end."""
    duel = Duel(ruleset, seed=seed, clock=lambda: 0.0, **options)
    players = {seat: find_level("random").seat(seed) for seat in ("red", "blue")}
    while not duel.is_over:
        for seat in list(duel.waiting_for):
            duel.choose(seat, players[seat].choose(duel.view(seat)))
        duel.reveal()
    return duel


def replayed_alike(duel: Duel, again: Duel) -> bool:
    """Whether one is the other all over, but for names and times."""

    def happened(it: Duel) -> list[tuple[object, ...]]:
        return [(each.number, each.red, each.blue, each.chance, each.story) for each in it.rounds]

    return (
        happened(duel) == happened(again)
        and duel.start == again.start
        and duel.state == again.state
        and duel.outcome == again.outcome
        and duel.story == again.story
    )
