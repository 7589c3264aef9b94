"""People, their sessions and devices. Everyone begins as a guest; an account has claimed a name.

Callers check names and hash passwords; whether a name is free is decided here.
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
from holmgang.store.substore import Substore

GUEST = re.compile(r"guest \d+")
GUEST_MARK = " (guest)"
"""The end of a name that a guest has chosen. No account can have such a name."""
QUERY_SIZE = 500
"""Sessions in one query."""
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
    """The key by which a name is found: equal for names that differ in case, in width or in the
    encoding of accents. `fold` prevents names of accounts that look alike.

    >>> name_key("Ångström") == name_key("ÅNGSTRÖM")
    True
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join(folded.split())


class PeopleStore(Substore):
    def new_guest(self) -> Person:
        """A new person, called `guest 417` or the like."""
        return self._write(_new_guest)

    def by_name(self, name: str) -> Person | None:
        return self._find(people.c.name_key == name_key(name)) if is_storable(name) else None

    def by_session(self, token_hash: bytes) -> Person | None:
        """The person of a session; None if it has ended or expired."""
        is_valid = (sessions.c.token_hash == token_hash, sessions.c.expires > time.time())
        return self._find(people.c.id.in_(select(sessions.c.person).where(*is_valid)))

    def _find(self, condition: ColumnElement[bool]) -> Person | None:
        row = self._first(select(*PERSON).where(condition))
        return None if row is None else Person._make(row)

    def claim(self, person: int, name: str, password_hash: str) -> Person:
        """Turns a guest into an account with that name.

        Raises NameTaken, also for names that look alike; StoreError for anyone but a guest.
        """
        key = name_key(name)
        if GUEST.fullmatch(key):
            raise NameTaken(f"the name {name!r} is taken")
        new = {
            "name": name,
            "name_key": key,
            "folded_name": fold(name),
            "password_hash": password_hash,
            "is_guest": False,
        }
        changed = update(people).where(people.c.id == person, people.c.is_guest).values(new)

        def change(connection: Connection) -> Person:
            try:
                row = connection.execute(changed.returning(*PERSON)).first()
            except IntegrityError:
                raise NameTaken(f"the name {name!r} is taken") from None
            if row is None:
                raise StoreError(f"person {person} is not a guest")
            return Person._make(row)

        return self._write(change)

    def name_guest(self, person: int, name: str) -> Person:
        """Gives a guest a name to be shown, marked as a guest's so that it is nobody else's. The
        guest is still found by its number. Raises StoreError for anyone but a guest.
        """
        named = (
            update(people)
            .where(people.c.id == person, people.c.is_guest)
            .values(name=name + GUEST_MARK)
        )
        row = self._write(lambda connection: connection.execute(named.returning(*PERSON)).first())
        if row is None:
            raise StoreError(f"person {person} is not a guest")
        return Person._make(row)

    def password_hash(self, name: str) -> tuple[Person, str] | None:
        """The account of that name with the hash of its password."""
        if not is_storable(name):
            return None
        row = self._first(
            select(*PERSON, people.c.password_hash).where(
                people.c.name_key == name_key(name), people.c.password_hash.is_not(None)
            )
        )
        return None if row is None else (Person._make(row[:-1]), row[-1])

    def set_password_hash(self, person: int, password_hash: str) -> None:
        """Replaces the password of an account. Raises StoreError for anyone else."""
        of_account = (people.c.id == person, people.c.password_hash.is_not(None))
        changed = update(people).where(*of_account).values(password_hash=password_hash)
        if self._write(lambda connection: connection.execute(changed).rowcount) != 1:
            raise StoreError(f"person {person} has no account")

    def new_session(self, person: int, token_hash: bytes, expires: float) -> None:
        """Signs a person in, until `expires` (seconds since 1970). Removes expired sessions."""
        row = {"token_hash": token_hash, "person": person, "expires": expires}

        def change(connection: Connection) -> None:
            connection.execute(delete(sessions).where(sessions.c.expires <= time.time()))
            connection.execute(insert(sessions).values(row))

        self._write(change)

    def current_sessions(self, token_hashes: Sequence[bytes]) -> set[bytes]:
        """Those of the sessions that have neither ended nor expired."""
        found: set[bytes] = set()
        for start in range(0, len(token_hashes), QUERY_SIZE):
            some = token_hashes[start : start + QUERY_SIZE]
            wanted = (sessions.c.token_hash.in_(some), sessions.c.expires > time.time())
            found.update(row[0] for row in self._rows(select(sessions.c.token_hash).where(*wanted)))
        return found

    def end_session(self, token_hash: bytes) -> None:
        ended = delete(sessions).where(sessions.c.token_hash == token_hash)
        self._write(lambda connection: connection.execute(ended))

    def new_device(self, token_hash: bytes, person: int) -> None:
        """Remembers a device on which a person has signed in. Removes devices that are too old."""
        now = time.time()
        row = {"token_hash": token_hash, "person": person, "created_at": now}

        def change(connection: Connection) -> None:
            connection.execute(delete(devices).where(devices.c.created_at <= now - DEVICE_LIFETIME))
            connection.execute(insert(devices).values(row))

        self._write(change)

    def device_owners(self, token_hash: bytes) -> set[int]:
        """The ids of the people who have signed in on a device."""
        owners = select(devices.c.person).where(devices.c.token_hash == token_hash)
        return {person for (person,) in self._rows(owners)}


def _new_guest(connection: Connection) -> Person:
    now = time.time()
    # The number is known only after the insertion; until then the row has a random key.
    row = {"name": "", "name_key": token_hex(16), "is_guest": True, "created_at": now}
    number = connection.execute(insert(people).values(row).returning(people.c.id)).scalar_one()
    name = f"guest {number}"
    connection.execute(update(people).where(people.c.id == number).values(name=name, name_key=name))
    return Person(number, name, is_guest=True, created_at=now)
