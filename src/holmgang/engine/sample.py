"""A sample of each game: the first rounds of a real game, as an example of what it looks like.

A game in its own folder may have a record, `sample.jsonl`, next to its rules; the last round in it
is shown. For all other games, some rounds are played at random.
"""

from holmgang.engine import record as records
from holmgang.engine.duel import Duel
from holmgang.engine.keys import draw_below
from holmgang.games.contract import SEATS
from holmgang.games.ruleset import Ruleset

FILE = "sample.jsonl"
ROUNDS = 4
SEED = 1


def sample_of(ruleset: Ruleset) -> Duel:
    """A duel after some rounds. Raises `RecordError` or `ReplayError` for an unsound record."""
    page = ruleset.game.page
    file = None if page is None else page.with_name(FILE)
    if file is not None and file.is_file():
        record = records.read(file)
        if record.ruleset == ruleset:
            return records.replay(record)
    return played_at_random(ruleset)


def played_at_random(ruleset: Ruleset) -> Duel:
    """The first rounds of a game in which both seats choose at random; the same every time."""
    duel = Duel(ruleset, seed=SEED)
    for number in range(ROUNDS):
        if duel.is_over:
            break
        for place, seat in enumerate(SEATS):
            words = ruleset.words(duel.state, place)
            if words:
                duel.choose(seat, words[draw_below(SEED + place, number, len(words))])
        duel.reveal()
    return duel
