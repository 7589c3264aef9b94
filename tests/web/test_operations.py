"""/health and /metrics, and the systemd unit of docs/operations.md."""

import re
import shlex
import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError
from tests import forked
from tests.web.running import receive, running_server, send

from holmgang.errors import StoreError

PAGE = Path(__file__).parents[2] / "docs" / "operations.md"


def metrics(server):
    with server.program() as program:
        page = program.get("/metrics")
    assert page.headers["content-type"].startswith("text/plain; version=0.0.4")
    lines = [line for line in page.text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


def test_metrics_count_what_happens(server):
    before = metrics(server)
    grant = server.open_match(opponent="link")
    path = f"/api/matches/{grant['match']}"
    with server.socket(f"{path}/socket", grant["secret"]) as socket:
        receive(socket, "view")
        during = metrics(server)
        send(socket, type="cancel", id="c")
        receive(socket, "done")
        send(socket, type="cancel", id="again")
        receive(socket, "refused")
    after = metrics(server)
    assert during['holmgang_sockets{kind="match"}'] == 1
    assert after["holmgang_command_seconds_count"] == before["holmgang_command_seconds_count"] + 1
    assert after['holmgang_commands_refused_total{code="closed"}'] == 1
    assert after["holmgang_store_events_total"] > before["holmgang_store_events_total"]
    assert after["holmgang_store_commits_total"] > before["holmgang_store_commits_total"]
    opened = 'holmgang_request_seconds_count{method="POST",route="/api/matches",status="201"}'
    assert after[opened] == before.get(opened, 0) + 1


def test_metrics_have_no_label_that_clients_choose(server):
    with server.program() as program:
        for number in range(20):
            program.get(f"/api/nothing-{number}")
            program.request(f"METHOD{number}", "/api/games")
            program.get(f"/api/matches/nothing{number}")
    labels = "\n".join(metrics(server))
    assert "nothing" not in labels
    assert "METHOD1" not in labels


def test_metrics_are_for_the_servers_own_machine(tmp_path):
    """An opponent could see there how often a choice is changed."""
    with running_server(tmp_path, behind_proxy=True) as server, server.program() as program:
        for address, status in (("203.0.113.9", 403), ("127.0.0.1, ::2", 403), ("::1", 200)):
            answer = program.get("/metrics", headers={"X-Forwarded-For": address})
            assert answer.status_code == status
            assert ("holmgang_store_events_total" in answer.text) is (status == 200)
        assert program.get("/metrics").status_code == 200  # not through the proxy


def test_every_figure_of_the_document_is_there(server):
    documented = set(re.findall(r"`(holmgang_\w+)`", PAGE.read_text(encoding="utf-8")))
    assert documented
    with server.program() as program:
        page = program.get("/metrics").text
    assert [name for name in documented if f"{name.removesuffix('_total')}" not in page] == []


def test_health_of_a_database_that_cannot_be_read(tmp_path, monkeypatch):
    with running_server(tmp_path) as server, server.program() as program:
        assert program.get("/health").json()["status"] == "ok"

        def fail(_):
            raise StoreError("cannot read the database: disk I/O error")

        monkeypatch.setattr(server.store.matches, "row", fail)
        monkeypatch.setattr("holmgang.web.health.KEPT", 0)
        answer = program.get("/health")
        assert answer.status_code == 503
        assert answer.json()["reason"] == "the database cannot be read"


def test_health_of_a_database_that_cannot_be_written(tmp_path, monkeypatch):
    monkeypatch.setattr("holmgang.web.health.KEPT", 0)
    with running_server(tmp_path) as server, server.program() as program:
        with monkeypatch.context() as full_disk:
            problem = sqlite3.OperationalError("database or disk is full")

            def fail(_):
                raise OperationalError("COMMIT", None, problem)

            full_disk.setattr(server.store._writer, "_transact", fail)
            opened = program.post("/api/matches", json={"ruleset": "bagh", "opponent": "lobby"})
            answer = program.get("/health")
            assert (opened.status_code, answer.status_code) == (503, 503)
            assert answer.json()["reason"] == "the database cannot be written"
            assert program.get("/api/lobby").status_code == 200
        assert program.get("/health").status_code == 200


def test_health_of_a_database_that_another_program_has_locked(tmp_path, monkeypatch):
    monkeypatch.setattr("holmgang.web.health.KEPT", 0)
    monkeypatch.setattr("holmgang.web.health.PATIENCE", 3)
    with running_server(tmp_path) as server, server.program() as program:
        with sqlite3.connect(server.store.path, isolation_level=None) as other:
            other.execute("BEGIN IMMEDIATE")
            answer = program.get("/health")
        other.close()
        assert answer.status_code == 503
        assert answer.json()["reason"].startswith("the database cannot be written: no answer")


def test_a_database_that_fails_is_told_plainly(tmp_path, monkeypatch):
    with running_server(tmp_path) as server, server.program() as program:

        def fail(*_, **__):
            raise StoreError("cannot read the database: /secret/path is gone")

        monkeypatch.setattr(server.store.matches, "find", fail)
        answer = program.get("/api/lobby")
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "unavailable")
        assert answer.headers["retry-after"] == "1"
        assert "secret" not in answer.text


@pytest.fixture
def unit():
    (block,) = re.findall(r"^```ini\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    return block


@pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="needs systemd-analyze: apt install systemd"
)
def test_systemd_understands_the_unit(unit, tmp_path):
    program = "/opt/holmgang/bin/holmgang"
    assert program in unit
    file = tmp_path / "holmgang.service"
    file.write_text(unit.replace(program, "/bin/true"))
    done = subprocess.run(
        [shutil.which("systemd-analyze"), "verify", file],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "holmgang.service" not in done.stderr, done.stderr


def test_the_command_of_the_unit_is_a_command(unit):
    (line,) = re.findall(r"^ExecStart=\S+ (.*)$", unit, re.MULTILINE)
    done = forked.run(
        [*shlex.split(line), "--help"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
