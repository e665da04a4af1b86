"""The policy `supersede`: the newest source stands, whatever the order of arrival."""

import itertools

import pytest

from recollect.memory import Memory
from recollect.model.ids import FactId
from tests.support.facts import fact, facts_of, tell, texts

OLD = fact("Ada", "employee", "Acme", "Ada is an engineer at Acme")
NEW = fact("Ada", "employee", "Acme", "Ada leads research at Acme")


def test_a_newer_source_stales_the_older_fact_of_its_slot(memory: Memory) -> None:
    tell(memory, OLD, id="a", source_at="2026-01-01T00:00:00Z")
    tell(memory, NEW, id="b", source_at="2026-02-01T00:00:00Z")
    assert texts(memory, "Ada") == ["Ada leads research at Acme"]
    old, new = facts_of(memory, "Ada", every=True)
    assert (old.fact.stale, old.fact.replaced_by, new.fact.stale) == (True, new.fact.id, False)


def test_an_old_source_that_arrives_late_is_born_stale(memory: Memory) -> None:
    tell(memory, NEW, id="b", source_at="2026-02-01T00:00:00Z")
    tell(memory, OLD, id="a", source_at="2026-01-01T00:00:00Z")
    assert texts(memory, "Ada") == ["Ada leads research at Acme"]


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_any_order_of_arrival_gives_the_same_graph(memory: Memory, order: tuple[int, ...]) -> None:
    told = [
        (fact("Ada", "employee", "Acme", f"Ada is level {level} at Acme"), f"r{level}", f"2026-0{level}-01T00:00:00Z")
        for level in (1, 2, 3)
    ]
    for index in order:
        words, key, at = told[index]
        tell(memory, words, id=key, source_at=at)
    found = facts_of(memory, "Ada", every=True)
    by_id = {seen.fact.id: seen.text for seen in found}
    assert [(seen.text, seen.fact.stale, by_id.get(seen.fact.replaced_by or FactId(""))) for seen in found] == [
        ("Ada is level 1 at Acme", True, "Ada is level 2 at Acme"),
        ("Ada is level 2 at Acme", True, "Ada is level 3 at Acme"),
        ("Ada is level 3 at Acme", False, None),
    ]


def test_an_old_fact_said_again_by_a_newer_source_is_current_again(memory: Memory) -> None:
    tell(memory, OLD, id="a", source_at="2026-01-01T00:00:00Z")
    tell(memory, NEW, id="b", source_at="2026-02-01T00:00:00Z")
    tell(memory, OLD, id="c", source_at="2026-03-01T00:00:00Z")
    assert texts(memory, "Ada") == ["Ada is an engineer at Acme"]
    assert len(facts_of(memory, "Ada", every=True)) == 2


def test_equal_times_keep_both_and_are_a_conflict(memory: Memory) -> None:
    tell(memory, OLD, id="a", source_at="2026-01-01T00:00:00Z")
    tell(memory, NEW, id="b", source_at="2026-01-01T00:00:00Z")
    assert len(texts(memory, "Ada")) == 2
    with memory.read() as view:
        assert [dispute.reason for dispute in view.disputes()] == ["equal_source_at"]
    tell(memory, fact("Ada", "employee", "Acme", "Ada runs Acme"), id="c", source_at="2026-02-01T00:00:00Z")
    assert texts(memory, "Ada") == ["Ada runs Acme"]
    with memory.read() as view:
        assert view.disputes() == []


def test_an_inferred_fact_stales_only_inferred_ones(memory: Memory) -> None:
    tell(memory, OLD, id="a", source_at="2026-01-01T00:00:00Z")
    tell(memory, {**NEW, "confidence": "inferred"}, id="b", source_at="2026-02-01T00:00:00Z")
    assert len(texts(memory, "Ada")) == 2
    third = fact("Ada", "employee", "Acme", "Ada sells for Acme", confidence=0.5)
    tell(memory, third, id="c", source_at="2026-03-01T00:00:00Z")
    assert texts(memory, "Ada") == ["Ada is an engineer at Acme", "Ada sells for Acme"]


def test_two_employers_are_no_rivals(memory: Memory) -> None:
    tell(memory, OLD, id="a", source_at="2026-01-01T00:00:00Z")
    tell(memory, fact("Ada", "employee", "Beta", "Ada works for Beta"), id="b", source_at="2026-02-01T00:00:00Z")
    assert len(texts(memory, "Ada")) == 2


def test_an_ended_affiliation_stated_for_later_is_a_second_fact(memory: Memory) -> None:
    first = fact("Ada", "employee", "Acme", valid_from="2020", valid_until="2022-06")
    tell(memory, first, id="a", source_at="2022-07-01T00:00:00Z")
    tell(memory, fact("Ada", "employee", "Acme"), id="b", source_at="2025-01-01T00:00:00Z")
    ended, again = facts_of(memory, "Ada", every=True)
    assert str(ended.fact.valid_until) == "2022-06"
    assert str(again.fact.valid_from) == "2025-01-01T00:00:00Z"
    assert again.fact.valid_until is None
    assert [seen.fact.id for seen in facts_of(memory, "Ada", at="2021")] == [ended.fact.id]
    assert facts_of(memory, "Ada", at="2023") == []


def test_a_repeated_statement_takes_the_earlier_start_and_the_newest_end(memory: Memory) -> None:
    tell(
        memory,
        fact("Ada", "employee", "Acme", valid_from="2021", valid_until="2027"),
        id="a",
        source_at="2024-01-01T00:00:00Z",
    )
    tell(
        memory,
        fact("Ada", "employee", "Acme", valid_from="2020", valid_until="2028"),
        id="b",
        source_at="2025-01-01T00:00:00Z",
    )
    tell(
        memory,
        fact("Ada", "employee", "Acme", valid_from="2022", valid_until="2026-12"),
        id="c",
        source_at="2024-06-01T00:00:00Z",
    )
    [seen] = facts_of(memory, "Ada", every=True)
    assert (str(seen.fact.valid_from), str(seen.fact.valid_until), seen.fact.source_count) == ("2020", "2028", 3)


def test_two_different_commitments_of_one_mail_both_stand(memory: Memory) -> None:
    one = fact("Ada", "commitment", "Deal", "Ada will send the ledger by March 16", "ASSERTED")
    other = fact("Ada", "commitment", "Deal", "Ada will book the notary", "ASSERTED")
    tell(memory, one, other, id="a", source_at="2026-03-01T00:00:00Z")
    assert len(texts(memory, "Ada")) == 2
    with memory.read() as view:
        assert view.disputes() == []


def test_a_commitment_with_a_new_date_supersedes_the_old_one(memory: Memory) -> None:
    tell(
        memory,
        fact("Ada", "commitment", "Deal", "Ada will send the ledger by March 16", "ASSERTED"),
        id="a",
        source_at="2026-03-01T00:00:00Z",
    )
    tell(
        memory,
        fact("Ada", "commitment", "Deal", "Ada will send the ledger by March 20", "ASSERTED"),
        id="b",
        source_at="2026-03-10T00:00:00Z",
    )
    assert texts(memory, "Ada") == ["Ada will send the ledger by March 20"]


def test_other_numbers_are_other_things(memory: Memory) -> None:
    tell(
        memory,
        fact("Ada", "commitment", "Deal", "Ada will review PR 418 on Monday", "ASSERTED"),
        id="a",
        source_at="2026-03-01T00:00:00Z",
    )
    tell(
        memory,
        fact("Ada", "commitment", "Deal", "Ada will review PR 419 on Monday", "ASSERTED"),
        id="b",
        source_at="2026-03-10T00:00:00Z",
    )
    assert len(texts(memory, "Ada")) == 2


def test_an_opinion_needs_only_the_slot_to_be_replaced(memory: Memory) -> None:
    tell(
        memory,
        fact("Ada", "opinion", "Deal", "Ada likes the deal", "ASSERTED"),
        id="a",
        source_at="2026-03-01T00:00:00Z",
    )
    tell(
        memory,
        fact("Ada", "opinion", "Deal", "Ada has grave doubts", "ASSERTED"),
        id="b",
        source_at="2026-03-10T00:00:00Z",
    )
    assert texts(memory, "Ada") == ["Ada has grave doubts"]


def test_transitions_accumulate(memory: Memory) -> None:
    for day in (1, 2, 3):
        tell(
            memory,
            fact("Deal", "stage_change", "Board", "Deal moved to Review", "TRANSITIONED"),
            id=f"t{day}",
            source_at=f"2026-03-0{day}T00:00:00Z",
        )
    found = facts_of(memory, "Deal")
    assert len(found) == 3
    assert not any(seen.fact.stale for seen in found)


def test_a_declared_successor_stales_a_fact_of_other_words(memory: Memory) -> None:
    tell(memory, fact("Ada", "decision", "Deal", "Ship in May", "ASSERTED"), id="a", source_at="2026-03-01T00:00:00Z")
    tell(
        memory,
        fact("Ada", "decision", "Deal", "Ship never", "ASSERTED", supersedes="Ship in May"),
        id="b",
        source_at="2026-03-02T00:00:00Z",
    )
    old, new = facts_of(memory, "Ada", every=True)
    assert texts(memory, "Ada") == ["Ship never"]
    assert old.fact.replaced_by == new.fact.id


def test_retracting_the_newest_brings_the_one_before_it_back(memory: Memory) -> None:
    tell(memory, OLD, id="a", source_at="2026-01-01T00:00:00Z")
    tell(memory, NEW, id="b", source_at="2026-02-01T00:00:00Z")
    tell(memory, {**NEW, "confidence": "retracted"}, id="c", source_at="2026-03-01T00:00:00Z")
    assert texts(memory, "Ada") == ["Ada is an engineer at Acme"]
    tell(memory, NEW, id="d", source_at="2026-04-01T00:00:00Z")
    assert texts(memory, "Ada") == ["Ada leads research at Acme"]


def test_a_fact_given_as_retracted_is_shown_only_on_demand(memory: Memory) -> None:
    tell(memory, {**OLD, "confidence": "retracted"}, id="a", source_at="2026-01-01T00:00:00Z")
    assert texts(memory, "Ada") == []
    assert [seen.fact.certainty for seen in facts_of(memory, "Ada", every=True)] == ["retracted"]


def test_a_retracted_fact_said_again_is_as_sure_as_the_surest_of_its_sources(memory: Memory) -> None:
    tell(memory, {**OLD, "confidence": "verified"}, id="a", source_at="2026-01-01T00:00:00Z")
    tell(memory, {**OLD, "confidence": "retracted"}, id="b", source_at="2026-02-01T00:00:00Z")
    tell(memory, {**OLD, "confidence": "inferred"}, id="c", source_at="2026-03-01T00:00:00Z")
    [seen] = facts_of(memory, "Ada")
    assert (seen.fact.certainty, seen.fact.confidence, seen.fact.source_count) == ("verified", 1.0, 3)
