"""Standoff as a person at a terminal sees it."""

from tests.games.standoff.rules import Rules, State

from holmgang.games.drawing import Comparison, Row, pips, versus


def draw_board(rules: Rules, state: State, width: int) -> list[Row]:
    red = pips(0, max(0, state.red), "•", apart=False)
    blue = pips(1, max(0, state.blue), "•", apart=False)
    return versus([Comparison("bullets", red, blue)], width)
