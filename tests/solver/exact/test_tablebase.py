"""Tablebases: what is written is found again, proven again, and never taken for another's."""

import json
from array import array
from dataclasses import replace
from itertools import product

import pytest

from holmgang.analysis.position import Assessor
from holmgang.errors import RecordError, RulesetError, StateError, UsageError
from holmgang.games.ruleset import load
from holmgang.solver.checksum import checksum
from holmgang.solver.evaluation import in_words
from holmgang.solver.exact.solve import solve_whole
from holmgang.solver.exact.tablebase import Keys, Tablebase, check, write
from holmgang.solver.oracle import Oracle
from holmgang.solver.tables import table_path

CITY_DUEL = "defend-the-city-duel:stamina=6,max_score=3,die=3"
TEXTS = ("bagh:max_boost=2,heal_limit=4", CITY_DUEL)


@pytest.fixture(scope="module", params=TEXTS)
def solved(request, tmp_path_factory):
    solution = solve_whole(request.param)
    path = write(solution, tmp_path_factory.mktemp("tables") / "new" / "game.table")
    return solution, path


def states(solution):
    table = solution.table
    fields = len(table.kernels.layout.names)
    for index in range(table.count):
        yield index, table.kernels.bound.kernels["unpack"](table.rows, index * fields)


def test_every_state_is_found(solved):
    solution, path = solved
    table = solution.table
    with Tablebase(path) as stored:
        for index, state in states(solution):
            found = stored.evaluate(state)
            assert found.value == pytest.approx(solution.values[index], abs=1e-8)
            assert stored.value(state) == found.value
            assert found.win - found.loss == pytest.approx(found.value, abs=1e-8)
            assert found.win + found.draw + found.loss == pytest.approx(1)
            assert len(found.red) in (table.numbers.reds[index], 0)
            assert sum(found.red.values()) == pytest.approx(1 if found.red else 0)


def test_the_stored_states_can_be_listed(solved):
    solution, path = solved
    with Tablebase(path) as stored:
        listed = [stored.state(place) for place in range(stored.count)]
    assert len(listed) == solution.table.count
    assert set(listed) == {state for _, state in states(solution)}


def test_the_proof_can_be_repeated(solved):
    solution, path = solved
    assert check(path) <= solution.exploitability + 1e-9


def test_no_choice_is_worth_more_than_the_value(solved, tmp_path, monkeypatch):
    solution, _ = solved
    monkeypatch.setenv("HOLMGANG_TABLES", str(tmp_path))
    write(solution, table_path(solution.ruleset))
    oracle = Oracle(solution.ruleset, budget_ms=1, build=False)
    for _, state in list(states(solution))[:200]:
        evaluation = oracle.evaluate(state)
        reds, blues = Assessor(oracle).assess(state).solution.against_mixes
        assert all(worth <= evaluation.value + 1e-7 for worth in reds.values())
        assert all(worth >= evaluation.value - 1e-7 for worth in blues.values())


def test_an_answer_is_worked_out(tmp_path):
    """Red has the lower offense; keeping it cannot hit, so giving it up is the better answer."""
    ruleset = load(TEXTS[1])
    path = write(solve_whole(ruleset), tmp_path / "duel.table")
    with Tablebase(path) as stored:
        state = ruleset.parse_state("6.1.0/6.2.2/0")
        found = stored.evaluate(state)
    assert found.blue == {}
    assert in_words(ruleset, found.red) == {"keep": 0.0, "forfeit": 1.0}


def test_a_state_that_cannot_be_reached_is_refused(solved):
    solution, path = solved
    start = solution.ruleset.initial()
    strange = start._replace(red=start.red._replace(**{start.red._fields[0]: 999}))
    with Tablebase(path) as stored, pytest.raises(StateError, match="cannot reach"):
        stored.evaluate(strange)


def test_a_file_of_other_rules_is_refused(solved, tmp_path):
    _, path = solved
    content = path.read_bytes()
    first, rest = content.split(b"\n", 1)
    header = {**json.loads(first), "ruleset_hash": "0" * 16}
    other = tmp_path / "other.table"
    other.write_bytes(json.dumps(header).encode() + b"\n" + rest)
    with pytest.raises(RulesetError, match="different rules"):
        Tablebase(other)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"not a table", "not a Holmgang tablebase"),
        (b"{}\n", "not a Holmgang tablebase"),
        (b'{"holmgang_table": 99}\n', "another format"),
        (None, "cannot read"),
    ],
)
def test_a_foreign_file_is_refused(tmp_path, content, message):
    path = tmp_path / "foreign.table"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(RecordError, match=message):
        Tablebase(path)


def test_a_cut_off_file_is_refused(solved, tmp_path):
    _, path = solved
    short = tmp_path / "short.table"
    short.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(RecordError, match="cut off"):
        Tablebase(short)


def test_a_place_that_cannot_be_written_to_is_refused(solved, tmp_path):
    solution, _ = solved
    (tmp_path / "taken").touch()
    with pytest.raises(UsageError, match="cannot write"):
        write(solution, tmp_path / "taken" / "bagh.table")


def bent(path, target, at, byte):
    """The table with one byte changed."""
    content = bytearray(path.read_bytes())
    content[at] ^= byte
    target.write_bytes(content)
    return target


@pytest.mark.parametrize("part", [0.0, 0.2, 0.4, 0.6, 0.8, 0.999])
def test_a_single_changed_byte_is_found_out(solved, tmp_path, part):
    """Also where no proof would notice: in a value, or in a mix that nobody comes to."""
    _, path = solved
    content = path.read_bytes()
    body = content.index(b"\n") + 1
    at = body + int(part * (len(content) - body))
    with pytest.raises(RecordError, match="checksum"):
        check(bent(path, tmp_path / "bent.table", at, 1))


def test_a_changed_header_is_found_out(solved, tmp_path):
    _, path = solved
    at = path.read_bytes().index(b'"exploitability": ') + len(b'"exploitability": ')
    with pytest.raises(RecordError, match="checksum"):
        check(bent(path, tmp_path / "bent.table", at, 1))


# Altered by someone who also writes a new checksum


def forged(path, target, alter):
    """The table with its header and columns altered, and a checksum as if that were right."""
    first, body = path.read_bytes().split(b"\n", 1)
    header, columns, at = json.loads(first), {}, 0
    count, guides = header["stored_states"], header["answers"] * header["stored_states"]
    wide = Keys(header["least"], header["spans"]).kind
    for name, kind, size in (
        ("values", "d", count),
        ("decided", "d", count),
        ("reds", "d", count * header["reds"]),
        ("blues", "d", count * header["blues"]),
        ("guides", "d", guides),
        ("below", "f", count),
        ("above", "f", count),
        ("keys", wide, count),
    ):
        end = at + size * array(kind).itemsize
        columns[name], at = array(kind, body[at:end]), end
    alter(header, columns)
    body = b"".join(columns.values())
    header["checksum"] = checksum(header, body)
    target.write_bytes(json.dumps(header).encode().ljust(len(first)) + b"\n" + body)
    return target


OTHER = {
    "ruleset": "bagh",
    "ruleset_hash": "0123456789abcdef",
    "rules_code": "0123456789abcdef",
    "solver_code": "0123456789abcdef",
    "solved_states": 10_000,
    "stored_states": 10,
    "symmetric": False,
    "answers": True,
    "least": [1] * 8,
    "spans": [30] * 8,
    "reds": 3,
    "blues": 5,
    "exploitability": 0.0,
    "worst_exploitability": 1e-13,
    "holmgang_table": 3,
}


def test_every_field_of_the_header_is_altered_below(solved):
    _, path = solved
    with Tablebase(path) as stored:
        assert {*OTHER, "checksum"} == stored.header.keys()


@pytest.mark.parametrize("name", OTHER)
def test_a_header_that_says_anything_else_is_found_out(solved, tmp_path, name):
    _, path = solved

    def alter(header, columns):
        other = OTHER[name]
        header[name] = not header[name] if isinstance(other, bool) else other

    with pytest.raises((RecordError, RulesetError)):
        check(forged(path, tmp_path / "forged.table", alter))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("exploitability", 1e-4),  # a claim of less is not true of the bounds either
        ("exploitability", float("nan")),
        ("worst_exploitability", 1e-4),
        ("solved_states", 1),
        ("spans", [0] * 8),
        ("least", ["0"] * 8),
        ("least", []),
        ("reds", True),
        ("proven_by", "me"),
    ],
)
def test_a_header_with_odd_values_is_found_out(solved, tmp_path, name, value):
    _, path = solved
    with pytest.raises(RecordError):
        check(
            forged(path, tmp_path / "forged.table", lambda header, _: header.update({name: value}))
        )


def test_a_larger_span_is_found_out(solved, tmp_path):
    """The span of the first field decides no key."""
    _, path = solved

    def alter(header, columns):
        header["spans"][0] += 1

    with pytest.raises(RecordError, match="spans in its header"):
        check(forged(path, tmp_path / "forged.table", alter))


@pytest.mark.parametrize("other", [0.25, -0.25, float("nan"), float("inf")])
@pytest.mark.parametrize(
    ("solved", "name"),
    [
        *product(TEXTS, ["values", "decided", "reds", "blues", "below", "above", "keys"]),
        (CITY_DUEL, "guides"),  # in BAGH nobody answers a reveal
    ],
    indirect=["solved"],
)
def test_a_column_that_says_anything_else_is_found_out(solved, tmp_path, name, other):
    _, path = solved

    def alter(header, columns):
        column = columns[name]
        if name == "keys":
            column[len(column) // 2] += 1 if other > 0 else 2
        elif name in ("below", "above"):
            column[len(column) // 2] = -abs(other)  # a bound that is closer than the proven one
        else:
            column[len(column) // 2] += other

    with pytest.raises(RecordError):
        check(forged(path, tmp_path / "forged.table", alter))


def test_a_sound_table_whose_values_settle_slowly_passes(tmp_path):
    """Its values are known to 5e-7 only, and sweeps from other values end elsewhere."""
    solution = solve_whole("bagh:start_hp=2,max_boost=1,heal_limit=1")
    path = write(solution, tmp_path / "slow.table")
    assert check(path) <= solution.exploitability + 1e-9


def test_values_that_are_not_those_of_the_mixes_are_found_out(solved, tmp_path):
    solution, _ = solved
    values = array("d", (value / 2 for value in solution.values))
    path = write(replace(solution, values=values), tmp_path / "halved.table")
    with pytest.raises(RecordError, match=r"values that are off|leave out a value"):
        check(path)
