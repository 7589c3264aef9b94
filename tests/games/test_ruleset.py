import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import JSON, ruleset_texts, rulesets

from holmgang.errors import RulesetError
from holmgang.games.catalogue import CATALOGUE
from holmgang.games.ruleset import Ruleset, canonical, load
from holmgang.games.settings import rule_ranges


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("bagh", "bagh"),
        (" bagh ", "bagh"),
        ("bagh:max_boost=6", "bagh"),
        ("bagh:max_boost=4", "bagh:max_boost=4"),
        ("bagh: max_boost = 4 , start_hp=5 ", "bagh:start_hp=5,max_boost=4"),
        ("bagh:start_hp=+5,max_boost=04", "bagh:start_hp=5,max_boost=4"),
        ("fencing:league=3", "fencing"),
        ("fencing:retreat_move=-15", "fencing:retreat_move=-15"),
        ("bagh:heal_limit=4,heal_limit_per_boost=1,advantage=1", "bagh-advantage"),
        ("bagh-advantage:heal_limit=10,heal_limit_per_boost=0,advantage=0", "bagh"),
        ("bagh-advantage:start_hp=9", "bagh-advantage:start_hp=9"),
        ("defend-the-city:duel=1,endless_loses=0", "defend-the-city-duel"),
        (
            "fencing:lead_to_win=1,level_collides=1,parry_drug_works=0,scoreless_doping_fails_both=1",
            "fencing-codingame",
        ),
    ],
)
def test_canonical_text(written, text):
    assert load(written).text == text
    assert str(load(written)) == text


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("bahg", "no game 'bahg'; did you mean bagh?"),
        ("Bagh Advantage", "no game 'Bagh Advantage'; did you mean bagh-advantage?"),
        ("defend_the_city", "did you mean defend-the-city?"),
        ("chess", "no game 'chess'; there are bagh, bagh-advantage"),
        ("", "no game ''"),
        ("bagh:max_bost=4", "bagh has no rule 'max_bost'; did you mean max_boost?"),
        ("bagh:xyz=4", "bagh has no rule 'xyz'; it has start_hp, max_boost"),
        ("bagh:", "'' is not a rule with a value"),
        ("bagh:max_boost", "'max_boost' is not a rule with a value"),
        ("bagh:=4", "'=4' is not a rule with a value"),
        ("bagh:max_boost=4,", "'' is not a rule with a value"),
        ("bagh:max_boost=4,max_boost=5", "sets max_boost twice"),
        ("bagh:start_hp=0", "start_hp must be a whole number from 1 to 99; not 0"),
        ("bagh:start_hp=100", "start_hp must be a whole number from 1 to 99; not 100"),
        ("bagh:start_hp=three", "start_hp must be a whole number from 1 to 99; not 'three'"),
        ("bagh:start_hp=1.5", "start_hp must be a whole number from 1 to 99; not '1.5'"),
        ("bagh:start_hp=", "start_hp must be a whole number from 1 to 99; not ''"),
        ("bagh:start_hp=٣", "start_hp must be a whole number from 1 to 99"),
        ("bagh:start_hp=" + "9" * 3000, "start_hp must be a whole number from 1 to 99"),
        ("magic-duel:shield_limit=-2", "shield_limit must be a whole number from -1 to 999"),
        ("bagh" * 2000, "a ruleset must be a short text"),
        (None, "a ruleset must be a short text such as bagh:max_boost=4; not None"),
        (["bagh"], "a ruleset must be a short text"),
    ],
)
def test_refusals_say_what_is_allowed(written, told):
    with pytest.raises(RulesetError) as refusal:
        load(written)
    assert told in str(refusal.value)
    assert len(str(refusal.value)) < 1000


@given(rulesets())
def test_the_text_names_the_ruleset(ruleset):
    assert load(ruleset.text) == ruleset
    assert load(ruleset.text).rules == ruleset.rules
    assert load(ruleset.text).text == ruleset.text


@given(rulesets(), rulesets())
def test_same_hash_if_and_only_if_same_rules(one, other):
    same = one.game is other.game and one.rules == other.rules
    assert (one.hash == other.hash) == same
    assert (one == other) == same
    assert (one.text == other.text) == same


@given(rulesets(), st.data())
def test_the_order_of_the_rules_does_not_matter(ruleset, data):
    settings = [f"{rule}={value}" for rule, value in ruleset.rules._asdict().items()]
    sibling = data.draw(
        st.sampled_from([entry for entry in CATALOGUE.values() if entry.game is ruleset.game])
    )
    shuffled = data.draw(st.permutations(settings))
    assert load(f"{sibling.name}:{','.join(shuffled)}").text == ruleset.text


@given(rulesets())
def test_any_one_rule_changes_the_hash(ruleset):
    for rule, allowed in rule_ranges(ruleset.entry).items():
        value = getattr(ruleset.rules, rule)
        other = next(number for number in allowed if number != value)
        changed = canonical(Ruleset(ruleset.entry, ruleset.rules._replace(**{rule: other})))
        assert changed.hash != ruleset.hash
        assert changed != ruleset


def test_the_hash_is_the_same_on_every_machine_and_in_every_version():
    assert load("bagh").hash == "3d6afdf6311ddce7"
    assert load("fencing:league=1").hash == "59a029d7810f3412"


@given(st.text(max_size=40) | st.text("bagh:,=-0123456789_max_boost ", max_size=40) | JSON)
def test_anything_else_is_refused_with_our_own_error(written):
    try:
        ruleset = load(written)
    except RulesetError:
        return
    assert load(ruleset.text) == ruleset


@given(ruleset_texts())
def test_every_value_in_range_loads(text):
    if text.startswith("fencing"):  # not all numbers go together there
        return
    assert load(text).rules is not None


@pytest.mark.parametrize("text", ["bagh", "fencing:league=2", "bagh:start_hp=5,max_boost=4"])
def test_pickled_and_shown_as_text(text):
    ruleset = load(text)
    again = pickle.loads(pickle.dumps(ruleset))  # noqa: S301 - our own
    assert again == ruleset
    assert repr(again) == f"<Ruleset {ruleset.text}>"
