"""Looks for mistakes in the rules of a game: in every state that play can reach, or in as many as a
budget allows.

`structure.py` has already checked types and names when the file was loaded. The comparison with
compiled rules is in `engine/compiled/comparing.py`.
"""

import inspect
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, cast

from holmgang.game import BLUE, NO_CHOICE, NOBODY, RED
from holmgang.games.contract import SEATS, State
from holmgang.games.defaults.symmetry import crooked, difference, swapped_fields
from holmgang.games.drawing import row_text
from holmgang.games.fields import leaves_of, numbers_of
from holmgang.games.finding import blame_parts, paths, place
from holmgang.games.ruleset import Ruleset, load
from holmgang.games.shape import LARGEST
from holmgang.games.structure import MOST_CHOICES, Lines

MOST_ROUNDS = 100_000
QUICK_ROUNDS = 2_000
"""Rounds that are looked at whenever a game is loaded."""
MANY_STATES = 2_000
"""A number that still grows after so many states is said to have no end."""
LONGEST_LINE = 6
"""Rounds of a line of play that are shown."""


class Finding(NamedTuple):
    """One mistake, or a warning."""

    place: str
    """The file and the line."""
    what: str
    where: str = ""
    """The state in which it was found: `in 2.0/1.3`. It is reported for one state only."""
    is_warning: bool = False

    def __str__(self) -> str:
        warning = "warning: " if self.is_warning else ""
        return f"{self.place}: {warning}{self.what} {self.where}".rstrip()


class Played(NamedTuple):
    """A round, for the comparison with compiled rules."""

    before: State
    red: int
    blue: int
    face: int
    after: State


class Wrong(Exception):  # noqa: N818 - a finding that ends the look at one state
    def __init__(self, function: str, what: str) -> None:
        super().__init__(what)
        self.function = function


def first_mistake() -> str:
    """The first mistake in the games that were loaded from files; empty if there is none."""
    checks = (GameCheck(load(name)).first_mistake() for name in paths())
    return next((str(mistake) for mistake in checks if mistake is not None), "")


class GameCheck:
    """The states and rounds of a ruleset, as far as they were looked at, and what is wrong."""

    def __init__(self, ruleset: Ruleset, most_rounds: int = MOST_ROUNDS) -> None:
        self.ruleset = ruleset
        self.module: Any = ruleset.game.rules
        self.file = Path(inspect.getfile(cast(ModuleType, ruleset.game.rules)))
        self.lines = Lines(self.file.read_text(encoding="utf-8"))
        self.rounds: list[Played] = []
        self.parents: dict[State, Played | None] = {}
        self.is_all = False
        self.offered = 0
        self.has_used_die: bool | None = None
        self._left = most_rounds
        choices = getattr(self.module, "Choice", None)
        self._words = (
            range(MOST_CHOICES) if choices is None else [int(choice) for choice in choices]
        )

    def findings(self) -> Iterator[Finding]:
        """Every kind of mistake once, and then the warnings."""
        found = list(self._explore()) or list(self._describe())
        if not found:  # otherwise the rest would only repeat it
            found = [*self._check_mirror(), *self._look_at_the_whole()]
        kinds: dict[tuple[str, str], Finding] = {}
        for each in found:
            kinds.setdefault((each.place, each.what), each)
        yield from sorted(kinds.values(), key=lambda each: each.is_warning)

    def first_mistake(self) -> Finding | None:
        """The first mistake in play, or in what describes the start."""
        return next(self._explore(), None) or next(self._describe(), None)

    def _describe(self) -> Iterator[Finding]:
        """What does not work of the author's own board, picture and words at the start."""
        ruleset, start = self.ruleset, next(iter(self.parents))
        parts: dict[str, Callable[[], object]] = {
            "draw_board": lambda: [row_text(row) for row in ruleset.board(start, 80)],
            "draw_picture": lambda: ruleset.picture(start).startswith("<"),
        }
        for played in self.rounds[:1]:
            parts["tell"] = partial(ruleset.tell, *played)
            for seat, choice in enumerate((played.red, played.blue)):
                if choice != NO_CHOICE:
                    parts["preview"] = partial(ruleset.preview, start, seat, choice)
                    parts["label"] = partial(ruleset.label, start, seat, choice)
        for function, act in parts.items():
            if not hasattr(self.module, function):
                continue
            try:
                act()
            except Exception as error:  # noqa: BLE001 - whatever the author's code raises
                yield self._crash(error, function, "at the start")

    # Every state

    def _explore(self) -> Iterator[Finding]:
        try:
            start = self._state(self.module.initial(self.ruleset.rules), "initial")
        except Wrong as wrong:
            yield self._wrong(wrong)
            return
        except Exception as error:  # noqa: BLE001 - whatever the author's code raises
            yield self._crash(error, "initial", "at the start")
            return
        self.parents[start] = None
        waiting = deque([start])
        while waiting:
            state = waiting.popleft()
            try:
                for played in self._rounds_of(state):
                    self._left -= 1
                    if self._left < 0:
                        return
                    self.rounds.append(played)
                    if played.after not in self.parents:
                        self.parents[played.after] = played
                        waiting.append(played.after)
            except Wrong as wrong:
                yield self._wrong(wrong, state)
            except Exception as error:  # noqa: BLE001 - whatever the author's code raises
                yield self._crash(error, "resolve", f"in {self.told(state)}")
        self.is_all = True

    def _rounds_of(self, state: State) -> Iterator[Played]:
        """The rounds that can be played in a state, checked."""
        module, rules = self.module, self.ruleset.rules
        if self._outcome(state).reason:
            return
        menus = [self._menu(state, seat) for seat in (RED, BLUE)]
        if not any(menus):
            raise Wrong("choices", "neither seat has a choice, but the duel goes on")
        found: list[Played] = []
        for red, blue in product(*(menu or [NO_CHOICE] for menu in menus)):
            faces = self.ruleset.chance(state, red, blue)
            if type(faces) is not int or faces < 1:
                raise Wrong("chance", f"chance must be a number of faces from 1 up; not {faces!r}")
            results = []
            for face in range(faces):
                after = self._state(module.resolve(rules, state, red, blue, face), "resolve")
                if module.resolve(rules, state, red, blue, face) != after:
                    raise Wrong("resolve", "the same round has two different results")
                results.append(after)
                found.append(Played(state, red, blue, face, after))
            if faces > 1:
                self.has_used_die = bool(self.has_used_die) or len(set(results)) > 1
        if all(played.after == state for played in found):
            raise Wrong("resolve", "no choice changes anything")
        yield from found

    def _menu(self, state: State, seat: int) -> list[int]:
        chosen = self.module.choices(self.ruleset.rules, state, seat)
        if type(chosen) is not int or not 0 <= chosen < 1 << MOST_CHOICES:
            raise Wrong("choices", f"choices must be a set, as choice_set makes it; not {chosen!r}")
        self.offered |= chosen
        menu = [choice for choice in range(chosen.bit_length()) if chosen >> choice & 1]
        strange = [choice for choice in menu if choice not in self._words]
        if strange:
            raise Wrong("choices", f"{SEATS[seat]} may choose {strange[0]}, which is no Choice")
        return menu

    def _state(self, state: Any, function: str) -> State:
        if not isinstance(state, self.module.State):
            raise Wrong(function, f"{function} must return a State; not {type(state).__name__}")
        leaves = list(leaves_of(self.module.State))
        numbers: list[object]
        try:
            numbers = list(numbers_of(state))
        except TypeError:
            numbers = []
        for (path, _), number in zip(leaves, numbers, strict=False):
            if not isinstance(number, int):
                kind = type(number).__name__
                raise Wrong(function, f"{path} must be a whole number; not the {kind} {number!r}")
            if abs(number) > LARGEST:
                raise Wrong(function, f"{path} is {number}: too large to be compiled")
        if len(numbers) != len(leaves):
            raise Wrong(function, f"the state has {len(numbers)} numbers, not {len(leaves)}")
        return cast(State, state)

    def _outcome(self, state: State) -> Any:
        ended = self.module.outcome(self.ruleset.rules, state)
        reason, winner = getattr(ended, "reason", None), getattr(ended, "winner", None)
        if reason is None or winner is None:
            raise Wrong("outcome", f"outcome must return an Outcome; not {ended!r}")
        if winner not in (RED, BLUE, NOBODY):
            raise Wrong("outcome", f"the winner must be RED, BLUE or NOBODY; not {winner!r}")
        if reason not in {int(each) for each in self.module.Reason}:
            raise Wrong("outcome", f"the reason must be one of Reason; not {reason!r}")
        if not reason and winner != NOBODY:
            raise Wrong("outcome", "there is a winner, but no reason: the duel goes on")
        return ended

    # The whole game

    def _look_at_the_whole(self) -> Iterator[Finding]:
        if self.has_used_die is False:
            yield self._at("chance", "a die is thrown, but resolve never uses its face")
        if self.is_all:
            unused = [word for word in self._words if not self.offered >> word & 1]
            if unused and hasattr(self.module, "Choice"):
                name = self.module.Choice(unused[0]).name
                line = self.lines(f"Choice.{name}", "Choice")
                what = f"{name} is on no menu"
                yield Finding(place(self.file, line), what, is_warning=True)
        else:
            yield from self._growing()
        loop = self._loop()
        if loop:
            what = f"play can go on for ever: {loop}"
            yield self._at("resolve", what)._replace(is_warning=True)

    def _growing(self) -> Iterator[Finding]:
        """Numbers whose extremes are in the states that were found last."""
        states = list(self.parents)
        if len(states) < MANY_STATES:
            return
        early, late = states[: len(states) * 3 // 4], states[len(states) * 3 // 4 :]
        for place_, (path, _) in enumerate(leaves_of(self.module.State)):
            most = max(abs(list(numbers_of(state))[place_]) for state in early)
            latest = max(abs(list(numbers_of(state))[place_]) for state in late)
            if latest > most:
                what = f"{path} has no end: it is {latest} after {len(states):,} states"
                yield self._at("resolve", what)._replace(is_warning=True)
                return

    def _loop(self) -> str:
        """A line of play that comes back to a state, in words."""
        following: dict[State, list[Played]] = {}
        for played in self.rounds:
            following.setdefault(played.before, []).append(played)
        done: set[State] = set()
        start = next(iter(self.parents))
        path: list[Played] = []
        on_path = {start}
        stack = [iter(following.get(start, ()))]
        while stack:
            ahead = next(stack[-1], None)
            if ahead is None:
                stack.pop()
                state = path.pop().after if path else start
                on_path.discard(state)
                done.add(state)
            elif ahead.after in on_path:
                return self._circle([*path, ahead])
            elif ahead.after not in done:
                path.append(ahead)
                on_path.add(ahead.after)
                stack.append(iter(following.get(ahead.after, ())))
        return ""

    def _circle(self, path: list[Played]) -> str:
        """The end of a path that comes back to one of its states, in words."""
        again = path[-1].after
        first = max(at for at, each in enumerate(path) if each.before == again)
        words = [self._round(each) for each in path[first:]]
        shown = words if len(words) <= LONGEST_LINE else [*words[:LONGEST_LINE], "…"]
        return f"{self.told(again)} comes again after {' '.join(shown)}"

    def _check_mirror(self) -> Iterator[Finding]:
        """States that the rules treat differently from their mirror images."""
        notation, rules = self.ruleset.game.notation, self.ruleset.rules
        own = getattr(self.module, "is_symmetric", None)
        if own is not None and not own(rules):
            return
        mirror = cast(Any, notation.mirror)
        if not hasattr(self.module, "mirror") and not swapped_fields(self.module.State):
            return
        hint = "; if that is meant, say so with is_symmetric(rules), or define mirror(rules, state)"
        found = crooked(self.module, rules, mirror)
        for state in self.parents:
            found = found or difference(self.module, rules, mirror, state)
        if found is not None:
            is_warning = found.function != "outcome"
            yield self._at(found.function, found.what + hint)._replace(is_warning=is_warning)

    # Words

    def told(self, state: State) -> str:
        try:
            return self.ruleset.format_text(state)
        except Exception:  # noqa: BLE001 - the state may be what is wrong
            return repr(state)

    def _round(self, played: Played) -> str:
        words = [self.ruleset.word_or_none(each) or "–" for each in (played.red, played.blue)]
        return "/".join(words)

    def _at(self, function: str, what: str) -> Finding:
        return Finding(place(self.file, self.lines(function)), what)

    def _wrong(self, wrong: Wrong, state: State | None = None) -> Finding:
        where = "" if state is None else f"in {self.told(state)}"
        return self._at(wrong.function, str(wrong))._replace(where=where)

    def _crash(self, error: Exception, function: str, where: str) -> Finding:
        parts = blame_parts(error, [self.file])
        if parts is not None:
            return Finding(*parts, where)
        return self._at(function, f"{type(error).__name__}: {error}")._replace(where=where)
