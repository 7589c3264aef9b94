"""The questions before a match on a server: which game, against whom, how long."""

from holmgang.engine.menu import Option
from holmgang.games.contract import SEATS
from holmgang.games.ruleset import Ruleset
from holmgang.terminal.online.client import ANYONE, LINK, MatchWish, names
from holmgang.terminal.online.listing import time_text
from holmgang.terminal.screen.keys import initials
from holmgang.terminal.screen.menu_view import MenuView
from holmgang.terminal.screen.questions import Questions, ruleset_text
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


class WishScreen(Questions[MatchWish]):
    """Asks step by step, and gives the match to open; None to leave."""

    def __init__(self, wish: MatchWish, offers: Catalogue, *, changes_rules: bool = False) -> None:
        super().__init__(changes_rules=changes_rules)
        self.wish = wish
        self.offers = offers
        if wish.ruleset is None:
            self.asks.append(self.ask_offered_game)
        if wish.opponent is None:
            self.asks.append(self.ask_opponent)
        if wish.seconds is None:
            self.asks.append(self.ask_time)
        if wish.wins is None:
            self.asks.append(self.ask_length)

    @property
    def ruleset(self) -> Ruleset:
        assert self.wish.ruleset is not None  # noqa: S101 - asked for first
        return self.wish.ruleset

    # The questions

    def ask_offered_game(self) -> None:
        self.ask_game(names(self.offers.games))

    def ask_opponent(self) -> None:
        self.pick = self.pick_opponent
        lines = {
            LINK: "a friend you send a link to",
            ANYONE: "the next person who looks for a match",
            **{level.name: level.line.partition(";")[0] for level in self.offers.levels},
            **{bot.name: "a bot of this server" for bot in self.offers.bots},
        }
        keys = initials(list(lines))
        options = [
            Option(key, name, line) for key, (name, line) in zip(keys, lines.items(), strict=True)
        ]
        seat = "a random seat" if self.wish.seat not in SEATS else self.wish.seat
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

    def ask_length(self) -> None:
        self.ask_wins(self.ruleset.entry.wins_needed)

    # The answers

    def take_ruleset(self, ruleset: Ruleset) -> None:
        self.wish = self.wish._replace(ruleset=ruleset)

    def pick_opponent(self, word: str) -> None:
        if word == SEAT_WORD:
            turn = ("random", *SEATS, "random")
            self.wish = self.wish._replace(seat=turn[turn.index(self.wish.seat) + 1])
            self.ask_opponent()
            self.query_one(MenuView).point_at(self.query_one(MenuView).options[-1])
            return
        self.wish = self.wish._replace(opponent=word)
        self.go_on()

    def pick_time(self, word: str) -> None:
        [seconds] = [seconds for seconds in TIMES if time_text(seconds) == word]
        self.wish = self.wish._replace(seconds=seconds)
        self.go_on()

    def take_wins(self, wins: int) -> None:
        self.wish = self.wish._replace(wins=wins)

    def finish(self) -> None:
        self.dismiss(self.wish)

    def settled(self) -> list[str]:
        parts = []
        asked = self.asks[self.step]
        if self.wish.ruleset is not None and asked != self.ask_offered_game:
            parts.append(ruleset_text(self.ruleset))
        if self.wish.opponent is not None and asked in (self.ask_time, self.ask_length):
            names = {LINK: "a friend", ANYONE: "anyone"}
            parts.append(f"against {names.get(self.wish.opponent, self.wish.opponent)}")
        if asked == self.ask_length:
            parts.append(time_text(self.wish.seconds))
        return parts
