"""What the property tests draw from: rulesets, their states, and anything but those."""

import random
from typing import Any

from hypothesis import strategies as st

from holmgang.errors import RulesetError
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.conformance import playout
from holmgang.games.ruleset import Ruleset, load
from holmgang.games.settings import rule_ranges
from holmgang.games.shape import LARGEST

NUMBERS = st.integers(-20, 600) | st.sampled_from([LARGEST, -LARGEST, LARGEST + 1, 10**400])
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


@st.composite
def ruleset_texts(draw: st.DrawFn) -> str:
    """A catalogue name with some rules set, each to a value it may have."""
    entry = CATALOGUE[draw(st.sampled_from(list(CATALOGUE)))]
    ranges = rule_ranges(entry)
    rules = draw(st.lists(st.sampled_from(list(ranges)), unique=True, max_size=4))
    settings = [f"{rule}={draw(st.sampled_from(ranges[rule]))}" for rule in rules]
    return f"{entry.name}:{','.join(settings)}" if settings else entry.name


@st.composite
def rulesets(draw: st.DrawFn) -> Ruleset:
    """A ruleset that can be played; the game's own one where the drawn one cannot be."""
    text = draw(ruleset_texts())
    try:
        return load(text)
    except RulesetError:
        return load(text.partition(":")[0])


@st.composite
def states(draw: st.DrawFn, ruleset: Ruleset) -> Any:
    """An undecided state that random play comes to."""
    rounds = draw(st.integers(0, 60))
    state = ruleset.initial()
    for played in playout(ruleset, random.Random(draw(st.integers(0, 1000)))):
        if not rounds:
            break
        state, rounds = played.before, rounds - 1
    return state


@st.composite
def damaged(draw: st.DrawFn, value: Any) -> Any:
    """The JSON value with something in it replaced, left out or added."""
    if isinstance(value, dict) and value and draw(st.integers(0, 5)):
        key = draw(st.sampled_from(list(value)))
        return {**value, key: draw(damaged(value[key]))}
    if isinstance(value, dict) and draw(st.booleans()):
        if value and draw(st.booleans()):
            key = draw(st.sampled_from(list(value)))
            return {other: value[other] for other in value if other != key}
        return {**value, draw(st.text(max_size=8)): draw(JSON)}
    if isinstance(value, list) and value and draw(st.integers(0, 3)):
        place = draw(st.integers(0, len(value) - 1))
        return [*value[:place], draw(damaged(value[place])), *value[place + 1 :]]
    return draw(JSON)
