"""Several processes, and processes that are killed."""

import json
import signal
import subprocess
import sys
from collections import Counter

import psycopg
import pytest
from sqlalchemy import Connection, text
from sqlalchemy.event import listens_for, remove
from tests.patience import PATIENCE
from tests.store.held import held
from tests.store.rows import PLAYING, event
from tests.tiny_disk import SPACE, needs_mounts

from holmgang.store import Store, StoreError

RACE = """
import json, sys
from tests.store.rows import PLAYING, event
from holmgang.store import Conflict, Store
url, name, last = sys.argv[1], sys.argv[2], int(sys.argv[3])
with Store.open(url) as store:
    print("ready", flush=True)
    sys.stdin.readline()
    won, seq = [], 0
    while seq < last:
        try:
            store.append("m", seq, [event(seq + 1, name=name)], PLAYING).result()
            won.append(seq + 1)
            seq += 1
        except Conflict:
            seq = store.read("m")[-1].seq
print(json.dumps(won))
"""


def test_of_two_processes_exactly_one_wins_each_number(url):
    """Both append to the same match as fast as they can."""
    last = 150
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", RACE, url, name, str(last)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in ("one", "two")
    ]
    for racer in racers:
        assert racer.stdout.readline() == "ready\n"
    for racer in racers:
        racer.stdin.write("go\n")
        racer.stdin.flush()
    won = {
        name: json.loads(racer.communicate(timeout=PATIENCE)[0])
        for name, racer in zip(("one", "two"), racers, strict=True)
    }
    with Store.open(url) as store:
        events = store.read("m")
    # Both may go one further than the other has seen.
    assert [one.seq for one in events] == list(range(1, len(events) + 1))
    assert len(events) >= last
    for name, numbers in won.items():
        assert numbers == [one.seq for one in events if one.body["name"] == name]
    assert len(won["one"]) + len(won["two"]) == len(events)


LOAD = """
import sys
from tests.store.rows import PLAYING, event
from holmgang.store import Store
store = Store.open(sys.argv[1])

def append(match, seq):
    future = store.append(match, seq, [event(seq + 1)], PLAYING)
    future.add_done_callback(lambda done: acknowledged(match, seq + 1, done))

def acknowledged(match, seq, done):
    done.result()
    sys.stdout.write(f"{match} {seq}\\n")
    sys.stdout.flush()
    append(match, seq)

for number in range(50):
    name = f"{sys.argv[2]}-{number}"
    append(name, 0)
sys.stdin.readline()
"""


@pytest.mark.parametrize("lines", [1, 60, 700, 3000])
def test_what_was_acknowledged_is_there_after_sigkill(url, lines):
    """A child appends to fifty matches and is killed when it has told of so many."""
    child = subprocess.Popen(
        [sys.executable, "-c", LOAD, url, f"run{lines}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    told = [child.stdout.readline() for _ in range(lines)]
    child.send_signal(signal.SIGKILL)
    told += child.stdout.readlines()
    assert child.wait(PATIENCE) == -signal.SIGKILL
    child.stdin.close()
    child.stdout.close()
    acknowledged = Counter[str]()
    for line in told:
        match, _, seq = line.rstrip("\n").partition(" ")
        if line.endswith("\n"):
            acknowledged[match] = max(acknowledged[match], int(seq))
    assert len(told) >= lines
    with Store.open(url) as store:
        for match, last in acknowledged.items():
            events = store.read(match)
            assert len(events) >= last
            assert events == [event(seq + 1) for seq in range(len(events))]
            assert store.matches.row(match).last_seq == len(events)


FULL = """
import sys
from pathlib import Path
from tests.store.rows import OPEN, event
from holmgang.store import Store, StoreError
disk = Path(sys.argv[1])
ballast = disk / "ballast"
store = Store.open(f"sqlite:///{disk}/h.sqlite3")
ballast.write_bytes(bytes(300_000))
seq, refused = 0, []
while len(refused) < 5:
    try:
        store.append("m", seq, [event(seq + 1, text="x" * 2000)], OPEN).result()
        seq += 1
    except StoreError as error:
        refused.append(str(error))
assert all("disk is full" in text for text in refused), refused
assert len(store.read("m")) == seq > 0
ballast.unlink()
store.append("m", seq, [event(seq + 1)], OPEN).result()
store.people.new_guest()
assert [one.seq for one in store.read("m")] == list(range(1, seq + 2))
store.close()
print("recovered", store.stats().failures)
"""


@needs_mounts
def test_a_full_disk_is_told_and_the_writer_goes_on_when_there_is_room(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    script = 'mount -t tmpfs -o size=1m none "$1" || exit 99; "$2" -c "$3" "$1"'
    done = subprocess.run(
        [*SPACE, "sh", "-c", script, "sh", str(disk), sys.executable, FULL],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout == "recovered 5\n"


def test_a_transaction_whose_connection_is_lost_is_carried_out_again(postgres_url):
    """The first time, its server process is ended in the middle."""
    runs = []

    def lose(connection: Connection) -> int:
        runs.append(connection.scalar(text("SELECT pg_backend_pid()")))
        if len(runs) == 1:
            with psycopg.connect(postgres_url, autocommit=True) as other:
                other.execute("SELECT pg_terminate_backend(%s, 60000)", [runs[0]])
        return connection.scalar(text("SELECT 7"))

    with Store.open(postgres_url) as store:
        with held(store):
            appended = store.append("m", 0, [event(1)], PLAYING)
            lost = store._writer.submit(lose)
        assert lost.result() == 7
        appended.result()
        assert store.read("m") == [event(1)]
    assert len(set(runs)) == 2


def test_a_lost_commit_is_not_tried_again(postgres_url):
    """Nobody knows whether it happened. Here the server process is ended when it has to commit."""
    with Store.open(postgres_url) as store:

        @listens_for(store._database.writer, "commit")
        def lose(connection: Connection) -> None:
            process = connection.scalar(text("SELECT pg_backend_pid()"))
            with psycopg.connect(postgres_url, autocommit=True) as other:
                other.execute("SELECT pg_terminate_backend(%s, 60000)", [process])

        with pytest.raises(StoreError, match="cannot write the database"):
            store.append("m", 0, [event(1)], PLAYING).result()
        remove(store._database.writer, "commit", lose)
        store.append("m", 0, [event(1)], PLAYING).result()
        assert store.stats().failures == 1
