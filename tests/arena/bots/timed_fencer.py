"""A fencer that takes its time: `python timed_fencer.py work=MS|sleep=MS`, by its own clock."""

import sys
import time

habit, _, ms = sys.argv[1].partition("=")
seconds = float(ms) / 1000
turn = 0
while True:
    mine, yours = input(), input()
    if habit == "work":
        until = time.process_time() + seconds
        while time.process_time() < until:
            pass
    else:
        time.sleep(seconds)
    print("BREAK" if turn % 4 else "WALK", flush=True)
    turn += 1
