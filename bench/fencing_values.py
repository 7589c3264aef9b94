"""Prints the figures of docs/fencing-league-1.md and -2.md from a finished file of layers.

    python -m bench.fencing_values FILE.layers [STATE ...]

States are given as short text, as `holmgang value` takes them. Without any, it prints a selection
of those that the file has. Each new score takes up to a minute, and the first one about 2 GB of
memory in league 2.
"""

import resource
import sys
import time
from pathlib import Path
from typing import Any

from holmgang.engine.mix import Mix
from holmgang.errors import StateError
from holmgang.games.ruleset import Ruleset
from holmgang.solver.evaluation import Evaluation, in_words
from holmgang.solver.layered.layers import Layers

LEAST = 0.0005  # a chance that would be shown as none


def main(arguments: list[str]) -> None:
    path, *texts = arguments
    started = time.process_time()
    with Layers(Path(path)) as layers:
        ruleset, header = layers.ruleset, layers.header
        print(f"{ruleset.text}: {header['states']:,} states, {header['places']:,} places,")
        print(f"{len(header['layers'])} scores, {Path(path).stat().st_size:,} bytes,")
        print(f"exploitability {header['exploitability']:.2e}")
        print()
        print("| state | value to red | error below | win / draw / loss | red | blue |")
        print("|-------|--------------|-------------|-------------------|-----|------|")
        parse = ruleset.game.notation.parse_text
        for state in [parse(ruleset.rules, text) for text in texts] or selection(ruleset):
            try:
                evaluation = layers.evaluate(state)
            except StateError:  # the rules are shorter, and the state is not among theirs
                continue
            print(row(ruleset, state, evaluation))
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(f"\n{time.process_time() - started:.0f} s of processor time, {used:,} MiB of memory")


def selection(ruleset: Ruleset) -> list[Any]:
    start = ruleset.initial()

    def at(turn: int, red: dict[str, int], blue: dict[str, int]) -> Any:
        return start._replace(
            turn=turn, red=start.red._replace(**red), blue=start.blue._replace(**blue)
        )

    near = {"energy": start.red.energy - 3}
    return [
        start,
        at(3, {"position": 240, **near}, {"position": 260, **near}),
        *(at(turn, {"score": 1}, {}) for turn in (2, 100, 180)),
        at(100, {"score": 19}, {"score": 18}),
        at(100, {"energy": 5}, {}),
    ]


def row(ruleset: Ruleset, state: Any, found: Evaluation) -> str:
    chances = "–"
    if found.win is not None and found.draw is not None and found.loss is not None:
        chances = f"{found.win:.3f} / {found.draw:.3f} / {found.loss:.3f}"
    error = (found.high - found.low) / 2
    mixes = " | ".join(shown(in_words(ruleset, mix)) for mix in (found.red, found.blue))
    text = ruleset.format_text(state)
    return f"| `{text}` | {found.value:+z.6f} | {error:.0e} | {chances} | {mixes} |"


def shown(mix: Mix) -> str:
    """The choices by their chances, those that are hardly made left out."""
    made = sorted((-chance, word) for word, chance in mix.items() if chance >= LEAST)
    return ", ".join(word if -c > 1 - LEAST else f"{word} {-c:.3f}" for c, word in made)


if __name__ == "__main__":
    main(sys.argv[1:])
