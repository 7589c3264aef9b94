"""Datasets: the games of a simulation, with what the solver knows of every state."""

import json
import signal
import subprocess
import sys

import numpy as np
import pytest
from tests import forked
from tests.games.one_file import standoff  # noqa: F401 - a fixture
from tests.patience import PATIENCE

import holmgang
from holmgang.analysis import dataset as module
from holmgang.analysis.dataset import DESCRIPTION, read_dataset, write_dataset
from holmgang.errors import RecordError, UsageError
from holmgang.simulation.batch import choice_sets, face_counts, step_states

SMALL = "bagh:start_hp=2,max_boost=1,heal_limit=1"
CITY = "defend-the-city:stamina=2,max_score=1,soldiers=2"


def command(*arguments):
    return forked.run(["dataset", *arguments], capture_output=True, text=True, check=False)


@pytest.fixture
def small_parts(monkeypatch):
    monkeypatch.setattr(module, "PART_GAMES", 8)


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("text", [SMALL, CITY])
@pytest.mark.parametrize("players", [("random", "random"), ("perfect", {"guard": 1})])
def test_rows_follow_from_the_rules(text, players, tmp_path, small_parts):
    """Each row leads to the next by the rules, and the last one of a game to its result."""
    if text == CITY and players[0] != "random":
        players = ("perfect", "perfect")
    games = holmgang.dataset(text, tmp_path, games=20, seed=3, red=players[0], blue=players[1])
    rows = games["state"], games["red"], games["blue"]
    assert np.array_equal(games["faces"], face_counts(text, *rows))
    assert (games["face"] < games["faces"]).all()
    after, ends = step_states(text, *rows, games["face"])
    is_last = np.append(games["game"][1:] != games["game"][:-1], True)
    assert np.array_equal(after[~is_last], games["state"][1:][~is_last[:-1]])
    assert (ends[~is_last] == 0).all()
    endless = holmgang.load(text).endless_ending  # how the round limit ends a game
    ends = np.where(ends == 0, 3 * endless.reason + endless.winner + 1, ends)[is_last]
    assert np.array_equal(ends // 3, games["reason"][is_last])
    assert np.array_equal(np.array([0, 1, -1])[ends % 3], games["result"][is_last])
    assert games["game"][is_last].tolist() == list(range(20))
    assert (games["round"][1:][~is_last[:-1]] == games["round"][:-1][~is_last[:-1]] + 1).all()


def test_games_are_those_of_a_simulation(tmp_path):
    weights = {"attack": 2, "guard": 1}
    games = holmgang.dataset(SMALL, tmp_path, games=500, seed=4, red=weights, blue="random")
    counted = holmgang.simulate(SMALL, 500, seed=4, red=weights, blue="random")
    last = np.append(games["game"][1:] != games["game"][:-1], True)
    assert games.rounds == counted.tally.rounds
    assert (games["result"][last] == 1).sum() == counted.red_wins
    assert (games["result"][last] == -1).sum() == counted.blue_wins


def test_values_mixes_and_chances(tmp_path):
    games = holmgang.dataset(SMALL, tmp_path, games=200, seed=5, red="easy", blue={"guard": 3})
    found = holmgang.model(SMALL)
    places = {tuple(row): number for number, row in enumerate(found.states.tolist())}
    numbers = [places[tuple(row)] for row in games["state"].tolist()]
    assert np.array_equal(games["value"], found.solution.values[numbers])
    assert np.array_equal(games["blue_mix"], found.solution.mixes[numbers, 1])
    assert ((games["low"] <= games["value"]) & (games["value"] <= games["high"])).all()
    guards = games["blue"] == games.words.index("guard")
    assert (games["blue_chance"][guards] == 1).all()
    legal = found.masks[numbers, 1]
    assert np.array_equal(~guards, ~legal[:, games.words.index("guard")])
    assert games["blue_chance"][~guards] == pytest.approx(1 / legal.sum(axis=1)[~guards])
    easy = module.compiled_policy(holmgang.load(SMALL), "easy", 0)
    weights = np.array(easy.weights).reshape(-1, easy.stride)[numbers]
    shares = weights / weights.sum(axis=1, keepdims=True)
    assert games["red_chance"] == pytest.approx(shares[np.arange(len(shares)), games["red"]])


def test_a_seat_without_a_choice(tmp_path):
    games = holmgang.dataset(CITY, tmp_path, games=50, seed=1, red="random", blue="random")
    without = games["red"] == -1
    assert without.any()
    assert (games["red_mix"][without] == 0).all()
    assert (games["red_chance"][without] == 1).all()
    assert games["red_mix"][~without].sum(axis=1) == pytest.approx(1)


def test_a_game_in_one_file(standoff, tmp_path):  # noqa: F811
    games = holmgang.dataset(holmgang.load(str(standoff)), tmp_path / "d", games=5, seed=1)
    assert set(games["result"]) <= {-1, 0, 1}
    assert games.description.reasons == {"0": "limit", "1": "shot"}


def test_both_formats_have_the_same_columns(tmp_path, small_parts):
    stored = [
        holmgang.dataset(SMALL, tmp_path / kind, games=20, seed=3, file_format=kind)
        for kind in ("npz", "parquet")
    ]
    assert list(stored[0]) == list(stored[1])
    for name in stored[0]:
        assert np.array_equal(stored[0][name], stored[1][name])
        assert stored[0][name].dtype == stored[1][name].dtype


@pytest.mark.parametrize("kind", ["npz", "parquet"])
def test_a_seed_reproduces_every_byte_also_after_an_interruption(kind, tmp_path, small_parts):
    options = {"games": 30, "seed": 9, "file_format": kind}
    write_dataset(SMALL, tmp_path / "whole", **options)

    def stop(done):
        if done > 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_dataset(SMALL, tmp_path / "broken", **options, progress=stop)
    assert sorted(contents(tmp_path / "broken")) == [
        DESCRIPTION, f"part-00000.{kind}", f"part-00001.{kind}"
    ]  # fmt: skip
    with pytest.raises(RecordError, match="unfinished"):
        read_dataset(tmp_path / "broken")
    write_dataset(SMALL, tmp_path / "broken", **{**options, "seed": None})  # keeps its seed
    assert contents(tmp_path / "broken") == contents(tmp_path / "whole")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"seed": 2}, "its seed is 1, not 2"),
        ({"games": 11}, "its games is 10, not 11"),
        ({"red": "random"}, "its red is 'perfect', not 'random'"),
        ({"red": {"guard": 1}}, "its red is"),
        ({"limit": 5}, "its limit is"),
    ],
)
def test_another_dataset_is_not_overwritten(change, told, tmp_path):
    write_dataset(SMALL, tmp_path, games=10, seed=1)
    before = contents(tmp_path)
    with pytest.raises(UsageError, match=told):
        write_dataset(SMALL, tmp_path, **{"games": 10, "seed": 1, **change})
    assert contents(tmp_path) == before


def test_a_policy_that_has_changed_is_noticed(tmp_path):
    write_dataset(SMALL, tmp_path, games=10, seed=1, red={"guard": 1})
    with pytest.raises(UsageError, match="red_digest"):
        write_dataset(SMALL, tmp_path, games=10, seed=1, red={"guard": 1, "attack": 1})


def test_parquet_names_its_extra(tmp_path, monkeypatch):
    write_dataset(SMALL, tmp_path / "there", games=10, seed=1, file_format="parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UsageError, match=r"holmgang\[parquet\]"):
        write_dataset(SMALL, tmp_path / "new", file_format="parquet")
    assert not (tmp_path / "new").exists()
    with pytest.raises(UsageError, match=r"holmgang\[parquet\]"):
        read_dataset(tmp_path / "there")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda text: "{", "damaged"),
        (lambda text: "[" * 100_000, "damaged"),
        (lambda text: "[]", "does not describe a dataset"),
        (lambda text: json.dumps({**json.loads(text), "games": 0}), "damaged"),
        (lambda text: json.dumps({**json.loads(text), "part_games": 0}), "damaged"),
        (lambda text: json.dumps({**json.loads(text), "part_games": "a"}), "damaged"),
        (lambda text: json.dumps({**json.loads(text), "part_games": 1.5}), "damaged"),
        (lambda text: json.dumps({**json.loads(text), "fields": 1}), "damaged"),
        (lambda text: json.dumps({**json.loads(text), "games": 10**30}), "damaged"),
        (lambda text: json.dumps({**json.loads(text), "file_format": "../x"}), "damaged"),
        (lambda text: json.dumps({**json.loads(text), "more": 1}), "damaged"),
    ],
)
def test_a_damaged_description_is_refused(change, told, tmp_path):
    write_dataset(SMALL, tmp_path, games=10, seed=1)
    path = tmp_path / DESCRIPTION
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(RecordError, match=told):
        read_dataset(tmp_path)


def test_a_part_with_wrong_bytes_is_refused(tmp_path):
    """Wherever they are: NumPy has an error of its own for almost every place."""
    write_dataset(SMALL, tmp_path, games=10, seed=1)
    part = tmp_path / "part-00000.npz"
    whole = part.read_bytes()
    refused = 0
    for place in range(0, len(whole) - 2, 29):
        part.write_bytes(whole[:place] + b"\xff\xff" + whole[place + 2 :])
        try:
            read_dataset(tmp_path)
        except RecordError:
            refused += 1
    assert refused > len(whole) // 58


@pytest.mark.parametrize("kind", ["npz", "parquet"])
@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"PAR1" * 5, b"\x93NUMPY"])
def test_a_damaged_part_is_refused(kind, content, tmp_path):
    write_dataset(SMALL, tmp_path, games=10, seed=1, file_format=kind)
    (tmp_path / f"part-00000.{kind}").write_bytes(content)
    with pytest.raises(RecordError, match="is damaged"):
        read_dataset(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["fencing"], "need a table"),
        (["nothing"], "nothing"),
        ([SMALL, "--games", "0"], "games"),
        ([SMALL, "--seed", "-1"], "seed"),
        ([SMALL, "--red", "search"], "has no exact mix"),
        ([SMALL, "--blue", "./bot.py"], "has no exact mix"),
        ([SMALL, "--format", "csv"], "a format is npz or parquet; not 'csv'"),
        ([SMALL, "--out", "/dev/null/x"], "/dev/null/x"),
        ([SMALL, "--out", "/dev"], "is not a dataset"),
    ],
)
def test_bad_input_is_one_line(arguments, told, tmp_path):
    done = command("--out", str(tmp_path / "x"), *arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert told in done.stderr
    assert not (tmp_path / "x").exists()


def test_the_command_and_ctrl_c(tmp_path):
    """A command that is interrupted leaves whole parts only, and continues."""
    words = ["dataset", SMALL, "--games", "400000", "--seed", "1", "--out", str(tmp_path / "d")]
    with forked.Popen(words, stderr=subprocess.PIPE, text=True) as running:
        for line in running.stderr:
            if "of 400,000 games" in line and not line.startswith("0 "):
                break
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    assert "Traceback" not in said
    names = {path.name for path in (tmp_path / "d").iterdir()}
    assert DESCRIPTION in names
    assert not any(name.startswith(".") for name in names)
    done = command(SMALL, "--games", "20", "--seed", "1", "--out", str(tmp_path / "e"))
    assert done.stdout == (
        f"{tmp_path / 'e'}: 20 games of {SMALL}, perfect against perfect, seed 1, in 1 file\n"
    )


# The arrays that datasets are made of


@pytest.mark.parametrize("text", [SMALL, CITY, "magic-duel", "fencing"])
def test_choices_and_dice_of_many_states_are_those_of_the_rules(text):
    game, env = holmgang.load(text), holmgang.batch(text, 50, seed=2)
    rng = np.random.default_rng(1)
    for _ in range(8):
        masks = env.masks()
        made = [
            np.array([rng.choice(np.flatnonzero(m)) if m.any() else -1 for m in masks[:, seat]])
            for seat in (0, 1)
        ]
        states = [game.parse_state(env.state(place)) for place in range(50)]
        menus = [[game.choice_set(state, seat) for seat in (0, 1)] for state in states]
        assert choice_sets(text, env.states).tolist() == menus
        thrown, faces = env.faces(*(np.maximum(each, 0) for each in made))
        counts = [
            game.chance(state, *map(int, pair)) for state, *pair in zip(states, *made, strict=True)
        ]
        assert faces.tolist() == counts == face_counts(text, env.states, *made).tolist()
        after, ends = step_states(text, env.states, *made, thrown)
        _, done = env.step(*(np.maximum(each, 0) for each in made))
        assert np.array_equal(ends != 0, done)
        assert np.array_equal(after, np.where(done[:, None], env.final_states, env.states))


def test_what_are_no_states_is_refused():
    with pytest.raises(UsageError, match="rows of 8 numbers"):
        choice_sets(SMALL, [1, 2, 3])
    with pytest.raises(UsageError, match="one for each state"):
        face_counts(SMALL, np.ones((2, 8), np.int64), [1], [1, 2])


@pytest.mark.parametrize("text", [SMALL, CITY])
def test_payoffs_and_the_solution_of_a_model(text):
    """In every state the optimal mixes are an equilibrium of the pay-off matrix."""
    found = holmgang.model(text)
    solved = found.solution
    pairs = found.payoffs()
    for state, (red, blue) in enumerate(found.shapes.tolist()):
        matrix = found.matrix(state)
        first = found.pair_starts[state]
        assert np.array_equal(found.pair_states[first : first + red * blue], [state] * red * blue)
        assert matrix.ravel() == pytest.approx(pairs[first : first + red * blue])
        menus = [np.flatnonzero(mask) if mask.any() else [-1] for mask in found.masks[state]]
        named = [[a, b] for a in menus[0] for b in menus[1]]
        assert found.pair_choices[first : first + red * blue].tolist() == named
        mine, theirs = (
            solved.mixes[state, seat][found.masks[state, seat]]
            if found.masks[state, seat].any()
            else np.ones(1)
            for seat in (0, 1)
        )
        assert (matrix @ theirs).max() == pytest.approx(solved.values[state], abs=1e-6)
        assert (mine @ matrix).min() == pytest.approx(solved.values[state], abs=1e-6)
    ones = found.payoffs(np.ones(len(found.states)))
    after = np.add.reduceat(found.chances, found.entry_starts[:-1].clip(max=len(found.chances) - 1))
    goes_on = np.where(np.diff(found.entry_starts) > 0, after, 0)
    assert ones == pytest.approx(found.constants + goes_on)


def test_the_mixes_of_a_model_are_a_policy():
    found = holmgang.model(SMALL)
    assert holmgang.exploitability(SMALL, found.solution.mixes).value < 1e-6


def test_a_model_cannot_be_written_to():
    found = holmgang.model(SMALL)
    for array in (found.states, found.masks, found.chances, found.shapes, found.solution.mixes):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


@pytest.mark.parametrize("values", [[1.0], np.zeros((2, 2))])
def test_values_by_state_have_the_right_shape(values):
    found = holmgang.model(SMALL)
    with pytest.raises(UsageError, match="one for each state"):
        found.payoffs(values)
    with pytest.raises(UsageError, match="one for each state"):
        found.matrix(0, values)


@pytest.mark.parametrize("state", [-1, 10**9])
def test_states_outside_of_a_model_are_refused(state):
    with pytest.raises(UsageError, match="states are 0 to"):
        holmgang.model(SMALL).matrix(state)
