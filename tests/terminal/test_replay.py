"""Records shown and checked, in lines and on the screen."""

import io
import json
import sys

import pytest
from tests.terminal.pilot import on_screen
from tests.terminal.shell import run

from holmgang.engine.frames import gauge_name, read_replay, sampled, sparkline
from holmgang.engine.record import read
from holmgang.errors import RecordError, ReplayError, UsageError
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.ruleset import load
from holmgang.players.naming import parse_player
from holmgang.terminal.local import LocalSession
from holmgang.terminal.replay import show_record, verify_record
from holmgang.terminal.screen.replay import ReplayApp


def recorded(tmp_path, name, seed=1):
    """The record of a game between two random players."""
    random = parse_player("random", load(name))
    session = LocalSession(load(name), random, random, seed=seed, records=tmp_path)
    session.next_game()
    while not session.duel.is_over:
        session.wait()
        session.reveal()
    return session.keeper.paths[0]


def without_result(path):
    lines = path.read_text().splitlines(keepends=True)
    cut = path.with_name("cut.jsonl")
    cut.write_text("".join(lines[:-1]))
    return cut


@pytest.fixture
def shown(monkeypatch, capsys):
    def show(path, start=None):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
        show_record(path, plain=False, start=start)
        return capsys.readouterr().out

    return show


# Checking


def test_verify_tells_what_it_found(tmp_path):
    path = recorded(tmp_path, "bagh")
    record = read(path)
    winner = record.result["result"]["winner"]
    done = run(tmp_path, "replay", "--verify", str(path))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"ok: bagh, {len(record.rounds)} rounds, {winner} wins (hp)\n"


@pytest.mark.parametrize("name", CATALOGUE)
def test_verify_as_json(name, tmp_path, capsys):
    path = recorded(tmp_path, name)
    verify_record(path, as_json=True)
    checked = json.loads(capsys.readouterr().out)
    record = read(path)
    assert checked == {
        "ok": True,
        "ruleset": name,
        "rounds": len(record.rounds),
        **record.result["result"],
    }


def test_json_is_only_for_verify(tmp_path):
    done = run(tmp_path, "replay", "--json", str(recorded(tmp_path, "bagh")))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "holmgang: --json needs --verify\n"


def test_an_abandoned_game_is_sound(tmp_path, capsys):
    human = parse_player("human", load("bagh"))
    session = LocalSession(load("bagh:start_hp=5"), human, human, seed=1, records=tmp_path)
    session.next_game()
    session.choose("a")
    session.take_keyboard()
    session.choose("b")
    session.reveal()
    session.duel.abandon()
    verify_record(session.keeper.paths[0], as_json=False)
    assert capsys.readouterr().out == "ok: bagh:start_hp=5, 1 round, abandoned\n"


def test_a_record_without_its_result_is_incomplete(tmp_path):
    cut = without_result(recorded(tmp_path, "bagh"))
    with pytest.raises(RecordError, match="incomplete: it has no result line"):
        verify_record(cut, as_json=False)
    done = run(tmp_path, "replay", "--verify", str(cut))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"holmgang: {cut} is incomplete: it has no result line\n"


def test_a_record_that_was_changed_is_found_out(tmp_path):
    path = recorded(tmp_path, "bagh")
    text = path.read_text()
    path.write_text(text.replace('"red":"heal"', '"red":"boost"', 1))
    with pytest.raises(ReplayError, match="round "):
        verify_record(path, as_json=False)
    with pytest.raises(ReplayError, match="round "):
        show_record(path, plain=True, start=None)


def test_no_file_and_no_record_are_refused(tmp_path):
    (tmp_path / "text").write_text("hello\n")
    for name in ("nothing", "text", "."):
        done = run(tmp_path, "replay", str(tmp_path / name))
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("holmgang: ")
        assert done.stderr.count("\n") == 1


# In lines


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_round_is_printed(name, tmp_path, shown):
    path = recorded(tmp_path, name)
    told = shown(path)
    record = read(path)
    for line in record.rounds:
        [heading] = [
            said for said in told.splitlines() if said.startswith(f"Round {line['round']}  ")
        ]
        for seat in ("red", "blue"):
            assert line[seat] is None or f"{seat.capitalize()}: {line[seat]}" in heading
    assert read_replay(path).ending in told


def test_printing_may_start_at_a_round(tmp_path, shown):
    path = recorded(tmp_path, "bagh")
    told = shown(path, start=3)
    assert "Round 2  " not in told
    assert "Round 3  " in told


def test_a_round_that_is_not_there_is_refused(tmp_path, shown):
    path = recorded(tmp_path, "bagh")
    with pytest.raises(UsageError, match=r"has rounds 0 to \d+; not 999"):
        shown(path, start=999)


def test_an_incomplete_record_can_be_looked_at(tmp_path, shown):
    told = shown(without_result(recorded(tmp_path, "bagh")))
    assert "This record is incomplete." in told
    assert "it has no result" in told


def test_chance_is_told(tmp_path, shown):
    assert "blue roll " in shown(recorded(tmp_path, "defend-the-city"))


# On the screen


def test_forwards_backwards_and_to_a_round(tmp_path):
    replay = read_replay(recorded(tmp_path, "bagh"))
    last = len(replay.frames) - 1

    async def script(screen):
        def at(number):
            return f"Round {number} of {last}" in screen.text

        assert at(0)
        assert "The start." in screen.text
        for keys, number in (
            (["right"], 1),
            (["n", "space"], 3),
            (["left"], 2),
            (["p"], 1),
            (["left", "left", "left"], 0),
            (["end"], last),
            (["right"], last),
            (["home"], 0),
            (["g", "2", "enter"], 2),
            (["g", "9", "9", "9", "enter"], last),
            (["g", "1", "backspace", "3", "enter"], 3),
            (["g", "1", "escape"], 3),
            (["g", "enter"], 3),
            (["pageup"], 0),
        ):
            await screen.press(*keys)
            assert at(number), keys
        assert "Red hp" in screen.text
        assert "Blue hp" in screen.text
        await screen.press("end")
        assert replay.ending in screen.text
        await screen.press("question_mark")
        assert "Two fighters" in screen.text
        await screen.press("escape", "home", "q")

    app = ReplayApp(replay, 0)
    on_screen(app, script)
    assert app.return_code == 0


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_round_can_be_seen(name, tmp_path):
    replay = read_replay(recorded(tmp_path, name))

    async def script(screen):
        for frame in replay.frames[:8]:
            if frame.revealed is not None:
                await screen.press("right")
                assert frame.revealed.story[0][:30] in screen.text

    on_screen(ReplayApp(replay, 0), script)


@pytest.mark.parametrize("size", [(40, 20), (200, 50), (20, 6)], ids=str)
def test_it_fits(size, tmp_path):
    replay = read_replay(recorded(tmp_path, "magic-duel"))

    async def script(screen):
        await screen.press("end", "left")
        assert all(len(line) <= size[0] for line in screen.lines)

    on_screen(ReplayApp(replay, 3), script, size)


def test_ctrl_c_leaves_the_viewer(tmp_path):
    async def script(screen):
        await screen.press("ctrl+c")

    app = ReplayApp(read_replay(recorded(tmp_path, "bagh")), 0)
    on_screen(app, script)
    assert app.return_code == 130


# The strip


def test_each_game_has_its_gauge(tmp_path):
    gauges = {name: gauge_name(read_replay(recorded(tmp_path, name))) for name in CATALOGUE}
    assert {gauges[name] for name in ("bagh", "bagh-advantage", "magic-duel")} == {"hp"}
    assert {gauges[name] for name in ("fencing", "fencing-codingame")} == {"score"}
    assert {gauges[name] for name in ("defend-the-city", "defend-the-city-duel")} == {"stamina"}


def test_the_strip_is_as_long_as_there_are_rounds_or_as_there_is_room():
    assert sparkline([0, 7, 14], 14, 10) == "▁▅█"
    assert len(sparkline(list(range(100)), 99, 10)) == 10
    assert sparkline([-5, 0, 99], 10, 10) == "▁▁█"
    assert sampled(100, 10)[0] == 0
    assert sampled(100, 10)[-1] == 99
