"""A game in one file, which only the operator of a server has named."""

import pytest
from playwright.sync_api import expect
from tests.games.one_file import STANDOFF
from tests.web.browser.site import Site
from tests.web.browser.test_failures import LOST
from tests.web.browser.visitor import PHONE


@pytest.fixture(scope="module")
def own_games(tmp_path_factory):
    """A server with Standoff."""
    folder = tmp_path_factory.mktemp("games")
    (folder / "standoff.py").write_text(STANDOFF)
    with Site(tmp_path_factory.mktemp("site"), "--games", str(folder)) as site:
        yield site


def test_two_people_play_it_to_the_end(pair, own_games):
    red, blue = pair("standoff:lives=1", at=own_games)
    for number, (choice, answer) in enumerate((("reload", "reload"), ("shoot", "shield")), start=1):
        red.choose(choice)
        blue.expect_chosen("red")
        blue.choose(answer)
        red.expect_round(number)
    red.choose("reload")
    blue.choose("shoot")
    red.expect_over("guest 2 wins")
    blue.expect_over("You win")
    assert any("lives 1 → 0" in line for line in red.story())


def test_it_is_on_the_home_page_with_rules_a_level_and_positions(newcomer, own_games):
    visitor = newcomer(own_games, viewport=PHONE)
    visitor.go("/")
    expect(visitor.page.get_by_text("Standoff", exact=True)).to_be_visible()
    visitor.go("/rules/standoff")
    expect(visitor.page.locator("[data-beats]")).to_contain_text("Red chooses shoot")
    visitor.page.locator("[data-full] summary").click()
    expect(visitor.page.get_by_text("most rounds in the gun")).to_be_visible()
    visitor.go("/explore/standoff?state=2.1/1.3")
    visitor.page.locator("[data-pair='shoot blast']").click()
    expect(visitor.page.locator("[data-outcome]")).to_contain_text("Red wins")
    match = visitor.open_match("standoff", opponent={"level": "beginner"}, seat="red")
    visitor.go(f"/match/{match}")
    visitor.page.locator("[data-choice=shield]").click()
    expect(visitor.page.locator("[data-story] [data-round='1']")).to_be_visible()


def test_a_match_whose_rules_change_is_cancelled_and_both_are_told(pair, tmp_path):
    game = tmp_path / "standoff.py"
    game.write_text(STANDOFF)
    with Site(tmp_path, "--games", str(game)) as site:
        red, blue = pair("standoff", at=site)
        for player in (red, blue):
            player.visitor.excuse(LOST)
        red.choose("reload")
        blue.expect_chosen("red")
        site.kill()
        game.write_text(STANDOFF.replace("me.lives - (1 if hit", "me.lives - (2 if hit"))
        site.start()
        for player in (red, blue):
            expect(player.page.get_by_text("rules of its game have changed")).to_be_visible()
        match = red.visitor.open_match("standoff")
        blue.visitor.join_match(match)
