"""Golden pictures: one state of each golden playthrough, drawn. `make golden` writes them anew."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.engine.duels import random_duel
from tests.golden import SEEDS

from holmgang.analysis.analyse import analyse
from holmgang.analysis.curve import draw
from holmgang.engine.picture import result_caption
from holmgang.games.contract import NO_CHOICE, Scene, Transition
from holmgang.games.ruleset import load
from holmgang.games.svg import labelled
from holmgang.solver.tables import build_by_the_way

FOLDER = Path(__file__).parent

ROUNDS = {
    "bagh": 7,
    "bagh-advantage": 7,
    "fencing": 5,
    "fencing-codingame": 5,
    "defend-the-city": 7,
    "defend-the-city-duel": 3,
    "magic-duel": 17,
}
"""After which round."""


def picture_path(name: str) -> Path:
    return FOLDER / f"{name}.svg"


def transitions(name: str, seed: int) -> Iterator[tuple[Any, Transition | None]]:
    """Every state of a duel of two random players, with the round that led to it."""
    duel = random_duel(name, seed)
    game, rules = duel.ruleset.game, duel.ruleset.rules
    state = duel.start
    yield state, None
    for played in duel.rounds:
        red, blue = (
            NO_CHOICE if word is None else game.notation.parse_choice(rules, word)
            for word in (played.red, played.blue)
        )
        face = game.notation.parse_chance(rules, state, red, blue, played.chance)
        last = Transition(state, red, blue, face)
        state = game.rules.resolve(rules, *last)
        yield state, last


DOCUMENTS = Path(__file__).parents[3] / "docs" / "pictures"
"""The same duels at their start, in the middle and at the end, for documents to show."""


def document_pictures() -> Iterator[tuple[Path, str]]:
    for name, seed in SEEDS.items():
        ruleset, states = load(name), list(transitions(name, seed))
        moments = {"start": 0, "middle": len(states) // 2, "end": len(states) - 1}
        for moment, number in moments.items():
            state, last = states[number]
            caption = f"Round {number + 1}"
            if moment == "end":
                ruled = ruleset.ending(state)
                caption = result_caption(ruled.winner)
            drawn = labelled(ruleset.picture(state, Scene(last)), caption=caption)
            yield DOCUMENTS / f"{name}-{moment}.svg", drawn + "\n"


def document_curve() -> tuple[Path, str]:
    """The curve of the duel that the page on analysis shows."""
    build_by_the_way(load("bagh"))
    return DOCUMENTS / "curve.svg", draw(analyse(random_duel("bagh")).as_json()) + "\n"


def golden_picture(name: str) -> str:
    number = ROUNDS[name]
    state, last = list(transitions(name, SEEDS[name]))[number]
    drawn = load(name).picture(state, Scene(last))
    return labelled(drawn, caption=f"Round {number + 1}") + "\n"
