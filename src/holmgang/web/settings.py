"""The settings of a server: the options of `holmgang serve`."""

from dataclasses import dataclass
from pathlib import Path

DEFAULT_PORT = 8000


@dataclass(frozen=True, slots=True)
class ServerSettings:
    host: str = "127.0.0.1"
    port: int | None = None
    """None: the default port, or any free one if that is taken."""
    database: str | None = None
    """None: a SQLite file in the user's data folder."""
    bots: Path | None = None
    trust: bool = False
    """Whether bots run without the sandbox."""
    behind_proxy: bool = False
    """Whether X-Forwarded-For and X-Forwarded-Proto come from a proxy of ours."""
    workers: int = 1
    log_json: bool = False
    opens_browser: bool = False
    has_limits: bool = True
    """Whether the number of requests is limited by address and by account."""
    builds_tables: bool = True
    """Whether tables of the default rulesets, and puzzles from them, are made in the background."""

    upload_days: int = 90
    """Days for which an upload is kept that nobody looks at."""
    upload_mb: int = 1000
    """Megabytes that all uploads together may take."""

    @property
    def is_local(self) -> bool:
        """Whether only this machine can connect, and directly."""
        return not self.behind_proxy and self.host in ("127.0.0.1", "::1", "localhost")
