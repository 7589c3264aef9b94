"""A match on the screen: seeing it and choosing in it through the page's own controls."""

import re
from typing import Any, Literal

from playwright.sync_api import Locator, expect
from tests.web.browser.visitor import Visitor

By = Literal["mouse", "keys"]
MOST_TABS = 80


class Duel:
    """One person's page of a match."""

    def __init__(self, visitor: Visitor, match: str, by: By = "mouse") -> None:
        self.visitor, self.match, self.by = visitor, match, by
        self.page = visitor.page

    def open(self) -> "Duel":
        self.visitor.go(f"/match/{self.match}")
        self.expect_connected()
        return self

    def expect_connected(self) -> None:
        """Waits until the page has its view over the socket."""
        expect(self.find(".duel[data-connection=open]")).to_be_visible()

    def find(self, selector: str) -> Locator:
        return self.page.locator(selector)

    # Seeing

    def state_of(self, seat: str) -> Locator:
        return self.find(f"[data-player={seat}] [data-state]")

    def expect_chosen(self, seat: str) -> None:
        """Waits until the page shows that a seat has chosen."""
        expect(self.state_of(seat)).to_have_attribute("data-state", "chosen")

    def expect_acknowledged(self) -> None:
        """Waits until the server has kept the own choice."""
        expect(self.find("[data-slot=chosen]")).to_contain_text("Waiting for")

    def expect_round(self, number: int) -> None:
        """Waits until this round is in the story."""
        expect(self.find(f"[data-story] [data-round='{number}']")).to_be_visible()

    def expect_over(self, headline: str | re.Pattern[str]) -> None:
        expect(self.find("[data-over] h2")).to_have_text(headline)

    def expect_told_only_that_chosen(self, seat: str, since: int) -> None:
        """The frames since then say once that the seat has chosen, and have no room for what."""
        frames = self.visitor.frames(since)
        news = [frame for frame in frames if "waiting_for" in frame["patch"]]
        assert len(news) == 1, frames
        assert seat not in news[0]["patch"]["waiting_for"]
        for frame in frames:
            assert frame.keys() == {"type", "since", "version", "patch", "rounds"}
            assert frame["patch"].keys() <= {"waiting_for", "now", "watching"}, frame
            assert frame["rounds"] == []

    def story(self) -> list[str]:
        lines: list[str] = self.find("[data-story] li p").all_inner_texts()
        return [" ".join(line.split()) for line in lines]  # changes have unbreakable spaces

    # Choosing

    def choose(self, choice: str) -> None:
        """Makes a choice as a person would: with clicks, or with keys alone."""
        controls = self.find("[data-controls]")
        expect(controls).to_be_visible()
        expect(controls.locator("button, fieldset").first).to_be_enabled()
        kind = controls.get_attribute("data-controls")
        {"cards": self._pick_card, "dials": self._set_dials, "parts": self._say_parts}[str(kind)](
            choice
        )

    def _pick_card(self, word: str) -> None:
        card = self.find(f"[data-choice='{word}']")
        if not card.count():  # one of a kind that is folded into one card
            fold = self.find(f"[data-unfold='{word.rsplit('_', maxsplit=1)[-1]}']")
            if self.by == "mouse":
                fold.click()
            else:
                self.page.keyboard.press(str(fold.get_attribute("aria-keyshortcuts")))
        if self.by == "mouse":
            card.click()
        else:
            self.page.keyboard.press(str(card.get_attribute("aria-keyshortcuts")))

    def _set_dials(self, pair: str) -> None:
        offense, defense = pair.split("/")
        if self.by == "mouse":
            self.find(f"[data-dial='offense-{offense}']").click()
            self.find(f"[data-dial='defense-{defense}']").click()
            self.find("[data-choose]").click()
        else:
            self.page.keyboard.type(f"{offense}{defense}")
            expect(self.find("[data-choose]")).to_be_enabled()
            self.page.keyboard.press("Enter")

    def _say_parts(self, choice: str) -> None:
        word, *values = choice.split()
        verb = self.find(f"[data-choice='{word}']")
        if self.by == "mouse":
            verb.click()
        else:
            self.page.keyboard.press(str(verb.get_attribute("aria-keyshortcuts")))
        for place, value in enumerate(values):
            self._set_part(place, value)
        # A verb with nothing more to say is chosen by its card.
        if self.find(f"[data-parts='{word}'] [data-choose]:enabled").count():
            if self.by == "mouse":
                self.find("[data-choose]").click()
            else:
                self.tab_to(self.find("[data-choose]"))
                self.page.keyboard.press("Enter")

    def _set_part(self, place: int, value: str) -> None:
        radio = self.find(f"input[name=part-{place}][value='{value}']")
        number = self.find(f"input#part-{place}")
        if number.count() and self.by == "mouse":
            number.fill(value)
            number.blur()
        elif number.count():
            self.tab_to(number)
            self.page.keyboard.type(value)
        elif radio.count() and self.by == "mouse":
            radio.click()
        elif radio.count():
            self.tab_to(self.find(f"input[name=part-{place}]"))
            while not radio.is_checked():
                self.page.keyboard.press("ArrowRight")

    def tab_to(self, target: Locator) -> None:
        """Moves the focus with the Tab key alone until it is on one of these elements."""
        is_focused = "element => element === document.activeElement"
        for _ in range(MOST_TABS):
            if any(each.evaluate(is_focused) for each in target.all()):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"the Tab key does not reach {target}")

    # Asking the server

    def view(self) -> dict[str, Any]:
        """The match as the server shows it to this person, with the picture."""
        view: dict[str, Any] = self.visitor.ask(f"/api/matches/{self.match}?picture=1")
        return view
