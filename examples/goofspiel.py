"""Goofspiel: bid your cards for prizes; every card can be played once.

Both players hold the cards 1 to `cards`. Prizes of the same values are turned up one by one, in
random order after the first. Each round both play a card, and the higher one wins the prize; if
both are the same, nobody does. When all cards are played, the player with more points wins.
"""

from enum import IntEnum
from typing import Annotated, NamedTuple

from holmgang.game import BLUE, NOBODY, RED, Outcome
from holmgang.games.contract import SEAT_NAMES, Clause, Scene
from holmgang.games.drawing import Comparison, Row, centred, piece, versus
from holmgang.games.svg import across, header, outward, picture, row_line, text, winner_of


class Rules(NamedTuple):
    cards: Annotated[int, range(1, 14), "cards of each player, and prizes"] = 5
    first_prize: Annotated[int, range(14), "first prize; 0 for the highest"] = 0


class State(NamedTuple):
    red_hand: int  # a set of cards, as a set of choices: bit 3 for the card 3
    blue_hand: int
    prizes: int  # the same for prizes that are not turned up yet
    prize: int
    lead: int  # red's points minus blue's


class Reason(IntEnum):
    ON = 0
    POINTS = 1


def impossible(rules: Rules) -> str:
    return "the first prize is not among the cards" if rules.first_prize > rules.cards else ""


def initial(rules: Rules) -> State:
    first = rules.first_prize if rules.first_prize > 0 else rules.cards
    hand = (1 << rules.cards + 1) - 2
    return State(hand, hand, hand - (1 << first), first, 0)


def choices(rules: Rules, state: State, seat: int) -> int:
    return state.red_hand if seat == RED else state.blue_hand


def count(cards: int) -> int:
    found = 0
    while cards > 0:
        found += cards & 1
        cards >>= 1
    return found


def chance(rules: Rules, state: State, red: int, blue: int) -> int:
    """One face for each prize that may be turned up next."""
    return max(1, count(state.prizes))


def next_prize(prizes: int, face: int) -> int:
    """The prize number `face` of a set, from the lowest; 0 if there is none."""
    for prize in range(1, 14):
        if prizes >> prize & 1 == 1:
            if face == 0:
                return prize
            face -= 1
    return 0


def resolve(rules: Rules, state: State, red: int, blue: int, face: int) -> State:
    won = state.prize if red > blue else -state.prize if red < blue else 0
    prize = next_prize(state.prizes, face % max(1, count(state.prizes)))
    return State(
        state.red_hand - (1 << red),
        state.blue_hand - (1 << blue),
        state.prizes - (1 << prize) if prize > 0 else 0,
        prize,
        state.lead + won,
    )


def outcome(rules: Rules, state: State) -> Outcome:
    if state.red_hand > 0:
        return Outcome(Reason.ON, NOBODY)
    winner = RED if state.lead > 0 else BLUE if state.lead < 0 else NOBODY
    return Outcome(Reason.POINTS, winner)


def mirror(rules: Rules, state: State) -> State:
    return State(state.blue_hand, state.red_hand, state.prizes, state.prize, -state.lead)


# The rest is optional: a story, a board and a picture with cards instead of sets as numbers.


def listed(cards: int) -> str:
    found = [str(card) for card in range(1, 14) if cards >> card & 1]
    return " ".join(found) or "none"


def lead_of(state: State) -> str:
    if state.lead == 0:
        return "level"
    return f"{SEAT_NAMES[RED if state.lead > 0 else BLUE]} leads by {abs(state.lead)}"


def tell(rules: Rules, before: State, red: int, blue: int, face: int, after: State) -> list[Clause]:
    played = [Clause(RED, f"plays {red}", red), Clause(BLUE, f"plays {blue}", blue, continues=True)]
    if red == blue:
        return [*played, Clause(NOBODY, f"Nobody wins the prize of {before.prize}")]
    winner = RED if red > blue else BLUE
    return [*played, Clause(winner, f"wins the prize of {before.prize}", before.prize)]


def preview(rules: Rules, state: State, seat: int, choice: int) -> list[str]:
    hand = state.blue_hand if seat == RED else state.red_hand
    beaten = count(hand & (1 << choice) - 1)
    return [f"beats {beaten} of {count(hand)} cards"]


def draw_board(rules: Rules, state: State, width: int) -> list[Row]:
    prize = f"prize {state.prize}, then {listed(state.prizes)}" if state.prize else "no prizes left"
    hands = Comparison("cards", piece(listed(state.red_hand)), piece(listed(state.blue_hand)))
    rows = [centred(piece(prize), width), centred(piece(lead_of(state)), width), ()]
    return [*rows, *versus([hands], width)]


def draw_picture(rules: Rules, state: State, scene: Scene = Scene()) -> str:  # noqa: B008
    parts = [header(winner_of(scene, outcome(rules, state))), row_line(250)]
    parts += [
        text(across(seat, 40), 220, listed(hand), f"n {outward(seat)}")
        for seat, hand in enumerate((state.red_hand, state.blue_hand))
    ]
    parts += [
        text(360, 130, state.prize or "–", "m N", id="prize"),
        text(360, 320, f"prizes to come: {listed(state.prizes)}", "m w"),
        text(360, 370, lead_of(state), "m b"),
    ]
    words = f"Prize {state.prize}. Red holds {listed(state.red_hand)}, "
    words += f"Blue {listed(state.blue_hand)}; {lead_of(state)}."
    return picture("plain", scene, title="Goofspiel", description=words, defs="", parts=parts)
