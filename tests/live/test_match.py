"""A match as a fold over its log: the log says everything, and commands are carried out once."""

import json
import random
from contextlib import suppress

import pytest
from tests.live.matches import (
    Wall,
    choose,
    command,
    give,
    opened,
    play_out,
    play_round,
    stored_views,
)

from holmgang.engine.course import Course
from holmgang.engine.duel import Duel
from holmgang.engine.history import History
from holmgang.engine.match import Match
from holmgang.games.catalogue import CATALOGUE
from holmgang.live import match as live_match
from holmgang.live.clock import PlayClock
from holmgang.live.commands import DoneCommands
from holmgang.live.match import GRACE, MOST_MISSED, LiveMatch
from holmgang.live.refusal import Refused
from holmgang.live.terms import SeatedPlayer
from holmgang.store import StoredEvent


def stored(match):
    """What the match has added, as it comes back from a store."""
    return [
        StoredEvent(event.seq, event.at, json.loads(json.dumps(event.body)))
        for event in match.take_new()
    ]


def views(match):
    shown = stored_views(match)
    return [shown.view(seat, picture=True) for seat in ("red", "blue", None)]


@pytest.mark.parametrize("game", CATALOGUE)
def test_the_log_says_everything(game):
    match = opened(game)
    play_out(match, seed=3)
    again = LiveMatch(match.id, match.clock)
    again.apply(stored(match))
    assert views(again) == views(match)
    assert again.summary() == match.summary()


@pytest.mark.parametrize("game", ["bagh", "defend-the-city", "magic-duel"])
def test_another_process_follows_append_by_append(game):
    match, rng = opened(game), random.Random(5)
    again = LiveMatch(match.id, match.clock)
    again.apply(stored(match))
    while not match.is_over:
        for seat in list(match.waiting_for):
            choose(match, seat, rng.choice(match.duel.choices(seat)))
            again.apply(stored(match))
            assert again.versions == match.versions
            assert again.duel.events == match.duel.events
    assert views(again) == views(match)


def test_either_process_can_carry_on():
    here, rng = opened("bagh"), random.Random(1)
    there = LiveMatch(here.id, here.clock)
    there.apply(stored(here))
    while not here.is_over:
        play_round(here, rng)
        there.apply(stored(here))
        here, there = there, here
    assert here.summary() == there.summary()


def content(value):
    """Everything in a match, without what all matches share."""
    if isinstance(value, LiveMatch | Match | Duel | Course | DoneCommands):
        shared = ("clock", "positions", "position", "_clock", "_durable")
        return {name: content(each) for name, each in vars(value).items() if name not in shared}
    if isinstance(value, dict):
        return {key: content(each) for key, each in value.items()}
    if isinstance(value, History | list | tuple):
        return [content(each) for each in value]
    return frozenset(value) if isinstance(value, set | frozenset) else value


@pytest.mark.parametrize("game", ["bagh", "fencing", "magic-duel"])
def test_commands_on_a_fork_leave_the_match_as_it_is(game):
    """Commands are tried on a fork, and nothing of it is shown unless it is stored."""
    match, rng = opened(game), random.Random(3)
    match.note_stored()
    kinds = [*["choose"] * 8, "withdraw", "offer draw", "decline draw", "rematch", "forfeit"]
    for _ in range(100):
        before, fork = content(match), match.fork()
        for _ in range(3):
            seat, kind = rng.choice(["red", "blue"]), rng.choice(kinds)
            words = fork.duel.choices(seat) if kind == "choose" else []
            with suppress(Refused):
                give(fork, seat, kind, choice=rng.choice(words) if words else None)
        assert content(match) == before
        if rng.random() < 0.5 and not fork.is_over:
            fork.note_stored()
            match = fork


def test_a_repeated_command_has_no_further_effect():
    match = opened()
    asked = command(match, "choose", choice="guard")
    match.carry_out("red", asked)
    before = match.seq
    match.carry_out("red", asked)
    assert match.seq == before
    choose(match, "blue", "attack")
    match.carry_out("red", asked)  # also when its round is over
    assert match.duel.round == 2
    assert match.duel.chosen("red") is None


def test_a_repeated_command_is_known_after_a_restart():
    match = opened()
    asked = command(match, "choose", choice="guard")
    match.carry_out("red", asked)
    again = LiveMatch(match.id, match.clock)
    again.apply(stored(match))
    again.carry_out("red", asked)
    assert again.take_new() == []


def test_the_opponent_cannot_use_up_an_id():
    match = opened()
    asked = command(match, "choose", choice="guard")
    match.carry_out("blue", asked)
    match.carry_out("red", asked)
    assert match.duel.round == 2


def test_a_late_choice_is_refused_without_effect():
    match = opened()
    late = command(match, "choose", choice="guard")
    choose(match, "red", "boost")
    choose(match, "blue", "boost")
    before = match.seq
    with pytest.raises(Refused, match="round 2 is open") as refused:
        match.carry_out("red", late)
    assert refused.value.code == "late"
    assert match.seq == before


@pytest.mark.parametrize("kinds", [("choose",), ("choose", "withdraw"), ("offer draw",)])
def test_nobody_can_use_up_the_events_of_a_match_for_the_other(kinds, monkeypatch):
    monkeypatch.setattr(live_match, "MOST_EVENTS", 100)
    monkeypatch.setattr(live_match, "MOST_SECOND_THOUGHTS", 20)
    match = opened()
    for kind in kinds * 200:
        with suppress(Refused):
            give(match, "red", kind, **({"choice": "guard"} if kind == "choose" else {}))
    again = LiveMatch(match.id, match.clock)
    again.apply(stored(match))
    with pytest.raises(Refused, match="too often"):  # another process counts the same
        give(again, "red", "offer draw")
    choose(again, "blue", "attack")
    if "red" in again.waiting_for:
        choose(again, "red", "guard")
    assert again.duel.round == 2


def test_a_choice_that_is_not_legal_is_refused():
    match = opened()
    with pytest.raises(Refused, match="not a choice") as refused:
        choose(match, "red", "fly")
    assert refused.value.code == "illegal"


def test_a_spectator_can_do_nothing():
    match = opened()
    with pytest.raises(Refused, match="watching"):
        match.carry_out(None, command(match, "choose", choice="guard"))


def test_a_forfeit_ends_the_match():
    match = opened()
    give(match, "red", "forfeit")
    assert (match.status, match.winner, match.reason) == ("over", "blue", "forfeit")
    with pytest.raises(Refused):
        choose(match, "blue", "guard")


def test_a_drawn_game_is_followed_by_another():
    match = opened("bagh")
    give(match, "red", "offer draw")
    give(match, "blue", "offer draw")
    assert match.status == "playing"
    assert len(match.games) == 2


def test_a_drawn_game_ends_a_match_of_one():
    match = opened("bagh-advantage")
    give(match, "red", "offer draw")
    give(match, "blue", "offer draw")
    assert (match.status, match.winner, match.reason) == ("over", None, "agreement")


# The clock


def test_whoever_is_late_loses_the_match():
    wall = Wall()
    match = opened(wall=wall, seconds=60)
    choose(match, "blue", "guard")
    wall.at += 59.9
    match.run_out()
    assert match.status == "playing"
    wall.at += 0.2
    match.run_out()
    assert (match.status, match.winner, match.reason) == ("over", "blue", "timeout")


@pytest.mark.parametrize("kind", ["choose", "withdraw", "offer draw", "decline draw"])
def test_nothing_is_done_in_a_round_whose_time_is_up(kind):
    """Also before the timer has ended it."""
    wall = Wall()
    match = opened(wall=wall, seconds=15)
    choose(match, "red", "guard")
    give(match, "red", "offer draw")
    wall.at += 15
    for seat in ("red", "blue"):
        with pytest.raises(Refused, match="time for round 1 is up") as refused:
            give(match, seat, kind, choice="guard")
        assert refused.value.code == "late"
    match.run_out()
    assert match.winner == "red"


def test_nobody_wins_if_both_are_late():
    wall = Wall()
    match = opened(wall=wall, seconds=15)
    wall.at += 16
    match.run_out()
    assert (match.status, match.winner, match.reason) == ("over", None, "timeout")


def test_a_harmless_choice_is_made_for_whoever_is_late():
    wall = Wall()
    match = opened(wall=wall, seconds=15, on_timeout="harmless")
    choose(match, "red", "boost")
    wall.at += 16
    match.run_out()
    revealed = match.duel.rounds[0]
    assert (revealed.red, revealed.blue) == ("boost", "guard")
    assert stored_views(match).view(None, picture=False).rounds[0].late == ["blue"]


def test_harmless_choices_end_in_a_loss():
    wall = Wall()
    match = opened("bagh:start_hp=9", wall=wall, seconds=15, on_timeout="harmless")
    for _ in range(MOST_MISSED):
        choose(match, "red", "boost")
        wall.at += 16
        match.run_out()
        assert match.status == "playing"
    choose(match, "red", "boost")
    wall.at += 16
    match.run_out()
    assert (match.winner, match.reason) == ("red", "timeout")


def test_a_computer_never_runs_out_of_time():
    wall = Wall()
    match = LiveMatch("x", PlayClock([], wall))
    match.open(opened(seconds=15).terms)
    match.join("red", SeatedPlayer("Ann", "guest", 1))
    match.join("blue", SeatedPlayer("perfect", "level"))
    choose(match, "red", "guard")
    assert match.deadline is None
    wall.at += 100
    match.run_out()
    assert match.status == "playing"


def test_an_outage_is_credited():
    wall = Wall(1000.0)
    match = opened(wall=wall, seconds=60)
    log = stored(match)
    wall.at = 2000.0
    again = LiveMatch(match.id, PlayClock([(1010.0, 2000.0)], wall))
    again.apply(log)
    assert again.deadline == 2050.0
    again.run_out()
    assert again.status == "playing"
    wall.at = 2030.0
    choose(again, "red", "guard")
    choose(again, "blue", "guard")
    assert again.duel.rounds[0].ms == {"red": 40_000, "blue": 40_000}


def test_a_new_game_has_a_little_more_time():
    wall = Wall()
    match = opened("bagh:start_hp=1", wall=wall, seconds=15)
    choose(match, "red", "attack")
    choose(match, "blue", "boost")
    assert len(match.games) == 2
    assert match.deadline == wall.at + 15 + GRACE


# Rematches


def test_a_rematch_is_due_when_both_want_it():
    match = opened("bagh-advantage")
    give(match, "red", "forfeit")
    give(match, "red", "rematch")
    assert not match.is_rematch_due
    give(match, "blue", "rematch")
    assert match.is_rematch_due
    match.agree_rematch("new")
    assert not match.is_rematch_due
    assert match.rematch == "new"


def test_no_rematch_before_the_end():
    match = opened()
    with pytest.raises(Refused, match="after the end"):
        give(match, "red", "rematch")


# Ratings


def test_only_accounts_play_for_ratings_by_a_games_own_rules_and_by_the_clock():
    for ruleset, kind, seconds, rated in (
        ("bagh", "account", 60, True),
        ("bagh", "account", None, False),
        ("bagh", "guest", 60, False),
        ("bagh:start_hp=5", "account", 60, False),
    ):
        match = LiveMatch("x", PlayClock([], Wall()))
        match.open(opened(ruleset, seconds=seconds).terms)
        match.join("red", SeatedPlayer("Ann", "account", 1))
        match.join("blue", SeatedPlayer("Bob", kind, 2))
        assert match.is_rated is rated
        play_round(match, random.Random(1))
        give(match, "blue", "forfeit")
        result = match.rated_result()
        assert (result is not None) is rated
        if result is not None:
            assert (result.red, result.blue, result.score) == (1, 2, 1.0)


def rated(wall: Wall | None = None, **asked) -> LiveMatch:
    """A rated match, its first game begun."""
    match = LiveMatch("x", PlayClock([], wall or Wall()))
    match.open(opened(seconds=15, **asked).terms)
    match.join("red", SeatedPlayer("Ann", "account", 1))
    match.join("blue", SeatedPlayer("Bob", "account", 2))
    assert match.is_rated
    return match


def test_a_match_that_ends_before_a_reveal_is_not_rated():
    match = rated()
    choose(match, "red", "boost")
    give(match, "blue", "forfeit")
    assert (match.status, match.winner, match.is_rated) == ("over", "red", False)
    assert match.rated_result() is None
    assert match.summary().rated is False
    assert "before a choice of each player" in stored_views(match).view(None, picture=False).unrated
    again = LiveMatch("x", match.clock)
    again.apply(stored(match))
    assert again.is_rated is False


def test_choices_that_the_clock_made_are_not_those_of_a_player():
    wall = Wall()
    match = rated(wall, on_timeout="harmless")
    while not match.is_over:  # blue never comes
        for seat in match.waiting_for:
            if seat == "red":
                choose(match, "red", "boost")
        wall.at += 30
        match.run_out()
    assert match.duel.rounds
    assert (match.winner, match.is_rated) == ("red", False)


def test_matches_of_a_ruleset_share_what_is_known_of_its_positions():
    one, other = opened(), opened()
    for match in (one, other):
        choose(match, "red", "attack")
        choose(match, "blue", "heal")
    assert one.duel.course.position is other.duel.course.position
    choose(one, "red", "guard")
    assert one.has_chosen == {"red"}
    assert not other.has_chosen
