"""The application for local matches: from the menu to a match and back."""

from holmgang.engine.archive import SavedMatch, recent_games, unfinished_match
from holmgang.errors import HolmgangError, UsageError
from holmgang.games.contract import SEATS
from holmgang.terminal import lesson
from holmgang.terminal.local import LocalSession, can_resume
from holmgang.terminal.screen import home
from holmgang.terminal.screen.app import Shell
from holmgang.terminal.screen.duel import DuelScreen
from holmgang.terminal.screen.home import HomeScreen, Memory
from holmgang.terminal.screen.replay_list import ReplayList
from holmgang.terminal.screen.start import StartScreen
from holmgang.terminal.setup import Setup, last_setup


class PlayApp(Shell):
    TITLE = "Holmgang"
    first_told = 0  # of the sessions whose result is printed at the end: all

    def __init__(self, setup: Setup, saved: SavedMatch | None = None) -> None:
        """Starts with a `saved` match, otherwise with the setup, which may be incomplete."""
        super().__init__()
        self.setup = setup
        self.saved = saved
        self.sessions: list[LocalSession] = []
        self.last: Setup | None = None  # what was played last

    def on_mount(self) -> None:
        super().on_mount()
        if self.saved is not None:
            self.resume(self.saved)
        elif self.setup.is_settled:
            self.begin(self.setup)
        elif self.setup.ruleset is not None or self.setup.blue is not None:
            self.ask(self.setup)
        else:
            self.go_home()

    # The menu

    def go_home(self, trouble: str = "") -> None:
        self.close_screens()
        games = recent_games(self.setup.records)
        last = self.last or last_setup(games, self.setup.records)
        memory = Memory(unfinished_match(games, can_resume), last, games)
        self.push_screen(HomeScreen(memory, trouble), lambda word: self.obey(word, memory))

    def obey(self, word: str | None, memory: Memory) -> None:
        new = Setup(None, records=self.setup.records)
        if word == home.CONTINUE and memory.unfinished is not None:
            self.resume(memory.unfinished)
        elif word == home.REMATCH and memory.last is not None:
            self.begin(memory.last)
        elif word == home.REPLAYS:
            self.push_screen(ReplayList(memory.games), self.after_replays)
        elif word == home.LEARN:
            self.go_home(self.in_lines(lesson.learn_any))
        elif word == home.PUZZLES:
            self.go_home(self.in_lines(solve_puzzles))
        elif word in (home.NEW, home.RULES):
            self.ask(new, changes_rules=word == home.RULES)
        else:
            self.end()

    def after_replays(self, match: SavedMatch | None) -> None:
        if match is None:
            self.go_home()
        else:
            self.resume(match)

    def ask(self, setup: Setup, *, changes_rules: bool = False) -> None:
        """Asks for what is missing, then begins."""

        def settled(answer: Setup | None) -> None:
            if answer is None:
                self.go_home()
            else:
                self.begin(answer)

        self.push_screen(StartScreen(setup, changes_rules=changes_rules), settled)

    # Matches

    def begin(self, setup: Setup) -> None:
        self.last = setup._replace(seed=None)
        try:
            self.play(setup.session())
        except HolmgangError as error:
            self.go_home(str(error))

    def resume(self, saved: SavedMatch) -> None:
        try:
            session = LocalSession.resume(saved)
            self.sessions = [one for one in self.sessions if one.keeper.name != saved.name]
            red, blue = (session.seated[seat].text for seat in SEATS)
            wins, records = session.match.wins_needed, self.setup.records
            self.last = Setup(session.ruleset, red, blue, wins, records=records)
            self.play(session)
        except HolmgangError as error:
            self.go_home(str(error))

    def play(self, session: LocalSession) -> None:
        for before in self.sessions:
            before.leave()  # ends its bots
        session.get_ready()
        self.sessions.append(session)
        session.next_game()
        self.close_screens()
        self.push_screen(DuelScreen(session))

    def on_duel_screen_left(self) -> None:
        self.sessions[-1].leave()
        self.go_home()

    def on_duel_screen_again(self) -> None:
        """Begins the same match with another seed."""
        if self.last is not None:
            self.begin(self.last)


def solve_puzzles() -> None:
    """Raises `UsageError` if the packages are missing that store puzzles."""
    try:
        from holmgang.terminal.puzzles import solve
    except ModuleNotFoundError as error:
        raise UsageError(f"puzzles need {error.name}: install holmgang[web]") from None
    solve(None, database=None)
