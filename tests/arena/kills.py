"""A league that is killed at random moments: what must hold after each, and at the end."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

from tests.arena.folders import bot_folder
from tests.patience import PATIENCE

from holmgang.arena.counting.results import read_results

LONGEST = 2.0  # seconds until the kill, from the start or from the first new result


class Killed:
    """A league of three bots and a level in a folder of its own."""

    def __init__(self, folder: Path, *, trust: bool) -> None:
        self.league = folder / "league"
        self.trust = ["--trust"] if trust else []
        bots = [bot_folder(folder / name, "attack") for name in ("ann", "bob", "cid")]
        self.holmgang("init", "bagh")
        self.holmgang("add", *map(str, bots), "random")
        self.known: set[str] = set()

    def holmgang(self, verb: str, *arguments: str) -> str:
        done = subprocess.run(
            self.command(verb, *arguments),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def command(self, verb: str, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "holmgang", "league", verb, str(self.league), *arguments]

    def kill(self, delay: float, *, amid_games: bool) -> None:
        """Runs the league, kills it some seconds after its start or amid its games, and checks what
        it leaves.
        """
        with subprocess.Popen(
            self.command("run", *self.trust), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        ) as running:
            until = time.monotonic() + PATIENCE
            while amid_games and self.results() == self.known:
                assert running.poll() is None, running.stderr.read()
                assert time.monotonic() < until, "no games are played"
                time.sleep(0.01)
            time.sleep(delay)
            before = self.results()
            assert running.poll() is None, running.stderr.read()
            running.send_signal(signal.SIGKILL)
        self.check_nothing_runs()
        after = self.results()
        assert self.known <= before <= after, "a result was lost"
        self.known = after

    def results(self) -> set[str]:
        return set(read_results(self.league / "results.jsonl"))

    def check_nothing_runs(self) -> None:
        until = time.monotonic() + PATIENCE
        while left := self.processes():
            assert time.monotonic() < until, f"left behind: {left}"
            time.sleep(0.05)

    def processes(self) -> dict[int, str]:
        """All that has to do with the league: by its command, its folder, or its bots' folders."""
        found = {}
        for process in Path("/proc").iterdir():
            if not process.name.isdecimal() or int(process.name) == os.getpid():
                continue
            try:
                words = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                place = str((process / "cwd").readlink())
                state = (process / "stat").read_text().rpartition(")")[2].split()[0]
            except OSError:  # it has just ended
                continue
            if state != "Z" and (str(self.league) in words or str(self.league) in place):
                found[int(process.name)] = words
        return found

    def finish(self) -> int:
        """Plays on undisturbed; says how many games there are, each of them once."""
        self.holmgang("run", "--games", "20", *self.trust)
        lines = (self.league / "results.jsonl").read_bytes().splitlines()
        results = read_results(self.league / "results.jsonl")
        assert self.known < set(results)
        assert len(lines) == len(results) == len(self.known) + 20, "a result was counted twice"
        assert all((self.league / entry.record).exists() for entry in results.values())
        assert f'"games": {len(results)}, ' in self.holmgang("table", "--json")
        self.check_nothing_runs()
        return len(results)


def kill_often(folder: Path, times: int, seed: int, *, trust: bool) -> int:
    """Kills a league so many times; says how many games it has in the end."""
    chance = Random(seed)
    league = Killed(folder, trust=trust)
    for _ in range(times):
        league.kill(chance.uniform(0, LONGEST), amid_games=chance.random() < 0.7)
    return league.finish()
