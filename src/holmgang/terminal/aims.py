"""`holmgang balance --aim`: settings near to what a designer wants, as text, JSON or a page."""

from collections.abc import Sequence
from pathlib import Path

from holmgang.errors import UsageError
from holmgang.games.finding import typed
from holmgang.games.ruleset import load
from holmgang.lab.aims import (
    AimedRuleset,
    AimSearch,
    find_settings,
    parse_aim,
    parse_vary,
    parse_wanted,
)
from holmgang.lab.aims_report import aims_page
from holmgang.terminal.printing import check_target, print_json, print_line, write_text
from holmgang.terminal.sweep import aligned, measuring

MOST_LINES = 12


def show_aims(
    game: str,
    aims: Sequence[str],
    vary: Sequence[str],
    *,
    wanted: Path | None,
    html: Path | None,
    tries: int,
    as_json: bool,
    most_states: int,
    cluster: str | None,
) -> None:
    check_target(html)
    ruleset = load(game)
    parsed, values = [parse_aim(text) for text in aims], parse_vary(ruleset, vary)
    if wanted is not None:
        parsed += parse_wanted(read_wanted(wanted))
    with measuring(tries, as_json=as_json) as (progress, announce):
        found = find_settings(
            ruleset,
            parsed,
            values,
            tries=tries,
            most_states=most_states,
            cluster=cluster,
            progress=progress,
            announce=announce,
        )
    if as_json:
        print_json(found.as_json())
    elif html is not None:
        write_text(html, aims_page(found))
    else:
        print_line(aims_text(found))


def read_wanted(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not text in UTF-8") from None


def aims_text(found: AimSearch) -> str:
    """The nearest settings and the trade-offs, in tables."""
    parts = [f"{found.title} ({found.ruleset})", *(f"  aim  {aim.text}" for aim in found.aims), ""]
    parts.append(f"{len(found.tried):,} of {found.combinations:,} combinations measured.")
    if found.met:
        parts.append(f"{len(found.met):,} of them meet every aim. Those with the fewest changes:")
        parts += table(found, found.met[:MOST_LINES])
    elif found.tried:
        parts.append("None meets every aim. The nearest:")
        parts += table(found, found.tried[:MOST_LINES])
        if len(found.aims) > 1:
            parts.append("\nTrade-offs: nothing measured is nearer to one aim and as near to all.")
            parts += table(found, found.front[:MOST_LINES])
    parts += ["\nToday's rules:", *table(found, [found.today])]
    if found.tried and found.tried[0].found.ruleset != found.today.found.ruleset:
        parts.append(f"\nReport: holmgang balance {typed(load(found.tried[0].found.ruleset))}")
    return "\n".join(parts)


def table(found: AimSearch, rulesets: Sequence[AimedRuleset]) -> list[str]:
    names = list(dict.fromkeys(aim.measure for aim in found.aims))
    lines = [[*found.rules, *names, "distance"]]
    for each in rulesets:
        settings = [str(each.found.settings[rule]) for rule in found.rules]
        lines.append([*settings, *map(each.found.text_of, names), f"{each.distance:.3f}"])
    return [f"  {line}" for line in aligned(lines)]
