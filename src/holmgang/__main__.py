"""`python -m holmgang` is the command `holmgang`."""

from holmgang.cli import main

if __name__ == "__main__":
    main()
