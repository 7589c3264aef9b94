"""The JSON line protocol: what is said and understood, against the published schemas."""

import json
from contextlib import suppress
from importlib.resources import files

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from tests.arena.stage import bot, play

from holmgang.arena import protocol
from holmgang.arena.protocol import ProtocolError
from holmgang.arena.task import JudgeSettings
from holmgang.engine import record
from holmgang.engine.course import encode_state, hash_state
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.ruleset import load


def schema(name: str) -> Draft202012Validator:
    text = (files("holmgang.arena") / "schemas" / f"{name}.json").read_text(encoding="utf-8")
    Draft202012Validator.check_schema(json.loads(text))
    return Draft202012Validator(json.loads(text))


JUDGE, BOT = schema("judge"), schema("bot")


@pytest.mark.parametrize("ruleset", CATALOGUE)
def test_all_that_a_bot_is_told_is_by_the_schema(ruleset, tmp_path):
    settings = JudgeSettings(trust=True, records=str(tmp_path), game_ms=60_000)
    result = play(bot("player", "echo", protocol="json:"), ruleset=ruleset, settings=settings)
    assert result.red.status == "ok"
    told = (tmp_path / "game.red.stderr.txt").read_text(encoding="utf-8").splitlines()
    messages = [json.loads(line) for line in told]
    for message in messages:
        JUDGE.validate(message)
    assert [message["type"] for message in messages[:3]] == ["hello", "new game", "choose"]
    requests = [message for message in messages if message["type"] == "choose"]
    assert {message["ruleset"] for message in requests} == {load(ruleset).text}


def test_a_request_tells_the_position_and_what_happened(tmp_path):
    settings = JudgeSettings(trust=True, records=str(tmp_path), turn_ms=75)
    result = play(bot("player", "echo"), settings=settings)
    told = (tmp_path / "game.red.stderr.txt").read_text(encoding="utf-8").splitlines()
    first, second, *_ = [json.loads(line) for line in told if '"choose"' in line]
    played = record.read(result.record)
    assert (first["round"], first["last"], first["latency_ms"]) == (1, None, None)
    assert (first["time_ms"], second["time_ms"]) == (1000, 75)
    assert first["choices"] == ["boost", "attack", "guard", "heal"]
    assert second["last"] == {key: played.rounds[0][key] for key in ("red", "blue", "chance")}
    assert second["latency_ms"] == pytest.approx(result.red.latencies_ms[0], abs=0.001)
    assert hash_state(encode_state(second["state"])) == played.rounds[0]["state"]


def test_hellos():
    for name in ("Egil", "Þórr Ægisson", "侍 7", "⚔️ 👨‍👩‍👧"):
        said = {"name": name, "author": "Grim", "protocol": 1, "motto": "more"}
        hello = protocol.parse_hello(orjson.dumps(said))
        assert (hello.name, hello.author) == (name, "Grim")
        BOT.validate(said)


@pytest.mark.parametrize(
    "said",
    [
        b"hello",
        b"[]",
        b"{}",
        b'{"name": "a", "author": "b"}',
        b'{"name": "a", "author": "b", "protocol": 2}',
        b'{"name": "", "author": "b", "protocol": 1}',
        b'{"name": "a", "protocol": 1}',
        b'{"name": 7, "author": "b", "protocol": 1}',
        b'{"name": "a", "author": "b", "protocol": true}',
        b'{"name": "two\\nlines", "author": "b", "protocol": 1}',
        b'{"name": "a", "author": "line feed\\n", "protocol": 1}',
        b'{"name": "\\u001b[2J", "author": "b", "protocol": 1}',
        b'{"name": "next\\u0085line", "author": "b", "protocol": 1}',
        b'{"name": "a\\u2028b", "author": "b", "protocol": 1}',
        b'{"name": "\\u202egnorw", "author": "b", "protocol": 1}',
        b'{"name": "a", "author": "\\u2066b", "protocol": 1}',
        b'{"name": "%b", "author": "b", "protocol": 1}' % (b"a" * 81),
        b"\xff",
    ],
)
def test_what_is_no_hello(said):
    with pytest.raises(ProtocolError):
        protocol.parse_hello(said)
    with suppress(ValueError):  # where it is JSON, the schema knows
        assert not BOT.is_valid(json.loads(said))


@pytest.mark.parametrize(
    "said",
    [
        {"id": 1, "choice": "attack"},
        {"id": 1, "mix": {"attack": 0.5, "guard": 0.5}},
        {"id": 1, "mix": {"attack": 7}},
        {"id": 1, "forfeit": True},
        {"id": 1, "choice": "attack", "thought": "it is bold"},
    ],
)
def test_answers(said):
    BOT.validate(said)
    assert protocol.parse_answer(orjson.dumps(said)).id == 1


@pytest.mark.parametrize(
    "said",
    [
        {"choice": "attack"},
        {"id": "1", "choice": "attack"},
        {"id": 1},
        {"id": 1, "choice": 3},
        {"id": 1, "choice": None},
        {"id": 1, "choice": "attack", "mix": {"attack": 1}},
        {"id": 1, "mix": ["attack"]},
        {"id": 1, "mix": {"attack": -1}},
        {"id": 1, "mix": {"attack": "1"}},
        {"id": 1, "mix": {"attack": True}},
        {"id": 1, "mix": {}},
        {"id": 1, "forfeit": False},
    ],
)
def test_what_is_no_answer(said):
    assert not BOT.is_valid(said)
    with pytest.raises(ProtocolError):
        protocol.parse_answer(orjson.dumps(said))


@pytest.mark.parametrize("parse", [protocol.parse_answer, protocol.parse_hello])
def test_a_line_that_is_nested_too_deeply_is_refused(parse):
    with pytest.raises(ProtocolError, match="recursion"):
        parse(b'{"id": 1, "choice": "attack", "x": ' + b"[" * 5000 + b"]" * 5000 + b"}")


def test_a_mix_needs_a_sum():  # which a schema cannot say
    with pytest.raises(ProtocolError, match="finite number above 0"):
        protocol.parse_answer(b'{"id": 1, "mix": {"attack": 0, "guard": 0}}')
    with pytest.raises(ProtocolError):
        protocol.parse_answer(b'{"id": 1, "mix": {"attack": 1e308, "guard": 1e308}}')


@given(line=st.binary(max_size=60))
def test_any_other_line_is_refused_and_nothing_else(line):
    for parse in (protocol.parse_answer, protocol.parse_hello):
        with pytest.raises(ProtocolError):
            parse(line)
