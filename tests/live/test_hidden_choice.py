"""What is hidden: matches that differ only in a choice which is not revealed look the same."""

import asyncio
import random

import pytest
from tests.live.matches import Wall, choose, command, give, opened, play_round, stored_views

from holmgang.games.catalogue import CATALOGUE
from holmgang.games.contract import SEATS, other_seat
from holmgang.live.match import LiveMatch
from holmgang.live.refusal import Refused
from holmgang.live.room import Room
from holmgang.live.view import Extras


def begun(game, seed):
    """A match in which both seats are about to choose; None if it does not come to that."""
    rng = random.Random(seed)
    match = opened(game, wall=Wall(), seconds=60)
    for _ in range(seed):
        if not match.is_over:
            play_round(match, rng)
    return None if match.is_over or len(match.waiting_for) < 2 else match.take_new()


def copy(log):
    match = LiveMatch("7Fq2mZk9Rw", opened(wall=Wall()).clock)
    match.apply(log)
    return match


def frames(log, viewer, acts):
    """Every frame that a viewer is sent while these things happen."""

    async def follow():
        match = copy(log)
        room = Room(match, lambda _: Extras(), 0.0)
        followers = [room.follow(viewer, picture=picture) for picture in (False, True)]
        for act in acts:
            act(match)
            match.take_new()
            match.note_stored()
            room.show(match)
            room.publish()
        for follower in followers:
            follower.close()
        return [[frame async for frame in follower] for follower in followers]

    return asyncio.run(follow())


def choosing(seat, word):
    return lambda match: choose(match, seat, word)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("game", [game for game in CATALOGUE if game != "magic-duel"])
def test_frames_do_not_depend_on_a_hidden_choice(game, seed):
    log = begun(game, seed)
    if log is None:
        return
    rng = random.Random(seed)
    for seat in SEATS:
        one, another = rng.sample(copy(log).duel.choices(seat), 2)
        for viewer in (other_seat(seat), None):
            sent = frames(log, viewer, [choosing(seat, one)])
            assert len(sent[0]) == 2  # the view, and that the seat has chosen
            assert sent == frames(log, viewer, [choosing(seat, another)])


def test_nobody_sees_that_a_choice_was_changed():
    log = begun("bagh", 0)
    for viewer in ("blue", None):
        once = frames(log, viewer, [choosing("red", "heal")])
        thrice = frames(log, viewer, [choosing("red", word) for word in ("boost", "guard", "heal")])
        assert once == thrice
    own = frames(log, "red", [choosing("red", "boost"), choosing("red", "heal")])
    assert len(own[0]) == 3


def test_nobody_learns_from_the_reveal_that_a_choice_was_changed():
    told = []
    for changes in (0, 1):
        wall = Wall()
        match = opened("bagh", wall=wall)
        for word in ["heal", "guard"][1 - changes :]:
            wall.at += 7 if match.has_chosen else 3
            choose(match, "red", word)
        wall.at = Wall().at + 60
        choose(match, "blue", "boost")
        told.append(stored_views(match).view(None, picture=False).rounds)
    assert told[0] == told[1]


@pytest.mark.parametrize("word", ["boost", "attack", "guard", "heal"])
def test_a_version_does_not_tell_how_often_a_choice_was_changed(word):
    match = copy(begun("bagh", 0))
    choose(match, "red", word)
    before = dict(match.versions)
    choose(match, "red", "attack")
    choose(match, "red", "guard")
    assert match.versions["blue"] == before["blue"]
    assert match.versions[None] == before[None]
    assert match.versions["red"] == before["red"] + 2


def test_everyone_sees_that_a_choice_was_withdrawn():
    log = begun("bagh", 0)
    acts = [choosing("red", "heal"), lambda match: give(match, "red", "withdraw")]
    sent = frames(log, "blue", acts)
    assert b'"waiting_for":["red","blue"]' in sent[0][-1]


def test_refusals_do_not_depend_on_the_opponents_choice():
    said = set()
    for word in ("boost", "attack"):
        match = copy(begun("bagh", 0))
        choose(match, "red", word)
        for kind, fields in (
            ("choose", {"choice": "fly"}),
            ("choose", {"choice": ""}),
            ("withdraw", {}),
            ("rematch", {}),
            ("cancel", {}),
        ):
            with pytest.raises(Refused) as refused:
                match.carry_out("blue", command(match, kind, **fields))
            said.add((kind, fields.get("choice"), refused.value.code, str(refused.value)))
    assert len(said) == 5


def test_the_seed_is_secret_until_the_end():
    def sent(viewer, acts):
        return b"".join(frame for each in frames(log, viewer, acts) for frame in each)

    log = begun("bagh-advantage", 0)
    match = copy(log)
    seed, salt = str(match.terms.seed).encode(), match.terms.salt.hex().encode()
    games = [str(game.seed).encode() for game in match.games]
    for viewer in (*SEATS, None):
        before = sent(viewer, [choosing("red", "heal")])
        assert match.terms.commitment.encode() in before
        assert not any(secret in before for secret in (seed, salt, *games))
        after = sent(viewer, [lambda each: give(each, "red", "forfeit")])
        assert seed in after
        assert salt in after


def test_no_view_has_a_secret_of_a_seat():
    log = begun("bagh", 0)
    for viewer in (*SEATS, None):
        for sent in frames(log, viewer, [choosing("red", "heal")]):
            assert not any(b'"secret"' in frame or b'"person"' in frame for frame in sent)
