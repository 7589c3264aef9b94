"""Matrix games by the simplex method in exact fractions: slow, short, and nothing of ours."""

from fractions import Fraction


def matrix_game(rows):
    """The value to the row player, and an optimal mix of the rows."""
    least = min(min(row) for row in rows)
    shifted = [[Fraction(entry) - Fraction(least) + 1 for entry in row] for row in rows]
    # The column player maximises sum(q) with shifted @ q <= 1; the value is 1 / sum(q), and the
    # prices of the constraints are the row player's mix.
    count, width = len(rows), len(rows[0])
    tableau = [
        [*row, *(Fraction(int(i == j)) for j in range(count)), Fraction(1)]
        for i, row in enumerate(shifted)
    ]
    goal = [*(Fraction(-1) for _ in range(width)), *(Fraction(0) for _ in range(count + 1))]
    basis = [width + i for i in range(count)]
    while True:
        enter = next((j for j, cost in enumerate(goal[:-1]) if cost < 0), None)  # Bland's rule
        if enter is None:
            break
        ratios = [
            (tableau[i][-1] / tableau[i][enter], basis[i], i)
            for i in range(count)
            if tableau[i][enter] > 0
        ]
        leave = min(ratios)[2]
        pivot = tableau[leave][enter]
        tableau[leave] = [entry / pivot for entry in tableau[leave]]
        for line in (*(tableau[i] for i in range(count) if i != leave), goal):
            factor = line[enter]
            if factor:
                line[:] = [a - factor * b for a, b in zip(line, tableau[leave], strict=True)]
        basis[leave] = enter
    total = goal[-1]
    return 1 / total + Fraction(least) - 1, [price / total for price in goal[width:-1]]
