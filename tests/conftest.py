"""What all tests share: Hypothesis tries the same examples on every run, and not too many; tables
are kept in a folder of the tests' own.
"""

import os

import pytest
from hypothesis import settings

settings.register_profile("holmgang", derandomize=True, deadline=None, max_examples=100)
settings.load_profile("holmgang")


@pytest.fixture(scope="session", autouse=True)
def tables(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    os.environ["HOLMGANG_TABLES"] = str(folder)
    return folder
