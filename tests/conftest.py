"""What all tests share: Hypothesis tries the same examples on every run, and not too many; tables
are kept in a folder of the tests' own, shared by the workers of a run, so that each is solved once;
Ctrl-C works in every process that a test starts; coroutines run in asyncio.
"""

import os
import signal

import pytest
from hypothesis import settings

settings.register_profile("holmgang", derandomize=True, deadline=None, max_examples=100)
settings.load_profile("holmgang")


@pytest.fixture(scope="session", autouse=True)
def tables(tmp_path_factory):
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "tables"
    folder.mkdir(exist_ok=True)
    os.environ["HOLMGANG_TABLES"] = str(folder)
    return folder


@pytest.fixture(scope="session", autouse=True)
def interruptible():
    """Makes SIGINT interrupt this process, and so every process it starts: a shell script that runs
    the tests in the background has them ignore it, and children inherit that.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def anyio_backend():
    return "asyncio"
