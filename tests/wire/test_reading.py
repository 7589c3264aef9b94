"""Reading messages: what is wrong, where, and what is allowed; nothing else comes through."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holmgang.errors import MessageError
from holmgang.wire.lists import Credentials
from holmgang.wire.match import Command, Opening
from holmgang.wire.reading import decode


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        ('{"id":"a","type":"fly"}', Command, "type is one of cancel, choose, decline draw, "),
        ('{"id":"","type":"forfeit"}', Command, "id: expected str of length >= 1"),
        ('{"type":"forfeit"}', Command, "id is missing"),
        ('{"id":"a","type":"choose","game":-1}', Command, "game: expected int >= 0"),
        ('{"id":"a","type":"choose","speed":1}', Command, "unknown field 'speed'; the fields are "),
        ("[]", Command, "expected object, got array"),
        ("{", Command, "this is not JSON"),
        ("", Command, "this is not JSON"),
        ('{"opponent":{"dog":1}}', Opening, "opponent: unknown field 'dog'; the fields are level"),
        ('{"opponent":"dog"}', Opening, "opponent is one of link, lobby"),
        ('{"seconds":7}', Opening, "seconds is one of 15, 60, 86400, null"),
        ('{"wins_needed":true}', Opening, "wins_needed: expected int | null, got bool"),
        ('{"ruleset":"\\ud800"}', Opening, "this is not JSON"),
        (b'{"ruleset":"\xff"}', Opening, "this is not JSON"),
        ('{"wins_needed":NaN}', Opening, "this is not JSON"),
        ('{"start":' + '{"a":' * 100_000, Opening, "this is not JSON"),
    ],
)
def test_bad_messages_are_explained(text, kind, said):
    with pytest.raises(MessageError) as refused:
        decode(text, kind)
    assert said in str(refused.value)


def test_a_password_is_never_repeated():
    for text in ('{"name":"a","password":["hunter2"]}', '{"name":1,"password":"hunter2"}'):
        with pytest.raises(MessageError) as refused:
            decode(text, Credentials)
        assert "hunter2" not in str(refused.value)


@given(st.binary(max_size=200) | st.text(max_size=200))
def test_noise_is_refused_or_read(noise):
    with suppress(MessageError):
        assert isinstance(decode(noise, Command), Command)
