"""Records: what is written while a duel is played, and that it replays."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.duels import random_duel, replayed_alike
from tests.strategies import rulesets

from holmgang.engine import record
from holmgang.engine.course import encode_state, hash_state
from holmgang.engine.duel import Duel
from holmgang.engine.events import parse_event
from holmgang.errors import RecordError
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.outcome import Outcome
from holmgang.games.ruleset import load
from holmgang.version import VERSION

OLDER = Path(__file__).parent / "older_records"
"""Written by `holmgang match GAME greedy random` of commit 4bdb0e4."""


def half_played(ending=None):
    duel = Duel("bagh:start_hp=9", seed=5, start="9.0.2.3/9.1.0.0")
    for red, blue in (("guard", "attack"), ("boost", "heal")):
        duel.choose("red", red)
        duel.choose("blue", blue)
        duel.reveal()
    if ending:
        ending(duel)
    return duel


ENDINGS = {
    "unfinished": None,
    "forfeit": lambda duel: duel.forfeit("red"),
    "agreement": lambda duel: [duel.offer_draw(seat) for seat in ("red", "blue")],
    "abandoned": Duel.abandon,
    "timeout": lambda duel: duel.disqualify(["red"], "timeout"),
    "invalid": lambda duel: duel.disqualify(["blue"], "invalid"),
    "crash of both": lambda duel: duel.disqualify(["red", "blue"], "crash"),
}


@pytest.mark.parametrize("name", CATALOGUE)
def test_a_record_replays(name, tmp_path):
    duel = random_duel(name)
    read = record.read(record.save(duel, tmp_path / "duel.jsonl"))
    assert read.is_complete
    assert replayed_alike(duel, record.replay(read))


@pytest.mark.parametrize("ending", ENDINGS)
def test_however_it_ended(ending, tmp_path):
    duel = half_played(ENDINGS[ending])
    path = record.save(duel, tmp_path / "duel.jsonl")
    assert record.read(path).is_complete == (ending != "unfinished")
    assert replayed_alike(duel, record.replay(path))


def test_however_soon_it_ended(tmp_path):
    duel = Duel("bagh", seed=1)
    duel.forfeit("blue")
    assert replayed_alike(duel, record.replay(record.save(duel, tmp_path / "forfeit.jsonl")))
    limited = random_duel("bagh", round_limit=2)
    assert limited.outcome.reason == "limit"
    assert replayed_alike(limited, record.replay(record.save(limited, tmp_path / "limit.jsonl")))


@pytest.mark.parametrize("settings", ["", "soldiers=3"])
def test_a_record_from_before_a_rule_was_added_replays(settings, tmp_path):
    """D9: its text says nothing of the rule, but its hash is that of the rules it was played by."""
    duel = random_duel(f"defend-the-city:endless_loses=0,{settings}".rstrip(","), round_limit=2)
    assert duel.outcome == Outcome(None, "limit")
    path = record.save(duel, tmp_path / "duel.jsonl")
    text = f"defend-the-city:{settings}".rstrip(":")
    content = path.read_text().replace(duel.ruleset.text, text)
    read = record.parse(content)
    assert read.header["ruleset"] == text
    assert read.ruleset == duel.ruleset
    assert replayed_alike(duel, record.replay(read))
    events = [event.as_json() for event in duel.events]
    again = Duel.from_events(parse_event({**event, "ruleset": text}) for event in events)
    assert replayed_alike(duel, again)


@pytest.mark.parametrize("path", sorted(OLDER.glob("*.jsonl")), ids=lambda path: path.stem)
def test_records_of_an_older_version_replay(path):
    read = record.read(path)
    duel = record.replay(read)
    assert duel.is_over
    assert len(duel.rounds) == len(read.rounds)
    assert path.stem == read.ruleset.entry.name


def test_there_is_an_older_record_of_each_game():
    assert {path.stem for path in OLDER.glob("*.jsonl")} == set(CATALOGUE)


def test_the_rules_before_d9_have_the_hash_that_old_records_have():
    assert load("defend-the-city:endless_loses=0").hash == "7c496f6ef9c0c90c"


@given(ruleset=rulesets(), seed=st.integers(0, 2**64 - 1))
def test_a_record_replays_under_any_rules(ruleset, seed, tmp_path_factory):
    duel = random_duel(ruleset.text, seed, round_limit=40)
    path = tmp_path_factory.mktemp("records") / "duel.jsonl"
    assert replayed_alike(duel, record.replay(record.save(duel, path)))


def test_what_is_written(tmp_path):
    duel = Duel("bagh:start_hp=1", seed=9, clock=lambda: 0.0)
    duel.choose("red", "attack")
    duel.choose("blue", "heal")
    duel.reveal()
    path = record.save(duel, tmp_path / "duel.jsonl", seats={"red": {"name": "Björn"}})
    assert [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] == [
        {
            "holmgang": 1,
            "ruleset": "bagh:start_hp=1",
            "ruleset_hash": duel.ruleset.hash,
            "engine": VERSION,
            "seats": {"red": {"name": "Björn"}, "blue": {"name": "blue"}},
            "seed": 9,
            "round_limit": 1000,
        },
        {
            "round": 1,
            "red": "attack",
            "blue": "heal",
            "chance": None,
            "ms": {"red": 0, "blue": 0},
            "state": hash_state(encode_state(duel.state_json)),
        },
        {"result": {"winner": "red", "reason": "hp"}, "rounds": 1},
    ]


def test_chance_is_stored_not_only_the_seed(tmp_path):
    duel = random_duel("defend-the-city")
    assert any(revealed.chance for revealed in duel.rounds)
    path = record.save(duel, tmp_path / "duel.jsonl")
    text = path.read_text(encoding="utf-8").replace(f'"seed":{duel.seed}', '"seed":4711')
    assert replayed_alike(duel, record.replay(record.parse(text)))


def test_the_start_is_stored_if_it_is_not_the_games_own(tmp_path):
    elsewhere = record.read(record.save(half_played(), tmp_path / "elsewhere.jsonl"))
    usual = record.read(record.save(random_duel("bagh"), tmp_path / "usual.jsonl"))
    assert elsewhere.header["start"]["red"]["shield_damage"] == 3
    assert "start" not in usual.header


def test_a_writer_writes_as_it_happens(tmp_path):
    path = tmp_path / "new folder" / "duel.jsonl"
    writer = record.RecordWriter(path, seats={"blue": {"name": "random"}}, match={"game": 2})
    duel = Duel("bagh", seed=1, follower=writer)
    for number in (1, 2, 3):
        duel.choose("red", "boost")
        duel.choose("blue", "guard")
        duel.reveal()
        read = record.read(path)
        assert len(read.rounds) == number
        assert replayed_alike(duel, record.replay(read))
    duel.forfeit("blue")
    read = record.read(path)
    assert read.is_complete
    assert read.header["seats"] == {"red": {"name": "red"}, "blue": {"name": "random"}}
    assert read.header["match"] == {"game": 2}
    assert read.header["started"]
    assert replayed_alike(duel, record.replay(read))


def test_a_writer_and_save_write_the_same_but_for_the_time(tmp_path):
    writer = record.RecordWriter(tmp_path / "written.jsonl")
    saved = record.save(random_duel("magic-duel", follower=writer), tmp_path / "saved.jsonl")
    written = record.read(tmp_path / "written.jsonl")
    read = record.read(saved)
    assert (written.rounds, written.result) == (read.rounds, read.result)
    assert {**read.header, "started": written.header["started"]} == written.header


def test_a_writer_keeps_no_choice_before_the_reveal(tmp_path):
    path = tmp_path / "duel.jsonl"
    writer = record.RecordWriter(path)
    duel = Duel("bagh", seed=1, follower=writer)
    before = path.read_bytes()
    duel.choose("red", "boost")
    assert path.read_bytes() == before
    duel.abandon()


def test_no_file_is_overwritten(tmp_path):
    path = tmp_path / "duel.jsonl"
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(RecordError, match="cannot write the record"):
        record.save(half_played(), path)
    with pytest.raises(RecordError, match="cannot write the record"):
        half_played(record.RecordWriter(path).start)
    assert path.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    "name",
    [
        "",
        'Ann "the Axe"',
        "Zoë",
        "龍",
        "two\nlines",
        "a\u2028b",
        "a\x85b",
        "\x1c",
        "\r",
        "\\",
        "☠" * 99,
    ],
)
def test_any_name_can_be_written(name, tmp_path):
    duel = half_played()
    path = record.save(duel, tmp_path / "duel.jsonl", seats={"red": {"name": name}})
    read = record.read(path)
    assert read.header["seats"]["red"]["name"] == name
    assert replayed_alike(duel, record.replay(read))


def test_a_name_that_is_no_text_leaves_a_record_all_the_same(tmp_path):
    path = record.save(half_played(), tmp_path / "duel.jsonl", seats={"red": {"name": "\ud800"}})
    assert record.read(path).rounds


def test_replaying_shows_the_duel_after_each_round(tmp_path):
    duel = half_played(lambda it: it.forfeit("red"))
    read = record.read(record.save(duel, tmp_path / "duel.jsonl"))
    seen = [(len(it.rounds), it.outcome and it.outcome.reason) for it in record.replaying(read)]
    assert seen == [(0, None), (1, None), (2, None), (2, "forfeit")]


def test_windows_line_ends_are_read(tmp_path):
    path = record.save(half_played(), tmp_path / "duel.jsonl")
    text = path.read_text(encoding="utf-8")
    assert record.parse(text.replace("\n", "\r\n")).rounds == record.parse(text).rounds


def test_fields_of_ones_own_are_passed_over(tmp_path):
    path = record.save(half_played(), tmp_path / "duel.jsonl")
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    text = "".join(json.dumps({**line, "mine": [1]}) + "\n" for line in lines)
    assert replayed_alike(half_played(), record.replay(record.parse(text)))


def test_the_hash_of_a_state_does_not_depend_on_the_order_of_its_keys():
    one, other = {"a": 1, "b": {"c": 2, "d": 3}}, {"b": {"d": 3, "c": 2}, "a": 1}
    assert hash_state(encode_state(one)) == hash_state(encode_state(other))
    assert hash_state(encode_state(one)) != hash_state(encode_state({**one, "a": 2}))


@pytest.mark.parametrize("ms", [{}, {"red": 0}, {"blue": 12345}, {"red": 7, "blue": 0}])
@pytest.mark.parametrize("mix", [None, {"red": {"boost": 0.5, "heal": 0.5}}])
def test_a_line_made_of_json_is_the_line_made_of_values(ms, mix):
    public = {"red": "boost", "blue": None, "chance": {"red_mends": True}}
    line = {"round": 3, **public, "ms": ms, "state": "0123456789abcdef"}
    line |= {} if mix is None else {"mix": mix}
    made = record.round_line(
        3,
        record.encode(public).encode(),
        ms.get("red"),
        None if "blue" not in ms else ms["blue"] + 0.4,
        b"0123456789abcdef",
        None if mix is None else record.encode(mix).encode(),
    )
    assert made == record.encoded(line)


def test_a_replay_knows_how_long_choices_took(tmp_path):
    now = iter([0.0, 2.5, 4.0, 5.0, 6.0, 6.001, 6.001])
    duel = Duel("bagh", seed=1, clock=lambda: next(now))
    for red, blue in (("boost", "guard"), ("guard", "boost")):
        for seat, word in (("blue", blue), ("red", red)):
            duel.choose(seat, word)
        duel.reveal()
    path = record.save(duel, tmp_path / "duel.jsonl")
    assert [it.ms for it in duel.rounds] == [
        {"red": 4000, "blue": 2500},
        {"red": 1001, "blue": 1000},
    ]
    assert record.replay(path).rounds == duel.rounds
    again = record.resume(record.read(path))
    assert record.save(again, tmp_path / "again.jsonl").read_bytes() == path.read_bytes()


# Going on with an unfinished one


def play_on(duel, rounds, choices):
    for _ in range(rounds):
        if duel.is_over:
            return
        for seat in duel.waiting_for:
            duel.choose(seat, choices.choice(duel.choices(seat)))
        duel.reveal()


@pytest.mark.parametrize("name", CATALOGUE)
@pytest.mark.parametrize("played", [0, 1, 7])
def test_a_duel_that_is_resumed_goes_on_as_it_would_have(name, played, tmp_path):
    """The same choices meet the same dice, and the record is that of a duel without a break."""
    whole, broken = (record.RecordWriter(tmp_path / file) for file in ("whole", "broken"))
    duel = Duel(name, seed=3, follower=whole)
    play_on(duel, 20, random.Random(name))
    whole.close()
    choices = random.Random(name)
    first = Duel(name, seed=3, follower=broken)
    play_on(first, played, choices)
    broken.close()
    again = record.resume(record.read(broken.path))
    assert (again.rounds, again.state) == (first.rounds, first.state)  # times included
    again.follower = record.RecordWriter(broken.path)
    again.follower.reopen(again)
    play_on(again, 20 - played, choices)
    again.follower.close()
    assert again.state == duel.state
    without_times = [
        [{key: line.get(key) for key in ("red", "blue", "chance", "state")} for line in read.rounds]
        for read in map(record.read, (whole.path, broken.path))
    ]
    assert without_times[0] == without_times[1]


def test_a_line_that_was_cut_off_is_written_again(tmp_path):
    path = record.save(half_played(), tmp_path / "record")
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"round":3,"red":"boo')
    with pytest.raises(RecordError, match="cut off"):
        record.read(path)
    found = record.read_so_far(path)
    assert len(found.rounds) == 2
    writer = record.RecordWriter(path)
    duel = record.resume(found)
    writer.reopen(duel)
    duel.follower = writer
    duel.forfeit("red")
    assert path.read_bytes().startswith(whole)
    assert record.replay(path).outcome.reason == "forfeit"


def test_a_record_that_is_being_written_is_not_resumed(tmp_path):
    writer = record.RecordWriter(tmp_path / "record")
    duel = Duel("bagh", seed=1, follower=writer)
    assert record.is_locked(writer.path)
    with pytest.raises(RecordError, match="is being written by another process"):
        record.RecordWriter(writer.path).reopen(duel)
    writer.close()
    assert not record.is_locked(writer.path)
