"""A record as a single-file web page that steps through the duel.

Each SVG tag is stored once for all pictures: `SharedPictures` has the list of tags, and each frame
is a list of their numbers. The page is `replay_page.html`, with its styles and its script.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from holmgang.engine import record as records
from holmgang.engine.course import Course
from holmgang.engine.frames import UNFINISHED, chance_text, names_of
from holmgang.engine.html_page import render
from holmgang.engine.picture import result_caption
from holmgang.engine.record import Record
from holmgang.games.contract import NOBODY, SEATS, Scene, Transition
from holmgang.games.svg import labelled, page_style

HERE = Path(__file__).parent
TAG = re.compile(r"<[^>]*>[^<]*")


def replay_page(
    record: Record, logs: Mapping[int, Sequence[tuple[str, str]]] = MappingProxyType({})
) -> str:
    """The page. `logs` has the output of the players by round, as pairs of a seat and a text; round
    0 is before the first. Raises `ReplayError` if the record is not correct.
    """
    duel = records.replay(record)
    names = names_of(record)
    match = record.header.get("match")
    return render(
        "engine/replay_page.html",
        *sources(),
        game=record.ruleset.entry.title,
        ruleset=record.ruleset.text,
        names=names,
        ending=duel.ending() if record.is_complete else UNFINISHED,
        pictures=share_tags(pictures(duel.course, names)),
        rounds=duel.rounds,
        logs=logs,
        chance_text=chance_text,
        game_number=match.get("game") if isinstance(match, dict) else None,
        started=record.header.get("started"),
    )


@cache
def sources() -> tuple[str, str]:
    """The style and the script of every page."""
    style, script = ((HERE / f"replay_page.{kind}").read_text("utf-8") for kind in ("css", "js"))
    return f"{page_style()}\n{style}", script


def pictures(course: Course, names: dict[str, str]) -> Iterator[str]:
    """The board at the start and after each round."""
    ruleset, steps = course.ruleset, course.steps
    both = names["red"], names["blue"]
    winner = None
    if course.outcome is not None:
        winner = SEATS.index(course.outcome.winner) if course.outcome.winner else NOBODY
    start = steps[0].before if steps else course.position
    for number in range(len(steps) + 1):
        last, state = None, start.state
        if number:
            step = steps[number - 1]
            last = Transition(step.before.state, step.red, step.blue, step.face)
            state = step.after.state
        scene, caption = Scene(last, has_style=False), f"Round {number}" if number else "Start"
        if number == len(steps) and winner is not None:
            scene, caption = scene._replace(winner=winner), result_caption(winner)
        yield labelled(ruleset.picture(state, scene), both, caption)


class SharedPictures(NamedTuple):
    """Pictures that share their tags."""

    tags: list[str]
    """Every tag once, with the text after it."""
    frames: list[list[int]]
    """Each picture, as indices into `tags`."""

    def picture(self, number: int) -> str:
        return "".join(self.tags[each] for each in self.frames[number])


def share_tags(drawn: Iterable[str]) -> SharedPictures:
    """These pictures, with every tag stored once.

    >>> share_tags(["<g><p/></g>", "<g>5</g>"])
    SharedPictures(tags=['<g>', '<p/>', '</g>', '<g>5'], frames=[[0, 1, 2], [3, 2]])
    """
    places: dict[str, int] = {}
    frames = [
        [places.setdefault(tag, len(places)) for tag in TAG.findall(picture)] for picture in drawn
    ]
    return SharedPictures(list(places), frames)
