"""The sample games as the first page shows them."""

from holmgang.engine.duel import Duel
from holmgang.engine.sample import sample_of
from holmgang.games import svg
from holmgang.games.catalogue import CATALOGUE, main_entry
from holmgang.games.contract import NO_CHOICE, SEATS, Scene, Transition
from holmgang.games.ruleset import load
from holmgang.wire.lists import SampleRound, Samples

SHOWN_ROUNDS = 1


def read_samples() -> Samples:
    """The last rounds of the first game, and a board of each main game."""
    mains = [name for name, entry in CATALOGUE.items() if main_entry(entry) is entry]
    duels = {name: sample_of(load(name)) for name in mains}
    first = next(iter(duels.values()))
    count = len(first.rounds)
    start = max(0, count - SHOWN_ROUNDS)
    return Samples(
        start=svg.lean(board(first, start)),
        rounds=[sample_round(first, number) for number in range(start + 1, count + 1)],
        boards={name: svg.small(board(duel, len(duel.rounds))) for name, duel in duels.items()},
    )


def board(duel: Duel, rounds: int, *, has_style: bool = False) -> str:
    """The board after this number of rounds, for a page with its own style sheet unless it has one
    of its own.
    """
    if rounds == 0:
        return duel.ruleset.picture(duel.start, Scene(has_style=has_style))
    step = duel.course.steps[rounds - 1]
    last = Transition(step.before.state, step.red, step.blue, step.face)
    return duel.ruleset.picture(step.after.state, Scene(last, has_style=has_style))


def sample_round(duel: Duel, number: int) -> SampleRound:
    step, revealed = duel.course.steps[number - 1], duel.rounds[number - 1]
    choices = (step.red, step.blue)
    return SampleRound(
        red=revealed.red,
        blue=revealed.blue,
        labels={
            seat: duel.ruleset.label(step.before.state, place, choices[place]).words
            for place, seat in enumerate(SEATS)
            if choices[place] != NO_CHOICE
        },
        story=revealed.story,
        picture=svg.lean(board(duel, number)),
    )
