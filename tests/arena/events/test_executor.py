"""Workers that die, processes that must not stay, and a real cluster."""

import gc
import logging
import multiprocessing
import os
import signal
import subprocess
import sys
import time
import warnings
from concurrent.futures import Future
from pathlib import Path

import pytest
from tests.arena.results import result

from holmgang.arena.counting.results import ResultLog, read_results
from holmgang.arena.events.executor import Batch, ClusterWorkers, LocalWorkers, workers_at
from holmgang.arena.events.run import BATCH_SECONDS, Pace, Run
from holmgang.arena.events.schedule import RoundRobin
from holmgang.arena.task import GameTask
from holmgang.errors import UsageError

PATIENCE = 20


def task_of(fixture):
    return GameTask(fixture.id, "bagh", "random", "random", fixture.seed(1))


def wait_for(condition):
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until, "it never happened"
        time.sleep(0.01)


class Scripted:
    """Workers without processes: each batch is played, lost or fails, as the script says."""

    slots = 2

    def __init__(self, *script):
        self.script = list(script)
        self.sizes = []
        self.renewed = 0

    def submit(self, tasks):
        future = Future()
        self.sizes.append(len(tasks))
        fate = self.script.pop(0) if self.script else "played"
        if fate == "lost":
            future.set_exception(ConnectionError("the worker died"))
        elif isinstance(fate, Exception):
            future.set_exception(fate)
        else:
            games = [result(task_fixture(task)) for task in tasks]
            future.set_result(Batch(games, 0.01 * len(games)))
        return future

    def is_loss(self, error):
        return isinstance(error, ConnectionError)

    def renew(self):
        self.renewed += 1

    def close(self):
        pass


def task_fixture(task):
    from holmgang.arena.fixture import parse_fixture

    return parse_fixture(task.id)


def run_with(workers, tmp_path, pairs=20, **more):
    with ResultLog(tmp_path / "results.jsonl") as log:
        run = Run(RoundRobin(["a", "b", "c"], pairs), task_of, log, workers, **more)
        run.play()
        return run, log.results


def test_what_a_dead_worker_did_not_deliver_is_played_again(tmp_path):
    workers = Scripted("played", "lost", "played", "lost", "lost")
    run, results = run_with(workers, tmp_path)
    assert len(results) == 120
    assert workers.renewed == 2  # those that are lost together are one loss
    assert workers.script == []
    assert run.played == 120


def test_workers_that_always_die_are_given_up(tmp_path):
    with pytest.raises(UsageError, match=r"workers died 6 times .* a--b--0"):
        run_with(Scripted(*["lost"] * 100), tmp_path)


def test_what_a_game_raises_is_raised(tmp_path):
    with pytest.raises(UsageError, match="no such bot"):
        run_with(Scripted("played", UsageError("no such bot")), tmp_path)
    assert len(read_results(tmp_path / "results.jsonl")) > 0


def test_no_more_games_than_asked_for(tmp_path):
    _, results = run_with(Scripted(), tmp_path, limit=17)
    assert len(results) == 17


def test_no_game_is_begun_when_it_is_over(tmp_path):
    _, results = run_with(Scripted(), tmp_path, is_over=lambda: True)
    assert len(results) == 0


def test_batches_grow_to_a_second_and_more_and_shrink_again():
    pace = Pace()
    game = result(RoundRobin(["a", "b"], 1).due({})[0])
    for _ in range(10):
        pace.learn(Batch([game] * pace.size, 0.001 * pace.size))
    assert pace.size == round(BATCH_SECONDS / 0.001)
    pace.learn(Batch([game] * 10, 100.0))
    assert pace.size == 2


# Processes of this machine


def children():
    return [child.pid for child in multiprocessing.active_children()]


def test_a_worker_that_is_killed_loses_nothing(tmp_path):
    workers = LocalWorkers(2)
    killed = []

    def kill_one(played):
        if played and not killed:
            killed.extend(children()[:1])
            os.kill(killed[0], signal.SIGKILL)

    try:
        with ResultLog(tmp_path / "results.jsonl") as log:
            run = Run(RoundRobin(["a", "b", "c"], 60), task_of, log, workers)
            run.play(kill_one)
    finally:
        workers.close()
    assert killed
    assert len(read_results(tmp_path / "results.jsonl")) == 360
    assert (tmp_path / "results.jsonl").read_bytes().count(b"\n") == 360
    wait_for(lambda: not children())


def test_closing_ends_workers_in_the_middle_of_a_game(tmp_path):
    workers = LocalWorkers(2)
    busy = [task_of(each) for each in RoundRobin(["a", "b"], 20_000).due({})]
    future = workers.submit(busy)
    wait_for(lambda: future.running() and children())
    started = time.monotonic()
    workers.close()
    assert time.monotonic() - started < 5
    wait_for(lambda: not children())


def test_workers_end_with_whoever_started_them(tmp_path):
    code = (
        "import sys, time\n"
        "from holmgang.arena.events.executor import LocalWorkers, play_batch\n"
        "if __name__ == '__main__':\n"
        "    workers = LocalWorkers(1)\n"
        "    workers.submit([]).result()\n"
        "    [pid] = workers._pool._processes\n"
        "    print(pid, flush=True)\n"
        "    time.sleep(1000)\n"
    )
    script = tmp_path / "start.py"
    script.write_text(code)
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE) as owner:
        worker = int(owner.stdout.readline())
        assert Path(f"/proc/{worker}").exists()
        owner.kill()
    wait_for(lambda: not Path(f"/proc/{worker}").exists())


# A cluster


@pytest.fixture(scope="module")
def cluster():
    import distributed

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Dask's own, of what it leaves to be collected
        with distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            silence_logs=logging.CRITICAL,
        ) as cluster:
            yield cluster
        gc.collect()


@pytest.mark.filterwarnings("ignore")  # Dask's own
def test_a_cluster_plays_and_the_death_of_a_worker_loses_nothing(cluster, tmp_path):
    workers = workers_at(cluster.scheduler_address, None)
    killed = []

    def kill_one(played):
        if played and not killed:
            killed.append(next(iter(cluster.workers.values())).pid)
            os.kill(killed[0], signal.SIGKILL)

    try:
        assert workers.slots == 2
        with ResultLog(tmp_path / "results.jsonl") as log:
            Run(RoundRobin(["a", "b", "c"], 100), task_of, log, workers).play(kill_one)
    finally:
        workers.close()
    assert killed
    assert len(read_results(tmp_path / "results.jsonl")) == 600
    assert (tmp_path / "results.jsonl").read_bytes().count(b"\n") == 600


@pytest.mark.filterwarnings("ignore")
def test_the_same_games_come_out_the_same_here_and_there(cluster, tmp_path):
    tasks = [task_of(each) for each in RoundRobin(["a", "b"], 5).due({})]
    there, here = ClusterWorkers(cluster.scheduler_address), LocalWorkers(1)
    try:
        outcomes = [
            [(game.id, game.winner, game.rounds) for game in workers.submit(tasks).result().results]
            for workers in (there, here)
        ]
    finally:
        there.close()
        here.close()
    assert outcomes[0] == outcomes[1]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense://x"])
def test_where_no_cluster_answers(address, monkeypatch):
    monkeypatch.setattr("holmgang.arena.events.executor.CLUSTER_SECONDS", 1)
    with pytest.raises(UsageError, match="no Dask cluster answers"):
        ClusterWorkers(address)


def test_without_dask_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=r"holmgang\[cluster\]"):
        ClusterWorkers("tcp://127.0.0.1:1")
