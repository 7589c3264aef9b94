"""Whole duels for tests to look at, save and replay."""

from holmgang.engine.duel import Duel
from holmgang.simulation.simulate import play_out

CITY_SEED = 38  # a short campaign in which soldiers fall, chance is thrown and step 2 is asked


def random_duel(ruleset: str, seed: int = CITY_SEED, **options) -> Duel:
    """A duel of two random players, to its end."""
    return play_out(Duel(ruleset, seed=seed, clock=lambda: 0.0, **options))


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
