"""A terminal and a browser play each other."""

import pytest
from playwright.sync_api import expect
from tests.terminal.shell import Terminal
from tests.web.browser.duel import Duel


@pytest.mark.slow
def test_a_terminal_and_a_browser_play_each_other_to_the_end(site, newcomer, tmp_path):
    visitor = newcomer()
    match = visitor.open_match("bagh:start_hp=2", wins_needed=1)
    visitor.go(f"/match/{match}")
    link = visitor.page.locator("[data-link]").input_value()
    duel = Duel(visitor, match)
    with Terminal(tmp_path, "play", "--join", link, "--plain") as terminal:
        terminal.expect("Blue> ")
        duel.expect_connected()  # it has begun by itself
        since = len(visitor.received)
        terminal.send("boost\n")
        terminal.expect("You chose boost.")
        duel.expect_chosen("blue")
        duel.expect_told_only_that_chosen("blue", since)
        duel.choose("attack")
        duel.expect_round(1)
        end = terminal.expect("Round 1  Red: attack  Blue: boost")
        duel.choose("attack")
        duel.expect_acknowledged()
        end = terminal.expect("has chosen.", after=end)
        assert "attack" not in terminal.text[end:]
        terminal.expect("Blue> ", after=end)
        terminal.send("heal\n")
        duel.expect_over("You win")
        terminal.expect("Round 2  Red: attack  Blue: heal", after=end)
        terminal.expect("Red wins: Blue is down.", after=end)
        # Together also into the next match, with the seats exchanged.
        terminal.send("rematch\n")
        expect(duel.find("[data-rematch]")).to_contain_text("Accept")
        duel.find("[data-rematch]").click()
        expect(duel.find(".duel[data-you=blue][data-status=playing]")).to_be_visible()
