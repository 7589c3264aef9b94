"""The history of one's own matches, and what others see of them."""

import pytest

OPENING = {"ruleset": "bagh", "opponent": "link", "seat": "red", "wins_needed": 1}


def forfeit(client, match):
    command = {"type": "forfeit", "id": "end"}
    assert client.post(f"/api/matches/{match}/commands", json=command).status_code == 200


def play_by_link(one, other, **asked):
    match = one.post("/api/matches", json={**OPENING, **asked}).json()["match"]
    other.post(f"/api/matches/{match}/join", json={})
    forfeit(other, match)
    return match


def play_alone(client):
    asked = {**OPENING, "opponent": {"level": "random"}}
    match = client.post("/api/matches", json=asked).json()["match"]
    forfeit(client, match)
    return match


def ids(client, query=""):
    return [each["match"] for each in client.get(f"/api/me/matches{query}").json()["matches"]]


def test_a_guest_sees_all_own_matches(server):
    with server.client() as guest, server.client() as friend, server.client() as stranger:
        by_link, alone = play_by_link(guest, friend), play_alone(guest)
        assert ids(guest) == [alone, by_link]
        assert ids(friend) == [by_link]
        assert ids(stranger) == []


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("?result=won", ["link"]),
        ("?result=lost", ["alone"]),
        ("?result=drawn", []),
        ("?against=people", ["link"]),
        ("?against=computers", ["alone"]),
        ("?game=fencing", []),
        ("?against=computers&result=won", []),
    ],
)
def test_the_history_has_filters(server, query, expected):
    with server.client() as guest, server.client() as friend:
        found = {"link": play_by_link(guest, friend), "alone": play_alone(guest)}
        assert ids(guest, query) == [found[each] for each in expected]


def test_older_matches_come_page_by_page(server):
    with server.client() as guest:
        played = [play_alone(guest) for _ in range(22)]
        first = guest.get("/api/me/matches").json()
        assert not first["is_whole"]
        before = first["matches"][-1]["created_at"]
        rest = guest.get(f"/api/me/matches?before={before}").json()
        assert rest["is_whole"]
        found = [each["match"] for each in (*first["matches"], *rest["matches"])]
        assert found == played[::-1]


def test_the_guests_matches_stay_with_the_account(server):
    with server.client() as guest:
        match = play_alone(guest)
        guest.post("/api/account", json={"name": "Hilde", "password": "a long enough password"})
        assert ids(guest) == [match]


def test_a_match_against_the_computer_is_listed_for_its_player_only(server):
    with server.client() as player, server.client() as stranger:
        player.post("/api/account", json={"name": "Runa", "password": "a long enough password"})
        match = play_alone(player)
        own, others = (each.get("/api/players/Runa").json() for each in (player, stranger))
        assert [each["match"] for each in own["matches"]] == [match]
        assert own["results"] == {"bagh": {"won": 0, "drawn": 0, "lost": 1}}
        assert others["matches"] == []
        assert others["results"] == {}
        assert others["unlisted"] == 1
        listed = stranger.get("/api/matches?status=over").json()["matches"]
        assert match not in [each["match"] for each in listed]
        # Whoever has the link can watch it.
        assert stranger.get(f"/api/matches/{match}").json()["status"] == "over"


def test_a_guest_chooses_a_name(server):
    with server.client() as guest, server.client() as friend:
        assert guest.post("/api/me/name", json={"name": "Astrid"}).json()["name"] == (
            "Astrid (guest)"
        )
        match = play_by_link(guest, friend)
        assert friend.get(f"/api/matches/{match}").json()["players"]["red"] == {
            **friend.get(f"/api/matches/{match}").json()["players"]["red"],
            "name": "Astrid (guest)",
            "kind": "guest",
        }
        for bad in ("x", "perfect", "guest 7", "a<b"):
            assert guest.post("/api/me/name", json={"name": bad}).status_code == 422


def test_an_account_keeps_its_name(server):
    with server.client() as player:
        player.post("/api/account", json={"name": "Inga", "password": "a long enough password"})
        answer = player.post("/api/me/name", json={"name": "Ylva"})
        assert answer.json()["error"]["code"] == "closed"
