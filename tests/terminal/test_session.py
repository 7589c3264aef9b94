"""The session: whose turn it is, and what may be said of a choice before the reveal."""

import pytest
from tests.arena.stage import bot, mark, needs_bubblewrap, processes_with

from holmgang.engine.archive import read_match
from holmgang.engine.record import read
from holmgang.errors import ChoiceError, DuelError, UsageError
from holmgang.games.ruleset import load
from holmgang.players.naming import HUMAN, parse_player
from holmgang.terminal.local import LocalSession, can_resume
from holmgang.terminal.session import Notice, Stage
from holmgang.terminal.setup import Setup


@pytest.fixture
def seated(tmp_path):
    sessions = []

    def seat(game, red="human", blue="human", **more):
        players = [parse_player(text, load(game)) for text in (red, blue)]
        session = LocalSession(load(game), *players, seed=1, records=tmp_path, **more)
        session.next_game()
        sessions.append(session)
        return session

    yield seat
    for session in sessions:
        session.leave()


def test_two_at_one_keyboard(seated):
    session = seated("bagh")
    assert (session.stage, session.asked, session.is_hidden) == (Stage.CHOOSE, "red", True)
    session.choose("a")
    assert (session.stage, session.asked) == (Stage.PASS, "blue")
    with pytest.raises(DuelError, match="Nobody is asked"):
        session.choose("g")
    session.take_keyboard()
    assert (session.stage, session.asked) == (Stage.CHOOSE, "blue")
    session.choose("heal")
    assert session.stage is Stage.REVEAL
    assert session.reveal().red == "attack"
    assert (session.stage, session.asked) == (Stage.CHOOSE, "red")


def test_undo_goes_back_choice_by_choice(seated):
    session = seated("bagh")
    with pytest.raises(DuelError, match="no choice to take back"):
        session.undo()
    session.choose("a")
    session.take_keyboard()
    session.choose("b")
    assert session.undo() == "blue"
    assert (session.stage, session.asked) == (Stage.CHOOSE, "blue")
    assert session.undo() == "red"
    assert (session.stage, session.asked) == (Stage.CHOOSE, "red")
    session.choose("h")
    session.take_keyboard()
    session.choose("b")
    assert session.reveal().red == "heal"
    with pytest.raises(DuelError):
        session.undo()


def test_a_level_chooses_by_itself_and_is_waited_for(seated):
    session = seated("bagh", blue="random")
    assert (session.stage, session.asked, session.is_hidden) == (Stage.CHOOSE, "red", False)
    session.choose("a")
    assert (session.stage, session.thinking) == (Stage.WAIT, ["blue"])
    assert session.undo() == "red"
    session.choose("a")
    session.wait()
    assert session.stage is Stage.REVEAL


def test_alternating_moves_need_no_hiding(seated):
    session = seated("magic-duel")
    assert not session.is_hidden
    session.choose("m")
    assert session.stage is Stage.REVEAL


def test_a_reaction_needs_no_hiding(seated):
    session = seated("defend-the-city")
    assert session.is_hidden
    session.choose("24")
    session.take_keyboard()
    session.choose("50")
    session.reveal()
    assert (session.is_hidden, session.asked) == (False, "red")
    assert [option.word for option in session.menu("red")] == ["keep", "forfeit"]


@pytest.mark.parametrize("typed", ["", "secret", "3/3", "99"])
def test_a_refusal_does_not_repeat_what_was_typed(typed, seated):
    session = seated("bagh")
    with pytest.raises(ChoiceError) as refused:
        session.choose(typed)
    assert not typed or typed not in str(refused.value)
    assert "boost, attack, guard or heal" in str(refused.value)
    assert session.asked == "red"


def test_what_is_a_choice_elsewhere_is_refused_here(seated):
    session = seated("defend-the-city")
    with pytest.raises(ChoiceError, match="may not be chosen here"):
        session.choose("keep")


def test_a_wrong_word_never_loses_the_choice_of_the_other(seated):
    session = seated("bagh")
    session.choose("a")
    session.take_keyboard()
    for typed in ("x", "", "attac k", "3/2"):
        with pytest.raises(ChoiceError):
            session.choose(typed)
    session.choose("b")
    assert session.reveal().red == "attack"


def test_a_match_goes_on_until_it_is_won(seated):
    session = seated("bagh", wins=2)
    session.forfeit("red")
    assert (session.stage, session.score_line()) == (Stage.GAME_OVER, "Red 0 – 1 Blue, first to 2")
    session.next_game()
    session.forfeit("red")
    assert session.stage is Stage.MATCH_OVER
    assert session.result_line() == "Blue wins the match 2 – 0."


def test_a_drawn_game_ends_a_match_of_one_game(seated):
    session = seated("fencing", wins=1)
    session.offer_draw("red")
    session.answer_draw("blue", accepts=True)
    assert (session.stage, session.result_line()) == (Stage.MATCH_OVER, "The game is drawn.")


def test_a_draw_is_asked_of_a_person_and_declined_by_a_level(seated):
    session = seated("bagh", blue="random")
    assert session.offer_draw("red") is None
    assert not session.duel.is_over
    session = seated("bagh")
    assert session.offer_draw("red") == "blue"
    session.answer_draw("blue", accepts=False)
    assert not session.duel.is_over
    session.offer_draw("red")
    session.answer_draw("blue", accepts=True)
    assert session.duel.outcome.reason == "agreement"


def test_who_leaves_has_not_lost_the_match(seated):
    session = seated("bagh", wins=3)
    session.forfeit("red")
    session.next_game()
    session.leave()
    session.leave()
    assert session.result_line() == "The match was left at 0 – 1."
    assert len(session.keeper.paths) == 2
    assert session.record_lines()[-2:] == [
        f"Watch:    holmgang replay {session.keeper.paths[-1]}",
        f"Continue: holmgang resume {session.keeper.paths[-1]}",
    ]


def test_of_many_records_only_some_are_listed(seated):
    session = seated("bagh", wins=9)
    for _ in range(8):
        session.forfeit("red")
        session.next_game()
    lines = session.record_lines()
    assert [line.strip() for line in lines].count("…") == 1
    assert len(lines) == 7


def test_a_table_needs_a_game_and_two_players():
    with pytest.raises(UsageError, match="no game given; the games are bagh, "):
        Setup(None, HUMAN, HUMAN).session()
    with pytest.raises(UsageError, match="no opponent given; use --vs with one of human, beginner"):
        Setup(load("bagh")).session()
    with pytest.raises(UsageError, match="unknown player 'robot'; name a level \\(beginner, easy"):
        Setup(load("bagh"), HUMAN, "robot").session()


# Bots


def against_bot(seated, *arguments, game="bagh:start_hp=2", **more):
    return seated(game, blue=f"rival={bot('player', *arguments)}", **more)


@needs_bubblewrap
def test_a_bot_plays_all_games_of_a_match_and_is_ended(seated):
    word = mark()
    session = against_bot(seated, word, wins=2)
    assert session.title("blue") == "Blue (rival)"
    while True:
        while not session.duel.is_over:
            session.wait()
            session.choose("a")
            session.reveal()
        if session.match.is_over:
            break
        session.next_game()
    assert len(session.match.games) >= 2
    assert processes_with(word)
    session.leave()
    assert processes_with(word) == []
    header = read(session.keeper.paths[0]).header
    assert header["seats"]["blue"]["name"] == "rival"


@needs_bubblewrap
@pytest.mark.parametrize(
    ("habit", "reason"), [("quit", "crash"), ("illegal", "invalid"), ("forfeit", "forfeit")]
)
def test_a_bot_that_fails_loses_the_game(seated, habit, reason):
    session = against_bot(seated, habit, game="bagh:start_hp=50")
    while not session.duel.is_over:
        session.wait()
        if session.asked is not None and not session.duel.is_over:
            session.choose("g")
            session.reveal()
    assert (session.duel.outcome.winner, session.duel.outcome.reason) == ("red", reason)
    [failure] = [news.text for news in session.advance() if isinstance(news, Notice)]
    assert failure.startswith("Blue (rival): ")


@needs_bubblewrap
def test_a_bot_that_does_not_start_is_refused_before_the_match(tmp_path):
    human, other = (parse_player(text, load("bagh")) for text in ("human", "false"))
    session = LocalSession(load("bagh"), human, other, records=tmp_path)
    with pytest.raises(UsageError, match="the bot false did not start"):
        session.get_ready()
    session.leave()


@needs_bubblewrap
def test_a_match_with_a_bot_is_not_continued_from_its_record(seated):
    session = against_bot(seated)
    session.wait()
    session.choose("a")
    session.reveal()
    session.leave()
    assert not any("holmgang resume" in line for line in session.farewell())
    saved = read_match(session.keeper.paths[0])
    assert not can_resume(saved)
    with pytest.raises(UsageError, match="its record could name any program"):
        LocalSession.resume(saved)


SPY = """
import json, pathlib, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "hello":
        print(json.dumps({"name": "spy", "author": "tests", "protocol": 1}), flush=True)
    elif asked["type"] == "choose":
        found = list(pathlib.Path("records").glob("*"))
        word = "heal" if found else "guard"
        print(json.dumps({"id": asked["id"], "choice": word}), flush=True)
"""


@needs_bubblewrap
def test_a_bot_cannot_read_the_seed_in_the_records_of_its_match(tmp_path):
    folder = tmp_path / "spy"
    folder.mkdir()
    (folder / "bot.py").write_text(SPY)
    (folder / "bot.toml").write_text('command = "python3 bot.py"\n')
    human, spy = (parse_player(text, load("bagh")) for text in ("human", str(folder)))
    session = LocalSession(load("bagh"), human, spy, seed=1, records=folder / "records")
    session.get_ready()
    session.next_game()
    assert list((folder / "records").iterdir())
    session.wait()
    session.choose("a")
    assert session.reveal().blue == "guard"
    session.leave()
