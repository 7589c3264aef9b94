"""A bot that would think for longer than it is charged: `python relay.py MS`.

From its third answer on, it works for so many milliseconds in processes that end at once, one after
the other, while another of its processes waits for the processor all the time.
"""

import json
import os
import signal
import sys
import time

PIECE = 0.004


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def work(seconds):
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


def wait_for_the_processor():
    if os.fork() == 0:
        os.setpriority(os.PRIO_PROCESS, 0, 19)
        while True:
            pass


def work_unseen(ms):
    for _ in range(round(ms / 1000 / PIECE)):
        done, doing = os.pipe()
        if os.fork() == 0:
            work(PIECE)
            os._exit(0)
        os.close(doing)
        os.read(done, 1)  # until the other end is closed
        os.close(done)


def main():
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody adds up what they used
    asked = 0
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say({"name": "relay", "author": "tests", "protocol": 1})
            wait_for_the_processor()
        elif message["type"] == "choose":
            asked += 1
            if asked == 2:
                time.sleep(0.03)  # for the judge to find the one that waits
            elif asked > 2:
                work_unseen(float(sys.argv[1]))
            say({"id": message["id"], "choice": message["choices"][0]})


main()
