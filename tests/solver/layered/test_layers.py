"""Solving by layers: as the general solver finds it, through interruptions, and proven again."""

import json
from functools import partial

import pytest
from bench import fencing_values

from holmgang.errors import RecordError, RulesetError, StateError, UsageError
from holmgang.games.ruleset import load
from holmgang.solver.checksum import checksum, origin
from holmgang.solver.exact.solve import solve_whole
from holmgang.solver.exact.table import tabulate
from holmgang.solver.layered import layer as layer_module
from holmgang.solver.layered import layers as layers_module
from holmgang.solver.layered.file import (
    LAYERS_CODE,
    LayerFile,
    format_line,
    pack_block,
    unpack_block,
)
from holmgang.solver.layered.layer import Crew, Layer
from holmgang.solver.layered.layers import Layers, check, following, solve_layers
from holmgang.solver.layered.places import Places, has_clock
from holmgang.solver.oracle import Oracle
from holmgang.solver.tables import layers_path

SMALL = "fencing:league=1,turns=8,points_to_win=2,max_energy=6,start_energy=6,piste=80"
SYMMETRIC = f"{SMALL},red_start=20,blue_start=60"
ASYMMETRIC = f"{SMALL},red_start=20,blue_start=40,lead_to_win=1,level_collides=1"


@pytest.fixture(scope="module", params=[SYMMETRIC, ASYMMETRIC], ids=["symmetric", "asymmetric"])
def solved(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("layers") / "new" / "fencing.layers"
    return request.param, path, solve_layers(request.param, path, workers=2)


@pytest.fixture(scope="module")
def symmetric(tmp_path_factory):
    path = tmp_path_factory.mktemp("layers") / "fencing.layers"
    solve_layers(SYMMETRIC, path, workers=1)
    return path


@pytest.fixture(scope="module")
def many_turns(tmp_path_factory):
    path = tmp_path_factory.mktemp("layers") / "fencing.layers"
    solve_layers(SYMMETRIC.replace("turns=8", "turns=16"), path, workers=1)
    return path


def rewritten(path, target, body=None, **changes):
    """The file with other things in its header, and a checksum as if that were right."""
    first, old_body = path.read_bytes().split(b"\n", 1)
    body = old_body if body is None else body
    header = {**json.loads(first), **changes}
    header["checksum"] = checksum(header, body)
    target.write_bytes(format_line(header) + body)
    return target


# What is found


@pytest.mark.thorough
def test_as_the_general_solver_finds_it(solved):
    text, path, summary = solved
    general = solve_whole(text)
    table = general.table
    unpack, width = table.kernels.bound.kernels["unpack"], len(table.kernels.layout.names)
    with Layers(path, workers=1) as layers:
        for index in range(table.count):
            evaluation = layers.evaluate(unpack(table.rows, index * width))
            assert evaluation.value == pytest.approx(general.values[index], abs=1e-9)
            assert evaluation.low <= evaluation.value <= evaluation.high
            assert evaluation.is_exact
            for mix in (evaluation.red, evaluation.blue):
                assert list(mix) == [0, 1, 2, 3, 4]
                assert min(mix.values()) >= 0
                assert sum(mix.values()) == pytest.approx(1)
    assert summary.value == pytest.approx(general.values[0], abs=1e-9)
    assert summary.exploitability < 1e-7
    assert summary.bytes == path.stat().st_size


def test_the_chances_of_the_start(solved):
    _, path, summary = solved
    start = LayerFile(path).header["start"]
    assert start["win"] + start["draw"] + start["loss"] == pytest.approx(1)
    assert start["win"] - start["loss"] == pytest.approx(summary.value)
    assert 0 < start["draw"] < 1


def test_chances_are_those_of_the_mixes(solved):
    text, path, _ = solved
    table = tabulate(load(text))
    unpack, width, drawn = table.kernels.bound.kernels["unpack"], table.fields, 0
    with Layers(path, workers=1) as layers:
        for index in range(0, table.count, 15):
            evaluation = check_chances(layers, unpack(table.rows, index * width))
            drawn += evaluation.decided - abs(evaluation.value) > 1e-3
    assert drawn > 5  # the value alone would not have told the chances


@pytest.mark.parametrize("text", ["4/20.4.2/40.6.2", "4/40.3.2/40.3.2", "4/60.4.2/80.6.2"])
def test_chances_where_a_matrix_has_several_solutions(many_turns, text):
    """Which one is found depends on the turn after. It is the same for the mixes and the chances
    of the states that follow these.
    """
    with Layers(many_turns, workers=1) as layers:
        ruleset = layers.ruleset
        check_chances(layers, ruleset.parse_state(text))


def check_chances(layers, state):
    """Someone wins as often as the mixes say, one round ahead."""
    ruleset = layers.ruleset
    evaluation, decided, value = layers.evaluate(state), 0.0, 0.0
    for red, red_share in evaluation.red.items():
        for blue, blue_share in evaluation.blue.items():
            if red_share * blue_share > 0:
                after = ruleset.resolve_unchecked(state, red, blue, 0)
                worth = ruleset.utility(after)
                if worth is None:
                    found = layers.evaluate(after)
                    worth, chance = found.value, found.decided
                else:
                    chance = abs(worth)
                value += red_share * blue_share * worth
                decided += red_share * blue_share * chance
    assert evaluation.decided == pytest.approx(decided, abs=1e-6)
    assert evaluation.value == pytest.approx(value, abs=1e-8)
    return evaluation


def test_the_other_side_sees_the_same(symmetric):
    ruleset = load(SYMMETRIC)
    state = ruleset.parse_state("4/20.3.1/40.5.0")
    mirror = ruleset.mirror(state)
    with Layers(symmetric, workers=1) as layers:
        found, seen = layers.evaluate(state), layers.evaluate(mirror)
    assert (seen.value, seen.red, seen.blue) == (-found.value, found.blue, found.red)
    assert (seen.low, seen.high) == (-found.high, -found.low)


def test_what_is_ready_is_not_solved_again(symmetric, monkeypatch):
    ruleset = load(SYMMETRIC)
    parse = ruleset.game.notation.parse_text
    with Layers(symmetric, workers=1) as layers:
        layers.ready(parse(ruleset.rules, "3/20.3.1/60.3.0"))
        monkeypatch.setattr(layer_module, "turn_solver", None)
        layers.evaluate(parse(ruleset.rules, "3/20.4.1/60.5.0"))
        layers.evaluate(parse(ruleset.rules, "5/20.4.1/40.5.0"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0/20.6.1/60.6.0", "cannot reach"),  # nobody has scored before the first turn
        ("4/19.6.0/60.6.0", "cannot reach"),  # nor walks by ones
        ("4/20.6.2/60.6.0", "the duel is over"),
        ("8/20.6.0/60.6.0", "the duel is over"),
    ],
)
def test_what_cannot_be_asked(symmetric, text, message):
    ruleset = load(SYMMETRIC)
    with Layers(symmetric, workers=1) as layers, pytest.raises(StateError, match=message):
        layers.evaluate(ruleset.parse_state(text))


# What is refused


@pytest.mark.parametrize("league", [2, 3])
def test_too_many_states_are_refused(league):
    with pytest.raises(UsageError, match=r"too many states: more than 500 .* MiB of memory"):
        Places(load(f"fencing:league={league}"), most=500, interpret=True)


def test_the_limit_of_states_is_one_of_memory(monkeypatch):
    monkeypatch.setattr("holmgang.solver.layered.places.MOST_MIB", 1)
    with pytest.raises(UsageError, match="more than 1,032 for a single turn and score"):
        Places(load("fencing:league=2"), interpret=True)


def test_a_game_without_a_clock_is_refused(tmp_path):
    assert has_clock(load("fencing"))
    assert not has_clock(load("bagh"))
    with pytest.raises(UsageError, match="its states lack turn"):
        solve_layers("bagh", tmp_path / "bagh.layers")


def test_rules_that_change_with_the_turn_are_noticed(symmetric):
    """The codes of one turn serve for others, and are compared with the rules at each."""
    file, places = LayerFile(symmetric), Places(load(SYMMETRIC))
    with Crew(1) as crew:
        known = partial(following, places, file.arrivals)
        layer = Layer(places, (0, 0), file.firsts, known, crew)
        layer.solve_to(2)
        layer._codes[7] += 1
        with pytest.raises(UsageError, match="must not change how a round"):
            layer.solve_to(0)


# Interruptions


class Interruption:
    """Ctrl-C when so many layers are in the draft."""

    def __init__(self, draft, layers):
        self.draft, self.layers = draft, layers

    def __call__(self, said):
        if self.draft.exists() and self.draft.read_bytes().count(b'{"score"') >= self.layers:
            raise KeyboardInterrupt


@pytest.mark.parametrize("torn", [0, 5, 60])
def test_it_goes_on_after_an_interruption(symmetric, tmp_path, monkeypatch, torn):
    """And if the end of the draft never reached the disk, from before that."""
    monkeypatch.setattr("holmgang.solver.layered.layers.REPORT_SECONDS", 0.0)
    path, draft = tmp_path / "fencing.layers", tmp_path / "fencing.layers.draft"
    with pytest.raises(KeyboardInterrupt):
        solve_layers(SYMMETRIC, path, workers=1, progress=Interruption(draft, 3))
    assert not path.exists()
    content = draft.read_bytes()
    first = json.loads(content.split(b"\n", 1)[0])
    assert first == {"holmgang_layers_draft": 2, **origin(load(SYMMETRIC), *LAYERS_CODE)}
    draft.write_bytes(content[: len(content) - torn])
    told = []
    solve_layers(SYMMETRIC, path, workers=2, progress=told.append)
    assert not any("score 4-4" in said for said in told)
    assert path.read_bytes() == symmetric.read_bytes()
    assert list(tmp_path.iterdir()) == [path]


def test_a_draft_of_other_rules_is_not_gone_on_with(symmetric, tmp_path):
    path = tmp_path / "fencing.layers"
    (tmp_path / "fencing.layers.draft").write_bytes(b'{"holmgang_layers_draft":1}\nwhatever')
    solve_layers(SYMMETRIC, path, workers=1)
    assert path.read_bytes() == symmetric.read_bytes()


def test_two_do_not_solve_the_same(tmp_path):
    path = tmp_path / "fencing.layers"

    def meanwhile(said):
        if path.with_name("fencing.layers.draft").exists():
            solve_layers(SYMMETRIC, path, workers=1)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("holmgang.solver.layered.layers.REPORT_SECONDS", 0.0)
        with pytest.raises(UsageError, match="by another process"):
            solve_layers(SYMMETRIC, path, workers=1, progress=meanwhile)


@pytest.mark.parametrize(("kept_mib", "solved"), [(512, 2), (0, 6)])
def test_layers_that_fit_in_memory_are_solved_once(symmetric, monkeypatch, kept_mib, solved):
    """Questions about two scores in turn, as `holmgang value --stdin` may get them."""
    made = []

    class Counted(Layer):
        def __init__(self, places, score, *more, **others):
            made.append(score)
            super().__init__(places, score, *more, **others)

    monkeypatch.setattr(layers_module, "Layer", Counted)
    with Layers(symmetric, workers=1, kept_mib=kept_mib) as layers:
        start = layers.ruleset.initial()
        ahead = start._replace(turn=3, red=start.red._replace(score=1))
        for _ in range(3):
            for state in (start, ahead):
                layers.ready(state)
                found = layers.evaluate(state)
                choice = next(iter(found.red)), next(iter(found.blue))
                layers.pair_value(state, *choice)
    assert len(made) == solved
    assert len(set(made)) == 2


# Files


def test_blocks_are_unpacked_as_they_were_packed():
    numbers = [-1.0, 1.0, 0.0, 0.25, 1.0, -1.0, 1e-10, 0.125]
    block = pack_block(numbers, 2)
    assert list(unpack_block(block, 2, 4)) == pytest.approx(numbers, abs=2**-31)
    for broken in (block[:-1], b"", block[:5] + b"?" + block[6:]):
        with pytest.raises(RecordError, match="a layer of the file"):
            unpack_block(broken, 2, 4)
    with pytest.raises(RecordError, match="wrong size"):
        unpack_block(block, 2, 3)


def test_a_file_of_other_rules_is_refused(symmetric, tmp_path):
    other = rewritten(symmetric, tmp_path / "other.layers", ruleset_hash="0" * 16)
    with pytest.raises(RulesetError, match="different rules"):
        Layers(other)


def without_its_last_layer(path, target):
    *layers, last = LayerFile(path).header["layers"]
    _, body = path.read_bytes().split(b"\n", 1)
    return rewritten(path, target, body[: -sum(last[4:])], layers=layers)


def test_a_file_without_all_layers_is_refused(symmetric, tmp_path):
    few = without_its_last_layer(symmetric, tmp_path / "few.layers")
    ruleset = load(SYMMETRIC)
    with Layers(few) as opened, pytest.raises(RecordError, match="not have the layers of fencing"):
        opened.evaluate(ruleset.initial())


def test_a_file_without_all_layers_is_searched_instead(symmetric, tmp_path, monkeypatch, caplog):
    monkeypatch.setenv("HOLMGANG_TABLES", str(tmp_path))
    without_its_last_layer(symmetric, layers_path(load(SYMMETRIC)))
    oracle = Oracle(SYMMETRIC, budget_ms=50)
    assert oracle.evaluate().depth > 0
    assert not oracle.has_table
    assert "searching instead" in caplog.text


@pytest.mark.parametrize("cut", [slice(None, -1), slice(None, 300), slice(0, 0)])
def test_a_cut_off_file_is_refused(symmetric, tmp_path, cut):
    short = tmp_path / "short.layers"
    short.write_bytes(symmetric.read_bytes()[cut])
    with pytest.raises(RecordError, match=r"cut off|not a Holmgang layers file"):
        Layers(short)


@pytest.mark.parametrize("place", [30, 300, -30])
def test_a_damaged_file_is_refused(symmetric, tmp_path, place):
    content = bytearray(symmetric.read_bytes())
    content[place] ^= 1
    damaged = tmp_path / "damaged.layers"
    damaged.write_bytes(content)
    with pytest.raises(RecordError, match="damaged"):
        Layers(damaged)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"not layers\n", "not a Holmgang layers file"),
        (b"[]\n", "not a Holmgang layers file"),
        (
            b'{"holmgang_layers": 1}\n',
            "format 1; this version reads format 3; rebuild it with holmgang solve",
        ),
        (None, "cannot read"),
    ],
)
def test_a_foreign_file_is_refused(tmp_path, content, message):
    path = tmp_path / "foreign.layers"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(RecordError, match=message):
        Layers(path)


# Checking


def test_the_proof_can_be_repeated(solved, monkeypatch):
    _, path, summary = solved
    whole = check(path, workers=1)  # there are few states
    monkeypatch.setattr(layers_module, "FEW_STATES", 0)
    sample = check(path, workers=1)
    assert sample.layers < sample.of or sample.of <= 4
    assert whole.layers == whole.of == len(LayerFile(path).header["layers"])
    assert sample.exploitability == whole.exploitability == summary.exploitability
    assert 0 < whole.largest_difference <= 2**-31


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ruleset", SYMMETRIC.replace("turns=8", "turns=9")),
        ("ruleset", "bagh"),
        ("ruleset_hash", "0" * 16),
        ("rules_code", "0" * 16),
        ("solver_code", "0" * 16),
        ("holmgang_layers", 2),
        ("states", 1),
        ("places", 734),
        ("places", "735"),
        ("arrivals", 1),
        ("turns", 9),
        ("start", {"value": 0.0, "win": 0.0, "draw": 1.0, "loss": 0.0}),
        ("start", {}),
        ("start", 1),
        ("exploitability", 0.0),
        ("exploitability", 1e-3),
        ("exploitability", float("nan")),
        ("layers", []),
        ("layers", [1]),
        ("proven_by", "me"),
    ],
)
def test_a_header_that_says_anything_else_does_not_pass(symmetric, tmp_path, name, value):
    with pytest.raises((RecordError, RulesetError)):
        check(rewritten(symmetric, tmp_path / "bold.layers", **{name: value}))


def test_every_field_of_the_header_is_altered_above(symmetric):
    marks = test_a_header_that_says_anything_else_does_not_pass.pytestmark
    (altered,) = (mark.args[1] for mark in marks if mark.name == "parametrize")
    assert LayerFile(symmetric).header.keys() - {"checksum"} <= {name for name, _ in altered}


def test_a_smaller_error_than_there_is_does_not_pass(symmetric, tmp_path):
    layers = LayerFile(symmetric).header["layers"]
    layers[0][3] /= 2
    with pytest.raises(RecordError, match="not proven"):
        check(rewritten(symmetric, tmp_path / "bold.layers", layers=layers), whole=True)


@pytest.mark.parametrize(
    ("part", "message"), [(0, "values at 1-0 are not proven"), (1, "chances at 1-0 do not match")]
)
def test_another_number_than_the_right_one_does_not_pass(symmetric, tmp_path, part, message):
    file = LayerFile(symmetric)
    score = (1, 0)
    known = file.arrivals(score)
    numbers = (known.values, known.decided)[part]
    numbers[3] += 2e-6 if numbers[3] < 0.5 else -2e-6
    block = pack_block(numbers, file.header["arrivals"])
    begin, end = file._spans[score][part : part + 2]
    _, body = symmetric.read_bytes().split(b"\n", 1)
    layers = file.header["layers"]
    next(layer for layer in layers if layer[:2] == [*score])[4 + part] = len(block)
    forged = rewritten(
        symmetric,
        tmp_path / "forged.layers",
        body[:begin] + block + body[end:],
        layers=layers,
    )
    with pytest.raises(RecordError, match=message):
        check(forged, whole=True)


def test_the_figures_of_the_pages_are_printed_from_the_file(many_turns, capsys):
    fencing_values.main([str(many_turns)])
    shown = capsys.readouterr().out
    assert "94,080 states, 735 places" in shown
    assert "| `0/20/60` | +0.000000 |" in shown
    fencing_values.main([str(many_turns), "4/20.4.2/40.6.2"])
    assert "| `4/20.4.2/40.6.2` |" in capsys.readouterr().out
