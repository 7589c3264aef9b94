"""Results without games: entries as a log would hold them."""

from holmgang.arena.counting.results import Conduct, ResultEntry, Results
from holmgang.arena.fixture import Fixture
from holmgang.arena.task import GameResult, SeatReport


def result(fixture: Fixture, winner: str | None = "red", **more) -> GameResult:
    return GameResult(
        fixture.id, "bagh", fixture.seed(0), winner, "hp", 7, SeatReport(), SeatReport(), **more
    )


def entry(fixture: Fixture, winner: str | None = "red", rounds: int = 7, **more) -> ResultEntry:
    conducts = {"red": Conduct(), "blue": Conduct(), **more}
    return ResultEntry(fixture.id, "bagh", fixture.seed(0), winner, "hp", rounds, **conducts)


def won_by(fixture: Fixture, bot: str | None) -> ResultEntry:
    """The entry of a game that this bot wins; of a draw, if it is None."""
    seats = {fixture.red: "red", fixture.blue: "blue", None: None}
    return entry(fixture, seats[bot])


def played(schedule, winner) -> tuple[Results, list[list[Fixture]]]:
    """The results of a schedule, and what was due at each time; `winner` says who wins a game."""
    results, rounds = Results(), []
    while due := schedule.due(results):
        rounds.append(due)
        results.add(won_by(each, winner(each)) for each in due)
    return results, rounds
