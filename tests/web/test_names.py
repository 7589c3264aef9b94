"""Which names people may take."""

# ruff: noqa: RUF001 - characters that look alike are the matter here

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holmgang.errors import UsageError
from holmgang.store.folding import fold
from holmgang.web.names import LONGEST, clean_name


@pytest.mark.parametrize(
    "name",
    [
        "Ann",
        "ann-lee_7",
        "Ann Lee",
        "Åsa",
        "Łukasz",
        "Σωκράτης",
        "Наташа",
        "さくら",
        "漢字かな",
        "नमिता",
    ],
)
def test_names_that_can_be_taken(name):
    assert clean_name(name) == name


@pytest.mark.parametrize(
    ("given_name", "kept"),
    [("  Ann ", "Ann"), ("Ａｎｎ", "Ann"), ("A\u030asa", "Åsa"), ("ﬁnn", "finn")],
)
def test_a_name_is_kept_in_one_form(given_name, kept):
    assert clean_name(given_name) == kept


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("a", "2 to 20"),
        ("a" * 21, "2 to 20"),
        ("a  b", "single spaces"),
        ("a\tb", "letters"),
        ("a\nb", "letters"),
        ("a\x7fb", "letters"),
        ("a\u200bb", "letters"),  # zero width
        ("a\u202eb", "letters"),  # turns the direction
        ("a\u2066b", "letters"),
        ("a\u00adb", "letters"),  # soft hyphen
        ("\u3164\u3164", "letters"),  # letters that show nothing
        ("\uae40\ucca0\u1160", "letters"),
        ("\u1820\u182e\u180b", "letters"),
        ("\u1780\u1781\u17b4", "letters"),
        ("a<b>", "letters"),
        ("a&b", "letters"),
        ("a/b", "letters"),
        ("a.b", "letters"),
        ("a😀b", "letters"),
        ("12 34", "one letter"),
        ("--", "one letter"),
        ("Аnn", "one script"),  # a Cyrillic A
        ("Annα", "one script"),
        ("guest", "reserved"),
        ("Guest 12", "reserved"),
        ("g-u-e-s-t", "reserved"),
        ("Perfect", "reserved"),
        ("search", "reserved"),
        ("ADMIN", "reserved"),
        ("r_e_d", "reserved"),
        ("My Bot", "reserved"),
    ],
)
def test_names_that_cannot(name, why):
    with pytest.raises(UsageError, match=why):
        clean_name(name, taken=["my-bot"])


@given(st.text(max_size=30))
def test_whatever_is_given_a_name_is_safe_to_show(text):
    try:
        name = clean_name(text)
    except UsageError:
        return
    assert 2 <= len(name) <= LONGEST
    assert name.isprintable()
    assert clean_name(name) == name
    assert not set(name) & set("<>&\"'`/\\")
    directions = {unicodedata.bidirectional(character) for character in name}
    assert not directions & {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


@pytest.mark.parametrize("name", ["Adm1n", "AdmIn", "m0derat0r", "perfect", "Red"])
def test_reserved_names_are_reserved_in_every_spelling(name):
    with pytest.raises(UsageError, match="reserved"):
        clean_name(name)


@given(st.text(max_size=30))
def test_folding_again_changes_nothing_that_matters(name):
    """Whoever reads alike to a name reads alike to its folded form."""
    assert fold(fold(name)) == fold(name)


def test_names_that_read_alike_are_one():
    assert len({fold(name) for name in ("Ann-Lee", "ann lee", "ANN_LEE", "ａｎｎlee")}) == 1
