"""The few measures of a ruleset that a player wants to know before a duel.

`python -m holmgang.lab.preview RULESET STATES MIB SECONDS` prints them as JSON, for a server that
measures in another process, which has limits of memory and processor time. A ruleset that cannot be
solved within them gives an exit code other than 0.
"""

import resource
import sys

import msgspec

from holmgang.errors import HolmgangError
from holmgang.games.contract import BLUE, RED
from holmgang.games.finding import load_environment
from holmgang.games.ruleset import Ruleset, load
from holmgang.lab.balance import length_of
from holmgang.lab.chain import Chain
from holmgang.lab.dominance import useless_choices
from holmgang.lab.sweep_measures import both_images, prepare
from holmgang.solver.exact.solve import solve_table, sweeping
from holmgang.solver.exact.table import tabulate
from holmgang.wire.study import RulesMeasures, UselessChoice

MOST_MIB = 512  # of the table; what is derived from it may take several times as much
MOST_USELESS = 4  # of a seat


def preview(ruleset: Ruleset, most_states: int) -> RulesMeasures:
    """The measures of a ruleset. Raises `UsageError` if it has too many states."""
    prepare(ruleset)
    table = tabulate(ruleset, most_states=most_states, most_mib=MOST_MIB)
    game = both_images(solve_table(table, sweeping()))
    chain = Chain(game.arrays, game.picked, game.mixes)
    ends, length = chain.sums.endings, length_of(chain)
    useless = [
        UselessChoice(
            seat=None if game.is_symmetric else each.seat,
            choice=each.choice,
            condition=each.condition_text(symmetric=game.is_symmetric),
        )
        for seat in ((RED,) if game.is_symmetric else (RED, BLUE))
        for each in sorted(
            useless_choices(game, seat), key=lambda each: (each.condition != "", -each.states)
        )[:MOST_USELESS]
    ]
    return RulesMeasures(
        states=table.states,
        value=game.value,
        red=ends.red,
        blue=ends.blue,
        draws=ends.draw,
        endless=ends.endless,
        length=length.mean if length else None,
        long=length.most if length else None,
        useless=useless,
    )


if __name__ == "__main__":
    load_environment()
    text, states, mib, seconds = sys.argv[1], *map(int, sys.argv[2:])
    resource.setrlimit(resource.RLIMIT_DATA, (mib << 20, mib << 20))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    try:
        found = preview(load(text), states)
    except (HolmgangError, MemoryError) as error:
        sys.stderr.write(f"{str(error) or 'too little memory'}\n")
        sys.exit(2)
    sys.stdout.buffer.write(msgspec.json.encode(found))
