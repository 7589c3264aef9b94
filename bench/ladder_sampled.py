"""Levels against each other, and against simple plans, in games that are played one by one."""

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Protocol

from bench.ladder_results import Contender, Result
from holmgang.games.contract import BLUE, NO_CHOICE, RED, SEATS, State
from holmgang.games.ruleset import Ruleset
from holmgang.players.graded import PairValues, pair_values
from holmgang.solver.evaluation import ByChoice
from holmgang.solver.oracle import Oracle
from holmgang.solver.quantal import kernels_of_quantal
from holmgang.solver.search.dispatch import search, takes_turns
from holmgang.solver.search.pairs import kernels_of_pairs

Choose = Callable[[State, int], int]
"""Chooses for a seat in a state."""
DISQUALIFIED = {"energy", "doping"}


class Mixes(Protocol):
    ruleset: Ruleset

    def mixes(self, contender: Contender, state: State) -> tuple[ByChoice, ByChoice]: ...


class SampledGame:
    is_exact = False

    def __init__(self, ruleset: Ruleset, games: int, perfect_ms: float) -> None:
        self.ruleset, self.games, self.perfect_ms = ruleset, games, perfect_ms
        self.oracle = Oracle(ruleset, build=False)
        self._last: tuple[State, PairValues] | None = None
        search(ruleset, ruleset.initial(), depth=1)
        kernels_of_quantal()("quantal")
        if not takes_turns(ruleset):
            kernels_of_pairs(ruleset, interpret=False)("fill_pairs")

    def mixes(self, contender: Contender, state: State) -> tuple[ByChoice, ByChoice]:
        menus = [self.ruleset.choices(state, seat) for seat in (RED, BLUE)]
        if contender == "random":
            red, blue = ({choice: 1 / len(menu) for choice in menu} for menu in menus)
            return red, blue
        if isinstance(contender, str):
            is_greedy = contender == "greedy"
            found = search(
                self.ruleset,
                state,
                depth=1 if is_greedy else None,
                budget_ms=None if is_greedy else self.perfect_ms,
            )
            return found.red, found.blue
        if self._last is None or self._last[0] != state:
            self._last = state, pair_values(self.oracle, state)
        found = self._last[1].mixes(contender)
        return in_order(menus[RED], found.row), in_order(menus[BLUE], found.column)

    def play(self, red: Contender, blue: Contender) -> Result:
        random = Random(f"{red} {blue}")
        return play_games(
            self.ruleset,
            [drawing(self, red, random), drawing(self, blue, random)],
            self.games,
            random,
        )


def in_order(menu: Sequence[int], mix: Sequence[float]) -> ByChoice:
    return dict(zip(menu, mix, strict=True)) if menu else {}


def drawing(source: Mixes, contender: Contender, random: Random) -> Choose:
    def choose(state: State, seat: int) -> int:
        mix = source.mixes(contender, state)[seat]
        return random.choices(list(mix), list(mix.values()))[0]

    return choose


def play_games(ruleset: Ruleset, players: Sequence[Choose], games: int, random: Random) -> Result:
    """Plays games between red and blue."""
    ends: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    picks: tuple[Counter[int], Counter[int]] = (Counter(), Counter())
    rounds = 0
    for _ in range(games):
        state, number = ruleset.initial(), 0
        while not ruleset.ending(state).reason and number < ruleset.entry.round_limit:
            chosen = [NO_CHOICE, NO_CHOICE]
            for seat, choose in enumerate(players):
                if ruleset.choice_set(state, seat):
                    chosen[seat] = choose(state, seat)
                    picks[seat][chosen[seat]] += 1
            face = random.randrange(ruleset.chance(state, *chosen))
            state, number = ruleset.resolve_unchecked(state, *chosen, face), number + 1
        rounds += number
        outcome = ruleset.outcome(state) or ruleset.endless()
        ends[outcome.winner or "nobody"] += 1
        reasons["limit" if ruleset.outcome(state) is None else outcome.reason] += 1
    words = [
        {ruleset.word(choice): times / each.total() for choice, times in each.items()}
        for each in picks
    ]
    return Result(
        ends[SEATS[RED]] / games,
        ends["nobody"] / games,
        ends[SEATS[BLUE]] / games,
        rounds / games,
        reasons["limit"] / games,
        sum(reasons[reason] for reason in DISQUALIFIED) / games,
        (words[RED], words[BLUE]),
        games,
    )


# Simple plans


def plans(ruleset: Ruleset) -> dict[str, Callable[[], Choose]]:
    """Plans that a newcomer may follow. Each is made anew for a series of games."""
    folder = ruleset.game.folder
    found: dict[str, Callable[[], Choose]] = {}
    if folder == "fencing":
        found["walk, lunge in reach, rest"] = lambda: fencing_plan(ruleset)
    else:
        words = {"bagh": ["attack"], "defend_the_city": ["5/0", "5/5", "3/3"]}.get(folder)
        menu = words or ruleset.words(ruleset.initial(), RED)
        for word in menu:
            found[f"always {word}"] = lambda word=word: cycle(ruleset, [word])
    if folder == "bagh":
        found["boost, boost, attack"] = lambda: cycle(ruleset, ["boost", "boost", "attack"])
    return found


def cycle(ruleset: Ruleset, words: Sequence[str]) -> Choose:
    """Makes these choices in turn; where one is not on the menu, the first that is."""
    made = 0

    def choose(state: State, seat: int) -> int:
        nonlocal made
        if state == ruleset.initial():
            made = 0
        menu = {ruleset.word(choice): choice for choice in ruleset.choices(state, seat)}
        made += 1
        return menu.get(words[(made - 1) % len(words)], next(iter(menu.values())))

    return choose


def fencing_plan(ruleset: Ruleset) -> Choose:
    def choose(state: State, seat: int) -> int:
        value = ruleset.format_state(state)
        me = value[SEATS[seat]]
        distance = abs(value["red"]["position"] - value["blue"]["position"])
        word = "walk" if distance > 40 else "lunge"
        if me["energy"] < 6:
            word = "break"
        return ruleset.parse_choice(state, seat, word)

    return choose


class Copying:
    """Copies the last choice of its opponent, and watches the opponent for that."""

    def __init__(self, ruleset: Ruleset, opponent: Choose) -> None:
        self.ruleset, self.opponent = ruleset, opponent
        self.last = NO_CHOICE
        self.shown = NO_CHOICE

    def watched(self, state: State, seat: int) -> int:
        if state == self.ruleset.initial():
            self.shown = NO_CHOICE
        self.last, self.shown = self.shown, self.opponent(state, seat)
        return self.shown

    def choose(self, state: State, seat: int) -> int:
        menu = self.ruleset.choices(state, seat)
        seen = self.shown if seat == RED else self.last  # red chooses before blue is asked
        if state == self.ruleset.initial():
            seen = NO_CHOICE
        return seen if seen in menu else menu[0]
