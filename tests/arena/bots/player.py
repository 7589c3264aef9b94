"""A well-behaved bot: `python player.py [HABIT…]`, with habits that the tests ask for.

Habits: `mix` answers with a mix, `echo` writes what it is told to standard error, `illegal` chooses
what there is not, `stale` answers the request before as well, `early` the one after, `forfeit`
gives up, `quit` ends after a few answers, `silent` says no hello, `rude` says a wrong one,
`sleep=MS` and `work=MS` take that long for each answer, `late=MS` for the hello, `pid` tells its
process number.
"""

import json
import os
import sys
import time

HABITS = dict(habit.partition("=")[::2] for habit in sys.argv[1:])


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def take_time():
    if "sleep" in HABITS:
        time.sleep(float(HABITS["sleep"]) / 1000)
    if "work" in HABITS:
        until = time.process_time() + float(HABITS["work"]) / 1000
        while time.process_time() < until:
            pass


def answer(message):
    number, choices = message["id"], message["choices"]
    take_time()
    if "stale" in HABITS:
        say({"id": number - 1, "choice": choices[0]})
    if "quit" in HABITS and number > 3:
        sys.exit(3)
    if "forfeit" in HABITS:
        say({"id": number, "forfeit": True})
    elif "mix" in HABITS:
        say({"id": number, "mix": {choices[0]: 3, choices[-1]: 1}})
    elif "illegal" in HABITS:
        say({"id": number, "choice": "surrender"})
    elif "early" in HABITS:
        say({"id": number + 1, "choice": choices[0]})
    else:
        say({"id": number, "choice": choices[number * 7 % 5 % len(choices)]})


def main():
    if "pid" in HABITS:
        sys.stderr.write(f"{os.getpid()}\n")
    for line in sys.stdin:
        if "echo" in HABITS:
            sys.stderr.write(line)
            sys.stderr.flush()
        message = json.loads(line)
        if message["type"] == "hello" and "silent" not in HABITS:
            time.sleep(float(HABITS.get("late", 0)) / 1000)
            protocol = 99 if "rude" in HABITS else 1
            say({"name": "player", "author": "tests", "protocol": protocol})
        elif message["type"] == "choose":
            answer(message)


main()
