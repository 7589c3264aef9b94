"""The questions before a match on a server: which game, against whom, how long."""

from holmgang.engine.menu import Option
from holmgang.games.contract import SEATS
from holmgang.terminal.online.client import ANYONE, LINK, MatchWish, names
from holmgang.terminal.online.listing import time_text
from holmgang.terminal.screen.keys import initials
from holmgang.terminal.screen.menu_view import MenuView
from holmgang.terminal.screen.questions import Questions
from holmgang.wire.lists import Catalogue
from holmgang.wire.words import TIMES

SEAT_KEY, SEAT_WORD = "x", "seat"
TIME_LINES = {
    None: "think as long as you like",
    15: "a quick match",
    60: "time to think",
    86_400: "one choice a day",
}
TIME_KEYS = dict(zip(TIMES, ("n", "1", "6", "d"), strict=True))


class OnlineStartScreen(Questions[MatchWish]):
    """The questions before a match on a server."""

    def __init__(self, wish: MatchWish, offers: Catalogue, *, changes_rules: bool = False) -> None:
        super().__init__(wish, changes_rules=changes_rules)
        self.offers = offers
        if wish.opponent is None:
            self.asks.append(self.ask_opponent)
        if wish.seconds is None:
            self.asks.append(self.ask_time)
        if wish.wins is None:
            self.asks.append(self.ask_length)

    # The questions

    def offered_games(self) -> list[str]:
        return names(self.offers.games)

    def ask_opponent(self) -> None:
        self.pick = self.pick_opponent
        lines = {
            LINK: "a friend you send a link to",
            ANYONE: "the next person who looks for a match",
            **{level.name: level.line for level in self.offers.levels},
            **{bot.name: "a bot of this server" for bot in self.offers.bots},
        }
        keys = initials([SEAT_KEY, *lines])[1:]
        options = [
            Option(key, name, line) for key, (name, line) in zip(keys, lines.items(), strict=True)
        ]
        seat = "a random seat" if self.wanted.seat not in SEATS else self.wanted.seat
        options.append(Option(SEAT_KEY, SEAT_WORD, f"you play {seat}; press to change"))
        suggested = self.ruleset.entry.opponent
        self.about = {}
        self.ask(
            "Against whom?", options, list(lines).index(suggested) if suggested in lines else 0
        )

    def ask_time(self) -> None:
        self.pick = self.pick_time
        self.about = {}
        options = [
            Option(TIME_KEYS[seconds], time_text(seconds), TIME_LINES[seconds]) for seconds in TIMES
        ]
        self.ask("Time?", options)

    # The answers

    def pick_opponent(self, word: str) -> None:
        if word == SEAT_WORD:
            turn = ("random", *SEATS, "random")
            self.wanted = self.wanted._replace(seat=turn[turn.index(self.wanted.seat) + 1])
            self.ask_opponent()
            self.query_one(MenuView).point_at(self.query_one(MenuView).options[-1])
            return
        self.wanted = self.wanted._replace(opponent=word)
        self.go_on()

    def pick_time(self, word: str) -> None:
        [seconds] = [seconds for seconds in TIMES if time_text(seconds) == word]
        self.wanted = self.wanted._replace(seconds=seconds)
        self.go_on()

    def settled(self) -> list[str]:
        parts, asked = super().settled(), self.asks[self.step]
        if self.wanted.opponent is not None and asked in (self.ask_time, self.ask_length):
            people = {LINK: "a friend", ANYONE: "anyone"}
            parts.append(f"against {people.get(self.wanted.opponent, self.wanted.opponent)}")
        if asked == self.ask_length:
            parts.append(time_text(self.wanted.seconds))
        return parts
