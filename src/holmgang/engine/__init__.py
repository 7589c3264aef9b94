"""Playing by the rules: rounds, duels, matches, hidden choice, chance from a seed, records."""
