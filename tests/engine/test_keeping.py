"""Records of played matches: where they go, how they are named, and what stops them."""

import re
from pathlib import Path

from holmgang.engine import keeping
from holmgang.engine.duel import Duel
from holmgang.engine.keeping import RecordKeeper
from holmgang.engine.record import read, replay
from holmgang.games.ruleset import load
from holmgang.players.naming import parse_player
from holmgang.terminal.local import LocalSession
from holmgang.terminal.session import Notice

SEATS = {"red": {"name": "human"}, "blue": {"name": "random"}}


def play_one(keeper):
    duel = Duel("bagh", seed=1, follower=keeper)
    for seat in ("red", "blue"):
        duel.choose(seat, "boost")
    duel.reveal()
    duel.abandon()
    return duel


def test_the_games_of_a_match_have_one_name_and_their_numbers(tmp_path):
    keeper = RecordKeeper(tmp_path, "bagh", SEATS, 3)
    for _ in range(2):
        play_one(keeper)
    first, second = keeper.paths
    assert re.fullmatch(r"bagh-\d{8}-\d{6}-[0-9a-f]{4}-1\.jsonl", first.name)
    assert second.name == first.name.replace("-1.jsonl", "-2.jsonl")
    header = read(second).header
    assert header["match"] == {"name": first.name[: -len("-1.jsonl")], "game": 2, "wins_needed": 3}
    assert header["seats"] == SEATS
    assert replay(second).outcome.reason == "abandoned"


def test_a_name_that_is_taken_is_never_overwritten(tmp_path, monkeypatch):
    names = iter(["bagh-taken", "bagh-free"])
    monkeypatch.setattr(keeping, "match_name", lambda game: next(names))
    (tmp_path / "bagh-taken-1.jsonl").write_text("mine")
    keeper = RecordKeeper(tmp_path, "bagh", SEATS, 1)
    play_one(keeper)
    assert [path.name for path in keeper.paths] == ["bagh-free-1.jsonl"]
    assert (tmp_path / "bagh-taken-1.jsonl").read_text() == "mine"


def test_where_nothing_can_be_written_play_goes_on_and_it_is_said_once(tmp_path):
    (tmp_path / "file").touch()
    session = LocalSession(
        load("bagh"),
        parse_player("random", load("bagh")),
        parse_player("random", load("bagh")),
        seed=1,
        records=tmp_path / "file" / "folder",
    )
    troubles = []
    while not session.match.is_over:
        session.next_game()
        while not session.duel.is_over:
            session.wait()
            session.reveal()
            troubles += [news.text for news in session.advance() if isinstance(news, Notice)]
    [told] = troubles
    path = session.keeper.next_writer().path
    assert told == (
        f"This match is not recorded any further: cannot write the record {path}: Not a directory."
    )
    assert session.keeper.paths == []
    assert session.record_lines() == []


def test_a_disk_that_fills_up_stops_the_record_and_not_the_duel(tmp_path, monkeypatch):
    keeper = RecordKeeper(tmp_path, "bagh", SEATS, 1)
    duel = Duel("bagh", seed=1, follower=keeper)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(keeper._writer, "_write", full)
    for _ in range(2):
        duel.choose("red", "boost")
        duel.choose("blue", "boost")
        duel.reveal()
    assert duel.round == 3
    assert "No space left" in keeper.trouble
    keeper._writer._file.close()


def test_nobody_has_no_home(monkeypatch):
    def homeless():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    keeper = RecordKeeper(None, "bagh", SEATS, 1)
    assert play_one(keeper).outcome.reason == "abandoned"
    assert "there is no home folder" in keeper.trouble
