"""The estimate of a game that has it beside its rules, as a module of kernels."""

from typing import Any

game: Any = None  # engine/compiled/binding.py replaces it


def estimate(rules: Any, state: Any) -> Any:
    return game.estimate(rules, state)
