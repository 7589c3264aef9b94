"""Positions to explore: where a line of play leads, the choices there, and their values.

Everything here is a function of a ruleset, a state and a line; no match is needed. It may take a
second, so callers run it in threads (`slow_work.py`).
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import msgspec
from msgspec.structs import asdict

from holmgang.analysis.position import Assessment, assess
from holmgang.engine.compiled.native import silent
from holmgang.engine.course import Step
from holmgang.engine.forecast import odds_text
from holmgang.engine.frames import chance_words
from holmgang.engine.line import format_round, play_round, results_of
from holmgang.errors import HolmgangError
from holmgang.games.contract import BLUE, NO_CHOICE, RED, SEATS, Scene, State, Transition
from holmgang.games.editing import edited, form, possible
from holmgang.games.ruleset import Ruleset, load
from holmgang.games.shape import brief
from holmgang.live.menus import menu_of
from holmgang.live.refusal import Refused
from holmgang.players.readiness import ReadyToLookUp
from holmgang.solver.oracle import oracle_of
from holmgang.solver.search.preparing import was_prepared
from holmgang.solver.tables import layers_path, table_path
from holmgang.wire.match import MatchEnding
from holmgang.wire.study import (
    ExploredPosition,
    ExploredResult,
    ExploredResults,
    ExploredRound,
    FormField,
    PositionWorth,
)

MOST_ROUNDS = 500
"""Maximum length of a line."""
MOST_FACES = 200_000
"""Maximum number of faces of all dice of a played game, which are all tried."""
MOST_SECONDS = 2.0
"""Time limit for playing a line: with changed rules, dice can have very many faces."""
BUDGET_MS = 800.0
"""Search time for the value of a position."""
KEPT = 256
"""Number of cached evaluations of positions."""
LOOK_UP = ReadyToLookUp(build=False)


@dataclass(frozen=True)
class Walk:
    """A line of play from a position, and the number of its rounds that are played."""

    ruleset: Ruleset
    start: State
    rounds: list[Transition]
    at: int

    @property
    def state(self) -> State:
        return self.states[self.at]

    @property
    def states(self) -> list[State]:
        """The start, and the state after each round."""
        resolve = self.ruleset.resolve_unchecked
        return [self.start, *(resolve(*each) for each in self.rounds)]


def parse_walk(ruleset: str, state: str | None, line: str, at: int | None) -> Walk:
    """The walk from a position, as short text or as JSON; the game's start if none is given. Raises
    `Refused`.
    """
    try:
        game = load(ruleset)
        start = possible(game, game.parse_state(state or None))
        rounds = list(played(game, start, line.split()))
    except HolmgangError as error:
        raise Refused("bad", str(error)) from None
    return walk_to(game, start, rounds, at)


def walk_of(ruleset: Ruleset, steps: Sequence[Step], start: State, at: int | None) -> Walk:
    """The walk through a played duel."""
    rounds = [Transition(step.before.state, step.red, step.blue, step.face) for step in steps]
    faces = sum(ruleset.chance(each.before, each.red, each.blue) for each in rounds)
    if faces > MOST_FACES:
        raise Refused("closed", f"the dice of this game have {faces:,} faces, too many to explore")
    return walk_to(ruleset, start, rounds, at)


def walk_to(ruleset: Ruleset, start: State, rounds: list[Transition], at: int | None) -> Walk:
    if at is not None and at > len(rounds):
        raise Refused("bad", f"the line has {len(rounds)} rounds; there is no round {at}")
    return Walk(ruleset, start, rounds, len(rounds) if at is None else at)


def played(ruleset: Ruleset, state: State, words: list[str]) -> Iterator[Transition]:
    if len(words) > MOST_ROUNDS:
        raise Refused("bad", f"a line has at most {MOST_ROUNDS} rounds; not {len(words):,}")
    until = time.monotonic() + MOST_SECONDS
    for number, word in enumerate(words, start=1):
        try:
            round = play_round(ruleset, state, word)
        except HolmgangError as error:
            raise Refused("bad", f"round {number}, {brief(word)}: {error}") from None
        if time.monotonic() > until:
            raise Refused("bad", f"round {number}: the line takes too long to play")
        yield round
        state = ruleset.resolve_unchecked(*round)


# The position


def describe(walk: Walk) -> ExploredPosition:
    """The position for a page, with the line that leads to it."""
    ruleset, state = walk.ruleset, walk.state
    ended = ruleset.outcome(state)
    return ExploredPosition(
        ruleset=ruleset.text,
        game_name=ruleset.entry.name,
        title=ruleset.entry.title,
        start=ruleset.format_text(walk.start),
        is_usual_start=walk.start == ruleset.initial(),
        line=[describe_round(walk.ruleset, each) for each in walk.rounds],
        at=walk.at,
        state=ruleset.format_state(state),
        text=ruleset.format_text(state),
        mirrored=ruleset.format_text(ruleset.mirror(state)) if ruleset.is_symmetric else None,
        picture=draw(walk),
        fields=[FormField(**field._asdict()) for field in form(ruleset, state)],
        menus={seat: None if ended else menu_of(ruleset, state, seat) for seat in SEATS},
        outcome=None
        if ended is None
        else MatchEnding(
            winner=ended.winner, reason=ended.reason, sentence=ruleset.tell_ending(state)
        ),
    )


def describe_round(ruleset: Ruleset, played: Transition) -> ExploredRound:
    state, red, blue, face = played
    after = ruleset.resolve_unchecked(*played)
    return ExploredRound(
        word=format_round(ruleset, played),
        red=ruleset.word_or_none(red),
        blue=ruleset.word_or_none(blue),
        labels={
            seat: ruleset.label(state, number, played.choice(number)).words
            for number, seat in enumerate(SEATS)
            if played.choice(number) != NO_CHOICE
        },
        chance_text=chance_words(ruleset.format_chance(state, red, blue, face)),
        story=ruleset.tell(state, red, blue, face, after),
    )


def draw(walk: Walk) -> str:
    last = walk.rounds[walk.at - 1] if walk.at else None
    return walk.ruleset.picture(walk.state, Scene(last, has_style=False))


def edit(walk: Walk, path: str, value: int) -> Walk:
    """The walk that starts in the position with one field changed. Raises `Refused`."""
    try:
        state = edited(walk.ruleset, walk.state, path, value)
    except HolmgangError as error:
        raise Refused("bad", str(error)) from None
    return Walk(walk.ruleset, state, [], 0)


# The next round


def describe_results(walk: Walk, red: str | None, blue: str | None) -> ExploredResults:
    """The possible results of two choices, each with its odds and its word in a line."""
    ruleset, state = walk.ruleset, walk.state
    try:
        ruleset.check_undecided(state)
        choices = [
            parse_choice(ruleset, state, seat, word) for seat, word in ((RED, red), (BLUE, blue))
        ]
        results = results_of(ruleset, state, *choices)
    except HolmgangError as error:
        raise Refused("bad", str(error)) from None
    faces = sum(throw.weight for throw in results.values())
    return ExploredResults(
        results=[
            ExploredResult(
                **asdict(
                    describe_round(ruleset, Transition(state, choices[0], choices[1], throw.face))
                ),
                odds=odds_text(Fraction(throw.weight, faces)),
                share=throw.weight / faces,
                text=ruleset.format_text(after),
            )
            for after, throw in results.items()
        ]
    )


def parse_choice(ruleset: Ruleset, state: State, seat: int, word: str | None) -> int:
    if not ruleset.choice_set(state, seat) and not word:
        return NO_CHOICE
    return ruleset.parse_choice(state, seat, word or "")


# The value


def describe_worth(walk: Walk) -> PositionWorth:
    """The value, both mixes, the worth of every choice, and the matrix of all pairs."""
    ruleset, state = walk.ruleset, walk.state
    try:
        found = worth_of(ruleset, state)
    except HolmgangError as error:
        raise Refused("bad", str(error)) from None
    labels = {
        seat: choice_labels(ruleset, state, number, found) for number, seat in enumerate(SEATS)
    }
    described = {**found.as_json(), "labels": labels, "note": note_of(ruleset)}
    return msgspec.convert(described, PositionWorth)


def choice_labels(
    ruleset: Ruleset, state: State, seat: int, found: Assessment
) -> dict[str, list[str]]:
    """The labels of the choices, by their words."""
    return {
        ruleset.word(choice): ruleset.label(state, seat, choice).words
        for choice in found.solution.worths[seat]
    }


def prepare(ruleset: Ruleset) -> None:
    """Starts to compile the search in the background, if there is no table."""
    LOOK_UP(ruleset, silent, wait=False)


def needs_compiling(ruleset: Ruleset) -> bool:
    """Whether the ruleset has no table and its search has not been compiled yet."""
    return not was_prepared(ruleset) and not has_table(ruleset)


def has_table(ruleset: Ruleset) -> bool:
    """Whether there is a table. A negative answer is not cached: anyone may name any ruleset."""
    has_file = table_path(ruleset).exists() or layers_path(ruleset).exists()
    return has_file and oracle_of(ruleset, build=False).has_table


def is_preparing(ruleset: Ruleset) -> bool:
    """Whether the search is still being compiled. Uncompiled, it could occupy a core for long."""
    return oracle_of(ruleset, build=False).is_preparing


def note_of(ruleset: Ruleset) -> str:
    """What is being prepared, as text; empty if nothing."""
    return LOOK_UP.note(ruleset)


def worth_of(ruleset: Ruleset, state: State) -> Assessment:
    """The evaluation of an undecided state, cached until a table with better values exists."""
    return known_worth(ruleset, state, has_table(ruleset))


@lru_cache(KEPT)
def known_worth(ruleset: Ruleset, state: State, _: bool) -> Assessment:
    return assess(ruleset, state, budget_ms=BUDGET_MS)
