"""The rounds of a game as JSON: each is encoded once, and all of them are copied, not encoded, into
answers and frames, since a game may have thousands.
"""

from collections.abc import Sequence
from typing import overload

import msgspec

from holmgang.wire.match import RoundLine

DECODER = msgspec.json.Decoder(RoundLine)


class RoundLog(Sequence[RoundLine]):
    """Some rounds of a game. It does not change when the game goes on."""

    def __init__(self, encoded: list[bytes]) -> None:
        """`encoded` may be extended later."""
        self._encoded, self._count = encoded, len(encoded)
        self._json: msgspec.Raw | None = None

    @property
    def json(self) -> msgspec.Raw:
        """A JSON array, made once."""
        if self._json is None:
            self._json = msgspec.Raw(b"[%b]" % b",".join(self._encoded[: self._count]))
        return self._json

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> RoundLine: ...
    @overload
    def __getitem__(self, place: slice) -> list[RoundLine]: ...

    def __getitem__(self, place: int | slice) -> RoundLine | list[RoundLine]:
        if isinstance(place, slice):
            return [DECODER.decode(self._encoded[each]) for each in range(self._count)[place]]
        return DECODER.decode(self._encoded[range(self._count)[place]])

    def __eq__(self, other: object) -> bool:
        if isinstance(other, RoundLog):
            return bytes(self.json) == bytes(other.json)
        return isinstance(other, list) and list(self) == other

    __hash__ = None  # type: ignore[assignment] # as of a list


def fragment(value: object) -> msgspec.Raw:
    if isinstance(value, RoundLog):
        return value.json
    raise TypeError(f"{type(value)} is not JSON")


encode = msgspec.json.Encoder(enc_hook=fragment).encode
"""The value as JSON; it may contain logs."""
