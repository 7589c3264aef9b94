"""The line of keys at the bottom of a screen."""

from rich.text import Text

from holmgang.terminal.screen.palette import DIM, KEY


def keys_line(*pairs: tuple[str, str]) -> Text:
    """Keys with what they do; what does not fit is cut off, so the important ones come first."""
    return Text("  ", no_wrap=True, overflow="ellipsis").join(
        Text.assemble((f" {key} ", KEY), (f" {word}", DIM)) for key, word in pairs
    )
