"""`holmgang balance --sweep`: a game under different rules, as text, JSON or a web page."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import prod
from pathlib import Path

from rich.console import Console

from holmgang.engine.compiled.native import Announce, silent
from holmgang.engine.progress import Progress
from holmgang.errors import UsageError
from holmgang.games.ruleset import load
from holmgang.lab.sweep import USUAL, Sweep, parse_sweep, sweep
from holmgang.lab.sweep_report import sweep_page
from holmgang.terminal.printing import check_target, print_json, print_line, write_text
from holmgang.terminal.progress import announcer, progress_of

TODAY = "*"


def show_sweep(
    game: str,
    ranges: Sequence[str],
    *,
    measures: Sequence[str],
    html: Path | None,
    as_json: bool,
    most_states: int,
    cluster: str | None,
) -> None:
    check_target(html)
    ruleset = load(game)
    values: dict[str, list[int]] = {}
    for text in ranges:
        rule, found = parse_sweep(ruleset, text)
        if rule in values:
            raise UsageError(f"--sweep varies {rule} twice")
        values[rule] = found
    with measuring(prod(map(len, values.values())), as_json=as_json) as (progress, announce):
        done = sweep(
            ruleset,
            values,
            measures=tuple(measures) or USUAL,
            most_states=most_states,
            cluster=cluster,
            progress=progress,
            announce=announce,
        )
    if as_json:
        print_json(done.as_json())
    elif html is not None:
        write_text(html, sweep_page(done))
    else:
        print_line(sweep_text(done))


@contextmanager
def measuring(count: int, *, as_json: bool) -> Iterator[tuple[Progress, Announce]]:
    """Shows how many of these rulesets have been measured; nothing if JSON is printed."""
    console = Console(stderr=True, highlight=False)
    with progress_of(
        console, count, "measuring", lambda: " ", noun="rulesets", is_silent=as_json
    ) as progress:
        yield progress, silent if as_json else announcer(console)


def sweep_text(found: Sweep) -> str:
    """A table: a line for each ruleset, a column for each rule and each measure."""
    lines = [[*found.values, *found.measures]]
    for cell in found.cells:
        mark = TODAY if cell.settings == found.today else ""
        settings = [str(cell.settings[rule]) for rule in found.values]
        settings[0] = mark + settings[0]
        lines.append([*settings, *map(cell.text_of, found.measures)])
    count = f"{found.solved:,} of {len(found.cells):,} rulesets solved exactly"
    parts = [f"{found.title} ({found.ruleset}), {count}", ""]
    parts += aligned(lines)
    if any(cell.settings == found.today for cell in found.cells):
        parts.append(f"\n{TODAY} the rules of {found.ruleset}")
    parts += [f"\nNot measured: {trouble}" for trouble in found.troubles]
    return "\n".join(parts)


def aligned(lines: Sequence[Sequence[str]]) -> list[str]:
    """Rows of a table as lines of text, with all columns to the right."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        "  ".join(text.rjust(width) for text, width in zip(line, widths, strict=True))
        for line in lines
    ]
