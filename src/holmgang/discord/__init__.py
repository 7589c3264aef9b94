"""The shell for Discord: challenges, duels in threads, and choices that only their player sees.

`run.py` keeps a client connected, `client.py` is that client. It plays on the live service in this
process, on the same store as the web server. Discord calls a server a guild; what Discord calls an
interaction is a command that someone typed or a button that someone pressed.
"""
