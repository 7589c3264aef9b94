"""People, names and sessions."""

# ruff: noqa: RUF001 - characters that look alike are the matter here

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holmgang.store import NameTaken, Store, StoreError, people
from holmgang.store.people import name_key

LATER = 4e9  # seconds since 1970, long after these tests


def test_a_guest_has_a_number_for_a_name(store):
    ann, bob = store.people.new_guest(), store.people.new_guest()
    assert ann.name == f"guest {ann.id}"
    assert ann.name != bob.name
    assert ann.is_guest
    assert store.people.by_name(f"Guest {ann.id}") == ann
    assert store.people.by_name(f"guest {bob.id + 1}") is None
    assert abs(ann.created_at - time.time()) < 60


def test_a_guest_becomes_an_account_and_stays_the_same_person(store):
    guest = store.people.new_guest()
    person = store.people.claim(guest.id, "Åsa", "$argon2id$…")
    assert person == guest._replace(name="Åsa", is_guest=False)
    assert store.people.by_name("åsa") == person
    assert store.people.by_name(guest.name) is None
    assert store.people.password_hash("ÅSA") == (person, "$argon2id$…")


@pytest.mark.parametrize("name", ["Ann", "ANN", "\uff41\uff4e\uff4e", " ann  "])
def test_a_name_that_looks_the_same_is_taken(store, name):
    store.people.claim(store.people.new_guest().id, "ann", "hash")
    other = store.people.new_guest()
    with pytest.raises(NameTaken, match="is taken"):
        store.people.claim(other.id, name, "hash")
    assert store.people.by_name(other.name) == other


@pytest.mark.parametrize(
    ("name", "twin"),
    [
        ("Ann Lee", "ann-lee"),
        ("Ann Lee", "AnnLee"),
        ("Bill", "BiII"),
        ("Otto10", "0tt0lo"),
        ("Bob", "ВОВ"),
        ("Anna", "ΑΝΝΑ"),
        ("Lëo", "LЁO"),
        ("Max", "ᴍᴀx"),
        ("Amy", "arny"),
    ],
)
def test_a_name_that_reads_alike_is_taken(store, name, twin):
    store.people.claim(store.people.new_guest().id, name, "hash")
    with pytest.raises(NameTaken, match="is taken"):
        store.people.claim(store.people.new_guest().id, twin, "hash")
    assert store.people.by_name(twin) is None  # only whoever has a name is found by it


def test_other_names_stay_free(store):
    for name in ("Ann", "Anna", "Änn", "Hanna", "Наташа", "Νίκος", "さくら", "نور", "Ali", "Alia"):
        store.people.claim(store.people.new_guest().id, name, "hash")


def test_the_name_of_a_guest_cannot_be_claimed(store):
    guest = store.people.new_guest()
    with pytest.raises(NameTaken, match="the name 'Guest 99' is taken"):
        store.people.claim(guest.id, "Guest 99", "hash")


def test_only_a_guest_can_claim_a_name(store):
    guest = store.people.new_guest()
    store.people.claim(guest.id, "Ann", "hash")
    with pytest.raises(StoreError, match=f"person {guest.id} is not a guest"):
        store.people.claim(guest.id, "Bob", "hash")
    with pytest.raises(StoreError, match="person 999 is not a guest"):
        store.people.claim(999, "Bob", "hash")
    assert store.people.by_name("Bob") is None


def test_passwords_are_those_of_accounts(store):
    guest = store.people.new_guest()
    assert store.people.password_hash(guest.name) is None
    with pytest.raises(StoreError, match="has no account"):
        store.people.set_password_hash(guest.id, "new")
    person = store.people.claim(guest.id, "Ann", "old")
    store.people.set_password_hash(person.id, "new")
    assert store.people.password_hash("Ann") == (person, "new")
    assert store.people.password_hash("nobody") is None


def test_a_session_names_its_person_until_it_ends(store):
    ann, bob = store.people.new_guest(), store.people.new_guest()
    store.people.new_session(ann.id, b"\x00a", LATER)
    store.people.new_session(ann.id, b"\xffb", LATER)
    store.people.new_session(bob.id, b"c", LATER)
    assert store.people.by_session(b"\x00a") == store.people.by_session(b"\xffb") == ann
    store.people.end_session(b"\x00a")
    assert store.people.by_session(b"\x00a") is None
    assert store.people.by_session(b"\xffb") == ann
    assert store.people.by_session(b"c") == bob


def test_which_sessions_are_current(store, monkeypatch):
    monkeypatch.setattr(people, "QUERY_SIZE", 2)
    ann = store.people.new_guest()
    for token in (b"\x00a", b"\xffb", b"c"):
        store.people.new_session(ann.id, token, LATER)
    store.people.new_session(ann.id, b"old", time.time() - 1)
    store.people.end_session(b"c")
    asked = [b"c", b"old", b"never", b"\xffb", b"\x00a"]
    assert store.people.current_sessions(asked) == {b"\x00a", b"\xffb"}
    assert store.people.current_sessions([]) == set()


def test_a_session_expires(store):
    ann = store.people.new_guest()
    store.people.new_session(ann.id, b"old", time.time() - 1)
    assert store.people.by_session(b"old") is None
    store.people.new_session(ann.id, b"old", LATER)  # the expired one is gone
    assert store.people.by_session(b"old") == ann


def test_a_session_has_one_person(store):
    ann, bob = store.people.new_guest(), store.people.new_guest()
    store.people.new_session(ann.id, b"a", LATER)
    with pytest.raises(StoreError):
        store.people.new_session(bob.id, b"a", LATER)
    with pytest.raises(StoreError):
        store.people.new_session(999, b"b", LATER)
    assert store.people.by_session(b"a") == ann


def test_names_that_no_database_can_hold_are_unknown(store):
    for name in ("a\0b", "\ud800"):
        assert store.people.by_name(name) is None
        assert store.people.password_hash(name) is None


def test_two_servers_give_different_names(url):
    with Store.open(url) as one, Store.open(url) as two:
        names = {store.people.new_guest().name for store in (one, two, one, two)}
    assert len(names) == 4


@given(st.text())
def test_the_key_of_a_name_is_stable(name):
    assert name_key(name_key(name)) == name_key(name)
