"""What a person can type besides a choice."""

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from holmgang.errors import UsageError
from holmgang.games.shape import brief


class CommandVerb(Enum):
    WHAT_IF = "?"
    HELP = "help"
    RULES = "rules"
    UNDO = "undo"
    DRAW = "draw"
    DECLINE = "decline"
    FORFEIT = "forfeit"
    QUIT = "quit"


LINES = {
    CommandVerb.WHAT_IF: "what a choice would do against every choice of the opponent",
    CommandVerb.HELP: "this list of commands",
    CommandVerb.RULES: "the rules of the game",
    CommandVerb.UNDO: "take the last choice back, until the reveal",
    CommandVerb.DRAW: "offer a draw, or accept one",
    CommandVerb.DECLINE: "decline a draw, or take back your offer",
    CommandVerb.FORFEIT: "give up {forfeits}",
    CommandVerb.QUIT: "leave the match; it can be continued",
}
LOCAL_VERBS = tuple(verb for verb in CommandVerb if verb is not CommandVerb.DECLINE)
"""Verbs of a local match: a person who is offered a draw there is asked directly."""
ALIASES = {"exit": CommandVerb.QUIT, "resign": CommandVerb.FORFEIT, "what": CommandVerb.WHAT_IF}


def command_lines(verbs: Sequence[CommandVerb], forfeits: str) -> dict[CommandVerb, str]:
    """What each command does; `forfeits` is what is lost by giving up."""
    return {verb: LINES[verb].format(forfeits=forfeits) for verb in verbs}


class TypedCommand(NamedTuple):
    verb: CommandVerb
    rest: str = ""


def parse_command(
    text: str, words: list[str], verbs: Sequence[CommandVerb] = LOCAL_VERBS
) -> TypedCommand | None:
    """The command that was typed, one of `verbs`, or None if it must be a choice.

    A slash makes anything a command; without one, a word of the menu (`words`) comes first.

    >>> parse_command("? attack", ["attack"])
    TypedCommand(verb=<CommandVerb.WHAT_IF: '?'>, rest='attack')
    >>> parse_command("forfeit", ["keep", "forfeit"]) is None
    True
    """
    text = text.strip()
    if text.startswith("?"):
        rest = text.lstrip("?").strip()
        return TypedCommand(CommandVerb.WHAT_IF, rest) if rest else TypedCommand(CommandVerb.HELP)
    slashed = text.startswith("/")
    name, _, rest = text.removeprefix("/").strip().lower().partition(" ")
    if not slashed and text.lower() in words:
        return None
    verb = ALIASES.get(name) or next((verb for verb in verbs if verb.value == name), None)
    if verb is None and slashed:
        known = ", ".join(verb.value for verb in verbs)
        raise UsageError(f"There is no command {brief(name)}; there are {known}.")
    if verb is None or (rest and verb is not CommandVerb.WHAT_IF):
        return None
    if verb is CommandVerb.WHAT_IF and not rest:
        return TypedCommand(CommandVerb.HELP)
    return TypedCommand(verb, rest.strip())
