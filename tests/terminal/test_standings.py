"""Tables of tournaments in a terminal: a line for each bot, and all of it within 80 columns."""

import io

import pytest
from msgspec.structs import replace
from rich.console import Console
from tests.arena.results import result

from holmgang.arena.counting.standings import Merit, standings
from holmgang.arena.fixture import pair
from holmgang.arena.task import SeatReport
from holmgang.terminal.standings import print_table

LONG = "the-longest-name-that-a-bot-can-have-400"
BOTS = ["ann", "bob", LONG]


def printed(*, merit=None, trouble="ok", width=80):
    entries = [
        replace(result(each, "blue", number), red=SeatReport(trouble, "why"))
        for number in range(200)
        for each in pair(BOTS[number % 3], BOTS[(number + 1) % 3], number)
    ]
    places = None if merit is None else Merit(merit, dict.fromkeys(BOTS, 123.5))
    table = standings(BOTS, entries, title="Cup", ruleset="bagh", merit=places)
    file = io.StringIO()
    print_table(Console(file=file, width=width), table)
    return file.getvalue().splitlines()


@pytest.mark.parametrize("merit", [None, "points", "survived"])
@pytest.mark.parametrize("trouble", ["ok", "invalid"])
def test_a_line_for_each_bot(merit, trouble):
    lines = printed(merit=merit, trouble=trouble)
    head, *rows = lines[2 : 2 + 1 + len(BOTS)]
    assert head.split() == [
        *("bot", *([merit] if merit else []), "rating", "±", "score", "won", "drawn", "lost"),
        *(["trouble"] if trouble != "ok" else []),
    ]
    assert sorted(row.split()[1][:11] for row in rows) == sorted(bot[:11] for bot in BOTS)
    assert all(len(line) <= 80 for line in lines)
    assert all(("invalid" in row) == (trouble == "invalid") for row in rows)
    assert all("%" in row for row in rows)
    assert sum("…" in row for row in rows) <= 1


def test_a_wide_terminal_has_room_for_whole_names():
    assert any(LONG in line for line in printed(merit="survived", trouble="crash", width=120)[2:6])
