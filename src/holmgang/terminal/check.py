"""`holmgang check`: the remarks as they come, the times, and a verdict."""

import shlex
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from rich.console import Console

from holmgang.arena.task import JudgeSettings
from holmgang.arena.workshop import build as building
from holmgang.arena.workshop.check import CheckResult, Checkup
from holmgang.engine.keeping import check_room
from holmgang.engine.progress import Notify
from holmgang.errors import RulesetError, UsageError
from holmgang.games.finding import load as find_game
from holmgang.games.ruleset import Ruleset, load
from holmgang.games.shape import printable
from holmgang.machine import program
from holmgang.players.naming import MANIFEST, split_name, split_protocol
from holmgang.terminal.glyphs import fitted
from holmgang.terminal.match import columns_of
from holmgang.terminal.printing import print_json

SIGNS = {"ok": "ok", "warning": "note", "fault": "FAULT"}
STYLES = {"ok": "green", "warning": "yellow", "fault": "bold red"}
TIMES = ("ms", "answers", "median", "90 %", "99 %", "max", "allowed", "max wall time")
QUIET_SECONDS = 2.0
NOT_SOUND = 1  # the exit code


def run(
    bot: str,
    game: str,
    *,
    games: int,
    seed: int | None,
    build: bool,
    settings: JudgeSettings,
    as_json: bool,
) -> None:
    ruleset = load_game(game, bot)
    bot = split_name(bot)[1]  # the bot gives its own name
    if build:
        build_bot(bot)
    checkup = Checkup(bot, ruleset, games=games, seed=seed, settings=settings)
    if settings.records is not None:
        check_room(Path(settings.records), ["self-play-1.jsonl", "against-random-1.jsonl"])
    if as_json:
        for _ in checkup.remarks(lambda _: None):
            pass
        print_json(checkup.as_json())
    else:
        show(checkup)
    if not checkup.is_sound:
        sys.exit(NOT_SOUND)


def load_game(game: str, bot: str) -> Ruleset:
    """The ruleset. A game given in the place of the bot gets a hint: elsewhere it comes first."""
    try:
        return find_game(game)
    except RulesetError as error:
        with suppress(RulesetError):
            load(bot)
            words = shlex.join([program(), "check", game, bot])
            raise UsageError(f"{error}; the bot comes first: {words}") from None
        raise


def build_bot(bot: str) -> None:
    folder = Path(split_protocol(bot)[1])
    if not (folder / MANIFEST).is_file():
        raise UsageError(f"--build needs a folder with a {MANIFEST}; not {bot}")
    building.build(folder)


def show(checkup: Checkup) -> None:
    console = Console(highlight=False, markup=False, soft_wrap=True)
    place = "in no sandbox" if checkup.settings.trust else "in the sandbox"
    says = f"{checkup.bot.protocol} protocol, {place}, seed {checkup.seed}"
    write(console, f"{checkup.text} in {checkup.ruleset.text}: {says}\n")
    with progress(Console(stderr=True)) as notify:
        for remark in checkup.remarks(notify):
            notify("")
            if remark.status != "skipped":
                show_remark(console, remark)
    skipped = [remark.check for remark in checkup.remarked if remark.status == "skipped"]
    if skipped:
        write(console, f"{'–':>5}  not tried       {', '.join(skipped)}", "dim")
    write(console, "")
    if checkup.times:
        show_times(console, checkup)
        write(console, "")
    write(console, checkup.verdict, "bold green" if checkup.is_sound else "bold red")
    if checkup.may_need_trust:
        write(
            console, "If the bot works outside Holmgang, the sandbox may be the cause: try --trust."
        )


def write(console: Console, text: str, style: str | None = None) -> None:
    """Prints text that may quote the bot, with control characters escaped."""
    lines = [fitted(printable(line), console.file) for line in text.split("\n")]  # type: ignore[arg-type]
    console.print("\n".join(lines), style=style)


def show_remark(console: Console, remark: CheckResult) -> None:
    console.print(f"{SIGNS[remark.status]:>5}", style=STYLES[remark.status], end="")
    write(console, f"  {remark.check:<14}  {remark.told}")
    for detail in remark.details:
        write(console, f"{'':7}{detail}")


def show_times(console: Console, checkup: Checkup) -> None:
    table = columns_of(TIMES)
    for name, is_first in (("first", True), ("others", False)):
        profile = checkup.times.profile(is_first=is_first)
        times = [*profile.latency_ms.values(), profile.allowed_ms, profile.wall_ms["max"]]
        cells = ["–" if ms is None else f"{ms:.2f}" for ms in times]
        table.add_row(name, f"{profile.answers:,}", *cells)
    console.print(table)
    for timed in checkup.times.slowest():
        write(console, f"slow: {timed.ms:.2f} ms in {timed.where}")


@contextmanager
def progress(console: Console) -> Iterator[Notify]:
    """A function that shows what is being done: in a temporary line on a terminal, otherwise in a
    line every two seconds. An empty text removes the temporary line.
    """
    last = time.monotonic()
    status = console.status("", refresh_per_second=4)  # the judge is on the same core

    def notify(what: str) -> None:
        nonlocal last
        if console.is_terminal:
            if what:
                status.update(what)
                status.start()
            else:
                status.stop()
        elif what and time.monotonic() - last > QUIET_SECONDS:
            last = time.monotonic()
            console.print(what, highlight=False)

    try:
        yield notify
    finally:
        status.stop()
