"""Lines of play that lead nowhere: after them, the duel is in a state in which it was before."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote

import numpy as np

from holmgang.engine.duel import Duel
from holmgang.engine.line import format_round, play_round
from holmgang.engine.record import record_lines
from holmgang.games.contract import BLUE, NO_CHOICE, RED, Transition
from holmgang.games.ruleset import Ruleset
from holmgang.lab.solved import SolvedGame
from holmgang.simulation.simulate import play_step

MOST_LINES = 3
DEEPEST = 12  # rounds before a repetition
ALIKE = 3  # decimals of a cost, as a value
REPEATED = 3  # times in a record
MOST_RECORDED = 60  # rounds of a longer game in a record


@dataclass(frozen=True)
class EndlessLine:
    """A line of play from the start, and the rounds at its end that can be repeated for ever."""

    line: str
    """As `holmgang value --after` takes it."""
    repeated: str
    cost: float
    """What the repeated choices cost both seats together, against perfect play."""
    record: str
    """The line as a record of a duel, with its end repeated."""


def endless_lines(game: SolvedGame) -> list[EndlessLine]:
    """The cheapest rounds that change nothing and need no luck, with a shortest line to each. One
    for every pair of choices; of those that cost the same, the one that is reached first.
    """
    arrays = game.arrays
    sizes = np.diff(arrays.entry_starts)
    first = arrays.entry_starts[arrays.option_starts[:-1]]
    is_sure = (np.diff(arrays.option_starts) == 1) & (sizes[arrays.option_starts[:-1]] == 1)
    loops = np.flatnonzero(is_sure)
    is_loop = arrays.successors[first[loops]] == arrays.pair_states[loops]
    is_loop &= arrays.chances[first[loops]] > 1 - 1e-12
    loops = loops[is_loop]
    if not len(loops):
        return []
    costs = game.costs(RED)[arrays.pair_choices[RED][loops]]
    costs = costs + game.costs(BLUE)[arrays.pair_choices[BLUE][loops]]
    paths = paths_from_start(game)
    rounds = [len(paths.get(int(state), ())) for state in arrays.pair_states[loops]]
    found: dict[str, EndlessLine] = {}
    for place in np.lexsort((rounds, np.round(costs, ALIKE))):
        pair = int(loops[place])
        path = paths.get(int(arrays.pair_states[pair]))
        words = round_text(game, pair)
        if path is not None and words not in found:
            line = [*path, words]
            record = record_of_line(game.ruleset, [*path, *[words] * REPEATED])
            cost = max(0.0, float(costs[place]))
            found[words] = EndlessLine(" ".join(line), words, cost, record)
        if len(found) == MOST_LINES:
            break
    return list(found.values())


def record_of_line(ruleset: Ruleset, line: Iterable[str]) -> str:
    """A line of play from the start as a record, which `holmgang replay` shows."""
    duel = Duel(ruleset, seed=0)
    for word in line:
        round = play_round(ruleset, duel.state, word)
        play_step(duel, round.red, round.blue, round.face)
    return b"".join(record_lines(duel)).decode()


def line_of_rounds(ruleset: Ruleset, rounds: Iterable[Transition]) -> str:
    """Rounds as a line of play."""
    return " ".join(format_round(ruleset, round) for round in rounds)


def explore_path(ruleset: str, line: str) -> str:
    """The path of a line on the page “Explore” of any server."""
    return (
        f"/explore/{quote(ruleset, safe=':,=')}?line={quote(line.replace(' ', ','), safe='/:,=')}"
    )


def paths_from_start(game: SolvedGame) -> dict[int, list[str]]:
    """A shortest line without luck to each state that has one."""
    arrays = game.arrays
    paths: dict[int, list[str]] = {arrays.start: []}
    waiting = deque([arrays.start])
    sizes = arrays.counts[RED] * arrays.counts[BLUE]
    while waiting:
        state = waiting.popleft()
        if len(paths[state]) == DEEPEST:
            continue
        for pair in range(arrays.pair_starts[state], arrays.pair_starts[state] + sizes[state]):
            option = arrays.option_starts[pair]
            first, end = arrays.entry_starts[option], arrays.entry_starts[option + 1]
            is_sure = arrays.option_starts[pair + 1] == option + 1 and end == first + 1
            if is_sure and arrays.chances[first] > 1 - 1e-12:
                after = int(arrays.successors[first])
                if after not in paths:
                    paths[after] = [*paths[state], round_text(game, pair)]
                    waiting.append(after)
    return paths


def round_text(game: SolvedGame, pair: int) -> str:
    """A pair of choices as in a line of play."""
    choices = (int(game.menus[seat][game.arrays.pair_choices[seat][pair]]) for seat in (RED, BLUE))
    return "/".join(game.ruleset.short(choice) for choice in choices if choice != NO_CHOICE)
