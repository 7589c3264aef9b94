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
    expect(blue.find("[data-slot=choose]")).to_contain_text("You declined the draw.")
    expect(red.find("[data-slot=choose]")).to_contain_text(
        re.compile(r"guest \d+ declined the draw\.")
    )
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


def test_back_after_a_rematch_shows_the_match_before(pair):
    red, blue = pair("bagh:start_hp=1", wins_needed=1)
    red.choose("attack")
    blue.choose("boost")
    for duel in (red, blue):
        duel.find("[data-over] [data-rematch]").click()
    expect(red.find(".duel[data-status=playing][data-you=blue]")).to_be_visible()
    rematch = red.page.url
    red.page.go_back()
    red.expect_over("You win")
    assert red.page.url.endswith(f"/match/{red.match}")  # and it stays there
    red.page.go_forward()
    expect(red.find(".duel[data-status=playing][data-you=blue]")).to_be_visible()
    assert red.page.url == rematch


def test_a_match_of_several_games_goes_on_with_the_next(pair):
    red, blue = pair("bagh:start_hp=1", wins_needed=2)
    for game in (1, 2):
        red.choose("attack")
        blue.choose("boost")
        if game == 1:
            for duel in (red, blue):
                expect(duel.find("[data-slot=interlude]")).to_contain_text("Game 1")
                duel.find("[data-next]").click()
            expect(red.find("[data-score]")).to_have_text("1 – 0")
            expect(blue.find("[data-score]")).to_have_text("0 – 1")  # the player is on the left
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


def test_the_reveal_turns_both_cards_over_and_its_result_stays(newcomer):
    red, blue = newcomer(reveals=True, reduced_motion="no-preference"), newcomer()
    red.context.add_init_script('localStorage.setItem("holmgang.reveals", "3")')
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
    expect(reveal.locator("[data-card].open")).to_have_count(0)
    red.page.clock.run_for(150)
    expect(reveal.locator("[data-card].open")).to_have_count(2)
    expect(reveal.locator("[data-card=red]")).to_contain_text("attack", ignore_case=True)
    expect(reveal.locator("[data-card=blue]")).to_contain_text("guard", ignore_case=True)
    expect(mine.find("[data-choice=attack]")).to_be_disabled()
    expect(mine.find("[data-story] [data-round]")).to_have_count(0)
    red.page.clock.run_for(1100)
    mine.expect_round(1)
    expect(mine.find("[data-reason='1']")).to_have_count(0)
    red.page.clock.run_for(400)
    reason = mine.find("[data-reason='1']")
    expect(reason).to_contain_text("Blue stops the attack and earns priority 1")
    expect(mine.find("[data-choice=attack]")).to_be_disabled()
    red.page.clock.run_for(250)
    expect(mine.find("[data-choice=attack]")).to_be_enabled()
    # The cards and the reason stay when the other chooses, until the player does.
    theirs.choose("boost")
    mine.expect_chosen("blue")
    fronts = mine.find(".board :is(.red-front, .blue-front)")
    for card in fronts.all():
        expect(card).to_have_css("opacity", "1")
    expect(reason).to_be_visible()


def test_a_click_or_a_key_jumps_to_the_end_of_a_reveal_and_is_no_choice(newcomer):
    red, blue = newcomer(reveals=True, reduced_motion="no-preference"), newcomer()
    red.page.clock.install()
    match = red.open_match()
    blue.join_match(match)
    mine, theirs = Duel(red, match).open(), Duel(blue, match).open()
    for skip in ("click", "key"):
        mine.choose("boost")
        mine.expect_acknowledged()
        red.page.clock.pause_at(datetime.now(UTC) + timedelta(minutes=9 if skip == "key" else 1))
        theirs.choose("boost")
        expect(mine.find("[data-reveal]")).to_be_visible()
        red.page.clock.run_for(400)
        if skip == "click":
            mine.find("[data-choice=guard]").click(force=True)
        else:
            red.page.keyboard.press("g")
        expect(mine.find("[data-reveal]")).to_have_count(0)
        expect(mine.find("[data-choice=guard]")).to_be_enabled()
        assert mine.view()["chosen"] is None
        red.page.clock.resume()


def test_the_last_round_is_shown_again(newcomer):
    visitor = newcomer(reveals=True, reduced_motion="no-preference")
    duel = Duel(visitor, visitor.open_match(opponent={"level": "random"})).open()
    duel.choose("boost")
    again = duel.find("[data-again]")
    expect(again).to_be_enabled()
    board = duel.find(".frame desc")
    now = str(board.text_content())
    again.click()
    expect(duel.find("[data-reveal] [data-card].open")).to_have_count(2)
    expect(board).not_to_have_text(now)  # the boost is not there yet
    expect(again).to_be_enabled()
    expect(board).to_have_text(now)
    assert duel.view()["round"] == 2


@pytest.mark.parametrize("reveals", [True, False])
def test_the_board_is_in_view_when_a_round_is_revealed(newcomer, reveals):
    visitor = newcomer(reveals=reveals, viewport=PHONE)
    match = visitor.open_match("defend-the-city-duel", {"level": "random"})
    duel = Duel(visitor, match).open()
    visitor.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert duel.find(".frame").bounding_box()["y"] < 0
    duel.choose("2/3")
    duel.expect_round(1)
    board = duel.find(".frame").bounding_box()
    assert 0 <= board["y"] < board["y"] + board["height"] <= PHONE["height"]


def test_on_a_phone_the_name_of_ones_seat_is_shown(newcomer):
    visitor = newcomer(viewport=PHONE)
    duel = Duel(visitor, visitor.open_match(opponent={"level": "random"}, seat="blue")).open()
    expect(duel.find("[data-player=blue] .said")).to_have_text("Blue · you")


@pytest.mark.parametrize("by", ["mouse", "keys"])
def test_a_choice_that_loses_at_once_is_asked_for_again(newcomer, by):
    visitor = newcomer()
    match = visitor.open_match(
        "fencing:league=1", {"level": "random"}, start="0/200.2/300", seat="red"
    )
    duel = Duel(visitor, match, by=by).open()
    expect(duel.find("[data-choice=lunge]")).to_have_class(re.compile("fatal"))
    duel.choose("lunge")
    asked = duel.find("[data-slot=fatal]")
    expect(asked).to_contain_text("You run out of energy and lose.")
    expect(duel.find("[data-choose-again]")).to_be_focused()
    assert duel.view()["chosen"] is None
    duel.find("[data-choose-again]").press("Enter")
    expect(asked).to_have_count(0)
    duel.choose("lunge")
    duel.find("[data-keep]").click()
    duel.expect_over(re.compile("wins|Draw"))


COVERED = """() => [...document.querySelectorAll(".choice")].flatMap((card) => {
  const key = card.querySelector("kbd").getBoundingClientRect();
  const words = document.createRange();
  words.selectNodeContents(card.querySelector("b"));
  return [...words.getClientRects()].filter((line) =>
    key.width && line.right > key.left && line.bottom > key.top && line.top < key.bottom)
    .map(() => card.textContent);
})"""


@pytest.mark.parametrize("ruleset", ["bagh", "fencing:league=1", "fencing", "magic-duel"])
def test_the_keys_on_cards_do_not_cover_the_labels(newcomer, ruleset):
    visitor = newcomer()
    duel = Duel(visitor, visitor.open_match(ruleset, {"level": "random"})).open()
    expect(duel.find(".choice").first).to_be_visible()
    for width in (641, 768, 1025, 1280):
        visitor.page.set_viewport_size({"width": width, "height": 800})
        assert visitor.page.evaluate(COVERED) == []


def test_where_the_seats_take_turns_there_are_moves_and_a_round_is_both_turns(newcomer):
    visitor = newcomer()
    match = visitor.open_match("magic-duel", {"level": "random"}, seat="red")
    duel = Duel(visitor, match).open()
    clock, prompt = duel.find(".clock"), duel.find("[data-slot=choose]")
    expect(clock).to_contain_text("round 1")
    for move in (1, 2):
        expect(prompt).to_contain_text("It is your turn.")
        duel.choose("magic")
        duel.expect_round(move)
    expect(prompt).to_contain_text("It is your turn.")  # after two moves of blue
    expect(clock).to_contain_text("round 2")
    expect(duel.find("[data-reason]")).to_contain_text("Move 4")
    expect(duel.find(".story h2")).to_contain_text("4 moves, newest first")


def test_players_are_on_the_left_and_spectators_see_red_there(pair, newcomer):
    red, blue = pair()
    watching = Duel(newcomer(), red.match).open()
    turned = ".frame.turned"
    expect(blue.find(turned)).to_have_count(1)
    for duel in (red, watching):
        expect(duel.find(turned)).to_have_count(0)
    for duel, left in ((red, "red"), (blue, "blue"), (watching, "red")):
        expect(duel.find(".players > :first-child")).to_have_attribute("data-player", left)
    # Blue's figure is on the left half of the board, and words can be read.
    frame, hp = (blue.find(each).bounding_box() for each in (".frame", "#blue-hp"))
    assert hp["x"] + hp["width"] < frame["x"] + frame["width"] / 2
    blue.find("[data-settings]").click()
    blue.find("[data-setting=left]").click()
    blue.page.keyboard.press("Escape")
    expect(blue.find(turned)).to_have_count(0)
    expect(blue.find(".players > :first-child")).to_have_attribute("data-player", "red")
    blue.page.reload()
    blue.expect_connected()
    expect(blue.find(turned)).to_have_count(0)


def test_a_level_that_declines_a_draw_says_so(newcomer):
    visitor = newcomer()
    match = visitor.open_match(opponent={"level": "random"}, start="1.0.0.0/3.3.0.0")
    duel = Duel(visitor, match).open()
    duel.find("[data-draw]").click()
    expect(duel.find("[data-slot=choose]")).to_contain_text("Random declined the draw.")


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
    hint, prompt = duel.find("[data-hint]"), duel.find("[data-slot=choose]")
    for number in (1, 2, 3):
        expect(hint).to_contain_text(f"Hint {number} of 3")
        expect(prompt).to_contain_text(f"Round {number}: choose.")  # which no hint replaces
        if number < 3:
            before = prompt.evaluate("slot => slot.offsetTop")
            hint.get_by_role("button", name="Next").click()
            assert prompt.evaluate("slot => slot.offsetTop") == before, (
                "the choices move under a finger"
            )
            duel.choose("boost")
            duel.expect_round(number)
    hint.get_by_role("button", name="Got it").click()
    expect(hint).to_have_count(0)
    duel.page.reload()
    expect(prompt).to_be_visible()
    expect(hint).to_have_count(0)


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
