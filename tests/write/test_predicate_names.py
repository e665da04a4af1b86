"""Predicates in everyday writing: folded, mapped to the vocabulary, learned, single-valued."""

import pytest

from recollect.memory import Memory
from recollect.model.vocabulary import built_in_predicates
from recollect.write.predicate_names import (
    _SYNONYMS,
    ALIAS_SECTION,
    BadPredicate,
    add_predicate_alias,
    canonical_predicate,
    is_single_valued,
)


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("works_for", "works_at"),
        ("employed by", "works_at"),
        ("resides_in", "lives_in"),
        ("married to", "spouse_of"),
        ("WorksAt", "works_at"),
        ("Favourite Colour", "favourite_colour"),
        ("phone number", "phone"),
        ("manager", "manager"),
        ("supervised by", "reports_to"),
        ("home", "lives_in"),
        ("uses", "uses"),
        ("blood type", "blood_type"),
    ],
)
def test_a_predicate_is_folded_and_mapped_to_the_vocabulary(memory: Memory, given: str, stored: str) -> None:
    with memory.read() as view:
        assert canonical_predicate(view, given) == stored


def test_no_synonym_hides_a_predicate_of_the_vocabulary() -> None:
    synonyms = [each for listed in _SYNONYMS.values() for each in listed.split()]
    assert not set(synonyms) & built_in_predicates().keys()
    assert not set(synonyms) & _SYNONYMS.keys()
    assert len(synonyms) == len(set(synonyms))


@pytest.mark.parametrize("given", ["", "  ", "?!", "x" * 101])
def test_a_blank_or_overlong_predicate_is_refused(memory: Memory, given: str) -> None:
    with memory.read() as view, pytest.raises(BadPredicate):
        canonical_predicate(view, given)


def test_an_alias_is_learned_and_forgotten(memory: Memory) -> None:
    with memory.write() as change:
        add_predicate_alias(change, "runs on", "deployed_on")
        assert canonical_predicate(change, "runs_on") == "deployed_on"
    with memory.read() as view:
        assert canonical_predicate(view, "runs on") == "deployed_on"
    with memory.write() as change:
        change.end_setting(f"{ALIAS_SECTION}runs_on")
    with memory.read() as view:
        assert canonical_predicate(view, "runs on") == "runs_on"


def test_aliases_of_each_other_do_not_loop(memory: Memory) -> None:
    with memory.write() as change:
        add_predicate_alias(change, "one", "other")
        add_predicate_alias(change, "other", "one")
        assert canonical_predicate(change, "one") in ("one", "other")


@pytest.mark.parametrize(
    "predicate", ["rent", "lives_in", "favorite_editor", "default_branch", "status", "deadline", "reports_to"]
)
def test_some_attributes_have_one_value_at_a_time(predicate: str) -> None:
    assert is_single_valued(predicate)


@pytest.mark.parametrize("predicate", ["uses", "likes", "works_at", "child", "favorites"])
def test_other_predicates_hold_many_values(predicate: str) -> None:
    assert not is_single_valued(predicate)
