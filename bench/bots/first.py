"""A bot that thinks of nothing: what it chooses follows from the number of the request."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "choose":
        choices = message["choices"]
        bits = (message["id"] * 2 + (message["seat"] == "red")) * 0x9E3779B97F4A7C15
        choice = choices[(bits ^ bits >> 29) * 0xBF58476D1CE4E5B9 % 2**64 % 1009 % len(choices)]
        answer = {"id": message["id"], "choice": choice}
    elif message["type"] == "hello":
        answer = {"name": "first", "author": "bench", "protocol": 1}
    else:
        continue
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()
