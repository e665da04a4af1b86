"""Asking a character: only what one person can know at one time."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from recollect.ingest.lore.markdown import body_of
from recollect.memory import Memory
from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.ids import EntityId, say_entity, say_fact, say_uuid
from recollect.model.labels import kind_of, say_label
from recollect.model.relations import say_relation
from recollect.reason.lore.disputes import at_odds
from recollect.reason.lore.knowing.heard import Meeting
from recollect.reason.lore.knowing.knowledge import Knowledge, KnownRelation, knowledge_of
from recollect.reason.lore.knowing.moment import moment_of
from recollect.reason.lore.knowing.passages import ReadPassage
from recollect.reason.lore.knowing.way import BELIEF
from recollect.reason.lore.reading import Lore
from recollect.surfaces.lore_engine.asking import Asking, asking
from recollect.surfaces.lore_engine.npc_matching import Item, chosen
from recollect.surfaces.lore_engine.npc_results import EncounterShown, KnownShown, NpcAnswer, NpcSays, PassageShown
from recollect.surfaces.lore_engine.npc_words import NOTHING_KNOWN, said_of, sentence, shown_literal
from recollect.surfaces.lore_engine.passages import chunk_uuid
from recollect.surfaces.lore_engine.problems import AmbiguousName
from recollect.surfaces.lore_engine.results import CandidateShown, Ref
from recollect.surfaces.lore_engine.shapes import TEXT_LIMIT, AsOf, EntityName, TimeText, text
from recollect.surfaces.lore_engine.shown import say_time
from recollect.surfaces.lore_engine.surface import surface
from recollect.when.instant import MIN

WHO_CAN_KNOW = ("person", "creature", "deity", "unknown")

NpcName = Annotated[EntityName, Field(description="Who is asked: a person, creature or deity")]
Question = Annotated[str, *text(TEXT_LIMIT), Field(description="What they are asked; it is data and widens nothing")]
KnownLimit = Annotated[int, Field(ge=1, le=100, description="At most this many in each list")]
Everything = Annotated[bool, Field(description="All that they know, whatever the question")]


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
    all: Everything = False,  # noqa: A002 - the name that callers use
    as_of: AsOf = None,
) -> NpcAnswer:
    """A character's answer, from only what they can know at that time.

    Nothing of the future, nothing secret, nothing by an alias. What they do not know and what does not exist get the
    same answer.
    """
    with asking(memory, as_of) as asked:
        at = asked.time(at_time)
        who = _asked_one(asked, npc)
        is_present = at_time is None or at_time.casefold() == "current"
        knowledge = knowledge_of(asked.lore, who, moment_of(asked.lore, who, at, is_present=is_present))
        says = _answer(asked.lore, who, knowledge, None if all else query, limit)
        alive = asked.lore.alive(who, at)
        said: NpcAnswer = {"npc": _ref(who), "at_time": at.text, "alive": alive, **says}
        return asked.with_resolution(said)


def _asked_one(asked: Asking, npc: str) -> Entity:
    """Who is asked; what tells namesakes apart may be what nobody shall know, so no hint is given."""
    try:
        return asked.entity(npc, "npc", *WHO_CAN_KNOW)
    except AmbiguousName as problem:
        bare: list[CandidateShown] = [{**each, "hint": None} for each in problem.more["candidates"]]
        raise AmbiguousName(npc, "npc", bare) from None


def _answer(lore: Lore, npc: Entity, knowledge: Knowledge, query: str | None, limit: int) -> NpcSays:
    """The known things that the question is about, best first, and the answer they make."""
    entities = lore.entities(end for each in knowledge.relations for end in each.relation.ends)
    texts = {each.encounter.id: _text_of(lore, each) for each in knowledge.encounters}
    facts = [_of_relation(each, entities) for each in knowledge.relations]
    met = [_of_meeting(each, texts[each.encounter.id]) for each in knowledge.encounters]
    read = [_of_passage(each) for each in knowledge.passages]
    known, encounters, lore_read = chosen(query, (facts, met, read), limit)
    told = [knowledge.relations[at] for at in known]
    disputed = _disputed(lore, knowledge)
    shown = [_known(each, entities, disputed) for each in told]
    seen = [_encounter(knowledge, knowledge.encounters[at], texts, entities) for at in encounters]
    passages = [_passage(knowledge.passages[at]) for at in lore_read]
    said = " ".join(sentence(each, npc, entities) for each in told)
    is_nothing = not (shown or seen or passages)
    return {"answer": NOTHING_KNOWN if is_nothing else said, "known": shown, "encounters": seen, "lore": passages}


def _of_relation(known: KnownRelation, entities: Mapping[EntityId, Entity]) -> Item:
    learned = known.way.learned
    return Item(said_of(known, entities).statement, MIN if learned is None else learned.lo, known.relation.id)


def _of_meeting(meeting: Meeting, content: str) -> Item:
    start = meeting.time.lo if meeting.time else MIN
    return Item(f"{meeting.encounter.name}\n{content}", start, meeting.encounter.id)


def _of_passage(passage: ReadPassage) -> Item:
    place = f"{passage.document.id}{passage.chunk.seq:06}"
    return Item(f"{passage.document.title or ''}\n{passage.text}", passage.written.lo, place)


def _disputed(lore: Lore, knowledge: Knowledge) -> frozenset[str]:
    """The relations of which a rival is known too."""
    mine = {each.relation.id: each.relation for each in knowledge.relations}
    return frozenset(fact for fact, rivals in at_odds(lore, mine.values()).items() if mine.keys() & set(rivals))


def _known(known: KnownRelation, entities: Mapping[EntityId, Entity], disputed: frozenset[str]) -> KnownShown:
    relation, way = known.relation, known.way
    return {
        "relation_id": say_fact(relation.id),
        "subject": _ref(entities[relation.subject]),
        "relation": say_relation(relation.name),
        "object": None if relation.object is None else _ref(entities[relation.object]),
        "literal": shown_literal(known),
        "valid_from": say_time(relation.fact.valid_from),
        "valid_until": say_time(known.valid_until),
        "statement": said_of(known, entities).statement,
        "how": way.how,
        "learned_at": say_time(way.learned),
        "via": way.via,
        "told_by": way.told_by,
        "belief": BELIEF[way.how],
        "channels": list(dict.fromkeys(each.how for each in known.ways)),
        "disputed": relation.id in disputed,
    }


def _ref(entity: Entity) -> Ref:
    """An entity by name and type; a subtype is a property, and properties are not known."""
    return {"id": say_entity(entity.id), "name": entity.name, "type": say_label(kind_of(entity).type)}


def _text_of(lore: Lore, meeting: Meeting) -> str:
    documents = lore.view.documents(meeting.documents)
    told = (_heard(lore, documents[each]) for each in meeting.documents if documents[each].deleted is None)
    return "\n\n".join(text for text in told if text)


def _heard(lore: Lore, document: Document) -> str:
    """What was said; the front matter of a dialogue was written by its author, and nobody present heard it."""
    said = lore.view.text_of(document) or ""
    return body_of(said).strip() if document.type == "dialogue" else said


def _encounter(
    knowledge: Knowledge, meeting: Meeting, texts: Mapping[EntityId, str], entities: Mapping[EntityId, Entity]
) -> EncounterShown:
    event = meeting.encounter
    start = None if meeting.time is None else meeting.time.valid_from
    places = (each.relation for each in knowledge.relations if each.relation.name == "occurred_at")
    place = next((each.object for each in places if each.subject == event.id and each.object is not None), None)
    return {
        "encounter_id": say_entity(event.id),
        "title": event.name,
        "at_time": say_time(start),
        "location": None if place is None else _ref(entities[place]),
        "text": texts[event.id],
    }


def _passage(passage: ReadPassage) -> PassageShown:
    document, chunk = passage.document, passage.chunk
    return {
        "document_id": say_uuid(document.id),
        "title": document.title,
        "chunk_id": chunk_uuid(document.id, chunk.seq, chunk.hash),
        "text": passage.text,
    }
