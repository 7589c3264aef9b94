"""Whose turn it is, for players who look elsewhere: title, icon, header, notifications, sounds."""

import re

import pytest
from playwright.sync_api import expect
from tests.web.browser.duel import Duel

YOUR_TURN = re.compile("^Your turn · ")
# Notes what the browser is asked to show; the notification itself is the browser's.
NOTE_NOTIFICATIONS = """
window.told = [];
window.Notification = class extends Notification {
  constructor(title, options) {
    super(title, options);
    told.push(`${title}: ${options.body}`);
  }
};
localStorage.setItem("holmgang.notify", "on");
"""
# As in a tab behind another, which headless browsers do not have.
HIDE = """
Object.defineProperty(Document.prototype, "hidden", { get: () => window.isBehind === true });
"""
TO_THE_BACK = """() => {
  window.isBehind = true;
  document.dispatchEvent(new Event("visibilitychange"));
}"""
NOTE_TONES = """
window.tones = [];
window.OscillatorNode = class extends OscillatorNode {
  constructor(context, options) {
    super(context, options);
    tones.push(options.frequency);
  }
};
"""


@pytest.fixture
def behind(newcomer):
    """A player at a match of two people, whose tab goes to the back; and the other player."""
    red, blue = newcomer(permissions=["notifications"]), newcomer()
    red.context.add_init_script(HIDE + NOTE_NOTIFICATIONS)
    match = red.open_match()
    blue.join_match(match)
    return Duel(red, match).open(), Duel(blue, match).open()


def is_due(duel: Duel) -> bool:
    return bool(
        duel.page.evaluate("document.querySelector('link[rel=icon]').href.includes('data:')")
    )


def test_a_turn_is_noticed_in_a_tab_in_the_background(behind):
    mine, theirs = behind
    expect(mine.page).to_have_title(YOUR_TURN)
    assert is_due(mine)
    mine.choose("boost")
    expect(mine.page).not_to_have_title(YOUR_TURN)
    mine.page.wait_for_function("!document.querySelector('link[rel=icon]').href.includes('data:')")
    mine.page.evaluate(TO_THE_BACK)
    theirs.choose("boost")
    expect(mine.page).to_have_title(YOUR_TURN)
    mine.page.wait_for_function("told.length === 1")
    assert is_due(mine)
    assert "Your turn: BAGH against guest" in mine.page.evaluate("told[0]")


def test_nobody_learns_by_title_or_notification_when_the_other_chooses(behind):
    mine, theirs = behind
    mine.page.evaluate(TO_THE_BACK)
    before = mine.page.title(), is_due(mine)
    theirs.choose("boost")
    mine.expect_chosen("blue")
    assert (mine.page.title(), is_due(mine)) == before
    assert mine.page.evaluate("told") == []


def test_every_page_says_that_a_duel_waits(pair):
    red, _ = pair()
    match = f"/match/{red.match}"
    red.visitor.go("/rules")
    waiting = red.find("[data-waiting]")
    expect(waiting).to_have_accessible_name("1 duel waits for you")
    expect(waiting).to_have_attribute("href", match)
    assert red.page.title().startswith("(1) ")
    waiting.click()
    red.expect_connected()
    expect(waiting).to_have_count(0)  # it is here
    red.choose("guard")
    red.expect_acknowledged()
    red.visitor.go("/watch")
    assert red.visitor.ask("/api/lobby/waiting") == {"matches": []}
    expect(red.page.get_by_role("heading", level=1)).to_be_visible()
    expect(waiting).to_have_count(0)


def test_what_waits_does_not_depend_on_the_other(pair):
    red, blue = pair()
    before = red.visitor.ask("/api/lobby/waiting")
    blue.choose("guard")
    blue.expect_acknowledged()
    assert len(before["matches"]) == 1
    assert red.visitor.ask("/api/lobby/waiting") == before


def test_sounds_begin_with_the_first_click_and_can_be_switched_off(newcomer):
    visitor = newcomer(reveals=True, reduced_motion="no-preference")
    visitor.context.add_init_script(NOTE_TONES)
    duel = Duel(visitor, visitor.open_match(opponent={"level": "random"})).open()
    assert visitor.page.evaluate("tones") == []
    duel.choose("boost")
    duel.expect_round(1)
    expect(duel.find("[data-again]")).to_be_enabled()
    assert 420 in visitor.page.evaluate("tones")  # the cards turned over
    duel.find("[data-settings]").click()
    duel.find("[data-setting=sound]").click()
    visitor.page.keyboard.press("Escape")
    visitor.page.evaluate("tones.length = 0")
    duel.choose("boost")
    duel.expect_round(2)
    expect(duel.find("[data-again]")).to_be_enabled()
    assert visitor.page.evaluate("tones") == []


def test_a_hit_has_a_sound(newcomer):
    host, friend = newcomer(reveals=True, reduced_motion="no-preference"), newcomer()
    host.context.add_init_script(NOTE_TONES)
    match = host.open_match("bagh", "link", seat="red")
    friend.join_match(match)
    red, blue = Duel(host, match).open(), Duel(friend, match).open()
    for number, (mine, theirs, is_hit) in enumerate(
        [("attack", "guard", False), ("attack", "boost", True)], 1
    ):
        host.page.evaluate("tones.length = 0")
        blue.choose(theirs)
        red.choose(mine)
        red.expect_round(number)
        expect(red.find("[data-again]")).to_be_enabled()
        assert (130 in host.page.evaluate("tones")) == is_hit
