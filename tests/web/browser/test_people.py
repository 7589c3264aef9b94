"""A name of one's own: claiming it, signing out and in, ratings, the profile, the leaderboard."""

import re

import pytest
from playwright.sync_api import expect
from tests.web.browser.duel import Duel
from tests.web.browser.standings import settle_ratings

PASSWORD = "correct horse battery"  # noqa: S105 - of nobody


def claim(visitor, name):
    visitor.go("/sign-in")
    visitor.page.get_by_label("Name", exact=True).fill(name)
    visitor.page.get_by_label("Password").fill(PASSWORD)
    visitor.page.get_by_role("button", name="Claim the name").click()
    expect(visitor.page.locator("header [data-me]")).to_have_text(name)


def test_a_guest_claims_a_name_signs_out_and_signs_in(newcomer):
    visitor = newcomer()
    visitor.excuse("401")
    match = visitor.open_match()  # as a guest
    claim(visitor, "Signe")
    page = visitor.page
    expect(page.get_by_role("heading", level=1)).to_have_text("Signe")
    assert visitor.ask(f"/api/matches/{match}")["you"] == "red"  # still theirs
    page.locator("[data-sign-out]").click()
    expect(page.locator("header").get_by_role("link", name="Sign in")).to_be_visible()
    page.locator("header").get_by_role("link", name="Sign in").click()
    page.get_by_text("I have one").click()
    page.get_by_label("Name", exact=True).fill("signe")
    page.get_by_label("Password").fill("wrong")
    page.locator("form [type=submit]").click()
    expect(page.locator("[data-problem]")).to_contain_text("wrong")
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("form [type=submit]").click()
    expect(page.locator("header [data-me]")).to_have_text("Signe")
    assert visitor.ask(f"/api/matches/{match}")["you"] == "red"


def test_a_match_by_link_is_in_the_history_of_a_guest_and_of_an_account(newcomer):
    host, friend = newcomer(), newcomer()
    claim(host, "Gudrun")
    match = host.open_match("bagh:start_hp=1", "link", seat="red", wins_needed=1)
    friend.join_match(match)
    red, blue = Duel(host, match).open(), Duel(friend, match).open()
    red.choose("attack")
    blue.choose("boost")
    for visitor, duel, result in ((host, red, "W"), (friend, blue, "L")):
        expect(duel.find("[data-over]")).to_be_visible()
        page = visitor.page
        page.locator("footer").get_by_role("link", name="Your duels").click()
        row = page.locator("[data-history] li")
        expect(row).to_have_count(1)
        expect(row.locator(".result")).to_contain_text(result)
        row.locator(f"[data-match='{match}']").click()
        expect(duel.find("[data-over]")).to_be_visible()
    stranger = newcomer()
    stranger.go("/history")
    expect(stranger.page.locator("[data-history]")).to_contain_text("No duel yet")


def test_a_name_that_is_taken_is_refused(newcomer):
    one, other = newcomer(), newcomer()
    claim(one, "Torvald")
    other.excuse("401")
    other.go("/sign-in")
    other.page.get_by_label("Name", exact=True).fill("torvald")
    other.page.get_by_label("Password").fill(PASSWORD)
    other.page.locator("form [type=submit]").click()
    expect(other.page.locator("[data-problem]")).to_contain_text("taken")


def test_a_rated_match_changes_both_ratings(newcomer):
    red, blue = newcomer(), newcomer()
    claim(red, "Ragna")
    claim(blue, "Bjarke")
    # Links are private: not in lists.
    match = red.open_match("bagh", "lobby", seconds=86_400)
    blue.join_match(match)
    mine, theirs = Duel(red, match).open(), Duel(blue, match).open()
    expect(mine.find("[data-player=blue]")).to_contain_text("Bjarke")
    mine.choose("attack")  # a match in which nobody has chosen is not rated
    theirs.choose("attack")
    theirs.find("[data-forfeit]").click()
    theirs.find("[data-forfeit-yes]").click()
    mine.expect_over("You win")
    changes = mine.find("[data-rating-changes] li")
    expect(changes).to_have_text(
        [re.compile(r"Ragna 1500 → 1[67]\d\d"), re.compile(r"Bjarke 1500 → 1[23]\d\d")]
    )
    expect(theirs.find("[data-rating-changes] li")).to_have_text(changes.all_inner_texts()[::-1])
    mine.find("header [data-me]").click()
    expect(red.page.locator(".ratings")).to_contain_text(re.compile(r"BAGH\s*1[67]\d\d\?"))
    expect(red.page.locator(f"[data-match='{match}']")).to_be_visible()


def test_an_invitation_and_a_profile_say_what_is_rated(newcomer):
    red, blue, guest = newcomer(), newcomer(), newcomer()
    claim(red, "Halla")
    claim(blue, "Ulf")
    match = red.open_match("bagh", "link", seconds=86_400, wins_needed=1)
    for visitor, text in (
        (red, "rated if your opponent has an account"),
        (blue, "Rated: your rating changes with the result."),
        (guest, "Not rated, unless you sign in before you join."),
    ):
        visitor.go(f"/match/{match}")
        expect(visitor.page.locator(".invitation")).to_contain_text(text)
    blue.page.locator("[data-join]").click()
    mine, theirs = Duel(red, match), Duel(blue, match)
    mine.choose("attack")
    theirs.choose("attack")
    theirs.find("[data-forfeit]").click()
    theirs.find("[data-forfeit-yes]").click()
    mine.expect_over("You win")
    expect(mine.find("[data-rating-changes] li")).to_have_count(2)
    for visitor in (red, guest):
        visitor.go("/player/Halla")
        expect(visitor.page.locator(".ratings")).to_contain_text("1 rated match")
        expect(visitor.page.locator(".profile")).not_to_contain_text("No match yet")
    expect(red.page.locator(f"[data-match='{match}']")).to_be_visible()
    expect(guest.page.locator("[data-unlisted]")).to_have_text(
        "1 match by link or against the computer is not listed here."
    )


@pytest.mark.parametrize("rule", ["bagh:start_hp=1"])
def test_changed_rules_are_not_rated(newcomer, rule):
    red, blue = newcomer(), newcomer()
    claim(red, "Gunnar")
    claim(blue, "Hakon")
    match = red.open_match(rule, wins_needed=1)
    blue.join_match(match)
    mine, theirs = Duel(red, match).open(), Duel(blue, match).open()
    mine.choose("attack")
    theirs.choose("boost")
    mine.expect_over("You win")
    expect(mine.find("[data-rating-changes]")).to_have_count(0)
    assert red.ask("/api/me")["ratings"] == {}


def test_the_leaderboard_lists_settled_ratings_and_leads_to_profiles(site, newcomer):
    settle_ratings(site, ["Astrid", "Egil", "Skarde"])
    visitor = newcomer()
    visitor.go("/players")
    names = visitor.page.locator(".ranks tbody a")
    expect(names).to_have_text(["Astrid", "Egil", "Skarde"])
    names.first.click()
    expect(visitor.page.get_by_role("heading", level=1)).to_have_text("Astrid")
    expect(visitor.page.locator(".curve svg")).to_be_visible()
    visitor.page.go_back()
    visitor.page.get_by_text("MagicDuel").click()
    expect(visitor.page.get_by_label("Leaderboard")).to_contain_text("Nobody has a settled rating")


def test_names_are_shown_as_text(newcomer):
    visitor = newcomer()
    visitor.excuse("422|404")
    name = "<img src=x onerror=alert(1)>"
    visitor.go("/sign-in")
    visitor.page.get_by_label("Name", exact=True).fill(name)
    visitor.page.get_by_label("Password").fill(PASSWORD)
    visitor.page.locator("form [type=submit]").click()
    expect(visitor.page.locator("[data-problem], header [data-me]").first).to_be_visible()
    expect(visitor.page.locator("main img, header img")).to_have_count(0)
    visitor.go("/player/%3Cimg%20src=x%3E")
    expect(visitor.page.get_by_role("heading", level=1)).to_have_text("No such player")
    expect(visitor.page.locator("main img")).to_have_count(0)
