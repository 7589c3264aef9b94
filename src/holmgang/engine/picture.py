"""Captions of pictures, and pictures as PNG. The SVG comes from the game's `picture.py`."""

from holmgang.errors import UsageError
from holmgang.games import svg
from holmgang.games.contract import NOBODY

THEMES = ("light", "dark")
NO_FONT = (
    "cannot write text into a PNG: this machine has no fonts; Debian, Ubuntu: apt install"
    " fonts-dejavu-core"
)
PROBE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">'
    f'<text y="9" font-family="{svg.FONTS}">{{}}</text></svg>'
)


def result_caption(winner: int) -> str:
    """The result as a caption that fits every picture."""
    return "Draw" if winner == NOBODY else f"{('Red', 'Blue')[winner]} wins"


def rasterise(picture: str, *, width: int = svg.WIDTH, theme: str = "light") -> bytes:
    """The picture as PNG. Raises `UsageError` if the rasteriser or any font is missing."""
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise UsageError("PNG files need resvg: pip install 'holmgang[png]'") from None
    blank, letter = (svg_to_bytes(svg_string=PROBE.format(said)) for said in (" ", "x"))
    if blank == letter:
        raise UsageError(NO_FONT)
    return bytes(svg_to_bytes(svg_string=svg.flatten(picture, theme), width=width))
