"""Records of live games, and matches made from records that were played elsewhere."""

from datetime import UTC, datetime

from holmgang.engine import record as engine_records
from holmgang.engine.duel import Duel
from holmgang.engine.events import Revealed
from holmgang.engine.frames import names_of
from holmgang.engine.record import Record, header_line, result_line, revealed_line
from holmgang.errors import RecordError
from holmgang.games.contract import SEATS
from holmgang.games.shape import JsonObject
from holmgang.live.clock import PlayClock
from holmgang.live.match import LiveMatch
from holmgang.live.packing import PACKED_NAME, pack
from holmgang.live.refusal import Refused
from holmgang.live.terms import SeatedPlayer, Terms, new_id

MOST_ROUNDS = 2_000
"""Maximum rounds of an uploaded record; no game by default rules takes half as many."""


def record_of(match: LiveMatch, number: int, duel: Duel) -> bytes:
    """The record of a finished game. It contains the seed of the match once that is over."""
    if duel.outcome is None:
        raise Refused("closed", "the game is not over yet; its record would reveal its seed")
    terms = match.terms
    about: JsonObject = {"name": match.id, "game": number, "wins_needed": terms.wins_needed}
    extra: JsonObject = {"match": about}
    if match.is_over and terms.salt is not None:
        about["seed"] = terms.seed
        extra["seal"] = {
            "commitment": terms.commitment,
            "salt": terms.salt.hex(),
            "seed": terms.seed,
        }
    seats = {seat: {"name": who.name} for seat, who in match.players.items() if who is not None}
    started = match.started(number)
    if started is not None:
        extra = {"started": datetime.fromtimestamp(started, UTC).isoformat("T", "seconds"), **extra}
    lines = [header_line(duel.created, seats, extra)]
    lines += [revealed_line(event) for event in duel.events if isinstance(event, Revealed)]
    lines.append(result_line(duel.outcome, len(duel.rounds)))
    return b"".join(lines)


def parse_record(content: bytes) -> Record:
    return engine_records.parse(content.decode(), PACKED_NAME)


def read_upload(text: str, clock: PlayClock) -> LiveMatch:
    """A new match to watch, made from the text of a record. Raises `RecordError` for an invalid
    record; an unfinished one is accepted.
    """
    if text.count("\n") > MOST_ROUNDS + 2:  # its header and its result
        raise RecordError(f"the record has more than {MOST_ROUNDS:,} rounds, which is too long")
    record = engine_records.parse(text, PACKED_NAME)
    duel = engine_records.replay(record)
    match = LiveMatch(new_id(), clock)
    names = names_of(record)
    match.open_finished(
        Terms(duel.ruleset, 1, None, "lose", "uploaded", record.header["seed"], None),
        {seat: SeatedPlayer(names[seat], "record") for seat in SEATS},
        duel,
        pack(text),
    )
    return match
