"""`holmgang new-bot`: writes a bot, builds it, and says how to go on."""

import shlex
import sys
from pathlib import Path

from holmgang.arena.workshop.build import build, build_command, can_build
from holmgang.arena.workshop.new_bot import LANGUAGES, README, new_bot
from holmgang.games.finding import typed
from holmgang.games.ruleset import load
from holmgang.machine import program
from holmgang.terminal.printing import print_json

LINES = {
    "bot.toml": "how it is started",
    README: "what it is asked, and what to do next",
}


def run(game: str, folder: Path | None, *, language: str, protocol: str, as_json: bool) -> None:
    ruleset = load(game)
    folder = folder or Path(f"{ruleset.entry.name}-{language}")
    files = new_bot(ruleset, language, folder, protocol=protocol)
    words = build_command(folder)
    command = None if words is None else shlex.join(words)
    is_ready = can_build(folder)
    if is_ready:
        build(folder)
    if as_json:
        made = {"folder": str(folder), "files": files, "build": command, "is_ready": is_ready}
        print_json(made)
        return
    place, text = shlex.quote(str(folder)), shlex.quote(typed(ruleset))
    lines = [f"{folder}: a bot for {ruleset.text} in {LANGUAGES[language]}"]
    width = max(map(len, files))
    lines += [f"  {name:<{width}}  {LINES.get(name, 'the program')}" for name in files]
    if command is not None:
        lines += [
            "",
            "built by" if is_ready else "not built: the compiler is not installed. Build it with:",
        ]
        lines[-1] += f" {command}"
    lines += [
        "",
        f"{program()} check {place} {text}",
        f"{program()} match {text} {place} random --games 100",
    ]
    sys.stdout.write("\n".join(lines) + "\n")
