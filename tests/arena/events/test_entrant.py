"""Fingerprints: all of a bot, in bounded memory and time, and refusals that name the file."""

import os
import tracemalloc
from pathlib import Path

import pytest
from tests.arena.folders import bot_folder
from tests.arena.stage import holmgang

from holmgang.arena.events.entrant import LARGEST, fingerprint, parse_entrant
from holmgang.errors import UsageError
from holmgang.games.ruleset import load

BAGH = load("bagh")
MEGABYTE = 10**6


@pytest.fixture
def folder(tmp_path):
    return bot_folder(tmp_path / "ann", "attack")


def sparse(path, size):
    with path.open("wb") as file:
        file.truncate(size)


@pytest.mark.parametrize("form", ["folder", "command"])
def test_a_large_file_is_read_a_piece_at_a_time(folder, form):
    sparse(folder / "weights", 100 * MEGABYTE)
    words = {"folder": str(folder), "command": f"python3 {folder}/bot.py {folder}/weights"}
    tracemalloc.start()
    try:
        before = parse_entrant(words[form], BAGH).fingerprint
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 10 * MEGABYTE
    with (folder / "weights").open("r+b") as file:
        file.seek(90 * MEGABYTE)
        file.write(b"x")
    assert parse_entrant(words[form], BAGH).fingerprint != before


def bytes_read():
    """By this process so far, of whatever files."""
    return int(Path("/proc/self/io").read_text().split()[1])


@pytest.mark.parametrize("form", ["folder", "command"])
def test_a_bot_of_more_than_the_limit_is_refused_at_once(folder, form):
    sparse(folder / "weights", 2 * LARGEST)
    words = {"folder": str(folder), "command": f"python3 {folder}/bot.py {folder}/weights"}
    before = bytes_read()
    with pytest.raises(UsageError, match=r"more than 2 GB.*weights has 4\.0 GB"):
        parse_entrant(words[form], BAGH)
    assert bytes_read() - before < MEGABYTE


@pytest.mark.thorough
def test_the_limit_is_for_all_files_together(folder):
    for name in ("one", "two", "three"):
        sparse(folder / name, LARGEST // 2)
    with pytest.raises(UsageError, match="more than 2 GB"):
        fingerprint(folder)


def test_the_same_files_have_the_same_fingerprint_as_ever(tmp_path):
    """Leagues keep fingerprints: another way to make them would make every bot a new version."""
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "a.txt").write_text("text")
    (tmp_path / "bot" / "run").write_text("program")
    (tmp_path / "bot" / "run").chmod(0o755)
    (tmp_path / "bot" / "link").symlink_to("a.txt")
    (tmp_path / "bot" / "__pycache__").mkdir()
    (tmp_path / "bot" / "__pycache__" / "x.pyc").write_text("left out")
    assert fingerprint(tmp_path / "bot") == "c0b945ad57f42eba"


@pytest.mark.skipif(os.geteuid() == 0, reason="root can read every file: run as an ordinary user")
@pytest.mark.parametrize("closed", ["bot.py", "data"])
def test_what_cannot_be_read_is_named(folder, closed):
    (folder / "data").mkdir()
    (folder / closed).chmod(0)
    try:
        with pytest.raises(UsageError, match=f"cannot read .*{closed}: Permission denied"):
            fingerprint(folder)
    finally:
        (folder / closed).chmod(0o755)


def test_a_pipe_in_a_bots_folder_does_not_stop_a_tournament(folder, tmp_path):
    os.mkfifo(folder / "pipe")
    command = ("tournament", "bagh:start_hp=1", folder, "random", "--games", 2, "--trust")
    assert "2 games" in holmgang(*command, "--out", tmp_path / "cup").stdout
