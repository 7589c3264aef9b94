"""Seals: the proof that the dice of a match were fixed before its first round.

The server of a match draws a seed and a salt, and publishes the `commitment` to both before anyone
chooses. After the match it publishes seed and salt, as `seal` in the header of each record. Anyone
can then check that they match the commitment, and draw every die again from the seed
(`check_seal`). The salt prevents guessing the seed from the commitment.
"""

import secrets
from hashlib import sha256
from typing import NamedTuple

from holmgang.engine.duel import Duel
from holmgang.engine.keys import BYTES, derive, draw_below, game_seed
from holmgang.engine.record import Record, encode
from holmgang.engine.stream import MASK
from holmgang.errors import ReplayError
from holmgang.games.shape import brief

SALT_BYTES = 32
LONGEST_SALT = 1024


class SealProof(NamedTuple):
    """The published commitment, with the salt and seed that prove it."""

    commitment: str
    salt: bytes
    seed: int
    """The seed of the match."""


def new_salt() -> bytes:
    return secrets.token_bytes(SALT_BYTES)


def commitment(seed: int, salt: bytes) -> str:
    """SHA-256 over the seed of a match (8 bytes, big-endian) and the salt, as 64 hex digits.

    >>> commitment(0, b"")[:16]
    'af5570f5a1810b7a'
    """
    return sha256(seed.to_bytes(BYTES, "big") + salt).hexdigest()


def check_seal(record: Record, duel: Duel) -> SealProof | None:
    """The seal of a record whose replay is `duel`; None if it has none. Raises `ReplayError` unless
    seed and salt match the commitment, the seed of the game is derived from that of the match, and
    every die is the one drawn from the seed.
    """
    if "seal" not in record.header:
        return None
    seal = parse_seal(record.header["seal"], record.name)
    opened = commitment(seal.seed, seal.salt)
    if opened != seal.commitment:
        raise ReplayError(
            f"{record.name}: the seal is broken: its seed and salt give the commitment {opened}, "
            f"not {seal.commitment}"
        )
    check_seeds(record, seal)
    check_dice(record, duel)
    return seal


def parse_seal(value: object, name: str) -> SealProof:
    found = value if isinstance(value, dict) else {}
    committed, salt, seed = (found.get(key) for key in ("commitment", "salt", "seed"))
    if type(seed) is not int or not 0 <= seed <= MASK:
        raise ReplayError(f"{name}: the seed of the seal is not a seed: {brief(seed)}")
    if not isinstance(salt, str) or len(salt) > 2 * LONGEST_SALT:
        raise ReplayError(f"{name}: the salt of the seal is not hexadecimal: {brief(salt)}")
    if not isinstance(committed, str):
        raise ReplayError(f"{name}: the commitment of the seal is not text: {brief(committed)}")
    try:
        return SealProof(committed, bytes.fromhex(salt), seed)
    except ValueError:
        raise ReplayError(
            f"{name}: the salt of the seal is not hexadecimal: {brief(salt)}"
        ) from None


def check_seeds(record: Record, seal: SealProof) -> None:
    """Checks that the seed of the game is derived from the seal, by its number in the match (1 if
    the record has no match).
    """
    match = record.header.get("match", {})
    match = match if isinstance(match, dict) else {}
    if match.get("seed", seal.seed) != seal.seed:
        raise ReplayError(
            f"{record.name}: the seal is of another match: its seed is {seal.seed}, that of the "
            f"match {brief(match['seed'])}"
        )
    game = match.get("game", 1)
    if type(game) is not int:
        raise ReplayError(f"{record.name}: the number of the game is not a number: {brief(game)}")
    expected = game_seed(seal.seed, game)
    if record.header["seed"] != expected:
        raise ReplayError(
            f"{record.name}: the seed of the game is not the sealed one: it is "
            f"{brief(record.header['seed'])}, but the seal gives {expected} for game {game}"
        )


def check_dice(record: Record, duel: Duel) -> None:
    """Checks that every die of the record is the one drawn from the seed of the game."""
    dice, ruleset = derive(duel.seed, "dice"), record.ruleset
    for number, (line, step) in enumerate(
        zip(record.rounds, duel.course.steps, strict=True), start=1
    ):
        made = step.before.state, step.red, step.blue
        faces = ruleset.chance(*made)
        face = draw_below(dice, number, faces) if faces > 1 else 0
        sealed = ruleset.format_chance(*made, face)
        if line["chance"] != sealed:
            raise ReplayError(
                f"{record.name}, round {number}: chance is {encode(line['chance'])}, but the "
                f"sealed seed gives {encode(sealed)}"
            )
