"""Datasets: the rounds of many games as columns, with the value and optimal mixes of each state.

A dataset is a folder: `_dataset.json` describes it, and each `part-00000.npz` (or `.parquet`) has
the rounds of some games. Parts are written whole, so an interrupted run continues with the first
one that is missing. Game i of a seed is game i of `holmgang.simulate` with the same players.

>>> from tempfile import TemporaryDirectory
>>> small = "bagh:start_hp=1,max_boost=0,heal_limit=1"
>>> with TemporaryDirectory() as folder:
...     written = dataset(small, folder, games=5, seed=1)
>>> written["state"].shape[1] == len(written.fields), written["red_mix"].shape[1]
(True, 4)
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from hashlib import blake2b
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from holmgang.analysis.compiled_policy import compiled_policy
from holmgang.analysis.model import IntArray, Model, model
from holmgang.engine.compiled.native import Announce, silent
from holmgang.engine.keys import parse_seed
from holmgang.engine.progress import Notify, Progress
from holmgang.errors import HolmgangError, RecordError, UsageError
from holmgang.games.contract import NO_CHOICE, SEATS
from holmgang.games.ruleset import Ruleset, as_ruleset
from holmgang.games.shape import brief
from holmgang.machine import write_whole
from holmgang.simulation.batch import Batch, row_kernels_of
from holmgang.simulation.policy import Policy
from holmgang.simulation.simulate import described
from holmgang.solver.exact.table import MOST_STATES
from holmgang.solver.tables import build_table

if TYPE_CHECKING:
    from array import array

    import pyarrow as pa

Columns = dict[str, NDArray[Any]]

FORMAT = 1
DESCRIPTION = "_dataset.json"
GAMES = 10_000
MOST_GAMES = 10**9
PART_GAMES = 4096
MOST_PARTS = MOST_GAMES // PART_GAMES + 1
NEEDS_PARQUET = "Parquet files need PyArrow: pip install 'holmgang[parquet]'"


@dataclass(frozen=True)
class DatasetDescription:
    """What determines the content of a dataset."""

    holmgang_dataset: int
    ruleset: str
    ruleset_hash: str
    seed: int
    games: int
    limit: int
    red: str
    blue: str
    red_digest: str
    """Of the weights that red plays by, so that a changed policy is noticed."""
    blue_digest: str
    file_format: str
    part_games: int
    """Games in each part; the last one may have fewer."""
    fields: list[str]
    """The names of the columns of `state`."""
    words: list[str]
    """The word of each choice, and so of each column of the mixes."""
    reasons: dict[str, str]
    """The word of each number in `reason`."""

    @property
    def parts(self) -> list[str]:
        """The names of the files."""
        count = -(-self.games // self.part_games)
        return [f"part-{part:05}.{self.file_format}" for part in range(count)]


class Dataset(Mapping[str, NDArray[Any]]):
    """The columns of a dataset by name, one row for each round. `docs/arrays.md` describes them."""

    def __init__(self, description: DatasetDescription, columns: Columns) -> None:
        self.description = description
        self._columns = columns

    @property
    def fields(self) -> list[str]:
        """The names of the columns of `state`."""
        return self.description.fields

    @property
    def words(self) -> list[str]:
        """The word of each choice."""
        return self.description.words

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def rounds(self) -> int:
        """The number of rows."""
        return len(self._columns["game"])

    def __repr__(self) -> str:
        about = self.description
        return f"<Dataset of {about.ruleset}: {about.games:,} games, {self.rounds:,} rounds>"


def dataset(
    ruleset: str | Ruleset,
    folder: str | Path,
    *,
    games: int = GAMES,
    seed: int | None = None,
    red: object = "perfect",
    blue: object = "perfect",
    file_format: str = "npz",
    limit: int | None = None,
) -> Dataset:
    """Plays games and writes them to a folder, as `holmgang dataset` does, and reads them back.
    Players are policies as in `holmgang.exploitability`. Continues a dataset that was interrupted.

    Raises `UsageError` if the ruleset has too many states for a table, or if the folder has
    something else.
    """
    write_dataset(
        ruleset,
        Path(folder),
        games=games,
        seed=seed,
        red=red,
        blue=blue,
        file_format=file_format,
        limit=limit,
    )
    return read_dataset(folder)


def write_dataset(
    ruleset: str | Ruleset,
    folder: Path,
    *,
    games: int = GAMES,
    seed: int | None = None,
    red: object = "perfect",
    blue: object = "perfect",
    file_format: str = "npz",
    limit: int | None = None,
    progress: Progress = lambda done: None,
    notify: Notify = lambda said: None,
    announce: Announce = silent,
) -> DatasetDescription:
    """Like `dataset`, with progress, and without reading it back."""
    ruleset = as_ruleset(ruleset)
    if type(games) is not int or not 1 <= games <= MOST_GAMES:
        raise UsageError(f"games must be a whole number from 1 to {MOST_GAMES}; not {brief(games)}")
    if file_format not in WRITERS:
        raise UsageError(f"a format is {' or '.join(WRITERS)}; not {brief(file_format)}")
    if file_format == "parquet" and find_spec("pyarrow") is None:
        raise UsageError(NEEDS_PARQUET)
    before = described_in(folder) if is_used(folder) else None
    if seed is None and before is not None:
        seed = before.seed
    found = model(ruleset)
    build_table(ruleset, most_states=MOST_STATES, progress=notify, announce=announce)
    policies = [compiled_policy(ruleset, each, seat) for seat, each in enumerate((red, blue))]
    seed = parse_seed(seed)
    player = ArrayPlayer(found, policies, seed, limit, announce)
    about = DatasetDescription(
        holmgang_dataset=FORMAT,
        ruleset=ruleset.text,
        ruleset_hash=ruleset.hash,
        seed=seed,
        games=games,
        limit=player.limit,
        red=named(red),
        blue=named(blue),
        red_digest=digest(policies[0]),
        blue_digest=digest(policies[1]),
        file_format=file_format,
        part_games=PART_GAMES,
        fields=list(found.fields),
        words=list(found.words),
        reasons={
            str(int(reason)): "limit" if not reason else reason.name.lower()
            for reason in (0, *ruleset.game.rules.Reason)
        },
    )
    if before is not None and before != about:
        ours, theirs = asdict(about), asdict(before)
        name = next(name for name in ours if ours[name] != theirs[name])
        raise UsageError(
            f"{folder} has another dataset: its {name} is {brief(theirs[name])}, not"
            f" {brief(ours[name])}; name another folder"
        )
    if before is None:
        write_whole(folder / DESCRIPTION, json.dumps(asdict(about), indent=1) + "\n")
    for number, name in enumerate(about.parts):
        first = number * PART_GAMES
        count = min(PART_GAMES, games - first)
        if not (folder / name).exists():
            columns = player.play(first, count, progress)
            write_whole(folder / name, WRITERS[file_format](columns))
        progress(first + count)
    return about


def is_used(folder: Path) -> bool:
    """Whether there is anything in the folder. Raises `UsageError` if it cannot be one."""
    try:
        return folder.exists() and any(not each.name.startswith(".") for each in folder.iterdir())
    except OSError as error:
        raise UsageError(f"cannot use the folder {folder}: {error.strerror}") from None


def described_in(folder: Path) -> DatasetDescription:
    """The description of the dataset in a folder. Raises `RecordError`."""
    path = folder / DESCRIPTION
    try:
        read = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise RecordError(f"{folder} is not a dataset: it has no {DESCRIPTION}") from None
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise RecordError(f"{path} is damaged") from None
    if not isinstance(read, dict) or read.get("holmgang_dataset") != FORMAT:
        raise RecordError(f"{path} does not describe a dataset of format {FORMAT}")
    with suppress(msgspec.ValidationError):
        about = msgspec.convert(read, DatasetDescription)
        is_sound = about.file_format in READERS and 0 < about.games <= MOST_PARTS * about.part_games
        if is_sound and read.keys() == asdict(about).keys():
            return about
    raise RecordError(f"{path} is damaged")


def named(player: object) -> str:
    return player if isinstance(player, str) else described(player)  # type: ignore[arg-type]


def digest(policy: Policy) -> str:
    """Of all that a policy plays by."""
    content = policy.states.tobytes() + policy.weights.tobytes()
    return blake2b(content, digest_size=8).hexdigest()


# Playing


class ArrayPlayer:
    """Plays the games of a dataset in arrays."""

    def __init__(
        self,
        found: Model,
        policies: list[Policy],
        seed: int,
        limit: int | None,
        announce: Announce,
    ) -> None:
        self.model, self.policies, self.seed = found, policies, seed
        self.announce = announce
        self.limit = Batch(found.ruleset, 1, limit=limit).limit
        self._kernels = row_kernels_of(found.ruleset)
        self._known = np.ascontiguousarray(found.states).reshape(-1)
        size = 1 << (2 * len(found.states) + 1).bit_length()
        self._slots: IntArray = np.full(size, -1, np.int64)
        self._kernels("fill_slots")(self._known, len(found.states), self._slots, size)

    def play(self, first: int, count: int, progress: Progress) -> Columns:
        """The rounds of `count` games from number `first` on, in order."""
        env = Batch(self.model.ruleset, count, seed=self.seed, limit=self.limit)
        env.reset(self.seed, first=first)
        rounds: list[Columns] = []
        results, reasons = np.zeros((2, count), np.int64)
        paused = np.zeros(count, np.bool_)
        while not paused.all():
            live = np.flatnonzero(~paused)
            red, blue = (env.draw(self.policies[seat], name) for seat, name in enumerate(SEATS))
            faces = env.faces(red, blue)
            columns = {
                "game": first + live,
                "round": env.rounds[live] + 1,
                "state": env.states[live],
                "red": red[live],
                "blue": blue[live],
                "face": faces[0][live],
                "faces": faces[1][live],
            }
            rewards, ended = env.step(red, blue, paused=paused)
            rounds.append(columns)
            results[ended] = rewards[ended]
            reasons[ended] = np.maximum(env.ends[ended], 0) // 3
            paused |= ended
            progress(first + int(paused.sum()))
        played = {name: np.concatenate([each[name] for each in rounds]) for name in rounds[0]}
        order = np.lexsort((played["round"], played["game"]))
        played = {name: column[order] for name, column in played.items()}
        place = played["game"] - first
        return {
            **played,
            **self._evaluated(played),
            "result": results[place],
            "reason": reasons[place],
        }

    def _evaluated(self, played: Columns) -> Columns:
        """What is known of the states and the players: values, mixes, chances."""
        states = np.ascontiguousarray(played["state"])
        numbers = self._numbers(states, self._known, self._slots)
        solution = self.model.solution
        chances = {
            f"{name}_chance": self._chances(seat, states, numbers, played[name])
            for seat, name in enumerate(SEATS)
        }
        return {
            **chances,
            "value": solution.values[numbers],
            "low": solution.lows[numbers],
            "high": solution.highs[numbers],
            "red_mix": solution.mixes[numbers, 0],
            "blue_mix": solution.mixes[numbers, 1],
        }

    def _numbers(
        self, states: IntArray, known: "array[int] | IntArray", slots: "array[int] | IntArray"
    ) -> IntArray:
        """The place of each state among the known ones; -1 if it is not there."""
        numbers: IntArray = np.zeros(len(states), np.int64)
        kernel = self._kernels("row_numbers", self.announce)
        kernel(len(states), states, known, slots, len(slots), numbers)
        return numbers

    def _chances(
        self, seat: int, states: IntArray, numbers: IntArray, chosen: IntArray
    ) -> NDArray[np.float64]:
        """The probability with which the player made each choice; 1 if it had none."""
        policy = self.policies[seat]
        rows = self._numbers(states, policy.states, policy.slots)  # -1 is the last row
        legal = self.model.masks[numbers, seat]
        weights = np.frombuffer(policy.weights, np.int64).reshape(-1, policy.stride)
        weights = weights[:, policy.first : policy.first + policy.width]
        shares = np.where(legal, weights[rows][:, : legal.shape[1]], 0).astype(np.float64)
        shares[~shares.any(axis=1)] = 1.0
        shares = np.where(legal, shares, 0)
        made = np.take_along_axis(shares, np.maximum(chosen, 0)[:, None], axis=1)[:, 0]
        totals = np.where(chosen == NO_CHOICE, 1.0, shares.sum(axis=1))
        return np.where(chosen == NO_CHOICE, 1.0, made / totals)


# Files


def as_npz(columns: Columns) -> bytes:
    file = BytesIO()
    np.savez_compressed(file, **columns)  # type: ignore[arg-type] # names are no options
    return file.getvalue()


def as_parquet(columns: Columns) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    def column(numbers: NDArray[Any]) -> "pa.Array":
        flat = pa.array(np.ascontiguousarray(numbers).reshape(-1))
        if numbers.ndim == 1:
            return flat
        return pa.FixedSizeListArray.from_arrays(flat, numbers.shape[1])

    file = BytesIO()
    table = pa.table({name: column(numbers) for name, numbers in columns.items()})
    pq.write_table(table, file, compression="zstd")
    return file.getvalue()


def from_npz(path: Path) -> Columns:
    stored = np.load(BytesIO(path.read_bytes()))
    if not isinstance(stored, np.lib.npyio.NpzFile):
        raise TypeError("not an npz file")
    return {name: stored[name] for name in stored.files}


def from_parquet(path: Path) -> Columns:
    if find_spec("pyarrow") is None:
        raise UsageError(NEEDS_PARQUET)
    import pyarrow as pa
    import pyarrow.parquet as pq

    def numbers(column: "pa.ChunkedArray") -> NDArray[Any]:
        whole = column.combine_chunks()
        if not pa.types.is_fixed_size_list(whole.type):
            return np.asarray(whole)
        return np.asarray(whole.flatten()).reshape(len(whole), -1)

    table = pq.read_table(path)
    return {name: numbers(table.column(name)) for name in table.column_names}


WRITERS: dict[str, Callable[[Columns], bytes]] = {"npz": as_npz, "parquet": as_parquet}
READERS: dict[str, Callable[[Path], Columns]] = {"npz": from_npz, "parquet": from_parquet}


def read_dataset(folder: str | Path) -> Dataset:
    """Reads a dataset. Raises `RecordError` if it is damaged or unfinished."""
    folder = Path(folder)
    about = described_in(folder)
    parts = []
    for name in about.parts:
        path = folder / name
        if not path.exists():
            raise RecordError(
                f"{folder} is unfinished: {name} is missing; the same command continues it"
            )
        try:
            parts.append(READERS[about.file_format](path))
        except HolmgangError:
            raise
        except Exception:  # noqa: BLE001 - NumPy, zlib and PyArrow have many
            raise RecordError(f"{path} is damaged") from None
    if any(part.keys() != parts[0].keys() for part in parts):
        raise RecordError(f"{folder} is damaged: its parts have different columns")
    return Dataset(about, {name: np.concatenate([p[name] for p in parts]) for name in parts[0]})
