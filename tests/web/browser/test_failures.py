"""The server is killed in the middle of a round, and the pages carry on by themselves."""

import pytest
from playwright.sync_api import expect
from tests.web.browser.site import Site

LOST = r"WebSocket connection|ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_SOCKET"
"""What the console says while there is no server."""


@pytest.fixture
def own_site(tmp_path):
    with Site(tmp_path) as site:
        yield site


@pytest.mark.slow
def test_both_pages_carry_on_after_the_server_was_killed_in_the_middle_of_a_round(own_site, pair):
    red, blue = pair("bagh:start_hp=1", at=own_site, wins_needed=1)
    for duel in (red, blue):
        duel.visitor.excuse(LOST)
    red.choose("attack")
    red.expect_acknowledged()
    blue.expect_chosen("red")
    own_site.kill()
    for duel in (red, blue):
        expect(duel.find("[data-slot=offline]")).to_be_visible()
    own_site.start()
    for duel in (red, blue):
        duel.expect_connected()
    assert red.view()["chosen"] == "attack"
    expect(red.find("[data-choice=attack]")).to_have_attribute("aria-pressed", "true")
    blue.expect_chosen("red")
    blue.choose("boost")
    red.expect_over("You win")
    blue.expect_over("guest 1 wins")


@pytest.mark.slow
def test_a_choice_made_while_the_server_is_away_is_sent_when_it_is_back(own_site, pair):
    red, blue = pair("bagh:start_hp=1", at=own_site, wins_needed=1)
    for duel in (red, blue):
        duel.visitor.excuse(LOST)
    own_site.kill()
    expect(red.find("[data-slot=offline]")).to_be_visible()
    red.choose("attack")
    own_site.start()
    red.expect_acknowledged()
    blue.choose("boost")
    red.expect_over("You win")
