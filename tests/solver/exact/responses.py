"""Best responses to the mixes in a table, in fractions and from the rules alone: another way to the
bounds of a certificate, with nothing of the solver in it.
"""

from fractions import Fraction
from itertools import product

from holmgang.solver.exact.tablebase import Tablebase, write

STALL = -2  # a response: to make the duel endless


def states_of(ruleset):
    """All undecided states, by the plain rules."""
    game, rules = ruleset.game.rules, ruleset.rules
    found = [game.initial(rules)]
    seen = set(found)
    for state in found:
        for red, blue in product(*(ruleset.choices(state, s) or [-1] for s in (0, 1))):
            for face in range(game.chance(rules, state, red, blue)):
                after = game.resolve(rules, state, red, blue, face)
                if game.outcome(rules, after).reason == 0 and after not in seen:
                    seen.add(after)
                    found.append(after)
    return found


def check_bounds(solution, path):
    """No response gains more than a bound says. Nothing is tolerated: over a long duel, a last
    digit in every round may come to any amount.
    """
    ruleset, table = solution.ruleset, solution.table
    states = states_of(ruleset)
    with Tablebase(write(solution, path)) as stored:
        stored_of = {state: stored.evaluate(state) for state in states}
    for responder in (0, 1):
        side = -1 if responder else 1
        mixes = {state: (e.blue, e.red)[responder] for state, e in stored_of.items()}
        told = {state: e.low if responder else e.high for state, e in stored_of.items()}
        worths = best_responses(ruleset, mixes, responder, told)
        for number, state in table:  # as the bounds were before they were rounded to be stored
            bounds = solution.lows if responder else solution.highs
            images = {state: bounds[number]}
            if table.mirrored:
                images[ruleset.mirror(state)] = bounds[table.mirrored + number]
            for image, bound in images.items():
                assert worths[image] <= side * Fraction(bound) <= side * Fraction(told[image])
        for state in states:
            assert worths[state] <= side * Fraction(told[state])


def best_responses(ruleset, mixes, responder, guesses):
    """What the best response to these mixes is worth to the responder, by state. `guesses`, to red,
    only make it faster.

    Policy iteration: in each set of states that can reach each other, from the end of the game
    backwards, each state takes a better response until there is none. A responder that can stall
    starts with that, so every policy ends, stalls or leaves the set.
    """
    side = -1 if responder else 1
    rounds = {state: all_rounds(ruleset, state, mixes[state], responder) for state in mixes}
    endless = set(mixes)
    while leaving := {
        state
        for state in endless
        if not any(not ends and follow.keys() <= endless for _, ends, follow in rounds[state])
    }:
        endless -= leaving
    forever = side * Fraction(ruleset.endless_utility)
    worths = {state: side * Fraction(guesses[state]) for state in mixes}

    def worth(state, response):
        constant, _, follow = rounds[state][response]
        return constant + sum(share * worths[after] for after, share in follow.items())

    def best(state):
        return max(range(len(rounds[state])), key=lambda response: worth(state, response))

    graph = {state: set().union(*(o[2] for o in options)) for state, options in rounds.items()}
    for part in components(graph):
        policy = {state: STALL if state in endless else best(state) for state in part}
        while True:
            rows = {
                state: (forever, {}) if response == STALL else rounds[state][response][::2]
                for state, response in policy.items()
            }
            worths |= solved(rows, worths)
            better = {state: best(state) for state in part}
            better = {s: taken for s, taken in better.items() if worth(s, taken) > worths[s]}
            if not better:
                break
            policy |= better
    return worths


def all_rounds(ruleset, state, shares, responder):
    """For each response: what ends at once is worth to the responder, whether anything can end, and
    the chances of all that may follow.
    """
    game, rules, side = ruleset.game.rules, ruleset.rules, -1 if responder else 1
    mix = {choice: Fraction(share) for choice, share in shares.items() if share}
    mix = mix or {-1: Fraction(1)}
    total, options = sum(mix.values()), []
    for response in ruleset.choices(state, responder) or [-1]:
        constant, ends, follow = Fraction(0), False, {}
        for choice, chance in mix.items():
            red, blue = (choice, response) if responder else (response, choice)
            faces = game.chance(rules, state, red, blue)
            for face in range(faces):
                after = game.resolve(rules, state, red, blue, face)
                ended, share = game.outcome(rules, after), chance / total / faces
                if ended.reason:
                    constant += share * side * (1, -1, 0)[ended.winner]
                    ends = True
                else:
                    follow[after] = follow.get(after, 0) + share
        options.append((constant, ends, follow))
    return options


def solved(rows, known):
    """The values of all rows, each a constant and shares of the values of other places: of those
    with a row, or known. Rows are eliminated one by one.
    """
    rows = {
        state: [
            constant + sum(s * known[after] for after, s in shares.items() if after not in rows),
            {after: s for after, s in shares.items() if after in rows},
        ]
        for state, (constant, shares) in rows.items()
    }
    order = list(rows)
    for place, state in enumerate(order):
        constant, shares = rows[state]
        leaves = 1 - shares.pop(state, 0)
        constant /= leaves
        shares = {after: share / leaves for after, share in shares.items()}
        rows[state] = [constant, shares]
        for other in order[place + 1 :]:
            factor = rows[other][1].pop(state, 0)
            if factor:
                rows[other][0] += factor * constant
                for after, share in shares.items():
                    rows[other][1][after] = rows[other][1].get(after, 0) + factor * share
    values = {}
    for state in reversed(order):
        constant, shares = rows[state]
        values[state] = constant + sum(share * values[after] for after, share in shares.items())
    return values


def components(graph):
    """The sets of states that can reach each other, those that follow first (Kosaraju)."""
    back = {state: set() for state in graph}
    for state, follow in graph.items():
        for after in follow:
            back[after].add(state)
    finished = []
    seen = set()
    for start in graph:
        path = [(start, iter(graph[start]))] if start not in seen else []
        seen.add(start)
        while path:
            state, follow = path[-1]
            after = next((after for after in follow if after not in seen), None)
            if after is None:
                finished.append(state)
                path.pop()
            else:
                seen.add(after)
                path.append((after, iter(graph[after])))
    parts, placed = [], set()
    for start in reversed(finished):
        if start not in placed:
            part, waiting = [start], [start]
            placed.add(start)
            while waiting:
                for before in back[waiting.pop()] - placed:
                    placed.add(before)
                    part.append(before)
                    waiting.append(before)
            parts.append(part)
    return parts[::-1]
