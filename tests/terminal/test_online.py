"""Matches on a real server, from the terminal: in lines, in sessions, and through its failures."""

import json
import os
import re
import socket
import stat
import threading
from contextlib import suppress

import pytest
from tests.terminal.serving import Server, choose, play_until, wish
from tests.terminal.shell import CTRL_C, Terminal, run, start

from holmgang.cli.play import play
from holmgang.engine.record import parse, replay
from holmgang.engine.seal import check_seal
from holmgang.errors import DuelError, HolmgangError, ServerRefusal, UsageError
from holmgang.terminal.online.address import parse_address, parse_match
from holmgang.terminal.online.client import Client
from holmgang.terminal.online.identity import Identity, guest_identity
from holmgang.terminal.online.listing import line_text, progress_text
from holmgang.terminal.online.play import make_wish
from holmgang.terminal.session import GameBegan, GameEnded, Notice, RematchBegins, Stage
from holmgang.wire.lists import Credentials, Me, OwnMatchLine
from holmgang.wire.reading import convert


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    running = Server(tmp_path_factory.mktemp("server"))
    yield running
    running.close()


@pytest.fixture
def own_server(tmp_path):
    """A server that a test may kill."""
    running = Server(tmp_path)
    yield running
    running.close()


@pytest.fixture
def two(server):
    """Two guests in a match of one game of BAGH, red first."""
    with server.client() as red, server.client() as blue:
        sessions = [red.open(wish(seat="red", wins=1))]
        sessions.append(blue.join(sessions[0].match))
        play_until(sessions[0], lambda: sessions[0].stage is Stage.CHOOSE)
        yield sessions
        for session in sessions:
            session.leave()


def texts(news):
    return [happened.text for happened in news if isinstance(happened, Notice)]


# As a process, in lines


@pytest.mark.parametrize(
    ("game", "choice", "told"),
    [
        ("bagh", "attack", "Red: attack  Blue: "),
        ("fencing", "walk", "Red: walk  Blue: "),
        ("defend-the-city", "35", "Red: 3/5  Blue: "),  # which cannot be hit
        ("magic-duel", "heal 7", "Red: heal 7"),
    ],
)
def test_every_game_is_played_on_a_server(game, choice, told, server, tmp_path):
    args = ("play", game, "--server", server.url, "--vs", "random", "--seat", "red", "--plain")
    done = run(tmp_path, *args, given=f"? {choice}\n{choice}\n/forfeit\nyes\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"Round 1  {told}" in done.stdout
    assert "Red forfeits; Blue wins." in done.stdout
    assert ("Blue (random) wins the match" in done.stdout) == (game == "bagh")  # of several games
    told = done.stdout.replace("\n", " ")
    assert "is verified: the dice were fixed before the first round." in told


def test_a_match_of_several_games_is_told_to_its_end(server, tmp_path):
    args = (
        "play",
        "bagh",
        "--server",
        server.url,
        "--vs",
        "random",
        "--seat",
        "red",
        "--wins",
        "2",
    )
    done = run(tmp_path, *args, given="attack\n" * 300)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Game 2" in done.stdout
    assert re.search(r"\((you|random)\) wins the match 2 – [01]\.", done.stdout)
    for number in (1, 2):
        game = done.stdout.split(f"Game {number}\n")[1].split("Match: ")[0]
        shown = [int(found) for found in re.findall(r"^Round (\d+)  Red: ", game, re.MULTILINE)]
        assert shown == list(range(1, len(shown) + 1))
        assert len(shown) > 1


def test_two_terminals_play_each_other(server, tmp_path):
    with Terminal(
        tmp_path / "a",
        *("play", "bagh", "--server", server.url, "--vs", "link", "--seat", "red", "--wins", "1"),
        "--plain",
    ) as red:
        red.expect("Link for your opponent: ")
        red.expect("Waiting for an opponent> ")
        [link] = re.findall(r"opponent: (\S+)", red.text)
        with Terminal(tmp_path / "b", "play", "--join", link, "--plain") as blue:
            blue.expect("Blue> ")
            red.expect("Blue is guest")
            red.expect("Red> ")
            red.send("attack\n")
            red.expect("You chose attack. Waiting for Blue (guest")
            blue.expect("has chosen.")
            assert "attack" not in blue.text.split("has chosen.")[1]
            red.send("guard\n")  # changes it
            red.expect("You chose guard. Waiting for Blue (guest")
            blue.send("heal\n")
            for here in (red, blue):
                here.expect("Round 1  Red: guard  Blue: heal")
            end = red.expect("Red> ", after=red.expect("Round 2"))
            red.send("draw\n")
            blue.expect("offers a draw: type draw to accept, decline to refuse.")
            blue.send("decline\n")
            red.expect("declines the draw.", after=end)
            blue.expect("Blue> ", after=blue.expect("You have declined the draw."))
            blue.send("forfeit\n")
            blue.expect("Blue: give up the match? (yes or no) ")
            blue.send("yes\n")
            for here in (red, blue):
                here.expect("Blue forfeits; Red wins.")
                here.expect("rematch: offer it; you change seats; Enter leaves> ")
            red.send("rematch\n")
            blue.expect("offers a rematch.")
            blue.expect("accept it; you change seats; Enter leaves> ")
            blue.send("rematch\n")
            blue.expect("Red> ", after=blue.expect("The rematch begins."))
            red.expect("Blue> ", after=red.expect("The rematch begins."))
            red.send(CTRL_C)
            blue.send("quit\n")
            assert (red.finish(), blue.finish()) == (130, 0)
            assert "Continue: holmgang play --join http://127.0.0.1" in blue.text
            assert "Traceback" not in red.text + blue.text
            assert red.is_restored


def test_an_interrupted_match_goes_on_with_the_same_command(server, tmp_path):
    args = ("play", "bagh", "--server", server.url, "--vs", "random", "--seat", "red")
    done = run(tmp_path, *args, given="guard\n")
    [again] = re.findall(r"Continue: holmgang (.*)", done.stdout)
    assert "The score of the match is 0 – 0." in done.stdout
    done = run(tmp_path, *again.split(), given="guard\n")
    assert "goes on in round 2" in done.stdout
    assert "Round 2  Red: guard" in done.stdout
    with Terminal(tmp_path / "another", *again.split(), "--plain") as other:
        other.expect("You are watching.")


def test_the_menu_in_lines(server, tmp_path):
    with server.client() as egil, server.client() as sif:
        open_match = egil.open(wish("fencing", "anyone", seconds=60, wins=1, seat="blue"))
        live = sif.open(wish("bagh", "random", seat="red"))
        done = run(tmp_path, "play", "--server", server.url, given="x\n99\n\nq\n")
        assert (done.returncode, done.stderr) == (0, "")
        assert f"fencing: {egil.name} waits as blue, 1:00 for each choice" in done.stdout
        assert sif.name not in done.stdout  # a duel against a level is for its player
        assert done.stdout.count("Type n, q or the number of a match.") == 2
        join = re.search(rf"(\d+)  fencing: {egil.name} waits", done.stdout)[1]
        done = run(tmp_path, "play", "--server", server.url, given=f"{join}\nquit\nq\n")
        assert f"Red (you) against Blue ({egil.name})" in done.stdout
        play_until(open_match, lambda: open_match.view.game == 1)
        listed = run(tmp_path, "play", "--server", server.url, given="q\n").stdout
        assert f"Continue:\n   1  fencing: you (red) against {egil.name}" in listed
        open_match.leave()
        live.leave()


def test_a_new_match_is_asked_for_in_lines(server, tmp_path):
    given = "n\nchess\nbagh:start_hp=1\nnobody\nrand\n60\n0\n1\nattack\nquit\nq\n"
    done = run(tmp_path, "play", "--server", server.url, given=given)
    assert (done.returncode, done.stderr) == (0, "")
    assert "'chess'" in done.stdout
    assert "'nobody' is not one of beginner, easy" in done.stdout
    assert "Type a number from 1 to 99." in done.stdout
    assert "Time for each choice: 1:00." in done.stdout
    assert re.search(r"(Red|Blue) \((1:00|0:5\d)\)> ", done.stdout)


def test_the_input_may_end_anywhere(server, tmp_path):
    done = run(tmp_path, "play", "--server", server.url, given="n\nbagh\n")
    assert (done.returncode, done.stderr) == (0, "")
    done = run(tmp_path, "play", "bagh", "--server", server.url)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_spectator_sees_rounds_and_never_a_choice(server, tmp_path, two):
    red, blue = two
    args = ("play", "--join", red.link, "--plain")
    with Terminal(tmp_path, *args) as here:
        here.expect("You are watching.")
        here.expect("Watching, waiting for Red (guest")
        choose(red, "attack")
        here.expect("has chosen.")
        here.send("attack\n")
        here.expect("You are watching; only the players can do that.")
        choose(blue, "heal")
        assert "attack" not in here.text.split("has chosen.")[1].split("You are watching;")[0][9:]
        here.expect("Round 1  Red: attack  Blue: heal")
        red.forfeit("red")
        here.expect("Red forfeits; Blue wins.")
        assert here.finish() == 0


def make_account(client, name, password):
    client.connection.post("/api/account", Credentials(name=name, password=password), Me)


def password(word):
    return {"HOLMGANG_PASSWORD": word}


def test_an_account_signs_in_once(server, tmp_path):
    with server.client() as client:
        make_account(client, "Egil", "skalla-grimsson")
    args = ("play", "bagh", "--server", server.url, "--vs", "random", "--user", "Egil")
    wrong = run(tmp_path, *args, **password("no such password"))
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr == "holmgang: name or password is wrong\n"
    missing = run(tmp_path, *args)
    assert missing.stderr == "holmgang: no password for Egil: set HOLMGANG_PASSWORD\n"
    done = run(tmp_path, *args, **password("skalla-grimsson"))
    assert (done.returncode, done.stderr) == (0, "")
    menu = run(tmp_path, "play", "--server", server.url, "--user", "egil", given="q\n")
    assert f"Holmgang at {server.url}, as Egil" in menu.stdout
    assert "bagh: you (" in menu.stdout
    [kept] = tmp_path.rglob("account-egil.json")
    assert "skalla" not in kept.read_text()


def test_an_account_is_created_from_the_terminal(server, tmp_path):
    args = ("play", "--server", server.url, "--user", "Gunnlaug", "--register")
    short = run(tmp_path, *args, given="q\n", **password("x"))
    assert (short.returncode, short.stdout) == (2, "")
    done = run(tmp_path, *args, given="q\n", **password("snake-tongue 983"))
    assert (done.returncode, done.stderr) == (0, "")
    assert f"Holmgang at {server.url}, as Gunnlaug" in done.stdout
    taken = run(tmp_path / "other", *args, **password("another password"))
    assert (taken.returncode, taken.stderr) == (2, "holmgang: the name Gunnlaug is taken\n")
    alone = run(tmp_path, "play", "--server", server.url, "--register")
    assert alone.stderr == "holmgang: --register cannot be used without --user\n"


def rating_notices(news):
    return [text for text in texts(news) if "rated" in text]


DEPENDS = "The match is rated if your opponent has an account."


@pytest.mark.parametrize(
    ("seconds", "has_account", "before", "after"),
    [
        (86_400, True, DEPENDS, "The match is rated."),
        (86_400, False, DEPENDS, "The match is not rated."),
        (None, True, "The match is not rated.", "The match is not rated."),
    ],
)
def test_players_are_told_whether_a_match_is_rated(seconds, has_account, before, after, server):
    with server.client() as red, server.client() as blue:
        for client in (red, blue) if has_account else (red,):
            name = f"{'red' if client is red else 'blue'} {seconds} {has_account}"
            make_account(client, name, "a long enough password")
        mine = red.open(wish(seat="red", seconds=seconds))
        theirs = blue.join(mine.match)
        told = [*mine.advance(), *play_until(mine, lambda: mine.stage is Stage.CHOOSE)]
        assert rating_notices(told) == ([before] if before == after else [before, after])
        assert rating_notices(theirs.advance()) == [after]
        for session in (mine, theirs):
            session.leave()


def test_a_match_that_was_cancelled_says_why_in_the_list():
    player = {"name": "egil", "kind": "guest"}
    line = convert(
        {
            "match": "123456789A",
            "status": "cancelled",
            "visibility": "link",
            "game_name": "bagh",
            "title": "BAGH",
            "winner": None,
            "deadline": None,
            "created_at": 0,
            "updated_at": None,
            "reason": "rules changed",
            "ruleset": "bagh",
            "players": {"red": player, "blue": player},
            "score": {"red": 0, "blue": 0},
            "wins_needed": 3,
            "seconds": None,
            "rounds": 2,
            "rated": False,
            "you": "red",
            "waiting_for": [],
        },
        OwnMatchLine,
    )
    assert line_text(line) == "bagh: you (red) against egil, cancelled: rules changed"
    assert progress_text(line) == "cancelled: rules changed"  # on the full screen


def test_a_password_is_typed_unseen(server, tmp_path):
    with server.client() as client:
        make_account(client, "Sif", "golden hair")
    args = ("play", "--server", server.url, "--user", "Sif", "--plain")
    with Terminal(tmp_path, *args) as here:
        here.expect("Password of Sif at http://127.0.0.1")
        here.send("golden hair\n")
        here.expect("as Sif")
        assert "golden" not in here.text
        here.send("q\n")
        assert here.finish() == 0


# Refusals


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"server": "ftp://localhost"}, "'ftp://localhost' is not the address of a server"),
        ({"server": "http://"}, "'http://' is not the address of a server"),
        ({"server": "http://a b"}, "'http://a b' is not the address of a server"),
        ({"server": "http://u:p@localhost"}, "has more than a host, a port and a path"),
        ({"server": "http://localhost/games"}, "has nothing after host and port"),
        ({"server": "http://127.0.0.1:1"}, "http://127.0.0.1:1 cannot be reached: Connection re"),
        ({"server": "http://no-such-host.invalid"}, "cannot be reached: "),
        ({"join": "abc"}, "--join with the id of a match needs --server"),
        ({"join": "http://localhost/abc"}, "is not a link to a match"),
        ({"join": "http://localhost/match/abc", "game": "bagh"}, "GAME cannot be used with --join"),
        ({"user": "egil"}, "--user cannot be used without --server or --join"),
        ({"server": "http://localhost", "seed": 1}, "--seed cannot be used on a server"),
        ({"server": "http://localhost", "seat": "green"}, "--seat is red or blue; not 'green'"),
        ({"server": "http://localhost", "seconds": 7}, "one of 15, 60, 86400 seconds; not 7"),
        ({"server": "http://localhost", "on_timeout": "x"}, "--on-timeout is lose or harmless"),
        ({"server": "http://localhost", "game": "chess"}, "chess"),
    ],
)
def test_a_wrong_command_line_is_refused(given, told, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with pytest.raises(HolmgangError, match=re.escape(told)):
        play(**given)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"join": "7Fq2mZk9Rw"}, "there is no match 7Fq2mZk9Rw at http://127.0.0.1"),
        (
            {"game": "bagh", "vs": "nobody"},
            "unknown opponent 'nobody'; the server has beginner, easy",
        ),
    ],
)
def test_what_a_server_does_not_have_is_refused(given, told, server, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with pytest.raises(HolmgangError, match=re.escape(told)):
        play(server=server.url, **given)


def test_a_refusal_is_one_line_on_stderr_and_exit_code_2(server, tmp_path):
    done = run(tmp_path, "play", "--server", server.url, "--join", "nosuch")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"holmgang: there is no match nosuch at {server.url}\n"


def test_links_and_ids_of_matches():
    address = parse_address("https://example.org")
    assert parse_match("abc", address) == (address, "abc")
    assert parse_match("https://EXAMPLE.org:443/match/abc", address) == (address, "abc")
    assert str(parse_match("http://[::1]:8000/match/abc", None)[0]) == "http://[::1]:8000"
    with pytest.raises(UsageError, match=r"but --server is https://example\.org"):
        parse_match("http://example.org/match/abc", address)


# Sessions


def test_a_choice_can_be_changed_and_taken_back_until_the_reveal(two):
    red, blue = two
    choose(red, "attack")
    assert (red.stage, red.chosen) == (Stage.WAIT, "attack")
    assert red.undo() == "red"
    assert (red.stage, red.chosen) == (Stage.CHOOSE, None)
    play_until(red, lambda: not red.is_busy)
    assert red.view.waiting_for == ["red", "blue"]
    choose(red, "boost")
    red.choose("guard")
    play_until(red, lambda: not red.is_busy)
    choose(blue, "heal")
    play_until(red, lambda: red.round == 2)
    [revealed] = red.view.rounds
    assert (revealed.red, revealed.blue) == ("guard", "heal")


def test_what_is_not_possible_is_refused(two):
    red, _ = two
    for refused in (red.undo, red.rematch, lambda: red.answer_draw("red", accepts=False)):
        with pytest.raises(DuelError):
            refused()
    watcher = Client(red.client.address, Identity())
    watching = watcher.session(red.match)
    with pytest.raises(DuelError, match="You are watching"):
        watching.choose("attack")
    watching.leave()
    watcher.close()


def test_a_word_that_is_no_choice_here_is_refused_by_the_server(server):
    with server.client() as client:
        session = client.open(wish("defend-the-city", "random", seat="red"))
        play_until(session, lambda: session.stage is Stage.CHOOSE)
        session.choose("keep")
        assert session.stage is Stage.WAIT
        news = play_until(session, lambda: not session.is_busy) + session.advance()
        assert any(text.startswith("That may not be chosen here.") for text in texts(news))
        assert session.stage is Stage.CHOOSE
        session.leave()


def test_the_end_of_a_game_is_shown_before_the_next(server):
    with server.client() as one, server.client() as other:
        red = one.open(wish("bagh:start_hp=1", seat="red", wins=2))
        blue = other.join(red.match)
        choose(red, "attack")
        choose(blue, "heal")
        news = play_until(red, lambda: red.stage is Stage.GAME_OVER)
        [ended] = [happened for happened in news if isinstance(happened, GameEnded)]
        assert ended.ending == "Red wins: Blue is down."
        assert ended.score == "Red 1 – 0 Blue, first to 2"
        assert (red.game, red.round, red.state.blue.hp) == (1, 1, 0)
        assert red.asked is None
        red.next_game()
        assert red.advance() == [GameBegan(2)]
        assert (red.game, red.round, red.asked) == (2, 1, "red")
        red.leave()
        blue.leave()


def test_with_a_clock_the_next_game_waits_for_nobody(server, monkeypatch):
    monkeypatch.setattr("holmgang.terminal.online.session.PAUSE", 0.0)
    with server.client() as one, server.client() as other:
        red = one.open(wish("bagh:start_hp=1", seat="red", wins=2, seconds=60))
        blue = other.join(red.match)
        choose(red, "attack")
        choose(blue, "heal")
        play_until(red, lambda: red.game == 2 and red.stage is Stage.CHOOSE)
        assert re.fullmatch(r"1:0\d|0:5\d", red.clock)
        red.leave()
        blue.leave()


def test_a_draw_is_offered_and_agreed_on(two):
    red, blue = two
    red.offer_draw("red")
    news = play_until(red, lambda: red.view.draw_offered_by == ["red"])
    assert "You have offered a draw." in texts(news)
    assert "draw offered" in red.notes()
    play_until(blue, lambda: blue.view.draw_offered_by == ["red"])
    assert "Red offers a draw" in blue.notes()
    blue.offer_draw("blue")
    play_until(red, lambda: red.stage is Stage.MATCH_OVER)
    assert red.result_line() == "Draw by agreement."


def test_a_rematch_has_the_seats_exchanged(two):
    red, blue = two
    red.forfeit("red")
    play_until(red, lambda: red.stage is Stage.MATCH_OVER)
    play_until(blue, lambda: blue.stage is Stage.MATCH_OVER)
    assert red.rematch_note == "offer it; you change seats"
    assert not red.rematch()
    play_until(red, lambda: red.rematch_note == "offered; waiting for an answer")
    news = play_until(blue, lambda: blue.rematch_note == "accept it; you change seats")
    assert any("offers a rematch." in text for text in texts(news))
    blue.rematch()
    assert RematchBegins() in play_until(red, lambda: red.next_match is not None)
    assert RematchBegins() in play_until(blue, lambda: blue.next_match is not None)
    again = red.client.next_session(red)
    assert (again.view.you, again.stage) == ("blue", Stage.CHOOSE)
    again.leave()


def test_the_record_of_a_game_is_watched_and_proves_its_dice(two):
    red, _ = two
    assert not red.can_replay
    red.forfeit("red")
    play_until(red, lambda: red.can_replay)
    seen = []
    red.replay(seen.append)
    play_until(red, lambda: bool(seen))
    [watched] = seen
    assert watched.ending == "Red forfeits; Blue wins."
    path = f"/api/matches/{red.match}/games/1/record"
    record = parse(red.client.connection.fetch(path).decode())
    seal = check_seal(record, replay(record))
    assert seal.commitment == red.view.seal.commitment


def test_an_open_match_in_the_lobby_is_closed_by_leaving(server):
    with server.client() as one, server.client() as other:
        listed = one.open(wish(opponent="anyone"))
        linked = one.open(wish(opponent="link"))
        listed.leave()
        linked.leave()
        closed = other.join(listed.match)
        assert (closed.view.status, closed.stage) == ("cancelled", Stage.MATCH_OVER)
        closed.leave()
        assert linked.match not in [line.match for line in other.lobby().open]
        joined = other.join(linked.match)
        assert joined.people
        joined.leave()


def test_who_comes_too_late_watches(server):
    with server.client() as one, server.client() as other, server.client() as third:
        first = one.open(wish())
        second, late = other.join(first.match), third.join(first.match)
        assert (len(second.people), late.people) == (1, [])
        with pytest.raises(ServerRefusal, match="there is no match nosuch"):
            third.join("nosuch")
        for session in (first, second, late):
            session.leave()


# Who one is


def test_secrets_are_kept_where_nobody_else_can_read_them(server, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    old = os.umask(0)
    try:
        address = parse_address(server.url)
        first, second = guest_identity(address), guest_identity(address)
        one, other = Client(address, first), Client(address, second)
        one.greet()
        other.greet()
        session = one.open(wish())
        joined = other.join(session.match)  # a second window is another guest
        assert joined.view.you != session.view.you
        for each in (session, joined):
            each.leave()
        one.close()
        other.close()
        files = [path for path in (tmp_path / "holmgang/online").rglob("*") if path.is_file()]
        assert len(files) == 4
        assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
        assert stat.S_IMODE(files[0].parent.stat().st_mode) == 0o700
        again = guest_identity(address, session.match)
        assert session.match in again.secrets
        again.close()
        found = guest_identity(address)
        found.forget(session.match)
        found.close()
        third = guest_identity(address, session.match)  # the other window's, who sits there too
        assert session.match in third.secrets
        third.close()
    finally:
        os.umask(old)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        '{"cookie": 1, "secrets": []}',
        '{"cookie": "a=b\\r\\nX: y", "secrets": {"m": "\\n"}}',
    ],
)
def test_a_damaged_file_is_as_good_as_none(content, tmp_path):
    path = tmp_path / "guest-1.json"
    path.write_text(content)
    identity = Identity(path)
    assert (identity.cookie, identity.secrets) == (None, {})
    identity.remember("m", "secret")
    assert json.loads(path.read_text())["secrets"] == {"m": "secret"}


def test_a_folder_that_cannot_be_written_does_not_stop_play(server, tmp_path):
    (tmp_path / "file").touch()
    args = ("play", "bagh", "--server", server.url, "--vs", "random", "--wins", "1")
    done = run(tmp_path, *args, given="attack\n", XDG_DATA_HOME=str(tmp_path / "file"))
    assert (done.returncode, done.stderr) == (0, "")
    assert "You cannot continue this match later: cannot write" in done.stdout
    assert "Round 1  Red: " in done.stdout


# Failures


def test_a_server_that_is_killed_in_mid_round_loses_nothing(own_server, tmp_path):
    url = own_server.url
    args = ("play", "bagh", "--server", url, "--vs", "link", "--seat", "red", "--plain")
    with Terminal(tmp_path, *args) as here, own_server.client() as client:
        here.expect("Waiting for an opponent> ")
        [link] = re.findall(r"opponent: (\S+)", here.text)
        blue = client.join(link.rpartition("/")[2])
        here.expect("Red> ")
        here.send("attack\n")
        here.expect("You chose attack. Waiting for Blue")
        own_server.kill()
        end = here.expect("Connection lost, trying again")
        here.expect("No connection, trying again> ", after=end)
        here.send("guard\n")  # is sent when there is a server again
        play_until(blue, lambda: "no connection, trying again" in blue.notes())
        own_server.start()
        here.expect("Reconnected.", after=end)
        play_until(blue, lambda: blue.view.waiting_for == ["blue"])
        choose(blue, "heal")
        here.expect("Round 1  Red: guard  Blue: heal")
        play_until(blue, lambda: blue.round == 2)
        choose(blue, "boost")
        own_server.kill()
        own_server.start()
        here.expect("Red> ", after=here.expect("Round 2"))
        here.send("attack\n")
        here.expect("Round 2  Red: attack  Blue: boost")
        here.send("quit\n")
        assert here.finish() == 0
        blue.leave()


class LosingProxy:
    """Passes bytes on between clients and a server, and cuts a connection instead of passing on
    what `should_lose` says.
    """

    def __init__(self, port):
        self.target = port
        self.should_lose = lambda sent: False
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self):
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._pass_on, args=(near,), daemon=True).start()

    def _pass_on(self, near):
        with near, socket.create_connection(("127.0.0.1", self.target)) as far:
            back = threading.Thread(target=self._answer, args=(near, far), daemon=True)
            back.start()
            mine, theirs = (b"127.0.0.1:%d" % port for port in (self.port, self.target))
            with suppress(OSError):
                while part := near.recv(65536):
                    far.sendall(part.replace(mine, theirs))
            cut(near, far)
            back.join()

    def _answer(self, near, far):
        with suppress(OSError):
            while (part := far.recv(65536)) and not self.should_lose(part):
                near.sendall(part)
        cut(near, far)

    def close(self):
        self._listener.close()


def cut(*ends):
    for end in ends:
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


def test_a_command_whose_answer_is_lost_is_repeated_without_harm(server):
    proxy = LosingProxy(server.port)
    client = Client(parse_address(f"http://127.0.0.1:{proxy.port}"), Identity())
    client.greet()
    with server.client() as other:
        red = client.open(wish(seat="red", wins=1))
        blue = other.join(red.match)
        play_until(red, lambda: red.stage is Stage.CHOOSE)
        answered = []

        def lose_first(sent):
            done = re.findall(rb'"type":"done","id":"(\w+)"', sent)
            answered.extend(done)
            return bool(done) and len(answered) % 3 != 0  # two are lost for each that arrives

        proxy.should_lose = lose_first
        news = choose(red, "attack")
        red.choose("guard")
        news += play_until(red, lambda: not red.is_busy)
        assert len(answered) == 6
        assert len(set(answered)) == 2
        choose(blue, "heal")
        news += play_until(red, lambda: red.round == 2)
        assert [(each.red, each.blue) for each in red.view.rounds] == [("guard", "heal")]
        assert not any("late" in text or "That" in text for text in texts(news))
        red.leave()
        blue.leave()
    client.close()
    proxy.close()


def test_leaving_ends_all_that_goes_on_in_the_background(server):
    with server.client() as client:
        session = client.open(wish(opponent="random"))
        play_until(session, lambda: session.stage is Stage.CHOOSE)
        assert session._follower.is_running
        session.leave()
        assert not session._follower.is_running


def test_ctrl_c_while_waiting_for_a_server(own_server, tmp_path):
    args = ("play", "bagh", "--server", own_server.url, "--vs", "random", "--plain")
    with Terminal(tmp_path, *args) as here:
        here.expect("> ")
        own_server.kill()
        here.expect("Connection lost, trying again")
        here.send(CTRL_C)
        assert here.finish() == 130
        assert "Traceback" not in here.text
        assert here.is_restored


def test_a_program_is_told_what_happens_while_it_has_nothing_to_say(server, tmp_path):
    with server.client() as client:
        blue = client.open(wish(seat="blue"))
        process = start(tmp_path, "play", "--join", blue.link)
        play_until(blue, lambda: blue.stage is Stage.CHOOSE)
        blue.forfeit("blue")
        out = process.stdout.read()  # all of it, while its input stays open
        assert "Blue forfeits; Red wins." in out.decode()
        assert process.communicate() == (b"", b"")
        assert process.returncode == 0
        blue.leave()


def test_wishes():
    assert make_wish("bagh", "greedy", seat="red", seconds=15).is_settled
    assert not make_wish("bagh", None).is_settled
