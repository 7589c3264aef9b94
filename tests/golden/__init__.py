"""Golden playthroughs: one whole duel of each game, as text that people can read and compare.

`make golden` writes them anew. What changes in them is a change of the rules, of how they are told,
or of chance, and is looked at line by line before it is kept.
"""

import json
from pathlib import Path

from tests.engine.duels import random_duel

FOLDER = Path(__file__).parent
MOST_LINES = 200

SEEDS = {
    "bagh": 134,
    "bagh-advantage": 189,
    "fencing": 198,
    "fencing-codingame": 25,
    "defend-the-city": 159,
    "defend-the-city-duel": 239,
    "magic-duel": 184,
}
"""Each picked for a duel that shows much of its game in few lines."""


def golden_path(name: str) -> Path:
    return FOLDER / f"{name}.txt"


def playthrough(name: str, seed: int) -> str:
    """A duel of two random players: each state as text, then the choices, chance and story."""
    duel = random_duel(name, seed)
    notation, rules = duel.ruleset.game.notation, duel.ruleset.rules
    lines = [
        f"{name}, two random players, seed {seed}",
        "",
        notation.format_text(rules, duel.start),
    ]
    state = duel.start
    for played in duel.rounds:
        red, blue = (
            -1 if word is None else notation.parse_choice(rules, word)
            for word in (played.red, played.blue)
        )
        face = notation.parse_chance(rules, state, red, blue, played.chance)
        state = duel.ruleset.game.rules.resolve(rules, state, red, blue, face)
        thrown = "" if played.chance is None else f"  {json.dumps(played.chance)}"
        lines.append(f"{played.number}. {played.red or '-'}, {played.blue or '-'}{thrown}")
        lines.extend(f"     {line}" for line in played.story)
        lines.append(notation.format_text(rules, state))
    assert duel.outcome is not None
    lines += ["", json.dumps(duel.outcome.as_json()), duel.ending()]
    return "\n".join(lines) + "\n"
