"""The faults that one check of a bot has found, for its author."""

from collections import Counter

LAST_LINES = 12  # of standard error
LONGEST_LINE = 200


class Faults:
    """Faults; equal ones are listed once, with the first place and a count."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()
        """By status and detail."""
        self._places: dict[tuple[str, str], str] = {}
        self._stderr = b""

    def add(self, status: str, detail: str, where: str, stderr: bytes) -> None:
        key = status, detail
        self.counts[key] += 1
        self._places.setdefault(key, where)
        self._stderr = self._stderr or stderr

    def details(self) -> list[str]:
        lines = []
        for (status, detail), count in self.counts.items():
            times = f", and {count - 1} more" if count > 1 else ""
            lines.append(f"{status} {self._places[status, detail]}{times}: {detail}")
        return lines

    def last_words(self) -> list[str]:
        """The end of the bot's standard error at the first fault."""
        said = self._stderr.decode("utf-8", errors="replace").strip().splitlines()
        return [f"stderr: {line[:LONGEST_LINE]}" for line in said[-LAST_LINES:]]
