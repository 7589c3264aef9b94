"""`holmgang value`: the value of a state, the best mixes, and the worth of each choice."""

import sys

from rich.console import Console

from holmgang.analysis.position import Assessment, assess
from holmgang.engine.line import play_line
from holmgang.engine.step import LONGEST_LINE
from holmgang.errors import HolmgangError, StateError, UsageError
from holmgang.games.contract import SEATS
from holmgang.games.ruleset import Ruleset, load
from holmgang.games.shape import JsonObject
from holmgang.solver.evaluation import Source
from holmgang.solver.tables import build_by_the_way
from holmgang.terminal.printing import print_json
from holmgang.terminal.progress import StatusPrinter
from holmgang.terminal.roles import painted

SHOWN = 12  # choices of a seat
RARE = 0.0005  # a chance that would be shown as zero
TOLD = ("value", "win", "draw", "loss", "exact", "low", "high", "depth", "worths_exact", "worth")


def show_value(
    game: str, state: str | None, *, after: str, budget_ms: float, as_json: bool
) -> None:
    ruleset, status = load(game), StatusPrinter(as_json=as_json)
    shown = play_line(ruleset, ruleset.parse_state(state), after)
    build(ruleset, status)
    found = assess(
        ruleset,
        shown,
        budget_ms=budget_ms,
        can_wait=True,
        announce=status.announce,
        progress=status.say,
    )
    if as_json:
        print_json({"ruleset": ruleset.text, **value_json(found)})
        return
    console = Console(highlight=False)
    for row in map(painted, ruleset.board(shown, min(max(40, console.width), 76))):
        console.print(row)
    print_assessment(console, found)


def answer_lines(game: str, *, after: str, budget_ms: float) -> None:
    """Answers each state on standard input with a line; an invalid one with the reason."""
    ruleset = load(game)
    build(ruleset, StatusPrinter(as_json=True))
    for line in sys.stdin.buffer:
        try:
            if len(line) > LONGEST_LINE:
                raise UsageError(f"a line may have at most {LONGEST_LINE:,} bytes")
            state = play_line(ruleset, ruleset.parse_state(read_line(line)), after)
            answer = value_json(assess(ruleset, state, budget_ms=budget_ms, can_wait=True))
        except HolmgangError as error:
            answer = {"error": str(error)}
        print_json(answer)
        sys.stdout.flush()


def build(ruleset: Ruleset, status: StatusPrinter) -> None:
    """Builds the table now if that takes little time."""
    refusal = build_by_the_way(ruleset, progress=status.say, announce=status.announce)
    if refusal:
        status.say(f"{refusal}; searching instead")


def read_line(line: bytes) -> str:
    try:
        text = line.decode().strip()
    except UnicodeDecodeError as error:
        raise StateError(f"not UTF-8: byte {error.start + 1} of the line") from None
    if not text:
        raise StateError("an empty line is not a state")
    return text


def value_json(found: Assessment) -> JsonObject:
    told = found.as_json(with_matrix=False)
    mixes = {seat: told[f"{seat}_mix"] for seat in SEATS}
    return {**{name: told[name] for name in TOLD}, **mixes}


def print_assessment(console: Console, found: Assessment) -> None:
    value = f"{'' if found.is_exact else '≈'}{found.value:+z.6f}"
    about = "" if found.has_exact_worths else "≈"
    console.print(f"\nvalue to red [bold]{value}[/]  {how_known(found)}")
    evaluation, solution = found.evaluation, found.solution
    win, draw, loss = evaluation.win, evaluation.draw, evaluation.loss
    if win is not None and draw is not None and loss is not None:
        print_bar(console, win, draw, loss)
    for seat, (name, mix) in enumerate(zip(SEATS, (solution.red, solution.blue), strict=True)):
        worth, costs = solution.worths[seat], solution.costs(seat)
        if not worth:
            continue
        words = {choice: found.ruleset.word(choice) for choice in worth}
        wide = max(14, *(len(word) + 2 for word in words.values()))
        console.print(f"\n[bold {name}]{name:<{wide + 4}}[/][dim]play    worth to red[/]")
        shown = sorted(worth, key=lambda choice: (-mix[choice], costs[choice]))
        for choice in shown[:SHOWN]:
            chance = mix[choice]
            bar = "█" * round(20 * chance)
            played = "     –" if chance == 0 else f"{chance:6.1%}" if chance >= RARE else " <0.1%"
            line = f"  {words[choice]:<{wide}}{played}    {about}{worth[choice]:+z.6f}"
            console.print(f"{line}  [{name}]{bar}[/]" if bar else line)
        if len(shown) > SHOWN:
            console.print(f"  … and {len(shown) - SHOWN} more: --json has them all", style="dim")


def how_known(found: Assessment) -> str:
    evaluation = found.evaluation
    proven = f"proven: from {evaluation.low:+g} to {evaluation.high:+g}"
    if evaluation.source in (Source.TABLE, Source.LAYERS):
        if found.is_exact:
            return f"exact to {(evaluation.high - evaluation.low) / 2:.0e}, from a table"
        return f"from a table that is not exact; {proven}"
    searched = f"search depth {found.depth}"
    if found.is_exact:
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
