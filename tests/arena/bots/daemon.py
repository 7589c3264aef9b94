"""A bot that leaves helpers behind: a child, and one that has left its session and lost its parent.

The helpers keep its command line, so that a test can find them.
"""

import os
import time

if os.fork() == 0:
    time.sleep(600)
if (parent := os.fork()) == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(600)
    os._exit(0)
os.waitpid(parent, 0)
import player  # noqa: E402, F401 - it plays when it is imported
