"""Default mirror images: red's and blue's fields of a state change places."""

from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple, get_type_hints

from holmgang.game import BLUE, NOBODY, RED
from holmgang.games.contract import State
from holmgang.games.defaults.exploring import pairs, played, reached, results

NEAR_ROUNDS = 500
"""Rounds near the start that are looked at before a game is called symmetric."""
MOST_PAIRS = 6
"""Pairs of choices of one state that are compared with those of its mirror image."""

Mirror = Callable[[Any, State], State]


def swapped_fields(state_type: Any) -> dict[str, str]:
    """The field whose value each field has in the mirror image: `red` and `blue` change places, and
    so do `red_x` and `blue_x`; the others stay. Empty if no fields change places.
    """
    hints = get_type_hints(state_type, include_extras=True)
    found: dict[str, str] = {}
    for name, kind in hints.items():
        seat, _, rest = name.partition("_")
        other = {"red": "blue", "blue": "red"}.get(seat)
        partner = f"{other}_{rest}" if rest else other
        found[name] = partner if partner in hints and hints[partner] == kind else name
    return found if any(name != other for name, other in found.items()) else {}


def make_mirror(rules_module: Any) -> Mirror:
    """The function `mirror` of a game. It is made from text, since it is compiled too, and lists
    every field of the state.
    """
    fields = swapped_fields(rules_module.State) or {
        name: name for name in rules_module.State._fields
    }
    values = ", ".join(f"state.{fields[name]}" for name in rules_module.State._fields)
    scope: dict[str, Any] = {"State": rules_module.State, "__name__": rules_module.__name__}
    exec(f"def mirror(rules, state):\n    return State({values})\n", scope)  # noqa: S102 - our text
    made: Mirror = scope["mirror"]
    return made


class Symmetry:
    """A game is called symmetric if the rules treat mirror images alike in the states that are
    looked at. The solver checks every state of a table again.
    """

    def __init__(self, rules_module: Any, mirror: Mirror | None) -> None:
        """`mirror` is the game's own, if it has one."""
        self.rules_module = rules_module
        self.mirror = mirror or make_mirror(rules_module)
        self.can_mirror = mirror is not None or bool(swapped_fields(rules_module.State))

    def is_symmetric(self, rules: Any) -> bool:
        return self.can_mirror and not crooked(self.rules_module, rules, self.mirror)


class Difference(NamedTuple):
    """What the rules say differently about a state and its mirror image."""

    function: str
    """The function of the rules that says it."""
    what: str


@lru_cache(maxsize=64)
def crooked(rules_module: Any, rules: Any, mirror: Mirror) -> Difference | None:
    """The first difference between a state and its mirror image that was found. Looks at states
    near the start, and at random games to their ends.
    """
    near = reached(rules_module, rules, NEAR_ROUNDS).states
    for state in chain(near, played(rules_module, rules)):
        found = difference(rules_module, rules, mirror, state)
        if found is not None:
            return found
    return None


def difference(rules_module: Any, rules: Any, mirror: Mirror, state: State) -> Difference | None:
    image = mirror(rules, state)
    if mirror(rules, image) != state:
        return Difference("resolve", f"{state}: mirrored twice, it is another state")
    ended, seen = (rules_module.outcome(rules, each) for each in (state, image))
    if (seen.reason, seen.winner) != (ended.reason, (BLUE, RED, NOBODY)[ended.winner]):
        return Difference("outcome", f"{state}: its mirror image has another outcome")
    if ended.reason:
        return None
    for seat in (RED, BLUE):
        if rules_module.choices(rules, state, seat) != rules_module.choices(rules, image, 1 - seat):
            what = f"{state}: in its mirror image the choices are different"
            return Difference("choices", what)
    every = list(pairs(rules_module, rules, state))
    for red, blue in every[:: -(-len(every) // MOST_PAIRS)]:
        expected: Counter[State] = Counter()
        for after, weight in results(rules_module, rules, state, red, blue).items():
            expected[mirror(rules, after)] += weight
        if results(rules_module, rules, image, blue, red) != expected:
            what = f"{state}: in its mirror image, choices {red} and {blue} have other results"
            return Difference("resolve", what)
    return None
