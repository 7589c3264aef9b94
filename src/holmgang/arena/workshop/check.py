"""Checks a bot: starts it, plays games, asks for choices in unusual positions, and measures times.

The bot runs under the judge as in every game, and each way to be disqualified is reported.
"""

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from holmgang.arena.events.match_score import PlayerScore
from holmgang.arena.events.schedule import Series
from holmgang.arena.judge.referee import play_games
from holmgang.arena.protocol import Hello
from holmgang.arena.task import GameResult, GameTask, JudgeSettings, SeatReport
from holmgang.arena.workshop.build import unbuilt
from holmgang.arena.workshop.faults import Faults
from holmgang.arena.workshop.interview import Interview
from holmgang.arena.workshop.times import Times
from holmgang.arena.workshop.unusual import Probe, unusual_probes
from holmgang.engine.course import Positions
from holmgang.engine.keys import derive, parse_seed
from holmgang.engine.progress import Notify
from holmgang.errors import UsageError
from holmgang.games.contract import SEATS
from holmgang.games.ruleset import Ruleset
from holmgang.games.shape import JsonObject, counted
from holmgang.players.naming import MANIFEST, Bot, find_player
from holmgang.players.player import WORST_FIRST, Failed

SELF_PLAY = 2  # games
MOST_FAULTS = 3  # after this many, a check stops
TIGHT = 0.8  # share of the limit above which a time is a warning
MOST_PROBES = {"json": 40, "codingame": 12}  # the latter needs a new process for each


class CheckResult(NamedTuple):
    """The finding of one check."""

    check: str
    status: str
    """ok, warning, fault (it would be disqualified) or skipped."""
    told: str
    details: tuple[str, ...] = ()


class Checkup:
    """The check of one bot: `remarks` runs it, the other methods report the results."""

    def __init__(
        self, text: str, ruleset: Ruleset, *, games: int, seed: int | None, settings: JudgeSettings
    ) -> None:
        bot = find_player(text, ruleset)
        if not isinstance(bot, Bot):
            raise UsageError(f"{bot.name} is a built-in level; give a bot to check")
        self.text, self.bot, self.ruleset, self.seed = text, bot, ruleset, parse_seed(seed)
        self.settings, self.games = settings, games
        self.hello: Hello | None = None
        self.times = Times(settings)
        self.remarked: list[CheckResult] = []
        self.failures: Counter[str] = Counter()
        """The number of disqualifications for each status."""
        self._dropped = 0
        self._finished = 0
        self._last_words: list[str] = []

    def remarks(self, notify: Notify) -> Iterator[CheckResult]:
        """Runs the checks and yields each remark as soon as it is known."""
        for find in (
            self._look_at_build,
            self._greet,
            partial(self._play, "self-play", SELF_PLAY, self.text),
            partial(self._play, "against random", self.games, "random"),
            self._ask_at_the_edges,
            self._tell_news,
            self._look_at_times,
        ):
            for remark in find(notify):
                self.remarked.append(remark)
                yield remark

    @property
    def is_sound(self) -> bool:
        return not self.failures

    @property
    def verdict(self) -> str:
        """One line: sound, or everything that would disqualify the bot."""
        if self.is_sound:
            notes = sum(remark.status == "warning" for remark in self.remarked)
            return f"sound, with {counted(notes, 'note')}" if notes else "sound"
        reasons = [
            f"{status} ({self.failures[status]}×)"
            for status in WORST_FIRST
            if status in self.failures
        ]
        return f"would be disqualified for {', '.join(reasons)}"

    @property
    def may_need_trust(self) -> bool:
        """Whether the bot may have crashed because of the sandbox."""
        return not self.settings.trust and not self._finished and "crash" in self.failures

    def as_json(self) -> JsonObject:
        return {
            "bot": self.text,
            "name": self.hello.name if self.hello else self.bot.name,
            "author": self.hello.author if self.hello else None,
            "ruleset": self.ruleset.text,
            "protocol": self.bot.protocol,
            "sandbox": not self.settings.trust,
            "seed": self.seed,
            "is_sound": self.is_sound,
            "verdict": self.verdict,
            "disqualified_for": dict(self.failures),
            "checks": [remark._asdict() for remark in self.remarked],
            "times": {
                "first": self.times.profile(is_first=True)._asdict(),
                "others": self.times.profile(is_first=False)._asdict(),
            },
            "slowest": [each._asdict() for each in self.times.slowest()],
        }

    # The checks

    def _look_at_build(self, notify: Notify) -> Iterator[CheckResult]:
        folder = Path(self.bot.folder)
        if self.bot.own == self.bot.folder and (folder / MANIFEST).is_file():
            why = unbuilt(folder)
            if why is not None:
                yield CheckResult("build", "warning", why)

    def _greet(self, notify: Notify) -> Iterator[CheckResult]:
        if self.bot.protocol != "json":
            return
        notify("hello")
        with self._interview() as interview:
            try:
                self.hello, took_ms = interview.greet()
            except Failed as failed:
                self.failures[failed.status] += 1
                faults = Faults()
                faults.add(failed.status, str(failed), "at the start", interview.stderr)
                yield CheckResult("hello", "fault", "it does not say hello", self._details(faults))
            else:
                who = f"{self.hello.name} by {self.hello.author}" if self.hello else ""
                yield CheckResult(
                    "hello", "ok", f"{who}, after {took_ms:.0f} ms of {self.settings.start_ms:g}"
                )

    def _play(self, check: str, games: int, other: str, notify: Notify) -> Iterator[CheckResult]:
        if any(each.check == "hello" and each.status == "fault" for each in self.remarked):
            yield CheckResult(check, "skipped", "not tried")
            return
        tally, faults, played = PlayerScore(self.text), Faults(), 0
        with tempfile.TemporaryDirectory(prefix="holmgang-") as drafts:
            settings = replace(self.settings, records=self.settings.records or drafts)
            tasks = self._tasks(check, games, other, settings)
            with closing(play_games(announced(tasks, check, notify))) as results:
                for task, result in zip(tasks, results, strict=False):
                    played += 1
                    for seat, who in zip(SEATS, (task.red, task.blue), strict=True):
                        if who == self.text:
                            report: SeatReport = getattr(result, seat)
                            tally.add(seat, result.winner, report)
                            self.times.add(report, f"{check}, game {played}, {seat}")
                            self._judge(result, seat, report, played, faults)
                    if faults.counts.total() >= MOST_FAULTS:
                        break
        self._dropped += tally.dropped
        sentence = f"{counted(played, 'game')}, {counted(len(tally.latencies_ms), 'answer')}"
        if other != self.text:
            results_of = {"won": tally.wins, "drawn": tally.draws, "lost": tally.losses}
            sentence += ": " + ", ".join(f"{n} {how}" for how, n in results_of.items() if n)
        gave_up = tally.statuses.get("forfeit", 0)
        if faults.counts:
            yield CheckResult(check, "fault", sentence, self._details(faults))
        elif gave_up:
            yield CheckResult(
                check, "warning", f"{sentence}; it gave up {counted(gave_up, 'time')}"
            )
        else:
            yield CheckResult(check, "ok", sentence)

    def _judge(
        self, result: GameResult, seat: str, report: SeatReport, game: int, faults: Faults
    ) -> None:
        """Counts a finished game or notes a fault, for this seat."""
        if report.status in ("ok", "forfeit"):
            self._finished += 1
            return
        self.failures[report.status] += 1
        where = f"in game {game}, round {result.rounds + 1}, as {seat}"
        faults.add(report.status, report.detail, where, stderr_of(result.record, seat))

    def _tasks(self, check: str, games: int, other: str, settings: JudgeSettings) -> list[GameTask]:
        texts = {"bot": self.text, "opponent": other}
        fixtures = Series("bot", "opponent", games).fixtures()
        seed = derive(self.seed, check)
        return [
            GameTask(
                id=f"{check.replace(' ', '-')}-{number}",
                ruleset=self.ruleset.text,
                red=texts[fixture.red],
                blue=texts[fixture.blue],
                seed=fixture.seed(seed),
                settings=settings,
            )
            for number, fixture in enumerate(fixtures, start=1)
        ]

    def _ask_at_the_edges(self, notify: Notify) -> Iterator[CheckResult]:
        check = "unusual states"
        if not self._finished:
            yield CheckResult(check, "skipped", "not tried")
            return
        probes = self._probes()
        faults, asked = Faults(), 0
        with self._interview() as interview:
            for number, probe in enumerate(probes, start=1):
                notify(f"{check}, {number} of {len(probes)}")
                asked += 1
                try:
                    interview.ask(probe)
                except Failed as failed:
                    where = self._place_of(probe)
                    faults.add(failed.status, str(failed), where, interview.stderr)
                if faults.counts.total() >= MOST_FAULTS:
                    break
        sentence = f"{counted(asked, 'question')} about positions outside a game"
        if not faults.counts:
            yield CheckResult(check, "ok", sentence)
        elif self.bot.protocol == "json":
            for (status, _), count in faults.counts.items():
                self.failures[status] += count
            yield CheckResult(check, "fault", sentence, self._details(faults))
        else:  # no proof: a bot in this protocol may rely on seeing the game from its start
            yield CheckResult(check, "warning", sentence, self._details(faults))

    def _tell_news(self, notify: Notify) -> Iterator[CheckResult]:
        check = "later versions"
        if self.bot.protocol != "json":
            return
        if not self._finished:
            yield CheckResult(check, "skipped", "not tried")
            return
        notify(check)
        with self._interview() as interview:
            try:
                interview.ask(self._probes()[0], with_news=True)
            except Failed as failed:
                faults = Faults()
                faults.add(failed.status, str(failed), "in round 1", interview.stderr)
                advice = "it fails on messages or fields that it does not know"
                yield CheckResult(check, "warning", advice, self._details(faults))
            else:
                yield CheckResult(check, "ok", "it ignores messages and fields it does not know")

    def _look_at_times(self, notify: Notify) -> Iterator[CheckResult]:
        if self._dropped:
            many = (
                f"{counted(self._dropped, 'answer')} to requests that were no longer open; ignored"
            )
            yield CheckResult("extra answers", "warning", many)
        if not self.times:
            yield CheckResult("time", "skipped", "there was no answer")
            return
        worst = self.times.slowest()[0]
        allowed = self.times.allowed_ms(is_first=worst.is_first)
        sentence = f"at worst {worst.ms:.1f} ms of {allowed:g}"
        if self.times.share(worst) > 1:
            yield CheckResult("time", "fault", sentence)
        elif self.times.share(worst) > TIGHT:
            yield CheckResult(
                "time", "warning", f"{sentence}; on another machine that may be too long"
            )
        else:
            yield CheckResult("time", "ok", sentence)

    def _details(self, faults: Faults) -> tuple[str, ...]:
        """The faults, and the end of standard error unless the previous check showed the same."""
        said, before = faults.last_words(), self._last_words
        self._last_words = said
        return (*faults.details(), *(said if said != before else ()))

    def _interview(self) -> Interview:
        return Interview(self.bot, Positions(self.ruleset), self.settings)

    def _probes(self) -> list[Probe]:
        return unusual_probes(self.ruleset, self.seed, most=MOST_PROBES[self.bot.protocol])

    def _place_of(self, probe: Probe) -> str:
        state = self.ruleset.format_text(probe.state)
        return f"in round {probe.round}, as {SEATS[probe.seat]}, at {state}"


def announced(tasks: list[GameTask], check: str, notify: Notify) -> Iterable[GameTask]:
    """The tasks, each announced when it is taken."""
    for number, task in enumerate(tasks, start=1):
        notify(f"{check}, game {number} of {len(tasks)}")
        yield task


def stderr_of(record: str | None, seat: str) -> bytes:
    """The standard error of a bot in a recorded game."""
    path = Path(record or "").with_suffix(f".{seat}.stderr.txt")
    return path.read_bytes() if record is not None and path.is_file() else b""
