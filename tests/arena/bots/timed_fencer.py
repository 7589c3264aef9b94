"""A fencer that takes its time: `python timed_fencer.py HABIT=MS`, by its own clock.

It works or sleeps for so long: itself (`work`, `sleep`), in a thread that it starts for each answer
(`work-thread`, `sleep-thread`), or in a process (`work-child`, `sleep-child`).
"""

import os
import sys
import threading
import time


def work(seconds):
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


habit, _, ms = sys.argv[1].partition("=")
habit, _, where = habit.partition("-")
take_time = work if habit == "work" else time.sleep
seconds = float(ms) / 1000
turn = 0
while True:
    mine, yours = input(), input()
    if where == "thread":
        thread = threading.Thread(target=take_time, args=(seconds,))
        thread.start()
        thread.join()
    elif where == "child":
        if os.fork() == 0:
            take_time(seconds)
            os._exit(0)
        os.wait()
    else:
        take_time(seconds)
    print("BREAK" if turn % 4 else "WALK", flush=True)
    turn += 1
