"""SIGKILL in mid-duel. `make soak-discord` does it more often."""

import asyncio

import pytest
from tests.discord.kills import KillsAfterRequests, KillsAtRandom, play_with_kills


@pytest.mark.thorough
def test_nothing_acknowledged_is_lost_when_the_bot_is_killed(tmp_path):
    choices = asyncio.run(play_with_kills(tmp_path, KillsAtRandom(3), 1, rules="start_hp=1"))
    assert choices >= 2


def test_no_step_is_lost_or_done_twice_if_the_bot_is_killed_after_it(tmp_path):
    killer = KillsAfterRequests()
    asyncio.run(play_with_kills(tmp_path, killer, 1, rules="start_hp=1"))
    assert set(killer.kinds) >= {
        "POST /interactions/…/…/callback",
        "PATCH /webhooks/…/…/messages/@original",
        "POST /guilds/…/roles",
        "PUT /guilds/…/members/…/roles/…",
        "POST /channels/general/messages",
        "POST /channels/general/messages/…/threads",
        "POST /channels/…/messages",
    }
