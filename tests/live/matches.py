"""Matches for tests: opened, joined, and played by commands as clients send them."""

import random
from itertools import count

from tests.asked import as_command, as_request

from holmgang.engine.duel import Duel
from holmgang.engine.events import Revealed
from holmgang.engine.record import header_line, result_line, revealed_line
from holmgang.games.contract import SEATS
from holmgang.live.clock import PlayClock
from holmgang.live.match import LiveMatch
from holmgang.live.terms import SeatedPlayer, Terms, new_id
from holmgang.live.view import Extras, MatchViews
from holmgang.wire.match import MatchView

ids = count(1)


class Wall:
    """A wall clock that a test sets."""

    def __init__(self, at: float = 1_000_000.0) -> None:
        self.at = at

    def __call__(self) -> float:
        return self.at


def opened(ruleset: str = "bagh", *, wall: Wall | None = None, **asked) -> LiveMatch:
    """A match between two guests, its first game begun."""
    match = LiveMatch(new_id(), PlayClock([], wall or Wall()))
    match.open(Terms.agreed(as_request({"ruleset": ruleset, "opponent": "link", **asked})))
    match.join("red", SeatedPlayer("Ann", "guest", 1))
    match.join("blue", SeatedPlayer("Bob", "guest", 2))
    return match


def stored_views(match: LiveMatch) -> MatchViews:
    """The views of a match, as if its events had been stored."""
    match.note_stored()
    return MatchViews(match)


def logged_fields() -> set[str]:
    """The fields of a view that follow from the log alone."""
    return set(MatchView.__struct_fields__) - {*Extras._fields, "now", "deadline"}


def command(match: LiveMatch, kind: str, **fields):
    """A command for the open round."""
    where = {"game": len(match.games), "round": match.duel.round}
    return as_command({"id": f"c{next(ids)}", "type": kind, **where, **fields})


def give(match: LiveMatch, seat: str, kind: str, **fields) -> None:
    match.carry_out(seat, command(match, kind, **fields))


def choose(match: LiveMatch, seat: str, choice: str) -> None:
    give(match, seat, "choose", choice=choice)


def play_round(match: LiveMatch, rng: random.Random) -> None:
    duel = match.duel
    for seat in [seat for seat in SEATS if seat in match.waiting_for]:
        choose(match, seat, rng.choice(duel.choices(seat)))


def play_out(match: LiveMatch, seed: int = 0) -> LiveMatch:
    rng = random.Random(seed)
    while not match.is_over:
        play_round(match, rng)
    return match


def long_record(rounds: int) -> str:
    """The record of a game of this many rounds, as text."""
    duel = Duel("bagh", seed=1, round_limit=0)
    while len(duel.rounds) < rounds:
        for seat in SEATS:
            duel.choose(seat, "guard")
        duel.reveal()
    duel.forfeit("red")
    lines = [header_line(duel.created, {}, {})]
    lines += [revealed_line(event) for event in duel.events if isinstance(event, Revealed)]
    return b"".join([*lines, result_line(duel.outcome, rounds)]).decode()
