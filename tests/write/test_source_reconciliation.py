"""What a source says now, against what it said before: kept, recorded or withdrawn."""

from recollect.memory import Memory
from recollect.model.certainty import complete_confidence
from recollect.model.document import Document
from recollect.model.ids import EntityId
from recollect.store.change import Change
from recollect.write.entity_refs import NamedRef, add_mentions, find_or_create, set_mentions
from recollect.write.fact_draft import GIVEN, FactDraft, FactKind, document_source
from recollect.write.source_reconciliation import reconcile_source
from tests.support.facts import fact, facts_of, tell

AT = "2026-01-01T00:00:00Z"
KIND = FactKind("AFFILIATED", "employee", None, complete_confidence("stated", None, None))


def stored(change: Change, key: str = "r1") -> Document:
    found = change.document_named("record", key)
    assert found is not None
    return found


def entity(change: Change, name: str) -> EntityId:
    return find_or_create(change, NamedRef(name)).entity.id


def drafts(change: Change, *companies: str) -> list[FactDraft]:
    document = stored(change)
    source = document_source(document, GIVEN)
    subject = entity(change, "Ada")
    return [FactDraft(subject, entity(change, each), None, KIND, document.source_at, source) for each in companies]


def employers(memory: Memory) -> list[str | None]:
    return [each.object_name for each in facts_of(memory, "Ada")]


def say(memory: Memory, *companies: str) -> set[str]:
    """Restate what the record says; the assertions it has then."""
    with memory.write() as change:
        document = stored(change).id
        reconcile_source(change, drafts(change, *companies), change.assertions_from(document))
        return {each.id for each in change.assertions_from(document)}


def test_a_source_keeps_what_it_repeats_adds_what_is_new_and_withdraws_the_rest(memory: Memory) -> None:
    tell(memory, id="r1", source_at=AT)
    first, second, third = say(memory, "Acme"), say(memory, "Acme", "Brill"), say(memory, "Acme")
    assert first == third < second
    assert employers(memory) == ["Acme"]


def test_the_only_fact_of_a_passage_is_revised_when_the_passage_is_read_otherwise(memory: Memory) -> None:
    tell(memory, id="r1", source_at=AT)
    assert say(memory, "Acme", "Brill") == say(memory, "Brill", "Corvo")
    assert sorted(map(str, employers(memory))) == ["Brill", "Corvo"]


def test_a_source_that_says_the_same_again_changes_nothing(memory: Memory) -> None:
    tell(memory, id="r1", source_at=AT)
    say(memory, "Acme", "Brill")
    with memory.write() as change:
        reconcile_source(change, drafts(change, "Acme", "Brill"), change.assertions_from(stored(change).id))
        assert not change.has_changed


def test_a_fact_stated_twice_by_a_record_stays_stated_twice_when_the_record_comes_again(memory: Memory) -> None:
    twice = [fact("Ada", "employee", "Acme"), fact("Ada", "employee", "Acme")]
    tell(memory, *twice, id="r1", source_at=AT)
    [before] = facts_of(memory, "Ada")
    tell(memory, *twice, id="r1", source_at=AT, title="Another title")
    [after] = facts_of(memory, "Ada")
    assert (before.fact.source_count, after.fact.source_count) == (2, 2)


def test_a_document_mentions_exactly_what_is_set_and_keeps_it_when_more_is_added(memory: Memory) -> None:
    tell(memory, id="r1", source_at=AT)
    with memory.write() as change:
        document = stored(change).id
        one, two, three = (entity(change, name) for name in ("Ada", "Bo", "Cy"))
        set_mentions(change, document, {one, two})
        set_mentions(change, document, {two})
        add_mentions(change, document, {two, three})
        assert change.mentioned(document) == sorted([two, three])
