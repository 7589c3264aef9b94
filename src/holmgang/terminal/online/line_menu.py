"""The menu of a server in lines of text, and the questions before a new match."""

from collections.abc import Sequence

from holmgang.errors import HolmgangError
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.ruleset import Ruleset, load
from holmgang.games.shape import brief
from holmgang.terminal.dialogue import Dialogue
from holmgang.terminal.online.client import ANYONE, LINK, Client, MatchWish, names, opponents
from holmgang.terminal.online.listing import NO_LIMIT, line_text, parse_seconds
from holmgang.terminal.online.session import OnlineSession
from holmgang.terminal.play import play_in_lines
from holmgang.wire.lists import MatchLine
from holmgang.wire.words import TIMES

NEW, QUIT = "n", "q"


class LineMenu:
    """Plays matches on a server, in lines of text."""

    def __init__(self, client: Client, dialogue: Dialogue) -> None:
        self.client = client
        self.dialogue = dialogue

    def run(self) -> None:
        """Shows the menu repeatedly, until the person quits or the input ends."""
        while True:
            try:
                session = self.pick()
            except EOFError:
                return
            except HolmgangError as error:
                self.dialogue.tell(str(error))
                continue
            if session is None:
                return
            self.play(session)

    def play(self, session: OnlineSession) -> None:
        """Plays a match, and its rematches."""
        play_in_lines(session, self.dialogue)
        while session.next_match is not None and session.people:
            self.dialogue.say()
            session = self.client.next_session(session)
            play_in_lines(session, self.dialogue)

    # The menu

    def pick(self) -> OnlineSession | None:
        """The match that the person picks or opens; None to quit."""
        listed = self.show()
        while True:
            typed = self.dialogue.ask("> ").lower()
            if typed in (QUIT, "quit"):
                return None
            if typed == NEW:
                return self.client.open(self.ask_wish(MatchWish()))
            if not typed:
                listed = self.show()
            elif typed.isascii() and typed.isdigit() and 1 <= int(typed[:9]) <= len(listed):
                return self.client.join(listed[int(typed) - 1].match)
            else:
                self.dialogue.tell("Type n, q or the number of a match.")

    def show(self) -> list[MatchLine]:
        """Prints the menu, and returns the matches in the order of their numbers."""
        client, say = self.client, self.dialogue.say
        lobby = client.lobby()
        say()
        say(f"Holmgang at {client.address}" + (f", as {client.name}" if client.name else ""))
        listed: list[MatchLine] = []
        for heading, lines in (
            ("Continue:", lobby.yours),
            ("Join:", lobby.open),
            ("Watch:", lobby.live),
        ):
            known = {line.match for line in listed}
            others = [line for line in lines if line.match not in known]
            if others:
                say(heading)
            for line in others:
                listed.append(line)
                self.dialogue.tell(line_text(line), f"  {len(listed):>2}  ")
        numbers = "a number picks a match, " if listed else ""
        self.dialogue.tell(f"n opens a match, {numbers}Enter refreshes, q quits.")
        return listed

    # A new match

    def ask_wish(self, wish: MatchWish) -> MatchWish:
        """Asks for what is still open. Raises EOFError."""
        offers = self.client.offers
        games = [game for game in CATALOGUE if game in names(offers.games)]
        ruleset = wish.ruleset or self.ask_ruleset(games)
        wish = wish._replace(ruleset=ruleset)
        if wish.opponent is None:
            known = opponents(offers)
            suggested = ruleset.entry.opponent
            default = suggested if suggested in known else known[0]
            self.dialogue.tell(
                f"{LINK} gives you a link for a friend; {ANYONE} waits for the next person here."
            )
            wish = wish._replace(opponent=self.ask("Opponent", known, default))
            times = [NO_LIMIT, *(str(seconds) for seconds in TIMES if seconds is not None)]
            seconds = self.ask("Seconds for each choice", times, NO_LIMIT)
            wins = self.ask_wins(ruleset)
            wish = wish._replace(seconds=parse_seconds(seconds), wins=wins)
        return wish

    def ask_ruleset(self, games: Sequence[str]) -> Ruleset:
        while True:
            typed = self.dialogue.ask(f"Game ({', '.join(games)}) [{games[0]}]: ")
            try:
                return load(typed or games[0])
            except HolmgangError as error:
                self.dialogue.tell(str(error))

    def ask_wins(self, ruleset: Ruleset) -> int | None:
        usual = ruleset.entry.wins_needed
        while True:
            typed = self.dialogue.ask(f"Games to win [{usual}]: ")
            if not typed:
                return None
            if typed.isascii() and typed.isdigit() and 1 <= int(typed[:3]) <= 99:
                return int(typed)
            self.dialogue.tell("Type a number from 1 to 99.")

    def ask(self, what: str, words: Sequence[str], default: str) -> str:
        while True:
            typed = self.dialogue.ask(f"{what} ({', '.join(words)}) [{default}]: ").lower()
            if not typed:
                return default
            begun = [word for word in words if word.lower().startswith(typed)]
            if len(begun) == 1 or typed in begun:
                return typed if typed in begun else begun[0]
            self.dialogue.tell(f"{brief(typed)} is not one of {', '.join(words)}.")
