"""The balance of a ruleset: everything that a report says, as typed numbers.

>>> found = balance("bagh:start_hp=1,max_boost=0,heal_limit=1")
>>> round(found.endings.red, 6) == round(found.endings.blue, 6)
True
"""

from dataclasses import replace
from math import sqrt

import numpy as np

from holmgang.engine.compiled.native import Announce, silent
from holmgang.engine.progress import Notify
from holmgang.errors import TooLarge
from holmgang.games.contract import BLUE, NO_CHOICE, RED
from holmgang.games.ruleset import Ruleset, as_ruleset
from holmgang.lab.chain import Chain
from holmgang.lab.depth import double_oracle
from holmgang.lab.dominance import mirrored_field, useless_choices
from holmgang.lab.lines import endless_lines
from holmgang.lab.look_ahead import look_ahead
from holmgang.lab.measures import (
    AHEAD,
    SITUATIONS,
    Balance,
    ChoiceUse,
    Length,
    LuckSplit,
    SeatMeasures,
    UseWhen,
)
from holmgang.lab.plans import plan_scores
from holmgang.lab.restricted import seen, seen_with_answers, without
from holmgang.lab.restrictions import restrictions
from holmgang.lab.sampled import GAMES, sampled_balance
from holmgang.lab.skill import LevelScores, level_scores
from holmgang.lab.solved import (
    MOST_STATES,
    Floats,
    SeatMixes,
    SolvedGame,
    added,
    can_be_solved,
    loss,
    plain_game,
    solved_game,
)
from holmgang.lab.tension import tension
from holmgang.solver.exact.scores import Enclosure

RIGHT = 1e-6  # a choice that costs less is right
MOST_RESOLVED = 12  # choices of a seat for which the game is solved again
HALF, MOST = 0.5, 0.95
COMMON = 0.05  # share of the rounds; a condition that holds less often is not worth telling
CLEARLY = 0.1  # how much more a choice must be used under a condition than in general
ROUNDING = 1e-9
PERFECT = "perfect players"


def balance(
    ruleset: str | Ruleset,
    *,
    most_states: int = MOST_STATES,
    games: int = GAMES,
    trials: int | None = None,
    progress: Notify = lambda said: None,
    announce: Announce = silent,
) -> Balance:
    """The measures of a ruleset. It is solved first if it has no table; if it has more states than
    `most_states`, this number of games is played instead, and of each habit (default: 40).
    """
    ruleset = as_ruleset(ruleset)
    if can_be_solved(ruleset):
        try:
            game = solved_game(
                ruleset, most_states=most_states, progress=progress, announce=announce
            )
        except TooLarge as error:
            progress(f"{error}; simulating games instead")
        else:
            return exact_balance(game, progress)
    return sampled_balance(ruleset, games=games, trials=trials, progress=progress)


def exact_balance(game: SolvedGame, progress: Notify) -> Balance:
    """The measures of a solved ruleset."""
    ruleset = game.ruleset
    chain = Chain(game.arrays, game.picked, game.mixes)
    progress("following the games of perfect players")
    sums = chain.sums
    plain = plain_game(game)
    levels = level_scores(ruleset, progress, plain.arrays.table if plain else None)
    red, *rest = (
        seat_measures(game, plain, chain, seat, levels, progress)
        for seat in ((RED,) if game.is_symmetric else (RED, BLUE))
    )
    blue = rest[0] if rest else mirrored(red)
    return Balance(
        ruleset.text,
        ruleset.entry.title,
        0,
        PERFECT,
        game.arrays.count,
        game.found.at(game.start),
        game.is_symmetric,
        sums.endings,
        length_of(chain),
        red,
        blue,
        luck_split(game, chain),
        tension(chain, game.found.values),
        tuple(endless_lines(game)),
        levels,
        None if plain is None else double_oracle(plain, progress),
        look_ahead(game, progress),
        plan_scores(game, sums.visits, progress),
    )


def length_of(chain: Chain) -> Length | None:
    sums = chain.sums
    if not sums.lengths.any():
        return None
    chances = sums.lengths / sums.lengths.sum()
    rounds = np.arange(1, len(chances) + 1)
    mean = float(rounds @ chances)
    return Length(
        mean,
        sqrt(max(0.0, float(rounds**2 @ chances) - mean**2)),
        sums.quantile(HALF),
        sums.quantile(MOST),
        tuple(map(float, chances)),
    )


def luck_split(game: SolvedGame, chain: Chain) -> LuckSplit:
    """The variance of the result is the sum of what every round adds: the spread of the worths of
    both choices around the value, and that of the states after the dice around the worth.
    """
    arrays, values = game.arrays, game.found.values
    worths, visits = game.pair_values[chain.pairs], chain.sums.visits
    later = arrays.chances * values[arrays.successors] ** 2
    squares = arrays.decided + added(arrays.option_of_entry, later, len(arrays.decided))
    matchups = float(visits @ chain.by_state((worths - values[chain.states]) ** 2))
    dice = max(0.0, float(visits @ chain.by_state(squares[chain.options] - worths**2)))
    total = matchups + dice
    return LuckSplit(matchups / total, dice / total) if total > 0 else LuckSplit(0.0, 0.0)


def seat_measures(
    game: SolvedGame,
    plain: SolvedGame | None,
    chain: Chain,
    seat: int,
    levels: LevelScores | None,
    progress: Notify,
) -> SeatMeasures:
    """The measures of a seat. `plain` is the same game with answers as rounds of their own."""
    arrays, mix, menu = game.arrays, game.mixes[seat], game.menus[seat]
    states, visits = arrays.choice_states[seat], chain.sums.visits
    costs, weights = game.costs(seat), visits[states]
    counts = np.bincount(menu + 1, minlength=2)
    width = len(counts)
    offered, used, lost = (
        added(menu + 1, weights * numbers, width)
        for numbers in (np.ones(len(menu)), mix, np.maximum(0, costs))
    )
    chooses = visits * (arrays.counts[seat] > 1)
    rounds = float(chooses.sum())
    right = added(states, costs <= RIGHT, arrays.count)
    resolved = resolved_choices(used)
    choices = []
    for place in np.flatnonzero(counts):
        choice = int(place) - 1
        if choice == NO_CHOICE:
            continue
        word, on_offer = game.ruleset.word(choice), float(offered[place])
        never = None
        if choice in resolved:
            progress(f"solving again without {word}")
            after = without(game, seat, choice).at(game.start)
            never = loss(seat, game.found.at(game.start), after)
        share = on_offer if on_offer > 0 else 1.0
        choices.append(
            ChoiceUse(
                word,
                on_offer / chain.sums.rounds,
                float(used[place]) / share,
                float(lost[place]) / share,
                never,
                *use_by_situation(game, chain, seat, choice),
            )
        )
    progress("solving again with choices that are seen")
    return SeatMeasures(
        tuple(choices),
        tuple(useless_choices(game, seat)),
        open_choices(game, chain, seat) or 1.0,
        float(chooses @ (right == 1)) / rounds if rounds else 0.0,
        seen_with_answers(game, seat) if plain is None else seen(plain, seat),
        None if plain is None else against_random(plain, seat),
        restricted=() if plain is None else tuple(restrictions(plain, seat, levels, progress)),
    )


def use_by_situation(
    game: SolvedGame, chain: Chain, seat: int, choice: int
) -> tuple[tuple[float | None, ...], UseWhen | None]:
    """How often a choice is made when its player is behind, about even and ahead; and the condition
    under which it is made most where there is a choice, if that is much more than usual.
    """
    places = np.flatnonzero(game.menus[seat] == choice)
    states = game.arrays.choice_states[seat][places]
    offered = chain.sums.visits[states]
    used = offered * game.mixes[seat][places]
    values = game.found.values[states] * (1 if seat == RED else -1)
    lead = np.digitize(values, (-AHEAD + ROUNDING, AHEAD - ROUNDING))
    both = (added(lead, weights, len(SITUATIONS)) for weights in (used, offered))
    by_lead = tuple(float(some / of) if of > 0 else None for some, of in zip(*both, strict=True))
    is_free = game.arrays.counts[seat][states] > 1
    states, offered, used = states[is_free], offered[is_free], used[is_free]
    total = float(offered.sum())
    if total <= 0:
        return by_lead, None
    table, usual, best = game.arrays.table, float(used.sum()) / total, None
    rows = np.frombuffer(table.rows, np.int64).reshape(table.count, -1)[states]
    for column, name in enumerate(table.kernels.layout.names):
        numbers, which = np.unique(rows[:, column], return_inverse=True)
        both = (added(which, weights, len(numbers)) for weights in (used, offered))
        for number, some, of in zip(numbers, *both, strict=True):
            if of >= COMMON * total and some >= (best.use if best else usual + CLEARLY) * of:
                best = UseWhen(name, int(number), float(some / of))
    return by_lead, best


def resolved_choices(used: Floats) -> set[int]:
    """The choices without which the game is solved again: the most used ones, and all that are
    never used, for which nothing has to be solved.
    """
    order = np.argsort(-used, kind="stable")
    return {int(place) - 1 for place in order[:MOST_RESOLVED]} | {
        int(place) - 1 for place in np.flatnonzero(used == 0)
    }


def open_choices(game: SolvedGame, chain: Chain, seat: int) -> float | None:
    """How many choices are really open to a seat where it has one, on average: e to the entropy of
    its mix. None if it never has a choice.
    """
    mix, states = game.mixes[seat], game.arrays.choice_states[seat]
    chooses = chain.sums.visits * (game.arrays.counts[seat] > 1)
    logs = np.log(mix, where=mix > 0, out=np.zeros(len(mix)))
    entropies = -added(states, mix * logs, game.arrays.count)
    return float(chooses @ np.exp(entropies) / chooses.sum()) if chooses.any() else None


def against_random(game: SolvedGame, seat: int) -> float:
    """The value to a seat of a plain game of its perfect mixes against random choices."""
    arrays = game.arrays
    random = 1 / arrays.counts[1 - seat][arrays.choice_states[1 - seat]]
    mine = game.mixes[seat]
    mixes = SeatMixes(mine, random) if seat == RED else SeatMixes(random, mine)
    value = Chain(arrays, game.picked, mixes).value
    return value if seat == RED else -value


def mirrored(red: SeatMeasures) -> SeatMeasures:
    """The measures of blue in a game that treats the seats alike."""
    found = red.seen
    choices = tuple(replace(each, most_used=mirrored_use(each.most_used)) for each in red.choices)
    swapped = None if found is None else Enclosure(-found.high, -found.low)
    return SeatMeasures(
        choices,
        tuple(useless.mirrored() for useless in red.useless),
        red.open_choices,
        red.forced,
        swapped,
        red.against_random,
        restricted=red.restricted,
    )


def mirrored_use(use: UseWhen | None) -> UseWhen | None:
    return None if use is None else replace(use, field=mirrored_field(use.field))
