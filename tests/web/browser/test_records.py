"""Records: one downloaded that verifies, one uploaded, and the replay page of one file."""

import pytest
from playwright.sync_api import expect
from tests import forked
from tests.patience import PATIENCE


def holmgang(*arguments):
    return forked.run(
        [*map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


@pytest.fixture
def finished(pair):
    """The page of a match of two rounds that is over."""
    red, blue = pair("bagh:start_hp=2", wins_needed=1)
    for number, theirs in ((1, "boost"), (2, "heal")):
        red.choose("attack")
        blue.choose(theirs)
        red.expect_round(number)
    red.expect_over("You win")
    return red


def test_a_downloaded_record_verifies(finished, tmp_path):
    with finished.page.expect_download() as download:
        finished.find("[data-record]").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    verified = holmgang("replay", "--verify", file)
    assert verified.returncode == 0, verified.stderr
    assert "2 rounds" in verified.stdout
    changed = tmp_path / "changed.jsonl"
    changed.write_text(file.read_text().replace('"heal"', '"guard"'))
    assert holmgang("replay", "--verify", changed).returncode != 0


def test_a_record_made_elsewhere_is_uploaded_and_stepped_through(newcomer, tmp_path):
    played = holmgang(
        *("play", "bagh", "--red", "random", "--vs", "random", "--wins", 1, "--seed", 7),
        *("--plain", "--records", tmp_path),
    )
    assert played.returncode == 0, played.stderr
    (record,) = tmp_path.glob("**/*.jsonl")
    rounds = sum('"round"' in line for line in record.read_text().splitlines())
    visitor = newcomer()
    visitor.go("/upload")
    visitor.page.locator("[data-file]").set_input_files(record)
    page = visitor.page
    expect(page.locator("[data-over]")).to_be_visible()
    expect(page.locator("[data-story] [data-round]")).to_have_count(rounds)
    where, board = page.locator("[data-steps] .where"), page.locator(".frame desc")
    end = str(board.text_content())
    page.get_by_label("Start of the game").click()
    expect(where).to_have_text("Start")
    expect(board).not_to_have_text(end)
    for number in range(1, rounds + 1):
        page.keyboard.press("ArrowRight")
        expect(where).to_have_text(f"Round {number} of {rounds}")
    expect(board).to_have_text(end)


def test_what_is_no_record_is_refused_in_words(newcomer):
    visitor = newcomer()
    visitor.excuse("422")
    visitor.go("/upload")
    visitor.page.get_by_label("Or paste it").fill("this is no record")
    visitor.page.get_by_role("button", name="Watch it").click()
    expect(visitor.page.locator("[data-problem]")).to_be_visible()
    assert visitor.page.url.endswith("/upload")


def test_the_replay_page_works_from_a_file_without_a_network(finished, newcomer, tmp_path):
    address = finished.find("[data-replay-page]").get_attribute("href")
    answer = finished.visitor.context.request.get(f"{finished.visitor.site.address}{address}")
    file = tmp_path / "replay.html"
    file.write_bytes(answer.body())
    visitor = newcomer(offline=True)
    visitor.page.goto(file.as_uri())
    requested = list(visitor.requested)
    assert requested == [file.as_uri()]
    page = visitor.page
    expect(page.locator("svg").first).to_be_visible()
    before = page.locator("svg desc").first.text_content()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    after = page.locator("svg desc").first.text_content()
    assert before != after
    assert visitor.requested == requested
