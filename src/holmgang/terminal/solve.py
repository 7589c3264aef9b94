"""`holmgang solve`: builds exact tables, and checks them."""

import sys
from pathlib import Path

from holmgang.errors import HolmgangError, UsageError
from holmgang.games.shape import printable
from holmgang.solver.exact import tablebase
from holmgang.solver.layered import layers
from holmgang.solver.summary import Counted
from holmgang.solver.tables import solve
from holmgang.terminal.printing import print_json
from holmgang.terminal.progress import StatusPrinter


def solve_ruleset(
    game: str, *, out: Path | None, most_states: int, most_mib: int, as_json: bool
) -> None:
    status = StatusPrinter(as_json=as_json)
    found = solve(
        game,
        out=out,
        most_states=most_states,
        most_mib=most_mib,
        progress=status.say,
        announce=status.announce,
    )
    if as_json:
        print_json(found.as_json())
        return
    states = f"{found.states:,} reachable states"
    if found.counted is Counted.ALL_PLACES:
        states = f"{found.states:,} states (every place at every score and turn, reachable or not)"
    sys.stdout.write(
        f"{found.ruleset.text}: {states} solved in {found.compute_seconds:.1f} s\n"
        f"value to red from the start: {found.value:+.9f}\n"
        f"exploitability <= {found.exploitability:.1e} from the start\n"
        f"{found.path} ({found.bytes:,} bytes)\n"
    )


def check_table(path: Path, *, most_mib: int, as_json: bool) -> None:
    """Proves a table again, from the file and the rules. Exits with 1 if that fails."""
    status = StatusPrinter(as_json=as_json)
    try:
        path.open("rb").close()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    try:
        if path.suffix == ".layers":
            done = layers.check(path, progress=status.say, announce=status.announce)
            ruleset, exploitability = done.ruleset, done.exploitability
            proven = f"{done.layers} of {done.of} layers solved again"
        else:
            with tablebase.Tablebase(path) as table:
                ruleset = table.ruleset
            exploitability = tablebase.check(path, most_mib=most_mib, announce=status.announce)
            proven = "every state proven again"
    except HolmgangError as error:
        sys.stderr.write(f"holmgang: {printable(str(error))}\n")
        sys.exit(1)
    if as_json:
        print_json({"ruleset": ruleset.text, "exploitability": exploitability})
    else:
        sys.stdout.write(f"ok: {ruleset.text}, exploitability {exploitability:.1e}; {proven}\n")
