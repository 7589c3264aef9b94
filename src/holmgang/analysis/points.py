"""Values for people: points of 100 of the expected score.

A win is 100 points, a draw 50, a loss 0. Values from −1 to 1 are for programs and researchers.
Sentences have whole points, tables one decimal. `web/static/study/figures.js` does the same in a
browser.
"""

from math import floor

PER_VALUE = 50.0
LEGEND = "Points of 100: a win is 100, a draw 50, a loss 0."


def points(worth: float) -> float:
    """A difference between two values, or a cost, in points.

    >>> points(0.22)
    11.0
    """
    return PER_VALUE * worth


def whole_points(worth: float) -> int:
    """The same as sentences print it, without a sign. Marks depend on this number.

    >>> whole_points(0.0999), whole_points(-0.0101)
    (5, 1)
    """
    return floor(abs(points(worth)) + 0.5)


def cost_text(worth: float, *, is_exact: bool = True) -> str:
    """What something costs or gains.

    >>> cost_text(0.22), cost_text(0.02), cost_text(0.004), cost_text(0.3, is_exact=False)
    ('11 points of 100', '1 point of 100', 'under 1 point of 100', 'about 15 points of 100')
    """
    return f"{short_text(worth, is_exact=is_exact)} of 100"


def short_text(worth: float, *, is_exact: bool = True) -> str:
    """The same where `of 100` was said before.

    >>> short_text(0.22), short_text(0.02)
    ('11 points', '1 point')
    """
    whole = whole_points(worth)
    number = "under 1 point" if whole == 0 else "1 point" if whole == 1 else f"{whole} points"
    return number if is_exact else f"about {number}"


def table_text(worth: float, *, is_signed: bool = True) -> str:
    """A difference for a table, with one decimal, so that sums agree.

    >>> table_text(0.5), table_text(-0.25), table_text(-0.0001), table_text(0.22, is_signed=False)
    ('+25.0', '−12.5', '0.0', '11.0')
    """
    text = f"{abs(points(worth)):.1f}"
    if not is_signed or text == "0.0":
        return text
    return f"{'−' if worth < 0 else '+'}{text}"


def score_text(value: float) -> str:
    """The expected score of red in a position with this value, with one decimal.

    >>> score_text(0.22), score_text(-1)
    ('61.0', '0.0')
    """
    return f"{PER_VALUE + points(value) + 0.0:.1f}"
