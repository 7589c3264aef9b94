"""The permissions that the bot needs, and how it asks for those that are missing."""

import discord

NEEDED = discord.Permissions(
    view_channel=True,
    send_messages=True,
    attach_files=True,
    read_message_history=True,
    manage_roles=True,
    create_public_threads=True,
    send_messages_in_threads=True,
)
"""Permissions that the invitation asks for. Private threads need another one, for which the bot
asks when they are switched on.
"""
IN_CHANNEL = (
    "view_channel",
    "send_messages",
    "attach_files",
    "read_message_history",
    "create_public_threads",
    "send_messages_in_threads",
)
"""Permissions that a duel needs in its channel."""
LABELS = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "attach_files": "Attach Files",
    "read_message_history": "Read Message History",
    "create_public_threads": "Create Public Threads",
    "create_private_threads": "Create Private Threads",
    "send_messages_in_threads": "Send Messages in Threads",
    "manage_roles": "Manage Roles",
}
"""The names that Discord shows."""


def missing(
    own: discord.Permissions, where: str = "this channel", *, is_private: bool = False
) -> str:
    """A message about the permissions for a duel that the bot lacks in a channel; empty if it has
    all. `is_private`: whether the duel gets a private thread.
    """
    used = [name for name in IN_CHANNEL if not (is_private and name == "create_public_threads")]
    if is_private:
        used.append("create_private_threads")
    return grant([name for name in used if not getattr(own, name)], where)


def grant(names: list[str], where: str = "this channel") -> str:
    if not names:
        return ""
    labels = ", ".join(LABELS[name] for name in names)
    return (
        "I am not allowed to do that here. Someone who manages this server has to grant me, in "
        f"{where}: **{labels}**."
    )


ROLE_HELP = (
    "I am not allowed to give the role {role}. Someone who manages this server has to grant me "
    "**Manage Roles**, and move my own role above {role} in Server Settings → Roles."
)
THREAD_HELP = {
    "deleted": "The thread of this duel was deleted. You can play on with `/duel`; someone who "
    "manages this server can type `/restore`.",
    "locked": "The thread of this duel is locked. You can play on with `/duel`; when someone who "
    "manages threads unlocks it, I post there again.",
    "forbidden": "I am not allowed to post in the thread of this duel. Someone who manages this "
    "server has to grant me **View Channel**, **Send Messages in Threads** and **Attach Files** "
    "there. Until then you can play with `/duel`.",
}
"""Why nothing is posted in a thread, by its state; a state that is missing is no obstacle."""
TOO_MANY_THREADS_HELP = (
    "This server has too many open threads for another one. You can play with `/duel`; the thread "
    "opens when there is room."
)
