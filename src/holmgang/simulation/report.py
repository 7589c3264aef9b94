"""The result of a simulation: shares with 95 % intervals, lengths, and a stable JSON object."""

from dataclasses import dataclass
from math import sqrt

from holmgang.engine.compiled.kernels import WIDTH
from holmgang.games.contract import BLUE, NOBODY, RED, SEATS
from holmgang.games.ruleset import Ruleset
from holmgang.games.shape import JsonObject
from holmgang.simulation.tally import SimulationTally
from holmgang.stats import Z, wilson


@dataclass(frozen=True)
class Simulation:
    """The result of `simulate`."""

    ruleset: Ruleset
    seed: int
    red: str
    blue: str
    tally: SimulationTally
    compiled: bool
    threads: int
    compute_seconds: float
    """The time of the playouts, without start-up and compilation."""

    @property
    def games(self) -> int:
        return self.tally.games

    @property
    def rounds(self) -> int:
        return self.tally.rounds

    @property
    def red_wins(self) -> int:
        return self.tally.wins(RED)

    @property
    def blue_wins(self) -> int:
        return self.tally.wins(BLUE)

    @property
    def draws(self) -> int:
        return self.tally.wins(NOBODY)

    @property
    def mean_length(self) -> float:
        return self.rounds / self.games

    @property
    def length_deviation(self) -> float:
        squares = sum(n * n * games for n, games in enumerate(self.tally.lengths) if games)
        return sqrt(max(0.0, squares / self.games - self.mean_length**2))

    def reasons(self) -> dict[str, int]:
        """The number of games by reason of the outcome, most frequent first."""
        words: dict[str, int] = {}
        for reason, _, games in self.tally.endings():
            name = self.ruleset.game.rules.Reason(reason).name.lower() if reason else "limit"
            words[name] = words.get(name, 0) + games
        return dict(sorted(words.items(), key=lambda item: -item[1]))

    def choices(self, seat: int) -> dict[str, int]:
        """How often a seat made each choice."""
        picks = self.tally.picks[WIDTH * seat : WIDTH * (seat + 1)]
        return {self.ruleset.word(choice): times for choice, times in enumerate(picks) if times}

    def as_json(self) -> JsonObject:
        """The object that `holmgang simulate --json` prints. Fields may be added, never changed."""
        tally = self.tally
        counts = {"red": self.red_wins, "blue": self.blue_wins, "draws": self.draws}
        spread = Z * self.length_deviation / sqrt(self.games)
        return {
            "ruleset": self.ruleset.text,
            "ruleset_hash": self.ruleset.hash,
            "levels": {"red": self.red, "blue": self.blue},
            "seed": self.seed,
            "games": self.games,
            "rounds": self.rounds,
            **counts,
            "intervals": {name: list(wilson(count, self.games)) for name, count in counts.items()},
            "reasons": self.reasons(),
            "length": {
                "mean": self.mean_length,
                "interval": [self.mean_length - spread, self.mean_length + spread],
                "deviation": self.length_deviation,
                "shortest": tally.length_at(0),
                "p5": tally.length_at(0.05),
                "median": tally.length_at(0.5),
                "p95": tally.length_at(0.95),
                "longest": tally.length_at(1),
                "limit": tally.limit,
                "games_by_rounds": {
                    str(n): games for n, games in enumerate(tally.lengths) if games
                },
            },
            "choices": {name: self.choices(seat) for seat, name in enumerate(SEATS)},
            "compiled": self.compiled,
            "threads": self.threads,
            "compute_seconds": self.compute_seconds,
        }
