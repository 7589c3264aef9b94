"""What all tests share: Hypothesis tries the same examples on every run, and not too many; tables
are kept in a folder of the tests' own, shared by the workers of a run, so that each is solved once;
Ctrl-C works in every process that a test starts; games loaded from files are forgotten after the
test, or the module, that loaded them; coroutines run in asyncio.
"""

import os
import signal

import pytest
from hypothesis import settings

from holmgang.games import finding, ruleset
from holmgang.games.catalogue import CATALOGUE

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


def forgetting():
    """Forgets the games that are loaded from files meanwhile."""
    known = set(CATALOGUE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(finding.ENVIRONMENT, "")
        yield
    added = CATALOGUE.keys() - known
    for name in added:
        del CATALOGUE[name]
        finding._paths.pop(name, None)
    if added:
        ruleset.forget()


forgetting_after_a_module = pytest.fixture(scope="module", autouse=True)(forgetting)
forgetting_after_a_test = pytest.fixture(autouse=True)(forgetting)


@pytest.fixture
def anyio_backend():
    return "asyncio"
