"""A real server for the tests: uvicorn on a free port of this machine, over a real SQLite file."""

import pytest
from tests.web.running import running_server


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server without limits, shared by the tests of a module."""
    with running_server(tmp_path_factory.mktemp("web"), has_limits=False) as running:
        yield running
