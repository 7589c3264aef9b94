"""Progress of many games: nothing at first, then a bar on a terminal, plain lines elsewhere. Also
what is being prepared or compiled.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from holmgang.engine.compiled.native import Announce, silent

QUIET_SECONDS = 2.0  # shorter work shows nothing; also the interval of plain lines
REFRESHES = 4  # per second: the judge may be on the same core
STARTING = "starting; the first time, code is compiled"


@contextmanager
def progress_of(
    console: Console,
    games: int | None,
    verb: str = "simulating",
    news: Callable[[], str] = lambda: "",
    *,
    noun: str = "games",
    is_silent: bool = False,
) -> Iterator[Callable[[int], None]]:
    """A function to call with the number of games (or what `noun` says) done. `games` is their
    total, None if that is not known; `news` gives a few words on their results.
    """
    if is_silent:
        yield lambda done: None
        return
    columns = columns_for(games, verb, noun)
    bars = Progress(*columns, console=console, transient=True, refresh_per_second=REFRESHES)
    task = bars.add_task("", total=games)
    started = last = time.monotonic()
    shown = -1

    def update(done: int) -> None:
        nonlocal last, shown
        now, words = time.monotonic(), news() if done else STARTING
        if now - started < QUIET_SECONDS:
            return
        if console.is_terminal:
            bars.start()
            bars.update(task, completed=done, description=words)
        elif now - last >= QUIET_SECONDS and done not in (games, shown):
            last, shown = now, done
            total = "" if games is None else f" of {games:,}"
            line = f"{done:,}{total} {noun}  {words}".rstrip()
            console.print(line, highlight=False, markup=False, soft_wrap=True)

    try:
        yield update
    finally:
        if bars.live.is_started:
            bars.stop()


def columns_for(games: int | None, verb: str, noun: str) -> list[ProgressColumn]:
    said = TextColumn("{task.description}", markup=False)
    if games is None:
        count = TextColumn(f"{{task.completed:,.0f}} {noun}")
        return [SpinnerColumn(), TextColumn(verb), count, said, TimeElapsedColumn()]
    return [TextColumn(verb), BarColumn(), MofNCompleteColumn(), said, TimeRemainingColumn()]


def announcer(console: Console) -> Announce:
    """Reports that something is being compiled: a spinner on a terminal, a plain line elsewhere."""

    def announce(sentence: str) -> AbstractContextManager[object]:
        if console.is_terminal:
            return console.status(sentence)
        console.print(sentence)
        return nullcontext()

    return announce


class StatusPrinter:
    """Prints on standard error what is being done; nothing with `as_json`."""

    def __init__(self, *, as_json: bool) -> None:
        console = Console(stderr=True, highlight=False)
        self.say: Callable[[str], None] = lambda said: console.print(
            said, markup=False, soft_wrap=True
        )
        self.announce = announcer(console)
        if as_json:
            self.say, self.announce = (lambda said: None), silent
