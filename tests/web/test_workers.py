"""Several processes on one PostgreSQL database: they serve as one, and any of them may die."""

import os
import signal
import time
from pathlib import Path

import httpx
import pytest
from tests.patience import PATIENCE
from tests.postgres import postgres  # noqa: F401 - a fixture
from tests.web.processes import serving
from tests.web.running import receive, send
from websockets.sync.client import connect


@pytest.fixture
def database(postgres):  # noqa: F811
    return postgres.new_database()


def children(pid):
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    return {int(child) for child in listed.split()}


def until(condition, seconds=PATIENCE):
    """Waits for something that another process does."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.slow
def test_workers_serve_the_same_matches_and_are_replaced(tmp_path, database):
    with serving(
        tmp_path, "--port", "0", "--database", database, "--workers", "2", "--no-limits"
    ) as running:
        workers = children(running.process.pid)
        assert len(workers) == 2
        base = running.address
        grant = httpx.post(f"{base}/api/matches", json={"opponent": "link", "seat": "red"}).json()
        path = f"/api/matches/{grant['match']}"
        blue = httpx.post(f"{base}{path}/join", json={}).json()
        address = base.replace("http", "ws")
        for number in range(1, 9):  # each connection may be of either process
            for seat in (grant, blue):
                headers = {"Authorization": f"Bearer {seat['secret']}"}
                with connect(f"{address}{path}/socket", additional_headers=headers) as socket:
                    # The other process may have revealed the round a moment ago.
                    reached = receive(socket, "view")["view"]["round"]
                    while reached < number:
                        reached = receive(socket, "change")["patch"].get("round", reached)
                    command = {"type": "choose", "game": 1, "round": number, "choice": "boost"}
                    send(socket, id=f"{number}", **command)
                    assert receive(socket, "done")["id"] == f"{number}"
        killed = workers.pop()
        os.kill(killed, signal.SIGKILL)
        seen = httpx.get(f"{base}{path}", timeout=PATIENCE).json()
        assert len(seen["rounds"]) == 8
        until(lambda: len(children(running.process.pid) - {killed}) == 2)
        assert running.stop() == 0
    assert "a worker died" in running.log
    assert "Traceback" not in running.log


def test_ctrl_c_stops_all_workers(tmp_path, database):
    with serving(tmp_path, "--port", "0", "--database", database, "--workers", "2") as running:
        workers = children(running.process.pid)
        os.killpg(running.process.pid, signal.SIGINT)  # as a terminal does
        assert running.process.wait(30) == 130
        assert not any(Path(f"/proc/{pid}").exists() for pid in workers)
    assert "Traceback" not in running.log


def test_a_database_that_cannot_be_reached(tmp_path):
    address = "postgresql://nobody:secret@127.0.0.1:1/nothing"
    with serving(
        tmp_path, "--port", "0", "--database", address, "--workers", "2", ready=False
    ) as running:
        assert running.process.wait(60) == 2
    assert running.log.startswith("holmgang: cannot open the database")
    assert running.log.count("\n") == 1
    assert "secret" not in running.log


def test_workers_do_not_outlive_their_parent(tmp_path, database):
    with serving(tmp_path, "--port", "0", "--database", database, "--workers", "2") as running:
        workers = children(running.process.pid)
        running.process.kill()
        until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))
