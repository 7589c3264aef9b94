"""RULES.md as HTML, with an anchor for each section, paragraph and ruling: `rule-4`, `rule-4.1`,
`rule-F7`. Where the text mentions a paragraph or a ruling, it links to it.
"""

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

from holmgang.games.describe import rules_markdown
from holmgang.games.ruleset import Ruleset

SECTION = re.compile(r"(\d+) ")
PARAGRAPH = re.compile(r"\d+\.\d+|[A-Z]{1,2}\d+|Limits")
MENTION = re.compile(r"(?<![\w.])(?:[A-Z]{1,2}\d+|\d+\.\d+)(?!\w|\.\d)")
PREFIX = "rule-"


def rules_html(ruleset: Ruleset) -> str:
    """The rules of the ruleset's game, as an HTML fragment."""
    return html_of(rules_markdown(ruleset))


@cache  # as many as there are games
def html_of(markdown: str) -> str:
    """Markdown as HTML with anchors and links.

    >>> print(html_of("**1.1** See F7."), end="")
    <p id="rule-1.1"><strong>1.1</strong> See F7.</p>
    >>> print(html_of("- **F7** See F7."), end="")
    <ul>
    <li id="rule-F7"><strong>F7</strong> See <a href="#rule-F7">F7</a>.</li>
    </ul>
    """
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(markdown)
    anchors = set(set_anchors(tokens))
    for token in tokens:
        if token.type == "inline" and token.children:
            token.children = list(with_links(token.children, anchors))
        style = token.attrs.pop("style", None)  # which the pages' policy forbids
        if style:
            token.attrs["class"] = str(style).removeprefix("text-align:")
    html: str = parser.renderer.render(tokens, parser.options, {})
    return html


def set_anchors(tokens: list[Token]) -> Iterator[str]:
    """Gives every section, paragraph and ruling its id; returns their names."""
    for index, (opening, inline) in enumerate(pairwise(tokens)):
        if inline.type != "inline":
            continue
        name = None
        if opening.type == "heading_open":
            name = SECTION.match(inline.content)
        elif opening.type == "paragraph_open":
            bold = [child.content for child in (inline.children or [])[:3] if child.content]
            name = PARAGRAPH.fullmatch(bold[0]) if is_bold(inline) and bold else None
        if name is not None:
            key = name[1] if name.re is SECTION else name[0]
            # The paragraph of a list item is not written, but the item is.
            holder = tokens[index - 1] if opening.hidden else opening
            holder.attrs["id"] = PREFIX + key
            yield key


def is_bold(inline: Token) -> bool:
    """Whether it begins with a piece in bold."""
    written = [child for child in inline.children or [] if child.type != "text" or child.content]
    return bool(written) and written[0].type == "strong_open"


def with_links(children: list[Token], anchors: set[str]) -> Iterator[Token]:
    """The pieces of a text, with mentions as links; a name in bold is a definition."""
    depth = 0
    for child in children:
        depth += child.nesting
        if child.type != "text" or depth:
            yield child
            continue
        done = 0
        for mention in MENTION.finditer(child.content):
            if mention[0] in anchors:
                yield text(child.content[done : mention.start()])
                yield Token("link_open", "a", 1, attrs={"href": f"#{PREFIX}{mention[0]}"})
                yield text(mention[0])
                yield Token("link_close", "a", -1)
                done = mention.end()
        yield text(child.content[done:])


def text(content: str) -> Token:
    return Token("text", "", 0, content=content)
