"""`holmgang solve` and `holmgang value`: exact solutions, and what is known of a state."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console

from holmgang.engine.compiled.native import silent
from holmgang.engine.line import play_line
from holmgang.errors import HolmgangError, StateError, UsageError
from holmgang.games.ruleset import Ruleset, load
from holmgang.solver.advice import Advice, advise
from holmgang.solver.exact import tablebase
from holmgang.solver.exact.solve import solve
from holmgang.solver.layered import layers
from holmgang.solver.layered.places import has_clock
from holmgang.solver.oracle import Oracle
from holmgang.solver.tables import build_by_the_way, layers_path, table_path
from holmgang.terminal.progress import announcer
from holmgang.terminal.roles import painted

SHOWN = 12  # choices of a seat
RARE = 0.0005  # a chance that would be shown as none
LONGEST_LINE = 1_000_000


class Voice:
    """Says on standard error what is going on; nothing where a program listens."""

    def __init__(self, *, as_json: bool) -> None:
        console = Console(stderr=True, highlight=False)
        self.say: Callable[[str], None] = lambda said: console.print(said, markup=False)
        self.announce = announcer(console)
        if as_json:
            self.say, self.announce = (lambda said: None), silent


# Solving


def solve_ruleset(
    game: str, *, out: Path | None, most_states: int, most_mib: int, as_json: bool
) -> None:
    ruleset, voice = load(game), Voice(as_json=as_json)
    if out is not None and out.is_dir():  # better told before the work than after it
        raise UsageError(f"cannot write {out}: it is a folder")
    if has_clock(ruleset):
        summary = solve_by_layers(ruleset, out, voice)
    else:
        summary = solve_whole(ruleset, out, most_states, most_mib, voice)
    if as_json:
        sys.stdout.write(json.dumps(summary) + "\n")
        return
    sys.stdout.write(
        f"{ruleset.text}: {summary['states']:,} states solved in "
        f"{summary['compute_seconds']:.1f} s\n"
        f"value to red from the start: {summary['value']:+.9f}\n"
        f"leaving these strategies gains nobody more than {summary['exploitability']:.1e} "
        f"from the start\n"
        f"{summary['file']} ({summary['bytes']:,} bytes)\n"
    )


def solve_whole(
    ruleset: Ruleset, out: Path | None, most_states: int, most_mib: int, voice: Voice
) -> dict[str, Any]:
    solution = solve(
        ruleset,
        most_states=most_states,
        most_mib=most_mib,
        progress=voice.say,
        announce=voice.announce,
    )
    path = tablebase.write(solution, out or table_path(ruleset))
    return {
        "ruleset": ruleset.text,
        "states": solution.table.states,
        "value": solution.values[solution.table.start],
        "exploitability": solution.exploitability,
        "worst_exploitability": solution.worst_exploitability,
        "sweeps": solution.sweeps,
        "compute_seconds": solution.compute_seconds,
        "file": str(path),
        "bytes": path.stat().st_size,
    }


def solve_by_layers(ruleset: Ruleset, out: Path | None, voice: Voice) -> dict[str, Any]:
    path = out or layers_path(ruleset)
    done = layers.solve_layers(ruleset, path, progress=voice.say, announce=voice.announce)
    return {
        "ruleset": ruleset.text,
        "states": done.states,
        "value": done.value,
        "exploitability": done.exploitability,
        "sweeps": 1,
        "compute_seconds": done.seconds,
        "file": str(path),
        "bytes": done.bytes,
    }


def check_table(path: Path, *, as_json: bool) -> None:
    """Proves a table's exploitability again, from the file and the rules."""
    voice = Voice(as_json=as_json)
    if path.suffix == ".layers":
        with layers.Layers(path) as opened:
            text, stored = opened.ruleset.text, opened.exploitability
        found = layers.check(path, progress=voice.say, announce=voice.announce).exploitability
    else:
        with tablebase.Tablebase(path) as table:
            text, stored = table.ruleset.text, table.exploitability
        found = tablebase.check(path, announce=voice.announce)
    if found > stored + tablebase.FINE:
        raise UsageError(f"{path} says an exploitability of {stored:.1e}, but it is {found:.1e}")
    if as_json:
        sys.stdout.write(json.dumps({"ruleset": text, "exploitability": found}) + "\n")
    else:
        sys.stdout.write(f"ok: {text}, exploitability {found:.1e} (the file says {stored:.1e})\n")


# Looking up


def oracle_of(ruleset: Ruleset, budget_ms: float, voice: Voice) -> Oracle:
    """With a table, which is built now if that is soon done."""
    refusal = build_by_the_way(ruleset, progress=voice.say, announce=voice.announce)
    if refusal:
        voice.say(f"{refusal}; searching instead")
    return Oracle(
        ruleset, budget_ms=budget_ms, build=False, announce=voice.announce, progress=voice.say
    )


def show_value(
    game: str, state: str | None, *, after: str, budget_ms: float, as_json: bool
) -> None:
    ruleset, voice = load(game), Voice(as_json=as_json)
    shown = play_line(ruleset, ruleset.parse_state(parse_given(state)), after)
    advice = advise(oracle_of(ruleset, budget_ms, voice), shown)
    if as_json:
        sys.stdout.write(json.dumps({"ruleset": ruleset.text, **advice.as_json()}) + "\n")
        return
    console = Console(highlight=False)
    for row in map(painted, ruleset.board(shown, min(max(40, console.width), 76))):
        console.print(row)
    print_advice(console, advice)


def answer_lines(game: str, *, after: str, budget_ms: float) -> None:
    """One state a line in, one answer a line out; a line that is wrong is answered with why."""
    ruleset, voice = load(game), Voice(as_json=True)
    oracle = oracle_of(ruleset, budget_ms, voice)
    for line in sys.stdin.buffer:
        try:
            if len(line) > LONGEST_LINE:
                raise UsageError(f"a line may have at most {LONGEST_LINE:,} bytes")
            state = play_line(ruleset, ruleset.parse_state(parse_line(line)), after)
            answer = advise(oracle, state).as_json()
        except HolmgangError as error:
            answer = {"error": str(error)}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def parse_line(line: bytes) -> Any:
    """A state as JSON, or in short between quotation marks or without."""
    try:
        text = line.decode().strip()
    except UnicodeDecodeError as error:
        raise StateError(f"not UTF-8: byte {error.start + 1} of the line") from None
    if not text:
        raise StateError("an empty line is no state")
    return parse_given(text)


def parse_given(state: str | None) -> Any:
    """A state as JSON, if it looks like that; otherwise in short, as it is."""
    if state is None or not state.lstrip().startswith(("{", '"')):
        return state
    try:
        return json.loads(state)
    except (ValueError, RecursionError):
        raise StateError("the state is neither JSON nor a state in short") from None


def print_advice(console: Console, advice: Advice) -> None:
    position = advice.position
    console.print(f"\nvalue to red [bold]{position.value:+z.6f}[/]  {how_known(advice)}")
    if position.win is not None and position.draw is not None and position.loss is not None:
        print_bar(console, position.win, position.draw, position.loss)
    for name, mix in (("red", position.red), ("blue", position.blue)):
        worth = advice.worth[name]
        if not worth:
            continue
        wide = max(14, *(len(word) + 2 for word in worth))
        console.print(f"\n[bold {name}]{name:<{wide + 4}}[/][dim]play    worth to red[/]")
        side = 1 if name == "red" else -1
        shown = sorted(worth, key=lambda word: (-mix.get(word, 0.0), -side * worth[word]))
        for word in shown[:SHOWN]:
            chance = mix.get(word, 0.0)
            bar = "█" * round(20 * chance)
            played = "     –" if chance == 0 else f"{chance:6.1%}" if chance >= RARE else " <0.1%"
            console.print(f"  {word:<{wide}}{played}    {worth[word]:+z.6f}  [{name}]{bar}[/]")
        if len(shown) > SHOWN:
            console.print(f"  … and {len(shown) - SHOWN} more: --json has them all", style="dim")


def how_known(advice: Advice) -> str:
    position = advice.position
    proven = f"proven: from {position.low:+g} to {position.high:+g}"
    if position.depth == 0 and position.is_exact:
        return f"exact to {(position.high - position.low) / 2:.0e}, from a table"
    if position.depth == 0:
        return f"from a table that is not exact; {proven}"
    searched = f"search depth {position.depth}"
    if position.is_exact:
        return f"exact, {searched}"
    if position.low > -1 or position.high < 1:
        return f"estimate, {searched}; {proven}"
    return f"estimate, {searched}"


def print_bar(console: Console, win: float, draw: float, loss: float) -> None:
    """The chances of a win, a draw and a loss if both play their mixes, as a bar."""
    width = min(60, console.width - 2)
    reds, blues = round(width * win), round(width * loss)
    bar = f"[red]{'█' * reds}[/][dim]{'░' * (width - reds - blues)}[/][blue]{'█' * blues}[/]"
    console.print(f"\n{bar}")
    console.print(f"red wins {win:.1%}, a draw {draw:.1%}, blue wins {loss:.1%}")
