"""Files that are generated from the types of the live protocol are up to date: `make generated`."""

import pytest
from tests.wire.generate import PRETTIER, PROTOCOL, TYPES, protocol, typescript


@pytest.mark.skipif(not PRETTIER.exists(), reason="Prettier is not installed: make check-client")
def test_the_types_of_the_browser_client_are_generated():
    assert TYPES.read_text(encoding="utf-8") == typescript()


def test_the_tables_of_the_protocol_are_generated():
    page = PROTOCOL.read_text(encoding="utf-8")
    assert "<!-- fields: MatchView " in page
    assert page == protocol(page)
