"""A match: games between the same two players until one has won enough."""

from holmgang.engine.course import Positions, fork_of
from holmgang.engine.duel import Duel, Follower
from holmgang.engine.keys import game_seed, parse_seed
from holmgang.errors import DuelError
from holmgang.games.contract import SEATS
from holmgang.games.outcome import Outcome
from holmgang.games.ruleset import Ruleset, as_ruleset

GAME_LIMIT = 100


class Match:
    """First to `wins_needed` games, each with its own dice.

    A drawn game does not count and another is played, up to `GAME_LIMIT` games. A match of one game
    ends with that game, drawn or not.

    >>> match = Match("bagh", seed=1, wins_needed=2)
    >>> for _ in range(2):
    ...     _ = match.next_game().forfeit("blue")
    >>> match.score, match.winner
    ({'red': 2, 'blue': 0}, 'red')
    """

    def __init__(
        self,
        ruleset: str | Ruleset,
        *,
        seed: int | None = None,
        wins_needed: int | None = None,
        round_limit: int | None = None,
        start: object = None,
        positions: Positions | None = None,
    ) -> None:
        """By default the seed is random, and the game sets the wins needed, the round limit and the
        first state, `start`.
        """
        self.ruleset = as_ruleset(ruleset)
        self.seed = parse_seed(seed)
        self.wins_needed = self.ruleset.entry.wins_needed if wins_needed is None else wins_needed
        self.round_limit = round_limit
        self.start = start
        self.positions = positions
        self.games: list[Duel] = []
        if self.wins_needed < 1:
            raise DuelError("a match needs at least 1 win")

    def next_game(self, follower: Follower | None = None) -> Duel:
        """Starts the next game."""
        if self.is_over:
            raise DuelError("the match is over")
        if self.games and not self.games[-1].is_over:
            raise DuelError(f"game {len(self.games)} is not over yet")
        self.games.append(
            Duel(
                self.ruleset,
                seed=game_seed(self.seed, len(self.games) + 1),
                round_limit=self.round_limit,
                start=self.start,
                follower=follower,
                positions=self.positions,
            )
        )
        return self.games[-1]

    def fork(self) -> "Match":
        """An independent copy, which can be played without changing this match."""
        fork = fork_of(self)
        fork.games = self.games.copy()
        if self.games and not self.games[-1].is_over:
            fork.games[-1] = self.games[-1].fork()
        return fork

    @property
    def outcomes(self) -> list[Outcome]:
        return [game.outcome for game in self.games if game.outcome is not None]

    @property
    def score(self) -> dict[str, int]:
        return {seat: sum(ended.winner == seat for ended in self.outcomes) for seat in SEATS}

    @property
    def draws(self) -> int:
        return sum(ended.winner is None for ended in self.outcomes)

    @property
    def is_over(self) -> bool:
        limit = 1 if self.wins_needed == 1 else GAME_LIMIT
        return (
            len(self.outcomes) >= limit
            or max(self.score.values()) >= self.wins_needed
            or any(ended.reason == "abandoned" for ended in self.outcomes)
        )

    @property
    def winner(self) -> str | None:
        """The seat that has won the match; None while it goes on, and for a draw."""
        red, blue = self.score["red"], self.score["blue"]
        if not self.is_over or red == blue:
            return None
        return "red" if red > blue else "blue"
