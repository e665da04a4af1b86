"""Who is who on a write: exact and alias only, told apart by identifiers, never split for want of a type."""

import pytest

from recollect.memory import Memory
from recollect.write.entity_refs import AmbiguousName
from recollect.write.retract import retract_document
from tests.support.facts import entity_named, fact, facts_of, tell, texts


def test_a_typed_mention_types_the_unknown_entity_and_makes_no_second(memory: Memory) -> None:
    tell(memory, fact("Ada", "knows_about", "Looms"), id="a")
    unknown = entity_named(memory, "ada")
    assert unknown is not None
    assert (unknown.type, unknown.provisional) == ("unknown", True)
    tell(memory, fact({"name": "ADA", "type": "Person"}, "knows_about", "Engines"), id="b")
    typed = entity_named(memory, "Ada")
    assert typed is not None
    assert (typed.id, typed.type, typed.provisional, typed.name) == (unknown.id, "person", False, "Ada")


def test_a_company_is_stored_as_an_organization(memory: Memory) -> None:
    tell(memory, fact("Ada", "employee", {"name": "Acme", "type": "Company"}), id="a")
    tell(memory, fact("Bob", "employee", {"name": "Acme", "type": "Organization"}), id="b")
    acme = entity_named(memory, "Acme")
    assert acme is not None
    assert acme.type == "organization"
    assert len(texts(memory, "Acme")) == 2


def test_same_named_people_with_different_addresses_stay_two(memory: Memory) -> None:
    for key, mail, work in (("a", "a@x.example", "Acme"), ("b", "b@y.example", "Beta")):
        people = [{"name": "Sam Hill", "type": "Person", "metadata": {"email": mail}}]
        tell(memory, fact("Sam Hill", "employee", work), entities=people, id=key)
    assert texts(memory, "a@x.example") == ["Sam Hill employee Acme"]
    assert texts(memory, "b@y.example") == ["Sam Hill employee Beta"]
    with pytest.raises(AmbiguousName):
        tell(memory, fact("Sam Hill", "employee", "Gamma"), id="c")


def test_an_address_that_arrives_later_joins_the_known_person(memory: Memory) -> None:
    tell(memory, fact({"name": "Sam Hill", "type": "Person"}, "employee", "Acme"), id="a")
    people = [{"name": "Sam Hill", "type": "Person", "metadata": {"email": "Sam@X.example"}, "aliases": ["Sammy"]}]
    tell(memory, fact("Sam Hill", "employee", "Acme"), entities=people, id="b")
    assert len(facts_of(memory, "sam@x.example")) == 1
    assert len(facts_of(memory, "sammy")) == 1


def test_a_disambiguator_makes_a_second_entity(memory: Memory) -> None:
    tell(memory, entities=[{"name": "Arthur", "type": "Person"}], id="a")
    tell(memory, entities=[{"name": "Arthur", "type": "Person", "metadata": {"disambiguator": "the younger"}}], id="b")
    with memory.read() as view:
        assert view.counts()["entities"] == 2


def test_a_name_that_is_two_in_one_line_is_refused(memory: Memory) -> None:
    people = [{"name": "Sam", "type": "Person", "metadata": {"email": mail}} for mail in ("a@x.example", "b@x.example")]
    with pytest.raises(AmbiguousName):
        tell(memory, fact("Sam", "employee", "Acme"), entities=people, id="a")
    with memory.read() as view:
        assert view.last_tx == 0


def test_a_removed_document_does_not_come_back_by_ingesting_it_again(memory: Memory) -> None:
    tell(memory, fact("Ada", "knows_about", "Looms"), id="a")
    with memory.write() as change:
        document = change.document_named("record", "a")
        assert document is not None
        retract_document(change, document, "asked to")
    assert not tell(memory, fact("Ada", "knows_about", "Looms"), id="a")
    assert texts(memory, "Ada") == []
    assert texts(memory, "Ada", as_of=1) == ["Ada knows about Looms"]


def test_words_given_later_become_the_words_of_a_bare_fact(memory: Memory) -> None:
    tell(memory, fact("Ada", "employee", "Acme"), id="a", source_at="2026-01-01T00:00:00Z")
    tell(memory, fact("Ada", "employee", "Acme", "Ada leads Acme"), id="b", source_at="2026-02-01T00:00:00Z")
    assert texts(memory, "Ada") == ["Ada leads Acme"]


def test_the_first_date_fixes_the_timeline(memory: Memory) -> None:
    tell(memory, fact("Ada", "employee", "Acme"), id="a")
    with memory.read() as view:
        assert view.world.timeline.kind == "undecided"
    tell(memory, fact("Ada", "employee", "Beta", valid_from="2020"), id="b")
    with memory.read() as view:
        assert view.world.timeline.kind == "gregorian"


def test_an_end_given_by_its_address_is_the_known_person(memory: Memory) -> None:
    people = [{"name": "Sam Hill", "type": "Person", "metadata": {"email": "sam@x.example"}}]
    tell(memory, entities=people, id="a")
    tell(memory, fact("SAM@x.example", "employee", "Acme"), id="b")
    assert texts(memory, "Sam Hill") == ["Sam Hill employee Acme"]
