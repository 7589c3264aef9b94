"""The errors that Holmgang raises on purpose; those of one package only are defined there.

HolmgangError
├── RulesetError      no such game or rule, or a value that a rule cannot have
│   └── UnknownGame   no such game
├── StateError        a state that is not one of the game's
├── ChoiceError       not a choice, or not a legal one
│   ├── LateChoice    for a round that is over, or not begun
│   └── NothingToChoose
├── ChanceError       a chance outcome that is missing or cannot happen
├── DuelError         not possible at this point of the duel or match
├── RecordError       a file that is not a whole, sound record
│   └── ReplayError   a sound file whose duel does not happen as it says
├── CompileError      rules that work but cannot be compiled
├── StoreError        a database that cannot be opened, read or written
│   ├── Conflict      another process was the first to append to the match
│   ├── NameTaken     someone else has that name
│   └── UploadsFull   all uploads together would take more space than allowed
├── ServerError       a server that cannot be used, or whose answer cannot be understood
│   ├── Unreachable   it does not answer, or says to try again later
│   └── ServerRefusal it refuses the request
├── MessageError      JSON that is not a message of the live protocol
├── UsageError        a command line or a request that cannot be understood
│   ├── TooLarge      a ruleset with too many states to be solved
│   └── NoMixes       analysis/strategies.py: a level or a bot whose mixes are not known
├── Failed            players/player.py: a player lost its game by not giving a legal choice in time
├── ProtocolError     arena/protocol.py: a line from a bot that the protocol does not allow
├── Refused           live/refusal.py: a request to a live match that is refused
│   ├── TimeUp        live/refusal.py: a command for a round whose time seems to be up
│   └── TooMany       web/refusals.py: a request beyond a rate limit
└── SearchFailedError solver/search/outside.py: a process that searched has died or was stopped

Each message says what was wrong, where, and what is allowed.
"""


class HolmgangError(Exception):
    """The base class: catch this to catch every refusal."""


class RulesetError(HolmgangError):
    pass


class UnknownGame(RulesetError):  # noqa: N818 - it reads as what happened
    pass


class StateError(HolmgangError):
    pass


class ChoiceError(HolmgangError):
    pass


class LateChoice(ChoiceError):  # noqa: N818 - it reads as what happened, like StopIteration
    pass


class NothingToChoose(ChoiceError):  # noqa: N818
    pass


class ChanceError(HolmgangError):
    pass


class DuelError(HolmgangError):
    pass


class RecordError(HolmgangError):
    pass


class ReplayError(RecordError):
    pass


class CompileError(HolmgangError):
    def __init__(self, message: str, why: str = "", place: str = "") -> None:
        """`why` is the compiler's reason; `place` is the file and line that it names, if any."""
        super().__init__(message)
        self.why, self.place = why, place


class StoreError(HolmgangError):
    pass


class Conflict(StoreError):  # noqa: N818
    pass


class NameTaken(StoreError):  # noqa: N818
    pass


class UploadsFull(StoreError):  # noqa: N818
    pass


class ServerError(HolmgangError):
    pass


class Unreachable(ServerError):  # noqa: N818
    def __init__(self, message: str, retry_after: float = 0.0) -> None:
        """`retry_after` is when to try again, in seconds, if the server said so."""
        super().__init__(message)
        self.retry_after = retry_after


class ServerRefusal(ServerError):  # noqa: N818
    def __init__(self, code: str, message: str) -> None:
        """`code` is one of docs/live-protocol.md."""
        super().__init__(message)
        self.code = code


class MessageError(HolmgangError):
    pass


class UsageError(HolmgangError):
    pass


class TooLarge(UsageError):  # noqa: N818
    pass
