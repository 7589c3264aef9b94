"""Matches on a server: the client of docs/live-protocol.md, over plain HTTP with long polling.

`connection.py` sends requests, `view.py` reads answers, `threads.py` follows a match in the
background, and `session.py` is the match for the front ends. `client.py` has the requests of a
user; `identity.py` stores who that is. `lines.py` is the menu in lines of text; that of the full
screen is in `terminal/screen/lobby.py`.

Nothing that a server sends is trusted: sizes are limited, redirects are not followed, answers are
checked before they are used, and texts are escaped before they are shown.
"""
