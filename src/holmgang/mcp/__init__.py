"""The shell for agents: a server of the Model Context Protocol.

`duels.py` has duels in this process and on a live server, `server.py` the tools.
"""
