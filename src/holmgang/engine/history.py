"""An immutable list that can be extended: the longer list shares its elements. A command is tried
on a copy of its match, so the cost of copying must not depend on the length of the game.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Generic, TypeVar, overload

Item = TypeVar("Item")


class History(Sequence[Item], Generic[Item]):
    """The first elements of a list that is shared with longer histories.

    >>> one = History[int]().plus(1)
    >>> one.plus(2), one.plus(3), one
    ([1, 2], [1, 3], [1])
    """

    __slots__ = ("_count", "_items")

    def __init__(self) -> None:
        self._items: list[Item] = []
        self._count = 0

    def plus(self, item: Item) -> "History[Item]":
        """The history with one more element."""
        longer: History[Item] = History.__new__(History)
        items, count = self._items, self._count
        if len(items) > count:  # another history has already added an element
            items = items[:count]
        items.append(item)
        longer._items, longer._count = items, count + 1
        return longer

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> Item: ...
    @overload
    def __getitem__(self, place: slice) -> list[Item]: ...

    def __getitem__(self, place: int | slice) -> Item | list[Item]:
        found = range(self._count)[place]
        if isinstance(found, int):
            return self._items[found]
        if found.step == 1:
            return self._items[found.start : found.stop]
        return [self._items[each] for each in found]

    @property
    def last(self) -> Item:
        return self._items[self._count - 1]

    def __iter__(self) -> Iterator[Item]:
        return islice(self._items, self._count)

    def __repr__(self) -> str:
        return repr(list(self))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, History | list) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment] # like a list
