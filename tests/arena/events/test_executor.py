"""Workers that die, processes that must not stay, and a real cluster."""

import gc
import logging
import os
import signal
import subprocess
import sys
import time
import warnings
from concurrent.futures import CancelledError, Future
from pathlib import Path

import msgspec
import pytest
from tests.arena.results import result
from tests.games.one_file import standoff  # noqa: F401 - a fixture
from tests.patience import PATIENCE

from holmgang.arena.counting.results import ResultLog, read_results
from holmgang.arena.events.executor import (
    ClusterWorkers,
    LocalWorkers,
    PlayedBatch,
    WorkerLost,
    workers_at,
)
from holmgang.arena.events.run import BATCH_SECONDS, BatchPace, Run
from holmgang.arena.events.schedule import RoundRobin
from holmgang.arena.task import GameTask
from holmgang.errors import RulesetError, UsageError
from holmgang.games import finding


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
            future.set_result(PlayedBatch(games, 0.01 * len(games)))
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
    pace = BatchPace()
    game = result(RoundRobin(["a", "b"], 1).due({})[0])
    for _ in range(10):
        pace.learn(PlayedBatch([game] * pace.size, 0.001 * pace.size))
    assert pace.size == round(BATCH_SECONDS / 0.001)
    pace.learn(PlayedBatch([game] * 10, 100.0))
    assert pace.size == 2


# Processes of this machine


def workers_of(pid="self"):
    """The workers that this or another process has started and that still run."""
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    found = [child for each in lists for child in each.read_text().split()]
    return [int(child) for child in found if b"import work" in command_of(child)]


def command_of(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:  # it has just ended
        return b""


LARGE = [
    task_of(each) for each in RoundRobin(["a", "b"], 20_000).due({})
]  # far more than a pipe holds


def test_a_worker_that_is_killed_loses_nothing(tmp_path):
    workers = LocalWorkers(2)
    killed = []

    def kill_one(played):
        if played and not killed:
            killed.extend(workers_of()[:1])
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
    wait_for(lambda: not workers_of())


def started_worker(workers):
    """The pid of a worker that has played a batch and waits for the next."""
    others = workers_of()
    workers.submit([]).result()
    [worker] = set(workers_of()) - set(others)
    return worker


def test_closing_ends_workers_in_the_middle_of_a_game():
    workers = LocalWorkers(1)
    worker = started_worker(workers)
    future = workers.submit(LARGE)
    before = cpu_ticks(worker)
    wait_for(lambda: cpu_ticks(worker) > before + 20)  # it has read the batch and plays
    workers.close()
    assert isinstance(future.exception(), WorkerLost)
    assert worker not in workers_of()


def cpu_ticks(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def test_closing_while_a_batch_is_written_to_a_worker_that_does_not_read():
    workers = LocalWorkers(1)
    worker = started_worker(workers)
    os.kill(worker, signal.SIGSTOP)
    writing, waiting = workers.submit(LARGE), workers.submit(LARGE)
    wait_for(writing.running)
    workers.close()
    assert workers.is_loss(writing.exception())
    assert waiting.cancelled() or workers.is_loss(waiting.exception())
    assert worker not in workers_of()


@pytest.mark.thorough
def test_closing_while_a_batch_is_written_to_a_worker_that_dies():
    for _ in range(3):
        workers = LocalWorkers(2)
        worker = started_worker(workers)
        batches = [workers.submit(LARGE) for _ in range(4)]
        os.kill(worker, signal.SIGKILL)
        workers.close()
        assert all(each.done() for each in batches)


def test_a_worker_that_dies_is_replaced():
    workers = LocalWorkers(1)
    try:
        worker = started_worker(workers)
        os.kill(worker, signal.SIGKILL)
        with pytest.raises(WorkerLost):
            workers.submit(LARGE).result(PATIENCE)
        assert len(workers.submit(LARGE[:3]).result(PATIENCE).results) == 3
    finally:
        workers.close()


def test_workers_are_renewed_in_the_middle_of_games():
    workers = LocalWorkers(2)
    try:
        before = started_worker(workers)
        lost = [workers.submit(LARGE) for _ in range(4)]
        workers.renew()
        assert all(workers.is_loss(loss_of(each)) for each in lost)
        assert before not in workers_of()
        assert len(workers.submit(LARGE[:3]).result(PATIENCE).results) == 3
    finally:
        workers.close()


def loss_of(future):
    return CancelledError() if future.cancelled() else future.exception(PATIENCE)


def test_what_a_game_raises_in_a_worker_is_raised_here_with_its_traceback():
    workers = LocalWorkers(1)
    try:
        with pytest.raises(RulesetError, match="no game 'chess'") as raised:
            workers.submit([GameTask("a--b--0", "chess", "random", "random", 1)]).result(PATIENCE)
        assert "in play_batch" in raised.value.__notes__[0]
    finally:
        workers.close()


def test_workers_end_with_whoever_started_them(tmp_path):
    script = tmp_path / "start.py"  # without `if __name__ == "__main__"`: workers do not import it
    script.write_text(
        "import time\n"
        "from holmgang.arena.events.executor import LocalWorkers\n"
        "workers = LocalWorkers(1)\n"
        "workers.submit([]).result()\n"
        "print('ready', flush=True)\n"
        "time.sleep(1000)\n"
    )
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE) as owner:
        assert owner.stdout.readline() == b"ready\n"
        [worker] = workers_of(owner.pid)
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
def test_a_cluster_is_given_games_from_files(cluster, standoff):  # noqa: F811
    finding.load(str(standoff))
    due = [task_of(each) for each in RoundRobin(["a", "b"], 3).due({})]
    tasks = [msgspec.structs.replace(each, ruleset="standoff") for each in due]
    workers = ClusterWorkers(cluster.scheduler_address)
    try:
        played = workers.submit(tasks).result().results
    finally:
        workers.close()
    assert [game.id for game in played] == [task.id for task in tasks]
    assert all(game.rounds for game in played)


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
