"""The command `holmgang step`."""


def step() -> None:
    """Answer JSON requests, one a line: the rules as a service for other programs."""
    from holmgang.terminal.lines import serve_lines

    serve_lines()
