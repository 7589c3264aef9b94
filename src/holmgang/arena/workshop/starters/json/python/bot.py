"""@NAME@, a bot for Holmgang: it answers each request for a choice with a line of JSON."""

import json
import sys
from typing import Any


def think(request: dict[str, Any]) -> dict[str, Any]:
    """What to do. Think here: README.md shows what is in a request.

    The answer is a choice, such as {"choice": "attack"}; or a mix, such as
    {"mix": {"attack": 3, "guard": 1}}, from which the judge draws, here attack 3 times of 4.
    """
    return {"mix": dict.fromkeys(request["choices"], 1)}


def main() -> None:
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            answer = {"name": "@NAME@", "author": "@AUTHOR@", "protocol": 1}
        elif message["type"] == "choose":
            answer = {"id": message["id"], **think(message)}
        else:
            continue  # the start or the end of a game, or what a later version may say
        print(json.dumps(answer), flush=True)


main()
