"""An analysis as one HTML file: the curve, the board, both mixes of each round, skill and luck.

It is built like a replay page (`engine/replay_page.py`), whose script steps through the rounds.
`report.css` has the styles; `report.js` makes the curve clickable.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from holmgang.analysis import curve
from holmgang.analysis.analyse import Analysis
from holmgang.analysis.words import MARK_NAMES, ending_sentence, signed
from holmgang.engine import replay_page
from holmgang.games.contract import SEATS
from holmgang.games.svg import text_of
from holmgang.version import VERSION

HERE = Path(__file__).parent
MOST_CHOICES = 8  # of a mix
SHARE = 0.005  # of a mix: less is not shown, unless it was chosen
LOST = 0.005  # less is no cost


def report_page(analysis: Analysis) -> str:
    """The analysis as an HTML page."""
    told, names = analysis.as_json(), analysis.players
    pieces, frames = replay_page.share_tags(replay_page.pictures(analysis.course, names))
    first = "".join(pieces[each] for each in frames[0])
    title = f"{told['title']}: {names['red']} against {names['blue']}, analysis"
    summary = "".join(f"<p>{text_of(sentence)}</p>" for sentence in told["summary"][:2])
    body = (
        f"<header><h1>{text_of(told['title'])}</h1>"
        f'<p class="players"><b class="red">{text_of(names["red"])}</b> against'
        f' <b class="blue">{text_of(names["blue"])}</b></p>'
        f'<p class="result">{text_of(ending_sentence(analysis))}</p>{known_tag(told)}</header>\n'
        '<main><section class="stage" aria-label="Rounds">'
        f'<div id="board">{first}</div>{replay_page.controls(len(frames) - 1)}'
        '<div id="now" aria-live="polite"></div></section>\n'
        f'<div class="side"><section class="card"><h2>Expected score of red</h2>'
        f'<div id="curve">{curve.draw(told, prefix="curve-", has_style=False)}</div>'
        f"{curve_key(told)}</section>\n"
        f'<section class="card"><h2>Skill and luck</h2>{summary}{parts_table(told)}</section>'
        f'</div>\n<section class="card"><h2>Turning points</h2>{turning_points(told)}</section>\n'
        f'<ol id="rounds" start="0" hidden>{"".join(round_items(analysis, told))}</ol></main>\n'
        f"<footer>Rules: <code>{text_of(told['ruleset'])}</code> · Made by Holmgang {VERSION}"
        "</footer>\n"
    )
    style, script = sources()
    return replay_page.html_file(title, body, [pieces, frames], style, script)


@cache
def sources() -> tuple[str, str]:
    """Style and script: those of a replay page, and the additions of this one."""
    style, script = replay_page.sources()
    own = [(HERE / f"report.{kind}").read_text("utf-8") for kind in ("css", "js")]
    return f"{style}\n{own[0]}", f"{script}\n{own[1]}"


# Beside the board


def known_tag(told: dict[str, Any]) -> str:
    if told["exact"] and told["errors_exact"]:
        return '<p class="tag">exact values</p>'
    if told["exact"]:
        return '<p class="tag guess">proven values; other choices ≈ estimated</p>'
    rounds = "round" if told["depth"] == 1 else "rounds"
    return f'<p class="tag guess">≈ estimates, at least {told["depth"]} {rounds} ahead</p>'


def curve_key(told: dict[str, Any]) -> str:
    dashes = "" if told["exact"] else "Dashed: estimates. "
    marks = ", ".join(f"<b>{mark}</b> {name} (from {least})" for least, mark, name in MARK_NAMES)
    errors = f"{'Errors' if told['errors_exact'] else 'Proven errors'}: {marks}."
    return f'<p class="key">{dashes}{errors} Click a round to see it.</p>'


def parts_table(told: dict[str, Any]) -> str:
    """The steps from the value at the start to the result: skill solid, luck hatched."""
    totals, names = told["totals"], told["players"]
    accuracy = {
        seat: "–" if share is None else f"{share:.0f}%" for seat, share in told["accuracy"].items()
    }
    rows = [
        ("skill", f"Errors of {names['red']}", -totals["red_error"], accuracy["red"]),
        ("skill", f"Errors of {names['blue']}", totals["blue_error"], accuracy["blue"]),
        ("luck", "Luck of the match-up", totals["meeting_luck"], ""),
        ("luck", "Luck of the dice", totals["dice_luck"], ""),
    ]
    if abs(totals["ending"]) >= LOST:
        rows.append(("end", f"Ending by {told['reason']}", totals["ending"], ""))
    largest = max(1.0, *(abs(value) for _, _, value, _ in rows))
    guess = "" if told["errors_exact"] else "≈ "
    drawn = "".join(
        f'<tr class="{kind}"><th scope="row">{text_of(name)}</th><td>{part_bar(value / largest)}'
        f'</td><td class="number">{guess}{signed(value)}</td><td class="number">{note}</td></tr>'
        for kind, name, value, note in rows
    )
    about = "" if told["exact"] else "≈ "
    end = told["end_value"] if told["result"] is None else told["result"]
    last = "Value at the end" if told["result"] is None else "Result"
    return (
        '<table class="parts"><thead><tr><th scope="col">to red</th><td></td><td></td>'
        '<th scope="col">accuracy</th></tr></thead><tbody>'
        f'<tr><th scope="row">Start</th><td></td><td class="number">{about}'
        f"{signed(told['start_value'])}</td><td></td></tr>{drawn}"
        f'<tr class="sum"><th scope="row">{last}</th><td></td><td class="number">{signed(end)}'
        "</td><td></td></tr></tbody></table>"
    )


def part_bar(share: float) -> str:
    """A bar from the middle: to the right if red gained, to the left if it lost."""
    width = 50 * abs(share)
    x = 50.0 if share >= 0 else 50 - width
    return (
        '<svg class="part" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        f'<path class="middle" d="M50 0V10"/><rect class="solid" x="{x:.2f}" y="1"'
        f' width="{width:.2f}" height="8"/></svg>'
    )


def turning_points(told: dict[str, Any]) -> str:
    points = told["turning_points"]
    if not points:
        return f"<p>{text_of(told['summary'][2])}</p>"
    items = "".join(
        f'<li><a href="#{point["round"]}">Round {point["round"]}</a>'
        f' <b class="{point["seat"]}">{point["mark"]}</b>'
        f"<p>{text_of(point['sentence'].partition(': ')[2])}.</p></li>"
        for point in points
    )
    return f'<ul class="turns">{items}</ul>'


# Below the board


def round_items(analysis: Analysis, told: dict[str, Any]) -> Iterator[str]:
    """The texts below the board, for the start and for each round."""
    about = "" if told["exact"] else "about "
    yield f'<li><p class="step">Start: {about}{signed(told["start_value"])} to red</p></li>'
    ruleset = analysis.ruleset
    for step, played in zip(analysis.course.steps, told["rounds"], strict=True):
        story = ruleset.tell(step.before.state, step.red, step.blue, step.face, step.after.state)
        lines = " ".join(text_of(line) for line in story)
        mixes = "".join(mix_table(played, seat, analysis.players[seat]) for seat in SEATS)
        about = "" if played["exact"] else "≈ "
        yield (
            f'<li><p class="step">Round {played["round"]}: {about}'
            f"{signed(played['value_before'])} → {about}{signed(played['value_after'])} to red"
            f' <small>{parts_text(played)}</small></p><p class="story">{lines}</p>'
            f'<div class="mixes">{mixes}</div></li>'
        )


def parts_text(played: dict[str, Any]) -> str:
    parts = [
        (-played["red_error"], "red’s error"),
        (played["blue_error"], "blue’s error"),
        (played["meeting_luck"], "match-up"),
        (played["dice_luck"], "dice"),
    ]
    about = "" if played["errors_exact"] else "≈ "
    shown = [(value, name) for value, name in parts if abs(value) >= LOST]
    return ", ".join(f"{name} {about}{signed(value)}" for value, name in shown)


def mix_table(played: dict[str, Any], seat: str, player: str) -> str:
    """The best mix of a seat, what it chose, and the cost of each choice."""
    mix, chosen = played[f"{seat}_mix"], played[seat]
    if chosen is None:
        return ""
    side = 1 if seat == "red" else -1
    costs = {
        word: side * (played["value_before"] - worth)
        for word, worth in played["worth"][seat].items()
    }
    ranked = sorted(mix, key=lambda word: (-mix[word], costs[word]))
    shown = [word for word in ranked if mix[word] >= SHARE][:MOST_CHOICES]
    shown += [word for word in ranked if word not in shown][: max(0, 4 - len(shown))]
    shown += [chosen] if chosen not in shown else []
    mark = played[f"{seat}_mark"] or "●"
    about = "" if played["worths_exact"] else "≈ "
    rows = "".join(
        mix_row(word, mix[word], costs[word], mark if word == chosen else None, about)
        for word in shown
    )
    return (
        f'<table class="mix of-{seat}"><caption class="{seat}">{text_of(player)}</caption><thead>'
        '<tr><th scope="col">choice</th><td></td><th scope="col">should be</th>'
        f'<th scope="col">costs</th></tr></thead><tbody>{rows}</tbody></table>'
    )


def mix_row(word: str, share: float, cost: float, chosen: str | None, about: str) -> str:
    is_chosen = ' class="chosen-row"' if chosen else ""
    mark = f'\N{NO-BREAK SPACE}<b title="chosen">{chosen}</b>' if chosen else ""
    shares = f"{about}{share:.0%}" if share >= SHARE else "–"
    costs = f"{about}{cost:.2f}" if cost >= LOST else "–"
    return (
        f'<tr{is_chosen}><th scope="row">{text_of(word.replace("_", " "))}{mark}</th>'
        '<td><svg class="share" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect width="{100 * share:.1f}" height="10"/></svg></td>'
        f'<td class="number">{shares}</td><td class="number">{costs}</td></tr>'
    )
