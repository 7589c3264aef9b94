"""The log of results: nothing lost, nothing twice, whatever happens to who writes it."""

import resource
import signal
import subprocess
import sys

import pytest
from msgspec.structs import replace
from tests.arena.results import result

from holmgang.arena.counting.results import (
    ResultLog,
    format_result,
    parse_result,
    read_results,
)
from holmgang.arena.fixture import Fixture, pair, parse_fixture
from holmgang.arena.task import SeatReport
from holmgang.errors import RecordError, UsageError

GAMES = [result(Fixture("ann", "bob", number)) for number in range(5)]


@pytest.fixture
def path(tmp_path):
    with ResultLog(tmp_path / "results.jsonl") as log:
        log.add(GAMES)
    return tmp_path / "results.jsonl"


def test_what_was_added_is_read(path):
    results = read_results(path)
    assert list(results) == [game.id for game in GAMES]
    assert results["ann--bob--3"].fixture == Fixture("ann", "bob", 3)
    assert path.read_bytes().count(b"\n") == 5


def test_a_game_counts_once(path):
    with ResultLog(path) as log:
        assert (
            log.add([GAMES[2], result(Fixture("bob", "ann", 2)), GAMES[4]])[0].id == "bob--ann--2"
        )
    assert len(read_results(path)) == 6
    path.write_bytes(path.read_bytes() * 2)  # as if two files had been joined
    assert len(read_results(path)) == 6


def test_an_entry_keeps_all_but_single_latencies(tmp_path):
    slow = SeatReport("timeout", "too late", latencies_ms=[3.0, 1.0, 60.25])
    slow.close()
    record = str(tmp_path / "records" / "ann--bob--0.jsonl")
    game = replace(result(Fixture("ann", "bob", 0), "blue"), red=slow, record=record)
    with ResultLog(tmp_path / "results.jsonl") as log:
        [entry] = log.add([game])
    assert entry.red.answers == 3
    assert (entry.red.median_ms, entry.red.slowest_ms) == (3.0, 60.25)
    assert (entry.red.status, entry.red.detail) == ("timeout", "too late")
    assert entry.red.latencies_ms == []
    assert entry.record == "records/ann--bob--0.jsonl"
    assert parse_result(format_result(entry)) == entry


def test_the_line_of_a_game_has_the_fields_it_always_had():
    seat = (
        b'{"status":"ok","detail":"","answers":0,"median_ms":0.0,"slowest_ms":0.0,"strikes":0,'
        b'"dropped":0}'
    )
    game = replace(GAMES[0], seed=7, record="records/ann--bob--0.jsonl")
    assert format_result(game) == (
        b'{"id":"ann--bob--0","ruleset":"bagh","seed":7,"winner":"red","reason":"hp","rounds":7,'
        b'"red":%b,"blue":%b,"record":"records/ann--bob--0.jsonl"}\n' % (seat, seat)
    )


@pytest.mark.parametrize("cut", [1, 2, 40])
def test_a_torn_last_line_is_dropped_and_overwritten(path, cut):
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    assert len(read_results(path)) == 4
    with ResultLog(path) as log:
        assert len(log.results) == 4
        log.add([GAMES[4]])
    assert path.read_bytes() == whole


def test_a_last_line_of_rubbish_is_dropped(path):
    whole = path.read_bytes()
    path.write_bytes(whole + b"\0" * 500 + b"\n")
    with ResultLog(path) as log:
        assert len(log.results) == 5
    assert path.read_bytes() == whole


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"{}", "missing required field `id`"),
        (b"[1]", "Expected `object`, got `array`"),
        (b"not JSON", "JSON is malformed"),
        (b"\0" * 300, "JSON is malformed"),
        (b'{"later":' + b"[" * 5000 + b"]" * 5000 + b"}", "recursion depth exceeded"),
        (b'{"id":"a--b--1","red":{},"blue":{}}', "missing"),
        (
            b'{"id":"a--b--1","ruleset":"b","seed":1,"winner":"x","reason":"","rounds":1,"red":{},"blue":{}}',
            "'^(red|blue)$' - at `$.winner`",
        ),
        (
            b'{"id":"1","ruleset":"b","seed":1,"winner":null,"reason":"","rounds":1,"red":{},"blue":{}}',
            "'1' is not the id of a game",
        ),
    ],
)
def test_a_damaged_line_is_skipped_reported_and_its_game_played_again(path, line, said):
    lines = path.read_bytes().splitlines()
    lines[2] = line
    path.write_bytes(b"\n".join(lines) + b"\n")
    results = read_results(path)
    assert list(results) == [game.id for game in GAMES if game is not GAMES[2]]
    assert len(results.damage) == 1
    assert results.damage[0].startswith("results.jsonl, line 3: ")
    assert said in results.damage[0]
    with ResultLog(path) as log:
        assert log.results.damage == results.damage
        assert [new.id for new in log.add(GAMES)] == [GAMES[2].id]
    assert path.read_bytes().splitlines()[:5] == lines  # left as they were
    assert len(read_results(path)) == 5


@pytest.mark.parametrize(
    ("field", "other", "said"),
    [
        (b'"slowest_ms":0.0', b'"slowest_ms":"long"', "`float`, got `str` - at `$.red.slowest_ms`"),
        (b'"detail":""', b'"detail":7', "`str`, got `int` - at `$.red.detail`"),
        (b'"rounds":', b'"rounds":null,"rounds_were":', "`int`, got `null` - at `$.rounds`"),
        (b'"strikes":0', b'"strikes":0,"latencies_ms":["long"]', "at `$.red.latencies_ms[0]`"),
        (b'"status":"ok"', b'"status":"late"', "'late' - at `$.red.status`"),
    ],
)
def test_a_field_of_another_kind_is_damage(path, field, other, said):
    whole = path.read_bytes()
    assert field in whole
    path.write_bytes(whole.replace(field, other, 1))
    [damage] = read_results(path).damage
    assert "line 1: " in damage
    assert said in damage


def test_a_file_without_a_single_result_is_no_log(path):
    path.write_text("name,score\nann,3\nbob,4\n")
    with pytest.raises(RecordError, match=r"not a log of results: .*line 1: JSON is malformed"):
        ResultLog(path)
    assert path.read_text() == "name,score\nann,3\nbob,4\n"


def test_a_log_with_times_keeps_every_answer(tmp_path):
    timed = SeatReport(latencies_ms=[3.0001, 1.0], wall_ms=[4.0, 1.5], strikes=1, dropped=2)
    timed.close()
    game = replace(GAMES[0], red=timed)
    with ResultLog(tmp_path / "results.jsonl", with_times=True) as log:
        log.add([game])
    red = read_results(tmp_path / "results.jsonl")[game.id].red
    assert (red.latencies_ms, red.wall_ms) == ([3.0, 1.0], [4.0, 1.5])
    assert (red.strikes, red.dropped) == (1, 2)


def test_a_log_that_is_not_there_is_empty(tmp_path):
    assert read_results(tmp_path / "none.jsonl") == {}


def test_two_writers_do_not_mix(path):
    code = (
        "import sys; from pathlib import Path\n"
        "from holmgang.arena.counting.results import ResultLog\n"
        "log = ResultLog(Path(sys.argv[1])); print('open', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout.readline() == b"open\n"
        with pytest.raises(UsageError, match="in use"):
            ResultLog(path)
        assert len(read_results(path)) == 5  # reading needs no lock
        other.kill()
    with ResultLog(path) as log:  # the lock has gone with it
        assert len(log.results) == 5


def test_a_folder_that_cannot_be_written_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot write the results"):
        ResultLog(tmp_path / "file" / "results.jsonl")


def test_what_is_added_is_in_the_file_at_once(tmp_path):
    path = tmp_path / "results.jsonl"
    log = ResultLog(path)
    log.add(GAMES[:2])
    assert len(read_results(path)) == 2
    log.close()
    log.close()  # again does no harm
    assert len(read_results(path)) == 2


# Fixtures


def test_every_fixture_has_a_seed_of_its_own_and_twins_too():
    one, other = pair("ann", "bob", 4)
    assert (one.red, one.blue) == (other.blue, other.red)
    seeds = {
        one.seed(7),
        other.seed(7),
        one.seed(8),
        Fixture("ann", "bob", 5).seed(7),
        Fixture("ann", "cid", 4).seed(7),
    }
    assert len(seeds) == 5


@pytest.mark.parametrize("text", ["ann--bob--3", "ann@2--bob-x@10--0", "a.b_c--d--12"])
def test_ids_are_read_as_they_are_written(text):
    assert parse_fixture(text).id == text


@pytest.mark.parametrize(
    "text", ["", "ann--bob", "ann--bob--x", "a---b--1", "-a--b--1", "a--b--1\n", "a b--c--1"]
)
def test_other_texts_are_no_ids(text):
    with pytest.raises(UsageError):
        parse_fixture(text)


@pytest.fixture
def small_files():
    """Files cannot become larger than 4,000 bytes, as on a disk that is full."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4000, limits[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    signal.signal(signal.SIGXFSZ, handler)


def test_what_cannot_be_written_leaves_whole_lines(tmp_path, small_files):
    path = tmp_path / "results.jsonl"
    with ResultLog(path) as log:
        log.add(GAMES)
        many = [result(Fixture("bob", "ann", number)) for number in range(100)]
        with pytest.raises(UsageError, match="cannot write the results"):
            log.add(many)
    assert len(read_results(path)) == len(GAMES)
    assert path.read_bytes().endswith(b"}\n")
