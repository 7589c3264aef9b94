"""The columns of a menu: what a choice does is cut as little as possible."""

from holmgang.engine.menu import Option
from holmgang.terminal.screen.menu_view import lay_out


def options(count, word="word", note="what it does and what it costs"):
    return [Option(chr(ord("a") + place), word, note) for place in range(count)]


def test_one_column_while_there_are_rows():
    layout = lay_out(options(5), None, 80, 5)
    assert layout.widths == [80]
    assert layout.columns_with_notes == 1


def test_equal_columns_if_every_note_fits():
    layout = lay_out(options(6), None, 80, 3)
    assert layout.widths == [40, 40]
    assert layout.columns_with_notes == 2


def test_the_last_column_gives_its_room_for_notes_to_the_first():
    layout = lay_out(options(6, note="a long note " * 4), None, 80, 3)
    assert layout.columns_with_notes == 1
    assert layout.widths[0] > 60
    assert sum(layout.widths) == 80
    assert [
        layout.column_at(x) for x in (0, layout.widths[0] - 1, layout.widths[0], 79, 80, -1)
    ] == [
        0,
        0,
        1,
        1,
        None,
        None,
    ]


def test_no_notes_where_there_is_no_room_for_any():
    layout = lay_out(options(6), None, 30, 3)
    assert layout.columns_with_notes == 0
    assert layout.rows == 3
