"""`make soak-server`: a server killed with SIGKILL at 1,000 random moments while people play. No
acknowledged choice is lost, no round is played twice, every record verifies, every match ends, and
nothing was shown that is not in the log.

With `--servers 2`, or on PostgreSQL, two servers share the database, and each time one of them is
killed while its players go on with the other.

    python -m tests.soak_server [--kills N] [--pairs N] [--seed N] [--servers N] [--postgres]
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from tests.postgres import MISSING, binaries, running_postgres
from tests.web import kills

LINE_EVERY = 10.0  # seconds


@contextmanager
def shown_progress(total: int) -> Iterator[kills.Progress]:
    """A bar on a terminal, a line now and then elsewhere."""
    console = Console(stderr=True)
    last = time.monotonic()
    columns = (TextColumn("kills"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("", total=total)

        def show(done: int) -> None:
            nonlocal last
            bar.update(task, completed=done)
            if not console.is_terminal and time.monotonic() - last > LINE_EVERY:
                last = time.monotonic()
                print(f"{done:,} of {total:,} kills", file=sys.stderr, flush=True)

        yield show


@contextmanager
def new_database(folder: Path, *, postgres: bool) -> Iterator[str]:
    if postgres:
        with running_postgres() as server:
            yield server.new_database()
    else:
        yield f"sqlite:///{folder}/soak.sqlite3"


def soak(options: argparse.Namespace) -> kills.Figures:
    with (
        tempfile.TemporaryDirectory(prefix="holmgang-soak-") as name,
        new_database(Path(name), postgres=options.postgres) as database,
        shown_progress(options.kills) as progress,
    ):
        return asyncio.run(
            kills.kill_often(
                Path(name),
                database,
                options.kills,
                servers=options.servers or (2 if options.postgres else 1),
                pairs=options.pairs,
                seed=options.seed,
                progress=progress,
            )
        )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.soak_server")
    parser.add_argument("--kills", type=int, default=1000, help="number of kills (default: 1000)")
    parser.add_argument("--pairs", type=int, default=16, help="pairs of people (default: 16)")
    parser.add_argument("--seed", type=int, default=1, help="of the moments and choices")
    parser.add_argument("--servers", type=int, help="servers (default: 1; on PostgreSQL 2)")
    parser.add_argument("--postgres", action="store_true", help="use PostgreSQL, not SQLite")
    options = parser.parse_args()
    if options.postgres and binaries() is None:
        sys.exit(MISSING)
    started = time.monotonic()
    try:
        done = soak(options)
    except KeyboardInterrupt:
        sys.exit(130)
    minutes = (time.monotonic() - started) / 60
    slowest = quantiles(done.downtimes, n=100)[-1]
    print(
        f"{done.kills:,} kills in {minutes:.0f} minutes: {done.commands:,} commands acknowledged, "
        f"{done.repeated:,} sent again, none lost and none carried out twice;\n"
        f"{done.matches:,} matches, all of them over, and {done.records:,} records, all verified;\n"
        f"{done.views:,} views were shown, all of them in the log.\n"
        f"From a kill to the server's next acknowledgement: median {median(done.downtimes):.2f} s, "
        f"p99 {slowest:.2f} s."
    )


if __name__ == "__main__":
    main()
