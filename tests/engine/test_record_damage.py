"""A damaged record is refused with the place of the damage, or the damage does no harm."""

import json
import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.duels import random_duel
from tests.strategies import damaged

from holmgang.engine import record
from holmgang.errors import RecordError, ReplayError

CITY = random_duel("defend-the-city")


def saved(duel, folder) -> str:
    return record.save(duel, folder / "duel.jsonl").read_text(encoding="utf-8")


@pytest.fixture
def text(tmp_path):
    return saved(CITY, tmp_path)


def lines_of(text):
    return [json.loads(line) for line in text.splitlines()]


def text_of(lines):
    return "".join(json.dumps(line) + "\n" for line in lines)


def test_the_record_has_chance_a_reaction_and_an_end():
    assert any(revealed.chance for revealed in CITY.rounds)
    assert any(revealed.red is None or revealed.blue is None for revealed in CITY.rounds)
    assert CITY.outcome is not None


# Cut off


def test_cut_off_anywhere_it_is_refused_or_known_to_be_incomplete(text):
    for length in range(len(text)):
        part = text[:length]
        if part.endswith("\n"):
            read = record.parse(part)
            assert not read.is_complete
            played = record.replay(read)
            assert [it.story for it in played.rounds] == [
                it.story for it in CITY.rounds[: len(read.rounds)]
            ]
        else:
            told = "is cut off" if part else "is not a Holmgang record"
            with pytest.raises(RecordError, match=told):
                record.parse(part)


def test_cut_off_inside_a_letter(tmp_path):
    path = record.save(CITY, tmp_path / "duel.jsonl", seats={"red": {"name": "Zoë"}})
    content = path.read_bytes()
    path.write_bytes(content[: content.index("ë".encode()) + 1])
    with pytest.raises(RecordError, match="it is not text"):
        record.read(path)


# Something changed


HARMLESS = re.compile(
    r"line 1: (engine|seed|round_limit|holmgang|seats.*)"  # names, and what chance was drawn from
    r"|line \d+: (ms.*|round|rounds)"  # times; 1.0 and true are 1 to Python
    r"|line \d+: chance\..*"  # a roll that misses either way
)
VALUES = [
    None,
    True,
    False,
    0,
    1,
    2,
    7,
    -1,
    1.0,
    2**64,
    "",
    "x",
    "red",
    "blue",
    "0/0",
    "hp",
    [],
    {},
]


def paths(value, path=()):
    yield path
    if isinstance(value, dict):
        for key in value:
            yield from paths(value[key], (*path, key))


def with_replaced(value, path, replacement):
    if not path:
        return replacement
    return {**value, path[0]: with_replaced(value[path[0]], path[1:], replacement)}


def without(value, path):
    if len(path) == 1:
        return {key: value[key] for key in value if key != path[0]}
    return {**value, path[0]: without(value[path[0]], path[1:])}


def check_damage(lines, number, place, changed):
    """Replays the lines with one of them changed: refused there or later, or no harm done."""
    text = text_of([*lines[:number], changed, *lines[number + 1 :]])
    try:
        again = record.replay(record.parse(text))
    except RecordError as refusal:
        check_place(refusal, number, len(lines))
    else:
        assert again.story == CITY.story, f"{place} changed the duel"
        assert (again.state, again.outcome) == (CITY.state, CITY.outcome)
        assert HARMLESS.match(place) or changed == lines[number], f"{place} went unnoticed"


def check_place(refusal, number, count):
    """The refusal names the line, the round, or the header or result that the whole rests on."""
    told = str(refusal)
    assert told.startswith("record")
    named = re.match(r"record, (line|round) (\d+): ", told)
    if named:
        line = int(named[2]) - 1 if named[1] == "line" else int(named[2])
        assert line >= number or isinstance(refusal, ReplayError)
    else:
        assert number in (0, count - 1)


def test_every_field_replaced_or_left_out(text):
    lines = lines_of(text)
    tried = 0
    for number, line in enumerate(lines):
        for path in paths(line):
            place = f"line {number + 1}: {'.'.join(path)}"
            if path:
                check_damage(lines, number, place, without(line, path))
            for value in VALUES:
                check_damage(lines, number, place, with_replaced(line, path, value))
                tried += 1
    assert tried > 1000


@pytest.mark.parametrize(
    ("line", "changes", "error", "told"),
    [
        (0, {"holmgang": 2}, RecordError, "record is a record of format 2; "),
        (0, {"ruleset": "bahg"}, RecordError, "record, line 1: no game 'bahg'; did you mean bagh?"),
        (
            0,
            {"ruleset": "bagh"},
            RecordError,
            "record, line 1: uses different rules for bagh",
        ),
        (0, {"ruleset_hash": "0"}, RecordError, "record, line 1: uses different rules"),
        (0, {"seed": "1"}, RecordError, "record, line 1: seed must be a whole number"),
        (
            0,
            {"seed": 2**64},
            RecordError,
            "record, line 1: a seed must be a whole number from 0 to",
        ),
        (0, {"round_limit": -1}, RecordError, "record, line 1: round_limit must be a whole number"),
        (0, {"round_limit": 1}, ReplayError, "record, round 2: the duel is over: Blue wins"),
        (0, {"seats": None}, RecordError, "record, line 1: seats must be a JSON object"),
        (0, {"start": {}}, RecordError, "record, line 1: state lacks phase, red, blue"),
        (1, {"round": 2}, RecordError, "record, line 2: expected round 1"),
        (1, {"red": "dance"}, ReplayError, "record, round 1: red: 'dance' is not a choice"),
        (1, {"red": None}, ReplayError, "record, round 1: red must choose before the reveal"),
        (1, {"red": 4}, ReplayError, "record, round 1: red must choose with a word; not 4"),
        (1, {"state": "x"}, ReplayError, "record, round 1: the record has state 'x', played"),
        (-1, {"rounds": 3}, RecordError, "the result claims 3 rounds, the record has"),
        (-1, {"result": {"winner": "red"}}, RecordError, "not a result: a JSON object of 1"),
        (-1, {"result": {"winner": "green", "reason": "hp"}}, RecordError, "not a result"),
        (
            -1,
            {"result": {"winner": None, "reason": "agreement"}},
            ReplayError,
            'record: the record\'s result is {"winner":null,"reason":"agreement"}, the duel\'s {',
        ),
    ],
)
def test_refusals_say_what_and_where(text, line, changes, error, told):
    lines = lines_of(text)
    lines[line].update(changes)
    with pytest.raises(error) as refusal:
        record.replay(record.parse(text_of(lines)))
    assert told in str(refusal.value)


@given(data=st.data())
def test_anything_damaged_is_refused_or_harmless(data, tmp_path_factory):
    lines = lines_of(saved(CITY, tmp_path_factory.mktemp("records")))
    number = data.draw(st.integers(0, len(lines) - 1))
    lines[number] = data.draw(damaged(lines[number]))
    try:
        again = record.replay(record.parse(text_of(lines)))
    except RecordError:
        return
    if again.is_over:
        assert again.story == CITY.story


# Lines lost, doubled, exchanged, added


def test_lines_lost_doubled_or_exchanged_are_refused(text):
    lines = text.splitlines(keepends=True)
    for number in range(len(lines) - 1):
        with pytest.raises(RecordError):
            record.parse("".join(lines[:number] + lines[number + 1 :]))
        with pytest.raises(RecordError):
            record.parse("".join(lines[:number] + lines[number + 1 :] + lines[number : number + 1]))
    for number in range(len(lines)):
        with pytest.raises(RecordError):
            record.parse("".join(lines[: number + 1] + lines[number:]))


@pytest.mark.parametrize("extra", ["\n", "{}\n", "[]\n", "null\n", "x\n", "[" * 100_000 + "\n"])
def test_lines_of_something_else_are_refused(text, extra):
    lines = text.splitlines(keepends=True)
    for number in range(len(lines) + 1):
        with pytest.raises(RecordError):
            record.parse("".join([*lines[:number], extra, *lines[number:]]))


@pytest.mark.parametrize("content", [b"", b"\n", b"\x00" * 40, b"\xff\xfe", b"GIF89a", b"{}\n"])
def test_other_files_are_no_records(content, tmp_path):
    path = tmp_path / "other"
    path.write_bytes(content)
    with pytest.raises(RecordError, match="other"):
        record.read(path)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(RecordError, match=r"cannot read .*: No such file"):
        record.read(tmp_path / "nothing.jsonl")
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(RecordError, match="is not a file"):
            record.read(path)


@given(st.text(max_size=60))
def test_any_text_is_refused_with_our_own_error(text):
    with pytest.raises(RecordError):
        record.parse(text)


# Endings that no rulebook knows of


def unfinished(tmp_path, result):
    lines = lines_of(saved(CITY, tmp_path))[:3]
    return record.parse(text_of([*lines, {"result": result, "rounds": 2}]))


@pytest.mark.parametrize(
    ("winner", "reason"),
    [("red", "forfeit"), ("blue", "forfeit"), (None, "agreement"), (None, "abandoned")],
)
def test_an_ending_by_the_players_is_taken_at_its_word(winner, reason, tmp_path):
    duel = record.replay(unfinished(tmp_path, {"winner": winner, "reason": reason}))
    assert duel.outcome.as_json() == {"winner": winner, "reason": reason}


@pytest.mark.parametrize(
    ("winner", "reason"),
    [
        (None, "forfeit"),
        ("red", "agreement"),
        ("blue", "abandoned"),
        ("red", "wounded"),
        (None, "limit"),
        ("red", ""),
    ],
)
def test_an_ending_that_cannot_be_is_refused(winner, reason, tmp_path):
    with pytest.raises(ReplayError):
        record.replay(unfinished(tmp_path, {"winner": winner, "reason": reason}))
