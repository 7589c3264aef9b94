"""`holmgang solve` and `holmgang value`: exact solutions, and what is known of a state."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console

from holmgang.engine.compiled.native import silent
from holmgang.engine.line import play_line
from holmgang.errors import HolmgangError, StateError, UsageError
from holmgang.games.contract import SEATS
from holmgang.games.ruleset import Ruleset, load
from holmgang.games.shape import printable
from holmgang.solver.evaluation import Evaluation, Source, Worths
from holmgang.solver.exact import tablebase
from holmgang.solver.layered import layers
from holmgang.solver.oracle import oracle_of
from holmgang.solver.summary import Counted
from holmgang.solver.tables import build_by_the_way, solve
from holmgang.terminal.printing import print_json
from holmgang.terminal.progress import announcer
from holmgang.terminal.roles import painted

SHOWN = 12  # choices of a seat
RARE = 0.0005  # a chance that would be shown as none
LONGEST_LINE = 1_000_000


class StatusPrinter:
    """Says on standard error what is going on; nothing where a program listens."""

    def __init__(self, *, as_json: bool) -> None:
        console = Console(stderr=True, highlight=False)
        self.say: Callable[[str], None] = lambda said: console.print(
            said, markup=False, soft_wrap=True
        )
        self.announce = announcer(console)
        if as_json:
            self.say, self.announce = (lambda said: None), silent


# Solving


def solve_ruleset(
    game: str, *, out: Path | None, most_states: int, most_mib: int, as_json: bool
) -> None:
    status = StatusPrinter(as_json=as_json)
    found = solve(
        game,
        out=out,
        most_states=most_states,
        most_mib=most_mib,
        progress=status.say,
        announce=status.announce,
    )
    if as_json:
        print_json(found.as_json())
        return
    states = f"{found.states:,} reachable states"
    if found.counted is Counted.ALL_PLACES:
        states = f"{found.states:,} states (every place at every score and turn, reachable or not)"
    sys.stdout.write(
        f"{found.ruleset.text}: {states} solved in {found.compute_seconds:.1f} s\n"
        f"value to red from the start: {found.value:+.9f}\n"
        f"exploitability <= {found.exploitability:.1e} from the start\n"
        f"{found.path} ({found.bytes:,} bytes)\n"
    )


def check_table(path: Path, *, most_mib: int, as_json: bool) -> None:
    """Proves again what a table claims, from the file and the rules. Exits with 1 if it fails."""
    status = StatusPrinter(as_json=as_json)
    try:
        path.open("rb").close()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    try:
        if path.suffix == ".layers":
            done = layers.check(path, progress=status.say, announce=status.announce)
            ruleset, exploitability = done.ruleset, done.exploitability
            proven = f"{done.layers} of {done.of} layers solved again"
        else:
            with tablebase.Tablebase(path) as table:
                ruleset = table.ruleset
            exploitability = tablebase.check(path, most_mib=most_mib, announce=status.announce)
            proven = "every state proven again"
    except HolmgangError as error:
        sys.stderr.write(f"holmgang: {printable(str(error))}\n")
        sys.exit(1)
    if as_json:
        print_json({"ruleset": ruleset.text, "exploitability": exploitability})
    else:
        sys.stdout.write(f"ok: {ruleset.text}, exploitability {exploitability:.1e}; {proven}\n")


# Looking up


class Asker:
    """Asks the oracle of a ruleset, whose table is built now if that is soon done."""

    def __init__(self, ruleset: Ruleset, budget_ms: float, status: StatusPrinter) -> None:
        self._budget_ms, self._status = budget_ms, status
        refusal = build_by_the_way(ruleset, progress=status.say, announce=status.announce)
        if refusal:
            status.say(f"{refusal}; searching instead")
        self._oracle = oracle_of(ruleset, build=False)

    def __call__(self, state: Any) -> tuple[Evaluation, Worths]:
        """What is known of a state, and what each choice of each seat is worth."""
        evaluation = self._oracle.evaluate(
            state,
            budget_ms=self._budget_ms,
            can_wait=True,
            announce=self._status.announce,
            progress=self._status.say,
        )
        return evaluation, self._oracle.worths(state, evaluation)


def show_value(
    game: str, state: str | None, *, after: str, budget_ms: float, as_json: bool
) -> None:
    ruleset, status = load(game), StatusPrinter(as_json=as_json)
    shown = play_line(ruleset, ruleset.parse_state(state), after)
    evaluation, worths = Asker(ruleset, budget_ms, status)(shown)
    if as_json:
        told = {"ruleset": ruleset.text, **evaluation.as_json(ruleset, worths)}
        print_json(told)
        return
    console = Console(highlight=False)
    for row in map(painted, ruleset.board(shown, min(max(40, console.width), 76))):
        console.print(row)
    print_evaluation(console, ruleset, evaluation, worths)


def answer_lines(game: str, *, after: str, budget_ms: float) -> None:
    """One state a line in, one answer a line out; a line that is wrong is answered with why."""
    ruleset = load(game)
    ask = Asker(ruleset, budget_ms, StatusPrinter(as_json=True))
    for line in sys.stdin.buffer:
        try:
            if len(line) > LONGEST_LINE:
                raise UsageError(f"a line may have at most {LONGEST_LINE:,} bytes")
            state = play_line(ruleset, ruleset.parse_state(read_line(line)), after)
            evaluation, worths = ask(state)
            answer = evaluation.as_json(ruleset, worths)
        except HolmgangError as error:
            answer = {"error": str(error)}
        print_json(answer)
        sys.stdout.flush()


def read_line(line: bytes) -> str:
    try:
        text = line.decode().strip()
    except UnicodeDecodeError as error:
        raise StateError(f"not UTF-8: byte {error.start + 1} of the line") from None
    if not text:
        raise StateError("an empty line is not a state")
    return text


def print_evaluation(
    console: Console, ruleset: Ruleset, evaluation: Evaluation, worths: Worths
) -> None:
    value = f"{'' if evaluation.is_exact else '≈'}{evaluation.value:+z.6f}"
    about = "" if evaluation.has_exact_worths else "≈"
    console.print(f"\nvalue to red [bold]{value}[/]  {how_known(evaluation)}")
    win, draw, loss = evaluation.win, evaluation.draw, evaluation.loss
    if win is not None and draw is not None and loss is not None:
        print_bar(console, win, draw, loss)
    for name, mix, worth in zip(SEATS, (evaluation.red, evaluation.blue), worths, strict=True):
        if not worth:
            continue
        words = {choice: ruleset.word(choice) for choice in worth}
        wide = max(14, *(len(word) + 2 for word in words.values()))
        console.print(f"\n[bold {name}]{name:<{wide + 4}}[/][dim]play    worth to red[/]")
        side = 1 if name == "red" else -1
        shown = sorted(worth, key=lambda choice: (-mix.get(choice, 0.0), -side * worth[choice]))
        for choice in shown[:SHOWN]:
            chance = mix.get(choice, 0.0)
            bar = "█" * round(20 * chance)
            played = "     –" if chance == 0 else f"{chance:6.1%}" if chance >= RARE else " <0.1%"
            line = f"  {words[choice]:<{wide}}{played}    {about}{worth[choice]:+z.6f}"
            console.print(f"{line}  [{name}]{bar}[/]" if bar else line)
        if len(shown) > SHOWN:
            console.print(f"  … and {len(shown) - SHOWN} more: --json has them all", style="dim")


def how_known(evaluation: Evaluation) -> str:
    proven = f"proven: from {evaluation.low:+g} to {evaluation.high:+g}"
    if evaluation.source in (Source.TABLE, Source.LAYERS):
        if evaluation.is_exact:
            return f"exact to {(evaluation.high - evaluation.low) / 2:.0e}, from a table"
        return f"from a table that is not exact; {proven}"
    searched = f"search depth {evaluation.depth}"
    if evaluation.is_exact:
        return f"exact, {searched}"
    if evaluation.low > -1 or evaluation.high < 1:
        return f"estimate, {searched}; {proven}"
    return f"estimate, {searched}"


def print_bar(console: Console, win: float, draw: float, loss: float) -> None:
    """The chances of a win, a draw and a loss if both play their mixes, as a bar."""
    width = min(60, console.width - 2)
    reds, blues = round(width * win), round(width * loss)
    bar = f"[red]{'█' * reds}[/][dim]{'░' * (width - reds - blues)}[/][blue]{'█' * blues}[/]"
    console.print(f"\n{bar}")
    console.print(f"red wins {win:.1%}, a draw {draw:.1%}, blue wins {loss:.1%}")
