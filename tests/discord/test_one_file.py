"""A game in one file, in a folder that only the operator of the bot has named."""

import pytest
from tests.discord.kills import running_process
from tests.discord.playing import Club, eventually, public, run
from tests.discord.standin import Standin
from tests.games.one_file import STANDOFF

from holmgang.store import Store


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "standoff.py").write_text(STANDOFF)
    return folder


def test_a_match_is_played_to_its_end(folder, tmp_path):
    async def scenario():
        standin = Standin()
        club = Club.new(standin)
        games = ("--games", str(folder))
        async with standin.running(), running_process(standin, tmp_path, *games):
            await club.join(club.ann, club.bob)
            rules = await standin.slash(club.ann, club.general, "rules", game="standoff")
            assert "**Reload**: Ammo 0 → 1." in rules.text
            rules = await standin.press(club.ann, rules.message, "Next ▶")
            assert "most rounds in the gun" in rules.text
            thread = await club.duel("standoff", rules="lives=1")
            board = await club.board(thread)
            assert "board.png" in board.files
            while board.find("").get("label") == "Choose":
                for user in (club.ann, club.bob):
                    await club.choose(user, await club.open_menu(user, board))
                board = await club.next_board(thread, board)
            assert "🏁" in board.content
            assert [name for name in board.files if name.startswith("standoff-")]
            await standin.until(lambda: "analysis.png" in board.files)
            assert not [str(error) for error in standin.rest.errors]

    run(scenario())


def test_a_match_whose_rules_change_is_cancelled_and_both_are_told(folder, tmp_path):
    async def scenario():
        standin = Standin()
        club = Club.new(standin)
        games = ("--games", str(folder))
        async with standin.running(), running_process(standin, tmp_path, *games) as bot:
            await club.join(club.ann, club.bob)
            thread = await club.duel("standoff")
            board = await club.board(thread)
            await club.choose(club.ann, await club.open_menu(club.ann, board))
            with Store.open(f"sqlite:///{tmp_path}/holmgang.sqlite3") as store:
                await eventually(  # the bot knows its board, also after a kill
                    lambda: store.discord.unfinished_duels()[0].message == board.id
                )
            await bot.kill()
            changed = STANDOFF.replace("me.lives - (1 if hit", "me.lives - (2 if hit")
            (folder / "standoff.py").write_text(changed)
            await bot.start()
            told = await standin.until(
                lambda: [m for m in public(thread) if "rules of its game have changed" in m.content]
            )
            assert all(f"<@{user.id}>" in told[0].content for user in (club.ann, club.bob))
            await standin.until(lambda: not board.components)
            await club.duel("standoff")  # both are free for another
            assert not [str(error) for error in standin.rest.errors]
        with Store.open(f"sqlite:///{tmp_path}/holmgang.sqlite3") as store:
            first, second = sorted(store.matches.find(limit=9), key=lambda row: row.created_at)
        assert (first.summary.status, first.summary.rated) == ("cancelled", False)
        assert second.summary.status == "playing"

    run(scenario())
