import pytest

from holmgang.engine.keys import game_seed
from holmgang.engine.match import Match
from holmgang.errors import DuelError, RulesetError
from holmgang.games.catalogue import CATALOGUE


def play(match: Match, *results: str) -> Match:
    for result in results:
        game = match.next_game()
        if result == "draw":
            game.offer_draw("red")
            game.offer_draw("blue")
        elif result == "abandon":
            game.abandon()
        else:
            game.forfeit("blue" if result == "red" else "red")
    return match


@pytest.mark.parametrize(
    ("name", "wins"),
    [
        ("bagh", 3),
        ("bagh-advantage", 1),
        ("fencing", 1),
        ("fencing-codingame", 1),
        ("defend-the-city", 1),
        ("defend-the-city-duel", 1),
        ("magic-duel", 1),
    ],
)
def test_first_to_so_many_games(name, wins):
    match = Match(name, seed=1)
    assert match.wins_needed == wins
    play(match, *["red"] * (wins - 1))
    assert (match.is_over, match.winner) == (False, None)
    play(match, "red")
    assert (match.is_over, match.winner) == (True, "red")


def test_every_game_is_in_the_table():
    assert len(CATALOGUE) == 7


@pytest.mark.parametrize(
    ("results", "score", "draws", "winner"),
    [
        ("red red red", (3, 0), 0, "red"),
        ("red blue red blue blue", (2, 3), 0, "blue"),
        ("draw red draw draw red red", (3, 0), 3, "red"),
    ],
)
def test_a_draw_counts_for_nobody_and_another_is_played(results, score, draws, winner):
    match = play(Match("bagh", seed=1), *results.split())
    assert (tuple(match.score.values()), match.draws) == (score, draws)
    assert (match.is_over, match.winner) == (True, winner)


def test_a_match_of_draws_ends_after_100_games():
    match = play(Match("bagh", seed=1), *["draw"] * 99)
    assert not match.is_over
    play(match, "draw")
    assert (match.is_over, match.winner) == (True, None)


@pytest.mark.parametrize("name", CATALOGUE)
@pytest.mark.parametrize(("result", "winner"), [("draw", None), ("red", "red"), ("blue", "blue")])
def test_a_match_of_one_game_ends_with_that_game_drawn_or_not(name, result, winner):
    match = play(Match(name, seed=1, wins_needed=1), result)
    assert (match.is_over, match.winner, match.draws) == (True, winner, int(winner is None))


def test_an_abandoned_game_ends_the_match():
    match = play(Match("bagh", seed=1), "red", "abandon")
    assert match.is_over
    assert match.score == {"red": 1, "blue": 0}


def test_no_game_after_the_last_and_none_during_another():
    match = Match("bagh", seed=1, wins_needed=1)
    match.next_game()
    with pytest.raises(DuelError, match="game 1 is not over yet"):
        match.next_game()
    match.games[0].forfeit("red")
    with pytest.raises(DuelError, match="the match is over"):
        match.next_game()
    assert len(match.games) == 1


def test_every_game_starts_afresh_with_chance_of_its_own():
    match = Match("bagh", seed=9)
    first = match.next_game()
    first.choose("red", "boost")
    first.choose("blue", "boost")
    first.reveal()
    first.forfeit("red")
    second = match.next_game()
    assert second.state == second.start == first.start
    assert [first.seed, second.seed] == [game_seed(9, 1), game_seed(9, 2)]
    assert Match("bagh", seed=9).next_game().seed == first.seed


def test_a_follower_is_told_of_every_game():
    followed = []

    class Follower:
        def on_event(self, duel, event):
            followed.append(duel)

    match = Match("bagh", seed=1, wins_needed=2)
    while not match.is_over:
        match.next_game(Follower()).forfeit("blue")
    assert list(dict.fromkeys(followed)) == match.games


@pytest.mark.parametrize("options", [{"wins_needed": 0}, {"seed": -1}, {"seed": 2**64}])
def test_what_cannot_be_a_match(options):
    with pytest.raises(DuelError):
        Match("bagh", **{"seed": 1, **options})


def test_a_match_of_no_game():
    with pytest.raises(RulesetError):
        Match("chess", seed=1)
