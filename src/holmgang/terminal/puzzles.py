"""`holmgang puzzles`: making puzzles, listing them, and solving them in plain lines."""

import sys
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from rich.console import Console

from holmgang.analysis.puzzles.explain import explain, question_text
from holmgang.analysis.puzzles.keeping import keep, question_of, solved_puzzle
from holmgang.analysis.puzzles.make import make_puzzles
from holmgang.analysis.puzzles.positions import of_duel
from holmgang.analysis.puzzles.puzzle import PuzzleQuestion
from holmgang.analysis.puzzles.verdict import Answer, parse_answer, verdict_on
from holmgang.engine import record as records
from holmgang.engine.menu import options, read_choice
from holmgang.errors import ChoiceError, HolmgangError, RecordError, UsageError
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.contract import SEATS, State
from holmgang.games.drawing import row_text
from holmgang.games.finding import typed
from holmgang.games.ruleset import Ruleset, load
from holmgang.games.settings import find_entry
from holmgang.games.shape import JsonObject, counted
from holmgang.live.played import played_duels
from holmgang.machine import data_folder, program, write_whole
from holmgang.solver.oracle import oracle_of
from holmgang.solver.tables import build_by_the_way, can_be_tabled, find_table
from holmgang.store import PuzzleRow, Store
from holmgang.terminal.dialogue import Dialogue
from holmgang.terminal.lesson import LEAVING
from holmgang.terminal.printing import print_json
from holmgang.terminal.progress import StatusPrinter, progress_of

BOARD_WIDTH = 76
FIRST_GAME, FEW = "bagh", 10  # made for a person who wants to solve puzzles when there are none


# Making


def make(
    games: Sequence[str],
    *,
    count: int,
    seed: int,
    records_folder: Path | None,
    database: str | None,
    as_json: bool,
) -> None:
    """Makes puzzles of each game and stores them in the database."""
    asked = [load(game) for game in games] or solvable()
    if records_folder is not None and not records_folder.is_dir():
        raise UsageError(f"there is no folder {records_folder}")
    status = StatusPrinter(as_json=as_json)
    made = []
    with Store.open(database) as store:
        for ruleset in asked:
            refusal = build_by_the_way(ruleset, progress=status.say, announce=status.announce)
            if find_table(ruleset) is None:
                reason = refusal or "no exact table exists, so no answer could be proven"
                if games:
                    raise UsageError(f"{ruleset.text} cannot have puzzles: {reason}")
                status.say(f"{ruleset.text}: {reason}")
                continue
            played = recorded(ruleset, records_folder, status)
            played = chain(played, *map(of_duel, played_duels(store, ruleset)))
            made.append(make_some(store, ruleset, count, seed, played, as_json=as_json))
    if as_json:
        print_json({"seed": seed, "games": made})


def make_some(
    store: Store, ruleset: Ruleset, count: int, seed: int, played: Iterator[State], *, as_json: bool
) -> JsonObject:
    """Makes the puzzles of one ruleset, and prints how many there are."""
    found = new = 0
    with progress_of(
        Console(stderr=True, highlight=False),
        None,
        f"looking for puzzles of {ruleset.text}:",
        lambda: counted(found, "puzzle"),
        noun="positions",
        is_silent=as_json,
    ) as update:
        made = make_puzzles(
            oracle_of(ruleset, build=False), count, seed, played=played, looked=update
        )
        for _, is_new in keep(store, made):
            found, new = found + 1, new + is_new
    if not as_json:
        sys.stdout.write(f"{ruleset.text}: {counted(found, 'puzzle')}, {new} of them new\n")
    return {"ruleset": ruleset.text, "puzzles": found, "new": new}


def solvable() -> list[Ruleset]:
    """The rulesets of the catalogue that can have a table."""
    return [ruleset for ruleset in map(load, CATALOGUE) if can_be_tabled(ruleset)]


def recorded(ruleset: Ruleset, folder: Path | None, status: StatusPrinter) -> Iterator[State]:
    """The states of the recorded duels in a folder. Invalid records are reported and skipped."""
    for path in sorted(folder.rglob("*.jsonl")) if folder is not None else ():
        try:
            record = records.read(path)
            if record.ruleset == ruleset:
                yield from of_duel(records.replay(record))
        except RecordError as error:
            status.say(f"skipped: {error}")


# Listing


def show_list(game: str | None, *, database: str | None, as_json: bool) -> None:
    """Lists puzzles, the easiest first, without their solutions."""
    with Store.open(database) as store:
        hidden = hidden_puzzles(store, game)
        if game is not None and game not in hidden:
            find_entry(game)
        rows = store.puzzles.find(game)
    if as_json:
        print_json({"puzzles": [row._asdict() for row in rows], "hidden": hidden})
        return
    if not rows and not hidden:
        sys.stdout.write(f"There are no puzzles; make some with {program()} puzzles make.\n")
    wide = max((len(row.ruleset) for row in rows), default=0)
    for row in rows:
        state = load(row.ruleset).format_text(load(row.ruleset).parse_json(row.state))
        tried = f"{row.solved} of {row.attempts} solved" if row.attempts else "not tried yet"
        sys.stdout.write(
            f"{row.id}  {row.ruleset:<{wide}}  {row.kind:<6}  {row.rating:4.0f}  {row.seat:<4}  "
            f"{state}  {tried}\n"
        )
    for name in sorted(hidden.keys() - {row.game for row in rows}):
        sys.stdout.write(f"{told_hidden(name, hidden[name])}\n")


def hidden_puzzles(store: Store, game: str | None) -> dict[str, int]:
    """The number of puzzles of a game, or of each, that cannot be shown."""
    return {name: count for name, count in store.puzzles.hidden().items() if game in (None, name)}


def told_hidden(game: str, count: int) -> str:
    """Which puzzles are not shown, and what to do about it."""
    puzzles = counted(count, "puzzle")
    if game in CATALOGUE:
        return (
            f"Not shown: {puzzles} of {game}, made from other rules. Make new ones:"
            f" {program()} puzzles make {typed(load(game))}"
        )
    return (
        f"Not shown: {puzzles} of {game}, a game that is not loaded. Name its file:"
        f" {program()} --games PATH puzzles list"
    )


# Solving


def solve(game: str | None, *, database: str | None) -> None:
    """Poses puzzles, the easiest first and mixes last, until there are no more or the person
    leaves. If there are none, the first ones are made now. Puzzles that were solved here before are
    left out; answers are not stored in the database.
    """
    dialogue = Dialogue()
    solved = asked = 0
    known = solved_before()
    with Store.open(database) as store:
        rows = store.puzzles.find(game)
        if not rows:
            for name, count in hidden_puzzles(store, game).items():
                dialogue.tell(told_hidden(name, count))
            if game is not None:
                find_entry(game)
            first = [game or FIRST_GAME]
            make(first, count=FEW, seed=1, records_folder=None, database=database, as_json=False)
            rows = store.puzzles.find(game)
        left = [row for row in rows if row.id not in known]
        if len(left) < len(rows):
            dialogue.say(f"You have solved {len(rows) - len(left)} of {len(rows)} puzzles.")
        rows = sorted(left, key=lambda row: row.kind == "mix")
        for number, row in enumerate(rows, 1):
            dialogue.say(f"Puzzle {number} of {len(rows)}, rated {row.rating:.0f}")
            answer = ask(dialogue, row)
            if answer is None:
                break
            puzzle = solved_puzzle(store, row)
            verdict = verdict_on(puzzle, answer)
            if verdict.is_solved:
                known.add(row.id)
                write_whole(solved_file(), "\n".join(sorted(known)))
            dialogue.say("Solved." if verdict.is_solved else "Not solved.")
            for sentence in explain(puzzle, answer, verdict):
                dialogue.tell(sentence)
            dialogue.say()
            solved, asked = solved + verdict.is_solved, asked + 1
    if asked:
        dialogue.say(f"{solved} of {asked} solved.")


def solved_file() -> Path:
    return data_folder() / "solved-puzzles.txt"


def solved_before() -> set[str]:
    """The puzzles that this user has solved in the terminal."""
    try:
        return set(solved_file().read_text("utf-8", errors="replace").split())
    except OSError:
        return set()


def ask(dialogue: Dialogue, row: PuzzleRow) -> Answer | None:
    """The answer to a puzzle; None if the person leaves."""
    question = question_of(row)
    ruleset = load(row.ruleset)
    state = ruleset.parse_json(row.state)
    offered = options(ruleset, state, row.seat)
    for drawn in ruleset.board(state, min(BOARD_WIDTH, dialogue.width)):
        dialogue.say(row_text(drawn).rstrip())
    dialogue.tell(f"You are {row.seat.capitalize()}. {question_text(question, len(offered))}")
    for option in offered:
        dialogue.tell(option.note, f"  {option.key:<4}{option.word:<10}  ")
    if row.kind == "mix":
        example = ", ".join(f"{option.word} 50" for option in offered[:2])
        dialogue.tell(f"Type a mix in percent: {example}.")
    while True:
        try:
            typed = dialogue.ask(f"{row.seat.capitalize()}, your {row.kind} (q quits)> ")
        except EOFError:
            return None
        if typed.lower() in LEAVING:
            return None
        try:
            if row.kind == "mix":
                return parse_answer(question, typed_mix(ruleset, question, state, typed))
            return parse_answer(question, read_choice(ruleset, offered, typed))
        except HolmgangError as error:
            dialogue.tell(str(error))


def typed_mix(
    ruleset: Ruleset, question: PuzzleQuestion, state: State, typed: str
) -> dict[str, float]:
    """A mix in percent, such as `attack 40, guard 60`. Raises `ChoiceError`."""
    offered = options(ruleset, state, SEATS[SEATS.index(question.seat)])
    mix: dict[str, float] = {}
    for part in typed.replace("%", "").split(","):
        word, _, share = part.strip().rpartition(" ")
        try:
            percent = float(share)
        except ValueError:
            raise ChoiceError("A mix is choices with percentages: attack 40, guard 60.") from None
        word = read_choice(ruleset, offered, word)
        mix[word] = mix.get(word, 0.0) + percent / 100
    total = sum(mix.values())
    if abs(total - 1) > 1e-6:
        raise ChoiceError(f"The percentages have to sum to 100; these sum to {100 * total:g}.")
    return mix
