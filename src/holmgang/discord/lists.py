"""Lists as messages: leaderboards and histories."""

from collections.abc import Callable, Sequence

from discord.utils import escape_markdown

from holmgang.games.catalogue import CATALOGUE
from holmgang.store import MatchRow, Person, Rating


def leaderboard_text(game: str, best: Sequence[tuple[Person, Rating]]) -> str:
    title = CATALOGUE[game].title
    if not best:
        return f"**{title}**: nobody has played enough rated matches recently."
    lines = [
        f"{place}. {escape_markdown(person.name)}: **{round(rating.rating)}** "
        f"({rating.matches} matches)"
        for place, (person, rating) in enumerate(best, start=1)
    ]
    return "\n".join([f"**{title}**: the best players", *lines])


def history_text(person: Person, rows: Sequence[MatchRow], address_of: Callable[[str], str]) -> str:
    if not rows:
        return "You have not finished a duel yet."
    lines = []
    for row in rows:
        found = row.summary
        is_red = found.red_person == person.id
        own, other = (found.red_wins, found.blue_wins)[:: 1 if is_red else -1]
        name = found.blue_name if is_red else found.red_name
        how = "drawn" if found.winner is None else "lost"
        if found.winner == ("red" if is_red else "blue"):
            how = "won"
        title = CATALOGUE[found.game].title if found.game in CATALOGUE else found.game
        score = f" {own} – {other}" if found.wins_needed > 1 else ""
        address = address_of(row.id)
        link = f" · <{address}>" if address else ""
        lines.append(
            f"- <t:{int(row.updated_at)}:d> {title}: {how}{score} against "
            f"{escape_markdown(name or '?')}{link}"
        )
    return "\n".join(["**Your last duels**", *lines])
