"""Pictures of a game for `render`: text, or the game's own picture as pixels."""

from io import BytesIO

import numpy as np
from numpy.typing import NDArray

from holmgang.engine.course import Course
from holmgang.engine.picture import rasterise, result_caption
from holmgang.errors import UsageError
from holmgang.games.contract import NOBODY, SEATS, Scene, Transition
from holmgang.games.drawing import row_text
from holmgang.games.shape import brief
from holmgang.games.svg import labelled

MODES = ["human", "ansi", "rgb_array"]
COLUMNS = 80
PIXELS = 480
NEEDS_PILLOW = "rgb_array needs Pillow: pip install 'holmgang[envs]'"


def check_mode(mode: str | None) -> str | None:
    """Raises `UsageError` for a mode that is not known."""
    if mode is not None and mode not in MODES:
        raise UsageError(f"render_mode is one of {', '.join(MODES)}; not {brief(mode)}")
    return mode


def render(course: Course, mode: str | None) -> str | NDArray[np.uint8] | None:
    """The current position: nothing for `human`, which prints it."""
    if mode == "rgb_array":
        return pixels(course)
    if mode is None:
        return None
    drawn = text(course)
    if mode == "ansi":
        return drawn
    print(drawn)  # noqa: T201 - for people
    return None


def text(course: Course) -> str:
    """The board in plain text, with the story of the last round."""
    ruleset, steps = course.ruleset, course.steps
    lines = [f"round {course.round}"]
    if steps:
        last = steps[-1]
        lines += ruleset.tell(last.before.state, last.red, last.blue, last.face, last.after.state)
    lines += [row_text(row).rstrip() for row in ruleset.board(course.position.state, COLUMNS)]
    if course.outcome is not None:
        lines.append(f"{course.outcome.winner or 'nobody'} wins ({course.outcome.reason})")
    return "\n".join(lines) + "\n"


def pixels(course: Course) -> NDArray[np.uint8]:
    """The picture as an array of height × width × red, green and blue."""
    try:
        from PIL import Image
    except ImportError:
        raise UsageError(NEEDS_PILLOW) from None
    steps, last, caption = course.steps, None, "Start"
    if steps:
        step = steps[-1]
        last = Transition(step.before.state, step.red, step.blue, step.face)
        caption = f"Round {len(steps)}"
    scene = Scene(last)
    if course.outcome is not None:
        winner = SEATS.index(course.outcome.winner) if course.outcome.winner else NOBODY
        scene, caption = scene._replace(winner=winner), result_caption(winner)
    drawn = labelled(course.ruleset.picture(course.position.state, scene), ("Red", "Blue"), caption)
    with Image.open(BytesIO(rasterise(drawn, width=PIXELS))) as image:
        return np.array(image.convert("RGB"))
