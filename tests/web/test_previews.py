"""Previews of links: what messengers show for matches, positions and puzzles."""

import re
from contextlib import ExitStack
from html import unescape

import pytest
from tests.web.running import running_server

from holmgang.web import limits
from holmgang.web.limits import ALLOWANCES, Rate


@pytest.fixture
def browser_client(server):
    """Makes visitors with cookies of their own."""
    with ExitStack() as stack:
        yield lambda: stack.enter_context(server.client())


def tags_of(page):
    found = re.findall(r'<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)"', page)
    return {name: unescape(value) for name, value in found}


def challenge(person, name):
    person.post("/api/me/name", json={"name": name})
    asked = {"ruleset": "bagh", "opponent": "link", "seat": "red"}
    return person.post("/api/matches", json=asked).json()["match"]


def test_a_challenge_says_who_challenges_to_what(browser_client):
    host, friend = browser_client(), browser_client()
    match = challenge(host, "Mira")
    tags = tags_of(friend.get(f"/match/{match}").text)
    assert tags["og:title"] == "Mira (guest) challenges you to BAGH"
    assert "No account is needed" in tags["og:description"]
    assert tags["og:image"].endswith(f"/api/matches/{match}/preview.png")
    assert tags["og:image"].startswith("http://")


def test_a_match_that_goes_on_says_how_far_it_came(browser_client):
    red, blue, friend = browser_client(), browser_client(), browser_client()
    match = challenge(red, "Mira")
    blue.post(f"/api/matches/{match}/join", json={})

    def described():
        return tags_of(friend.get(f"/match/{match}").text)["og:description"]

    assert described() == "0 – 0, game 1 begins."
    for number, expected in ((1, "1 round"), (2, "2 rounds")):
        for person in (red, blue):
            command = {"type": "choose", "id": f"{number}", "game": 1, "round": number}
            command |= {"choice": "guard"}
            assert person.post(f"/api/matches/{match}/commands", json=command).status_code == 200
        assert described() == f"0 – 0 after {expected} of game 1."


def test_a_preview_shows_no_choice_that_is_hidden(browser_client):
    red, blue, friend = browser_client(), browser_client(), browser_client()
    match = challenge(red, "Mira")
    blue.post(f"/api/matches/{match}/join", json={})
    seen = []
    for choice in (None, "attack", "heal"):
        if choice is not None:
            command = {"type": "choose", "id": choice, "game": 1, "round": 1, "choice": choice}
            assert red.post(f"/api/matches/{match}/commands", json=command).status_code == 200
        seen.append(
            (
                friend.get(f"/match/{match}").text,
                friend.get(f"/api/matches/{match}/board.svg").content,
                friend.get(f"/api/matches/{match}/preview.png").content,
            )
        )
    assert seen[0] == seen[1] == seen[2]
    assert seen[0][2].startswith(b"\x89PNG")


@pytest.mark.parametrize("path", ["/match/nothing", "/explore/bagh?line=%22%3E%3Cscript%3E", "/"])
def test_an_address_without_anything_to_show_has_the_usual_preview(browser_client, path):
    page = browser_client().get(path).text
    assert tags_of(page)["og:title"] == "Holmgang"
    assert "<script>" not in page.replace('<script type="importmap">', "")


def test_a_position_is_shown(browser_client):
    visitor = browser_client()
    tags = tags_of(visitor.get("/explore/bagh?line=b/a,a/g&at=1").text)
    assert tags["og:title"] == "A position of BAGH"
    path = tags["og:image"].partition("/api/")[2]
    assert visitor.get(f"/api/{path}").headers["content-type"] == "image/png"


def test_a_host_that_is_no_name_is_not_repeated(browser_client):
    answer = browser_client().get("/", headers={"Host": 'localhost"><b>'})
    assert "<b>" not in answer.text


def test_pictures_that_have_to_be_drawn_are_counted(tmp_path, monkeypatch):
    """Also if the same one is asked for again after a refusal."""
    few = ALLOWANCES["preview"]._replace(address=Rate(1, 0.001))
    monkeypatch.setattr(limits, "ALLOWANCES", {**ALLOWANCES, "preview": few})
    with running_server(tmp_path) as server, server.program() as program:

        def status(line):
            asked = {"ruleset": "bagh:start_hp=9", "line": line}
            return program.get("/api/explore/preview.png", params=asked).status_code

        assert [status(line) for line in ("b/b", "g/g", "g/g", "b/b")] == [200, 429, 429, 200]
