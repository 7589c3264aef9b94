"""Bots in folders, for tests that need real ones: they play one choice for ever."""

import textwrap
from pathlib import Path

PROGRAM = """
    import json, sys
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            print(json.dumps({"type": "hello", "protocol": 1, "name": "NAME", "author": "tests"}))
        elif message["type"] == "choose":
            choices = message["choices"]
            choice = "CHOICE" if "CHOICE" in choices else choices[0]
            print(json.dumps({"id": message["id"], "choice": choice}))
        sys.stdout.flush()
"""


def bot_folder(folder: Path, choice: str) -> Path:
    """A bot that makes this choice whenever it may."""
    folder.mkdir(parents=True, exist_ok=True)
    program = textwrap.dedent(PROGRAM).replace("CHOICE", choice).replace("NAME", folder.name)
    (folder / "bot.py").write_text(program, encoding="utf-8")
    (folder / "bot.toml").write_text('command = "python3 bot.py"\n', encoding="utf-8")
    return folder
