"""Sealed records: whoever changes a die, a seed or the seal is found out."""

import hashlib
import json
import random

import pytest
from tests.terminal.shell import run

from holmgang.engine import record as records
from holmgang.engine.duel import Duel
from holmgang.engine.keys import game_seed
from holmgang.engine.seal import SALT_BYTES, SealProof, check_seal, commitment, new_salt
from holmgang.errors import ReplayError

SALT = bytes(range(32))
SEED = 38
SEEDS = {"defend-the-city": SEED, "bagh": 5, "magic-duel": 3}


def seal_of(seed):
    return SealProof(commitment(seed, SALT), SALT, seed)


def seal_json(seed):
    """The field `seal` of a record's header."""
    return {"commitment": commitment(seed, SALT), "salt": SALT.hex(), "seed": seed}


def sealed(tmp_path, name="defend-the-city", *, game=2, dice_of=None, **changes):
    """The record of the second game of a match, with a seal; `changes` of its header."""
    seed = SEEDS[name]
    match = {"name": "m", "game": game, "wins_needed": 3}
    writer = records.RecordWriter(tmp_path / "duel.jsonl", match=match, seal=seal_json(seed))
    duel = Duel(name, seed=dice_of or game_seed(seed, game), follower=writer)
    pick = random.Random(1)
    while not duel.is_over:
        for seat in duel.waiting_for:
            duel.choose(seat, pick.choice(duel.choices(seat)))
        duel.reveal()
    change_header(writer.path, **changes)
    return writer.path


def change_header(path, **changes):
    first, *rest = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text(json.dumps({**json.loads(first), **changes}) + "\n" + "".join(rest))


def check(path):
    record = records.read(path)
    return check_seal(record, records.replay(record))


def test_the_commitment_is_a_hash_of_seed_and_salt():
    assert commitment(258, SALT) == hashlib.sha256(b"\0\0\0\0\0\0\1\2" + SALT).hexdigest()
    assert commitment(258, SALT) != commitment(259, SALT)
    assert commitment(258, SALT) != commitment(258, new_salt())
    assert len(new_salt()) == SALT_BYTES


@pytest.mark.parametrize("name", SEEDS)
def test_a_sealed_record_is_proven(tmp_path, name):
    path = sealed(tmp_path, name)
    assert check(path) == seal_of(SEEDS[name])
    done = run(tmp_path, "replay", "--verify", str(path))
    assert (done.returncode, done.stderr) == (0, "")
    assert "The dice were fixed before the first round" in done.stdout
    assert commitment(SEEDS[name], SALT) in done.stdout
    done = run(tmp_path, "replay", "--verify", "--json", str(path))
    told = json.loads(done.stdout)
    assert (told["seal"], told["commitment"]) == ("ok", commitment(SEEDS[name], SALT))


def test_a_record_without_a_seal_is_not_said_to_have_one(tmp_path):
    path = sealed(tmp_path)
    header = json.loads(path.read_text().splitlines()[0])
    del header["seal"]
    lines = path.read_text().splitlines(keepends=True)
    path.write_text(json.dumps(header) + "\n" + "".join(lines[1:]))
    assert check(path) is None
    assert "dice were fixed" not in run(tmp_path, "replay", "--verify", str(path)).stdout


def test_a_game_outside_a_match_is_the_first(tmp_path):
    path = sealed(tmp_path, game=1, match=None)
    assert check(path) is not None


def test_dice_that_were_not_drawn_from_the_seed_are_found(tmp_path):
    """Another seed than the sealed one threw the dice, and the header hides it."""
    path = sealed(tmp_path, dice_of=12345, seed=game_seed(SEED, 2))
    done = run(tmp_path, "replay", "--verify", str(path))
    assert done.returncode == 2
    assert "round 1: chance is" in done.stderr
    assert "but the sealed seed gives" in done.stderr
    assert "fixed" not in done.stdout


SEAL = seal_json(SEED)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"seal": {**SEAL, "commitment": "0" * 64}}, "the seal is broken"),
        ({"seal": {**SEAL, "salt": "00" * 32}}, "the seal is broken"),
        ({"seal": {**SEAL, "seed": SEED + 1}}, "the seal is broken"),
        ({"seal": seal_json(99)}, "not the sealed one"),
        ({"seed": 99}, "not the sealed one"),
        ({"match": {"name": "m", "game": 3}}, "for game 3"),
        ({"match": {"game": "2"}}, "not a number"),
        ({"match": {"game": 2, "seed": 99}}, "of another match"),
        ({"seal": None}, "not a seed"),
        ({"seal": {**SEAL, "seed": -1}}, "not a seed"),
        ({"seal": {**SEAL, "seed": True}}, "not a seed"),
        ({"seal": {**SEAL, "seed": 2**64}}, "not a seed"),
        ({"seal": {**SEAL, "salt": "xyz"}}, "not hexadecimal"),
        ({"seal": {**SEAL, "salt": 5}}, "not hexadecimal"),
        ({"seal": {**SEAL, "salt": "00" * 5000}}, "not hexadecimal"),
        ({"seal": {**SEAL, "commitment": None}}, "not text"),
    ],
)
def test_a_seal_that_does_not_fit_is_refused(tmp_path, changes, told):
    with pytest.raises(ReplayError, match=told):
        check(sealed(tmp_path, **changes))
