"""Events: a duel stopped after any of them goes on elsewhere, and hides what it hid."""

import json
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.duels import random_duel
from tests.strategies import JSON, damaged

from holmgang.engine import record
from holmgang.engine.duel import Duel
from holmgang.engine.events import (
    KINDS,
    Chosen,
    Created,
    Disqualified,
    Ended,
    Forfeited,
    Revealed,
    TimedOut,
    parse_event,
)
from holmgang.errors import HolmgangError, RecordError
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.contract import SEATS
from holmgang.games.outcome import Outcome
from holmgang.games.ruleset import load


class Clock:
    def __init__(self, now):
        self.now = now

    def __call__(self):
        return self.now


def stored(events):
    """What a store keeps of events, read again."""
    text = "".join(json.dumps(event.as_json()) + "\n" for event in events)
    return [parse_event(json.loads(line)) for line in text.splitlines()]


def looks(duel):
    """All that anyone can see of a duel."""
    seats = [(duel.choices(seat), duel.chosen(seat)) for seat in SEATS]
    offers = duel.draw_offered_by
    return duel.events, duel.rounds, duel.state, duel.outcome, seats, offers, duel.is_ready


# Random play

COMMANDS = (
    *(["round"] * 8),
    *(["choose"] * 8),
    *(["reveal"] * 3),
    *(["withdraw"] * 2),
    *("offer_draw", "decline_draw", "forfeit", "time_out", "abandon", "crash"),
)
PLAYS = st.lists(
    st.tuples(
        st.sampled_from(COMMANDS),
        st.sampled_from(["red", "blue"]),
        st.integers(0, 1000),  # which choice
        st.integers(0, 10_000),  # the milliseconds before it
    ),
    max_size=30,
)


def give(duel, clock, command):
    """Gives a command, if it is allowed; time passes only then."""
    kind, seat, pick, ms = command
    before, clock.now = clock.now, clock.now + ms / 1000
    try:
        if kind == "round":
            for waiting in duel.waiting_for:
                duel.choose(waiting, duel.choices(waiting)[pick % len(duel.choices(waiting))])
            duel.reveal()
        elif kind == "choose":
            words = duel.choices(seat) or ["nothing"]
            duel.choose(seat, words[pick % len(words)])
        elif kind == "crash":
            duel.disqualify([seat], "crash")
        elif kind in ("abandon", "reveal"):
            getattr(duel, kind)()
        else:
            getattr(duel, kind)(seat)
    except HolmgangError:
        clock.now = before


@pytest.mark.parametrize("name", CATALOGUE)
@given(data=st.data(), seed=st.integers(0, 2**64 - 1), first=PLAYS, rest=PLAYS)
def test_a_duel_stopped_after_any_event_goes_on_elsewhere(
    name, data, seed, first, rest, tmp_path_factory
):
    clock = Clock(100.0)
    duel = Duel(name, seed=seed, round_limit=data.draw(st.sampled_from([0, 5, 1000])), clock=clock)
    for command in first:
        give(duel, clock, command)
    cut = stored(duel.events)
    if len(cut) > 1 and duel.is_over and duel.outcome.reason != "abandoned":
        cut = cut[: len(cut) - data.draw(st.integers(0, 1))]  # stopped just before the end
    other = Clock(5.5)
    again = Duel.from_events(cut, clock=other)
    assert again.events == duel.events
    assert looks(again) == looks(duel)
    for command in rest:
        give(duel, clock, command)
        give(again, other, command)
        assert looks(again) == looks(duel)
    folder = tmp_path_factory.mktemp("records")
    saved = [record.save(it, folder / f"{n}").read_bytes() for n, it in enumerate((duel, again))]
    assert saved[0] == saved[1]
    assert record.replay(folder / "1").outcome == duel.outcome


@pytest.mark.parametrize("name", CATALOGUE)
def test_any_prefix_of_a_whole_duel_is_a_duel(name):
    """Random play to the end that the rules know, stopped after each event."""
    duel = random_duel(name)
    events = stored(duel.events)
    assert events == duel.events
    assert Duel.from_events(events).story == duel.story
    for length in range(1, min(len(events), 60)):
        part = Duel.from_events(events[:length])
        assert part.events[:length] == events[:length]
        assert part.is_over == (len(part.events) == len(events))


def test_a_duel_that_starts_elsewhere_or_is_over_at_once():
    duel = Duel("bagh:start_hp=9", seed=5, start="9.0.2.3/9.1.0.0", round_limit=0)
    [created] = stored(duel.events)
    assert created == duel.created
    assert Duel.from_events([created]).state == duel.state
    over = Duel("bagh", seed=1, start="0.0.0.0/3.0.0.0")
    assert [type(event) for event in over.events] == [Created, Ended]
    for events in (over.events, over.events[:1]):
        assert Duel.from_events(stored(events)).outcome == Outcome("blue", "hp")


def test_a_follower_goes_on_where_the_log_stops():
    class Store:
        def __init__(self):
            self.told = []

        def on_event(self, duel, event):
            self.told.append(event)

    duel = busy_duel()
    for length in range(1, len(duel.events) + 1):
        store = Store()
        again = Duel.from_events(duel.events[:length], follower=store)
        assert store.told == again.events[length:]
        assert len(store.told) == (length == len(duel.events) - 1)
        if not again.is_over:
            again.abandon()
            assert store.told == [again.events[-1]]


def test_time_in_a_store_is_not_charged():
    clock = Clock(100.0)
    duel = Duel("bagh", seed=1, clock=clock)
    clock.now += 2
    duel.choose("red", "boost")
    clock.now += 60  # lost: nothing happened that could have been stored
    later = Clock(9000.0)
    again = Duel.from_events(stored(duel.events), clock=later)
    later.now += 3
    again.choose("blue", "boost")
    assert again.reveal().ms == {"red": 2000, "blue": 5000}
    later.now += 1.25
    again.choose("red", "boost")
    assert again.events[-1] == Chosen(6.25, "red", 2, "boost")


def test_a_clock_that_is_set_back_takes_no_time():
    clock = Clock(100.0)
    duel = Duel("bagh", seed=1, clock=clock)
    clock.now = 103.0
    duel.choose("red", "boost")
    clock.now = 50.0
    duel.choose("blue", "boost")
    assert duel.reveal().ms == {"red": 3000, "blue": 3000}
    assert Duel.from_events(stored(duel.events)).rounds == duel.rounds


def test_a_seat_times_out():
    duel = Duel("fencing", seed=1)
    assert duel.time_out("red") == duel.ruleset.disqualification(["red"], "timeout")
    assert [type(event) for event in duel.events[1:]] == [TimedOut, Ended]
    assert (duel.outcome.winner, duel.outcome.points is not None) == ("blue", True)
    assert Duel.from_events(stored(duel.events)).outcome == duel.outcome
    both = Duel("bagh", seed=1)
    assert both.time_out("blue", "red") == Outcome(None, "timeout")
    assert both.events[1] == TimedOut(both.events[1].at, ("red", "blue"))


GIVE_CHOICE = """
import json
from holmgang import Duel
duel = Duel("bagh", seed=1)
duel.choose("red", "guard")
duel.offer_draw("red")
print(json.dumps([event.as_json() for event in duel.events]))
"""
GO_ON = """
import json, sys
from holmgang import Duel
from holmgang.engine.events import parse_event
duel = Duel.from_events(parse_event(event) for event in json.loads(sys.stdin.read()))
assert duel.waiting_for == ["blue"]
assert duel.draw_offered_by == ["red"]
duel.choose("blue", "attack")
duel.reveal()
print(json.dumps([event.as_json() for event in duel.events]))
"""


def test_another_process_goes_on():
    def run(program, given=""):
        done = subprocess.run(
            [sys.executable, "-c", program], input=given, capture_output=True, text=True, check=True
        )
        return done.stdout

    events = [parse_event(event) for event in json.loads(run(GO_ON, run(GIVE_CHOICE)))]
    assert [type(event) for event in events][-2:] == [Chosen, Revealed]
    assert (events[-1].red, events[-1].blue) == ("guard", "attack")
    assert events[-1].ms["red"] <= events[-1].ms["blue"] < 5000
    assert Duel.from_events(events).round == 2


# What is wrong is refused


def events_of(duel):
    return [event.as_json() for event in duel.events]


def busy_duel():
    """A duel with most kinds of events."""
    duel = Duel("bagh", seed=1, start="3.0.0.2/3.0.0.0", clock=lambda: 0.0)
    duel.choose("red", "attack")
    duel.withdraw("red")
    duel.choose("red", "guard")
    duel.offer_draw("blue")
    duel.decline_draw("red")
    duel.choose("blue", "attack")
    duel.reveal()
    duel.choose("blue", "heal")
    duel.forfeit("red")
    return duel


BUSY = busy_duel()


@pytest.mark.parametrize(
    ("place", "changes", "told"),
    [
        (0, {"event": "made"}, "an event is one of created, chosen, "),
        (0, {"event": ["made"]}, "an event is one of created, chosen, "),
        (0, {"ruleset": "bahg"}, "created: no game 'bahg'; did you mean bagh?"),
        (0, {"ruleset": "bagh:start_hp=5"}, "created: uses different rules for bagh:start"),
        (0, {"seed": None}, "created: seed must be a whole number below 2**64; not None"),
        (0, {"seed": 2**64}, "created: seed must be a whole number below 2**64; not"),
        (0, {"start": {}}, "created: start: state lacks red, blue"),
        (0, {"at": 1.0}, "event 1 (created): at is 1.0, played 0.0"),
        (1, {"at": "x"}, "chosen: at must be a number of seconds; not 'x'"),
        (1, {"at": float("nan")}, "chosen: at must be a number of seconds; not nan"),
        (1, {"at": 7}, "event 3 (withdrawn): at is 0.0, played 7"),
        (1, {"seat": "green"}, "chosen: seat must be red or blue; not 'green'"),
        (1, {"choice": None}, "chosen: choice must be a word; not None"),
        (1, {"choice": "dance"}, "event 2 (chosen): red: 'dance' is not a choice"),
        (1, {"round": 2}, "event 2 (chosen): that choice is for round 2, but round 1 is open"),
        (1, {"seat": "blue"}, "event 3 (withdrawn): red has not chosen yet"),
        (2, {"round": 5}, "event 3 (withdrawn): round is 5, played 1"),
        (7, {"red": "heal"}, "event 8 (revealed): red is 'heal', played 'guard'"),
        (7, {"state": "x"}, "event 8 (revealed): state is 'x', played '"),
        (7, {"chance": None}, "event 8 (revealed): "),
        (7, {"ms": {"red": 1.5}}, "revealed: ms must be milliseconds by seat; not"),
        (7, {"ms": {}}, "event 8 (revealed): ms is a JSON object of 0, played a JSON object of 2"),
        (9, {"seat": "blue"}, "event 11 (ended): outcome is "),
        (10, {"outcome": 3}, "ended: outcome must be a winner, a reason and perhaps points; not 3"),
        (10, {"outcome": {"winner": None, "reason": "hp"}}, "event 11 (ended): outcome is "),
    ],
)
def test_refusals_say_what_and_where(place, changes, told):
    events = events_of(BUSY)
    events[place] |= changes
    with pytest.raises(RecordError) as refusal:
        Duel.from_events(map(parse_event, events))
    assert told in str(refusal.value)


def test_a_field_that_is_missing_is_named():
    with pytest.raises(RecordError, match="chosen: at, choice is missing"):
        parse_event({"event": "chosen", "seat": "red", "round": 1})


def test_no_events_or_the_wrong_first():
    for events in ([], BUSY.events[1:]):
        with pytest.raises(RecordError, match="the first event must be created"):
            Duel.from_events(events)


def test_nothing_follows_the_end():
    for event in (*BUSY.events[1:], Ended(0.0, Outcome(None, "abandoned"))):
        with pytest.raises(RecordError, match=r"event 12 \(.*\): the duel is over: Red forfeits"):
            Duel.from_events([*BUSY.events, event])
    with pytest.raises(RecordError, match="a duel can be created only once"):
        Duel.from_events([*BUSY.events[:3], BUSY.created])


def test_an_end_must_follow_from_what_came_before():
    for event in (
        Ended(0.0, Outcome("red", "hp")),
        Ended(0.0, Outcome("red", "abandoned")),
        Disqualified(0.0, ("red",), "timeout"),
        Disqualified(0.0, (), "crash"),
        Disqualified(0.0, ("red", "red"), "crash"),
        Disqualified(0.0, ("red",), "hp"),
    ):
        with pytest.raises(RecordError, match="event 2 "):
            Duel.from_events([BUSY.created, *stored([event])])
    for event in (Forfeited(0.0, "red"), Disqualified(0.0, ("red",), "crash")):
        assert Duel.from_events([BUSY.created, event]).outcome.winner == "blue"


def check_log(events):
    """Whether the log is that of a duel; if it is not, it is refused properly."""
    try:
        parsed = [parse_event(event) for event in events]
        duel = Duel.from_events(parsed)
    except RecordError:
        return False
    assert duel.events[: len(parsed)] == parsed
    return True


CITY = random_duel("defend-the-city")


@given(data=st.data())
@settings(max_examples=300)
def test_a_damaged_log_is_refused_or_another_log(data):
    events = events_of(data.draw(st.sampled_from([BUSY, CITY])))[:40]
    place = data.draw(st.integers(0, len(events) - 1))
    kind = data.draw(st.sampled_from(["damage", "lose", "double", "exchange", "replace"]))
    if kind == "damage":
        events[place] = data.draw(damaged(events[place]))
    elif kind == "lose":
        del events[place]
    elif kind == "double":
        events.insert(data.draw(st.integers(0, len(events))), events[place])
    elif kind == "replace":
        events[place] = data.draw(JSON)
    else:
        other = data.draw(st.integers(0, len(events) - 1))
        events[place], events[other] = events[other], events[place]
    check_log(events)


@given(JSON | st.fixed_dictionaries({"event": st.sampled_from(list(KINDS)), "at": JSON}))
def test_any_json_is_refused_with_our_own_error(value):
    with pytest.raises(RecordError):
        parse_event(value)


def test_unknown_fields_are_passed_over():
    events = [{**event, "mine": [1]} for event in events_of(BUSY)]
    assert check_log(events)
    assert load("bagh") == parse_event(events[0]).ruleset
