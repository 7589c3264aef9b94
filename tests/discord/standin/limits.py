"""Rate limits: buckets by route and major parameter, and the global limit of the bot."""

import re
import time
from collections import defaultdict

MAJOR = re.compile(r"/(channels|guilds)/(\d+)|/webhooks/(\d+)/([^/]+)|/interactions/(\d+)/([^/]+)")
EXEMPT = ("/interactions/", "/webhooks/")
"""Interaction endpoints do not count for the global limit."""


class Limits:
    """Counts requests. Discord's own numbers are not documented, so each test may set them."""

    def __init__(self) -> None:
        self.requests, self.seconds = 1000, 1.0
        """Of a bucket."""
        self.posts: tuple[int, float] | None = None
        """Of the bucket for messages in one channel, if it is another one."""
        self.edits: dict[int, tuple[int, float]] = {}
        """Of the bucket for edits in a channel, by its id."""
        self.most_old_edits = 1000
        """Edits of a message that is more than an hour old; Discord's number is not documented."""
        self.global_requests = 50
        self.has_via = True
        self.refusals = 0
        self._buckets: dict[str, list[float]] = defaultdict(list)
        self._global: list[float] = []

    def count(self, method: str, path: str):
        """The headers of the answer, and None or the body of a 429."""
        now = time.monotonic()
        limit, seconds = self.requests, self.seconds
        template = re.sub(r"\d{15,}", "{id}", path)
        if self.posts is not None and re.search(r"/channels/\{id\}/messages(/\{id\})?$", template):
            limit, seconds = self.posts
        major = MAJOR.search(path)
        if method == "PATCH" and major and major[2] and int(major[2]) in self.edits:
            limit, seconds = self.edits[int(major[2])]
        key = f"{method} {template} {major[0] if major else ''}"
        times = self._buckets[key] = [each for each in self._buckets[key] if each > now - seconds]
        after = times[0] + seconds - now if times else seconds
        headers = {
            "X-RateLimit-Limit": str(limit),
            "X-RateLimit-Remaining": str(max(0, limit - len(times) - 1)),
            "X-RateLimit-Reset": f"{time.time() + after:.3f}",
            "X-RateLimit-Reset-After": f"{after:.3f}",
            "X-RateLimit-Bucket": f"{abs(hash((method, template))):x}",
        }
        if self.has_via:
            headers["Via"] = "1.1 google"
        if len(times) >= limit:
            return self._refuse(headers, "user", after)
        if not any(each in path for each in EXEMPT):
            self._global = [each for each in self._global if each > now - 1.0]
            if len(self._global) >= self.global_requests:
                return self._refuse(headers, "global", self._global[0] + 1.0 - now)
            self._global.append(now)
        times.append(now)
        return headers, None

    def refuse_edit(self):
        """The headers and the body of the refusal of one more edit of an old message."""
        headers, body = self._refuse({"Via": "1.1 google"} if self.has_via else {}, "user", 3600.0)
        return headers, body | {"code": 30046, "message": "Maximum number of edits reached."}

    def _refuse(self, headers, scope: str, after: float):
        self.refusals += 1
        headers |= {"X-RateLimit-Scope": scope, "Retry-After": f"{after:.3f}"}
        if scope == "global":
            headers["X-RateLimit-Global"] = "true"
        return headers, {
            "message": "You are being rate limited.",
            "retry_after": round(after, 3),
            "global": scope == "global",
        }
