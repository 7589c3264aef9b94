"""`holmgang discord` as a process: how it starts, and how it stops."""

import asyncio
import os
import signal
import sys

import pytest
from tests import forked
from tests.discord.kills import BotProcess
from tests.discord.playing import Club, run
from tests.discord.standin import Standin
from tests.patience import PATIENCE

from holmgang.discord.settings import TOKEN_VARIABLE


@pytest.mark.parametrize(
    ("token", "options", "told"),
    [
        ("", [], f"set {TOKEN_VARIABLE}"),
        ("x", ["--web-address", "duels.example"], "begins with http:// or https://"),
        ("x", ["--role", " "], "1 to 100 characters"),
        ("x", ["--database", "mysql://x"], "no such kind of database"),
    ],
)
def test_a_bad_setting_is_told_in_one_line(token, options, told):
    done = forked.run(
        ["discord", *options],
        env={**os.environ, TOKEN_VARIABLE: token},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 2
    assert told in done.stderr
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


def test_a_signal_stops_it_without_losing_anything(tmp_path):
    async def scenario():
        standin = Standin()
        club = Club.new(standin)
        async with standin.running():
            bot = BotProcess(standin, f"sqlite:///{tmp_path}/holmgang.sqlite3")
            await bot.start()
            try:
                await club.join(club.ann, club.bob)
                thread = await club.duel("bagh")
                board = await club.board(thread)
                chosen = await club.choose(club.ann, await club.open_menu(club.ann, board))
                bot.process.send_signal(signal.SIGTERM)
                async with asyncio.timeout(PATIENCE):
                    assert await bot.process.wait() == 0
                await bot.start()
                assert (await club.open_menu(club.ann, board)).text == chosen.text
            finally:
                await bot.kill()

    run(scenario())


def test_a_token_that_discord_refuses_ends_it(tmp_path):
    async def scenario():
        standin = Standin()
        Club.new(standin)
        async with standin.running():
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "tests.discord.bot_process",
                standin.api_url,
                standin.gateway_url,
                "--database",
                f"sqlite:///{tmp_path}/holmgang.sqlite3",
                env={**os.environ, TOKEN_VARIABLE: "another.token"},
                stderr=asyncio.subprocess.PIPE,
            )
            _, told = await process.communicate()
            assert process.returncode != 0
            assert b"Discord refuses the token" in told

    run(scenario())
