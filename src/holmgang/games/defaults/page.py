"""The default rules page: the docstring of the game, its choices, and every rule."""

import inspect
from typing import get_args, get_type_hints

from holmgang.games.shape import JsonObject


def title_of(doc: str, name: str) -> tuple[str, str]:
    """The title and the line for menus: the first paragraph of a docstring, split at a colon.

    >>> title_of("Standoff: reload, shield or shoot.", "standoff")
    ('Standoff', 'reload, shield or shoot')
    >>> title_of("Reload, shield or shoot.", "stand_off")
    ('Stand off', 'Reload, shield or shoot')
    """
    first = " ".join(inspect.cleandoc(doc).partition("\n\n")[0].split()).rstrip(".")
    title, colon, line = first.partition(": ")
    if colon and line:
        return title, line
    return name.replace("_", " ").replace("-", " ").capitalize(), first or name


def rules_page(title: str, doc: str, words: list[str], rules: type) -> str:
    """The page as Markdown."""
    line = title_of(doc, title)[1]
    rest = inspect.cleandoc(doc).partition("\n\n")[2]
    parts = [f"# {title}", f"{line[:1].upper()}{line[1:]}.", rest]
    if words:
        parts.append("## Choices\n\n" + "\n".join(f"- {word}" for word in words))
    table = rule_table(rules)
    if table:
        parts.append(f"## Rules\n\n{table}")
    return "\n\n".join(part for part in parts if part) + "\n"


def rule_table(rules: type) -> str:
    defaults: JsonObject = rules()._asdict()
    hints = get_type_hints(rules, include_extras=True)
    rows = []
    for name, default in defaults.items():
        _, allowed, *notes = (*get_args(hints[name]), "")
        meaning = notes[0] if notes else ""
        span = f"{allowed[0]}–{allowed[-1]}" if isinstance(allowed, range) else ""
        rows.append(f"| `{name}` | {default} | {span} | {meaning} |")
    if not rows:
        return ""
    return "\n".join(["| rule | default | allowed | meaning |", "|---|---:|---|---|", *rows])
