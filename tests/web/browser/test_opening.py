"""From the first page to a duel: against the computer, a friend, anyone, or a bot."""

import pytest
from playwright.sync_api import expect
from tests.web.browser.duel import Duel
from tests.web.browser.site import Site

from holmgang.arena.workshop.new_bot import new_bot
from holmgang.games.ruleset import load

COUNT_CLICKS = """
window.clicks = 0;
addEventListener("pointerdown", () => (window.clicks += 1), { capture: true });
"""


@pytest.mark.parametrize(
    ("game", "button", "choice"),
    [
        ("bagh", "Play BAGH · Beginner", "guard"),
        ("fencing", "Play Fencing Esport · Beginner", "parry"),
    ],
)
def test_the_first_reveal_is_three_clicks_away(newcomer, game, button, choice):
    visitor = newcomer(hints=True)
    visitor.context.add_init_script(COUNT_CLICKS)
    visitor.go("/")
    page = visitor.page
    page.locator(f"input[name=game][value={game}]").click()
    start = page.locator("[data-start]")
    expect(start).to_have_text(button)
    start.click()
    page.locator(f"[data-choice={choice}]").click()
    expect(page.locator("[data-story] [data-round='1']")).to_be_visible()
    assert page.evaluate("clicks") == 3


def test_the_main_button_says_what_it_starts(newcomer):
    visitor = newcomer()
    visitor.go("/")
    start = visitor.page.locator("[data-start]")
    expect(start).to_have_text("Play BAGH · Beginner")
    for name, value, text in [
        ("level", "hard", "Play BAGH · Hard"),
        ("game", "magic-duel", "Play MagicDuel · Hard"),
        ("opponent", "link", "Get a link for MagicDuel"),
        ("opponent", "lobby", "Find an opponent for MagicDuel"),
    ]:
        visitor.page.locator(f"input[name={name}][value={value}]").click()
        expect(start).to_have_text(text)


def test_a_link_for_a_friend(newcomer):
    host, friend = newcomer(), newcomer()
    host.go("/")
    host.page.locator("input[name=opponent][value=link]").click()
    host.page.locator("[data-start]").click()
    link = host.page.locator("[data-link]").input_value()
    assert link == host.page.url
    friend.page.goto(link)
    expect(friend.page.get_by_role("heading", level=1)).to_contain_text("invites you to a duel")
    expect(friend.page).to_have_title("Invitation to BAGH · Holmgang")
    friend.page.locator("[data-join]").click()
    for visitor in (host, friend):
        expect(visitor.page.locator(".duel[data-status=playing]")).to_be_visible()
        expect(visitor.page.locator("[data-choice=attack]")).to_be_enabled()


def test_the_next_person_in_the_lobby(newcomer):
    host, guest = newcomer(), newcomer()
    guest.go("/")
    host.go("/")
    host.page.locator("input[name=game][value=fencing]").click()
    host.page.locator("input[name=opponent][value=lobby]").click()
    host.page.locator("[data-start]").click()
    expect(host.page.get_by_role("heading", level=1)).to_contain_text("Waiting for an opponent")
    match = host.page.url.rpartition("/")[2]
    guest.page.locator(f"[data-join='{match}']").click()
    for visitor in (host, guest):
        expect(visitor.page.locator("[data-choice=lunge]")).to_be_enabled()
    # Nobody can make a stranger wait for ever.
    assert host.ask(f"/api/matches/{match}")["time"]["seconds"] == 60
    # It is not offered to anyone else, but can be watched.
    guest.go("/watch")
    expect(guest.page.locator(f"[data-match='{match}']")).to_be_visible()
    guest.go("/")
    expect(guest.page.locator("[data-start]")).to_be_enabled()
    expect(guest.page.locator(f"[data-join='{match}']")).to_have_count(0)


def test_a_match_that_nobody_joined_is_cancelled(newcomer):
    host = newcomer()
    host.go(f"/match/{host.open_match()}")
    host.page.locator("[data-cancel]").click()
    heading = host.page.get_by_role("heading", level=1)
    expect(heading).to_have_text("This match was cancelled")


def test_rules_of_ones_own(newcomer):
    visitor = newcomer()
    visitor.go("/setup?game=bagh")
    page = visitor.page
    page.locator(".group summary", has_text="Hit points").click()
    rule = page.locator("[data-rule=start_hp]")
    rule.get_by_label("Less").click()
    rule.get_by_label("Less").click()
    page.locator("#wins").fill("1")
    page.locator("#wins").blur()
    page.locator("input[name=seat][value=blue]").click()
    page.locator("input[name=seconds][value='60']").click()
    expect(page.locator("[data-changed]")).to_have_text("1 changed")
    expect(page.locator(".ruleset code")).to_have_text("bagh:start_hp=1")
    page.locator("[data-start]").click()
    expect(page.locator(".duel[data-you=blue]")).to_be_visible()
    view = Duel(visitor, page.url.rpartition("/")[2]).view()
    assert view["ruleset"] == "bagh:start_hp=1"
    assert view["wins_needed"] == 1
    assert view["time"]["seconds"] == 60


def test_the_form_shows_what_changed_rules_do(newcomer):
    visitor = newcomer()
    visitor.go("/setup?game=bagh")
    page = visitor.page
    for group, rule, value in (("Hit points", "heal_limit", 2), ("Boost", "max_boost", 1)):
        page.locator(".group summary", has_text=group).click()
        page.locator(f"#rule-{rule}").fill(f"{value}")
        page.locator(f"#rule-{rule}").blur()
    expect(page.locator("[data-preview=ready]")).to_contain_text("Never end")


def test_presets_of_rules(newcomer):
    visitor = newcomer()
    visitor.go("/setup?game=fencing")
    page = visitor.page
    expect(page.locator("[data-preset]")).to_have_attribute("data-preset", "League 1")
    page.locator("input[name=preset][value='No drugs']").click()
    expect(page.locator(".ruleset code")).to_have_text("fencing:league=2,points_to_win=10")
    page.locator("#game").select_option("bagh")
    page.locator("input[name=preset][value=Quick]").click()
    expect(page.locator("#wins")).to_have_value("1")
    expect(page.locator(".ruleset")).to_have_count(0)  # only the length of the match differs
    page.locator("[data-start]").click()
    expect(page.locator(".duel")).to_be_visible()
    assert Duel(visitor, page.url.rpartition("/")[2]).view()["wins_needed"] == 1


def test_leagues_on_the_first_page(newcomer):
    visitor = newcomer()
    visitor.go("/")
    page = visitor.page
    page.locator("input[name=game][value=fencing]").click()
    expect(page.locator("[data-preset]")).to_have_attribute("data-preset", "League 1")
    expect(page.locator("[data-learn]")).to_have_attribute("href", "/learn/fencing")
    page.locator("input[name=preset][value='League 2']").click()
    page.locator("[data-start]").click()
    expect(page.locator(".duel")).to_be_visible()
    assert Duel(visitor, page.url.rpartition("/")[2]).view()["ruleset"] == "fencing:league=2"
    visitor.go("/")
    expect(page.locator("[data-preset]")).to_have_attribute("data-preset", "League 1")
    page.locator("[data-start]").click()
    expect(page.locator(".duel")).to_be_visible()
    assert Duel(visitor, page.url.rpartition("/")[2]).view()["ruleset"] == "fencing:league=1"


@pytest.fixture
def site_with_a_bot(tmp_path):
    new_bot(load("bagh"), "python", tmp_path / "bots" / "egil")
    with Site(tmp_path, "--bots", str(tmp_path / "bots"), "--trust") as site:
        yield site


def test_a_hosted_bot(site_with_a_bot, newcomer):
    visitor = newcomer(site_with_a_bot)
    visitor.go("/")
    visitor.page.locator("input[name=opponent][value=bot]").click()
    expect(visitor.page.locator("[data-start]")).to_have_text("Play BAGH · egil")
    visitor.page.locator("[data-start]").click()
    visitor.page.locator("[data-choice=guard]").click()
    expect(visitor.page.locator("[data-story] [data-round='1']")).to_be_visible()
