"""SIGKILL in mid-duel. `make soak-discord` does it more often."""

import asyncio

from tests.discord.kills import play_with_kills


def test_nothing_acknowledged_is_lost_when_the_bot_is_killed(tmp_path):
    assert asyncio.run(play_with_kills(tmp_path, 3, 1, rules="start_hp=1")) >= 2
