"""`holmgang analyse`: analyses of recorded duels, as tables, JSON or a web page."""

from pathlib import Path
from textwrap import fill

from msgspec import to_builtins
from rich.console import Console

from holmgang.analysis.analyse import ANALYSIS_MS, GRADE_PARTS, Analysis, analyse
from holmgang.analysis.points import LEGEND, points, score_text, table_text
from holmgang.analysis.report import report_page
from holmgang.analysis.tendencies import tendencies_of
from holmgang.analysis.words import MARK_NAMES, ending_sentence, luck_sentence
from holmgang.engine import record as records
from holmgang.games.contract import SEATS
from holmgang.games.shape import printable
from holmgang.solver.tables import build_by_the_way
from holmgang.terminal.printing import check_target, print_json, write_text
from holmgang.terminal.progress import StatusPrinter, progress_of
from holmgang.wire.study import PlayerTendencies, SituationLine

SHOWN = 0.001  # smaller values are shown as zero
LONGEST_WORD = 20
COLUMNS = ("red error", "blue error", "match-up", "dice")


def analyse_file(path: Path, *, budget_ms: float, as_json: bool) -> Analysis:
    """The analysis of a record. A missing table is built first if that is quick."""
    record, status = records.read(path), StatusPrinter(as_json=as_json)
    refusal = build_by_the_way(record.ruleset, progress=status.say, announce=status.announce)
    if refusal:
        status.say(f"{refusal}; searching instead")
    console = Console(stderr=True)
    with progress_of(
        console, len(record.rounds), "analysing", noun="rounds", is_silent=as_json
    ) as progress:
        return analyse(
            record,
            budget_ms=budget_ms,
            progress=progress,
            notify=status.say,
            announce=status.announce,
        )


def write_report(path: Path, target: Path, *, budget_ms: float) -> None:
    """Writes the analysis as a web page of one file."""
    check_target(target)
    write_text(target, report_page(analyse_file(path, budget_ms=budget_ms, as_json=False)))


# Duels


def show_analyses(
    paths: list[Path], *, budget_ms: float = ANALYSIS_MS, as_json: bool = False
) -> None:
    console = Console(highlight=False)
    for place, path in enumerate(paths):
        analysis = analyse_file(path, budget_ms=budget_ms, as_json=as_json)
        if as_json:
            print_json(analysis.as_json())
        else:
            if place:
                console.print()
            print_analysis(console, analysis)


def print_analysis(console: Console, analysis: Analysis) -> None:
    sides = " against ".join(player_text(analysis.players[seat], seat) for seat in SEATS)
    say(console, f"{analysis.ruleset.entry.title}: {sides}", style="bold")
    say(console, f"{ending_sentence(analysis)}. {source_text(analysis)}\n")
    for sentence in analysis.summary:
        say(console, sentence)
    console.print()
    print_rounds(console, analysis)
    say(console, f"\n{LEGEND} {marks_text()}")
    say(console, luck_sentence(analysis))
    shares = {seat: analysis.accuracy(number) for number, seat in enumerate(SEATS)}
    known = [f"{analysis.players[seat]} {each:.0f}%" for seat, each in shares.items() if each]
    if known:
        say(console, f"Accuracy: {', '.join(known)}.")
    points = analysis.turning_points
    if not points:
        return
    say(console, "\nTurning points")
    for point in points:
        say(console, f"  {point.mark:<2}  {point.sentence}", indent=6)


def marks_text() -> str:
    said = ", ".join(f"{mark} {name} from {least}" for least, mark, name in MARK_NAMES)
    return f"Marks, by points rounded to whole ones: {said}."


def say(console: Console, text: str, *, indent: int = 0, style: str = "") -> None:
    """Prints text that may be long, wrapped."""
    lines = (fill(line, console.width, subsequent_indent=" " * indent) for line in text.split("\n"))
    console.print("\n".join(lines), style=style, markup=False, soft_wrap=True)


def player_text(name: str, seat: str) -> str:
    return name if name.lower() == seat else f"{name} ({seat})"


def source_text(analysis: Analysis) -> str:
    if analysis.is_exact and analysis.has_exact_errors:
        return "All values are exact."
    if analysis.is_exact:
        return "All values are proven; figures marked ≈ are estimates."
    return (
        f"Figures marked ≈ are estimates of a search that looked at least"
        f" {analysis.depth} rounds ahead; only proven errors are marked."
    )


def print_rounds(console: Console, analysis: Analysis) -> None:
    """A line for each round: what was chosen, red's expected score, and what changed it."""
    rows = [
        [word_and_mark(analysis, number, seat) for seat in (0, 1)]
        for number in range(len(analysis.rounds))
    ]
    wide = [max(6, *(len(row[seat]) for row in rows), 0) for seat in (0, 1)]
    heads = "".join(f"{head:>12}" for head in COLUMNS)
    before = 9 + sum(wide)
    console.print(
        f"[dim]round[/]  [red]{'red':<{wide[0]}}[/]  [blue]{'blue':<{wide[1]}}[/]"
        f"[dim]{'score':>9}{heads}[/]",
        soft_wrap=True,
    )
    console.print(f"{'start':<{before}}{value_text(analysis.start_value, is_exact(analysis, 0))}")
    for number, (graded, row) in enumerate(zip(analysis.rounds, rows, strict=True), start=1):
        parts = parts_text(graded.has_exact_errors, {p: getattr(graded, p) for p in GRADE_PARTS})
        value = value_text(graded.value_after, is_exact(analysis, number))
        text = f"{number:>5}  {row[0]:<{wide[0]}}  {row[1]:<{wide[1]}}{value}{parts}"
        console.print(text, markup=False, soft_wrap=True)
    totals = {part: analysis.totals[part] for part in GRADE_PARTS}
    sums = parts_text(analysis.has_exact_errors, totals, zero="0.0")
    console.print(f"{'total':<{before + 9}}{sums}", style="bold", soft_wrap=True)
    if abs(analysis.ending) >= SHOWN and analysis.outcome is not None:
        ending = f"{'' if analysis.is_end_exact else '≈'}{table_text(analysis.ending)}"
        console.print(
            f"The ending by {analysis.outcome.reason} changed red's score by {ending}, to"
            f" {score_text(analysis.result or 0.0)}.",
            markup=False,
        )


def is_exact(analysis: Analysis, number: int) -> bool:
    """Whether the value after `number` rounds is exact."""
    if number < len(analysis.rounds):
        return analysis.rounds[number].before.is_exact
    return analysis.is_end_exact


def word_and_mark(analysis: Analysis, number: int, seat: int) -> str:
    graded = analysis.rounds[number]
    word = analysis.ruleset.word_or_none(graded.choice(seat)) or "–"
    word = word if len(word) <= LONGEST_WORD else f"{word[: LONGEST_WORD - 1]}…"
    return f"{word} {graded.mark(seat) or ''}".rstrip()


def value_text(value: float, is_exact: bool) -> str:
    return f"{'' if is_exact else '≈'}{score_text(value)}".rjust(9)


def parts_text(is_exact: bool, parts: dict[str, float], zero: str = "·") -> str:
    """The parts of a round, or their sums, in columns."""
    texts = (part_text(part, value, zero) for part, value in parts.items())
    return "".join(f"{text if is_exact or text == '·' else f'≈{text}':>12}" for text in texts)


def part_text(part: str, value: float, zero: str = "·") -> str:
    """A part of a round: errors are what their own side lost, luck is to red."""
    if abs(value) < SHOWN:
        return zero
    return table_text(value, is_signed=not part.endswith("error"))


# Players


def show_tendencies(paths: list[Path], player: str, *, budget_ms: float, as_json: bool) -> None:
    analyses = [analyse_file(path, budget_ms=budget_ms, as_json=as_json) for path in paths]
    found = tendencies_of(player, analyses)
    if as_json:
        print_json(to_builtins(found))
    else:
        print_tendencies(Console(highlight=False), found)


def print_tendencies(console: Console, found: PlayerTendencies) -> None:
    about = "" if found.exact else "≈"
    share = "" if found.accuracy is None else f", accuracy {found.accuracy:.0f}%"
    duels = "1 duel" if found.duels == 1 else f"{found.duels} duels"
    say(console, f"{printable(found.player)} in {found.ruleset}", style="bold")
    say(
        console,
        f"{duels}, {found.rounds} choices{share}\n"
        f"points {table_text(found.score)}: {about}{table_text(-found.error)} by errors,"
        f" {about}{table_text(found.opponent_error)} by errors of opponents,"
        f" {about}{table_text(found.luck)} by luck",
    )
    for kind in found.kinds:
        error = f"{about}{points(kind.error):.1f} points"
        heading = f"{kind.situation}, {kind.rounds} rounds, error per round {error}"
        say(console, f"\n{heading}", style="bold")
        print_kind(console, kind, about)


def print_kind(console: Console, kind: SituationLine, about: str) -> None:
    wide = max(14, *(len(word) + 2 for word in kind.frequencies))
    console.print(f"  [dim]{'':<{wide}}played   should be[/]")
    ranked = sorted(kind.frequencies, key=lambda word: -kind.equilibrium[word])
    for word in ranked[:12]:
        played, best = kind.frequencies[word], kind.equilibrium[word]
        console.print(f"  {word:<{wide}}{played:6.1%}      {f'{about}{best:.1%}':>6}", markup=False)
    if kind.gain is not None and kind.gain_by_chance is not None and kind.gain_limit is not None:
        verdict = "more than chance" if kind.gain > kind.gain_limit else "this may be chance"
        say(
            console,
            f"  An opponent who knew these frequencies could gain about"
            f" {points(kind.gain):.1f} points per round"
            f" (estimate from {kind.rounds} rounds; perfect play would show"
            f" {points(kind.gain_by_chance):.1f}: {verdict}).",
            indent=2,
        )
