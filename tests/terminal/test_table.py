"""The table: whose turn it is, and what may be said of a choice before the reveal."""

import pytest
from tests.arena.stage import bot, mark, needs_bubblewrap, processes_with

from holmgang.engine.record import read
from holmgang.errors import ChoiceError, DuelError, UsageError
from holmgang.games.ruleset import load
from holmgang.players.naming import HUMAN, parse_player
from holmgang.terminal.saved import read_match
from holmgang.terminal.setup import Setup
from holmgang.terminal.table import Stage, Table


@pytest.fixture
def seated(tmp_path):
    tables = []

    def seat(game, red="human", blue="human", **more):
        players = [parse_player(text, load(game)) for text in (red, blue)]
        table = Table(load(game), *players, seed=1, records=tmp_path, **more)
        table.next_game()
        tables.append(table)
        return table

    yield seat
    for table in tables:
        table.leave()


def test_two_at_one_keyboard(seated):
    table = seated("bagh")
    assert (table.stage, table.asked, table.is_hidden) == (Stage.CHOOSE, "red", True)
    table.choose("a")
    assert (table.stage, table.asked) == (Stage.PASS, "blue")
    with pytest.raises(DuelError, match="Nobody is asked"):
        table.choose("g")
    table.take_keyboard()
    assert (table.stage, table.asked) == (Stage.CHOOSE, "blue")
    table.choose("heal")
    assert table.stage is Stage.REVEAL
    assert table.reveal().red == "attack"
    assert (table.stage, table.asked) == (Stage.CHOOSE, "red")


def test_undo_goes_back_choice_by_choice(seated):
    table = seated("bagh")
    with pytest.raises(DuelError, match="no choice to take back"):
        table.undo()
    table.choose("a")
    table.take_keyboard()
    table.choose("b")
    assert table.undo() == "blue"
    assert (table.stage, table.asked) == (Stage.CHOOSE, "blue")
    assert table.undo() == "red"
    assert (table.stage, table.asked) == (Stage.CHOOSE, "red")
    table.choose("h")
    table.take_keyboard()
    table.choose("b")
    assert table.reveal().red == "heal"
    with pytest.raises(DuelError):
        table.undo()


def test_a_level_chooses_by_itself_and_is_waited_for(seated):
    table = seated("bagh", blue="random")
    assert (table.stage, table.asked, table.is_hidden) == (Stage.CHOOSE, "red", False)
    table.choose("a")
    assert (table.stage, table.thinking) == (Stage.THINK, ["blue"])
    assert table.undo() == "red"
    table.choose("a")
    table.think_all()
    assert table.stage is Stage.REVEAL


def test_alternating_moves_need_no_hiding(seated):
    table = seated("magic-duel")
    assert not table.is_hidden
    table.choose("m")
    assert table.stage is Stage.REVEAL


def test_a_reaction_needs_no_hiding(seated):
    table = seated("defend-the-city")
    assert table.is_hidden
    table.choose("24")
    table.take_keyboard()
    table.choose("50")
    table.reveal()
    assert (table.is_hidden, table.asked) == (False, "red")
    assert [option.word for option in table.menu("red")] == ["keep", "forfeit"]


@pytest.mark.parametrize("typed", ["", "secret", "3/3", "99"])
def test_a_refusal_does_not_repeat_what_was_typed(typed, seated):
    table = seated("bagh")
    with pytest.raises(ChoiceError) as refused:
        table.choose(typed)
    assert not typed or typed not in str(refused.value)
    assert "boost, attack, guard or heal" in str(refused.value)
    assert table.asked == "red"


def test_what_is_a_choice_elsewhere_is_refused_here(seated):
    table = seated("defend-the-city")
    with pytest.raises(ChoiceError, match="may not be chosen here"):
        table.choose("keep")


def test_a_wrong_word_never_loses_the_choice_of_the_other(seated):
    table = seated("bagh")
    table.choose("a")
    table.take_keyboard()
    for typed in ("x", "", "attac k", "3/2"):
        with pytest.raises(ChoiceError):
            table.choose(typed)
    table.choose("b")
    assert table.reveal().red == "attack"


def test_a_match_goes_on_until_it_is_won(seated):
    table = seated("bagh", wins=2)
    table.forfeit("red")
    assert (table.stage, table.score_line()) == (Stage.GAME_OVER, "Red 0 – 1 Blue, first to 2")
    table.next_game()
    table.forfeit("red")
    assert table.stage is Stage.MATCH_OVER
    assert table.result_line() == "Blue wins the match 2 – 0."


def test_a_drawn_game_ends_a_match_of_one_game(seated):
    table = seated("fencing", wins=1)
    table.offer_draw("red")
    table.answer_draw("blue", accepts=True)
    assert (table.stage, table.result_line()) == (Stage.MATCH_OVER, "The game is drawn.")


def test_a_draw_is_asked_of_a_person_and_declined_by_a_level(seated):
    table = seated("bagh", blue="random")
    assert table.offer_draw("red") is None
    assert not table.duel.is_over
    table = seated("bagh")
    assert table.offer_draw("red") == "blue"
    table.answer_draw("blue", accepts=False)
    assert not table.duel.is_over
    table.offer_draw("red")
    table.answer_draw("blue", accepts=True)
    assert table.duel.outcome.reason == "agreement"


def test_who_leaves_has_not_lost_the_match(seated):
    table = seated("bagh", wins=3)
    table.forfeit("red")
    table.next_game()
    table.leave()
    table.leave()
    assert table.result_line() == "The match was left at 0 – 1."
    assert len(table.keeper.paths) == 2
    assert table.record_lines()[-2:] == [
        f"Watch: holmgang replay {table.keeper.paths[-1]}",
        f"Go on: holmgang resume {table.keeper.paths[-1]}",
    ]


def test_of_many_records_only_some_are_listed(seated):
    table = seated("bagh", wins=9)
    for _ in range(8):
        table.forfeit("red")
        table.next_game()
    lines = table.record_lines()
    assert [line.strip() for line in lines].count("…") == 1
    assert len(lines) == 7


def test_a_table_needs_a_game_and_two_players():
    with pytest.raises(UsageError, match="no game given; the games are bagh, "):
        Setup(None, HUMAN, HUMAN).table()
    with pytest.raises(UsageError, match="no opponent given; use --vs with one of human, random"):
        Setup(load("bagh")).table()
    with pytest.raises(UsageError, match="unknown player 'robot'; name a level \\(random, greedy"):
        Setup(load("bagh"), HUMAN, "robot").table()


# Bots


def against_bot(seated, *arguments, game="bagh:start_hp=2", **more):
    return seated(game, blue=f"rival={bot('player', *arguments)}", **more)


@needs_bubblewrap
def test_a_bot_plays_all_games_of_a_match_and_is_ended(seated):
    word = mark()
    table = against_bot(seated, word, wins=2)
    assert table.title("blue") == "Blue (rival)"
    while True:
        while not table.duel.is_over:
            table.think_all()
            table.choose("a")
            table.reveal()
        if table.match.is_over:
            break
        table.next_game()
    assert len(table.match.games) >= 2
    assert processes_with(word)
    table.leave()
    assert processes_with(word) == []
    header = read(table.keeper.paths[0]).header
    assert header["seats"]["blue"]["name"] == "rival"


@needs_bubblewrap
@pytest.mark.parametrize(
    ("habit", "reason"), [("quit", "crash"), ("illegal", "invalid"), ("forfeit", "forfeit")]
)
def test_a_bot_that_fails_loses_the_game(seated, habit, reason):
    table = against_bot(seated, habit, game="bagh:start_hp=50")
    while not table.duel.is_over:
        table.think_all()
        if table.asked is not None and not table.duel.is_over:
            table.choose("g")
            table.reveal()
    assert (table.duel.outcome.winner, table.duel.outcome.reason) == ("red", reason)


@needs_bubblewrap
def test_a_bot_that_does_not_start_is_refused_before_the_match(tmp_path):
    human, other = (parse_player(text, load("bagh")) for text in ("human", "false"))
    table = Table(load("bagh"), human, other, records=tmp_path)
    with pytest.raises(UsageError, match="the bot false did not start"):
        table.get_ready()
    table.leave()


@needs_bubblewrap
def test_a_match_with_a_bot_is_not_continued_from_its_record(seated):
    table = against_bot(seated)
    table.think_all()
    table.choose("a")
    table.reveal()
    table.leave()
    with pytest.raises(UsageError, match="its record could name any program"):
        Table.resume(read_match(table.keeper.paths[0]))
