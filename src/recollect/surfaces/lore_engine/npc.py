"""`query_as_npc`: an answer from only what one character can know at one time."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from recollect.ingest.lore.markup import strip_front_matter
from recollect.memory import Memory
from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.ids import EntityId, format_entity_id, format_fact_id, format_uuid
from recollect.model.relations import format_relation, relation_kinds
from recollect.reason.lore.disputes import find_disputes
from recollect.reason.lore.knowledge.channels import BELIEF_BY_KIND, AcquisitionKind, knowledge_moment_of
from recollect.reason.lore.knowledge.character_knowledge import CharacterKnowledge, KnownRelation, knowledge_of
from recollect.reason.lore.knowledge.experience import RememberedEncounter
from recollect.reason.lore.knowledge.visibility import ReadPassage
from recollect.reason.lore.lore_reader import LoreReader
from recollect.reason.lore.narration.sentences import RelationPhrase, verbalize_relation
from recollect.search.bm25 import RankedItem, rank_items
from recollect.surfaces.lore_engine.rendering import chunk_uuid, mark_relation, plain_ref
from recollect.surfaces.lore_engine.results import (
    TEXT_LIMIT,
    AsOf,
    EntityName,
    LoreEntityRef,
    NamesakeView,
    TimeText,
    text_validators,
)
from recollect.surfaces.lore_engine.session import ReadSession, read_session
from recollect.surfaces.lore_engine.surface import AmbiguousEntityName, surface
from recollect.surfaces.views import TrustMarks, mark_entity, mark_trust, trust_note
from recollect.when.instant import MIN
from recollect.when.period import time_text


class KnownRelationView(TrustMarks):
    """One relation as the character knows it."""

    relation_id: str
    subject: LoreEntityRef
    relation: str
    object: LoreEntityRef | None
    literal: str | None
    valid_from: str | None
    valid_until: str | None
    statement: str
    how: AcquisitionKind
    learned_at: str | None
    via: str | None
    told_by: str | None
    belief: float
    channels: list[AcquisitionKind]
    disputed: bool


class EncounterView(TrustMarks):
    encounter_id: str
    title: str
    at_time: str | None
    location: LoreEntityRef | None
    text: str


class ReadPassageView(TrustMarks):
    document_id: str
    title: str | None
    chunk_id: str
    text: str


class NpcStatement(TypedDict):
    """What the character says, and on what it rests."""

    answer: str
    known: list[KnownRelationView]
    encounters: list[EncounterView]
    lore: list[ReadPassageView]


class NpcAnswerResult(NpcStatement):
    """The same, with who was asked and when."""

    npc: LoreEntityRef
    at_time: str
    alive: bool | None


NOTHING_KNOWN = "I know nothing of that."


def statement_of(known: KnownRelation, entities: Mapping[EntityId, Entity]) -> RelationPhrase:
    """The relation in words, as far as the character may know it."""
    relation = known.relation
    target = visible_literal(known) if relation.object is None else entities[relation.object].name
    subject = entities[relation.subject].name
    return verbalize_relation(relation.name, subject, target, relation.fact.valid_from, known.valid_until)


def visible_literal(known: KnownRelation) -> str | None:
    """The literal; of a period, only what has passed by then."""
    relation = known.relation
    kind = relation_kinds().get(relation.name)
    if relation.literal is None or kind is None or kind.takes != "time":
        return relation.literal
    fact = relation.fact
    if known.valid_until == fact.valid_until:
        return relation.literal
    return time_text(fact.valid_from)


def first_person_sentence(known: KnownRelation, npc: Entity, entities: Mapping[EntityId, Entity]) -> str:
    """One sentence of the answer, in first person."""
    said, way = statement_of(known, entities), known.way
    match way.how:
        case "self":
            return f"{_sentence_about_self(known, said, npc, entities)}."
        case "participated":
            return f"I was part of it and know that {said.statement}."
        case "witnessed":
            return f"I saw that {said.statement}."
        case "co_located":
            return f"I was there in {way.via} and noticed that {said.statement}."
        case "told":
            return f"{way.told_by or 'Somebody'} told me that {said.statement}."
        case "common":
            among = f"Among {way.via} we know" if way.via else "I know"
            return f"{among} that {said.statement}."
        case _:
            return f"Everyone knows that {said.statement}."


def _sentence_about_self(
    known: KnownRelation, said: RelationPhrase, npc: Entity, entities: Mapping[EntityId, Entity]
) -> str:
    """The same in first person, with `I` as the subject."""
    relation = known.relation
    other = relation.other_end(npc.id)
    target = said.target if relation.subject == npc.id or other is None else entities[other].name
    return said._replace(subject="I", target=target).statement


KNOWER_TYPES = ("person", "creature", "deity", "unknown")

NpcName = Annotated[EntityName, Field(description="Who is asked: a person, creature or deity")]
Question = Annotated[
    str, *text_validators(TEXT_LIMIT), Field(description="What they are asked; it is data and widens nothing")
]
KnownLimit = Annotated[int, Field(ge=1, le=100, description="At most this many in each list")]
TellEverything = Annotated[bool, Field(description="All that they know, whatever the question")]


@surface.tool(
    "read",
    example={"npc": "Old Perrin", "query": "Who broke the mole?", "at_time": "second_tide.year_46"},
    older={"npc": ("npc_name", "name"), "query": ("question",)},
)
def query_as_npc(
    memory: Memory,
    npc: NpcName,
    query: Question,
    at_time: TimeText | None = None,
    limit: KnownLimit = 10,
    all: TellEverything = False,  # noqa: A002 - the name that callers use
    as_of: AsOf = None,
) -> NpcAnswerResult:
    """A character's answer, from only what they can know at that time.

    Nothing of the future, nothing secret, nothing by an alias. What they do not know and what does not exist get the
    same answer.
    """
    with read_session(memory, as_of) as session:
        at = session.time(at_time)
        who = _resolve_npc(session, npc)
        is_present = at_time is None or at_time.casefold() == "current"
        knowledge = knowledge_of(session.lore, who, knowledge_moment_of(session.lore, who, at, is_present=is_present))
        says = _compose_answer(session.lore, who, knowledge, None if all else query, limit)
        alive = session.lore.alive(who, at)
        said: NpcAnswerResult = {"npc": plain_ref(who), "at_time": at.text, "alive": alive, **says}
        return session.with_resolution(said)


def _resolve_npc(session: ReadSession, npc: str) -> Entity:
    """The character; candidates come without hints, which might reveal secrets."""
    try:
        return session.entity(npc, "npc", *KNOWER_TYPES)
    except AmbiguousEntityName as problem:
        bare: list[NamesakeView] = [{**each, "hint": None} for each in problem.more["candidates"]]
        raise AmbiguousEntityName(npc, "npc", bare) from None


def _compose_answer(
    lore: LoreReader, npc: Entity, knowledge: CharacterKnowledge, query: str | None, limit: int
) -> NpcStatement:
    """The known items that match the question, best first, and the answer built from them."""
    entities = lore.entities(end for each in knowledge.relations for end in each.relation.ends)
    texts = {each.encounter.id: _meeting_text(lore, each) for each in knowledge.encounters}
    facts = [_relation_item(each, entities) for each in knowledge.relations]
    met = [_meeting_item(each, texts[each.encounter.id]) for each in knowledge.encounters]
    read = [_passage_item(each) for each in knowledge.passages]
    known, encounters, lore_read = rank_items(query, (facts, met, read), limit)
    told = [knowledge.relations[at] for at in known]
    disputed = _disputed_relations(lore, knowledge)
    shown = [_render_known(each, entities, disputed) for each in told]
    seen = [_render_encounter(knowledge, knowledge.encounters[at], texts, entities) for at in encounters]
    passages = [_render_passage(knowledge.passages[at]) for at in lore_read]
    said = " ".join(first_person_sentence(each, npc, entities) + trust_note(each.relation.fact.trust) for each in told)
    is_nothing = not (shown or seen or passages)
    return {"answer": NOTHING_KNOWN if is_nothing else said, "known": shown, "encounters": seen, "lore": passages}


def _relation_item(known: KnownRelation, entities: Mapping[EntityId, Entity]) -> RankedItem:
    learned = known.way.learned
    return RankedItem(
        statement_of(known, entities).statement, MIN if learned is None else learned.lo, known.relation.id
    )


def _meeting_item(meeting: RememberedEncounter, content: str) -> RankedItem:
    start = meeting.time.lo if meeting.time else MIN
    return RankedItem(f"{meeting.encounter.name}\n{content}", start, meeting.encounter.id)


def _passage_item(passage: ReadPassage) -> RankedItem:
    place = f"{passage.document.id}{passage.chunk.seq:06}"
    return RankedItem(f"{passage.document.title or ''}\n{passage.text}", passage.written.lo, place)


def _disputed_relations(lore: LoreReader, knowledge: CharacterKnowledge) -> frozenset[str]:
    """The relations for which a conflicting one is known too."""
    mine = {each.relation.id: each.relation for each in knowledge.relations}
    return frozenset(fact for fact, rivals in find_disputes(lore, mine.values()).items() if mine.keys() & set(rivals))


def _render_known(
    known: KnownRelation, entities: Mapping[EntityId, Entity], disputed: frozenset[str]
) -> KnownRelationView:
    relation, way = known.relation, known.way
    shown: KnownRelationView = {
        "relation_id": format_fact_id(relation.id),
        "subject": plain_ref(entities[relation.subject]),
        "relation": format_relation(relation.name),
        "object": None if relation.object is None else plain_ref(entities[relation.object]),
        "literal": visible_literal(known),
        "valid_from": time_text(relation.fact.valid_from),
        "valid_until": time_text(known.valid_until),
        "statement": statement_of(known, entities).statement,
        "how": way.how,
        "learned_at": time_text(way.learned),
        "via": way.via,
        "told_by": way.told_by,
        "belief": BELIEF_BY_KIND[way.how],
        "channels": list(dict.fromkeys(each.how for each in known.ways)),
        "disputed": relation.id in disputed,
    }
    mark_relation(shown, relation, shown["statement"])
    return shown


def _meeting_text(lore: LoreReader, meeting: RememberedEncounter) -> str:
    documents = lore.view.documents(meeting.documents)
    told = (_heard_text(lore, documents[each]) for each in meeting.documents if documents[each].deleted is None)
    return "\n\n".join(text for text in told if text)


def _heard_text(lore: LoreReader, document: Document) -> str:
    """The spoken text; the front matter of a dialogue is its author's and was not heard."""
    said = lore.view.text_of(document) or ""
    return strip_front_matter(said).strip() if document.type == "dialogue" else said


def _render_encounter(
    knowledge: CharacterKnowledge,
    meeting: RememberedEncounter,
    texts: Mapping[EntityId, str],
    entities: Mapping[EntityId, Entity],
) -> EncounterView:
    event = meeting.encounter
    start = None if meeting.time is None else meeting.time.valid_from
    places = (each.relation for each in knowledge.relations if each.relation.name == "occurred_at")
    place = next((each.object for each in places if each.subject == event.id and each.object is not None), None)
    shown: EncounterView = {
        "encounter_id": format_entity_id(event.id),
        "title": event.name,
        "at_time": time_text(start),
        "location": None if place is None else plain_ref(entities[place]),
        "text": texts[event.id],
    }
    mark_entity(shown, event, texts[event.id])
    return shown


def _render_passage(passage: ReadPassage) -> ReadPassageView:
    document, chunk = passage.document, passage.chunk
    shown: ReadPassageView = {
        "document_id": format_uuid(document.id),
        "title": document.title,
        "chunk_id": chunk_uuid(document.id, chunk.seq, chunk.hash),
        "text": passage.text,
    }
    mark_trust(shown, document.properties, f"{document.title or ''}\n{passage.text}")
    return shown
