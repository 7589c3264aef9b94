"""Leagues: versions, resuming, tables, and being killed."""

import csv
import errno
import io
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time

import pytest
from tests.arena.folders import bot_folder
from tests.arena.kills import kill_often
from tests.arena.stage import holmgang, interrupted, refused
from tests.patience import PATIENCE

from holmgang.arena.counting.results import read_results
from holmgang.arena.events.entrant import fingerprint, parse_entrant, parse_entrants
from holmgang.arena.events.league import Added, League
from holmgang.arena.fixture import parse_fixture
from holmgang.arena.task import JudgeSettings
from holmgang.errors import RecordError, UsageError
from holmgang.games.ruleset import load
from holmgang.machine import write_whole

BAGH = load("bagh")


@pytest.fixture
def league(tmp_path):
    return League.create(tmp_path / "league", "bagh", 0, JudgeSettings())


def names_in(folder):
    return {path.name for path in folder.iterdir()}


def enter(league, text):
    return league.add(parse_entrant(str(text), BAGH))


# Bots and versions


def test_a_bot_is_copied_and_versions_are_kept(league, tmp_path):
    source = bot_folder(tmp_path / "ann", "attack")
    first, what = enter(league, source)
    assert (first.bot, what) == ("ann@1", Added.NEW)
    bot_folder(source, "guard")
    second, what = enter(league, source)
    assert (second.bot, what) == ("ann@2", Added.NEW)
    copies = [(league.folder / "bots" / bot / "bot.py").read_text() for bot in ("ann@1", "ann@2")]
    assert '"attack"' in copies[0]
    assert '"guard"' in copies[1]
    again = League(league.folder)
    assert [version.is_active for version in again.roster.versions] == [False, True]
    assert again.player_text(second).endswith("bots/ann@2")


def test_a_bot_that_has_not_changed_is_the_same_version(league, tmp_path):
    source = bot_folder(tmp_path / "ann", "attack")
    enter(league, source)
    (source / "__pycache__").mkdir()
    (source / "__pycache__" / "bot.pyc").write_text("not the bot")
    version, what = enter(league, source)
    assert (version.bot, what) == ("ann@1", Added.NOTHING)
    assert len(league.roster.versions) == 1


def test_a_new_version_meets_all_and_the_one_before(league, tmp_path):
    enter(league, "random")
    source = bot_folder(tmp_path / "ann", "attack")
    for choice in ("attack", "guard", "boost"):
        enter(league, bot_folder(source, choice))
    couples = {frozenset(couple) for couple in league.couples()}
    assert couples == {frozenset(("random@1", "ann@3")), frozenset(("ann@2", "ann@3"))}


def test_who_is_retired_plays_no_more_until_added_again(league):
    enter(league, "random")
    enter(league, "dice=random")
    league.retire("dice")
    assert league.couples() == []
    assert "No longer playing: dice@1." in league.standings().notes
    with pytest.raises(UsageError, match="two bots"):
        league.play(lambda: pytest.fail("nothing to play"))
    version, what = enter(league, "dice=random")
    assert (version.bot, what) == ("dice@1", Added.AGAIN)
    assert league.couples() == [("random@1", "dice@1")]
    with pytest.raises(
        UsageError, match="no bot 'nobody' in this league; the bots are dice, random"
    ):
        league.retire("nobody")


def test_an_add_that_was_stopped_leaves_no_trace(league, tmp_path):
    source = bot_folder(tmp_path / "ann", "attack")
    for name in (".ann@1.draft", "ann@1"):
        (league.folder / "bots" / name).mkdir(parents=True)
        (league.folder / "bots" / name / "half").write_text("a copy")
    enter(league, source)
    copy = league.folder / "bots" / "ann@1"
    assert names_in(copy) == {"bot.py", "bot.toml"}
    assert fingerprint(copy) == fingerprint(source)
    assert names_in(league.folder / "bots") == {"ann@1"}


def test_a_link_stays_a_link_and_shows_a_bot_nothing_more(league, tmp_path):
    source = bot_folder(tmp_path / "ann", "attack")
    (tmp_path / "secret").write_text("secret")
    before = fingerprint(source)
    (source / "leak").symlink_to(tmp_path / "secret")
    (source / "again").symlink_to(".")  # followed, it would never end
    assert fingerprint(source) != before
    enter(league, source)
    copy = league.folder / "bots" / "ann@1"
    assert (copy / "leak").readlink() == tmp_path / "secret"
    assert (copy / "again").is_symlink()


def test_a_link_that_would_lead_elsewhere_is_refused(league, tmp_path):
    source = bot_folder(tmp_path / "ann", "attack")
    (source / "shared").symlink_to("../shared")
    with pytest.raises(UsageError, match="leads out of the bot's folder"):
        enter(league, source)
    assert not list(league.folder.rglob("ann*"))


def test_pipes_and_sockets_are_left_out_of_a_copy(league, tmp_path):
    source = bot_folder(tmp_path / "ann", "attack")
    before = fingerprint(source)
    os.mkfifo(source / "pipe")
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(source / "socket"))
    (source / "dangling").symlink_to("nowhere")
    enter(league, source)
    copy = league.folder / "bots" / "ann@1"
    assert names_in(copy) == {"bot.py", "bot.toml", "dangling"}
    assert fingerprint(copy) == fingerprint(source) != before
    (source / "dangling").unlink()
    assert fingerprint(source) == before


def test_a_copy_that_fails_leaves_nothing(league, tmp_path, monkeypatch):
    source = bot_folder(tmp_path / "ann", "attack")

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(shutil, "copytree", full)
    with pytest.raises(UsageError, match=r"cannot copy .*: .*No space left"):
        enter(league, source)
    assert not list(league.folder.rglob("*ann*"))


@pytest.mark.thorough
def test_a_damaged_line_of_the_log_stops_no_command(tmp_path):
    folder = tmp_path / "winter"
    holmgang("league", "init", folder, "bagh")
    holmgang("league", "add", folder, "random", "dice=random")
    holmgang("league", "run", folder, "--games", "10")
    log = folder / "results.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    lines[3] = lines[3][:50] + b"\n"
    log.write_bytes(b"".join(lines))
    note = "A line of the log is damaged, and its game counts as not played: results.jsonl, line 4"
    assert note in " ".join(holmgang("league", "table", folder).stdout.split())
    told = json.loads(holmgang("league", "run", folder, "--games", "4", "--json").stdout)
    assert told["games"] == 13
    assert any(note in each for each in told["notes"])
    assert log.read_bytes().startswith(b"".join(lines))
    log.write_bytes(b"".join([*lines[:3], *log.read_bytes().splitlines(keepends=True)[4:]]))
    assert json.loads(holmgang("league", "table", folder, "--json").stdout)["notes"] == []


def test_names_are_made_of_folders_and_files_or_given(tmp_path):
    folder = bot_folder(tmp_path / "My bot!", "attack")
    assert parse_entrant(str(folder), BAGH).name == "My-bot"
    assert parse_entrant(f"json:{folder}", BAGH).text == f"json:{folder.resolve()}"
    command = f"{sys.executable} '{folder}/bot.py'"
    assert parse_entrant(command, BAGH).name == "bot"
    assert parse_entrant(f"ann={command}", BAGH)[:2] == ("ann", command)


def test_a_command_can_be_run_from_elsewhere(tmp_path, monkeypatch):
    folder = bot_folder(tmp_path / "ann", "attack")
    monkeypatch.chdir(folder)
    entrant = parse_entrant("json:python3 bot.py -v", BAGH)
    assert entrant.text == f"json:python3 {folder / 'bot.py'} -v"
    monkeypatch.chdir(tmp_path)
    assert parse_entrant("json:python3 ann/bot.py -v", BAGH).fingerprint == entrant.fingerprint
    assert parse_entrant("json:python3 ann/bot.py -w", BAGH).fingerprint != entrant.fingerprint


def test_a_command_whose_file_changes_is_another_bot(tmp_path):
    command = f"python3 {bot_folder(tmp_path / 'ann', 'attack') / 'bot.py'}"
    before = parse_entrant(command, BAGH).fingerprint
    bot_folder(tmp_path / "ann", "guard")
    assert parse_entrant(command, BAGH).fingerprint != before


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (["random", "random"], "two bots have the name random: .* random2=random"),
        (["nobody"], "unknown player 'nobody'"),
        ([f"{'x' * 41}=random"], "longer than 40"),
    ],
)
def test_entrants_that_are_refused(texts, said):
    with pytest.raises(UsageError, match=said):
        parse_entrants(texts, BAGH)


def test_a_league_is_made_once_and_must_be_there(league, tmp_path):
    with pytest.raises(UsageError, match="already"):
        League.create(league.folder, "bagh", 0, JudgeSettings())
    with pytest.raises(UsageError, match="holmgang league init"):
        League(tmp_path / "none")
    path = league.folder / "league.json"
    path.write_text(path.read_text().replace('"holmgang_league": 1', '"holmgang_league": 99'))
    with pytest.raises(RecordError, match=r"format 1: Invalid value 99 - at `\$.holmgang_league`"):
        League(league.folder)


@pytest.mark.parametrize("name", ["tournament.json", "results.jsonl"])
def test_a_league_is_not_made_where_other_games_are_kept(name, tmp_path):
    (tmp_path / name).write_text("")
    with pytest.raises(UsageError, match="holds other games; choose another folder"):
        League.create(tmp_path, "bagh", 0, JudgeSettings())


def test_what_cannot_be_written_is_told_and_leaves_no_draft(league):
    (league.folder / "index.html").mkdir()
    before = names_in(league.folder)
    with pytest.raises(UsageError, match=r"cannot write .*index\.html"):
        write_whole(league.folder / "index.html", "a page")
    assert names_in(league.folder) == before
    (league.folder / "league.lock").mkdir()
    with pytest.raises(UsageError, match=r"cannot write .*league\.lock"):
        league.retire("random")


@pytest.mark.parametrize(
    ("field", "other", "said"),
    [
        ('"seed": 0', '"seed": "none"', "Expected `int`, got `str` - at `$.seed`"),
        (
            '"turn_ms": 50.0',
            '"turn_ms": "50"',
            "Expected `float`, got `str` - at `$.settings",
        ),
        ('"seed": 0', '"seed": 0, "season": 2', "unknown field `season`"),
        (
            '"number": 1',
            '"number": null',
            "got `null` - at `$.versions[0].number`",
        ),
        ('"name": "random"', '"name": "../[/b]"', "not a valid name of a bot"),
    ],
)
def test_a_roster_that_someone_has_spoilt(league, field, other, said):
    enter(league, "random")
    path = league.folder / "league.json"
    text = path.read_text()
    assert field in text
    path.write_text(text.replace(field, other))
    with pytest.raises(RecordError, match=re.escape(said)):
        League(league.folder)


# As people and programs use it


def test_a_league_from_the_command_line(tmp_path):
    folder = tmp_path / "winter"
    attack, boost = (bot_folder(tmp_path / name, name) for name in ("attack", "boost"))
    assert "A league of bagh" in holmgang("league", "init", folder, "bagh").stdout
    added = json.loads(holmgang("league", "add", folder, attack, boost, "random", "--json").stdout)
    assert [each["bot"] for each in added["added"]] == ["attack@1", "boost@1", "random@1"]
    told = json.loads(holmgang("league", "run", folder, "--games", 20, "--trust", "--json").stdout)
    assert told["played"] == told["games"] == 20
    table = json.loads(holmgang("league", "table", folder, "--json").stdout)
    assert table["games"] == 20
    assert {bot["name"] for bot in table["bots"]} == {"attack@1", "boost@1", "random@1"}
    assert sum(bot["games"] for bot in table["bots"]) == 40
    rows = list(csv.DictReader(io.StringIO(holmgang("league", "table", folder, "--csv").stdout)))
    assert [row["name"] for row in rows] == [bot["name"] for bot in table["bots"]]
    assert float(rows[0]["rating"]) == table["bots"][0]["rating"]
    shown = holmgang("league", "table", folder).stdout
    assert "League winter: bagh, 20 games" in shown
    assert "No bot beats this mix on average" in shown
    page = holmgang("league", "page", folder).stdout.strip()
    text = (folder / "index.html").read_text()
    assert page == str(folder / "index.html")
    links = re.findall(r'href="(records/[^"]+)"', text)
    assert len(links) == 20
    assert all((folder / link).exists() for link in links)
    assert {"table.json", "table.csv", "payoffs.csv"} <= names_in(folder)


def test_ctrl_c_says_how_to_go_on_and_leaves_nothing(tmp_path):
    folder = tmp_path / "winter"
    holmgang("league", "init", folder, "bagh")
    holmgang("league", "add", folder, bot_folder(tmp_path / "attack", "attack"), "random")
    with subprocess.Popen(
        [sys.executable, "-m", "holmgang", "league", "run", str(folder), "--trust"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as running:
        until = time.monotonic() + PATIENCE
        while not read_results(folder / "results.jsonl"):
            assert time.monotonic() < until
            time.sleep(0.05)
        os.killpg(running.pid, signal.SIGINT)  # as a terminal does: to all of them
        shown, said = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    assert f"holmgang league run {folder}" in said
    assert shown.startswith("League winter: bagh, ")
    assert "Traceback" not in said
    assert json.loads((folder / "table.json").read_text())["games"] == len(
        read_results(folder / "results.jsonl")
    )
    until = time.monotonic() + PATIENCE
    while group_lives(running.pid):
        assert time.monotonic() < until, "somebody is left in its group"
        time.sleep(0.05)


def test_ctrl_c_with_json_tells_what_there_is_so_far(league):
    enter(league, "random")
    enter(league, "dice=random")
    log = league.folder / "results.jsonl"
    command = ("league", "run", league.folder, "--json")
    told = json.loads(interrupted(*command, when=lambda: bool(read_results(log))).stdout)
    assert told["played"] == told["games"] == len(read_results(log)) > 0


def test_the_file_of_a_league_does_not_switch_the_sandbox_off(league, tmp_path):
    touched = tmp_path / "touched"
    enter(league, f"evil=touch {touched}")
    enter(league, "random")
    path = league.folder / "league.json"
    safe = path.read_text()
    assert '"trust": false' in safe
    path.write_text(safe.replace('"trust": false', '"trust": true'))
    said = refused("league", "run", league.folder, "--games", 2)
    assert f'{path} says "trust": true' in said
    assert "add --trust to this command" in said
    assert not touched.exists()
    assert holmgang("league", "table", league.folder).returncode == 0
    told = holmgang("league", "run", league.folder, "--games", 2, "--trust", "--json").stdout
    assert json.loads(told)["played"] == 2
    assert touched.exists()
    assert "No such option: --trust" in refused("league", "init", tmp_path / "b", "bagh", "--trust")


@pytest.mark.parametrize("trust", [False, True])
def test_only_the_command_says_whether_bots_are_trusted(league, trust):
    enter(league, "random")
    enter(league, "dice=random")
    path = league.folder / "league.json"
    path.write_text(path.read_text().replace('"trust": false', '"trust": true'))
    task = League(league.folder).task(parse_fixture("random@1--dice@1--0"), trust=trust)
    assert task.settings.trust is trust


def group_lives(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("run", "FOLDER"), "needs two bots"),
        (("table", "FOLDER", "--json", "--csv"), "not both"),
        (("add", "FOLDER", "nobody"), "unknown player"),
        (("init", "FOLDER", "bagh"), "already"),
        (("init", "OTHER", "chess"), "chess"),
        (("table", "OTHER"), "no league in"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_refusals(league, tmp_path, arguments, said):
    places = {"FOLDER": league.folder, "OTHER": tmp_path / "other"}
    assert said in refused("league", *(places.get(word, word) for word in arguments))


@pytest.mark.thorough
def test_a_league_that_is_killed_at_any_moment_loses_and_repeats_nothing(tmp_path):
    kill_often(tmp_path, 5, seed=3, trust=True)
