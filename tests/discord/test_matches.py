"""Full matches of every game between two users, and what others can see meanwhile."""

import io
import re
import zipfile

import pytest
from tests.discord.playing import Club, place, public, run, running_bot
from tests.discord.standin import Standin

from holmgang.engine.record import parse, replay

GAMES = {
    "bagh": {"first_to": 2, "rules": "start_hp=2"},
    "bagh-advantage": {},
    "fencing": {},
    "defend-the-city": {},
    "magic-duel": {"rules": "max_hp=8"},
}


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_played_to_its_end_and_choices_stay_hidden(game, tmp_path):
    run(play(game, tmp_path, **GAMES[game]))


async def play(game, folder, **terms):
    standin = Standin()
    club = Club.new(standin)
    async with standin.running(), running_bot(standin, folder):
        await club.join(club.ann, club.bob)
        thread = await club.duel(game, **terms)
        assert thread.members >= {club.ann.id, club.bob.id}
        board = await club.board(thread)
        rounds = 0
        while board.find("").get("label") == "Choose":
            await play_round(club, board, is_checked=rounds < 8)
            board = await club.next_board(thread, board)
            rounds += 1
        assert board.find("").get("label") == "Rematch"
        assert "🏁" in board.content
        assert [name for name in board.files if name.endswith(".png")] == ["board.png"]
        (name,) = [name for name in board.files if name.endswith(".zip")]
        with zipfile.ZipFile(io.BytesIO(board.files[name])) as archive:
            texts = {name: archive.read(name).decode() for name in archive.namelist()}
        log = texts.pop("rounds.txt")
        for name, text in texts.items():
            replay(parse(text, name))
        assert not [str(error) for error in standin.rest.errors]
        check_ephemerals(club, thread)
    assert log.count("\nRound ") == rounds
    assert len(public(thread)) == 2, "a board, which was edited, and the result"


def check_ephemerals(club, thread):
    """No message that was for one user has ever been sent to another."""
    users = (club.ann, club.bob, club.eve)
    private = [m for m in thread.messages.values() if m.only_for is not None]
    assert {message.only_for.name for message in private} == {"ann", "bob"}
    for user in users:
        sent = {re.match(r'{"id": "(\d+)"', value)[1] for _, value in user.shown}
        assert not [m for m in private if m.only_for is not user and str(m.id) in sent]
        assert not [m for m in club.guild.history(user, thread) if m.only_for not in (None, user)]


async def play_round(club, board, *, is_checked):
    """Both choose. If it is checked, the first one chooses twice, and nobody else can tell the two
    choices apart.
    """
    order = [club.ann, club.bob]
    club.rng.shuffle(order)
    for user in order:
        asked = await club.open_menu(user, board)
        assert asked.message.only_for is user
        if "nothing to choose" in asked.text:
            continue
        now = place(asked.text)
        if is_checked and user is order[0]:
            asked = await check_hidden(club, user, board, asked)
        if "you have chosen" not in asked.text and place(asked.text) == now:
            others = [each for each in (club.ann, club.bob, club.eve) if each is not user]
            before, marks = board.content, [len(each.shown) for each in others]
            asked = await club.choose(user, asked)
        if place(asked.text) != now:
            return
        if user is order[0]:
            await news_of(club, board, others, marks, f"✅ <@{user.id}>")
            chosen = before.replace(f"⏳ <@{user.id}>", f"✅ <@{user.id}>")
            assert timeless(board.content) == timeless(chosen), "all that others learn of a choice"
            assert chosen != before


async def check_hidden(club, user, board, asked):
    """Chooses, takes it back and chooses again: others are sent the same bytes for each choice."""
    others = [each for each in (club.ann, club.bob, club.eve) if each is not user]
    seen = []
    for _ in range(2):
        before = asked.text
        marks = [len(each.shown) for each in others]
        asked = await club.choose(user, asked)
        if "you have chosen" not in asked.text or place(before) != place(asked.text):
            return asked  # it was the only choice to be made, so the round is over
        chosen = re.search(r"chosen \*\*(.+?)\*\*", asked.text)[1]
        seen.append(await news_of(club, board, others, marks, f"✅ <@{user.id}>"))
        for each, n in zip(others, marks, strict=True):
            assert not [value for _, value in each.shown[n:] if f"chosen **{chosen}" in value]
        marks = [len(each.shown) for each in others]
        asked = await club.standin.press(user, asked.message, "withdraw")
        assert "make your choice" in asked.text
        await news_of(club, board, others, marks, f"⏳ <@{user.id}>")
    assert seen[0] == seen[1], "the board says only that someone has chosen"
    assert {len(values) for values in seen[0]} == {1}
    for each in others:
        fetched = club.guild.history(each, asked.channel)
        assert not [message for message in fetched if message.only_for is user]
        assert not [value for _, value in each.shown if f'"id": "{asked.message.id}"' in value]
    return asked


def timeless(text):
    """A text without its deadline: on a busy machine, time in which the server stood still may be
    credited at any moment.
    """
    return re.sub(r"<t:\d+:R>", "<t>", text)


async def news_of(club, board, others, marks, sign):
    """What others are sent about a board until it has that sign, without the times of sending. All
    that they are sent besides is that the board before has lost its buttons, and their own
    ephemeral messages.
    """

    def find():
        found = []
        for each, mark in zip(others, marks, strict=True):
            values = [
                timeless(re.sub(r'"(edited_)?timestamp": "[^"]*"', "", v))
                for _, v in each.shown[mark:]
            ]
            own = [value for value in values if f'"id": "{board.id}"' in value]
            rest = [v for v in values if v not in own and '"flags": 64' not in v]
            assert all('"components": []' in value for value in rest)
            # The deadline may have changed before or after that.
            found.append({value for value in own if sign in value})
        return found if all(found) else None

    return await club.standin.until(find)
