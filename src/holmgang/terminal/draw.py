"""`holmgang draw`: a state as an SVG or PNG file."""

from pathlib import Path

from holmgang.engine.line import play_rounds
from holmgang.engine.picture import THEMES, rasterise, result_caption
from holmgang.errors import UsageError
from holmgang.games.contract import Scene
from holmgang.games.ruleset import load
from holmgang.games.shape import brief
from holmgang.games.svg import labelled
from holmgang.machine import write_whole
from holmgang.terminal.printing import write_text


def draw_state(
    game: str,
    state: str | None,
    *,
    after: str,
    svg: Path | None,
    png: Path | None,
    width: int,
    theme: str,
) -> None:
    if svg is None and png is None:
        raise UsageError("no output file: give --svg FILE, --png FILE or both")
    if theme and theme not in THEMES:
        raise UsageError(f"--theme is {' or '.join(THEMES)}; not {brief(theme)}")
    ruleset = load(game)
    start = ruleset.parse_state(state)
    shown, last = play_rounds(ruleset, start, after)
    caption = f"Round {len(after.split()) + 1}" if state is None else ""
    ruled = ruleset.ending(shown)
    if ruled.reason:
        caption = result_caption(ruled.winner)
    picture = labelled(ruleset.picture(shown, Scene(last, theme=theme)), caption=caption)
    if svg is not None:
        write_text(svg, picture + "\n")
    if png is not None:
        write_whole(png, rasterise(picture, width=width, theme=theme or "light"))
