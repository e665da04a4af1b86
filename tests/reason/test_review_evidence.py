"""Evidence for both sides of a question, and what it suggests."""

from tests.support.facts import fact, tell

from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.spelling_variants import query_variants
from recollect.reason.review.duplicates import SimilarNameIndex, find_duplicates
from recollect.reason.review.evidence import Evidence, find_evidence, suggest_decision
from recollect.reason.review.questions import ReviewKind, ReviewQuestion
from recollect.reason.review.queue import list_questions


def questions(memory: Memory, kind: ReviewKind) -> tuple[list[ReviewQuestion], Evidence]:
    with memory.read() as view:
        found = list_questions(memory, view, kind).questions
        return found, find_evidence(view, found)


def tell_birth(memory: Memory, who: str, place: str, letter: str) -> None:
    entities = [{"name": who, "type": "Person"}, {"name": place, "type": "Location"}]
    born = {"predicate": "born", "from": who, "to": place}
    tell(memory, born, entities=entities, id=letter, title=letter, source_at="2026-04-02T09:15:00Z")


def test_each_side_of_a_conflict_has_its_sources(memory: Memory) -> None:
    tell_birth(memory, "Ada Brandt", "Lisbon", "a letter")
    tell_birth(memory, "Ada Brandt", "Porto", "a postcard")
    [question], evidence = questions(memory, "conflict")
    assert isinstance(question.a, str)
    assert isinstance(question.b, str)
    [one], [other] = evidence.sources[question.a], evidence.sources[question.b]
    assert {one.name, other.name} == {"a letter", "a postcard"}


def test_the_fact_with_more_sources_is_suggested(memory: Memory) -> None:
    tell_birth(memory, "Ada Brandt", "Lisbon", "a letter")
    tell_birth(memory, "Ada Brandt", "Porto", "a postcard")
    tell_birth(memory, "Ada Brandt", "Lisbon", "a diary")
    tell_birth(memory, "Ada Brandt", "Lisbon", "a register")
    [question], evidence = questions(memory, "conflict")
    suggestion = suggest_decision(question, evidence)
    assert suggestion is not None
    kept = question.a if suggestion.choice == "keep_a" else question.b
    assert isinstance(kept, str)
    assert evidence.facts[kept].source_count == 3
    assert 0.5 < suggestion.certainty < 1


def test_shared_neighbours_speak_for_a_duplicate(memory: Memory) -> None:
    person = "person"
    tell(memory, fact({"name": "Marta Oliveira", "type": person}, "member", "Guild"))
    tell(memory, fact({"name": "Marta Olivera", "type": person}, "member", "Guild"))
    [question], evidence = questions(memory, "duplicate")
    pair = evidence.pairs[str(question.id)]
    assert pair.reasons_for == ("nearly the same name", "both related to Guild", "both of type person")
    assert pair.shared_neighbours == 1
    suggestion = suggest_decision(question, evidence)
    assert suggestion is not None
    assert suggestion.choice == "merge"


def test_different_single_values_speak_against_a_duplicate(memory: Memory) -> None:
    tell_birth(memory, "Marta Oliveira", "Lisbon", "a letter")
    tell_birth(memory, "Marta Olivera", "Porto", "a postcard")
    [question], evidence = questions(memory, "duplicate")
    pair = evidence.pairs[str(question.id)]
    assert pair.reasons_against == ("born: Lisbon and Porto",)
    suggestion = suggest_decision(question, evidence)
    assert suggestion is not None
    assert (suggestion.choice, suggestion.certainty) == ("not_same", 0.8)


def test_words_that_share_a_common_variant_only_are_not_compared(memory: Memory) -> None:
    letters = "abcdefgh"
    people = [{"name": f"Ada Mei{one}aner{two}", "type": "person"} for one in letters for two in letters]
    for person in people:
        tell(memory, fact(person, "member", "Guild"))
    with memory.read() as view:
        names = memory.names(view)
        every = set(names.tokens_near(query_variants("meiaanera")))
        few = set(names.ignoring_common_variants(10).tokens_near(query_variants("meiaanera")))
        assert set(names.ignoring_common_variants(1_000).tokens_near(query_variants("meiaanera"))) == every
    assert "meiaanerb" in few < every
    assert len(few) < 20


def test_nearly_equal_names_that_share_a_word_are_found_however_common_their_variants(memory: Memory) -> None:
    tell(memory, fact("Montgomery Featherstone", "member", "Guild"), fact("Montgomery Fetherstonne", "member", "Guild"))
    with memory.read() as view:
        found = list(find_duplicates(view, memory.names(view).ignoring_common_variants(0), SimilarNameIndex()))
    assert [
        (each.a.name, each.b.name) for each in found if isinstance(each.a, Entity) and isinstance(each.b, Entity)
    ] == [("Montgomery Featherstone", "Montgomery Fetherstonne")]
