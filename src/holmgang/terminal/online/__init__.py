"""Matches on a server: the client of docs/live-protocol.md.

`following.py` follows a match over its WebSocket and sends commands, `session.py` is the match for
the front ends, and `view.py` has its view. `client.py` has the other requests of a user, which
`connection.py` sends over HTTP; `identity.py` stores who that is. `line_menu.py` is the menu in
lines of text; that of the full screen is in `terminal/screen/lobby.py`.

Messages have the types of `holmgang/wire`; fields and frames of newer servers are ignored. Nothing
that a server sends is trusted: sizes are limited, redirects are not followed, answers are checked
before they are used, and texts are escaped before they are shown.
"""
