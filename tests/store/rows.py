"""Summaries and events to store."""

from holmgang.store import MatchSummary, StoredEvent

OPEN = MatchSummary(
    status="open",
    visibility="lobby",
    ruleset="bagh",
    game="bagh",
    wins_needed=3,
    seconds=60,
    red_person=None,
    blue_person=None,
    red_name="Ann",
    blue_name=None,
    red_kind="guest",
    blue_kind=None,
    red_wins=0,
    blue_wins=0,
    draws=0,
    games=0,
    rounds=0,
    winner=None,
    reason=None,
    rated=False,
    deadline=None,
)
PLAYING = OPEN._replace(status="playing", blue_name="Bob", blue_kind="guest", deadline=1060.0)
OVER = PLAYING._replace(status="over", winner="red", reason="score", red_wins=3, deadline=None)


def event(seq: int, **body: object) -> StoredEvent:
    return StoredEvent(seq, 1000.0 + seq, {"type": "chosen", **body})
