"""A list to which is only ever added, and which forks share: forking costs the same however long
the list is. Copying it would touch every element, which is slow for thousands of long matches.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Generic, TypeVar, overload

Item = TypeVar("Item")


class History(Sequence[Item], Generic[Item]):
    """The first `len` elements of a list that other forks may have added to.

    >>> one = History[int]()
    >>> one.append(1)
    >>> other = one.fork()
    >>> other.append(2)
    >>> one.append(3)
    >>> list(one), list(other)
    ([1, 3], [1, 2])
    """

    __slots__ = ("_count", "_items")

    def __init__(self) -> None:
        self._items: list[Item] = []
        self._count = 0

    def fork(self) -> "History[Item]":
        fork: History[Item] = History.__new__(History)
        fork._items, fork._count = self._items, self._count
        return fork

    def append(self, item: Item) -> None:
        if len(self._items) > self._count:  # another fork was first
            self._items = self._items[: self._count]
        self._items.append(item)
        self._count += 1

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> Item: ...
    @overload
    def __getitem__(self, place: slice) -> list[Item]: ...

    def __getitem__(self, place: int | slice) -> Item | list[Item]:
        if isinstance(place, slice):
            return self._items[: self._count][place]
        if place < 0:
            place += self._count
        if not 0 <= place < self._count:
            raise IndexError("no such element")
        return self._items[place]

    def __iter__(self) -> Iterator[Item]:
        return islice(self._items, self._count)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, History | list) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment] # as of a list
