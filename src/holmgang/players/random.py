"""The level `random`: all legal choices are equally likely."""

from holmgang.engine.course import Course
from holmgang.engine.keys import draw_below


class RandomPlayer:
    """Draws with the key of its seat, so that a game of such players depends only on its seed."""

    name = "random"

    def __init__(self, seat: int, key: int) -> None:
        self._seat, self._key = seat, key

    def choose(self, course: Course) -> int:
        choices = list(course.position.menus[self._seat].choices.values())
        return choices[draw_below(self._key, course.round, len(choices))]

    def accepts_draw(self, course: Course) -> bool:
        return False
