"""Default mirror images: red's and blue's fields of a state change places."""

from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple, get_type_hints

from holmgang.game import BLUE, NOBODY, RED, Seat
from holmgang.games.contract import AnyRules, State
from holmgang.games.defaults.exploring import faces, pairs, played, reached, results

NEAR_ROUNDS = 500
"""Rounds near the start that are checked before a game is called symmetric."""
MOST_PAIRS = 6
"""Pairs of choices of one state that are compared with those of its mirror image."""
MOST_FACES = 10_000
"""Rounds in which a die has more faces are not compared."""

Mirror = Callable[[object, State], State]


class MirrorImage:
    """The default `mirror` of a game: `red` and `blue` change places, and so do `red_x` and
    `blue_x`; a seat becomes the other seat. The compiled form is made from `fields`.
    """

    def __init__(self, state_type: type[State]) -> None:
        hints = get_type_hints(state_type, include_extras=True)
        self.state_type = state_type
        self.fields = {source: hints[name] == Seat for name, source in swapped(hints).items()}
        """For each field of the image, the field that it comes from, and whether it is a seat."""
        self.is_known = any(self.fields.values()) or list(self.fields) != list(hints)
        """Whether a mirror image differs from its state at all."""

    def __call__(self, rules: object, state: Any) -> State:
        values = ((getattr(state, name), is_seat) for name, is_seat in self.fields.items())
        return self.state_type(
            *(1 - value if is_seat and value != NOBODY else value for value, is_seat in values)
        )


def swapped(hints: dict[str, Any]) -> dict[str, str]:
    """The field that each field comes from in the mirror image."""
    found: dict[str, str] = {}
    for name, kind in hints.items():
        seat, _, rest = name.partition("_")
        other = {"red": "blue", "blue": "red"}.get(seat)
        partner = f"{other}_{rest}" if rest else other
        found[name] = partner if partner in hints and hints[partner] == kind else name
    return found


class Symmetry:
    """A game is called symmetric if the rules treat mirror images alike in a sample of states. The
    solver checks every state of a table again.
    """

    def __init__(self, rules_module: AnyRules, mirror: Mirror | None) -> None:
        """`mirror` is the game's own, if it has one."""
        self.rules_module = rules_module
        default = MirrorImage(rules_module.State)
        self.mirror: Mirror = mirror or default
        self.can_mirror = mirror is not None or default.is_known

    def is_symmetric(self, rules: object) -> bool:
        return self.can_mirror and not first_difference(self.rules_module, rules, self.mirror)


class Difference(NamedTuple):
    """A difference in how the rules treat a state and its mirror image."""

    function: str
    """The function of the rules with different results."""
    state: State
    what: str
    choices: tuple[int, ...] = ()
    """Of red and blue, after which the results differ."""


@lru_cache(maxsize=64)
def first_difference(rules_module: AnyRules, rules: object, mirror: Mirror) -> Difference | None:
    """The first difference found between a state and its mirror image; None if there is none. It
    checks states near the start, and random games to their ends.
    """
    near = reached(rules_module, rules, NEAR_ROUNDS).states
    for state in chain(near, played(rules_module, rules)):
        found = difference(rules_module, rules, mirror, state)
        if found is not None:
            return found
    return None


def difference(
    rules_module: AnyRules, rules: object, mirror: Mirror, state: State
) -> Difference | None:
    image = mirror(rules, state)
    if mirror(rules, image) != state:
        return Difference("resolve", state, "mirrored twice, it is another state")
    ended, seen = (rules_module.outcome(rules, each) for each in (state, image))
    if (seen.reason, seen.winner) != (ended.reason, (BLUE, RED, NOBODY)[ended.winner]):
        return Difference("outcome", state, "its mirror image has another outcome")
    if ended.reason:
        return None
    for seat in (RED, BLUE):
        if rules_module.choices(rules, state, seat) != rules_module.choices(rules, image, 1 - seat):
            return Difference("choices", state, "its mirror image has other choices")
    every = list(pairs(rules_module, rules, state))
    for red, blue in every[:: -(-len(every) // MOST_PAIRS)]:
        if faces(rules_module, rules, state, red, blue) > MOST_FACES:
            continue
        expected: Counter[State] = Counter()
        for after, weight in results(rules_module, rules, state, red, blue).items():
            expected[mirror(rules, after)] += weight
        if results(rules_module, rules, image, blue, red) != expected:
            what = "its mirror image has other results after"
            return Difference("resolve", state, what, (red, blue))
    return None
