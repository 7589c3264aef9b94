"""Boards as rows of spans: what their pieces are made of."""

import pytest

from holmgang.games.catalogue import CATALOGUE
from holmgang.games.drawing import Comparison, Role, Span, joined, piece, pips, row_text, versus
from holmgang.games.ruleset import load


def test_neighbours_of_one_role_are_joined():
    row = piece("a", Role.RED) + piece("b", Role.RED) + piece("c") + piece("d", Role.RED)
    assert joined(row) == (Span("ab", Role.RED), Span("c"), Span("d", Role.RED))


def test_pips_have_the_role_of_their_seat():
    assert pips(1, 2, "♥", apart=False) == (
        Span("2", Role.STRONG),
        Span(" "),
        Span("♥♥", Role.BLUE),
    )
    assert pips(0, 0, "♥", apart=False) == (Span("0"),)


@pytest.mark.parametrize("width", [40, 10])
def test_sides_are_face_to_face_or_below_each_other(width):
    rows = versus([Comparison("hp", piece("123456"), piece("7"))], width)
    assert [row_text(row).split() for row in rows] == (
        [["RED", "BLUE"], ["123456", "hp", "7"]]
        if width == 40
        else [["RED"], ["hp", "123456"], [], ["BLUE"], ["hp", "7"]]
    )


@pytest.mark.parametrize("name", CATALOGUE)
def test_no_span_of_a_board_is_empty(name):
    ruleset = load(name)
    for width in (40, 80):
        assert all(span.text for row in ruleset.board(ruleset.initial(), width) for span in row)
