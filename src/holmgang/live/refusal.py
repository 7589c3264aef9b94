"""Refusals of the live protocol: a code for programs, a message for people."""

from holmgang.errors import ChoiceError, HolmgangError, LateChoice


class Refused(HolmgangError):  # noqa: N818 - it reads as what happened
    """A request that is refused without effect."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class TimeUp(Refused):
    """A command for a round whose time seems to be up. Perhaps the round has to be credited with a
    time in which the server could not be reached.
    """

    def __init__(self, round: int) -> None:
        super().__init__("late", f"the time for round {round} is up")


def refusal_of(error: HolmgangError) -> Refused:
    """The refusal sent to a client when the engine refuses a command."""
    if isinstance(error, Refused):
        return error
    if isinstance(error, LateChoice):
        return Refused("late", str(error))
    return Refused("illegal" if isinstance(error, ChoiceError) else "closed", str(error))
