"""Predicates in everyday writing: folded, mapped to the vocabulary, learned, single-valued."""

import pytest

from recollect.memory import Memory
from recollect.model.certainty import complete_confidence
from recollect.model.fact import Source
from recollect.model.ids import FactId
from recollect.model.vocabulary import ALIAS_SECTION, built_in_predicates
from recollect.store.change import Change
from recollect.write.entity_refs import NamedRef, find_or_create
from recollect.write.fact_draft import FactDraft, FactKind, statement_of
from recollect.write.predicates import (
    _SYNONYMS,
    BadPredicate,
    add_predicate_alias,
    canonical_predicate,
    has_one_value,
    is_single_valued,
    marks_of,
)
from recollect.write.record_statement import record_statement


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
def test_some_attributes_have_one_value_at_a_time(memory: Memory, predicate: str) -> None:
    with memory.read() as view:
        assert is_single_valued(view, predicate)


@pytest.mark.parametrize("predicate", ["uses", "likes", "works_at", "child", "favorites"])
def test_other_predicates_hold_many_values(memory: Memory, predicate: str) -> None:
    with memory.read() as view:
        assert not is_single_valued(view, predicate)


def test_a_workspace_decides_how_many_values_a_predicate_has(memory: Memory) -> None:
    with memory.write() as change:
        change.put_setting("predicate_values.uses", "one")
        change.put_setting("predicate_values.lives_in", "many")
        change.put_setting("predicate_values.born", "many")
    with memory.read() as view:
        assert [has_one_value(view, each) for each in ("uses", "lives_in", "born", "died")] == [
            True,
            False,
            False,
            True,
        ]
        marks = [marks_of(view, each) for each in ("uses", "born")]
        assert [each is not None and each.one_object is not None for each in marks] == [True, False]


@pytest.mark.parametrize(("policy", "is_disputed"), [("dispute", True), ("supersede", False)])
def test_a_workspace_decides_the_policy_of_a_predicate(memory: Memory, policy: str, is_disputed: bool) -> None:
    """Both for one of its own and for one of the vocabulary, which has another."""
    with memory.write() as change:
        for predicate in ("guards", "works_at"):
            change.put_setting(f"predicate_policy.{predicate}", policy)
            change.put_setting(f"predicate_values.{predicate}", "one")
        for predicate in ("guards", "works_at"):
            facts = [record_claim(change, predicate, each) for each in ("North Gate", "South Gate")]
            stored = [fact for each in facts if (fact := change.fact(each))]
            assert [(fact.policy, fact.disputed) for fact in stored] == [(policy, is_disputed)] * 2


def record_claim(change: Change, predicate: str, target: str) -> FactId:
    ends = [find_or_create(change, NamedRef(name)).entity.id for name in ("Ada", target)]
    kind = FactKind(None, None, predicate, complete_confidence("stated"))
    draft = FactDraft(ends[0], ends[1], None, kind, change.now, Source())
    return record_statement(change, statement_of(change, draft)).fact.id
