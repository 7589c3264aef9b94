"""A game in one file: explored on a server that knows it, and loaded for nobody who names it."""

import sqlite3
from contextlib import closing

import pytest
from tests.analysis.puzzles.samples import CHOICE, fill
from tests.asked import checked
from tests.engine.duels import random_duel
from tests.games.one_file import STANDOFF, standoff  # noqa: F401
from tests.web.running import running_server

import holmgang
from holmgang.engine.record import record_lines
from holmgang.games.catalogue import CATALOGUE
from holmgang.wire.study import ExploredPosition, ExploredResults


def test_positions_are_explored(server, standoff):  # noqa: F811
    holmgang.load(str(standoff))
    where = {"ruleset": "standoff", "state": "2.1/1.3"}
    with server.program() as program:
        position = program.get("/api/explore", params={**where, "line": "shoot/blast"}).json()
        checked(position, ExploredPosition)
        assert position["text"] == "1.0/0.0"
        assert position["outcome"]["winner"] == "red"
        asked = {**where, "red": "reload", "blue": "shoot"}
        results = program.get("/api/explore/round", params=asked).json()
        checked(results, ExploredResults)
        assert [each["text"] for each in results["results"]] == ["1.2/1.2"]


@pytest.fixture
def trap(tmp_path):
    """A game that leaves a trace if its code is run."""
    path = tmp_path / "trap.py"
    path.write_text(f"open({str(tmp_path / 'sprung')!r}, 'w')\n" + STANDOFF)
    yield path
    assert not (tmp_path / "sprung").exists()
    assert "trap" not in CATALOGUE


@pytest.mark.parametrize("named", ["{}", "{}:lives=3", "trap", "bagh:../{}", "{}\0", "file://{}"])
def test_no_request_and_no_record_loads_a_game(server, trap, named):
    text = named.format(trap)
    header, *rounds = b"".join(record_lines(random_duel("bagh", 5))).decode().splitlines()
    record = "\n".join([header.replace('"bagh"', f'"{text}"', 1), *rounds])
    with server.program() as program:
        answers = [
            program.post("/api/records", content=record),
            program.post("/api/matches", json={"ruleset": text, "opponent": "link"}),
            *(
                program.get(f"/api/explore{path}", params={"ruleset": text})
                for path in ("", "/round", "/worth")
            ),
        ]
    assert [answer.status_code // 100 for answer in answers] == [4] * len(answers)


def test_no_row_of_the_database_loads_a_game(trap, tmp_path):
    with running_server(tmp_path, has_limits=False) as server:
        fill(server.store)
        match = server.open_match(opponent="link")["match"]
    with closing(sqlite3.connect(tmp_path / "web.sqlite3")) as database, database:
        database.execute("UPDATE puzzles SET ruleset = ?", [str(trap)])
        database.execute("UPDATE matches SET ruleset = ?", [str(trap)])
        change = "UPDATE events SET body = replace(CAST(body AS TEXT), '\"bagh\"', ?)"
        assert database.execute(change, [f'"{trap}"']).rowcount > 0
    with running_server(tmp_path, has_limits=False) as server, server.program() as program:
        for path in (f"matches/{match}", f"puzzles/{CHOICE.question.id}", "matches", "puzzles"):
            program.get(f"/api/{path}")
