"""Exploring positions and analysing games over HTTP, on a real server."""

import json
import random

import pytest
from tests.asked import checked
from tests.web.running import running_server

from holmgang.games.catalogue import CATALOGUE
from holmgang.games.ruleset import load
from holmgang.live import analysing
from holmgang.live.slow_work import MOST_WAITING
from holmgang.solver.tables import build_table
from holmgang.web.limits import ALLOWANCES
from holmgang.wire.match import Advice
from holmgang.wire.study import (
    AnalysisProgress,
    ExploredPosition,
    ExploredResults,
    GameAnalysis,
    MatchTendencies,
    PositionWorth,
    Preparing,
)


@pytest.fixture(scope="module", autouse=True)
def table():
    build_table(load("bagh"), most_states=100_000)


@pytest.fixture
def explore(server):
    with server.program() as program:

        def ask(path="", **asked):
            answer = program.get(f"/api/explore{path}", params=asked)
            while answer.status_code == 202:  # the search is being compiled
                checked(answer.json(), Preparing)
                answer = program.get(f"/api/explore{path}", params=asked)
            assert answer.status_code == 200, answer.text
            return answer.json()

        yield ask


# Positions


def test_nobody_can_keep_others_from_playing_by_exploring(server, monkeypatch):
    for kind in ("position", "worth", "analysis", "page"):
        monkeypatch.setitem(server.service.slow_work._waiting, kind, MOST_WAITING)
    grant = server.open_match(opponent={"level": "beginner"})
    with server.program(grant["secret"]) as player:
        path, choice = f"/api/matches/{grant['match']}", {"choice": "guard"}
        for question in ("coach", "forecast"):
            answer = player.post(f"{path}/{question}", json=choice)
            assert answer.status_code == 200, answer.text
        assert player.get("/api/explore").status_code == 429


def test_a_line_is_walked_and_can_be_shared(explore):
    end = explore(ruleset="bagh", line="b/a a/g a/g=1")
    assert end["at"] == 3
    assert [round["word"] for round in end["line"]] == ["b/a", "a/g", "a/g=1"]
    middle = explore(ruleset="bagh", line="b/a a/g a/g=1", at=1)
    assert middle["text"] == "2.1.0.0/3.0.0.0"
    assert middle["line"] == end["line"]
    assert explore(ruleset="bagh", state=middle["text"])["state"] == middle["state"]
    checked(end, ExploredPosition)


@pytest.mark.parametrize("game", CATALOGUE)
def test_any_game_is_walked_by_its_results_to_the_end(explore, game):
    rng = random.Random(4)
    line: list[str] = []
    for _ in range(4):
        position = explore(ruleset=game, line=" ".join(line))
        checked(position, ExploredPosition)
        if position["outcome"]:
            break
        asked = {
            seat: rng.choice(menu["options"])["word"]
            for seat, menu in position["menus"].items()
            if menu
        }
        found = explore("/round", ruleset=game, line=" ".join(line), **asked)
        checked(found, ExploredResults)
        assert sum(result["share"] for result in found["results"]) == pytest.approx(1)
        result = rng.choice(found["results"])
        line.append(result["word"])
        assert explore(ruleset=game, line=" ".join(line))["text"] == result["text"]


def test_a_field_is_changed_and_starts_anew(explore):
    changed = explore(ruleset="bagh", line="b/a a/g", change="blue.boost=4")
    assert changed["text"] == changed["start"] == "2.0.0.0/3.4.0.1"
    assert changed["line"] == []


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"change": "red.hp=99"}, "red.hp is from 0 to 10 in bagh; not 99"),
        ({"change": "red.hp=x"}, "a field and a whole number"),
        ({"change": "red.hp=²"}, "change: string should match pattern"),
        ({"state": "99.0.0.0/3.0.0.0"}, "red.hp is from 0 to 10"),
        ({"state": "{"}, "neither JSON nor short text"),
        ({"line": "a/x"}, "round 1, 'a/x': blue: 'x' is not a choice"),
        ({"line": "a/a", "at": 5}, "the line has 1 rounds; there is no round 5"),
        ({"line": "a/g " * 501}, "a line has at most 500 rounds"),
        ({"ruleset": "chess"}, "chess"),
        ({"match": "7Fq2mZk9Rw"}, "there is no such match"),
    ],
)
def test_what_is_impossible_is_refused_in_words(server, asked, said):
    with server.program() as program:
        answer = program.get("/api/explore", params={"ruleset": "bagh", **asked})
    assert answer.status_code in (404, 422)
    assert said in answer.json()["error"]["message"]


def test_dice_with_very_many_faces_are_refused(server):
    with server.program() as program:
        answer = program.get(
            "/api/explore/round",
            params={
                "ruleset": "bagh:max_boost=99",
                "state": json.dumps(
                    {
                        seat: {"hp": 3, "boost": 0, "priority": 0, "shield_damage": 9999}
                        for seat in ("red", "blue")
                    }
                ),
                "red": "guard",
                "blue": "guard",
            },
        )
    assert answer.status_code == 422
    assert "shield_damage is from 0 to 99" in answer.json()["error"]["message"]


# What they are worth


def test_exact_values_come_from_the_table(explore):
    found = explore("/worth", ruleset="bagh", state="2.0.0.0/3.0.0.1")
    checked(found, PositionWorth)
    assert found["exact"]
    assert found["value"] == pytest.approx(-0.458, abs=1e-3)
    assert found["red_mix"]["attack"] == pytest.approx(0.647, abs=1e-3)
    assert found["cost"]["red"]["boost"] == pytest.approx(0.130, abs=1e-3)
    assert found["win"] + found["draw"] + found["loss"] == pytest.approx(1)
    rows, columns = found["matrix"]["red"], found["matrix"]["blue"]
    value = sum(
        found["red_mix"][red] * found["blue_mix"][blue] * found["matrix"]["values"][row][column]
        for row, red in enumerate(rows)
        for column, blue in enumerate(columns)
    )
    assert value == pytest.approx(found["value"], abs=1e-6)


def test_estimates_say_so(explore):
    found = explore("/worth", ruleset="bagh:start_hp=4", state="2.0.0.0/3.0.0.1")
    assert not found["exact"]
    assert found["source"] == "search"
    assert found["depth"] >= 1


def test_a_decided_position_has_no_worth(server):
    with server.program() as program:
        answer = program.get(
            "/api/explore/worth", params={"ruleset": "bagh", "state": "0.0.0.0/3.0.0.0"}
        )
    assert answer.status_code == 422
    assert "the duel is over" in answer.json()["error"]["message"]


def test_too_many_evaluations_are_refused(tmp_path):
    allowed = ALLOWANCES["worth"].address.burst
    with running_server(tmp_path) as server, server.program() as program:
        statuses = [
            program.get("/api/explore/worth", params={"state": "0.0.0.0/3.0.0.0"}).status_code
            for _ in range(allowed + 1)
        ]
    assert statuses == [422] * allowed + [429]


# Finished games


def finished(server, games=1, **asked):
    """A match in which a level and a program have played so many games."""
    grant = server.open_match(opponent={"level": "random"}, seat="red", wins_needed=3, **asked)
    path = f"/api/matches/{grant['match']}"
    rng = random.Random(6)
    with server.program(grant["secret"]) as program:
        count = 0
        while True:
            view = program.get(path, params={"wait": 20}).json()
            if len(view["games"]) >= games or view["status"] != "playing":
                return grant, view
            count += 1
            command = {"id": f"c{count}", "type": "choose", "choice": "attack"}
            command["choice"] = rng.choice(["attack", "boost", "guard"])
            program.post(
                f"{path}/commands",
                json={**command, "game": view["game"], "round": view["round"]},
            )


def test_a_finished_game_of_an_open_match_is_analysed_and_tells_no_seed(server):
    grant, view = finished(server)
    assert view["status"] == "playing"
    path = f"/api/matches/{grant['match']}"
    with server.program() as program:
        answer = program.get(f"{path}/games/1/analysis")
        while answer.status_code == 202:
            answer = program.get(f"{path}/games/1/analysis")
        found = answer.json()
        checked(found, GameAnalysis)
        live = server.service.rooms.loaded[grant["match"]].match
        secrets = [
            live.terms.seed,
            live.terms.salt.hex(),
            *(game.seed for game in live.games),
        ]
        assert not any(str(secret) in answer.text for secret in secrets)
        totals = found["totals"]
        assert (
            found["start_value"]
            - totals["red_error"]
            + totals["blue_error"]
            + totals["meeting_luck"]
            + totals["dice_luck"]
        ) == pytest.approx(found["result"], abs=1e-9)
        assert len(found["rounds"]) == view["games"][0]["rounds"]

        going_on = program.get(f"{path}/games/2/analysis")
        assert going_on.status_code == 409
        assert going_on.json()["error"]["code"] == "closed"
        assert (
            program.get("/api/explore", params={"match": grant["match"], "game": 2}).status_code
            == 409
        )
        walked = program.get("/api/explore", params={"match": grant["match"], "game": 1}).json()
        assert walked["outcome"]
        assert walked["at"] == len(walked["line"]) == len(found["rounds"])
        assert not any(str(secret) in json.dumps(walked) for secret in secrets)
        again = program.get(
            "/api/explore",
            params={"line": " ".join(each["word"] for each in walked["line"]), "at": 1},
        ).json()
        assert again["text"] == found["rounds"][1]["text"]


def test_tendencies_are_told_when_the_match_is_over(server):
    grant, _ = finished(server)
    path = f"/api/matches/{grant['match']}"
    with server.program() as program:
        refused = program.get(f"{path}/tendencies")
        assert refused.status_code == 409
        assert "when the match is over" in refused.json()["error"]["message"]
        forfeit = {"id": "the end", "type": "forfeit"}
        secret = {"Authorization": f"Bearer {grant['secret']}"}
        assert program.post(f"{path}/commands", json=forfeit, headers=secret).status_code == 200
        found = program.get(f"{path}/tendencies")
        while found.status_code == 202:
            found = program.get(f"{path}/tendencies")
        tendencies = checked(found.json(), MatchTendencies)
        rounds = sum(game["rounds"] for game in program.get(path).json()["games"])
        for told in tendencies.players.values():
            assert told.exact
            assert told.rounds == rounds == sum(kind.rounds for kind in told.kinds)
            for kind in told.kinds:
                assert sum(kind.frequencies.values()) == pytest.approx(1)
        assert program.get(f"{path}/tendencies").content == found.content


def test_a_long_analysis_tells_how_far_it_is(server, monkeypatch):
    monkeypatch.setattr(analysing, "PATIENCE", 0.0)
    grant, view = finished(server, ruleset="bagh:start_hp=2")
    path = f"/api/matches/{grant['match']}/games/1/analysis"
    with server.program() as program:
        first = program.get(path)
        assert first.status_code == 202
        checked(first.json(), AnalysisProgress)
        assert first.json()["rounds"] == view["games"][0]["rounds"]
        monkeypatch.setattr(analysing, "PATIENCE", 5.0)
        done = program.get(path)
        while done.status_code == 202:
            done = program.get(path)
        assert done.status_code == 200
        assert len(done.json()["rounds"]) == first.json()["rounds"]


def test_analyses_in_memory_are_bounded(server, monkeypatch):
    monkeypatch.setattr(analysing, "MOST_KEPT", 1)
    matches = [finished(server)[0]["match"] for _ in range(2)]
    with server.program() as program:
        for match in matches:
            assert program.get(f"/api/matches/{match}/games/1/analysis").status_code in (200, 202)
    assert len(server.service.study._analyses._jobs) == 1


def test_the_coach_over_http(server):
    grant = server.open_match(
        opponent={"level": "random"}, seat="red", start="3.0.0.0/2.2.0.0", wins_needed=1
    )
    path = f"/api/matches/{grant['match']}/coach"
    with server.program(grant["secret"]) as program, server.program() as spectator:
        advice = program.post(path, json={"choice": "boost"})
        checked(advice.json(), Advice)
        assert advice.json()["is_warning"]
        assert program.post(path, json={"choice": "fly"}).status_code == 409
        assert program.get(path, params={"game": 1, "round": 1}).status_code == 404
        assert spectator.post(path, json={"choice": "boost"}).status_code == 403
