"""The records of a match as one archive, with the log of all rounds as text."""

import asyncio
import io
import zipfile

from holmgang.engine.menu import label_text
from holmgang.live.refusal import Refused
from holmgang.live.service import Service
from holmgang.wire.match import GameLog, MatchView

LOG_NAME = "rounds.txt"


async def archive_of(service: Service, view: MatchView) -> bytes:
    """The records of the games of a match as ZIP; empty if no round was played."""
    files = {}
    texts = []
    for line in view.games:
        try:
            record = await service.record(view.match, line.number)
        except Refused:
            continue
        game = await service.game(view.match, line.number)
        if game.log:
            files[f"{view.game_name}-{view.match}-{line.number}.jsonl"] = record
            texts.append(log_text(game))
    if not files:
        return b""
    files[LOG_NAME] = "\n".join(texts).encode()
    return await asyncio.to_thread(zipped, files)


def zipped(files: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


def log_text(game: GameLog) -> str:
    """All rounds of a game, for people."""
    lines = [f"Game {game.number}"]
    for line in game.log:
        choices = ", ".join(f"{seat} {label_text(label)}" for seat, label in line.labels.items())
        chance = f" ({line.chance_text})" if line.chance_text else ""
        lines.append(f"Round {line.round}: {choices}{chance}. {' '.join(line.story)}")
    return "\n".join([*lines, game.ending, ""])
