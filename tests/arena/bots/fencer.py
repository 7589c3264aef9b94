r"""A fencer as one writes it for CodinGame: `python fencer.py WORD…` says these words in turn.

It tells standard error what it reads. `\r`, `\t` and the like are written as in Python.
"""

import sys

words = [word.encode().decode("unicode_escape") for word in sys.argv[1:]]
turn = 0
while True:
    mine, yours = input(), input()
    print(mine, yours, sep="|", file=sys.stderr, flush=True)
    print(words[min(turn, len(words) - 1)], flush=True)
    turn += 1
