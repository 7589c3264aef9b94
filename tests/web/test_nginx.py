"""The nginx configuration of docs/operations.md, run by a real nginx with TLS."""

import json
import logging
import os
import re
import shutil
import socket as sockets
import ssl
import subprocess
import threading
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from tests.patience import PATIENCE
from tests.web.running import receive, running_server, send
from websockets.sync.client import connect

PAGE = Path(__file__).parents[2] / "docs" / "operations.md"
NAME = "play.example.org"

pytestmark = [
    pytest.mark.skipif(
        shutil.which("nginx") is None, reason="needs nginx: apt install nginx-light"
    ),
    pytest.mark.skipif(
        shutil.which("openssl") is None, reason="needs openssl: apt install openssl"
    ),
]


def free_port():
    with sockets.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def replaced(text, old, new):
    assert text.count(old) == 1, f"{old!r} is not in the configuration, or more than once"
    return text.replace(old, new)


def configuration(folder, server_port, plain_port, tls_port):
    """The block of the document, with the ports and certificates of this test."""
    (block,) = re.findall(r"^```nginx\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    certificates = "/etc/letsencrypt/live/play.example.org"
    block = replaced(block, "127.0.0.1:8000", f"127.0.0.1:{server_port}")
    block = replaced(block, "listen 80;", f"listen 127.0.0.1:{plain_port};")
    block = replaced(block, "listen 443 ssl", f"listen 127.0.0.1:{tls_port} ssl")
    block = replaced(block, f"{certificates}/fullchain.pem", f"{folder}/certificate.pem")
    block = replaced(block, f"{certificates}/privkey.pem", f"{folder}/key.pem")
    user = "user root;" if os.geteuid() == 0 else ""
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "\n".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    return f"""{user}
    daemon off;
    pid {folder}/nginx.pid;
    error_log {folder}/error.log;
    events {{}}
    http {{
        access_log off;
        {temporary}
        {block}
    }}
    """


@contextmanager
def running_nginx(folder, server_port):
    """Runs nginx in front of a server: its ports for HTTP and for HTTPS."""
    certificate = (
        "openssl req -x509 -newkey rsa:2048 -nodes -days 1 "
        f"-subj /CN={NAME} -keyout key.pem -out certificate.pem"
    )
    subprocess.run(certificate.split(), cwd=folder, check=True, capture_output=True)
    plain_port, tls_port = free_port(), free_port()
    file = folder / "nginx.conf"
    file.write_text(configuration(folder, server_port, plain_port, tls_port))
    process = subprocess.Popen(
        [shutil.which("nginx"), "-p", folder, "-e", folder / "error.log", "-c", file],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        while True:  # until it listens, or has ended
            try:
                sockets.create_connection(("127.0.0.1", tls_port), timeout=PATIENCE).close()
                break
            except ConnectionRefusedError:
                assert process.poll() is None, process.stdout.read()
        yield plain_port, tls_port
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)


@pytest.fixture(scope="module")
def proxied(tmp_path_factory):
    """A server behind nginx, and nginx's ports."""
    with running_server(tmp_path_factory.mktemp("web"), behind_proxy=True) as server:
        port = int(server.address.rpartition(":")[2])
        with running_nginx(tmp_path_factory.mktemp("nginx"), port) as ports:
            yield server, *ports


@pytest.fixture
def trusting(proxied):
    """A TLS context that trusts the certificate of this test, whatever the name."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


@pytest.fixture
def browser(proxied, trusting):
    _, _, port = proxied
    headers = {"Host": f"{NAME}:{port}", "Origin": f"https://{NAME}:{port}"}
    with httpx.Client(
        base_url=f"https://127.0.0.1:{port}", headers=headers, verify=trusting, timeout=PATIENCE
    ) as client:
        yield client


def socket_through(proxied, trusting, path, **headers):
    _, _, port = proxied
    raw = sockets.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    return connect(
        f"wss://{NAME}:{port}{path}",
        sock=raw,
        ssl=trusting,
        server_hostname=NAME,
        additional_headers=headers,
    )


def test_http_leads_to_https(proxied):
    _, port, _ = proxied
    answer = httpx.get(f"http://127.0.0.1:{port}/match/abc", headers={"Host": NAME})
    assert (answer.status_code, answer.headers["location"]) == (301, f"https://{NAME}/match/abc")


def test_pages_and_files(browser):
    page = browser.get("/")
    assert page.status_code == 200
    assert page.headers["strict-transport-security"]
    assert "default-src 'none'" in page.headers["content-security-policy"]
    style = browser.get("/static/board.css")
    assert style.headers["content-encoding"] == "gzip"
    known = browser.get("/static/board.css", headers={"If-None-Match": style.headers["etag"]})
    assert known.status_code == 304
    assert browser.get("/api/games").headers["content-encoding"] == "gzip"


def test_a_match_over_sockets_and_long_polls(proxied, browser, trusting):
    server, _, port = proxied
    opened = browser.post("/api/matches", json={"opponent": "link", "seat": "red"})
    assert opened.status_code == 201
    token = browser.cookies["__Host-holmgang"]
    assert "Secure" in opened.headers["set-cookie"]
    path = f"/api/matches/{opened.json()['match']}"
    secret = {"Authorization": f"Bearer {opened.json()['secret']}"}
    seen = []

    def wait():
        with httpx.Client(verify=trusting, headers={"Host": f"{NAME}:{port}", **secret}) as other:
            address = f"https://127.0.0.1:{port}{path}"
            version = other.get(address).json()["version"]
            polled.set()
            params = {"since": version, "wait": 20}
            seen.append(other.get(address, params=params, timeout=PATIENCE).json())

    polled = threading.Event()
    waiting = threading.Thread(target=wait)
    waiting.start()
    assert polled.wait(30)
    with server.program() as friend:
        friend.post(f"{path}/join", headers={"Host": NAME})
    waiting.join()
    assert seen[0]["status"] == "playing"
    own = {"Cookie": f"__Host-holmgang={token}", "Origin": f"https://{NAME}:{port}"}
    with socket_through(proxied, trusting, f"{path}/socket", **own) as socket:
        assert receive(socket, "view")["view"]["you"] == "red"
        send(socket, type="choose", id="1", game=1, round=1, choice="boost")
        assert receive(socket, "done")["id"] == "1"


def test_other_sites_are_refused_through_the_proxy(browser):
    answer = browser.post(
        "/api/matches", json={"opponent": "link"}, headers={"Origin": "https://evil.example"}
    )
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "origin")


def test_nobody_chooses_their_address(browser, caplog):
    with caplog.at_level(logging.INFO, "holmgang.access"):
        browser.get("/api/me", headers={"X-Forwarded-For": "203.0.113.9"})
        browser.get("/api/me")  # on the same connection, so the request before has been logged
    events = [record.event for record in caplog.records if record.name == "holmgang.access"]
    assert {event["address"] for event in events} == {"127.0.0.1"}


def test_a_large_upload_is_refused(browser):
    assert browser.post("/api/records", content=b"x" * 1_100_000).status_code == 413


def test_the_record_of_errors_has_one_shape(browser):
    answer = browser.get("/api/nothing")
    assert json.loads(answer.content)["error"]["code"] == "not found"
