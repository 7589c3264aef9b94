"""A bot that says the lines of its first argument in turn, and tells standard error what it reads.

It answers a hello and every request, as it must, and nothing else.
"""

import sys

lines = iter(sys.argv[1].splitlines())
for line in sys.stdin:
    sys.stderr.write(line)
    sys.stderr.flush()
    if '"type":"hello"' in line or '"type":"choose"' in line:
        sys.stdout.write(next(lines) + "\n")
        sys.stdout.flush()
