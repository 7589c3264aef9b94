"""Random frames, sensible and not, from both seats and a spectator of one match.

Whatever they are: the server answers, shows nobody what is hidden, and the match can be played on.
"""

import json
import random
import socket as sockets
import struct
from contextlib import ExitStack, suppress
from pathlib import Path

import httpx
import pytest
from tests.patience import PATIENCE
from tests.web.processes import serving
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

FRAMES = 1200
MOST_GROWTH = 40_000  # kB
KINDS = [
    "choose",
    "withdraw",
    "offer draw",
    "decline draw",
    "rematch",
    "cancel",
    "sync",
    "nonsense",
]
WORDS = ["boost", "attack", "guard", "heal", "", "b", "nonsense", "boost\u0000", "x" * 200]
VALUES = [None, True, 0, -1, 1, 2, 10**12, 1.5, "1", [], {}, [[[]]], "\u202e", "\U0001d518"]


def random_command(dice, position):
    """A command that is often right, and otherwise wrong in one or two fields."""
    game, number = position
    command = {
        "id": dice.choice(["a", "b", f"{dice.random()}", "x" * 64]),
        "type": dice.choice(KINDS),
        "game": game,
        "round": number,
        "choice": dice.choice(WORDS),
    }
    for _ in range(dice.choice([0, 0, 0, 1, 2])):
        change = dice.choice(["remove", "set", "add"])
        key = dice.choice(list(command) or ["id"])
        if change == "remove":
            command.pop(key, None)
        elif change == "set":
            command[key] = dice.choice(VALUES)
        else:
            command[f"extra{dice.random()}"] = dice.choice(VALUES)
    return command


def random_frame(dice, position):
    text = json.dumps(random_command(dice, position))
    kind = dice.random()
    if kind < 0.7:
        return text
    if kind < 0.8:
        cut = dice.randrange(len(text))
        return text[:cut] + dice.choice(["", "}", "\\", '"', "\x00", "é"]) + text[cut + 1 :]
    if kind < 0.9:
        return dice.randbytes(dice.randrange(300))
    return dice.choice(["", "null", "[]", '"x"', "[" * 2000, "7", "{}" * 50])


def random_bytes(dice):
    """Bytes that are hardly ever a frame, or one that is not allowed."""
    return dice.choice(
        [
            dice.randbytes(40),
            b"\x81\x05hello",  # not masked
            b"\xc1\x80\x00\x00\x00\x00",  # a reserved bit
            b"\x83\x80\x00\x00\x00\x00",  # a reserved kind
            b"\x09\x80\x00\x00\x00\x00",  # a ping in pieces
            b"\x80\x80\x00\x00\x00\x00",  # the rest of nothing
            b"\x81\xff" + struct.pack("!Q", 2**60) + bytes(4),  # a huge one
            b"\x88\x81\x00\x00\x00\x00x",  # a close with half a code
        ]
    )


class Visitor:
    """A seat, or a spectator, that connects again whenever it is cut off."""

    def __init__(self, address, path, seat, secret):
        self.seat = seat
        self._address = f"{address.replace('http', 'ws')}{path}/socket?picture=1"
        self._headers = {"Authorization": f"Bearer {secret}"} if secret else {}
        self.socket = None
        self.heard = []

    def connect(self):
        if self.socket is None:
            self._open = ExitStack()
            opened = connect(self._address, additional_headers=self._headers)
            self.socket = self._open.enter_context(opened)
            self.listen()

    def listen(self):
        """Takes what has been sent."""
        try:
            while True:
                self.heard.append(json.loads(self.socket.recv(timeout=0.002)))
        except TimeoutError:
            pass
        except ConnectionClosed:
            self.close()

    def close(self):
        if self.socket is not None:
            with suppress(OSError):
                self.socket.socket.shutdown(sockets.SHUT_RDWR)
            self._open.close()
            self.socket = None


def memory(pid):
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(status.partition("VmRSS:")[2].split()[0])


def leaks(frames, seat):
    """Frames that tell a seat, or a spectator (None), what the other has chosen."""
    found = []
    for frame in frames:
        shown = frame.get("view") or frame.get("patch") or {}
        if shown.get("you", seat) != seat:
            found.append(frame)
        if seat is None and shown.get("chosen") is not None:
            found.append(frame)
    return found


@pytest.mark.thorough
def test_random_frames(tmp_path):
    dice = random.Random(20_261)
    with serving(tmp_path, "--port", "0", "--no-limits") as running:
        client = httpx.Client(base_url=running.address, timeout=PATIENCE)
        asked = {"opponent": "link", "seat": "red", "wins_needed": 99}
        red = client.post("/api/matches", json=asked).json()
        path = f"/api/matches/{red['match']}"
        client.cookies.clear()
        blue = client.post(f"{path}/join", json={}).json()
        client.cookies.clear()
        secrets = {"red": red["secret"], "blue": blue["secret"], None: None}
        visitors = [
            Visitor(running.address, path, seat, secret) for seat, secret in secrets.items()
        ]
        before = 0
        for number in range(FRAMES):
            if number % 50 == 0:
                seen = client.get(path)
                assert seen.status_code == 200
                assert seen.json()["status"] == "playing"
                position = seen.json()["game"], seen.json()["round"]
            if number == FRAMES // 4:
                before = memory(running.process.pid)
            visitor = dice.choice(visitors)
            visitor.connect()
            try:
                if dice.random() < 0.03:
                    visitor.socket.socket.sendall(random_bytes(dice))
                    visitor.listen()
                    visitor.close()
                elif dice.random() < 0.03:
                    visitor.close()  # without a word
                else:
                    visitor.socket.send(random_frame(dice, position))
                    visitor.listen()
            except (ConnectionClosed, OSError):
                visitor.close()
        assert memory(running.process.pid) - before < MOST_GROWTH
        for visitor in visitors:
            visitor.close()
            assert visitor.heard
            assert leaks(visitor.heard, visitor.seat) == []
            failed = [each for each in visitor.heard if "'failed'" in str(each)]
            assert failed == []
        # The match goes on.
        seen = client.get(path).json()
        for seat, secret in (("red", red["secret"]), ("blue", blue["secret"])):
            command = {
                "id": f"last {seat}",
                "type": "choose",
                "game": seen["game"],
                "round": seen["round"],
                "choice": "boost",
            }
            headers = {"Authorization": f"Bearer {secret}"}
            done = client.post(f"{path}/commands", json=command, headers=headers)
            assert done.status_code == 200, done.text
        after = client.get(path).json()
        assert (after["game"], after["round"]) != (seen["game"], seen["round"])
        client.close()
        assert running.stop() == 0
    assert "Traceback" not in running.log, running.log.partition("Traceback")[2][:4000]
