"""The rules of a game in pages that fit into a message: first what a player needs to begin."""

import re
from functools import cache

from holmgang.discord.controls import pair_example
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.contract import BLUE, RED, SEATS
from holmgang.games.describe import rules_markdown
from holmgang.games.ruleset import load
from holmgang.live.menus import menu_of
from holmgang.wire.match import Menu

LONGEST_SHORT = 1300
"""Characters of the first page, which a phone shows on a screen or so."""
LONGEST = 1900
"""Characters of a page; Discord takes 2,000."""
BLOCK = re.compile(r"\n{2,}")


@cache
def rules_pages(game: str) -> tuple[str, ...]:
    """The rules in pages: one screen with the idea and the choices, then the full text, split
    between paragraphs where possible, with tables in fixed width.
    """
    blocks = BLOCK.split(rules_markdown(load(game)).strip())
    return (short_rules(game, blocks), *full_rules(blocks))


def short_rules(game: str, blocks: list[str]) -> str:
    """The first paragraph of the rules, and what the choices of the first round do: of each side,
    if they differ. A variant says first what is different.
    """
    ruleset = load(game)
    lines = [readable(block) for block in blocks[:2]]
    variants = [each for each in CATALOGUE.values() if each.game is ruleset.game]
    main = variants[0] if variants else ruleset.entry
    if main is not ruleset.entry:
        lines[0] = f"# {ruleset.entry.title}"
        lines.insert(1, f"**Variant of {main.title}**: {ruleset.entry.line}")
    start = ruleset.initial()
    menus = {seat: menu_of(ruleset, start, seat) for seat in SEATS}
    is_same = ruleset.words(start, RED) == ruleset.words(start, BLUE)
    for seat, menu in list(menus.items())[: 1 if is_same else 2]:
        if menu is not None:
            whose = "The choices" if is_same else f"{seat.capitalize()}’s choices"
            lines += [f"**{whose} of the first round**", *choice_lines(menu)]
    return "\n".join(lines)[:LONGEST_SHORT]


def choice_lines(menu: Menu) -> list[str]:
    """What each choice does, or the range of pairs and an example. Choices that share an effect are
    one line.
    """
    if menu.controls == "dials":
        halves = zip(menu.axes, (menu.rows, menu.columns), strict=True)
        ranges = [f"- **{name.capitalize()}**: {each[0]} to {each[-1]}" for name, each in halves]
        return [*ranges, f"- {pair_example(menu)}"]
    lines = [f"- **{each.label}**: {each.note}" for each in menu.options if not each.own]
    alike = [each.label for each in menu.options if each.own]
    return [*lines, f"- **{', '.join(alike)}**: {menu.shared}"] if alike else lines


def full_rules(blocks: list[str]) -> tuple[str, ...]:
    pages = [""]
    for block in blocks:
        for piece in fitting(readable(block)):
            grown = f"{pages[-1]}\n\n{piece}" if pages[-1] else piece
            if len(grown) <= LONGEST:
                pages[-1] = grown
            else:
                pages.append(piece)
    return tuple(pages)


def readable(block: str) -> str:
    """A paragraph for Discord, which has no tables and shows every line break."""
    lines = block.split("\n")
    if block.startswith("|"):
        return f"```\n{block}\n```"
    if block.startswith("```"):
        return block
    joined = [lines[0]]
    for line in lines[1:]:
        is_new = re.match(r"\s*([-*#>|]|\d+\.)\s", line) is not None
        if is_new:
            joined.append(line)
        else:
            joined[-1] += " " + line.strip()
    return re.sub(r"^#{4,}", "###", "\n".join(joined))


def fitting(block: str) -> list[str]:
    """The block, in several pieces if it is longer than a page; a table keeps its fences."""
    if len(block) <= LONGEST:
        return [block]
    fence = "```\n" if block.startswith("```") else ""
    lines = block.removeprefix("```\n").removesuffix("\n```").split("\n") if fence else [block]
    if not fence:
        lines = re.split(r"(?<=[.:;]) ", block.replace("\n", "\n "))
    joint, pieces = ("\n" if fence else " "), [""]
    for line in lines:
        if len(pieces[-1]) + len(line) + 10 > LONGEST:
            pieces.append("")
        pieces[-1] += (joint if pieces[-1] else "") + line
    return [f"{fence}{piece}\n```" if fence else piece for piece in pieces]
