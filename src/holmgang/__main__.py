"""The command `holmgang`, which is also `python -m holmgang`."""

import signal


def main() -> None:
    """Loads and runs the command line. Until it is loaded, Ctrl-C ends the process at once and
    without a traceback; from then on, `cli.main.main` takes care of it.
    """
    handler = signal.getsignal(signal.SIGINT)
    if handler is signal.default_int_handler:  # and not ignored, as in the background
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from holmgang.cli.main import main as run

    signal.signal(signal.SIGINT, handler)
    run()


if __name__ == "__main__":
    main()
