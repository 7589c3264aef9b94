"""Puzzles over HTTP: nothing of a solution before the attempt, one attempt each, ratings."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from tests.analysis.puzzles.samples import CHOICE, DIALS, EQUILIBRIUM, MIX, SAMPLES, fill
from tests.asked import checked
from tests.web.running import running_server

from holmgang.analysis.puzzles.keeping import new_row
from holmgang.analysis.puzzles.puzzle import PuzzleSolution
from holmgang.engine.compiled.native import can_compile
from holmgang.games.ruleset import load
from holmgang.solver.tables import build_table
from holmgang.web import puzzles
from holmgang.web.limits import ALLOWANCES
from holmgang.web.puzzles import PuzzleMaker
from holmgang.wire.study import PuzzleOverview, PuzzleView

PATH = f"/api/puzzles/{CHOICE.question.id}"
MIX_PATH = f"/api/puzzles/{MIX.question.id}"


@pytest.fixture(scope="module")
def filled(server):
    fill(server.store)
    return server


@pytest.fixture
def client(filled):
    with filled.client() as client:
        yield client


def sign_up(client, name):
    answer = client.post("/api/account", json={"name": name, "password": "correct horse battery"})
    assert answer.status_code == 201, answer.text


def test_a_puzzle_shows_the_position_and_asks(client):
    seen = client.get(PATH).json()
    assert seen["game_name"] == "bagh"
    assert seen["seat"] == "red"
    assert seen["question"] == "Two of your 4 choices are right. A tempting one is wrong."
    assert [option["word"] for option in seen["menu"]["options"]] == [
        *("boost", "attack", "guard", "heal")
    ]
    assert seen["picture"].startswith("<svg")
    assert seen["result"] is None


def test_the_first_answer_counts_and_tells_the_solution(client):
    sign_up(client, "Solver")
    before = client.get("/api/puzzles").json()["ratings"]
    assert before == {}
    seen = client.post(f"{PATH}/attempt", json={"choice": "heal"}).json()
    result = seen["result"]
    assert (result["answer"], result["solved"], result["natural"]) == ("heal", False, "heal")
    assert [each["word"] for each in result["choices"] if each["right"]] == ["attack", "guard"]
    assert result["rating"]["after"] < result["rating"]["before"] == 1500
    assert result["puzzle_rating"]["after"] > result["puzzle_rating"]["before"]
    assert seen["rating"] == result["puzzle_rating"]["after"]
    again = client.post(f"{PATH}/attempt", json={"choice": "guard"}).json()
    assert again["result"] == result
    assert client.get(PATH).json()["result"] == result
    own = client.get("/api/puzzles").json()["ratings"]["bagh"]
    assert (own["rating"], own["attempts"]) == (result["rating"]["after"], 1)


def test_a_mix_is_judged_by_its_best_reply(client):
    seen = client.post(f"{MIX_PATH}/attempt", json={"mix": EQUILIBRIUM}).json()["result"]
    assert seen["solved"]
    assert seen["cost"] < MIX.question.tolerance
    assert seen["reply"] in EQUILIBRIUM
    assert seen["rating"] is None  # of a guest
    assert seen["answer"] == EQUILIBRIUM


def test_a_guest_who_claims_a_name_keeps_the_attempt(client):
    seen = client.post(f"{PATH}/attempt", json={"choice": "attack"}).json()["result"]
    sign_up(client, "Latecomer")
    assert client.post(f"{PATH}/attempt", json={"choice": "heal"}).json()["result"] == seen


def test_two_tabs_make_one_attempt(filled):
    with filled.client() as client:
        sign_up(client, "TwoTabs")
        with ThreadPoolExecutor(8) as pool:
            words = ["guard", "boost"] * 8
            answers = list(
                pool.map(lambda word: client.post(f"{PATH}/attempt", json={"choice": word}), words)
            )
        assert len({answer.content for answer in answers}) == 1
        assert client.get("/api/puzzles").json()["ratings"]["bagh"]["attempts"] == 1


# Nothing of the solution before the attempt


def test_what_is_sent_before_the_attempt_does_not_depend_on_the_solution(tmp_path):
    """Two servers with the same puzzles and other solutions send the same bytes."""
    sent = []
    for number in range(2):
        folder = tmp_path / str(number)
        folder.mkdir()
        with running_server(folder, has_limits=False) as server, server.program() as program:
            server.store.puzzles.add([new_row(other_solution(each, number)) for each in samples()])
            paths = [f"/api/puzzles/{each.question.id}" for each in samples()]
            answers = [program.get(path) for path in paths]
            answers += [program.get("/api/puzzles/daily"), program.get("/api/puzzles")]
            answers += [
                program.post(f"{path}/forecast", json={"choice": word})
                for path, word in ((PATH, "heal"), (MIX_PATH, "attack"), (PATH, "nonsense"))
            ]
            answers += [
                program.post(f"{path}/attempt", json=body)
                for path in paths
                for body in ({"choice": "nonsense"}, {"mix": {"nonsense": 1}}, {}, {"choice": 7})
            ]
            sent.append(
                [(answer.status_code, answer.content, headers(answer)) for answer in answers]
            )
    assert sent[0] == sent[1]
    assert {status for status, _, _ in sent[0]} == {200, 409, 422}


def samples():
    return list(SAMPLES.values())


def headers(answer):
    return {name: value for name, value in answer.headers.items() if name != "date"}


def other_solution(puzzle, number):
    """The puzzle with another solution, of another size."""
    if number == 0:
        return puzzle
    words = list(puzzle.solution.mine)
    return replace(
        puzzle,
        solution=PuzzleSolution(
            0.123456, {words[-1]: 1.0}, {}, dict.fromkeys(words, 0.5), {}, words[0] * 30
        ),
    )


def test_a_solution_is_not_in_what_others_are_sent(client, filled):
    with filled.client() as other:
        other.post(f"{PATH}/attempt", json={"choice": "guard"})
        assert other.get(PATH).json()["result"] is not None
    text = client.get(PATH).text
    assert '"result":null' in text
    for number in (*CHOICE.solution.worth.values(), *CHOICE.solution.theirs.values()):
        if abs(number) not in (0.0, 1.0):
            assert f"{abs(number):.3f}" not in text


# The next one, the one of the day


def test_the_next_puzzle_has_not_been_tried(client):
    seen = set()
    for _ in SAMPLES:
        puzzle = client.get("/api/puzzles/next").json()
        assert puzzle["result"] is None
        assert puzzle["puzzle"] not in seen
        seen.add(puzzle["puzzle"])
        body = (
            {"mix": {"attack": 1}}
            if puzzle["kind"] == "mix"
            else {"choice": puzzle["menu"]["options"][0]["word"]}
        )
        assert client.post(f"/api/puzzles/{puzzle['puzzle']}/attempt", json=body).status_code == 200
    assert seen == set(SAMPLES)
    refused = client.get("/api/puzzles/next")
    assert refused.status_code == 404
    assert "no puzzles left" in refused.json()["error"]["message"]


def test_the_next_puzzle_of_a_game(client):
    path = "/api/puzzles/next?game=defend-the-city-duel"
    assert client.get(path).json()["puzzle"] == DIALS.question.id
    assert client.get("/api/puzzles/next?game=chess").status_code == 404
    skipped = {
        client.get(f"/api/puzzles/next?game=bagh&skip={CHOICE.question.id}").json()["puzzle"]
        for _ in range(10)
    }
    assert CHOICE.question.id not in skipped


def test_the_page_says_which_games_have_none(client):
    games = {each["name"]: each for each in client.get("/api/puzzles").json()["games"]}
    assert games["bagh"]["puzzles"] == 5
    assert games["bagh"]["note"] == ""
    assert games["magic-duel"]["note"] == "No exact table exists, so no answer can be proven."
    if can_compile():
        assert games["defend-the-city"]["note"] == "Puzzles are being prepared."


def test_the_daily_puzzle_is_one_of_them(client):
    daily = client.get("/api/puzzles").json()["daily"]
    assert client.get("/api/puzzles/daily").json()["puzzle"] == daily
    assert SAMPLES[daily].question.kind == "choice"


def test_a_server_without_puzzles_says_so(tmp_path):
    with running_server(tmp_path) as server, server.program() as program:
        assert program.get("/api/puzzles").json()["daily"] is None
        for path in ("daily", "next", "c980272b0411"):
            answer = program.get(f"/api/puzzles/{path}")
            assert answer.status_code == 404
            assert answer.json()["error"]["code"] == "not found"


# As described, refused, limited


def test_answers_are_as_described(client):
    kinds = {"/api/puzzles": PuzzleOverview, PATH: PuzzleView, "/api/puzzles/daily": PuzzleView}
    answers = {path: client.get(path).json() for path in kinds}
    answers[f"{PATH}/attempt"] = client.post(f"{PATH}/attempt", json={"choice": "boost"}).json()
    answers[f"{MIX_PATH}/attempt"] = client.post(
        f"{MIX_PATH}/attempt", json={"mix": EQUILIBRIUM}
    ).json()
    for path, answer in answers.items():
        checked(answer, kinds.get(path, PuzzleView))


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        (PATH, {}, "bad"),
        (PATH, {"mix": {"attack": 1}}, "bad"),
        (PATH, {"choice": "attack", "mix": {"attack": 1}}, "bad"),
        (PATH, {"choice": None}, "bad"),
        (PATH, {"choice": ["attack"]}, "bad"),
        (PATH, {"choice": "x" * 5000}, "bad"),
        (PATH, {"choice": "attack", "solved": True}, "bad"),
        (PATH, {"choice": "attack\0"}, "illegal"),
        (PATH, {"choice": ""}, "illegal"),
        (MIX_PATH, {"choice": "attack"}, "bad"),
        (MIX_PATH, {"mix": {}}, "illegal"),
        (MIX_PATH, {"mix": {"attack": 2}}, "illegal"),
        (MIX_PATH, {"mix": {"attack": 1e308, "guard": 1e308}}, "illegal"),
        (MIX_PATH, {"mix": {"attack": "1"}}, "bad"),
        (MIX_PATH, {"mix": [1]}, "bad"),
        (MIX_PATH, {"mix": {"\0": 1}}, "illegal"),
        (MIX_PATH, {"mix": {str(n): 0.1 for n in range(100)}}, "bad"),
        ("/api/puzzles/nope", {"choice": "attack"}, "not found"),
        ("/api/puzzles/%00", {"choice": "attack"}, "not found"),
        (f"/api/puzzles/{'x' * 41}", {"choice": "attack"}, "bad"),
    ],
)
def test_what_is_no_answer_is_refused_and_uses_up_nothing(client, path, body, code):
    refused = client.post(f"{path}/attempt", json=body)
    assert refused.json()["error"]["code"] == code
    assert "set-cookie" not in refused.headers
    if code != "not found" and len(path) < 50:
        assert client.get(path).json()["result"] is None


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"\xff", b'{"mix":{"attack":NaN}}', b"[" * 9000]
)
def test_a_body_that_is_no_json_object_is_refused(client, content):
    refused = client.post(
        f"{MIX_PATH}/attempt", content=content, headers={"Content-Type": "application/json"}
    )
    assert refused.status_code == 422


def test_another_site_cannot_answer_for_someone(client):
    client.post(f"{MIX_PATH}/attempt", json={"mix": EQUILIBRIUM})
    refused = client.post(
        f"{PATH}/attempt", json={"choice": "boost"}, headers={"Origin": "https://example.org"}
    )
    assert refused.status_code == 403
    assert client.get(PATH).json()["result"] is None


def test_attempts_are_limited(tmp_path):
    with running_server(tmp_path) as server, server.client() as client:
        fill(server.store)
        allowed = ALLOWANCES["attempt"].person.burst
        answers = [
            client.post(f"{PATH}/attempt", json={"choice": "boost"}) for _ in range(allowed + 1)
        ]
    assert [answer.status_code for answer in answers] == [200] * allowed + [429]


# The first batch


@pytest.mark.skipif(not can_compile(), reason="needs numba: pip install 'holmgang[fast]'")
def test_a_server_makes_puzzles_of_the_games_that_have_a_table(tmp_path, monkeypatch, server):
    small = "bagh:max_boost=1"
    build_table(load(small), most_states=10_000)
    monkeypatch.setattr(puzzles, "CATALOGUE", [small, "magic-duel"])
    monkeypatch.setattr(puzzles, "FIRST_BATCH", 3)
    with running_server(tmp_path) as own:
        maker = PuzzleMaker(own.store)
        maker.make_all(threading.Event())
        made = own.store.puzzles.find()
        assert len(made) == 3
        assert {row.ruleset for row in made} == {small}
        maker.make_all(threading.Event())
        assert own.store.puzzles.find() == made
        with own.program() as program:
            assert json.loads(program.get("/api/puzzles/next").content)["ruleset"] == small


@pytest.mark.skipif(not can_compile(), reason="needs numba: pip install 'holmgang[fast]'")
def test_a_server_that_stops_waits_for_no_puzzles(tmp_path, monkeypatch):
    build_table(load("bagh:max_boost=1"), most_states=10_000)
    monkeypatch.setattr(puzzles, "CATALOGUE", ["bagh:max_boost=1"])
    stopping = threading.Event()
    stopping.set()
    with running_server(tmp_path) as own:
        PuzzleMaker(own.store).make_all(stopping)
        assert own.store.puzzles.find() == []
