"""Matches from a position: never rated, and the same in the log, the record and the rematch."""

import json

import pytest
from tests.asked import as_request
from tests.live.matches import Wall, opened, play_out, stored_views

from holmgang.engine.record import parse, replay
from holmgang.errors import MessageError
from holmgang.games.ruleset import load
from holmgang.live.clock import PlayClock
from holmgang.live.match import LiveMatch
from holmgang.live.records import record_of
from holmgang.live.refusal import Refused
from holmgang.live.terms import SeatedPlayer, Terms
from holmgang.store import StoredEvent
from holmgang.web.refusals import code_and_message

START = "2.1.0.0/3.0.0.1"


def stored(match):
    return [
        StoredEvent(event.seq, event.at, json.loads(json.dumps(event.body)))
        for event in match.take_new()
    ]


def test_every_game_begins_there_and_its_record_verifies():
    match = play_out(opened(start=START, wins_needed=2), seed=5)
    log = stored(match)
    again = LiveMatch(match.id, match.clock)
    again.apply(log)
    assert len(again.games) >= 2
    for number, duel in enumerate(again.games, start=1):
        assert duel.ruleset.format_text(duel.start) == START
        record = parse(record_of(again, number, duel).decode())
        assert record.header["start"] == duel.ruleset.format_state(duel.start)
        assert replay(record).is_over


def test_before_anyone_has_joined_the_position_is_shown():
    match = LiveMatch("7Fq2mZk9Rw", PlayClock([], Wall()))
    match.open(Terms.agreed(as_request({"opponent": "link", "start": START})))
    view = stored_views(match).view("red", picture=True)
    assert view.start == START
    assert view.state["red"]["boost"] == 1
    assert view.wins_needed == 1


def test_a_match_from_a_position_is_never_rated():
    for start, is_rated in ((None, True), (START, False)):
        match = LiveMatch("7Fq2mZk9Rw", PlayClock([], Wall()))
        match.open(Terms.agreed(as_request({"opponent": "link", "seconds": 60, "start": start})))
        match.join("red", SeatedPlayer("Ann", "account", 1))
        match.join("blue", SeatedPlayer("Bob", "account", 2))
        assert match.is_rated is is_rated
        play_out(match)
        assert (match.rated_result() is not None) is is_rated


def test_the_games_own_start_is_no_position():
    request = as_request({"opponent": "lobby", "start": "3.0.0.0/3.0.0.0"})
    assert request.start is None
    assert request.wins_needed is None


def test_a_log_of_an_older_version_has_no_start():
    body = Terms.agreed(as_request({"opponent": "link"})).as_json()
    del body["start"]
    assert Terms.from_json(body).start is None


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"start": "11.0.0.0/3.0.0.0"}, "start: red.hp is from 0 to 10"),
        ({"start": "0.0.0.0/3.0.0.0"}, "start: the duel is over in this state"),
        ({"start": "nonsense"}, "start: a state as text is"),
        ({"start": {"red": {}}}, "start: state lacks blue"),
        ({"start": 7}, "start: expected str | object | null, got int"),
        ({"start": START, "opponent": "lobby"}, "against a level, or by link"),
        ({"start": START, "opponent": {"bot": "mine"}}, "against a level, or by link"),
    ],
)
def test_what_cannot_be_a_start_is_refused(asked, said):
    with pytest.raises((MessageError, Refused)) as refused:
        as_request({"opponent": "link", **asked})
    assert code_and_message(refused.value)[0] == "bad"
    assert said in str(refused.value)


def test_a_start_as_json_is_the_same_as_in_short():
    ruleset = load("bagh")
    state = ruleset.parse_state(START)
    for value in (START, ruleset.format_state(state)):
        assert as_request({"opponent": "link", "start": value}).start == state
