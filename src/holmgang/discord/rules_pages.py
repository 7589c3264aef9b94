"""The rules of a game in pages that fit into a message."""

import re
from functools import cache

from holmgang.games.describe import rules_markdown
from holmgang.games.ruleset import load

LONGEST = 1900
"""Characters of a page; Discord takes 2,000."""
BLOCK = re.compile(r"\n{2,}")


@cache
def rules_pages(game: str) -> tuple[str, ...]:
    """The rules in pages: split between paragraphs where possible, with tables in fixed width."""
    text = rules_markdown(load(game))
    pages = [""]
    for block in BLOCK.split(text.strip()):
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
