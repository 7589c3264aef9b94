"""Standard streams that are closed before a command begins, or cannot take every character."""

import re
import subprocess
import sys

import pytest

GAMES = ("games", "--json")


def run(closed: str, *words: str):
    command = [sys.executable, "-m", "holmgang", *words]
    return subprocess.run(
        ["/bin/sh", "-c", f'"$@" {closed}', "sh", *command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("closed", "words", "code"),
    [
        ("<&-", GAMES, 0),
        (">&-", GAMES, 0),
        ("2>&-", GAMES, 0),
        ("<&- >&- 2>&-", GAMES, 0),
        ("<&-", ("step",), 0),
        ("<&-", ("value", "magic-duel", "--stdin"), 0),
        ("<&-", ("play", "bagh", "--vs", "random", "--plain"), 0),
        ("2>&-", ("rules", "chess"), 2),
    ],
)
def test_a_closed_stream_is_no_trouble(closed, words, code, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    done = run(closed, *words)
    assert done.returncode == code, done.stderr
    assert done.stderr == ""


@pytest.mark.parametrize("locale", ["C", "POSIX"])
@pytest.mark.parametrize(
    "words",
    [
        ("play", "bagh", "--vs", "random", "--plain", "--wins", "1"),
        ("rules", "magic-duel"),
        ("simulate", "bagh", "--games", "2", "--threads", "1"),
    ],
    ids=" ".join,
)
def test_the_locale_c_gets_ascii(locale, words, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("LC_ALL", locale)
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    done = run("", *words)
    assert done.returncode == 0, done.stderr
    assert (done.stdout + done.stderr).isascii()
    assert "?" not in done.stdout.replace("? attack", "")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_what_an_output_cannot_take_is_written_plainly(encoding, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    done = run("", "match", "bagh:start_hp=2", "random", "random", "--games", "2")
    assert done.returncode == 0, done.stderr
    assert re.search(r"\d\.\d-\d", done.stdout)  # an interval, which has a dash elsewhere
