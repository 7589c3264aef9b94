"""Lessons over HTTP, on a real server."""

from tests.asked import checked
from tests.web.running import running_server

from holmgang.web import limits
from holmgang.web.limits import ALLOWANCES, Rate
from holmgang.wire.study import LessonAnswer, LessonView


def test_a_lesson_is_played_without_a_session(server):
    with server.program() as program:
        lesson = checked(
            program.get("/api/lessons", params={"ruleset": "fencing"}).json(), LessonView
        )
        assert lesson.ruleset == "fencing:league=1"
        assert [each.reply for each in lesson.rounds] == ["break", "walk", "lunge"]
        assert "<svg" in lesson.rounds[0].picture

        def answer(number, choice):
            asked = {"ruleset": "fencing", "number": number, "choice": choice}
            return program.get("/api/lessons/round", params=asked)

        wrong = checked(answer(3, "break").json(), LessonAnswer)
        assert not wrong.right
        assert wrong.why == "Blue lunges, and you are within reach: try Parry."
        assert "Blue touches from 40 away" in " ".join(wrong.story)
        right = checked(answer(3, "parry").json(), LessonAnswer)
        assert right.right
        assert right.ending == "Red wins: Blue is out of energy and disqualified."
        assert right.labels == {"red": ["Parry"], "blue": ["Lunge"]}
        assert program.cookies.jar is not None
        assert not list(program.cookies.jar)


def test_what_is_not_in_a_lesson_is_refused(server):
    with server.program() as program:
        for asked, status in [
            ({"ruleset": "chess", "choice": "e4"}, 422),
            ({"ruleset": "bagh", "choice": "dance"}, 409),
            ({"ruleset": "bagh", "number": 9, "choice": "guard"}, 404),
            ({"ruleset": "bagh", "number": 0, "choice": "guard"}, 422),
            ({"ruleset": "bagh"}, 422),
        ]:
            answer = program.get("/api/lessons/round", params=asked)
            assert answer.status_code == status, answer.text


def test_lessons_that_have_to_be_derived_are_counted(tmp_path, monkeypatch):
    """They take seconds each, so a visitor may not ask for many."""
    few = ALLOWANCES["new lesson"]._replace(address=Rate(1, 0.001))
    monkeypatch.setattr(limits, "ALLOWANCES", {**ALLOWANCES, "new lesson": few})
    with running_server(tmp_path) as server, server.program() as program:

        def status(ruleset):
            return program.get("/api/lessons", params={"ruleset": ruleset}).status_code

        changed = ["bagh:start_hp=1,max_boost=1", "bagh:start_hp=1,max_boost=2"]
        assert [status(each) for each in changed] == [200, 429]
        assert status(changed[0]) == 200  # known
        assert status("bagh") == 200
