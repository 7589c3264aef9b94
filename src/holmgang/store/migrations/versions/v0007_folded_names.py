"""Names of accounts that read alike are kept apart from now on."""

# ruff: noqa: RUF001 - characters that look alike are the matter here

import re
import unicodedata

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("people", sa.Column("folded_name", sa.Text(), nullable=True))
    people = sa.table(
        "people",
        sa.column("id", sa.Integer),
        sa.column("name", sa.Text),
        sa.column("password_hash", sa.Text),
        sa.column("folded_name", sa.Text),
    )
    connection = op.get_bind()
    accounts = connection.execute(
        sa.select(people.c.id, people.c.name)
        .where(people.c.password_hash.is_not(None))
        .order_by(people.c.id)
    ).all()
    taken: set[str] = set()
    for person, name in accounts:
        key = fold(name)
        if key in taken:
            key = f"{key} {person}"  # has no spaces otherwise: the account keeps its name
        taken.add(key)
        connection.execute(sa.update(people).where(people.c.id == person).values(folded_name=key))
    op.create_index("people_folded_name", "people", ["folded_name"], unique=True)


# `folding.fold` as it was then: a migration must not change with the code.

LOOK_ALIKE = {
    **dict(zip("авсԁеһіјкӏмноԛрѕтѵԝхуу", "abcdehijklmhoqpstvwxyy", strict=True)),  # Cyrillic
    **dict(zip("αβεζηικμνορτυχϲϳ", "abezhikmnoptyxcj", strict=True)),  # Greek
    **dict(zip("ɑɡ01i", "agoll", strict=True)),
}
PAIRS = {"rn": "m", "vv": "w"}
LATIN_FORM = re.compile(r"LATIN (?:SMALL )?LETTER (?:SMALL CAPITAL|SCRIPT|DOTLESS) ([A-Z])")


def fold(name: str) -> str:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    # Decomposed, so that a letter with an accent is mapped as its letter is.
    key = "".join(map(_one_letter, unicodedata.normalize("NFD", re.sub(r"[-_\s]", "", folded))))
    for pair, letter in PAIRS.items():
        key = key.replace(pair, letter)
    return unicodedata.normalize("NFC", key)


def _one_letter(character: str) -> str:
    if character.isascii() or character in LOOK_ALIKE:
        return LOOK_ALIKE.get(character, character)
    form = LATIN_FORM.fullmatch(unicodedata.name(character, ""))
    letter = form[1].lower() if form else character
    return LOOK_ALIKE.get(letter, letter)
