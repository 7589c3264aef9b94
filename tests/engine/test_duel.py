"""Duels: choosing, changing, withdrawing, the reveal, and every way to end."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holmgang.engine.duel import Duel
from holmgang.engine.events import EVENT_NAMES
from holmgang.errors import (
    ChanceError,
    ChoiceError,
    DuelError,
    HolmgangError,
    LateChoice,
    NothingToChoose,
    RulesetError,
    StateError,
)
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.outcome import Outcome


class Notes:
    """A follower that writes down what it is told."""

    def __init__(self):
        self.told = []

    def on_event(self, duel, event):
        self.told.append(event)


def bagh(**options):
    return Duel("bagh", **{"seed": 1, **options})


def both(duel, red, blue):
    duel.choose("red", red)
    duel.choose("blue", blue)
    return duel.reveal()


# Choosing


def test_a_round():
    duel = bagh()
    assert (duel.round, duel.waiting_for, duel.is_ready, duel.is_over) == (
        1,
        ["red", "blue"],
        False,
        False,
    )
    duel.choose("blue", "attack")
    assert (duel.waiting_for, duel.is_ready) == (["red"], False)
    duel.choose("red", "boost")
    assert (duel.waiting_for, duel.is_ready) == ([], True)
    revealed = duel.reveal()
    assert (revealed.number, revealed.red, revealed.blue, revealed.chance) == (
        1,
        "boost",
        "attack",
        None,
    )
    assert duel.state_json["red"] == {"hp": 2, "boost": 1, "priority": 0, "shield_damage": 0}
    assert (duel.round, duel.waiting_for) == (2, ["red", "blue"])
    assert duel.rounds == [revealed]
    assert duel.story == revealed.story


def test_a_choice_can_be_changed_until_the_reveal():
    duel = bagh()
    duel.choose("red", "attack")
    duel.choose("red", "heal")
    duel.choose("blue", "boost")
    duel.choose("red", "guard")
    assert duel.reveal().red == "guard"


def test_a_choice_can_be_withdrawn_until_the_reveal():
    duel = bagh()
    duel.choose("red", "attack")
    duel.withdraw("red")
    assert duel.waiting_for == ["red", "blue"]
    with pytest.raises(NothingToChoose, match="red has not chosen yet"):
        duel.withdraw("red")


def test_a_choice_that_is_refused_leaves_the_one_before():
    duel = bagh()
    duel.choose("red", "attack")
    with pytest.raises(ChoiceError):
        duel.choose("red", "dance")
    with pytest.raises(LateChoice):
        duel.choose("red", "heal", round=2)
    duel.choose("blue", "boost")
    assert duel.reveal().red == "attack"


@pytest.mark.parametrize("number", [-1, 0, 2, 99, "1", 1.5])
def test_a_choice_for_another_round_is_refused(number):
    duel = bagh()
    with pytest.raises(LateChoice, match="but round 1 is open"):
        duel.choose("red", "boost", round=number)
    assert duel.waiting_for == ["red", "blue"]


def test_a_repeated_choice_is_late_after_the_reveal():
    duel = bagh()
    duel.choose("red", "boost", round=1)
    duel.choose("blue", "boost", round=1)
    duel.reveal()
    with pytest.raises(LateChoice, match="that choice is for round 1, but round 2 is open"):
        duel.choose("red", "boost", round=1)
    duel.choose("red", "attack", round=2)


def test_out_of_turn():
    duel = Duel("magic-duel", seed=1)
    assert (duel.waiting_for, duel.choices("blue")) == (["red"], [])
    with pytest.raises(NothingToChoose):
        duel.choose("blue", "magic")
    duel.choose("red", "magic")
    revealed = duel.reveal()
    assert (revealed.red, revealed.blue) == ("magic", None)


def test_the_reveal_waits_for_both():
    duel = bagh()
    with pytest.raises(DuelError, match="red and blue must choose before the reveal"):
        duel.reveal()
    duel.choose("red", "boost")
    with pytest.raises(DuelError, match=r"^blue must choose before the reveal"):
        duel.reveal()
    assert duel.rounds == []


@pytest.mark.parametrize("seat", ["green", "", None, 0, "RED", ["red"]])
def test_a_seat_is_red_or_blue(seat):
    duel = bagh()
    for call in (duel.choices, duel.withdraw, duel.forfeit, duel.offer_draw, duel.decline_draw):
        with pytest.raises(ChoiceError, match="a seat is red or blue"):
            call(seat)
    with pytest.raises(ChoiceError, match="a seat is red or blue"):
        duel.choose(seat, "boost")


# Chance


def test_chance_can_be_given():
    for mends in (True, False):
        duel = bagh(start="3.0.0.2/3.0.0.0")
        duel.choose("red", "guard")
        duel.choose("blue", "attack")
        revealed = duel.reveal(chance={"red_mends": mends, "blue_mends": None})
        assert revealed.chance == {"red_mends": mends, "blue_mends": None}
        assert duel.state_json["red"]["hp"] == (3 if mends else 2)


def test_chance_that_cannot_be_is_refused_and_the_choices_stand():
    duel = bagh(start="3.0.0.2/3.0.0.0")
    duel.choose("red", "guard")
    duel.choose("blue", "attack")
    with pytest.raises(ChanceError):
        duel.reveal(chance=None)
    assert duel.is_ready
    assert duel.rounds == []


def random_duel(name, seed):
    """All that happens if both sides take the seed's word for their choices too."""
    duel = Duel(name, seed=seed, round_limit=60)
    while not duel.is_over:
        for seat in list(duel.waiting_for):
            options = duel.choices(seat)
            duel.choose(seat, options[(seed + 7 * duel.round + len(seat)) % len(options)])
        duel.reveal()
    return duel


@pytest.mark.parametrize("name", CATALOGUE)
def test_the_seed_decides_all_chance(name):
    one, other = random_duel(name, 12345), random_duel(name, 12345)
    assert one.story == other.story
    assert one.state == other.state
    assert [revealed.chance for revealed in one.rounds] == [
        revealed.chance for revealed in other.rounds
    ]


def test_another_seed_is_another_duel():
    stories = {tuple(random_duel("defend-the-city", 1000 * seed).story) for seed in range(10)}
    assert len(stories) == 10


def test_chance_depends_on_the_round_and_on_nothing_before():
    """Who chose first, who changed a choice and what was done before is no matter."""
    thrown = []
    for eager in (True, False):
        duel = bagh(seed=77, start="9.0.0.9/9.0.0.9")
        for _ in range(3):
            if eager:
                duel.choose("blue", "heal")
                duel.choose("red", "heal")
                duel.withdraw("blue")
            both(duel, *(("boost", "guard") if eager else ("guard", "boost")))
        thrown.append([revealed.chance for revealed in duel.rounds])
    assert thrown[0] == thrown[1]


def test_seeds():
    assert Duel("bagh").seed != Duel("bagh").seed
    assert bagh(seed=2**64 - 1).seed == 2**64 - 1
    for seed in (-1, 2**64, 1.5, "1", True):
        with pytest.raises(DuelError, match="a seed must be a whole number"):
            bagh(seed=seed)


# Starting elsewhere


def test_a_duel_can_start_from_any_state():
    text = bagh(start="1.2.3.0/4.5.6.0")
    json = bagh(start=text.state_json)
    assert text.state == json.state
    assert bagh(start="0.0.0.0/3.0.0.0").outcome == Outcome("blue", "hp")


def test_what_cannot_start_is_refused():
    with pytest.raises(StateError):
        bagh(start="3/3")
    with pytest.raises(StateError):
        bagh(start=[])
    with pytest.raises(RulesetError):
        Duel("chess")


# Endings


def ended_duels():
    won = bagh(start="3.0.0.0/1.0.0.0")
    both(won, "attack", "boost")
    forfeited = bagh()
    forfeited.forfeit("red")
    won_by_forfeit = bagh()
    won_by_forfeit.forfeit("blue")
    agreed = bagh()
    agreed.offer_draw("red")
    agreed.offer_draw("blue")
    abandoned = bagh()
    abandoned.choose("red", "boost")
    abandoned.abandon()
    limited = bagh(round_limit=1)
    both(limited, "boost", "boost")
    return {
        "hp": (won, "red", "Red wins: Blue is down."),
        "red's forfeit": (forfeited, "blue", "Red forfeits; Blue wins."),
        "blue's forfeit": (won_by_forfeit, "red", "Blue forfeits; Red wins."),
        "agreement": (agreed, None, "Draw by agreement."),
        "abandoned": (abandoned, None, "The duel was abandoned; it does not count."),
        "limit": (limited, None, "Draw: round limit (1) reached."),
    }


@pytest.mark.parametrize("name", ended_duels())
def test_endings(name):
    duel, winner, told = ended_duels()[name]
    assert duel.outcome == Outcome(winner, name.split()[-1])
    assert duel.is_over
    assert duel.ending() == told
    assert duel.story[-1] == told


@pytest.mark.parametrize("name", ended_duels())
def test_after_the_end_nothing_is_possible(name):
    duel, _, told = ended_duels()[name]
    before = duel.state, duel.outcome, list(duel.events), list(duel.rounds)
    for call in (
        lambda: duel.choose("red", "boost"),
        lambda: duel.choose("red", "boost", round=duel.round),
        lambda: duel.withdraw("red"),
        lambda: duel.forfeit("blue"),
        lambda: duel.offer_draw("red"),
        lambda: duel.decline_draw("red"),
        duel.abandon,
        duel.reveal,
    ):
        with pytest.raises(DuelError) as refusal:
            call()
        assert str(refusal.value) == f"the duel is over: {told}"
    assert (duel.state, duel.outcome, duel.events, duel.rounds) == before
    assert (duel.waiting_for, duel.choices("red"), duel.is_ready) == ([], [], False)


def test_while_it_goes_on_there_is_no_ending():
    assert bagh().ending() == "The duel goes on."
    assert bagh().story == []


def test_a_draw_is_offered_and_declined():
    duel = bagh()
    assert duel.offer_draw("red") is None
    assert duel.offer_draw("red") is None
    assert duel.draw_offered_by == ["red"]
    duel.decline_draw("blue")
    assert duel.draw_offered_by == []
    assert duel.offer_draw("blue") is None


def test_a_draw_offer_ends_with_the_round():
    duel = bagh()
    duel.offer_draw("red")
    both(duel, "boost", "boost")
    assert duel.offer_draw("blue") is None
    assert duel.outcome is None


# Followers and clocks


def test_a_follower_is_told_of_each_event():
    notes = Notes()
    duel = bagh(start="3.0.0.0/2.0.0.0", follower=notes)
    both(duel, "attack", "boost")
    duel.offer_draw("red")
    both(duel, "attack", "boost")
    assert notes.told == duel.events
    assert [EVENT_NAMES[type(event)] for event in notes.told] == [
        "created",
        *("chosen", "chosen", "revealed"),
        "draw offered",
        *("chosen", "chosen", "revealed"),
        "ended",
    ]


def test_a_follower_that_fails_leaves_the_duel_whole():
    class Full:
        def on_event(self, duel, event):
            raise OSError

    duel = bagh(start="3.0.0.0/1.0.0.0")
    duel.choose("red", "attack")
    duel.choose("blue", "boost")
    duel.follower = Full()
    with pytest.raises(OSError):  # noqa: PT011
        duel.reveal()
    assert duel.outcome == Outcome("red", "hp")
    assert Duel.from_events(duel.events).outcome == duel.outcome


def test_a_time_does_not_tell_that_a_choice_was_changed():
    times = iter([100.0, 101.0, 102.5, 102.75, 109.0])
    duel = bagh(clock=lambda: next(times))
    duel.choose("red", "boost")
    duel.choose("blue", "boost")
    duel.choose("red", "attack")
    assert duel.reveal().ms == {"red": 1000, "blue": 2500}


def test_a_choice_that_was_taken_back_is_timed_again():
    times = iter([100.0, 101.0, 102.5, 102.75, 104.0, 109.0])
    duel = bagh(clock=lambda: next(times))
    duel.choose("red", "boost")
    duel.withdraw("red")
    duel.choose("red", "attack")
    duel.choose("blue", "boost")
    assert duel.reveal().ms == {"red": 2750, "blue": 4000}


def test_a_log_of_an_older_version_has_the_time_of_the_last_change():
    times = iter([100.0, 101.0, 102.5, 102.75, 109.0])
    duel = bagh(clock=lambda: next(times))
    duel.choose("red", "boost")
    duel.choose("blue", "boost")
    duel.choose("red", "attack")
    duel.reveal()
    *before, revealed = duel.events
    older = replace(revealed, ms={"red": 2750, "blue": 2500})
    assert Duel.from_events([*before, older]).rounds[0].ms == older.ms


# Anything at all


MOVES = st.lists(
    st.tuples(
        st.sampled_from(["choose", "withdraw", "reveal", "offer_draw", "decline_draw"]),
        st.sampled_from(["red", "blue", "green"]),
        st.sampled_from(["boost", "attack", "guard", "heal", "dance"]),
        st.sampled_from([None, 0, 1, 2, 3]),
    ),
    max_size=30,
)


@given(MOVES)
def test_whatever_is_tried_a_round_has_the_last_choices_made_for_it(moves):
    duel = bagh()
    chosen = {}
    for move, seat, word, number in moves:
        played = len(duel.rounds)
        try:
            if move == "choose":
                duel.choose(seat, word, round=number)
                chosen[seat] = word
            elif move == "withdraw":
                duel.withdraw(seat)
                del chosen[seat]
            elif move == "reveal":
                revealed = duel.reveal()
                assert (revealed.red, revealed.blue) == (chosen["red"], chosen["blue"])
                assert revealed.number == played + 1
                chosen = {}
            else:
                getattr(duel, move)(seat)
        except HolmgangError:
            assert len(duel.rounds) == played
        if not duel.is_over:
            assert duel.waiting_for == [seat for seat in ("red", "blue") if seat not in chosen]


@pytest.mark.parametrize("limit", [-1, "10", 1.5, True])
def test_a_limit_of_rounds_that_is_none_is_refused(limit):
    with pytest.raises(DuelError, match="a round limit must be a whole number"):
        Duel("bagh", round_limit=limit)
