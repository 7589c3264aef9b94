"""`holmgang dataset`: progress while it runs, then what was written."""

from importlib.util import find_spec
from pathlib import Path

from rich.console import Console

from holmgang.errors import UsageError
from holmgang.games.ruleset import load
from holmgang.machine import relative
from holmgang.terminal.printing import print_line
from holmgang.terminal.progress import StatusPrinter, progress_of


def run(
    game: str,
    *,
    out: Path | None,
    games: int,
    seed: int | None,
    red: str,
    blue: str,
    file_format: str,
) -> None:
    if find_spec("numpy") is None:
        raise UsageError("datasets need NumPy: pip install 'holmgang[fast]'")
    from holmgang.analysis.dataset import write_dataset

    ruleset = load(game)
    folder = Path(f"{ruleset.entry.name}-dataset") if out is None else out
    status = StatusPrinter(as_json=False)
    with progress_of(Console(stderr=True), games, "playing") as progress:
        about = write_dataset(
            ruleset,
            folder,
            games=games,
            seed=seed,
            red=red,
            blue=blue,
            file_format=file_format,
            progress=progress,
            notify=status.say,
            announce=status.announce,
        )
    count = len(about.parts)
    print_line(
        f"{relative(folder)}: {about.games:,} games of {about.ruleset}, {about.red} against"
        f" {about.blue}, seed {about.seed}, in {count} file{'s' if count > 1 else ''}"
    )
