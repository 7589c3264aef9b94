"""The command `holmgang serve` as a real process: ports, signals, logs, and stopping in order."""

import json
import re
import signal
import socket as sockets
import subprocess
import sys
import threading
import time

import httpx
import pytest
from tests import forked
from tests.patience import PATIENCE
from tests.web.processes import serving
from tests.web.running import receive, running_server, send
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from holmgang.web.api import matches


@pytest.fixture
def taken_port():
    with sockets.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        yield taken.getsockname()[1]


def test_it_serves_and_stops_on_sigterm(tmp_path):
    with serving(tmp_path, "--port", "0") as running:
        assert httpx.get(f"{running.address}/health").json()["status"] == "ok"
        assert (tmp_path / "holmgang" / "holmgang.sqlite3").exists()
        assert running.stop(signal.SIGTERM) == 0
    assert "Traceback" not in running.log


def test_ctrl_c_is_130(tmp_path):
    with serving(tmp_path, "--port", "0") as running:
        assert running.stop(signal.SIGINT) == 130
    assert "Traceback" not in running.log


def test_in_the_background_ctrl_c_is_ignored(tmp_path):
    ignoring = ["/bin/sh", "-c", 'trap "" INT; exec "$@"', "sh"]
    with serving(tmp_path, "--port", "0", before=ignoring) as running:
        running.process.send_signal(signal.SIGINT)
        assert httpx.get(f"{running.address}/health").status_code == 200
        assert running.stop(signal.SIGTERM) == 0


@pytest.mark.parametrize(("opening", "is_shown"), [((), True), (("--no-open",), False)])
def test_a_browser_is_opened_where_there_is_one(tmp_path, opening, is_shown):
    browser, shown = tmp_path / "browser", tmp_path / "shown"
    browser.write_text(f'#!/bin/sh\necho "$1" > {shown}.part\nmv {shown}.part {shown}\n')
    browser.chmod(0o755)
    with serving(tmp_path, "--port", "0", opening=opening, BROWSER=f"{browser} %s") as running:
        until = time.monotonic() + PATIENCE
        while is_shown and not shown.exists() and time.monotonic() < until:
            time.sleep(0.02)
        assert running.stop() == 0
    assert shown.exists() == is_shown
    if is_shown:
        assert shown.read_text().strip() == running.address


def test_a_port_that_was_asked_for_and_is_taken(tmp_path, taken_port):
    with serving(tmp_path, "--port", str(taken_port), ready=False) as running:
        assert running.process.wait(30) == 2
    assert running.log == (
        f"holmgang: cannot listen on 127.0.0.1 port {taken_port}: the port is taken\n"
    )


def test_another_port_than_the_default_if_that_is_taken(taken_port, monkeypatch):
    from holmgang.web import server
    from holmgang.web.settings import ServerSettings

    monkeypatch.setattr(server, "DEFAULT_PORT", taken_port)
    with server.listen(ServerSettings()) as listener:
        assert listener.getsockname()[1] != taken_port


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--host", "203.0.113.1"), "cannot listen on 203.0.113.1"),
        (("--host", "no such host"), "cannot listen on no such host"),
        (("--host", ""), "cannot listen on no address"),
        (("--database", "nonsense"), "not the address of a database"),
        (("--database", "sqlite:////dev/null/x"), "cannot open the database"),
        (("--bots", "nothing"), "cannot read the bots in nothing"),
        (("--workers", "2"), "--workers needs PostgreSQL"),
    ],
)
def test_what_cannot_be_served(tmp_path, options, said):
    with serving(tmp_path, "--port", "0", *options, ready=False) as running:
        assert running.process.wait(60) == 2
    assert said in running.log
    assert running.log.startswith("holmgang: ")
    assert "Traceback" not in running.log


def test_without_the_packages_of_the_server(tmp_path):
    hiding = (
        "import sys; sys.modules['uvicorn'] = None; sys.argv = ['holmgang', 'serve']\n"
        "from holmgang.cli.main import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", hiding], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.returncode == 2
    assert "pip install 'holmgang[web]'" in done.stderr
    assert "Traceback" not in done.stderr


def frames_until_closed(socket):
    frames = []
    while True:
        try:
            frames.append(receive(socket))
        except ConnectionClosed as closed:
            return frames, closed.rcvd.code


def test_stopping_tells_the_sockets_and_keeps_what_was_acknowledged(tmp_path):
    with serving(tmp_path, "--port", "0") as running:
        base = running.address
        grant = httpx.post(f"{base}/api/matches", json={"opponent": "link", "seat": "red"}).json()
        path = f"/api/matches/{grant['match']}"
        httpx.post(f"{base}{path}/join", json={})
        headers = {"Authorization": f"Bearer {grant['secret']}"}
        address = base.replace("http", "ws")
        with connect(f"{address}{path}/socket", additional_headers=headers) as socket:
            receive(socket, "view")
            send(socket, type="choose", id="last", game=1, round=1, choice="boost")
            running.process.send_signal(signal.SIGTERM)
            frames, code = frames_until_closed(socket)
        assert code == 1012
        assert frames[-1] == {"type": "stopping"}
        assert running.process.wait(30) == 0
    with serving(tmp_path, "--port", "0") as running:
        seen = httpx.get(f"{running.address}{path}", headers=headers).json()
        if {"type": "done", "id": "last"} in frames:
            assert seen["chosen"] == "boost"


def test_stopping_answers_those_who_wait(tmp_path, monkeypatch):
    monkeypatch.setattr(matches, "LONGEST_WAIT", 3600)
    with running_server(tmp_path) as server:
        grant = server.open_match(opponent="link")
        answers = []

        def wait():
            with server.program(grant["secret"]) as program:
                params = {"since": 99, "wait": 3600}
                answers.append(program.get(f"/api/matches/{grant['match']}", params=params))

        waiting = threading.Thread(target=wait)
        waiting.start()
        room = server.service.rooms.loaded[grant["match"]]
        until = time.monotonic() + PATIENCE
        while not room.waiters and time.monotonic() < until:
            time.sleep(0.01)
        server.stop()
        waiting.join()
    assert answers[0].status_code == 200


def test_logs_as_json_have_no_secret(tmp_path):
    password, name = "the password of Ann", "Ann Lee"
    with serving(tmp_path, "--port", "0", "--log-json") as running:
        headers = {"Origin": running.address}
        with httpx.Client(base_url=running.address, headers=headers) as client:
            grant = client.post("/api/matches", json={"opponent": "link"}).json()
            tokens = [client.cookies["holmgang"]]
            client.post("/api/account", json={"name": name, "password": password})
            tokens.append(client.cookies["holmgang"])
            client.post("/api/session", json={"name": name, "password": f"not {password}"})
            client.post("/api/session", json={"name": password, "password": name})
            client.get("/api/matches", params={"player": "a secret of the query"})
            client.get(
                f"/api/matches/{grant['match']}",
                headers={"Authorization": f"Bearer {grant['secret']}"},
            )
            client.get("/nothing%1b[2J")
        running.stop()
    lines = [json.loads(line) for line in running.errors]
    assert {"at", "level", "from", "message"} <= set(lines[0])
    requests = [line for line in lines if line["message"] == "request"]
    assert {(each["method"], each["status"]) for each in requests} >= {("POST", 201), ("GET", 404)}
    assert all({"path", "ms", "address"} <= set(each) for each in requests)
    for secret in (grant["secret"], *tokens, password, "a secret of the query"):
        assert secret not in running.log
    assert "\x1b" not in running.log


def test_logs_for_people_are_lines(tmp_path):
    with serving(tmp_path, "--port", "0") as running:
        httpx.get(f"{running.address}/api/me?x=secret")
        httpx.get(f"{running.address}/nothing%1b[2J")
        running.stop()
    line = next(line for line in running.errors if "/api/me" in line)
    assert re.match(r"\d\d:\d\d:\d\d request method=GET path=/api/me status=200 ", line)
    assert "secret" not in running.log
    assert "\x1b" not in running.log


def test_bots_of_a_folder(tmp_path):
    from holmgang.web.bots import find_bots

    for name, manifest in {
        "good": f'command = ["{sys.executable}", "bot.py"]',
        "fencer": f'command = ["{sys.executable}", "bot.py"]\nprotocol = "codingame"',
        "broken": "command = 7",
        "missing": 'command = "no-such-program"',
        "random": f'command = ["{sys.executable}", "bot.py"]',
    }.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "bot.toml").write_text(manifest)
    (tmp_path / "no bot").mkdir()
    bots, problems = find_bots(tmp_path, trust=True)
    assert {name: bot.protocol for name, bot in bots.items()} == {
        "good": "json",
        "fencer": "codingame",
    }
    assert [problem.partition(":")[0] for problem in problems] == ["broken", "missing", "random"]


def test_a_bot_of_a_folder_can_be_played_against(tmp_path):
    made = forked.run(
        ["new-bot", "bagh", str(tmp_path / "bots" / "my-bot")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    (tmp_path / "bots" / "broken").mkdir()
    (tmp_path / "bots" / "broken" / "bot.toml").write_text("command = 7")
    with serving(tmp_path, "--port", "0", "--bots", "bots", "--trust") as running:
        told = httpx.get(f"{running.address}/api/games").json()
        assert [bot["name"] for bot in told["bots"]] == ["my-bot"]
        asked = {"opponent": {"bot": "my-bot"}, "seat": "red"}
        grant = httpx.post(f"{running.address}/api/matches", json=asked).json()
        headers = {"Authorization": f"Bearer {grant['secret']}"}
        path = f"{running.address}/api/matches/{grant['match']}"
        command = {"id": "1", "type": "choose", "game": 1, "round": 1, "choice": "guard"}
        httpx.post(f"{path}/commands", json=command, headers=headers)
        seen = httpx.get(f"{path}?wait=25", headers=headers, timeout=PATIENCE).json()
        assert seen["rounds"][0]["blue"] in ("boost", "attack", "guard", "heal")
        assert seen["players"]["blue"] == {
            "name": "my-bot",
            "kind": "bot",
            "rating": None,
            "provisional": False,
        }
        assert running.stop() == 0
    assert "a bot cannot be used: broken" in running.log
