"""A list that only grows, and whose copies share its elements: copying costs the same however long
it is. A command is tried on a copy of its match, so this happens for every choice.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Generic, TypeVar, overload

Item = TypeVar("Item")


class History(Sequence[Item], Generic[Item]):
    """The first elements of a list to which other copies may have added more.

    >>> one = History[int]()
    >>> one.append(1)
    >>> other = one.copy()
    >>> other.append(2)
    >>> one.append(3)
    >>> one, other
    ([1, 3], [1, 2])
    """

    __slots__ = ("_count", "_items")

    def __init__(self) -> None:
        self._items: list[Item] = []
        self._count = 0

    def copy(self) -> "History[Item]":
        copy: History[Item] = History.__new__(History)
        copy._items, copy._count = self._items, self._count
        return copy

    def append(self, item: Item) -> None:
        if len(self._items) > self._count:  # another copy was first
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
            return [self._items[each] for each in range(self._count)[place]]
        return self._items[range(self._count)[place]]

    def __iter__(self) -> Iterator[Item]:
        return islice(self._items, self._count)

    def __repr__(self) -> str:
        return repr(list(self))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, History | list) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment] # as of a list
