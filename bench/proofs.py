"""How well rulesets are proven: `python -m bench.proofs` writes bench/PROOFS.md (minutes).

Small rulesets of both games that the exact solver is for, among them those in which sweeps close in
ever more slowly, in which stalling is worth something, and in which only nearly optimal strategies
exist. Each is solved, and its bounds are those of the certificate.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

from bench.page import made_of, table
from holmgang.errors import RulesetError
from holmgang.games.ruleset import load
from holmgang.solver.exact.solve import solve_table, sweeping
from holmgang.solver.exact.table import tabulate

HERE = Path(__file__).parent
LIMITS = (1e-8, 1e-7, 1e-6, 1e-5, 1e-4)
SHOWN = 25
WHY = """
The rulesets above 1e-8 are not exact for a reason
([decision 5](../docs/decisions/0005-exact-solver.md#consequences)). In BAGH with `max_boost=1` and
`heal_limit=1` no optimal strategy exists where one side has more hp: it can win with a chance as
close to 1 as it likes, but not with chance 1, and to come within e of it takes chances of e³. In
Defend The City with `overspend=0` and `endless_loses=0` it takes chances of e². BAGH with
`heal_limit` 2 and 3 looks the same, without a proof that no optimal strategy exists.
"""


class Proof(NamedTuple):
    text: str
    states: int
    start: float
    worst: float
    seconds: float


def rulesets() -> Iterator[str]:
    for hp, boost, limit in product((1, 2, 3, 4), (0, 1, 2), (1, 2, 3, 5)):
        yield f"bagh:start_hp={hp},max_boost={boost},heal_limit={limit}"
    for hp, boost, limit in product((2, 3), (1, 2), (2, 4)):
        yield f"bagh-advantage:start_hp={hp},max_boost={boost},heal_limit={limit}"
    for stamina, score, overspend in product((1, 2, 3, 4, 6), (1, 2, 3), (0, 1)):
        rules = f"stamina={stamina},max_score={score},overspend={overspend}"
        yield f"defend-the-city-duel:{rules}"
        for soldiers in (1, 2, 3):
            yield f"defend-the-city:{rules},soldiers={soldiers},endless_loses=0"
            yield f"defend-the-city:{rules},soldiers={soldiers}"


def proven(text: str) -> Proof:
    started = time.process_time()
    written = tabulate(load(text), interpret=True)  # faster than compiling it for so few states
    solution = solve_table(written, sweeping())
    return Proof(
        text,
        solution.table.states,
        solution.exploitability,
        solution.worst_exploitability,
        time.process_time() - started,
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.proofs")
    parser.add_argument("rulesets", nargs="*", help="Rulesets to print only (default: the sweep)")
    options = parser.parse_args()
    proofs = []
    for text in options.rulesets or rulesets():
        try:
            proofs.append(proven(text))
        except RulesetError as refusal:
            sys.stderr.write(f"{refusal}\n")
            continue
        sys.stderr.write(f"{text}: {proofs[-1].start:.1e} {proofs[-1].worst:.1e}\n")
    if not options.rulesets:
        (HERE / "PROOFS.md").write_text("\n".join(page(proofs)))


def page(proofs: list[Proof]) -> list[str]:
    counted = [
        [
            f"{limit:.0e}",
            f"{sum(proof.start <= limit for proof in proofs)}",
            f"{sum(proof.worst <= limit for proof in proofs)}",
        ]
        for limit in LIMITS
    ]
    hardest = sorted(proofs, key=lambda proof: -proof.worst)[:SHOWN]
    return [
        "# How well rulesets are proven",
        "",
        "Written by `python -m bench.proofs`; not by hand. Each ruleset is solved and proven. The",
        "exploitability is the distance of the two proven bounds of the value, from the start of",
        "the game and from the state in which it is largest.",
        "",
        *made_of(),
        f"- {len(proofs)} rulesets, {sum(proof.seconds for proof in proofs):.0f} CPU seconds",
        "",
        *table(["exploitability at most", "from the start", "from every state"], counted),
        f"The {SHOWN} with the largest exploitability:",
        "",
        *table(
            ["ruleset", "states", "from the start", "from the worst state", "CPU s"],
            [
                [
                    f"`{proof.text}`",
                    f"{proof.states:,}",
                    f"{proof.start:.1e}",
                    f"{proof.worst:.1e}",
                    f"{proof.seconds:.1f}",
                ]
                for proof in hardest
            ],
        ),
        *WHY.strip().splitlines(),
        "",
    ]


if __name__ == "__main__":
    main()
