"""The user's folder, and files that are there whole or not at all."""

import os
import threading
from pathlib import Path

import pytest
from tests.patience import PATIENCE

from holmgang.errors import UsageError
from holmgang.machine import data_folder, write_whole


@pytest.mark.parametrize(
    ("data_home", "folder"),
    [
        ("/data", "/data/holmgang"),
        ("", "/home/me/.local/share/holmgang"),
        ("not/absolute", "/home/me/.local/share/holmgang"),
    ],
)
def test_the_data_folder_of_the_user(data_home, folder, monkeypatch):
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.setenv("XDG_DATA_HOME", data_home)
    assert str(data_folder()) == folder


def test_a_user_without_a_home_is_told(monkeypatch):
    def homeless():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    with pytest.raises(UsageError, match="XDG_DATA_HOME"):
        data_folder()


@pytest.mark.parametrize("sync", [True, False])
def test_a_file_is_written_and_replaced_with_its_folder(sync, tmp_path):
    path = tmp_path / "new" / "file"
    write_whole(path, "ä", sync=sync)
    assert path.read_bytes() == "ä".encode()
    write_whole(path, b"b", sync=sync)
    assert path.read_bytes() == b"b"
    assert list(path.parent.iterdir()) == [path]


def test_a_file_in_place_of_the_folder_is_told(tmp_path):
    (tmp_path / "taken").touch()
    with pytest.raises(UsageError, match=r"cannot write .*file: Not a directory"):
        write_whole(tmp_path / "taken" / "file", "content")


def test_what_is_no_file_is_written_to_as_it_is(tmp_path):
    """Otherwise `--html /dev/null` would put a file in the place of the device."""
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, "content")
    reader.join(PATIENCE)
    assert read == [b"content"]
    assert pipe.is_fifo()


def test_a_link_stays_a_link(tmp_path):
    link, file = tmp_path / "link", tmp_path / "elsewhere" / "file"
    link.symlink_to(file)
    write_whole(link, "content")
    assert link.is_symlink()
    assert file.read_text() == "content"
    assert [each.name for each in file.parent.iterdir()] == ["file"]


def test_an_interruption_leaves_what_was_there_and_no_draft(tmp_path, monkeypatch):
    def interrupted(handle):
        raise KeyboardInterrupt

    path = tmp_path / "file"
    write_whole(path, "before")
    monkeypatch.setattr("holmgang.machine.os.fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(path, "after")
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]
