"""Limits of time that would make tests of the bot depend on how busy the machine is."""

import pytest
from tests.discord.playing import limit_edits
from tests.patience import PATIENCE


@pytest.fixture(autouse=True)
def patient_edits(monkeypatch):
    """Edits are not given up because the machine is slow."""
    limit_edits(monkeypatch, PATIENCE)
