"""`holmgang new-game`: a small game in a file of its own."""

from importlib.resources import files
from pathlib import Path

from holmgang.errors import UsageError
from holmgang.games.finding import GAME_NAME
from holmgang.games.shape import brief
from holmgang.machine import program

TEMPLATE = "Standoff"


def write(file: Path) -> None:
    """Writes the game to a new file, and prints what can be done with it."""
    name = file.stem.lower().replace("_", "-")
    if file.suffix != ".py" or not GAME_NAME.fullmatch(name):
        raise UsageError(f"the file must be named like standoff.py; not {brief(file.name)}")
    text = files("holmgang.games").joinpath("starter.py").read_text(encoding="utf-8")
    title = file.stem.replace("_", " ").replace("-", " ").capitalize()
    text = text.replace(f'"""{TEMPLATE}:', f'"""{title}:', 1)
    text = text.replace(f"./{TEMPLATE.lower()}.py", f"./{file.name}", 1)
    try:
        with file.open("x", encoding="utf-8") as written:
            written.write(text)
    except FileExistsError:
        raise UsageError(f"{file} already exists") from None
    except OSError as error:
        raise UsageError(f"cannot write {file}: {error.strerror}") from None
    path = file if file.is_absolute() or file.parent != Path() else f"./{file}"
    print(f"Wrote {file}. Try:")  # noqa: T201
    for command in ("play", "check-game", "simulate", "solve", "value"):
        print(f"  {program()} {command} {path}")  # noqa: T201
