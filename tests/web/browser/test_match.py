"""What a player can do in a match besides choosing."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect
from tests.web.browser.duel import Duel
from tests.web.browser.visitor import PHONE


def test_a_choice_is_taken_back(pair):
    red, blue = pair()
    red.choose("guard")
    blue.expect_chosen("red")
    red.find("[data-take-back]").click()
    expect(red.find("[data-slot=choose]")).to_be_visible()
    expect(blue.state_of("red")).to_have_attribute("data-state", "choosing")
    assert red.view()["chosen"] is None
    red.choose("heal")
    red.expect_acknowledged()
    red.page.keyboard.press("Escape")
    expect(blue.state_of("red")).to_have_attribute("data-state", "choosing")


def test_two_tabs_of_one_person_stay_in_step(pair):
    red, blue = pair()
    phone = Duel(red.visitor, red.match)
    phone.page = red.visitor.context.new_page()
    phone.page.goto(red.page.url)
    phone.expect_connected()
    red.choose("guard")
    expect(phone.find("[data-choice=guard]")).to_have_attribute("aria-pressed", "true")
    phone.choose("boost")
    expect(red.find("[data-choice=boost]")).to_have_attribute("aria-pressed", "true")
    expect(red.find("[data-choice=guard]")).to_have_attribute("aria-pressed", "false")
    blue.choose("boost")
    for duel in (red, phone):
        duel.expect_round(1)
        expect(duel.find("[data-slot=choose]")).to_be_visible()


def test_reload_in_the_middle_of_a_round(pair):
    red, blue = pair()
    red.choose("guard")
    red.expect_acknowledged()
    red.page.reload()
    red.expect_connected()
    expect(red.find("[data-choice=guard]")).to_have_attribute("aria-pressed", "true")
    red.expect_acknowledged()
    blue.choose("boost")
    red.expect_round(1)


def test_a_match_that_was_cancelled_says_why_in_the_list(pair):
    red, _ = pair()

    def cancel(route):
        """As after a change of the rules in the server's code."""
        answer = route.fetch()
        lists = answer.json()
        for line in lists["yours"]:
            line |= {"status": "cancelled", "reason": "rules changed", "waiting_for": []}
        route.fulfill(response=answer, json=lists)

    red.page.route("**/api/lobby", cancel)
    red.visitor.go("/")
    expect(red.find("[data-yours]")).to_contain_text("A match of yours was cancelled.")
    expect(red.find("[data-yours]")).to_contain_text("cancelled: rules changed")


def test_back_and_forward(pair):
    red, _ = pair()
    red.visitor.go("/")
    # A guest with a match under way is led back to it.
    red.find("[data-yours] .btn").click()
    red.expect_connected()
    red.choose("guard")
    red.expect_acknowledged()
    red.page.go_back()
    expect(red.find("[data-start]")).to_be_visible()
    red.page.go_forward()
    red.expect_connected()
    red.expect_acknowledged()
    expect(red.find("[data-choice=guard]")).to_have_attribute("aria-pressed", "true")


def test_what_if_shows_what_each_choice_would_do(pair):
    red, blue = pair()
    red.page.keyboard.press("?")
    expect(red.find("[data-what-if]")).to_have_attribute("aria-pressed", "true")
    expect(red.find("[data-choice] [data-forecast]")).to_have_count(4)
    expect(red.find("[data-choice=attack] .case")).to_have_count(4)
    expect(red.find("[data-choice=attack]")).to_contain_text("hp 3 → 2")
    red.page.keyboard.press("Escape")
    expect(red.find("[data-forecast]")).to_have_count(0)
    assert red.view()["chosen"] is None
    assert blue.view()["waiting_for"] == ["red", "blue"]


def test_what_if_with_many_rolls_tells_the_likeliest(newcomer):
    visitor = newcomer()
    match = visitor.open_match("bagh", {"level": "random"}, start="3.1.0.2/2.2.0.1")
    duel = Duel(visitor, match).open()
    duel.find("[data-what-if]").click()
    expect(duel.find("[data-choice] [data-forecast]")).to_have_count(4)
    attack = duel.find("[data-choice=attack] .case")
    expect(attack).to_have_count(4)
    expect(attack.first).to_contain_text(re.compile(r"1 in 3:.*\(\+ 3 other rolls\)"))


@pytest.mark.parametrize("ruleset", ["fencing", "defend-the-city", "magic-duel"])
def test_what_if_of_one_choice_among_many(pair, ruleset):
    red, _ = pair(ruleset)
    red.find("[data-what-if]").click()
    if ruleset == "fencing":
        expect(red.find("[data-whatif]")).to_contain_text("Pick a card")
        red.find("[data-choice=lunge]").click()
    elif ruleset == "defend-the-city":
        red.find("[data-dial=offense-5]").click()
        red.find("[data-dial=defense-0]").click()
    else:
        red.find("[data-choice=magic]").click()
    expect(red.find("[data-forecast] .case").first).to_be_visible()
    assert red.view()["chosen"] is None
    red.find("[data-choose]").click()
    if ruleset == "magic-duel":  # red moves alone
        red.expect_round(1)
    else:
        red.expect_acknowledged()


def test_a_draw_is_offered_declined_offered_again_and_accepted(pair):
    red, blue = pair("bagh:start_hp=2", wins_needed=1)
    red.find("[data-draw]").click()
    expect(red.find("[data-draw]")).to_have_text("Take back offer")
    blue.find("[data-draw-decline]").click()
    expect(blue.find("[data-slot=draw]")).to_have_count(0)
    expect(red.find("[data-draw]")).to_have_text("Offer draw")
    red.find("[data-draw]").click()
    blue.find("[data-draw-accept]").click()
    for duel in (red, blue):
        duel.expect_over("The match is drawn")


def test_forfeit_asks_first(pair):
    red, blue = pair()
    red.find("[data-forfeit]").click()
    expect(red.find("[data-slot=forfeit]")).to_contain_text("wins it")
    red.page.keyboard.press("Enter")  # the safe answer has the focus
    expect(red.find("[data-slot=forfeit]")).to_have_count(0)
    assert red.view()["status"] == "playing"
    red.find("[data-forfeit]").click()
    red.find("[data-forfeit-yes]").click()
    red.expect_over(re.compile(r"guest \d+ wins"))
    blue.expect_over("You win")


def test_a_rematch_exchanges_the_seats(pair):
    red, blue = pair("bagh:start_hp=1", wins_needed=1)
    red.choose("attack")
    blue.choose("boost")
    blue.find("[data-over] [data-rematch]").click()
    expect(blue.find("[data-rematch]")).to_contain_text("Waiting for")
    expect(red.find("[data-rematch]")).to_contain_text("Accept")
    red.page.keyboard.press("r")
    for duel, seat in ((red, "blue"), (blue, "red")):
        expect(duel.find(f".duel[data-status=playing][data-you={seat}]")).to_be_visible()
        assert not duel.page.url.endswith(duel.match)
    assert red.page.url == blue.page.url


def test_a_match_of_several_games_goes_on_with_the_next(pair):
    red, blue = pair("bagh:start_hp=1", wins_needed=2)
    for game in (1, 2):
        red.choose("attack")
        blue.choose("boost")
        if game == 1:
            for duel in (red, blue):
                expect(duel.find("[data-slot=interlude]")).to_contain_text("Game 1")
                duel.find("[data-next]").click()
                expect(duel.find("[data-score]")).to_have_text("1 – 0")
    red.expect_over("You win the match 2 – 0")
    # Both games can be looked at again.
    red.find("[data-game='1']").click()
    expect(red.find("[data-steps] .where")).to_have_text("Round 1 of 1")
    expect(red.find("[data-record]")).to_have_text("Record of game 1")


def test_earlier_rounds_can_be_looked_at_while_the_match_goes_on(pair):
    red, blue = pair()
    for number in (1, 2):
        red.choose("boost")
        blue.choose("guard")
        red.expect_round(number)
    board = red.find(".frame desc")
    now = board.text_content()
    red.page.keyboard.press("ArrowLeft")
    expect(red.find("[data-steps] .where")).to_have_text("Round 1 of 2")
    expect(board).not_to_have_text(str(now))
    expect(red.find("[data-choice=boost]")).to_be_disabled()
    red.find("[data-present]").click()
    expect(board).to_have_text(str(now))
    expect(red.find("[data-choice=boost]")).to_be_enabled()


def test_the_reveal_turns_both_cards_over_and_a_click_skips_it(newcomer):
    red, blue = newcomer(reduced_motion="no-preference"), newcomer()
    red.page.clock.install()
    match = red.open_match()
    blue.join_match(match)
    mine, theirs = Duel(red, match).open(), Duel(blue, match).open()
    mine.choose("attack")
    mine.expect_acknowledged()
    # The clock of the page stands still, so that nothing goes on by itself.
    red.page.clock.pause_at(datetime.now(UTC) + timedelta(minutes=1))
    theirs.choose("guard")
    reveal = mine.find("[data-reveal]")
    expect(reveal.locator("[data-card]")).to_have_count(2)
    red.page.clock.run_for(100)
    expect(reveal.locator("[data-card].open")).to_have_count(2)
    expect(reveal.locator("[data-card=red]")).to_contain_text("attack", ignore_case=True)
    expect(reveal.locator("[data-card=blue]")).to_contain_text("guard", ignore_case=True)
    expect(mine.find("[data-choice=attack]")).to_be_disabled()
    reveal.click()
    expect(mine.find("[data-reveal].effects")).to_be_visible()
    mine.expect_round(1)
    reveal.click()
    expect(reveal).to_have_count(0)
    expect(mine.find("[data-choice=attack]")).to_be_enabled()


def test_a_clock_shows_the_time_that_is_left(pair):
    red, blue = pair(seconds=60)
    for duel in (red, blue):
        clock = duel.find("[data-left]")
        expect(clock).to_have_text(re.compile(r"[01]:\d\d"))
        first = str(clock.text_content())
        expect(clock).not_to_have_text(first)


def test_three_hints_explain_the_first_duel(newcomer):
    visitor = newcomer(hints=True, viewport=PHONE)
    duel = Duel(visitor, visitor.open_match(opponent={"level": "random"})).open()
    hint = duel.find("[data-slot=hint]")
    heights = set()
    for number in (1, 2, 3):
        expect(hint).to_contain_text(f"Hint {number} of 3")
        heights.add(hint.evaluate("slot => slot.offsetHeight"))
        if number < 3:
            hint.get_by_role("button", name="Next").click()
            duel.choose("boost")
            duel.expect_round(number)
    # The hint about "What if?" has the button that it is about.
    expect(hint.locator("[data-what-if]")).to_be_visible()
    hint.get_by_role("button", name="Got it").click()
    heights.add(duel.find("[data-slot=choose]").evaluate("slot => slot.offsetHeight"))
    assert len(heights) == 1, "the choices move under a finger"
    duel.page.reload()
    expect(duel.find("[data-slot=choose]")).to_be_visible()


def test_the_rules_are_one_click_away(pair):
    red, _ = pair("fencing")
    red.find("[data-rules]").click()
    expect(red.page.get_by_role("dialog")).to_contain_text("Fencing")
    red.page.keyboard.press("Escape")
    expect(red.page.get_by_role("dialog")).to_have_count(0)


def test_spectators_cannot_choose(pair, newcomer):
    red, _ = pair()
    watching = Duel(newcomer(), red.match).open()
    expect(watching.find("[data-slot=watch]")).to_contain_text("You are watching")
    expect(watching.find("[data-choice], [data-forfeit], [data-draw]")).to_have_count(0)
