"""One duel between two agents, in a few lines.

>>> env = make("bagh")
>>> duel = env.run([lambda state, seat: {"attack": 2, "guard": 1}, "random"], seed=1)
>>> duel.is_over, [entry.seat for entry in env.logs]
(True, [])
"""

import html
import sys
import traceback
from collections.abc import Sequence
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from io import StringIO
from typing import Literal, NamedTuple

from holmgang.analysis.compiled_policy import agent_of
from holmgang.analysis.simulating import AnyPlayer
from holmgang.arena.seating import Seated
from holmgang.engine.duel import Duel
from holmgang.engine.record import parse, record_lines
from holmgang.engine.replay_page import replay_page
from holmgang.errors import ChoiceError, DuelError, UsageError
from holmgang.games.contract import SEATS
from holmgang.games.drawing import row_text
from holmgang.games.finding import load
from holmgang.games.ruleset import Ruleset
from holmgang.games.shape import brief
from holmgang.players.player import Failed, Player

COLUMNS = 80
MODES = ("human", "ansi", "html", "record")


class AgentOutput(NamedTuple):
    """The output of an agent in a round, or the error that it raised."""

    round: int
    seat: str
    text: str


class Environment:
    """Plays duels between two agents and shows them. Make one with `holmgang.make`."""

    def __init__(
        self, ruleset: str | Ruleset, *, limit: int | None = None, trust: bool = False
    ) -> None:
        self.ruleset = load(ruleset) if isinstance(ruleset, str) else ruleset
        self._limit, self._trust = limit, trust
        self._duel: Duel | None = None
        self.names = dict(zip(SEATS, SEATS, strict=True))
        """The names of the agents."""
        self.logs: list[AgentOutput] = []
        """The output of the agents, in the order of play."""

    @property
    def duel(self) -> Duel:
        """The last duel. Raises `DuelError` if there is none yet."""
        if self._duel is None:
            raise DuelError("no duel was played yet; call run first")
        return self._duel

    def __repr__(self) -> str:
        return f"<Environment of {self.ruleset}>"

    def run(self, agents: Sequence[AnyPlayer], *, seed: int | None = None) -> Duel:
        """Plays a duel between two agents, red first, and returns it.

        An agent is a level or a bot by its name, or a policy as in `holmgang.exploitability`:
        weights by choice, mixes by state, a `Policy`, an array, a solved table, or a function of a
        state and a seat that returns weights by choice or one choice. The output of a function, and
        the standard error of a bot, are in `logs`. An agent that fails loses.
        """
        if not isinstance(agents, list | tuple) or len(agents) != len(SEATS):
            raise UsageError(f"a duel has two agents, in a list; not {brief(agents)}")
        duel = Duel(self.ruleset, seed=seed, round_limit=self._limit)
        self._duel, self.logs = duel, []
        with ExitStack() as stack:
            seated = [
                stack.enter_context(
                    Seated(self.ruleset, agent_of(self.ruleset, agent, seat), trust=self._trust)
                )
                for seat, agent in enumerate(agents)
            ]
            self.names = {seat: each.name for seat, each in zip(SEATS, seated, strict=True)}
            players = [each.sit(seat, duel.seed) for seat, each in enumerate(seated)]
            while not duel.is_over:
                self._play_round(duel, players)
            for seat, player in zip(SEATS, players, strict=True):
                if hasattr(player, "leave"):  # a bot
                    self._log(duel, seat, player.leave(duel.course).decode(errors="replace"))
        return duel

    def _play_round(self, duel: Duel, players: Sequence[Player]) -> None:
        failed: dict[str, Failed] = {}
        chosen: dict[str, str] = {}
        for seat, player in zip(SEATS, players, strict=True):
            if not duel.choices(seat):
                continue
            written = StringIO()
            try:
                with redirect_stdout(written), redirect_stderr(written):
                    chosen[seat] = self.ruleset.word(player.choose(duel.course))
            except Failed as failure:
                failed[seat] = failure
            except ChoiceError as error:
                failed[seat] = Failed("invalid", str(error))
            except Exception:  # noqa: BLE001 - the code of an agent may raise anything
                written.write(traceback.format_exc())
                failed[seat] = Failed("crash", str(sys.exc_info()[1]))
            self._log(duel, seat, written.getvalue())
        for seat, told in failed.items():
            self._log(duel, seat, str(told))
        if failed:
            reason = next(iter(failed.values())).status
            duel.disqualify(list(failed), "crash" if reason == "forfeit" else reason)
            return
        for seat, word in chosen.items():
            duel.choose(seat, word)
        duel.reveal()

    def _log(self, duel: Duel, seat: str, text: str) -> None:
        if text.strip():
            number = max(1, min(duel.round, len(duel.rounds) + 1))  # a bot may fail before round 1
            self.logs.append(AgentOutput(number, seat, text.rstrip()))

    def render(self, mode: Literal["human", "ansi", "html", "record"] = "human") -> str | None:
        """Shows the last duel with the logs: `human` prints it as text, `ansi` returns that text,
        `html` a single-file web page, and `record` the record, as `holmgang replay` reads it.
        """
        if mode not in MODES:
            raise UsageError(f"a mode is one of {', '.join(MODES)}; not {brief(mode)}")
        if mode == "record":
            return self._record()
        if mode == "html":
            return self._page()
        if mode == "ansi":
            return self._text()
        print(self._text(), end="")  # noqa: T201 - for people
        return None

    def _text(self) -> str:
        duel = self.duel
        lines = [f"{duel.ruleset.text}: {self.names['red']} (red) against {self.names['blue']}"]
        for played in duel.rounds:
            lines += [f"\nround {played.number}", *played.story]
            lines += self._lines_of(played.number)
        lines += self._lines_of(len(duel.rounds) + 1)
        board = duel.ruleset.board(duel.state, COLUMNS)
        lines += ["", *(row_text(row).rstrip() for row in board), duel.ending()]
        return "\n".join(lines) + "\n"

    def _lines_of(self, number: int) -> list[str]:
        return [
            f"  [{entry.seat}] {line}"
            for entry in self.logs
            if entry.round == number
            for line in entry.text.splitlines()
        ]

    def _record(self) -> str:
        seats = {seat: {"name": name} for seat, name in self.names.items()}
        return b"".join(record_lines(self.duel, seats)).decode()

    def _page(self) -> str:
        last = max(1, len(self.duel.rounds))
        logs: dict[int, list[tuple[str, str]]] = {}
        for entry in self.logs:
            logs.setdefault(min(entry.round, last), []).append((entry.seat, entry.text))
        return replay_page(parse(self._record()), logs)

    def _repr_html_(self) -> str:
        """In a notebook: the page of the last duel."""
        page = html.escape(self._page())
        return f'<iframe srcdoc="{page}" width="100%" height="560" frameborder="0"></iframe>'


def make(
    ruleset: str | Ruleset = "bagh", *, limit: int | None = None, trust: bool = False
) -> Environment:
    """An environment that runs duels between agents; `ruleset` may name a game file. `limit` is the
    round limit (default: the game's), and `trust` runs bots without the sandbox.

    >>> make("bagh").run(["random", "random"], seed=3).is_over
    True
    """
    return Environment(ruleset, limit=limit, trust=trust)
