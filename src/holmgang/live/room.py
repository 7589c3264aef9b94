"""A match that this process has loaded, with its followers."""

import asyncio
from collections.abc import Callable
from typing import Any

import orjson

from holmgang.live.clock import PlayClock
from holmgang.live.match import LiveMatch
from holmgang.live.round_log import encode
from holmgang.live.subscription import Subscription
from holmgang.live.view import MatchViews, ViewParts, patch

Extras = Callable[["Room"], dict[str, Any]]
"""Fields of a view that do not come from the log."""


class Group:
    """Followers who see the same: one seat or all spectators, with pictures or without."""

    def __init__(self, parts: ViewParts, version: int, game: int, rounds: int) -> None:
        self.followers: set[Subscription] = set()
        self.remember(parts, version, game, rounds)

    def remember(self, parts: ViewParts, version: int, game: int, rounds: int) -> None:
        """Stores what the followers have been shown: the view, its version, the game, and the
        number of its rounds.
        """
        self.parts, self.version, self.game, self.rounds = parts, version, game, rounds


class Room:
    """One match in this process. `match` has durable events only and never changes; it is replaced
    while `lock` is held.
    """

    def __init__(self, match: LiveMatch, extras: Extras, now: float) -> None:
        self.lock = asyncio.Lock()
        self.groups: dict[tuple[str | None, bool], Group] = {}
        self.thinking: set[tuple[str, int, int]] = set()
        """Levels and bots at work: seat, game, round; round 0 for the answer to a draw offer."""
        self.rating_changes: dict[str, Any] | None = None
        self.remote_seq = 0
        """The last event that another process has announced; 0 if it is known here."""
        self.timer: asyncio.TimerHandle | None = None
        self.used_at = now
        self.client: str | None = None
        """The address from which a player was last heard of; None if it is unknown."""
        self.waiters = 0
        self.changed = asyncio.Event()
        self.records: dict[tuple[int, bool], asyncio.Task[bytes]] = {}
        """The records of finished games, by their number and whether the match was over."""
        self._extras = extras
        self.match = match
        self.views = MatchViews(match)

    def show(self, match: LiveMatch) -> None:
        """Replaces the match with itself after more events, which are durable."""
        self.views.advance(match)
        self.match = match

    @property
    def is_followed(self) -> bool:
        return bool(self.groups) or self.waiters > 0

    @property
    def watching(self) -> int:
        """Number of spectators in this process."""
        return sum(len(group.followers) for (seat, _), group in self.groups.items() if seat is None)

    def view(self, seat: str | None, *, picture: bool) -> dict[str, Any]:
        return self.views.view(seat, picture=picture, extras=self._extras(self))

    def whole(self, seat: str | None, *, picture: bool) -> bytes:
        """The frame with the whole view."""
        return encode({"type": "view", "view": self.view(seat, picture=picture)})

    def follow(self, seat: str | None, *, picture: bool) -> Subscription:
        key = seat, picture
        group = self.groups.get(key)
        if group is None:
            moment = self.views.moment(self._extras(self))
            parts = self.views.parts(seat, picture=picture, moment=moment)
            group = self.groups[key] = Group(parts, *self._shown(seat))
        follower = Subscription(lambda: self.whole(seat, picture=picture))
        group.followers.add(follower)
        follower.put(self.whole(seat, picture=picture))
        return follower

    def _shown(self, seat: str | None) -> tuple[int, int, int]:
        """The progress of the match, for `Group.remember`."""
        games = self.match.match.games
        return self.match.versions[seat], len(games), len(games[-1].rounds) if games else 0

    def leave(self, follower: Subscription, seat: str | None, *, picture: bool) -> None:
        group = self.groups.get((seat, picture))
        if group is not None:
            group.followers.discard(follower)
            if not group.followers:
                del self.groups[seat, picture]

    def publish(self) -> None:
        """Sends all followers what has changed since their last frame."""
        moment: dict[str, Any] | None = None
        for (seat, picture), group in self.groups.items():
            version, game, rounds = self._shown(seat)
            if group.version == version:
                continue
            if moment is None:
                moment = self.views.moment(self._extras(self))
            parts = self.views.parts(seat, picture=picture, moment=moment)
            frame = orjson.dumps(
                {
                    "type": "change",
                    "since": group.version,
                    "version": version,
                    "patch": patch(group.parts, parts),
                    "rounds": self.views.rounds_since(group.game, group.rounds),
                }
            )
            group.remember(parts, version, game, rounds)
            for follower in group.followers:
                follower.put(frame)
        if self.waiters:
            self.changed.set()
            self.changed = asyncio.Event()

    def close(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
        for group in self.groups.values():
            for follower in group.followers:
                follower.close()
        self.changed.set()


def read_match(id: str, events: list[Any], clock: PlayClock) -> LiveMatch:  # noqa: A002
    """The match of a log."""
    match = LiveMatch(id, clock)
    match.apply(events)
    return match
