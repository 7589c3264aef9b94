"""`holmgang step`: one line in, one line out, in bulk and in conversation."""

import json
import signal
import time

import pytest
from tests.terminal.shell import run, start

from holmgang.engine.step import LONGEST_LINE
from holmgang.terminal.step import MOST_BYTES, LineSplitter, answers

START = {
    "red": {"hp": 3, "boost": 0, "priority": 0, "shield_damage": 0},
    "blue": {"hp": 3, "boost": 0, "priority": 0, "shield_damage": 0},
}
REQUEST = json.dumps({"game": "bagh", "state": START, "red": "attack", "blue": "boost"})


def answered(given, tmp_path):
    done = run(tmp_path, "step", given=given)
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


BAD_LINES = {
    b"": "not JSON",
    b"   ": "not JSON",
    b"\xff\xfe{}": "not UTF-8: byte 1",
    b'{"game": "\xc3"}': "not UTF-8: byte 11",
    b"{" * 100_000: "not JSON",
    b'{"game": "\\ud800"}': "",
    b"x" * (LONGEST_LINE + 1): "at most 1000000",
    b"x" * (MOST_BYTES + 1): "at most 1000000",
    "é".encode() * LONGEST_LINE: "not JSON",
}


def test_a_bad_line_costs_only_its_own_answer(tmp_path):
    good = REQUEST.encode() + b"\n"
    given = good + b"".join(line + b"\n" + good for line in BAD_LINES)
    told = answered(given.removesuffix(b"\n"), tmp_path)
    assert len(told) == 2 * len(BAD_LINES) + 1
    assert all(answer["state"]["blue"]["hp"] == 2 for answer in told[::2])
    for answer, expected in zip(told[1::2], BAD_LINES.values(), strict=True):
        assert list(answer) == ["error"]
        assert expected in answer["error"]


def test_no_input_no_output(tmp_path):
    assert answered("", tmp_path) == []


def test_line_ends_of_windows_are_taken(tmp_path):
    assert len(answered(f"{REQUEST}\r\n{REQUEST}\r\n", tmp_path)) == 2


def test_a_conversation_line_by_line(tmp_path):
    with start(tmp_path, "step") as process:
        state = START
        for _ in range(3):
            asked = {"game": "bagh", "state": state, "red": "attack", "blue": "boost"}
            process.stdin.write(json.dumps(asked).encode() + b"\n")
            state = json.loads(process.stdout.readline())["state"]
        assert state["blue"]["hp"] == 0
        process.stdin.write(b'{"game":')  # half a line is not answered
        process.stdin.write(b'"bagh","ask":"start"}\n')
        assert json.loads(process.stdout.readline()) == {"state": START}
        process.stdin.close()
        assert process.wait() == 0


def test_ctrl_c_ends_quietly(tmp_path):
    with start(tmp_path, "step") as process:
        process.stdin.write(b"{}\n")
        assert b"error" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
        assert process.stderr.read() == b""


def test_a_reader_that_has_seen_enough_ends_it_quietly(tmp_path):
    with start(tmp_path, "step") as process:
        process.stdout.close()
        process.stdin.write(b"{}\n" * 10)
        process.stdin.close()
        assert process.wait() in (0, 1)
        assert process.stderr.read() == b""


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_chunks_may_be_cut_anywhere(size):
    text = b"one\n\ntwo\xc3\xa9\nlast"
    splitter, lines = LineSplitter(), []
    for at in range(0, len(text), size):
        lines.extend(splitter.feed(text[at : at + size]))
    lines.extend(splitter.finish())
    assert lines == [b"one", b"", "twoé".encode(), b"last"]


def test_an_endless_line_takes_little_memory():
    splitter = LineSplitter()
    for _ in range(100):
        assert list(splitter.feed(b"x" * 1_000_000)) == []
        assert sum(map(len, splitter._kept)) <= MOST_BYTES
    assert list(splitter.feed(b"\nnext\n")) == [None, b"next"]


@pytest.mark.timed
def test_bulk_costs_hardly_more_than_the_answers_themselves():
    """So that 20,000 lines a second are the rules' own affair."""
    lines = [REQUEST.encode()] * 2000
    chunk = b"\n".join(lines) + b"\n"

    def fastest(work):
        times = []
        for _ in range(5):
            begun = time.process_time()
            work()
            times.append(time.process_time() - begun)
        return min(times)

    split = fastest(lambda: list(LineSplitter().feed(chunk)))
    whole = fastest(lambda: answers(iter(lines)))
    assert split < whole / 4
