"""`entity_context`, `get_context` and `get_person_profile`: everything known about one entity."""

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from recollect.memory import Memory
from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.ids import DocumentId, EntityId, format_entity_id, format_uuid
from recollect.model.relations import format_relation
from recollect.reason.lore.existence import age_at
from recollect.reason.lore.genealogy import Family, family_of, life_events_of, sort_life_relations
from recollect.reason.lore.narration.rendering import narrate
from recollect.reason.lore.relation import Relation
from recollect.reason.lore.snapshot import CONTEXT_LISTS, CoveredRelations, context_of
from recollect.search.name_search import NameCounter, passages_naming
from recollect.store.document_queries import source_documents_of
from recollect.store.passage_filter import PassageFilter
from recollect.store.passage_index import StoredPassageIndex
from recollect.surfaces.declarations import Result
from recollect.surfaces.lore_engine.citations import CitationView, render_citations
from recollect.surfaces.lore_engine.finding_rendering import findings_about_entity, flags_about
from recollect.surfaces.lore_engine.kinship import PERSON_LABELS, lineages_of
from recollect.surfaces.lore_engine.rendering import (
    RelationRenderer,
    entity_ref,
    render_entity,
    render_lifespan,
)
from recollect.surfaces.lore_engine.results import (
    AsOf,
    ContextResult,
    EntityName,
    FullContextResult,
    FuzzyResolutionView,
    HoldingView,
    LifespanView,
    ListLimit,
    LoreEntityRef,
    MentioningDocumentView,
    PersonName,
    StoredEntityView,
    TimeText,
)
from recollect.surfaces.lore_engine.session import ReadSession, findings_result, findings_session, read_session
from recollect.surfaces.lore_engine.surface import surface
from recollect.surfaces.views import mark_trust
from recollect.when.instant import MAX
from recollect.when.period import Time, time_text

_MAX_OTHER_RELATIONS = 50


@surface.tool(
    "read",
    example={"name": "Mira Orrin", "at_time": "second_tide.year_50"},
    older={"name": ("entity", "entity_name")},
)
def entity_context(
    memory: Memory, name: EntityName, at_time: TimeText | None = None, as_of: AsOf = None
) -> ContextResult:
    """Who or what an entity is at one time: factions, places, titles, things; is it alive?

    Outside its lifespan `alive` is false and the lists still say what the sources say.
    """
    with read_session(memory, as_of) as session:
        at = session.time(at_time)
        return session.with_resolution(render_context(session, session.entity(name, "name"), at))


def render_context(session: ReadSession, entity: Entity, at: Time) -> ContextResult:
    """The context of an entity, rendered."""
    lore = session.lore
    found = context_of(lore, entity, at, _MAX_OTHER_RELATIONS)
    every = [each for held in found.lists.values() for each, _ in held]
    printer = RelationRenderer(lore, [*every, *(each for each, _ in found.others)])

    held = {name: _render_holdings(printer, found.lists[name]) for name in CONTEXT_LISTS}
    return {
        "entity": entity_ref(entity),
        "provisional": entity.provisional,
        "aliases": session.view.aliases(entity),
        "at_time": at.text,
        "factions": held["factions"],
        "locations": held["locations"],
        "cultures": held["cultures"],
        "titles": held["titles"],
        "languages": held["languages"],
        "magic_systems": held["magic_systems"],
        "deities": held["deities"],
        "items_possessed": held["items_possessed"],
        "alive": lore.alive(entity, at),
        "exists": lore.exists(entity, at),
        "lifespan": render_lifespan(lore.existence(entity.id)),
        "relations": [printer.relation(each, how) for each, how in found.others],
        "truncated": found.is_cut,
    }


def _render_holdings(printer: RelationRenderer, held: CoveredRelations) -> list[HoldingView]:
    return printer.holdings([(each, each.object) for each, _ in held], {each.id: how for each, how in held})


IncludeSuperseded = Annotated[bool, Field(description="Also relations that a retcon replaced")]


@surface.tool("read", example={"name": "Saltguard"}, older={"name": ("entity", "entity_name")})
def get_context(
    memory: Memory,
    name: EntityName,
    limit: ListLimit = 100,
    include_superseded: IncludeSuperseded = False,
    as_of: AsOf = None,
) -> Result[FullContextResult]:
    """Everything stored about one entity, at all times: relations, documents, findings, flags."""
    with findings_session(memory, as_of, "follow") as session:
        who = session.entity(name, "name")
        relations = session.lore.first_relations(who.id, limit + 1, superseded=include_superseded)
        documents = _mentioning_documents(session, who)
        findings, flags = findings_about_entity(session, who.id), flags_about(session, [who.id]).get(who.id, [])
        printer = RelationRenderer(session.lore, relations[:limit])
        said: FullContextResult = {
            "entity": render_entity(session.view, who),
            "lifespan": render_lifespan(session.lore.existence(who.id)),
            "relations": [printer.relation(each) for each in relations[:limit]],
            "documents": documents[:limit],
            "violations": findings[:limit],
            "flags": flags[:limit],
            "truncated": max(len(relations), len(documents), len(findings), len(flags)) > limit,
        }
        return findings_result(session.with_resolution(said), session)


def _mentioning_documents(session: ReadSession, who: Entity) -> list[MentioningDocumentView]:
    """Documents that name the entity or are sources of its relations, most mentions first."""
    mentions: Counter[DocumentId] = Counter()
    index = StoredPassageIndex(session.view, session.memory.cache.vectors)
    for each in passages_naming(index, NameCounter([who.name, *session.view.aliases(who)]), PassageFilter()).values():
        mentions[each.chunk.document] += each.mentions
    sources = source_documents_of(session.view, who.id)
    live = [each for each in session.view.documents({*mentions, *sources}).values() if each.deleted is None]
    live.sort(key=lambda each: (-mentions[each.id], each.title or each.key, each.id))
    return [_render_mentioning(each, mentions[each.id]) for each in live]


def _render_mentioning(document: Document, mentions: int) -> MentioningDocumentView:
    shown: MentioningDocumentView = {
        "document_id": format_uuid(document.id),
        "title": document.title or document.key,
        "source_type": document.type,
        "mentions": mentions,
    }
    mark_trust(shown, document.properties, shown["title"])
    return shown


_MAX_SENTENCES = 30


class RelativeView(LoreEntityRef):
    role: str | None
    valid_from: str | None
    valid_until: str | None


class LifeEventView(TypedDict):
    id: str
    name: str
    at: str | None
    relation: str


class ProfileResult(TypedDict):
    """A person's life."""

    person: StoredEntityView
    at_time: str
    alive: bool | None
    age: int | None
    lifespan: LifespanView
    titles: list[HoldingView]
    factions: list[HoldingView]
    locations: list[HoldingView]
    items_possessed: list[HoldingView]
    lineage: LoreEntityRef | None
    parents: list[RelativeView]
    children: list[RelativeView]
    siblings: list[RelativeView]
    spouses: list[RelativeView]
    events: list[LifeEventView]
    summary: str
    citations: dict[str, CitationView]
    resolution: NotRequired[list[FuzzyResolutionView]]


@surface.tool(
    "read",
    example={"name": "Mira Orrin", "at_time": "second_tide.year_80"},
    older={"name": ("person", "entity")},
)
def get_person_profile(
    memory: Memory, name: PersonName, at_time: TimeText | None = None, as_of: AsOf = None
) -> ProfileResult:
    """A person's life on one page: age, family, titles, deeds, and a summary with citations."""
    with read_session(memory, as_of) as session:
        at = session.time(at_time)
        return session.with_resolution(_render_profile(session, session.entity(name, "name", *PERSON_LABELS), at))


def _render_profile(session: ReadSession, who: Entity, at: Time) -> ProfileResult:
    lore = session.lore
    relations = lore.relations_of([who.id])
    family = family_of(lore, who, relations)
    lineages = lineages_of(lore, who.id)
    held = _holdings_of(session, who, at)
    told = narrate(lore, sort_life_relations(who, relations), limit=_MAX_SENTENCES)
    existence = lore.existence(who.id)
    return {
        "person": render_entity(session.view, who),
        "at_time": at.text,
        "alive": lore.alive(who, at),
        "age": age_at(existence, at, session.view.world.timeline),
        "lifespan": render_lifespan(existence),
        "titles": held["titles"],
        "factions": held["factions"],
        "locations": held["locations"],
        "items_possessed": held["items_possessed"],
        "lineage": entity_ref(lineages[0]) if lineages else None,
        "parents": _render_relatives(session, family.parents),
        "children": _children_by_birth(session, family),
        "siblings": _render_relatives(session, family.siblings),
        "spouses": _render_relatives(session, family.spouses),
        "events": [
            {
                "id": format_entity_id(each.event.id),
                "name": each.event.name,
                "at": time_text(each.at),
                "relation": format_relation(each.relation.name),
            }
            for each in life_events_of(lore, who, relations)
        ],
        "summary": told.text,
        "citations": render_citations(told.citations),
    }


def _holdings_of(session: ReadSession, who: Entity, at: Time) -> dict[str, list[HoldingView]]:
    found = context_of(session.lore, who, at, 0)
    printer = RelationRenderer(session.lore, [each for held in found.lists.values() for each, _ in held])
    return {name: _render_holdings(printer, found.lists[name]) for name in CONTEXT_LISTS}


def _render_relatives(session: ReadSession, kin: Mapping[EntityId, Relation | None]) -> list[RelativeView]:
    entities = session.lore.entities(kin)
    ordered = sorted(entities.values(), key=lambda each: (each.name, each.id))
    return [_render_relative(each, kin[each.id]) for each in ordered]


def _children_by_birth(session: ReadSession, family: Family) -> list[RelativeView]:
    entities, lives = session.lore.entities(family.children), session.lore.existences(family.children)

    def order(child: Entity) -> tuple[int, str, str]:
        start = lives[child.id].start
        return MAX if start is None else start.lo, child.name, child.id

    return [_render_relative(each, family.children[each.id]) for each in sorted(entities.values(), key=order)]


def _render_relative(entity: Entity, relation: Relation | None) -> RelativeView:
    return {
        **entity_ref(entity),
        "role": None if relation is None else relation.attributes.get("role"),
        "valid_from": None if relation is None else time_text(relation.fact.valid_from),
        "valid_until": None if relation is None else time_text(relation.fact.valid_until),
    }
