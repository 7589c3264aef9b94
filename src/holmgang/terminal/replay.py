"""`holmgang replay`: shows a record, or checks it."""

import sys
from pathlib import Path

from holmgang.engine import record as records
from holmgang.engine.frames import Replay, chance_text, read_replay
from holmgang.engine.replay_page import replay_page
from holmgang.engine.seal import check_seal
from holmgang.errors import RecordError, UsageError
from holmgang.games.contract import SEATS
from holmgang.terminal.dialogue import Dialogue
from holmgang.terminal.play import has_screen
from holmgang.terminal.printing import print_json, write_text


def show_record(path: Path, *, plain: bool, start: int | None) -> None:
    """Shows a record round by round: on the full screen, or all at once in lines."""
    replay = read_replay(path)
    last = len(replay.frames) - 1
    if start is not None and start > last:
        raise UsageError(f"{path} has rounds 0 to {last}; not {start}")
    if has_screen(plain=plain):
        from holmgang.terminal.screen.replay import ReplayApp

        ReplayApp(replay, start or 0).run()
    else:
        print_replay(replay, start or 0)


def verify_record(path: Path, *, as_json: bool) -> None:
    """Replays the record by the rules. Raises RecordError or ReplayError if anything differs."""
    record = records.read(path)
    if not record.is_complete:
        raise RecordError(f"{path} is incomplete: it has no result line")
    duel = records.replay(record)
    outcome, seal = duel.outcome, check_seal(record, duel)
    assert outcome is not None  # noqa: S101 - a complete record has a result
    rounds = len(record.rounds)
    if as_json:
        checked = {"ok": True, "ruleset": record.ruleset.text, "rounds": rounds}
        sealed = {} if seal is None else {"seal": "ok", "commitment": seal.commitment}
        print_json({**checked, **outcome.as_json(), **sealed})
        return
    won = "draw" if outcome.winner is None else f"{outcome.winner} wins"
    told = "abandoned" if outcome.reason == "abandoned" else f"{won} ({outcome.reason})"
    plural = "" if rounds == 1 else "s"
    sys.stdout.write(f"ok: {record.ruleset.text}, {rounds} round{plural}, {told}\n")
    if seal is not None:
        sys.stdout.write(
            "The dice were fixed before the first round: all follow from the sealed seed.\n"
            f"Commitment: {seal.commitment}\n"
        )


def write_page(path: Path, target: Path) -> None:
    """Writes a record as a web page of one file."""
    write_text(target, replay_page(records.read(path)))


def print_replay(replay: Replay, start: int) -> None:
    dialogue, record = Dialogue(), replay.record
    names = replay.names
    dialogue.say(f"{record.ruleset.entry.title} ({record.ruleset.text})")
    dialogue.say(f"Red: {names['red']}  Blue: {names['blue']}")
    if not record.is_complete:
        dialogue.say("This record is incomplete.")
    for number, frame in enumerate(replay.frames[start:], start=start):
        revealed = frame.revealed
        if revealed is None:
            dialogue.show_board(record.ruleset, frame.state)
            continue
        made = {seat.capitalize(): getattr(revealed, seat) for seat in SEATS}
        choices = "  ".join(f"{name}: {word}" for name, word in made.items() if word is not None)
        chance = chance_text(revealed)
        dialogue.say(f"Round {number}  {choices}" + (f"  ({chance})" if chance else ""))
        for line in revealed.story:
            dialogue.tell(line, "  ")
    if len(replay.frames) > 1:
        dialogue.show_board(record.ruleset, replay.frames[-1].state)
    dialogue.tell(replay.ending)
