"""The shell for Discord: challenges, duels in threads, and choices that only their player sees.

`run.py` keeps a client connected, `client.py` is that client. It uses the live service in this
process, on the same store as the web server. Discord calls a server a guild, and a typed command
or a pressed button an interaction.
"""
