"""Measures of games that are small enough to calculate by hand."""

import html
import re
import shlex
from collections import Counter
from itertools import product
from pathlib import Path

import pytest
from tests import forked

import holmgang
from holmgang.analysis.strategies import solved_table
from holmgang.engine.compiled.objects import cache_folder
from holmgang.engine.record import read, replay
from holmgang.games.contract import BLUE, RED
from holmgang.games.ruleset import load
from holmgang.lab.balance import balance
from holmgang.lab.compare import SAME, compare
from holmgang.lab.dominance import Proof
from holmgang.lab.lines import explore_path
from holmgang.lab.report import comparison_page, report_page
from holmgang.lab.restricted import seen, seen_with_answers
from holmgang.lab.restrictions import SAME_MIX
from holmgang.lab.solved import plain_game, solved_game
from holmgang.lab.verdict import Urgency, next_steps, verdict
from holmgang.terminal.balance import comparison_text

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def fumble():
    return balance(holmgang.load(str(HERE / "fumble.py")))


@pytest.fixture(scope="module")
def walk():
    return balance(holmgang.load(str(HERE / "walk.py")))


def test_a_planted_useless_choice_is_found_with_its_proof(fumble):
    (useless,) = fumble.red.useless
    assert (useless.choice, useless.condition, useless.states) == ("fumble", "", 1)
    assert useless.proof is Proof.DOMINATED
    assert useless.least_cost == pytest.approx(1)


def test_the_verdict_names_the_useless_choice(fumble):
    remark = next(each for each in verdict(fumble) if "fumble" in each.detail)
    assert remark.urgency is Urgency.CHANGE


def test_a_rock_paper_scissors_player_has_three_open_choices(fumble):
    assert fumble.red.open_choices == pytest.approx(3)
    assert fumble.red.forced == 0
    assert [round(each.use, 9) for each in fumble.red.choices] == [
        *(pytest.approx(1 / 3) for _ in range(3)),
        0,
    ]


def test_the_length_of_games_that_go_on_with_chance_one_in_three(fumble):
    length = fumble.length
    assert length.mean == pytest.approx(1.5)
    assert length.deviation**2 == pytest.approx(0.75)
    assert (length.median, length.most) == (1, 3)
    assert length.chances[:3] == pytest.approx((2 / 3, 2 / 9, 2 / 27))


def test_the_cost_of_doing_without_a_choice(fumble):
    costs = {each.choice: each.cost_of_never for each in fumble.red.choices}
    for word in ("rock", "paper", "scissors"):
        assert costs[word].value == pytest.approx(-without_rock(), abs=1e-4)
    assert costs["fumble"].high == pytest.approx(0, abs=1e-6)


def without_rock():
    """The value of [[1, v, -1], [-1, 1, v]] for the v that it is, by bisection."""
    low, high = -1.0, 1.0
    for _ in range(60):
        v = (low + high) / 2
        best = max(
            min(p - (1 - p), p * v + (1 - p), -p + (1 - p) * v)
            for p in (step / 20_000 for step in range(20_001))
        )
        low, high = (v, high) if best > v else (low, v)
    return (low + high) / 2


def test_a_player_whose_choice_is_seen_loses(fumble):
    assert fumble.red.seen.value == pytest.approx(-1)
    assert fumble.blue.seen.value == pytest.approx(1)


def test_rock_paper_scissors_is_all_guessing(fumble):
    assert fumble.luck.matchups == pytest.approx(1)
    assert fumble.luck.dice == pytest.approx(0, abs=1e-12)


def test_use_by_who_is_ahead(fumble):
    for each in fumble.red.choices:
        assert each.by_lead == (None, pytest.approx(each.use), None)
        assert each.most_used is None


@pytest.fixture(scope="module")
def played_by_hand():
    """For each seat, situation, and choice: how often it can be made and is made, followed without
    arrays, state by state.
    """
    ruleset = load("bagh:start_hp=2,max_boost=2,heal_limit=3")
    solved, counts, known = solved_table(ruleset), Counter(), {}
    chances = {ruleset.initial(): 1.0}
    for _ in range(400):  # 19 of 20 games are over after 41 rounds
        later = Counter()
        for state, chance in chances.items():
            if state not in known:
                known[state] = solved.evaluate(state), [*followers(ruleset, solved, state)]
            found, after = known[state]
            lead = "behind" if found.value <= -0.2 else "ahead" if found.value >= 0.2 else "even"
            for choice, share in found.red.items():
                for situation in (lead, f"red.boost={state.red.boost}"):
                    counts["offered", situation, ruleset.word(choice)] += chance
                    counts["used", situation, ruleset.word(choice)] += chance * share
            for follower, flow in after:
                later[follower] += chance * flow
        chances = later
    return ruleset, counts


def followers(ruleset, solved, state):
    """The undecided states after one, with their chances."""
    found = solved.evaluate(state)
    for red, blue in product(found.red, found.blue):
        throws = ruleset.throws(state, red, blue)
        total = sum(weight for _, weight in throws)
        for face, weight in throws:
            after = ruleset.resolve(state, red, blue, face)
            if ruleset.utility(after) is None:
                yield after, found.red[red] * found.blue[blue] * float(weight / total)


def test_use_by_situation_is_that_of_the_games(played_by_hand):
    ruleset, counts = played_by_hand
    report = balance(ruleset)
    told = [each for each in report.red.choices if each.most_used]
    assert told, "some condition matters"
    for each in report.red.choices:
        for lead, use in zip(("behind", "even", "ahead"), each.by_lead, strict=True):
            offered = counts["offered", lead, each.choice]
            assert (use is None) == (offered == 0)
            if use is not None:
                assert use == pytest.approx(counts["used", lead, each.choice] / offered, abs=1e-6)
    for each in told:
        most = each.most_used
        if most.field == "red.boost":
            key = f"red.boost={most.number}", each.choice
            assert most.use == pytest.approx(counts["used", *key] / counts["offered", *key])
    for mine, other in zip(report.red.choices, report.blue.choices, strict=True):
        if mine.most_used:
            assert mine.most_used.text("red", symmetric=True) == other.most_used.text(
                "blue", symmetric=True
            )


def test_endless_games_count_as_the_rules_say():
    """Of this city, 15 % of the games never end, which is a loss of its defender."""
    report = balance("defend-the-city:stamina=5,max_score=3,soldiers=1")
    ends = report.endings
    assert report.value.value == pytest.approx(ends.red - ends.blue - ends.endless, abs=1e-6)
    assert ends.draw == 0, "no campaign is drawn"
    assert "count for Blue" in verdict(report)[0].detail
    perfect = [50 + 50 * seat.against_random for seat in (report.red, report.blue)]
    assert sum(perfect) / 2 == pytest.approx(report.levels.points[-1][0], abs=1e-3)


def test_perfect_against_random(fumble):
    # In each round: 1/4 fumble, otherwise 1/3 win, tie, loss. Win 1/2, loss 1/4, tie 1/4.
    assert fumble.red.against_random == pytest.approx((1 / 2 - 1 / 4) / (3 / 4))


def test_a_tie_can_be_repeated_for_ever(fumble):
    assert {each.repeated for each in fumble.endless_lines} <= {"r/r", "p/p", "s/s", "f/f"}
    assert fumble.endless_lines[0].cost == pytest.approx(0, abs=1e-9)


def test_the_walk_is_all_dice(walk):
    assert walk.luck.dice == pytest.approx(1)
    assert walk.endings.red == pytest.approx(1 / 2)
    assert walk.length.mean == pytest.approx(9)  # steps squared
    assert walk.value.value == pytest.approx(0, abs=1e-9)


def test_leads_of_the_walk(walk):
    tension = walk.tension
    # From one step ahead, the line is back in the middle with chance 2/3, and then the other side
    # leads next with chance 1/2: E = 2/3 (1/2 + E).
    assert tension.lead_changes == pytest.approx(1)
    # A value of -1/2 is first reached at two steps behind, from where 1 in 6 games is won.
    assert tension.comeback == pytest.approx(1 / 6)
    # Two steps ahead is the only decided place: one visit for each side, half of them the last.
    assert tension.decided_after == pytest.approx(1 - 1 / 9)


def test_one_of_two_equal_choices_is_not_needed(walk):
    (useless,) = walk.red.useless
    assert (useless.proof, useless.least_cost) == (Proof.NEVER_USED, 0)
    assert all(each.cost_of_never.low < 1e-6 for each in walk.red.choices)


def test_the_parts_of_luck_add_up_to_the_variance_of_the_result():
    found = balance("bagh:start_hp=2,max_boost=2,heal_limit=3")
    assert found.luck.matchups + found.luck.dice == pytest.approx(1)
    assert 0 < found.luck.dice < found.luck.matchups
    assert found.endings.red == pytest.approx(found.endings.blue)


def test_a_heal_at_the_limit_is_useless():
    found = balance("bagh:start_hp=2,max_boost=2,heal_limit=3")
    assert ("heal", "red.hp is 3") in {(each.choice, each.condition) for each in found.red.useless}


def test_games_that_never_end():
    found = balance("bagh:start_hp=2,max_boost=1,heal_limit=2")
    assert found.endings.endless == pytest.approx(1)
    assert found.length is None
    assert any("not end" in each.headline for each in verdict(found))


def test_the_city_is_nearly_lost():
    found = balance("defend-the-city:stamina=2,max_score=1,soldiers=2")
    assert found.value.value < 0
    assert not found.is_symmetric


def test_simpler_ways_to_play_rock_paper_scissors(fumble):
    costs = {each.name: each.cost for each in fumble.red.restricted}
    # Who played rock plays paper or scissors. Scissors never loses to these, and ties are repeated,
    # so the round after a tie is lost; a tie in the first round has chance 1/3.
    assert costs["never the same choice twice running"].value == pytest.approx(1 / 3, abs=1e-5)
    assert costs[SAME_MIX].high < 1e-5
    # Against random choices, each good choice wins 1/2, loses 1/4 and ties 1/4.
    assert costs["plays as random"].value == pytest.approx((1 / 2 - 1 / 4) / (3 / 4), abs=1e-6)


def test_nothing_is_lost_by_playing_simply_where_choices_do_not_matter(walk):
    assert all(each.cost.high < 1e-5 for each in walk.red.restricted)
    assert walk.depth.gains == pytest.approx([0])


def test_rock_paper_scissors_has_three_strategies(fumble):
    # Both seats gain 1/3 against random choices, and everything against one that is known.
    assert fumble.depth.gains == pytest.approx([2 / 3, 2, 2, 0], abs=1e-6)
    assert fumble.depth.strategies == 3
    assert fumble.depth.is_complete


def test_double_oracle_ends_with_the_solution():
    found = balance("bagh:start_hp=1,max_boost=1,heal_limit=2").depth
    exact = holmgang.exploitability("bagh:start_hp=1,max_boost=1,heal_limit=2", "random")
    assert found.gains[0] == pytest.approx(exact.value, abs=1e-6)
    assert found.is_complete


def test_choices_that_are_seen_where_a_seat_answers():
    """Two ways: answers as rounds of their own, solved again; and sweeps over the folded states."""
    game = solved_game(holmgang.load("defend-the-city:stamina=2,max_score=2,soldiers=1"))
    assert game.arrays.has_answers
    for seat in (RED, BLUE):
        found = seen_with_answers(game, seat)
        assert found.error < 1e-6
        assert found.value == pytest.approx(seen(plain_game(game), seat).value, abs=1e-6)


def test_a_line_that_leads_nowhere_is_a_record(fumble, tmp_path):
    line = fumble.endless_lines[0]
    path = tmp_path / "line.jsonl"
    path.write_text(line.record)
    duel = replay(read(path))
    assert [len(duel.rounds), duel.is_over] == [3, False]
    assert duel.state == duel.ruleset.initial()


def test_a_line_has_an_address_on_the_page_explore():
    path = explore_path("bagh:start_hp=2,max_boost=1", "b/b a/g=1")
    assert path == "/explore/bagh:start_hp=2,max_boost=1?line=b/b,a/g=1"


def test_a_page_has_every_choice_and_no_request(fumble):
    page = report_page(fumble)
    assert all(word in page for word in ("rock", "paper", "scissors", "fumble"))
    assert not re.search(r"<script|<link|<img|src=|url\(|@import", page)


def test_a_comparison_says_what_changed():
    before, after = (balance(f"bagh:start_hp={hp},max_boost=2,heal_limit=3") for hp in (2, 1))
    found = compare(before, after)
    assert any(each.startswith("Games are shorter") for each in found.sentences)
    rounds = next(row for row in found.rows if row.name == "rounds")
    assert rounds.numbers == (before.length.mean, after.length.mean)


def test_a_comparison_of_an_unequal_game_has_both_seats():
    before, after = (
        balance(f"defend-the-city:stamina=2,max_score=1,soldiers={soldiers}") for soldiers in (1, 2)
    )
    found = compare(before, after)
    rows = {row.name: row.numbers for row in found.rows}
    assert rows["choices really open to Blue"] == (
        before.blue.open_choices,
        after.blue.open_choices,
    )
    assert any(name.startswith("Blue uses ") for name in rows)
    scores = [50 + 50 * each.blue.against_random for each in (before, after)]
    assert list(rows["Blue's score against random"]) == scores
    assert all(len(line) <= 80 for line in comparison_text(found).splitlines()[1:])


def test_a_page_compares_two_rulesets(fumble, walk):
    found = compare(fumble, walk)
    page = comparison_page(found)
    assert all(sentence in html.unescape(page) for sentence in found.sentences)
    assert page.count('class="endings"') == 2
    assert "http" not in page.replace("http-equiv", "")


def test_a_ruleset_does_not_differ_from_itself(fumble):
    found = compare(fumble, fumble)
    assert found.sentences == (SAME,)
    assert all(row.numbers[0] == row.numbers[1] for row in found.rows)


def test_a_report_on_a_tiny_game_compiles_nothing_of_it(fumble, tmp_path):
    path = tmp_path / "never_compiled.py"
    path.write_text((HERE / "fumble.py").read_text("utf-8"), "utf-8")
    found = balance(holmgang.load(str(path)))
    assert not list(cache_folder().glob("never_compiled-*"))
    assert list(cache_folder().glob("solver-improve-*"))
    assert (found.red.choices, found.red.restricted) == (fumble.red.choices, fumble.red.restricted)


def test_the_next_steps_are_commands_that_work():
    game = load("defend-the-city:soldiers=2,stamina=2,max_score=1").text
    steps = next_steps(balance(game))
    assert steps[0].command.startswith(f"holmgang balance {game} ")
    assert '--aim "value=0"' in steps[0].command
    for step in steps:
        _, *command = shlex.split(step.command)
        if "--aim" in command:
            command += ["--tries", "2"]
        done = forked.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def test_commands_for_a_game_in_a_file_name_its_path(walk):
    steps = next_steps(walk)
    assert steps
    assert all("walk.py" in each.command for each in steps)
    assert "walk.py --html" in report_page(walk)


def test_a_fair_game_without_rules_needs_no_other_rules(fumble):
    assert not any("--vary" in each.command for each in next_steps(fumble))
