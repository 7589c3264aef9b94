"""A record as a web page: complete, small, safe to open, and working in a browser without a net."""

import json
import random
import re
import shutil
from contextlib import contextmanager
from html.parser import HTMLParser
from itertools import count

import pytest
from jinja2.utils import htmlsafe_json_dumps
from tests.golden.pictures import transitions
from tests.terminal.shell import run

from holmgang.engine import record as records
from holmgang.engine.duel import Duel
from holmgang.engine.frames import UNFINISHED
from holmgang.engine.html_page import policy_of
from holmgang.engine.replay_page import replay_page, share_tags, sources
from holmgang.errors import ReplayError
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.contract import Scene
from holmgang.games.ruleset import load
from holmgang.games.svg import labelled

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
HOSTILE = "</script><img src=x onerror=alert(1)>\"'&\u202e"
SEED = 1


def played(name, rounds=1000, **options):
    """A duel of two players who choose at random, stopped after so many rounds."""
    duel, pick = Duel(name, seed=SEED, **options), random.Random(SEED)
    while not duel.is_over and len(duel.rounds) < rounds:
        for seat in duel.waiting_for:
            duel.choose(seat, pick.choice(duel.choices(seat)))
        duel.reveal()
    return duel


def record_of(duel, tmp_path, names=("Ann", "Bob")):
    path = tmp_path / "duel.jsonl"
    seats = {seat: {"name": name} for seat, name in zip(("red", "blue"), names, strict=True)}
    return records.read(records.save(duel, path, seats))


class Parts(HTMLParser):
    """What a page is made of."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes, self.text = [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, *each) for each in attrs]

    def handle_data(self, data):
        self.text.append(data)


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_round_is_in_the_page(name, tmp_path):
    duel = played(name)
    page = replay_page(record_of(duel, tmp_path))
    text = "\n".join(Parts(page).text)
    for revealed in duel.rounds:
        assert f"Round {revealed.number}\n" in text
        for line in revealed.story:
            assert line in text
    assert duel.ending() in text
    for said in ("Ann", "Bob", CATALOGUE[name].title, duel.ruleset.text):
        assert said in text
    found = re.search(r'<script type="application/json" id="frames">(.*?)</script>', page)
    pieces, frames = json.loads(found[1])
    assert len(frames) == len(duel.rounds) + 1
    first = "".join(pieces[each] for each in frames[0])
    assert first in page
    assert first.startswith("<svg")


@pytest.mark.parametrize("name", CATALOGUE)
def test_200_rounds_are_a_small_page(name, tmp_path):
    """Counted over as many games as have 200 rounds, for games of some rulesets are short."""
    pictures = []
    for seed in count():
        pictures += [
            labelled(
                load(name).picture(state, Scene(last, has_style=False)), caption=f"Round {number}"
            )
            for number, (state, last) in enumerate(transitions(name, seed))
        ]
        if len(pictures) >= 200:
            break
    shared = share_tags(pictures[:200])
    everything_else = len(replay_page(record_of(played(name, 1), tmp_path)))
    stored = htmlsafe_json_dumps(shared, separators=(",", ":"), ensure_ascii=False)
    assert len(stored) + everything_else < 600_000
    assert shared.picture(123) == pictures[123]


def test_names_and_words_of_strangers_are_only_text(tmp_path):
    duel = played("bagh", 3)
    plain = Parts(replay_page(record_of(duel, tmp_path)))
    (tmp_path / "duel.jsonl").unlink()
    hostile = record_of(duel, tmp_path, (HOSTILE, HOSTILE))
    hostile.header.update(started=HOSTILE, match={"game": HOSTILE})
    page = replay_page(hostile)
    assert Parts(page).tags == plain.tags
    assert "\u202e" not in page
    assert "<img" not in page


def test_the_page_loads_nothing(tmp_path):
    parts = Parts(replay_page(record_of(played("fencing"), tmp_path)))
    links = [
        value
        for _, name, value in parts.attributes
        if name in ("src", "href", "action") and not value.startswith(("#", "data:"))
    ]
    assert links == []
    assert not any(name == "style" or name.startswith("on") for _, name, _ in parts.attributes)
    assert ("meta", "content", policy_of(*sources())) in parts.attributes


def test_an_unfinished_record_says_so(tmp_path):
    assert UNFINISHED in replay_page(record_of(played("bagh", 2), tmp_path))


def test_a_forfeit_is_shown_on_the_last_board(tmp_path):
    duel = played("bagh", 2)
    duel.forfeit("blue")
    page = replay_page(record_of(duel, tmp_path))
    assert '\\u003eRed wins"' in page  # the caption: a tag with the text behind it is one piece
    assert duel.ending() in page


def test_a_record_that_cannot_have_happened_is_refused(tmp_path):
    record = record_of(played("bagh", 2), tmp_path)
    record.rounds[0]["state"] = "0" * 16
    with pytest.raises(ReplayError, match="round 1"):
        replay_page(record)


# The command


def test_the_command_writes_the_page(tmp_path):
    record = record_of(played("bagh"), tmp_path)
    target = tmp_path / "duel.html"
    done = run(tmp_path, "replay", record.name, "--html", str(target))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert target.read_text(encoding="utf-8") == replay_page(record)
    done = run(tmp_path, "replay", record.name, "--html", "-")
    assert done.stdout == replay_page(record)


@pytest.mark.parametrize("other", [["--verify"], ["--plain"], ["--round", "2"]])
def test_the_command_does_one_thing_at_a_time(tmp_path, other):
    record = record_of(played("bagh", 2), tmp_path)
    done = run(tmp_path, "replay", record.name, "--html", str(tmp_path / "x.html"), *other)
    assert done.returncode == 2
    assert "--html cannot be combined" in done.stderr
    assert not (tmp_path / "x.html").exists()


# In a browser


@contextmanager
def opened(page_file, **options):
    """The page in a browser without a network, and what the browser complains about."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as browsers:
        browser = browsers.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        context = browser.new_context(offline=True, **options)
        page, complaints = context.new_page(), []
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(page_file.as_uri())
        yield page, complaints
        browser.close()


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt install chromium")
def test_the_page_steps_through_the_duel(tmp_path):
    from playwright.sync_api import expect

    duel = played("bagh")
    last = len(duel.rounds)
    target = tmp_path / "duel.html"
    target.write_text(replay_page(record_of(duel, tmp_path)), encoding="utf-8")
    with opened(target, viewport={"width": 360, "height": 740}) as (page, complaints):

        def now():
            return page.evaluate(
                "[document.querySelector('#caption').textContent,"
                " document.querySelector('#number').textContent,"
                " [...document.querySelectorAll('#now p:not(.chosen)')].map((p) => p.textContent)]"
            )

        assert now() == ["Start", f"0 / {last}", []]
        page.evaluate("window.kept = document.querySelector('#red-fighter')")
        page.keyboard.press("ArrowRight")
        assert now() == ["Round 1", f"1 / {last}", duel.rounds[0].story]
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowLeft")  # there is nothing before the start
        assert now()[1] == f"0 / {last}"
        page.keyboard.press("End")
        assert now() == ["Red wins", f"{last} / {last}", [*duel.rounds[-1].story, duel.ending()]]
        assert page.evaluate("location.hash") == f"#{last}"
        page.keyboard.press("Home")
        page.get_by_role("button", name="Next round").click()
        assert now()[0] == "Round 1"
        page.get_by_role("link", name="Round 2", exact=True).click()
        expect(page.locator("#caption")).to_have_text("Round 2")
        page.get_by_role("button", name="Play").click()
        expect(page.locator("#caption")).to_have_text("Round 4")
        page.get_by_role("button", name="Pause").click()
        assert page.evaluate("kept.isConnected"), "boards are changed in place, to be animated"
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        assert complaints == []


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt install chromium")
def test_stepping_gives_the_same_board_as_drawing(tmp_path):
    """What is left in place while stepping is what the picture has, element by element."""
    target = tmp_path / "duel.html"
    target.write_text(replay_page(record_of(played("magic-duel"), tmp_path)), encoding="utf-8")
    with opened(target) as (page, complaints):
        different = page.evaluate(
            """() => {
              const wrong = [];
              for (const round of [...frames.keys(), ...[...frames.keys()].reverse()]) {
                show(round);
                const board = document.querySelector("#board svg");
                if (!board.isEqualNode(picture(round))) wrong.push(round);
              }
              return wrong;
            }"""
        )
        assert different == []
        assert complaints == []
