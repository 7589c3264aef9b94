"""A league in a folder: an endless contest of versions of bots.

league.json       the ruleset, the settings, and every version of every bot
results.jsonl     the log of results, from which the rest is derived
bots/ann@2/       a copy of the second version of ann; links stay links
records/          the records of the games
index.html, table.json, table.csv, payoffs.csv      derived from the log
"""

import fcntl
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import Enum
from functools import partial
from pathlib import Path

import msgspec
from msgspec.structs import replace

from holmgang.arena.counting.results import ResultLog, Results, read_results
from holmgang.arena.counting.standings import Standings, standings
from holmgang.arena.events.entrant import PYCACHE, Entrant, fingerprint, is_part
from holmgang.arena.events.executor import Workers
from holmgang.arena.events.pairing import Couple, MostInformative, all_couples
from holmgang.arena.events.run import Run
from holmgang.arena.fixture import Fixture
from holmgang.arena.task import GameTask, JudgeSettings
from holmgang.engine.keys import parse_seed
from holmgang.engine.progress import Progress
from holmgang.errors import RecordError, UsageError
from holmgang.games.ruleset import load
from holmgang.games.shape import brief
from holmgang.machine import program, write_whole
from holmgang.players.naming import PLAYER_NAME, split_protocol

NAMED = re.compile(PLAYER_NAME)


class Added(Enum):
    """The result of adding a bot."""

    NEW = "takes part"
    AGAIN = "takes part again"
    NOTHING = "is already there, unchanged"


class Version(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One version of a bot, which never changes."""

    name: str
    number: int
    text: str
    """The player as typed; for a copied folder only the protocol, if one was given."""
    fingerprint: str
    added: str
    is_copied: bool
    is_active: bool = True

    @property
    def bot(self) -> str:
        """Its name in tables and in the ids of games.

        >>> Version("ann", 2, "random", "", "", is_copied=False).bot
        'ann@2'
        """
        return f"{self.name}@{self.number}"


class Roster(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="holmgang_league", tag=1
):
    """The ruleset, the settings and the bots of a league: its league.json, of format 1."""

    ruleset: str
    seed: int
    settings: JudgeSettings
    versions: tuple[Version, ...] = ()

    def latest(self, name: str) -> Version | None:
        return max(
            (each for each in self.versions if each.name == name),
            key=lambda version: version.number,
            default=None,
        )

    @property
    def names(self) -> list[str]:
        return sorted({version.name for version in self.versions})

    def couples(self) -> list[Couple]:
        """The couples that may meet: all active bots, and each bot with its previous version."""
        couples = all_couples([version.bot for version in self.versions if version.is_active])
        for name in self.names:
            mine = sorted(
                (each for each in self.versions if each.name == name), key=lambda each: each.number
            )
            if len(mine) > 1 and mine[-1].is_active and not mine[-2].is_active:
                couples.append((mine[-2].bot, mine[-1].bot))
        return couples


def parse_roster(text: bytes) -> Roster:
    """Raises ValueError."""
    roster = msgspec.json.decode(text, type=Roster)
    for version in roster.versions:
        if not NAMED.fullmatch(version.name):
            raise ValueError(f"{brief(version.name)} is not a valid name of a bot")
    return roster


def format_roster(roster: Roster) -> bytes:
    return msgspec.json.format(msgspec.json.encode(roster), indent=2) + b"\n"


def check_links(source: Path) -> None:
    """Raises UsageError if a relative link points out of a bot's folder, because a copy of it would
    point elsewhere.
    """
    for path in filter(Path.is_symlink, source.rglob("*")):
        target = path.readlink()
        leads_to = Path(os.path.normpath(path.parent / target))
        if not target.is_absolute() and not leads_to.is_relative_to(source):
            raise UsageError(f"{path} leads out of the bot's folder: put a copy into its place")


def left_out(folder: str, names: list[str]) -> list[str]:
    """The files that are not copied, because the fingerprint ignores them."""
    paths = [(name, Path(folder, name)) for name in names]
    return [name for name, path in paths if name == PYCACHE or not (is_part(path) or path.is_dir())]


@dataclass
class League:
    """A league in its folder."""

    folder: Path
    roster: Roster = field(init=False)

    def __post_init__(self) -> None:
        """Raises UsageError if there is no league."""
        self.roster = self._read()

    @classmethod
    def create(
        cls, folder: Path, ruleset: str, seed: int | None, settings: JudgeSettings
    ) -> "League":
        """Makes a league (default seed: random). Raises UsageError if the folder is in use."""
        path = folder / "league.json"
        if path.exists():
            raise UsageError(f"there is a league in {folder} already")
        if any((folder / name).exists() for name in ("tournament.json", "results.jsonl")):
            raise UsageError(f"{folder} holds other games; choose another folder for the league")
        roster = Roster(load(ruleset).text, parse_seed(seed), settings)
        write_whole(path, format_roster(roster))
        return cls(folder)

    # Bots

    def add(self, entrant: Entrant) -> tuple[Version, Added]:
        """Adds a bot, or a new version that replaces its last one. If the files of the bot have not
        changed, it is the same version.
        """
        with self._changing():
            last = self.roster.latest(entrant.name)
            if last is not None and last.fingerprint == entrant.fingerprint:
                self._set_active(last, is_active=True)
                return last, Added.NOTHING if last.is_active else Added.AGAIN
            version = Version(
                name=entrant.name,
                number=1 if last is None else last.number + 1,
                text=entrant.text if entrant.folder is None else split_protocol(entrant.text)[0],
                fingerprint=entrant.fingerprint,
                added=datetime.now(UTC).isoformat(timespec="seconds"),
                is_copied=entrant.folder is not None,
            )
            if entrant.folder is not None:
                self._copy(entrant.folder, version)
            if last is not None:
                self._set_active(last, is_active=False)
            self._write(replace(self.roster, versions=(*self.roster.versions, version)))
            return version, Added.NEW

    def retire(self, name: str) -> None:
        """Excludes a bot from future games; its results stay. Raises UsageError."""
        with self._changing():
            last = self.roster.latest(name)
            if last is None:
                known = ", ".join(self.roster.names) or "nobody yet"
                raise UsageError(f"no bot {brief(name)} in this league; the bots are {known}")
            self._set_active(last, is_active=False)

    def _copy(self, source: Path, version: Version) -> None:
        target = self.folder / "bots" / version.bot
        draft = target.with_name(f".{version.bot}.draft")
        check_links(source)
        for leftover in (target, draft):  # of an interrupted `add`
            if leftover.exists():
                shutil.rmtree(leftover)
        try:
            shutil.copytree(source, draft, symlinks=True, ignore=left_out)
            if fingerprint(draft) != version.fingerprint:
                raise UsageError(f"{source} changed while it was copied; add it again")
            draft.replace(target)
        except (OSError, shutil.Error) as error:
            shutil.rmtree(draft, ignore_errors=True)
            raise UsageError(f"cannot copy {source}: {error}") from None

    def _set_active(self, version: Version, *, is_active: bool) -> None:
        changed = replace(version, is_active=is_active)
        versions = tuple(changed if each == version else each for each in self.roster.versions)
        self._write(replace(self.roster, versions=versions))

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Locks the roster against other writers. Games continue, and see the change."""
        path = self.folder / "league.lock"
        try:
            file = path.open("ab")
        except OSError as error:
            raise UsageError(f"cannot write {path}: {error.strerror}") from None
        with file:
            fcntl.lockf(file, fcntl.LOCK_EX)
            self.roster = self._read()
            yield

    def _read(self) -> Roster:
        path = self.folder / "league.json"
        try:
            return parse_roster(path.read_bytes())
        except FileNotFoundError:
            raise UsageError(
                f"no league in {self.folder}; make one: {program()} league init {self.folder} GAME"
            ) from None
        except OSError as error:
            raise RecordError(f"cannot read {path}: {error.strerror}") from None
        except ValueError as error:
            raise RecordError(f"{path} is not a league of format 1: {error}") from None

    def _write(self, roster: Roster) -> None:
        write_whole(self.folder / "league.json", format_roster(roster))
        self.roster = roster

    # Games

    @property
    def log_path(self) -> Path:
        return self.folder / "results.jsonl"

    def couples(self) -> list[Couple]:
        """The couples that may meet. Reads the roster again: bots may be added during play."""
        self.roster = self._read()
        return self.roster.couples()

    def task(self, fixture: Fixture, *, trust: bool = False, log: str | None = None) -> GameTask:
        """The game of a fixture. `trust` runs bots without the sandbox, and `log` is the folder for
        the game's transcript (default: none).
        """
        texts = {version.bot: self.player_text(version) for version in self.roster.versions}
        return GameTask(
            id=fixture.id,
            ruleset=self.roster.ruleset,
            red=texts[fixture.red],
            blue=texts[fixture.blue],
            seed=fixture.seed(self.roster.seed),
            settings=replace(
                self.roster.settings,
                trust=trust,
                records=str(self.folder.resolve() / "records"),
                log=log,
            ),
            names=(fixture.red, fixture.blue),
            folder=str(self.folder),
        )

    def player_text(self, version: Version) -> str:
        """The version as a player for the judge."""
        if not version.is_copied:
            return version.text
        return version.text + str((self.folder / "bots" / version.bot).resolve())

    def play(
        self,
        open_workers: Callable[[], Workers],
        *,
        games: int | None = None,
        is_over: Callable[[], bool] = lambda: False,
        progress: Progress = lambda played: None,
        trust: bool = False,
        log: str | None = None,
    ) -> int:
        """Plays `games` games (default: no limit) or until `is_over`. Returns the number of games
        played. `trust` runs bots without the sandbox, whatever the file of the league says: it may
        come from a stranger. `log` is the folder for transcripts (default: none). Raises
        UsageError, also if the league was made to be trusted and is not.
        """
        if self.roster.settings.trust and not trust:
            raise UsageError(
                f'{self.folder / "league.json"} says "trust": true, that bots run without the'
                " sandbox. If you trust these bots, add --trust to this command. If not, change it"
                " to false"
            )
        if not self.roster.couples():
            raise UsageError(
                f"a league needs two bots to play: {program()} league add {self.folder} BOT"
            )
        with ResultLog(self.log_path) as results, closing(open_workers()) as workers:
            schedule, task_of = (
                MostInformative(self.couples),
                partial(self.task, trust=trust, log=log),
            )
            return Run(schedule, task_of, results, workers, games, is_over).play(progress)

    # Tables

    def results(self) -> Results:
        return read_results(self.log_path)

    def standings(self) -> Standings:
        results = self.results()
        return standings(
            [version.bot for version in self.roster.versions],
            results.values(),
            title=f"League {self.folder.resolve().name}",
            ruleset=self.roster.ruleset,
            retired=[version.bot for version in self.roster.versions if not version.is_active],
            damage=results.damage,
        )
