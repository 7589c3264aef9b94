"""People and their sessions. Everyone begins as a guest; an account is a guest who claimed a name.

Names come checked and passwords come hashed; only whether a name is free is decided here.
"""

import re
import time
import unicodedata
from collections.abc import Sequence
from secrets import token_hex
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from holmgang.errors import NameTaken, StoreError
from holmgang.store.database import is_storable
from holmgang.store.folding import fold
from holmgang.store.schema import devices, people, sessions

GUEST = re.compile(r"guest \d+")
QUERY_SIZE = 500
"""Sessions that one query asks for."""
DEVICE_LIFETIME = 2 * 365 * 86400.0
"""Seconds for which a device is remembered."""


class Person(NamedTuple):
    id: int
    name: str
    is_guest: bool
    created_at: float


PERSON = (people.c.id, people.c.name, people.c.is_guest, people.c.created_at)
"""The columns of a Person."""


def name_key(name: str) -> str:
    """What a name is found by: it is the same for names that differ in case, in width or in how
    their accents are encoded. Names of accounts that only look alike are kept apart by `fold`.

    >>> name_key("Ångström") == name_key("ÅNGSTRÖM")
    True
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join(folded.split())


def new_guest(connection: Connection) -> Person:
    """A person with a name that nobody had before: `guest 417`."""
    now = time.time()
    # The number is known after the insertion only; until then a random key does.
    row = {"name": "", "name_key": token_hex(16), "is_guest": True, "created_at": now}
    number = connection.scalar(insert(people).values(row).returning(people.c.id))
    if number is None:
        raise AssertionError("a new row has a number")
    name = f"guest {number}"
    connection.execute(update(people).where(people.c.id == number).values(name=name, name_key=name))
    return Person(number, name, is_guest=True, created_at=now)


def find(connection: Connection, condition: ColumnElement[bool]) -> Person | None:
    row = connection.execute(select(*PERSON).where(condition)).first()
    return None if row is None else Person._make(row)


def by_id(connection: Connection, person: int) -> Person | None:
    return find(connection, people.c.id == person)


def by_name(connection: Connection, name: str) -> Person | None:
    return find(connection, people.c.name_key == name_key(name)) if is_storable(name) else None


def claim(connection: Connection, person: int, name: str, password_hash: str) -> Person:
    """Turns a guest into an account. Raises NameTaken, or StoreError for anyone but a guest."""
    key = name_key(name)
    if GUEST.fullmatch(key):
        raise NameTaken(f"the name {name!r} is taken")
    changed = update(people).where(people.c.id == person, people.c.is_guest)
    new = {
        "name": name,
        "name_key": key,
        "folded_name": fold(name),
        "password_hash": password_hash,
        "is_guest": False,
    }
    try:
        row = connection.execute(changed.values(new).returning(*PERSON)).first()
    except IntegrityError:
        raise NameTaken(f"the name {name!r} is taken") from None
    if row is None:
        raise StoreError(f"person {person} is not a guest")
    return Person._make(row)


def password_hash(connection: Connection, name: str) -> tuple[Person, str] | None:
    """The account of that name and the hash of its password."""
    if not is_storable(name):
        return None
    row = connection.execute(
        select(*PERSON, people.c.password_hash).where(
            people.c.name_key == name_key(name), people.c.password_hash.is_not(None)
        )
    ).first()
    return None if row is None else (Person._make(row[:-1]), row[-1])


def set_password_hash(connection: Connection, person: int, password_hash: str) -> None:
    """Replaces the password of an account. Raises StoreError for anyone else."""
    of_account = people.c.password_hash.is_not(None)
    changed = connection.execute(
        update(people).where(people.c.id == person, of_account).values(password_hash=password_hash)
    )
    if changed.rowcount != 1:
        raise StoreError(f"person {person} has no account")


def new_session(connection: Connection, person: int, token_hash: bytes, expires: float) -> None:
    """Adds a session, and removes those that have expired."""
    connection.execute(delete(sessions).where(sessions.c.expires <= time.time()))
    row = {"token_hash": token_hash, "person": person, "expires": expires}
    connection.execute(insert(sessions).values(row))


def of_session(connection: Connection, token_hash: bytes) -> Person | None:
    """The person of a session, unless it has expired."""
    row = connection.execute(
        select(*PERSON)
        .join(sessions, sessions.c.person == people.c.id)
        .where(sessions.c.token_hash == token_hash, sessions.c.expires > time.time())
    ).first()
    return None if row is None else Person._make(row)


def current_sessions(connection: Connection, token_hashes: Sequence[bytes]) -> set[bytes]:
    """Those of the sessions that have neither ended nor expired."""
    found: set[bytes] = set()
    for start in range(0, len(token_hashes), QUERY_SIZE):
        some = token_hashes[start : start + QUERY_SIZE]
        wanted = (sessions.c.token_hash.in_(some), sessions.c.expires > time.time())
        found.update(connection.scalars(select(sessions.c.token_hash).where(*wanted)))
    return found


def end_session(connection: Connection, token_hash: bytes) -> None:
    connection.execute(delete(sessions).where(sessions.c.token_hash == token_hash))


def new_device(connection: Connection, token_hash: bytes, person: int) -> None:
    """Adds a device on which a person has signed in, and removes those that are forgotten."""
    now = time.time()
    connection.execute(delete(devices).where(devices.c.created_at <= now - DEVICE_LIFETIME))
    row = {"token_hash": token_hash, "person": person, "created_at": now}
    connection.execute(insert(devices).values(row))


def device_owners(connection: Connection, token_hash: bytes) -> set[int]:
    """The people who have signed in on a device."""
    owners = select(devices.c.person).where(devices.c.token_hash == token_hash)
    return set(connection.scalars(owners))
