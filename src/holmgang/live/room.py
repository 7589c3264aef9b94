"""A match that this process has loaded, with its followers."""

import asyncio
from collections.abc import Callable

from holmgang.live.clock import PlayClock
from holmgang.live.match import LiveMatch
from holmgang.live.round_log import RoundLog, encode
from holmgang.live.subscription import Subscription
from holmgang.live.view import Extras, Fields, MatchViews, Sight, changes
from holmgang.store import StoredEvent
from holmgang.wire.match import ChangeFrame, MatchView, ViewFrame


class ViewerGroup:
    """Followers who see the same: one seat or all spectators, with pictures or without."""

    def __init__(self, shown: Sight) -> None:
        self.followers: set[Subscription] = set()
        self.shown = shown
        """What they were sent last."""


class Room:
    """One match in this process. `match` has durable events only and never changes; it is replaced
    while `lock` is held.
    """

    def __init__(self, match: LiveMatch, extras: Callable[["Room"], Extras], now: float) -> None:
        self.lock = asyncio.Lock()
        self.groups: dict[tuple[str | None, bool], ViewerGroup] = {}
        self.thinking: set[tuple[str, int, int]] = set()
        """Levels and bots at work: seat, game, round; round 0 for the answer to a draw offer."""
        self.rating_changes: dict[str, list[float]] | None = None
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

    def view(self, seat: str | None, *, picture: bool) -> MatchView:
        return self.views.view(seat, picture=picture, extras=self._extras(self))

    def whole(self, seat: str | None, *, picture: bool) -> bytes:
        """The frame with the whole view."""
        return encode(ViewFrame(view=self.views.whole(self._sight(seat, picture=picture))))

    def _sight(self, seat: str | None, *, picture: bool) -> Sight:
        return self.views.sight(seat, self.views.public(self._extras(self)), picture=picture)

    def follow(self, seat: str | None, *, picture: bool) -> Subscription:
        sight = self._sight(seat, picture=picture)
        group = self.groups.setdefault((seat, picture), ViewerGroup(sight))
        follower = Subscription(lambda: self.whole(seat, picture=picture))
        group.followers.add(follower)
        follower.put(encode(ViewFrame(view=self.views.whole(sight))))
        return follower

    def leave(self, follower: Subscription, seat: str | None, *, picture: bool) -> None:
        group = self.groups.get((seat, picture))
        if group is not None:
            group.followers.discard(follower)
            if not group.followers:
                del self.groups[seat, picture]

    def publish(self) -> None:
        """Sends all followers what has changed since their last frame."""
        public: tuple[Fields, ...] | None = None
        shared: dict[int, tuple[Fields, RoundLog]] = {}  # what is new, by what was shown before
        for (seat, picture), group in self.groups.items():
            old = group.shown
            if old.version == self.match.versions[seat]:
                continue
            if public is None:
                public = self.views.public(self._extras(self))
            known = id(old.public)
            if known not in shared:
                news = self.views.public_changes(old.public, public)
                shared[known] = news, self.views.rounds_since(old.place)
            patch, rounds = shared[known]
            new = group.shown = self.views.sight(seat, public, picture=picture)
            frame = encode(
                ChangeFrame(
                    since=old.version,
                    version=new.version,
                    patch=patch | changes(old.own, new.own),
                    rounds=rounds,
                )
            )
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


def read_match(id: str, events: list[StoredEvent], clock: PlayClock) -> LiveMatch:  # noqa: A002
    """The match of a log."""
    match = LiveMatch(id, clock)
    match.apply(events)
    return match
