import pytest
from tests.postgres import postgres  # noqa: F401 - a fixture

from holmgang.store import Store

BOTH = ("sqlite", "postgresql")


@pytest.fixture(params=BOTH)
def url(request, tmp_path):
    """The address of an empty database, of either kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/holmgang.sqlite3"
    return request.getfixturevalue("postgres").new_database()


@pytest.fixture
def sqlite_url(tmp_path):
    return f"sqlite:///{tmp_path}/holmgang.sqlite3"


@pytest.fixture
def postgres_url(postgres):  # noqa: F811
    return postgres.new_database()


@pytest.fixture
def store(url):
    with Store.open(url) as opened:
        yield opened
