"""Matches found again in the folder of records, and continued."""

import json
import random
from contextlib import closing

import pytest
from tests.terminal.shell import run

from holmgang.engine.archive import read_match, recent_games, unfinished_match
from holmgang.engine.record import RecordWriter, read, replay
from holmgang.errors import HolmgangError, RecordError
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.ruleset import load
from holmgang.players.naming import parse_player
from holmgang.terminal.local import LocalSession
from holmgang.terminal.screen.home import match_text
from holmgang.terminal.setup import last_setup


def new_session(folder, game="bagh", blue="random", wins=1, seed=1):
    human, other = (parse_player(text, load(game)) for text in ("human", blue))
    return LocalSession(load(game), human, other, wins=wins, seed=seed, records=folder)


def play_rounds(session, rounds, choices):
    """Goes on by so many rounds, through as many games as that takes."""
    for _ in range(rounds):
        if not hasattr(session, "duel") or session.duel.is_over:
            if session.match.is_over:
                return
            session.next_game()
        if session.asked:
            session.choose(choices.choice([option.word for option in session.menu(session.asked)]))
        session.wait()
        session.reveal()


def tale(session):
    """All that happened, game by game."""
    return [
        [(one.number, one.red, one.blue, one.chance) for one in game.rounds]
        for game in session.match.games
    ]


@pytest.mark.parametrize("game", CATALOGUE)
@pytest.mark.parametrize("interrupted", [1, 2, 5])
def test_a_match_that_is_continued_is_the_match_without_a_break(game, interrupted, tmp_path):
    """Score, dice and the choices of a level included; interrupted as often as one likes."""
    one = new_session(tmp_path / "whole", game, wins=2)
    play_rounds(one, 40, random.Random(game))
    choices = random.Random(game)
    other = new_session(tmp_path / "broken", game, wins=2)
    for _ in range(0, 40, interrupted):
        play_rounds(other, interrupted, choices)
        other.leave()
        found = read_match(other.keeper.paths[-1])
        if found.match.is_over:
            break
        other = LocalSession.resume(found)
        if not found.duel.is_over:
            other.next_game()
    assert tale(other)[: len(tale(one))] == tale(one)[: len(tale(other))]
    assert len(tale(other)) >= 1
    one.leave()
    other.leave()
    for path in other.keeper.paths:
        assert replay(path).rounds


def test_only_what_can_be_continued_is_offered(tmp_path):
    session = new_session(tmp_path)
    session.next_game()
    assert recent_games(tmp_path) == []  # nothing was played yet
    play_rounds(session, 1, random.Random(1))
    [game] = recent_games(tmp_path)
    assert game.result() == "being played"
    assert unfinished_match([game]) is None
    session.leave()
    [game] = recent_games(tmp_path)
    assert game.result() == "unfinished"
    found = unfinished_match([game])
    assert match_text(found) == "bagh, you against random: round 2"
    again = LocalSession.resume(found)
    again.next_game()
    again.forfeit("red")
    [game] = recent_games(tmp_path)
    assert game.result() == "Blue wins"
    assert unfinished_match([game]) is None


def test_a_match_left_between_two_games_goes_on_with_the_next(tmp_path):
    session = new_session(tmp_path, wins=2, seed=7)
    session.next_game()
    session.forfeit("red")
    session.leave()
    found = unfinished_match(recent_games(tmp_path))
    assert match_text(found) == "bagh, you against random: 0 – 1, game 2, round 1"
    again = LocalSession.resume(found)
    again.next_game()
    assert again.score_line() == "Red 0 – 1 Blue, first to 2"
    straight = new_session(tmp_path / "other", wins=2, seed=7)
    straight.next_game()
    straight.forfeit("red")
    straight.next_game()
    assert again.duel.seed == straight.duel.seed
    again.forfeit("red")
    assert again.match.is_over
    assert [path.name[-8:] for path in again.keeper.paths] == ["-1.jsonl", "-2.jsonl"]
    straight.leave()


def test_a_match_that_another_process_plays_is_not_continued(tmp_path):
    session = new_session(tmp_path)
    play_rounds(session, 1, random.Random(1))
    with pytest.raises(RecordError, match="another process"):
        LocalSession.resume(read_match(session.keeper.paths[0]))
    session.leave()


def test_a_match_that_misses_a_game_is_not_continued(tmp_path):
    session = new_session(tmp_path, wins=3)
    for _ in range(2):
        session.next_game()
        session.forfeit("red")
    session.leave()
    session.keeper.paths[0].unlink()
    with pytest.raises(RecordError, match=r"-1\.jsonl, another game of the same match, is missing"):
        read_match(session.keeper.paths[1])
    assert unfinished_match(recent_games(tmp_path)) is None


@pytest.mark.parametrize(
    ("content", "names"),
    [
        ("nonsense\n", None),
        ("", None),
        ('{"holmgang":1,"ruleset":"bagh"}\n', None),
        (None, {"red": {"name": "egil"}, "blue": {"name": "human"}}),
        (None, {"red": 7, "blue": {"name": "human\x1b[2J"}}),
    ],
)
def test_what_is_strange_in_the_folder_is_passed_over(content, names, tmp_path):
    session = new_session(tmp_path)
    play_rounds(session, 1, random.Random(1))
    session.leave()
    strange = tmp_path / "strange-1.jsonl"
    if content is None:
        match = {"name": "strange", "game": 1, "wins_needed": 1}
        writer = RecordWriter(strange, seats=names, match=match)
        for event in session.duel.events:
            writer.on_event(session.duel, event)
        writer.close()
        with pytest.raises(HolmgangError):
            LocalSession.resume(read_match(strange))
    else:
        strange.write_text(content)
    games = recent_games(tmp_path)
    assert unfinished_match(games[-1:]).paths == session.keeper.paths
    assert last_setup(games, tmp_path).ruleset.text == "bagh"
    assert all("\x1b" not in name for game in games for name in game.names.values())


def test_without_a_folder_there_is_nothing(tmp_path):
    assert recent_games(tmp_path / "none") == []
    assert last_setup([], None) is None


# From the command line


def test_resume_goes_on_where_play_stopped(tmp_path):
    folder = str(tmp_path / "records")
    first = run(
        tmp_path,
        *("play", "bagh:start_hp=9", "--vs", "random", "--plain", "--seed", "1"),
        *("--records", folder),
        given="b\na\n",
    )
    assert "Continue: holmgang resume " in first.stdout
    second = run(tmp_path, "resume", "--records", folder, "--plain", given="g\n")
    assert second.returncode == 0
    assert "Game 1 goes on in round 3" in second.stdout
    [path] = (tmp_path / "records").glob("*.jsonl")
    assert [line["red"] for line in read(path).rounds] == ["boost", "attack", "guard"]
    third = run(tmp_path, "resume", str(path), "--plain", given="quit\n")
    assert "Game 1 goes on in round 4" in third.stdout


def test_a_newer_match_with_a_bot_is_passed_over(tmp_path):
    session = new_session(tmp_path)
    play_rounds(session, 2, random.Random(1))
    session.leave()
    newer = tmp_path / "newer-1.jsonl"
    seats = {"red": {"name": "human"}, "blue": {"name": "egil", "player": "python3 bot.py"}}
    match = {"name": "newer", "game": 1, "wins_needed": 1}
    with closing(RecordWriter(newer, seats=seats, match=match)) as writer:
        for event in session.duel.events:
            writer.on_event(session.duel, event)
    assert unfinished_match(recent_games(tmp_path)).paths == [newer]
    done = run(tmp_path, "resume", "--records", str(tmp_path), "--plain", given="quit\n")
    assert done.returncode == 0
    assert f"holmgang resume {session.keeper.paths[0]}" in done.stdout


def test_nothing_to_resume_is_one_line_and_exit_code_2(tmp_path):
    done = run(tmp_path, "resume", "--plain")
    assert done.returncode == 2
    assert done.stdout == ""
    assert "there is no match to resume in " in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_match_that_is_over_is_not_resumed(tmp_path):
    session = new_session(tmp_path)
    session.next_game()
    session.forfeit("red")
    done = run(tmp_path, "resume", str(session.keeper.paths[0]))
    assert done.returncode == 2
    assert "is over; holmgang replay shows its games" in done.stderr


@pytest.mark.parametrize("name", ["../elsewhere", "/elsewhere", "x" * 5000, "a\0b", "", "\ud800"])
def test_a_record_does_not_say_which_other_files_to_write(name, tmp_path):
    """The name of a match is part of a file's name, and nothing else."""
    session = new_session(tmp_path / "records", wins=2)
    play_rounds(session, 2, random.Random(1))
    session.leave()
    [path] = session.keeper.paths
    header, *rounds = path.read_text().splitlines()
    header = json.loads(header)
    header["match"]["name"] = name
    lines = "\n".join([json.dumps(header), *rounds, ""])
    path.write_text(lines)
    (tmp_path / "elsewhere-1.jsonl").write_text(lines)
    with pytest.raises(RecordError, match="does not say which match it belongs to"):
        read_match(path)
    assert unfinished_match(recent_games(path.parent)) is None


def test_a_record_that_has_gone_on_elsewhere_is_not_continued_from_before(tmp_path):
    """As where a match was shown in a menu, and was then continued in another terminal."""
    session = new_session(tmp_path, wins=2)
    play_rounds(session, 2, random.Random(1))
    session.leave()
    shown, chosen = (read_match(session.keeper.paths[0]) for _ in range(2))
    other = LocalSession.resume(chosen)
    play_rounds(other, 1, random.Random(2))
    other.leave()
    with pytest.raises(RecordError, match="was continued by another process meanwhile"):
        LocalSession.resume(shown)
    assert len(replay(session.keeper.paths[0]).rounds) == 3


@pytest.mark.parametrize("year", ["0001", "9999"])
def test_no_date_is_too_far_off_to_be_listed(year, tmp_path):
    session = new_session(tmp_path)
    play_rounds(session, 2, random.Random(1))
    session.leave()
    [path] = session.keeper.paths
    header, *rounds = path.read_text().splitlines()
    started = f"{year}-{'01-01' if year == '0001' else '12-31'}T00:00:00"
    for offset in ("+23:59", "-23:59"):
        header = json.dumps({**json.loads(header), "started": f"{started}{offset}"})
        path.write_text("\n".join([header, *rounds, ""]))
        [game] = recent_games(tmp_path)
        assert game.started is None or game.started.year in (1, 9999)


def test_a_link_to_nowhere_hides_no_other_record(tmp_path):
    session = new_session(tmp_path)
    play_rounds(session, 2, random.Random(1))
    session.leave()
    (tmp_path / "gone.jsonl").symlink_to(tmp_path / "nowhere")
    assert [game.path for game in recent_games(tmp_path)] == session.keeper.paths
