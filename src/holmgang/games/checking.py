"""Looks for mistakes in the rules of a game: in every state that play can reach, or in as many as a
budget allows.

`structure.py` has already checked types and names when the file was loaded. The comparison with
compiled rules is in `engine/compiled/comparing.py`.
"""

import inspect
import random
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, cast

from holmgang.game import BLUE, NO_CHOICE, NOBODY, RED
from holmgang.games.contract import SEATS, State
from holmgang.games.defaults.bounds import declared, seats_of
from holmgang.games.defaults.exploring import Reached, menu, pairs
from holmgang.games.defaults.symmetry import Difference, MirrorImage, difference, first_difference
from holmgang.games.defaults.words import MOST_CHOICES
from holmgang.games.drawing import row_text
from holmgang.games.fields import leaves_of, numbers_of
from holmgang.games.finding import blame_parts, paths, place
from holmgang.games.ruleset import Ruleset, load
from holmgang.games.shape import LARGEST
from holmgang.games.structure import Lines

MOST_ROUNDS = 100_000
QUICK_ROUNDS = 2_000
"""Rounds that are checked whenever a game is loaded."""
LONG_LINE = 1_000
"""Rounds after which a number that still grows is reported as unbounded."""
LONGEST_LINE = 6
"""The most rounds of a line of play that are shown."""


class Finding(NamedTuple):
    """One mistake, or a warning."""

    place: str
    """The file and the line."""
    what: str
    where: str = ""
    """The state in which it was found, as in `in 2.0/1.3`. Only the first is reported."""
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


class Wrong(Exception):  # noqa: N818 - a finding that ends the check of one state
    def __init__(self, function: str, what: str) -> None:
        super().__init__(what)
        self.function = function


def allowed_numbers(state_type: type[State]) -> dict[str, range | None]:
    """The values that the type of each number of a state allows, by path; None for any."""
    seats = seats_of(state_type)
    found: dict[str, range | None] = {}
    for path, bounds in declared(state_type):
        least, most = (NOBODY, BLUE) if path in seats else bounds or (None, None)
        found[path] = None if least is None or most is None else range(least, most + 1)
    return found


def difference_text(ruleset: Ruleset, found: Difference) -> str:
    """A difference between a state and its mirror image, in words."""
    said = f"{state_text(ruleset, found.state)}: {found.what}"
    return f"{said} {choices_text(ruleset, found.choices)}" if found.choices else said


def choices_text(ruleset: Ruleset, choices: tuple[int, ...]) -> str:
    return "/".join(ruleset.word_or_none(each) or "–" for each in choices)


def state_text(ruleset: Ruleset, state: State) -> str:
    """The short text of a state, or its fields if the author's text cannot be made."""
    try:
        return ruleset.format_text(state)
    except Exception:  # noqa: BLE001 - whatever the author's code raises
        leaves = zip(leaves_of(type(state)), numbers_of(state), strict=True)
        return ", ".join(f"{path} {number}" for (path, _), number in leaves)


def first_mistake() -> str:
    """The first mistake in the games that were loaded from files; empty if there is none."""
    checks = (GameCheck(load(name)).first_mistake() for name in paths())
    return next((str(mistake) for mistake in checks if mistake is not None), "")


class GameCheck:
    """Checks the states and rounds of a ruleset within a budget, and reports what is wrong."""

    def __init__(self, ruleset: Ruleset, most_rounds: int = MOST_ROUNDS) -> None:
        self.ruleset = ruleset
        self.module: Any = ruleset.game.rules
        self.file = Path(inspect.getfile(cast(ModuleType, ruleset.game.rules)))
        self.lines = Lines(self.file.read_text(encoding="utf-8"))
        self.allowed = allowed_numbers(self.module.State)
        self.rounds: list[Played] = []
        self.most_rounds = most_rounds
        self.offered = 0
        self.has_used_die: bool | None = None
        choices = getattr(self.module, "Choice", None)
        self._words = (
            range(MOST_CHOICES) if choices is None else [int(choice) for choice in choices]
        )

    def findings(self) -> Iterator[Finding]:
        """Each kind of mistake once, followed by the warnings."""
        found = list(self._explore()) or list(self._describe())
        if not found:  # otherwise the rest would only repeat it
            found = [*self._check_mirror(), *self._look_at_the_whole()]
        kinds: dict[tuple[str, str], Finding] = {}
        for each in found:
            kinds.setdefault((each.place, each.what), each)
        yield from sorted(kinds.values(), key=lambda each: each.is_warning)

    def first_mistake(self) -> Finding | None:
        """The first mistake in play, or in the board, picture or words at the start."""
        return next(self._explore(), None) or next(self._describe(), None)

    def _describe(self) -> Iterator[Finding]:
        """Failures of the author's own board, picture and words at the start."""
        ruleset, start = self.ruleset, next(iter(self.reached.states))
        parts: dict[str, Callable[[], object]] = {
            "format_text": lambda: ruleset.format_text(start),
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
        self.reached = Reached(start, self.most_rounds)
        for state in self.reached:
            try:
                for played in self._rounds_of(state):
                    if not self.reached.add(played.after):
                        return
                    self.rounds.append(played)
            except Wrong as wrong:
                yield self._wrong(wrong, state)
            except Exception as error:  # noqa: BLE001 - whatever the author's code raises
                yield self._crash(error, "resolve", f"in {self.told(state)}")

    def _rounds_of(self, state: State) -> Iterator[Played]:
        """Checks all rounds that can be played in a state, and returns them."""
        module, rules = self.module, self.ruleset.rules
        if self._outcome(state).reason:
            return
        menus = [self._menu(state, seat) for seat in (RED, BLUE)]
        if not any(menus):
            raise Wrong("choices", "neither seat has a choice, but the duel goes on")
        found: list[Played] = []
        for red, blue in product(*(each or [NO_CHOICE] for each in menus)):
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
        numbers: list[object]
        try:
            numbers = list(numbers_of(state))
        except TypeError:
            numbers = []
        for (path, allowed), number in zip(self.allowed.items(), numbers, strict=False):
            if not isinstance(number, int):
                kind = type(number).__name__
                raise Wrong(function, f"{path} must be a whole number; not the {kind} {number!r}")
            if abs(number) > LARGEST:
                raise Wrong(function, f"{path} is {number}: too large to be compiled")
            if allowed is not None and number not in allowed:
                span = f"{allowed[0]} to {allowed[-1]}"
                raise Wrong(function, f"{path} leaves the range of its type, {span},")
        if len(numbers) != len(self.allowed):
            count = len(self.allowed)
            raise Wrong(function, f"the state has {len(numbers)} numbers, not {count}")
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
        if self.reached.is_all:
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
        """A number that still grows after many rounds."""
        for line in self._long_lines():
            states = [played.after for played in line]
            columns = zip(*map(numbers_of, states), strict=True)
            for (path, _), numbers in zip(leaves_of(self.module.State), columns, strict=True):
                latest = max(map(abs, numbers[LONG_LINE // 2 :]))
                if latest > max(map(abs, numbers[: LONG_LINE // 2])):
                    rounds = f"{LONG_LINE:,} rounds, mostly {self._round(line[-1])}"
                    what = f"{path} has no end: it is {latest} after {rounds}"
                    yield self._at("resolve", what)._replace(is_warning=True)
                    return

    def _long_lines(self) -> Iterator[list[Played]]:
        """Lines of play that do not end. Each repeats two choices whenever they are legal."""
        module, rules, dice = self.module, self.ruleset.rules, random.Random(0)
        start = next(iter(self.reached.states))
        left = self.most_rounds
        for wanted in [*pairs(module, rules, start), *pairs(module, rules, start)]:
            line: list[Played] = []
            state = start
            while len(line) < LONG_LINE and left > 0 and not module.outcome(rules, state).reason:
                left -= 1
                menus = [menu(module, rules, state, seat) for seat in (RED, BLUE)]
                red, blue = (
                    choice if choice in options else dice.choice(options)
                    for choice, options in zip(wanted, menus, strict=True)
                )
                face = dice.randrange(self.ruleset.chance(state, red, blue))
                after = module.resolve(rules, state, red, blue, face)
                line.append(Played(state, red, blue, face, after))
                state = after
            if len(line) == LONG_LINE:
                yield line

    def _loop(self) -> str:
        """A line of play that returns to a state, in words."""
        following: dict[State, list[Played]] = {}
        for played in self.rounds:
            following.setdefault(played.before, []).append(played)
        done: set[State] = set()
        start = next(iter(self.reached.states))
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
        """The end of a path that returns to one of its states, in words."""
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
        if isinstance(mirror, MirrorImage) and not mirror.is_known:
            return
        hint = "; if that is meant, say so with is_symmetric(rules), or define mirror(rules, state)"
        found = first_difference(self.module, rules, mirror)
        for state in self.reached.states:
            found = found or difference(self.module, rules, mirror, state)
        if found is not None:
            is_warning = found.function != "outcome"
            what = difference_text(self.ruleset, found) + hint
            yield self._at(found.function, what)._replace(is_warning=is_warning)

    # Words

    def told(self, state: State) -> str:
        return state_text(self.ruleset, state)

    def _round(self, played: Played) -> str:
        return choices_text(self.ruleset, (played.red, played.blue))

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
