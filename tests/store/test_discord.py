"""What the Discord bot remembers, on both databases."""

import time

import pytest
from tests.store.rows import OPEN, event

from holmgang.store import Challenge, GuildSettings, ShownDuel

ANN, BOB, CLUB = 2**62 + 1, 2**62 + 2, 2**62 + 3


def challenge(match="m", **changed):
    now = time.time()
    given = Challenge(match, CLUB, 5, None, ANN, BOB, {"a": [1]}, "open", now, now + 60)
    return given._replace(**changed)


def shown(store, match="m", **changed):
    store.append(match, 0, [event(1)], OPEN).result()
    duel = ShownDuel(match, CLUB, 5, 6, None, None, ANN, BOB, 0, 0, "playing", thread_state="open")
    return duel._replace(**changed)


def test_a_user_is_an_account_whose_name_nobody_can_claim(store):
    person = store.discord.person(ANN, "ann")
    assert (person.name, person.is_guest) == ("@ann", False)
    assert store.discord.person(ANN, "ann") == person == store.discord.known_person(ANN)
    assert store.people.password_hash("@ann") is None
    assert store.people.by_name("@ann") == person


def test_a_user_who_is_renamed_stays_the_same_person(store):
    person = store.discord.person(ANN, "ann")
    renamed = store.discord.person(ANN, "anna")
    assert (renamed.id, renamed.name) == (person.id, "@anna")
    assert store.discord.person(BOB, "ann").name == "@ann", "the name is free again"


def test_two_users_of_one_name_are_told_apart(store):
    store.discord.person(ANN, "ann")
    assert store.discord.person(BOB, "ann").name == f"@ann {BOB}"
    assert store.discord.person(BOB, "ann").name == f"@ann {BOB}"


def test_the_settings_of_a_guild(store):
    assert store.discord.guild(CLUB) == GuildSettings()
    store.discord.set_guild(CLUB, role=7)
    store.discord.set_guild(CLUB, role=8, pings=False)
    assert store.discord.guild(CLUB) == GuildSettings(role=8, pings=False)
    store.discord.set_guild(CLUB, channel=5, private_threads=True, challenge_hours=2)
    assert store.discord.guild(CLUB) == GuildSettings(8, False, 5, True, 2)
    store.discord.set_guild(CLUB, channel=None, pings=True)
    assert store.discord.guild(CLUB) == GuildSettings(8, True, None, True, 2)


def test_when_a_challenge_was_declined(store):
    given = challenge()
    store.discord.add_challenge(given)
    pair = given.guild, given.challenger, given.opponent
    assert store.discord.settled_at(*pair, "refused") is None
    now = time.time()
    store.discord.settle(given.match, "refused", now)
    assert store.discord.settled_at(*pair, "refused") is None, "it was never posted"
    store.discord.set_challenge_message(given.match, 5)
    assert store.discord.settled_at(*pair, "refused") == now
    assert store.discord.settled_at(*pair, "rescinded") is None
    reverse = given.guild, given.opponent, given.challenger
    assert store.discord.settled_at(*reverse, "refused") is None


def test_a_challenge_is_answered_once(store):
    given = challenge()
    store.discord.add_challenge(given)
    store.discord.set_challenge_message("m", 9)
    assert store.discord.challenge("m") == given._replace(message=9)
    assert store.discord.settle("m", "accepted", time.time())
    assert not store.discord.settle("m", "refused", time.time())
    assert store.discord.challenge("m").status == "accepted"
    assert store.discord.open_challenges() == []
    assert [each.match for each in store.discord.unopened_challenges()] == ["m"]
    store.discord.add_duel(shown(store))
    assert store.discord.unopened_challenges() == []


def test_a_challenge_that_has_expired_cannot_be_accepted(store):
    store.discord.add_challenge(challenge(expires_at=1.0))
    assert not store.discord.settle("m", "accepted", time.time())
    assert [each.match for each in store.discord.open_challenges(CLUB)] == ["m"]
    assert store.discord.open_challenges(1) == []
    assert store.discord.settle("m", "expired", time.time())


def test_a_duel_is_shown_once_and_found_by_its_players(store):
    duel = shown(store)
    assert store.discord.add_duel(duel)
    assert not store.discord.add_duel(duel._replace(thread=1))
    assert store.discord.duel("m") == duel
    assert store.discord.duels_of(CLUB, ANN) == store.discord.duels_of(CLUB, BOB) == [duel]
    assert store.discord.duels_of(1, ANN) == []
    store.discord.update_duel("m", thread=7, message=8, game=2, round=3, thread_state="deleted")
    changed = duel._replace(thread=7, message=8, game=2, round=3, thread_state="deleted")
    assert store.discord.unfinished_duels() == store.discord.unfinished_duels(CLUB) == [changed]


@pytest.mark.parametrize(("since", "count"), [(None, 0), (0.0, 1), (2e12, 0)])
def test_duels_that_are_done_are_found_while_they_are_recent(store, since, count):
    store.discord.add_duel(shown(store, stage="done"))
    assert len(store.discord.unfinished_duels(since=since)) == count
    assert store.discord.duels_of(CLUB, ANN) == []
