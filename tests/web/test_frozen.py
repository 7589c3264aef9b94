"""A server process that is frozen while people play, as in a virtual machine that is paused."""

import signal
import time

import httpx
import pytest
from tests.patience import PATIENCE
from tests.web.processes import serving

SECONDS = 15
"""The shortest time limit for a choice."""


def browser(address):
    return httpx.Client(base_url=address, headers={"Origin": address}, timeout=PATIENCE)


@pytest.mark.thorough
def test_a_frozen_server_charges_nobody(tmp_path):
    with (
        serving(tmp_path, "--port", "0") as server,
        browser(server.address) as red,
        browser(server.address) as blue,
    ):
        asked = {"opponent": "link", "seat": "red", "seconds": SECONDS}
        match = red.post("/api/matches", json=asked).json()["match"]
        assert blue.post(f"/api/matches/{match}/join", json={}).is_success
        assert red.get(f"/api/matches/{match}").json()["status"] == "playing"
        server.process.send_signal(signal.SIGSTOP)
        time.sleep(SECONDS + 2)  # the time that is not to be charged
        server.process.send_signal(signal.SIGCONT)
        choice = {"type": "choose", "game": 1, "round": 1, "choice": "boost"}
        for guest, name in ((red, "r"), (blue, "b")):
            answer = guest.post(f"/api/matches/{match}/commands", json={"id": name, **choice})
            assert answer.is_success, answer.text
        view = red.get(f"/api/matches/{match}").json()
        assert (view["status"], view["round"]) == ("playing", 2)
        assert server.stop() == 0
