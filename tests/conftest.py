"""What all tests share: Hypothesis tries the same examples on every run, and not too many; tables
are kept in a folder of the tests' own, shared by the workers of a run, so that each is solved once;
Ctrl-C works in every process that a test starts; a test marked `alone` runs beside no other.
"""

import fcntl
import os
import signal

import pytest
from hypothesis import settings

settings.register_profile("holmgang", derandomize=True, deadline=None, max_examples=100)
settings.load_profile("holmgang")


def pytest_collection_modifyitems(items):
    """Tests that run alone come last, so that no worker waits long for the others."""
    items.sort(key=lambda item: item.get_closest_marker("alone") is not None)


@pytest.hookimpl(wrapper=True, tryfirst=True)  # before a time limit runs
def pytest_runtest_protocol(item):
    """A test that runs alone takes a lock on this file for itself; all others share it."""
    is_alone = item.get_closest_marker("alone") is not None
    with open(__file__) as lock:  # noqa: PTH123
        fcntl.flock(lock, fcntl.LOCK_EX if is_alone else fcntl.LOCK_SH)
        return (yield)


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
