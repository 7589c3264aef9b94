"""The command `holmgang`, which is also `python -m holmgang`."""

import signal


def main() -> None:
    """Loads and runs the command line. While it loads, Ctrl-C ends the process at once, without
    a traceback; after that, `cli.main.main` handles it.
    """
    handler = signal.getsignal(signal.SIGINT)
    if handler is signal.default_int_handler:  # not ignored, as it is in the background
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from holmgang.cli.main import main as run

    signal.signal(signal.SIGINT, handler)
    run()


if __name__ == "__main__":
    main()
