"""Bots as processes: how they are spoken to, refereed, timed, contained and counted."""
