"""Judging answers, and saying why."""

import pytest
from tests.analysis.puzzles.samples import CHOICE, DIALS, EQUILIBRIUM, MENDING, MIX, SAMPLES

from holmgang.analysis.puzzles.explain import explain, question_text
from holmgang.analysis.puzzles.verdict import parse_answer, verdict_on
from holmgang.errors import ChoiceError


@pytest.mark.parametrize(
    ("puzzle", "answer", "solved"),
    [
        (CHOICE, "attack", True),
        (CHOICE, "guard", True),
        (CHOICE, "heal", False),
        (CHOICE, "boost", False),
        (DIALS, "0/5", True),
        (DIALS, "0/3", False),
        (MIX, EQUILIBRIUM, True),
        (MIX, {"attack": 0.45, "guard": 0.3, "boost": 0.25}, True),
        (MIX, {"attack": 1}, False),
        (MIX, dict.fromkeys(EQUILIBRIUM, 0.25), False),
    ],
)
def test_answers_are_judged(puzzle, answer, solved):
    assert verdict_on(puzzle, parse_answer(puzzle.question, answer)).is_solved is solved


def test_what_a_mix_loses_is_what_the_best_reply_takes():
    """Always attacking at the start of BAGH: a guard takes most."""
    verdict = verdict_on(MIX, parse_answer(MIX.question, {"attack": 1}))
    row = MIX.solution.payoffs["attack"]
    assert verdict.reply == min(row, key=row.get) == "guard"
    assert verdict.cost == pytest.approx(MIX.solution.value - min(row.values()))


@pytest.mark.parametrize(
    ("puzzle", "answer", "message"),
    [
        (CHOICE, "run", "red"),
        (CHOICE, None, "must choose with a word"),
        (CHOICE, {"attack": 1}, "must choose with a word"),
        (DIALS, "9/9", "red"),
        (MIX, "attack", "a mix has a share for each choice"),
        (MIX, {"run": 1}, "may not choose 'run' here; choose from boost, attack, guard, heal"),
        (MIX, {"attack": 0.5}, "sum to 0.5"),
        (MIX, {}, "sum to 0"),
        (MIX, {"attack": 1.5, "guard": -0.5}, "between 0 and 1"),
        (MIX, {"attack": float("nan")}, "between 0 and 1"),
        (MIX, {"attack": True}, "between 0 and 1"),
        (MIX, {"attack": "1"}, "between 0 and 1"),
    ],
)
def test_what_is_no_answer_is_refused(puzzle, answer, message):
    with pytest.raises(ChoiceError, match=message):
        parse_answer(puzzle.question, answer)


def test_the_explanation_names_the_trap_and_the_reply_that_punishes_it():
    said = explain(CHOICE, "heal", verdict_on(CHOICE, "heal"))
    assert said[:2] == [
        "Heal, the tempting choice, costs 11 points of 100.",
        "Attack or Guard is right: it costs nothing against the best play of Blue.",
    ]
    assert said[2] == (
        "Heal fails against Attack, which is right for Blue 66\u00a0% of the time: Red's heal is "
        "lost: Blue attacks, and Red's priority (0) is not higher than Blue's (0). Red falls from "
        "2 to 0 hp. Blue wins: Red is down."
    )
    assert said[3] == (
        "Guard instead: Red stops the attack, but the shield breaks (damage 1): Blue's boost is "
        "higher (1 against 0)."
    )
    assert len(said) == 4
    told = " ".join(explain(MENDING, "heal", verdict_on(MENDING, "heal")))
    assert "Red's shield mends" not in told  # it does so whatever Red chooses
    said = explain(CHOICE, "attack", verdict_on(CHOICE, "attack"))
    assert said[0] == "Attack or Guard is right: it costs nothing against the best play of Blue."
    assert said[1] == "Heal is tempting, but costs 11 points of 100."
    assert len(said) == 4


def test_every_answer_to_every_sample_is_explained():
    for puzzle in SAMPLES.values():
        question = puzzle.question
        assert question_text(question, len(puzzle.solution.mine))
        for word in puzzle.solution.mine:
            answer = parse_answer(question, word if question.kind == "choice" else {word: 1.0})
            verdict = verdict_on(puzzle, answer)
            assert all(line.endswith(".") for line in explain(puzzle, answer, verdict))
            if question.kind == "choice":
                assert verdict.is_solved == (word in puzzle.right)
