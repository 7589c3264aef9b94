"""The settings that the bot is started with."""

import os
from dataclasses import dataclass

from holmgang.errors import UsageError

TOKEN_VARIABLE = "HOLMGANG_DISCORD_TOKEN"  # noqa: S105 - the name of a variable
LONGEST_ROLE = 100


@dataclass(frozen=True)
class DiscordSettings:
    token: str
    database: str | None = None
    role: str = "bagher"
    """Name of the players' role."""
    web_address: str = ""
    """Address of the web server on the same database, without a trailing slash."""
    log_json: bool = False
    challenge_seconds: float = 86_400.0
    """Time to answer a challenge where a server has not set another."""
    tick_seconds: float = 5.0
    """Interval of the search for expired challenges."""
    members_seconds: float = 600.0
    """Interval of the search for challenges between members of whom one has left."""
    quick_start: bool = False
    """Whether a server that is slow to load counts as absent, for tests."""


def read_settings(
    database: str | None, role: str, web_address: str | None, *, log_json: bool
) -> DiscordSettings:
    """The settings from the command line and the environment. Raises `UsageError`."""
    token = os.environ.get(TOKEN_VARIABLE, "").strip()
    if not token:
        raise UsageError(
            f"the bot needs its token: set {TOKEN_VARIABLE} to your application's token, "
            "from discord.com/developers/applications under Bot"
        )
    if not 0 < len(role.strip()) <= LONGEST_ROLE:
        raise UsageError(f"--role is a name of 1 to {LONGEST_ROLE} characters")
    address = (web_address or "").rstrip("/")
    if address and not address.startswith(("http://", "https://")):
        raise UsageError(f"--web-address begins with http:// or https://; not {address!r}")
    return DiscordSettings(token, database, role.strip(), address, log_json)
