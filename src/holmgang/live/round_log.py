"""The rounds of a game as JSON: each is encoded once, and all of them are copied, not encoded, into
answers and frames, since a game may have thousands.
"""

from collections.abc import Sequence
from typing import Any, overload

import orjson


class RoundLog(Sequence[dict[str, Any]]):
    """The first rounds of a game. It does not change when the game goes on."""

    def __init__(self, encoded: list[bytes]) -> None:
        """`encoded` may be extended later."""
        self._encoded, self._count = encoded, len(encoded)
        self._json: bytes | None = None

    @property
    def json(self) -> bytes:
        """A JSON array, made once."""
        if self._json is None:
            self._json = b"[%b]" % b",".join(self._encoded[: self._count])
        return self._json

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, place: slice) -> list[dict[str, Any]]: ...

    def __getitem__(self, place: int | slice) -> dict[str, Any] | list[dict[str, Any]]:
        if isinstance(place, slice):
            return [orjson.loads(self._encoded[each]) for each in range(self._count)[place]]
        line: dict[str, Any] = orjson.loads(self._encoded[range(self._count)[place]])
        return line

    def __eq__(self, other: object) -> bool:
        if isinstance(other, RoundLog):
            return self.json == other.json
        return isinstance(other, list) and list(self) == other

    __hash__ = None  # type: ignore[assignment] # as of a list


def encode(value: Any) -> bytes:
    """The value as JSON; it may contain logs."""
    return orjson.dumps(value, default=fragment)


def fragment(value: Any) -> orjson.Fragment:
    if isinstance(value, RoundLog):
        return orjson.Fragment(value.json)
    raise TypeError(f"{type(value)} is not JSON")
