"""A few kills of a server under load; `make soak-server` has a thousand of them."""

import asyncio

import pytest
from tests.postgres import postgres  # noqa: F401 - a fixture
from tests.web.kills import kill_often


@pytest.mark.parametrize("seed", [1])
def test_a_killed_server_loses_nothing(tmp_path, seed):
    database = f"sqlite:///{tmp_path}/killed.sqlite3"
    done = asyncio.run(kill_often(tmp_path, database, 5, pairs=3, seed=seed))
    assert done.kills == 5
    assert done.matches > 0
    assert done.commands > 0
    assert done.repeated > 0, "no command was on its way when the server was killed"


def test_one_of_two_servers_is_killed(tmp_path, postgres):  # noqa: F811
    done = asyncio.run(kill_often(tmp_path, postgres.new_database(), 5, servers=2, pairs=3, seed=2))
    assert done.kills == 5
    assert done.matches > 0
