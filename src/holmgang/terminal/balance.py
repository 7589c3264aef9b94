"""`holmgang balance`: the measures of a ruleset, as text, JSON or a web page."""

from collections.abc import Iterator
from pathlib import Path
from textwrap import fill

from holmgang.errors import UsageError
from holmgang.games.finding import typed
from holmgang.games.ruleset import load
from holmgang.lab.balance import balance
from holmgang.lab.compare import RulesComparison, compare
from holmgang.lab.dominance import Useless, widest_first
from holmgang.lab.look_ahead import in_words
from holmgang.lab.measures import SITUATIONS, Balance, SeatMeasures
from holmgang.lab.report import (
    at_least,
    between,
    bound,
    comparison_page,
    report_page,
    strength_text,
)
from holmgang.lab.verdict import Urgency, next_steps, percent, score_text, verdict
from holmgang.terminal.online.address import parse_address
from holmgang.terminal.printing import check_target, print_json, print_line, write_text
from holmgang.terminal.progress import StatusPrinter

SIGNS = {Urgency.FINE: "✓", Urgency.LOOK: "!", Urgency.CHANGE: "✗"}
WIDTH = 80
BAR = 30  # characters
COLUMN = 22  # characters of a ruleset in a comparison
GROUPS = (2, 4, 6, 8, 12, 16, 24, 40)  # the last numbers of rounds that are shown together


def show_balance(
    game: str,
    *,
    html: Path | None,
    as_json: bool,
    most_states: int,
    games: int,
    trials: int,
    server: str,
) -> None:
    if html is not None and as_json:
        raise UsageError("--html and --json exclude each other")
    check_target(html)
    address = str(parse_address(server))
    status = StatusPrinter(as_json=as_json)
    found = balance(
        game,
        most_states=most_states,
        games=games,
        trials=trials,
        progress=status.say,
        announce=status.announce,
    )
    if as_json:
        print_json(found.as_json())
    elif html is not None:
        write_text(html, report_page(found, address))
    else:
        print_line(balance_text(found))


def show_comparison(before: str, after: str, *, html: Path | None, as_json: bool) -> None:
    if html is not None and as_json:
        raise UsageError("--html and --json exclude each other")
    check_target(html)
    rulesets = [load(game) for game in (before, after)]
    status = StatusPrinter(as_json=as_json)
    measured = []
    for ruleset in rulesets:
        status.say(f"measuring {ruleset.text}")
        measured.append(balance(ruleset, progress=status.say, announce=status.announce))
    found = compare(*measured)
    if as_json:
        print_json(found.as_json())
    elif html is not None:
        write_text(html, comparison_page(found))
    else:
        print_line(comparison_text(found))


def comparison_text(found: RulesComparison) -> str:
    """Both rulesets in a table, under the differences in words."""
    names = found.before.ruleset, found.after.ruleset
    lines = [f"From {names[0]} to {names[1]}", "─" * WIDTH]
    lines += [
        fill(each, WIDTH, initial_indent="  ", subsequent_indent="    ") for each in found.sentences
    ]
    heads = names if max(map(len, names)) <= COLUMN else ("before", "after")
    lines += ["", f"  {'':28} {heads[0]:>{COLUMN}} {heads[1]:>{COLUMN}}"]
    for row in found.rows:
        lines.append(f"  {row.name[:28]:28} {row.texts[0]:>{COLUMN}} {row.texts[1]:>{COLUMN}}")
    return "\n".join(lines)


def balance_text(found: Balance) -> str:
    """The report for a terminal, 80 columns wide."""
    head = f"Balance of {found.title}"
    how = f"{found.states:,} positions, solved" if found.is_exact else f"{found.games:,} games"
    about = f"{found.ruleset}, {how}"
    parts = [
        head + about.rjust(WIDTH - len(head))
        if len(head + about) < WIDTH - 2
        else f"{head}\n{about}",
        "─" * WIDTH,
        *(
            remark_text(SIGNS[each.urgency], f"{each.headline} {each.detail}")
            for each in verdict(found)
        ),
        "\n  ✓ fine   ! worth a look   ✗ change this      "
        + ("everything is exact" if found.is_exact else f"games of {found.players}"),
        endings_text(found),
        *(
            choices_text(found, seat, "" if found.is_symmetric else f" OF {name}")
            for name, seat in zip(("RED", "BLUE"), found.seats, strict=False)
        ),
        skill_text(found),
        *levels_text(found),
        *plans_text(found),
        *look_ahead_text(found),
        *depth_text(found),
    ]
    if found.endless_lines:
        named = typed(load(found.ruleset))
        parts.append("\nLINES THAT LEAD NOWHERE")
        parts += [f'  holmgang value {named} --after "{each.line}"' for each in found.endless_lines]
    steps = next_steps(found)
    if steps:
        parts.append("\nWHAT TO TRY NEXT")
        parts += [f"  {each.purpose}:\n    {each.command}" for each in steps]
    return "\n".join(parts)


def remark_text(sign: str, text: str) -> str:
    return fill(text.strip(), WIDTH, initial_indent=f"  {sign}  ", subsequent_indent="     ")


def endings_text(found: Balance) -> str:
    ends, length = found.endings, found.length
    name = "endless" if found.is_exact else "at the round limit"
    endless = f", {name} {percent(ends.endless)}" if ends.endless else ""
    wins = f"Red {percent(ends.red)}, drawn {percent(ends.draw)}, Blue {percent(ends.blue)}"
    lines = ["\nVALUE AND ENDINGS", f"  {wins}{endless}; value to Red {found.value.value:+.4f}"]
    if length is not None:
        lines.append(f"  Length: {length.mean:.1f} rounds on average")
        shares = grouped(length.chances)
        widest = max(share for _, share in shares)
        for name, share in shares:
            lines.append(f"  {name:>14} {percent(share):>10}  {'█' * round(BAR * share / widest)}")
    return "\n".join(lines)


def grouped(chances: tuple[float, ...]) -> list[tuple[str, float]]:
    """The share of the games by number of rounds, in groups."""
    found, first = [], 0
    for last in GROUPS:
        name = f"{first + 1}" if last == first + 1 else f"{first + 1}–{last}"
        found.append((name, sum(chances[first:last])))
        first = last
    found.append((f"{first + 1} and more", sum(chances[first:])))
    return [(name, share) for name, share in found if share > 0]


def choices_text(found: Balance, seat: SeatMeasures, whose: str) -> str:
    points = at_least if found.is_exact else between
    lines = [
        f"\nCHOICES{whose}",
        f"  {'':18} used where possible   cost on average   cost of never using it",
    ]
    for each in (each for each in seat.choices if each not in seat.seldom):
        never = "–" if each.cost_of_never is None else points(each.cost_of_never)
        lines.append(
            f"  {each.choice[:18]:18} {percent(each.use):>19} {50 * each.mean_cost:>17.1f}"
            f" {never:>24}".rstrip()
        )
    lines.append("  Costs are in points of 100: a win is 100, a draw 50, a loss 0.")
    lines += use_lines(found, seat)
    if seat.plans:
        lines.append("  Score of a player who always chooses, whenever possible:")
        lines += [f"    {each.choice[:18]:18} {score_text(each.score)}" for each in seat.plans]
    for plan in (each for each in seat.plans if each.answers):
        lines.append(f"  Score of the other player against {plan.choice} alone:")
        lines += [
            f"    {each.choice[:18]:18} without it {score_text(each.without):>10}, alone"
            f" {score_text(each.alone)}"
            for each in plan.answers
        ]
    if seat.restricted:
        lines.append("  What simpler ways to play cost:")
        lines += [f"    {each.name:40} {bound(each.cost):>8}" for each in seat.restricted]
    if seat.useless:
        lines.append("  Never right:")
        lines += [
            f"    {each.choice} {where(each, found)}"
            f" ({each.proof.value}, {each.states:,} positions)"
            for each in widest_first(seat.useless)
        ]
    return "\n".join(lines)


def use_lines(found: Balance, seat: SeatMeasures) -> Iterator[str]:
    """When each choice is used: by who is ahead, and the condition that matters most."""
    if not seat.used:
        return
    columns = "".join(f"{each:>12}" for each in SITUATIONS)
    title = "   most of all when" if any(each.most_used for each in seat.used) else ""
    yield f"  {'Used when':18}{columns}{title}"
    name = "red" if seat is found.red else "blue"
    for each in seat.used:
        uses = "".join(f"{'–' if use is None else percent(use):>12}" for use in each.by_lead)
        most = each.most_used
        text = ""
        if most:
            condition = most.text(name, symmetric=found.is_symmetric)
            text = f"   {condition} ({percent(most.use)})"
        yield f"    {each.choice[:16]:16}{uses}{text}"


def where(each: Useless, found: Balance) -> str:
    text = each.condition_text(symmetric=found.is_symmetric)
    return f"when {text}" if text else "anywhere"


def levels_text(found: Balance) -> Iterator[str]:
    levels = found.levels
    if levels is None:
        return
    yield "\nLEVELS: SCORE OF 100 AGAINST EACH OTHER"
    yield " " * 11 + "".join(f"{name:>10}" for name in levels.players)
    for name, row in zip(levels.players, levels.points, strict=True):
        yield f"  {name:9}" + "".join(f"{score:>10.0f}" for score in row)
    yield f"  By strength: {strength_text(levels)}"


def plans_text(found: Balance) -> Iterator[str]:
    plans = found.simple_plans
    if plans is None:
        return
    yield "\nSIMPLE PLANS: SCORE OF 100 AGAINST EACH OTHER"
    numbers = "".join(f"{f'({place})':>5}" for place in range(1, len(plans.players) + 1))
    yield f"{'':24}{numbers}"
    for place, (name, row) in enumerate(zip(plans.players, plans.points, strict=True), 1):
        yield f"  {f'({place})':>4} {name[:16]:16} " + "".join(f"{score:>5.0f}" for score in row)
    yield fill(
        f"By strength: {strength_text(plans)}", WIDTH, initial_indent="  ", subsequent_indent="  "
    )


def look_ahead_text(found: Balance) -> Iterator[str]:
    if not found.look_ahead:
        return
    yield "\nLOOKING AHEAD"
    yield "  rounds ahead   score against half as many   against perfect play"
    for each in found.look_ahead:
        yield f"  {each.rounds:>12}{each.against_half:>29.1f}{each.against_perfect:>23.1f}"
    yield f"  {in_words(found.look_ahead)}"


def depth_text(found: Balance) -> Iterator[str]:
    depth = found.depth
    if depth is None:
        return
    yield "\nDEPTH: WHAT BEST ANSWERS STILL GAIN AFTER EACH NEW STRATEGY"
    gains = " ".join(f"{50 * gain:.1f}" for gain in depth.gains)
    yield fill(gains, WIDTH, initial_indent="  ", subsequent_indent="  ")
    yield f"  {depth.strategies} strategies, each the best answer to those before"


def skill_text(found: Balance) -> str:
    tension, luck = found.tension, found.luck
    who_decides = "who guesses right" if found.is_exact else "choices"
    lines = [
        "\nLUCK, SKILL AND TENSION",
        f"  {who_decides} {percent(luck.matchups)}, dice {percent(luck.dice)}",
    ]
    for name, seat in zip(("Red", "Blue"), found.seats, strict=False):
        who = "a player" if found.is_symmetric else name
        side = 1 if name == "Red" else -1
        if seat.against_random is not None:
            lines.append(
                f"  {who} scores {50 + 50 * seat.against_random:.0f} of 100 against random"
            )
        if seat.seen is not None:
            lines.append(
                f"  {who} whose choices are seen first scores"
                f" {50 + 50 * side * seat.seen.value:.0f} of 100"
            )
    lines.append(
        f"  lead changes {tension.lead_changes:.1f} a game, comebacks"
        f" {percent(tension.comeback)}, decided after {percent(tension.decided_after)} of a game"
    )
    return "\n".join(lines)
