"""The command `holmgang step`."""


def step() -> None:
    """Answer JSON requests about the rules, one per line."""
    from holmgang.terminal.step import serve_lines

    serve_lines()
