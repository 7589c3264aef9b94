"""`make bench-live`: durable choices a second through the whole server, and how long one takes.

    python -m bench.live [--quick] [--repeats N] [--seconds N] [--rate N] [--against FOLDER]

500 WebSockets in 250 matches choose round after round, first 2,000 times a second in all, then as
fast as the server acknowledges. The load comes from this process, the server is one of its own, and
a choice counts from when it was due until it is acknowledged, which is after it is on the disk.

The same load goes to a bare server on the same uvicorn (`bench/echo_server.py`) that answers with
frames of the same sizes, and the same events go through a bare loop of SQLite commits, as many to a
commit as our server had. What counts are the ratios, and the processor time of a choice: the
machines are shared and noisy.

`--against FOLDER` compares with another checkout of this repository: both servers run, and the same
load goes to each of them in turn.
"""

import argparse
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from textwrap import fill
from typing import Any, NamedTuple

import uvloop

from bench.live_load import (
    EchoSeat,
    Measure,
    Seat,
    at_rate,
    connect,
    connect_http,
    disconnect,
    open_matches,
    saturated,
)
from bench.page import commit_of, made_of, replace_section, table

MATCHES = 250
RULESET = "bagh"
WINS_NEEDED = 99  # so that no match ends while it is measured
TITLE = "The live server"
WANTED_RATE, WANTED_P99 = 2000, 50
BODY = (
    '{"game":1,"event":"chosen","seat":"red","round":7,"choice":"attack","by":"red","command":"c1"}'
)
WARM_SECONDS = 0.5
COLUMNS = [
    "",
    "choices a second",
    "p50 ms",
    "p99 ms",
    "server, CPU µs a choice",
    "load, CPU µs a choice",
]
TICKS = os.sysconf("SC_CLK_TCK")

Load = Callable[[Sequence[Seat]], Coroutine[Any, Any, Measure]]


class Run(NamedTuple):
    """A measure, with the processor time that the server and the load took for a choice."""

    measure: Measure
    server_us: float
    load_us: float
    per_commit: float
    """Choices."""
    bytes_sent: float
    """By the server, for each choice."""


class Server:
    """A process that serves."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.port = port
        self._process = process

    @property
    def cpu(self) -> float:
        """Seconds."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    @property
    def commits(self) -> int:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics") as page:
            found = re.search(r"\nholmgang_store_commits_total (\S+)", page.read().decode())
        return int(float(found[1])) if found else 0


@contextmanager
def running(*arguments: str, source: Path | None = None) -> Iterator[subprocess.Popen[str]]:
    """A module as a process; from another folder with the source code than this one, if given."""
    environment = os.environ if source is None else {**os.environ, "PYTHONPATH": str(source)}
    with tempfile.TemporaryFile() as log:  # a line for each request, as in real life
        process = subprocess.Popen(
            [sys.executable, "-m", *arguments],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env=environment,
        )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def our_server(
    folder: Path, limits: str = "--no-limits", source: Path | None = None
) -> Iterator[Server]:
    database = f"sqlite:///{folder}/live.sqlite3"
    with running(
        *("holmgang", "serve", "--port", "0", "--no-open", limits, "--no-tables"),
        *("--database", database),
        source=source,
    ) as process:
        line = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        if found is None:
            raise RuntimeError(f"the server did not start: {line}")
        yield Server(process, int(found[1]))


@contextmanager
def echo_server(size: int) -> Iterator[Server]:
    with bound_port() as port:
        pass
    with running("bench.echo_server", str(port), str(size)) as process:
        wait_for(port)
        yield Server(process, port)


@contextmanager
def bound_port() -> Iterator[int]:
    import socket

    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        yield listener.getsockname()[1]


def wait_for(port: int) -> None:
    import socket

    for _ in range(1000):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.01)
        else:
            return
    raise RuntimeError("the echo server did not start")


async def measure(server: Server, seats: Sequence[Seat], load: Load) -> Run:
    """One run, with what it cost. No commits are counted of a server that has none."""
    is_ours = not isinstance(seats[0], EchoSeat)
    received = sum(seat.socket.received for seat in seats if seat.socket)
    commits = server.commits if is_ours else 0
    cpu, own = server.cpu, time.process_time()
    done = await load(seats)
    own, cpu = time.process_time() - own, server.cpu - cpu
    received = sum(seat.socket.received for seat in seats if seat.socket) - received
    commits = server.commits - commits if is_ours else 1
    return Run(
        done,
        1e6 * cpu / done.choices,
        1e6 * own / done.choices,
        done.choices / max(1, commits),
        received / done.choices,
    )


class Figures:
    """The runs so far, by name."""

    def __init__(self) -> None:
        self.runs: dict[str, list[Run]] = {}
        self.commit_rates: list[float] = []

    def add(self, name: str, run: Run) -> None:
        done = run.measure
        sys.stderr.write(
            f"{name}: {done.rate:,.0f} a second, p50 {done.p50_ms:.1f} ms, "
            f"p99 {done.p99_ms:.1f} ms; CPU of server and load: {run.server_us:.0f} and "
            f"{run.load_us:.0f} µs a choice; {run.per_commit:.1f} choices to a commit\n"
        )
        self.runs.setdefault(name, []).append(run)

    def median(self, name: str, of: Callable[[Run], float]) -> float:
        return median(of(run) for run in self.runs[name])


async def measure_ours(figures: Figures, folder: Path, rate: float, seconds: float) -> None:
    with our_server(folder) as server:
        seats = await open_matches(server.port, MATCHES, RULESET, WINS_NEEDED)
        for name, query, by_http in (
            ("sockets", "", False),
            ("sockets with pictures", "?picture=1", False),
            ("HTTP", "", True),
        ):
            await connect(seats, server.port, query)
            if by_http:
                await connect_http(seats, server.port)
            await measure_both(figures, server, seats, name, rate, seconds)
            await disconnect(seats)


async def measure_echo(figures: Figures, rate: float, seconds: float) -> None:
    size = (figures.median("sockets, at the rate", lambda run: run.bytes_sent) - 30) / 2
    with echo_server(round(size)) as server:
        for name, by_http in (("echo", False), ("HTTP echo", True)):
            seats: list[Seat] = [EchoSeat("x" * 32, number) for number in range(2 * MATCHES)]
            await connect(seats, server.port)
            if by_http:
                await connect_http(seats, server.port)
            await measure_both(figures, server, seats, name, rate, seconds)
            await disconnect(seats)


async def measure_both(
    figures: Figures, server: Server, seats: Sequence[Seat], name: str, rate: float, seconds: float
) -> None:
    await saturated(seats, WARM_SECONDS)
    at = await measure(server, seats, lambda all_: at_rate(all_, rate, seconds))
    figures.add(f"{name}, at the rate", at)
    full = await measure(server, seats, lambda all_: saturated(all_, seconds))
    figures.add(f"{name}, saturated", full)


def bare_commits(folder: Path, per_commit: int, seconds: float) -> float:
    """Choices a second through a bare loop of commits: each is an event and a line of a list."""
    connection = sqlite3.connect(folder / "bare.sqlite3", isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE IF NOT EXISTS log (m, seq, at, body, PRIMARY KEY (m, seq))")
    began, number = time.perf_counter(), 0
    while (taken := time.perf_counter() - began) < seconds:
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(
            "INSERT INTO log VALUES (?, ?, ?, ?)",
            [
                (f"m{(number + each) % 250}", began + number + each, 0.0, BODY)
                for each in range(per_commit)
            ],
        )
        connection.execute("COMMIT")
        number += per_commit
    connection.close()
    return number / taken


def section(*, repeats: int, seconds: float, rate: float = WANTED_RATE) -> list[str]:
    """What bench/RESULTS.md says of the server."""
    figures = Figures()
    with tempfile.TemporaryDirectory(prefix="holmgang-bench-") as name:
        for number in range(repeats):
            folder = Path(name, str(number))
            folder.mkdir()
            uvloop.run(measure_ours(figures, folder, rate, seconds))
            uvloop.run(measure_echo(figures, rate, seconds))
            per_commit = figures.runs["sockets, saturated"][-1].per_commit
            figures.commit_rates.append(bare_commits(folder, max(1, round(per_commit)), seconds))
    return tell(figures, rate)


def tell(figures: Figures, rate: float) -> list[str]:
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    commit_rate = median(figures.commit_rates)
    per_commit = figures.median("sockets, saturated", lambda run: run.per_commit)

    def ratio(ours: str, theirs: str) -> list[str]:
        by_rate = (
            figures.median(f"{each}, saturated", lambda run: run.measure.rate)
            for each in (ours, theirs)
        )
        by_cpu = (
            figures.median(f"{each}, at the rate", lambda run: 1 / run.server_us)
            for each in (ours, theirs)
        )
        (our_rate, their_rate), (our_cpu, their_cpu) = by_rate, by_cpu
        return [f"{our_rate / their_rate:.2f}", f"{our_cpu / their_cpu:.2f}"]

    ratios = [
        ["sockets", "bare echo", *ratio("sockets", "echo")],
        ["sockets with pictures", "bare echo", *ratio("sockets with pictures", "echo")],
        ["HTTP", "bare HTTP answers", *ratio("HTTP", "HTTP echo")],
    ]
    ours = figures.median("sockets, saturated", lambda run: run.measure.rate)
    ratios.append(["sockets", "bare group commit", f"{ours / commit_rate:.2f}", ""])
    rows = [[name, *row_of(figures, name)] for name in figures.runs]
    rows.append(["bare group commit", f"{commit_rate:,.0f}", "", "", "", ""])
    met = figures.median("sockets, at the rate", lambda run: run.measure.p99_ms)
    about = (
        f"{2 * MATCHES} sockets in {MATCHES} matches of {RULESET}: durable choices through "
        "`holmgang serve` on SQLite, with the load from a process of its own (`make bench-live`). "
        f"*At the rate*: {rate:,.0f} choices a second are offered. *Saturated*: everyone chooses "
        "as soon as the round is open. The bare echo is uvicorn that answers with frames of the "
        f"same sizes; the bare group commit is a loop of SQLite commits with {per_commit:.0f} "
        f"events each, as ours had. Load of the machine meanwhile (1, 5, 15 minutes): {load}."
    )
    wanted = (
        f"Wanted: {WANTED_RATE:,} a second with a p99 of at most {WANTED_P99} ms on an idle "
        f"machine; in this run it was {met:.1f} ms."
    )
    return [
        f"## {TITLE}",
        "",
        *fill(about, 100).splitlines(),
        "",
        *made_of(),
        "",
        *fill(wanted, 100).splitlines(),
        "",
        *table(["", "yardstick", "rate, saturated", "by CPU time"], ratios),
        *table(COLUMNS, rows),
    ]


def row_of(figures: Figures, name: str) -> list[str]:
    return [
        f"{figures.median(name, lambda run: run.measure.rate):,.0f}",
        f"{figures.median(name, lambda run: run.measure.p50_ms):.1f}",
        f"{figures.median(name, lambda run: run.measure.p99_ms):.1f}",
        f"{figures.median(name, lambda run: run.server_us):.0f}",
        f"{figures.median(name, lambda run: run.load_us):.0f}",
    ]


async def compare(
    folder: Path, against: Path, repeats: int, seconds: float, rate: float
) -> Figures:
    """The same load on the server of another checkout (before) and of this one (after), in turn."""
    figures = Figures()
    with ExitStack() as stack:
        sides = {}
        for side, source in (("before", against / "src"), ("after", None)):
            (folder / side).mkdir()
            server = stack.enter_context(our_server(folder / side, source=source))
            sides[side] = server, await open_matches(server.port, MATCHES, RULESET, WINS_NEEDED)
        for kind, query in (("sockets", ""), ("sockets with pictures", "?picture=1")):
            for server, seats in sides.values():
                await connect(seats, server.port, query)
            for _ in range(repeats):
                for side, (server, seats) in sides.items():
                    await measure_both(figures, server, seats, f"{kind} {side}", rate, seconds)
            for _, seats in sides.values():
                await disconnect(seats)
    return figures


def tell_comparison(figures: Figures) -> list[str]:
    """What was measured of both, and the ratios of the processor time."""
    rows = []
    for name in (name for name in figures.runs if " after" in name):
        before = name.replace(" after", " before")
        ours, theirs = (figures.median(each, lambda run: run.server_us) for each in (name, before))
        rows += [
            [each, *row, ratio]
            for each, row, ratio in (
                (before, row_of(figures, before), ""),
                (name, row_of(figures, name), f"{ours / theirs:.2f}"),
            )
        ]
    return table([*COLUMNS, "of before"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.live")
    parser.add_argument("--quick", action="store_true", help="one short run of everything")
    parser.add_argument("--repeats", type=int, help="number of runs (default: 3)")
    parser.add_argument("--seconds", type=float, help="length of each measurement (default: 5)")
    parser.add_argument("--rate", type=float, default=WANTED_RATE, help="choices offered a second")
    parser.add_argument("--no-write", action="store_true", help="leave bench/RESULTS.md alone")
    parser.add_argument("--against", type=Path, help="compare with the checkout in this folder")
    options = parser.parse_args()
    repeats, seconds = (1, 1.0) if options.quick else (3, 5.0)
    if options.against is not None:
        given = options.repeats or repeats, options.seconds or seconds, options.rate
        with tempfile.TemporaryDirectory(prefix="holmgang-bench-") as name:
            figures = uvloop.run(compare(Path(name), options.against.resolve(), *given))
        load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
        sys.stdout.write(
            f"before: {commit_of(options.against)}, after: {commit_of(Path())}; {given[0]} runs of"
            f" {given[1]:g} s, {given[2]:,.0f} choices a second offered; load {load}\n\n"
        )
        sys.stdout.write("\n".join(tell_comparison(figures)) + "\n")
        return
    lines = section(
        repeats=options.repeats or repeats, seconds=options.seconds or seconds, rate=options.rate
    )
    sys.stdout.write("\n".join(lines))
    if not options.no_write:
        replace_section(TITLE, lines)


if __name__ == "__main__":
    main()
