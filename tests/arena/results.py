"""Results without games, as a log has them."""

from holmgang.arena.counting.results import Results
from holmgang.arena.fixture import Fixture
from holmgang.arena.task import GameResult, SeatReport


def result(fixture: Fixture, winner: str | None = "red", rounds: int = 7, **more) -> GameResult:
    seats = {"red": SeatReport(), "blue": SeatReport(), **more}
    return GameResult(fixture.id, "bagh", fixture.seed(0), winner, "hp", rounds, **seats)


def won_by(fixture: Fixture, bot: str | None) -> GameResult:
    """The result of a game that this bot wins; a draw for None."""
    seats = {fixture.red: "red", fixture.blue: "blue", None: None}
    return result(fixture, seats[bot])


def played(schedule, winner) -> tuple[Results, list[list[Fixture]]]:
    """The results of a schedule, and what was due at each time; `winner` says who wins a game."""
    results, rounds = Results(), []
    while due := schedule.due(results):
        rounds.append(due)
        results.add(won_by(each, winner(each)) for each in due)
    return results, rounds
