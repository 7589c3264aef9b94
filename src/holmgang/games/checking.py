"""Looks for mistakes in the rules of a game: in every state that play can reach, or in as many as a
budget allows.

`structure.py` has already checked types and names when the file was loaded. The comparison with
compiled rules is in `engine/compiled/comparing.py`.
"""

import inspect
import random
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, TypeVar, cast

from holmgang.game import BLUE, NO_CHOICE, NOBODY, RED
from holmgang.games.code import package_of
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
MOST_FACES = 1_000
"""A die with more faces is thrown only so often in each round."""
LARGEST_DIE = 100_000
"""The most faces of a die that the solver and the pages of rules can list one by one."""
MOST_DESCRIBED = 100
"""States and rounds that the author's own words, boards and pictures are made for."""
QUICK_DESCRIBED = 10
SECONDS = 5
"""Time after which one call of the rules is interrupted."""
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


Item = TypeVar("Item")


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


def sample(every: Sequence[Item], most: int) -> Sequence[Item]:
    """Every item, or so many, with the first one and evenly spread."""
    return every[:: -(-len(every) // most) or 1]


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
        self.has_end = False
        self._skips_faces = False
        self._calls = 0
        choices = getattr(self.module, "Choice", None)
        self._words = (
            range(MOST_CHOICES) if choices is None else [int(choice) for choice in choices]
        )

    @property
    def is_whole(self) -> bool:
        """Whether every state and every round has been checked."""
        return self.reached.is_all and not self._skips_faces

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
        """The first mistake in play, or in the board, picture or words of a few states."""
        return next(self._explore(), None) or next(self._describe(QUICK_DESCRIBED), None)

    def _describe(self, most: int = MOST_DESCRIBED) -> Iterator[Finding]:
        """Failures of the author's own boards, pictures and words, in a sample of states."""
        for state in sample(list(self.reached.states), most):
            yield from self._made(state, self._parts_of_state(state))
        for played in sample(self.rounds, most):
            yield from self._made(played.before, self._parts_of_round(played))

    def _parts_of_state(self, state: State) -> Iterator[tuple[str, Callable[[], object]]]:
        ruleset = self.ruleset
        yield "format_text", partial(ruleset.format_text, state)
        yield "format_state", partial(ruleset.format_state, state)
        yield "draw_board", lambda: [row_text(row) for row in ruleset.board(state, 80)]
        yield "draw_picture", lambda: ruleset.picture(state).startswith("<")
        if ruleset.ending(state).reason:
            yield "ending", partial(ruleset.tell_ending, state)

    def _parts_of_round(self, played: Played) -> Iterator[tuple[str, Callable[[], object]]]:
        ruleset, state = self.ruleset, played.before
        yield "tell", partial(ruleset.tell, *played)
        for seat, choice in enumerate((played.red, played.blue)):
            if choice != NO_CHOICE:
                yield "format_choice", partial(ruleset.word_or_none, choice)
                yield "preview", partial(ruleset.preview, state, seat, choice)
                yield "label", partial(ruleset.label, state, seat, choice)

    def _made(
        self, state: State, parts: Iterator[tuple[str, Callable[[], object]]]
    ) -> Iterator[Finding]:
        for function, act in parts:
            if not self._is_own(function):
                continue
            try:
                act()
            except Exception as error:  # noqa: BLE001 - whatever the author's code raises
                yield self._crash(error, function, f"in {self.told(state)}")

    def _is_own(self, function: str) -> bool:
        """Whether the author has written a function of this name, in any module of the game."""
        package = package_of(self.module)
        return any(
            hasattr(module, function)
            for name, module in sys.modules.items()
            if f"{name}.".startswith(f"{package}.")
        )

    # Every state

    def _explore(self) -> Iterator[Finding]:
        try:
            start = self._state(self.module.initial(self.ruleset.rules), "initial")
            if self._outcome(start).reason:
                raise Wrong("initial", "the duel is over before the first round")
        except Wrong as wrong:
            yield self._wrong(wrong)
            return
        except Exception as error:  # noqa: BLE001 - whatever the author's code raises
            yield self._crash(error, "initial", "at the start")
            return
        self.reached = Reached(start, self.most_rounds)
        for state in self.reached:
            try:
                with self._interrupting():
                    found = self._rounds_of(state)
                for played in found:
                    if not self.reached.add(played.after):
                        return
                    self.rounds.append(played)
            except Wrong as wrong:
                yield self._wrong(wrong, state)
            except Exception as error:  # noqa: BLE001 - whatever the author's code raises
                yield self._crash(error, "resolve", f"in {self.told(state)}")
                if isinstance(error, TimeoutError):  # looking for more would take too long
                    return

    @contextmanager
    def _interrupting(self) -> Iterator[None]:
        """Raises `TimeoutError` in a call of the rules that does not end. In other threads than the
        main one, it does nothing.
        """
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        last = self._calls

        def look(number: int, frame: object) -> None:
            nonlocal last
            if self._calls == last:
                raise TimeoutError(f"still running after {SECONDS} seconds")
            last = self._calls

        before = signal.signal(signal.SIGALRM, look)
        timer = signal.setitimer(signal.ITIMER_REAL, SECONDS, SECONDS)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
            signal.setitimer(signal.ITIMER_REAL, *timer)  # of the calling program, if it has one

    def _rounds_of(self, state: State) -> list[Played]:
        """Checks all rounds that can be played in a state, and returns them."""
        module, rules = self.module, self.ruleset.rules
        self._calls += 1
        if self._outcome(state).reason:
            self.has_end = True
            return []
        menus = [self._menu(state, seat) for seat in (RED, BLUE)]
        if not any(menus):
            raise Wrong("choices", "neither seat has a choice, but the duel goes on")
        found: list[Played] = []
        for red, blue in product(*(each or [NO_CHOICE] for each in menus)):
            faces = self.ruleset.chance(state, red, blue)
            if type(faces) is not int or not 1 <= faces <= LARGEST:
                raise Wrong("chance", f"chance must be a number of faces from 1 up; not {faces!r}")
            if faces > LARGEST_DIE and not hasattr(module, "face_groups"):
                raise Wrong("chance", f"a die of {faces:,} faces is too large without face_groups")
            self._skips_faces |= faces > MOST_FACES
            results = []
            every: Sequence[int] = range(faces)
            if faces > MOST_FACES:
                every = random.Random(0).sample(every, MOST_FACES)
            for face in every:
                self._calls += 1
                after = self._state(module.resolve(rules, state, red, blue, face), "resolve")
                if module.resolve(rules, state, red, blue, face) != after:
                    raise Wrong("resolve", "the same round has two different results")
                results.append(after)
                found.append(Played(state, red, blue, face, after))
            if faces > 1:
                self.has_used_die = bool(self.has_used_die) or len(set(results)) > 1
        if all(played.after == state for played in found):
            raise Wrong("resolve", "no choice changes anything")
        return found

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
        if self.is_whole:
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
            is_endless = self.is_whole and not self.has_end
            what = f"{'no duel ever ends' if is_endless else 'play can go on for ever'}: {loop}"
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
