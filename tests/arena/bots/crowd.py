"""A bot that would use the processor in its opponent's time: `python crowd.py HABIT PROCESSES`.

It starts so many processes that never rest, stops them when it is asked, and wakes them just before
it answers (`signal`); or they sleep for a while now and then and nobody stops them (`timer`); or
they have left its session and lost their parent (`daemon`), and else are like the first; or they
are stopped for good (`never`). It says on standard error how much processor time they used, in
milliseconds, each time it is asked.
"""

import json
import os
import signal
import sys
import time

HABIT, PROCESSES = sys.argv[1], int(sys.argv[2])


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def cpu_ms(pid):
    return time.clock_gettime_ns(~pid << 3 | 2) / 1e6


def burn():
    if HABIT == "timer":
        time.sleep(0.02)
    until = time.monotonic() + (0.2 if HABIT == "timer" else 3600)
    while time.monotonic() < until:
        pass


def start():
    """The process number of one more of the crowd."""
    told, telling = os.pipe()
    child = os.fork()
    if child == 0:
        if HABIT == "daemon":
            os.setsid()
            if os.fork() != 0:
                os._exit(0)
        os.write(telling, str(os.getpid()).encode())
        while True:
            burn()
    if HABIT == "daemon":
        os.waitpid(child, 0)
    pid = int(os.read(told, 32))
    os.close(told)
    os.close(telling)
    return pid


def signal_all(crowd, number):
    if HABIT != "timer":
        for pid in crowd:
            os.kill(pid, number)


def main():
    crowd, used = [], 0
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say({"name": "crowd", "author": "tests", "protocol": 1})
        elif message["type"] == "choose":
            signal_all(crowd, signal.SIGSTOP)
            now = sum(map(cpu_ms, crowd))
            if crowd:
                print(now - used, file=sys.stderr, flush=True)
            while len(crowd) < PROCESSES:
                crowd.append(start())
                signal_all(crowd[-1:], signal.SIGSTOP)
                if HABIT in {"signal", "never"}:
                    os.waitpid(crowd[-1], os.WUNTRACED)
            used = sum(map(cpu_ms, crowd))
            if HABIT != "never":
                signal_all(crowd, signal.SIGCONT)
            say({"id": message["id"], "choice": message["choices"][message["id"] % 3]})


main()
