"""The page: whole, safe, and self-contained."""

import re
from html.parser import HTMLParser

import pytest
from msgspec.structs import replace
from tests.arena.results import played, result, won_by

from holmgang.arena.counting.results import Results
from holmgang.arena.counting.standings import standings
from holmgang.arena.events.page import RatingScale, format_page
from holmgang.arena.events.schedule import RoundRobin
from holmgang.arena.fixture import pair
from holmgang.arena.task import SeatReport

VOID = {"meta", "br", "hr", "img", "input", "link"}


class Nesting(HTMLParser):
    """Reads a page, and fails where an element is not closed by its own end."""

    def __init__(self):
        super().__init__()
        self.open, self.links, self.text, self.elements = [], [], [], []

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        self.links += [value for name, value in attributes if name in ("href", "src")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, text):
        self.text.append(text)


def read(results, bots=("ann", "bob", "cid")):
    table = standings(bots, results.values(), title="League of <b>", ruleset="bagh")
    page = Nesting()
    text = format_page(table, results)
    page.feed(text)
    assert page.open == []
    return page, text


@pytest.fixture
def results():
    results, _ = played(RoundRobin(["ann", "bob", "cid"], 3), lambda each: min(each[:2]))
    for number, name in enumerate(list(results)):
        record = f"records/{name}.jsonl"
        results[name] = replace(results[name], record=record, rounds=number + 3)
    return results


def test_standings_matrix_mix_and_games_are_there(results):
    page, _ = read(results)
    text = " ".join(page.text)
    for said in ("ann", "Standings", "Who beats whom", "ann 100 %", "18 ", "Games"):
        assert said in text
    cells = [
        attributes
        for tag, attributes in page.elements
        if tag == "a" and attributes["href"].startswith("#")
    ]
    assert len(cells) == 6
    assert cells[0]["title"].startswith("ann against bob: 6 won, 0 drawn, 0 lost;")


def test_every_game_links_to_its_record(results):
    page, _ = read(results)
    links = {link for link in page.links if not link.startswith("#")}
    assert links == {f"records/{name}.jsonl" for name in results}


def test_the_fields_of_the_matrix_choose_games_that_are_listed(results):
    page, _ = read(results)
    chosen = {link[1:] for link in page.links if link.startswith("#")}
    listed = {attributes.get("data-couple") for tag, attributes in page.elements if tag == "tr"}
    assert chosen == listed - {None} == {"ann--bob", "ann--cid", "bob--cid"}


def test_it_needs_nothing_from_elsewhere(results):
    _, text = read(results)
    assert not re.search(r"https?://|@import|url\(|<link|<script src", text)


def test_what_bots_say_is_text_and_nothing_else():
    results = Results()
    evil = "<script>alert('x')</script>\" onclick=\"x"
    fixture = pair("ann", "bob", 0)[0]
    results.add([replace(result(fixture, "blue"), red=SeatReport("crash", evil), reason=evil)])
    page, text = read(results, ("ann", "bob"))
    assert [tag for tag, _ in page.elements].count("script") == 1
    assert not any("onclick" in attributes for _, attributes in page.elements)
    assert evil not in text


def test_a_page_without_games():
    page, _ = read(Results())
    assert "No games have been played yet." in " ".join(page.text)


def test_only_the_last_games_of_a_pair_are_listed():
    results = Results()
    for number in range(50):
        results.add(won_by(each, each.red) for each in pair("ann", "bob", number))
    page, _ = read(results, ("ann", "bob"))
    assert sum("data-couple" in attributes for _, attributes in page.elements) == 20


@pytest.mark.parametrize(("low", "high"), [(-15.0, 22.0), (-480.0, 250.0), (-2500.0, 3000.0)])
def test_the_scale_has_a_few_round_marks(low, high):
    scale = RatingScale(low, high)
    assert 2 <= len(scale.ticks) <= 7
    assert all(low <= tick <= high for tick in scale.ticks)
    assert scale.at(low) == 0
    assert scale.at(high) == 100
    assert scale.at(high + 99) == 100
