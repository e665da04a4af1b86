"""An entity: what is known of it, since when, from where, and what can be put right."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from recollect.model.entity import Entity
from recollect.model.ids import EntityId, format_entity_id, format_fact_id
from recollect.model.relations import is_point
from recollect.model.vocabulary import ANY_ANCHOR
from recollect.reason.closures.open_items import CLOSING_PREDICATES, ITEM_PREDICATES
from recollect.reason.entity_overview import (
    EntityConnections,
    NewestFacts,
    find_connections,
    newest_facts,
    newest_open_facts,
)
from recollect.serve.web.framework.cards import (
    EntityCard,
    FactCard,
    compared_with_now,
    entity_card,
    fact_cards_of,
    find_entity_page,
    source_badges,
)
from recollect.serve.web.framework.drawings import (
    DatedBar,
    EgoGraph,
    EgoNeighbour,
    Strip,
    by_start,
    draw_ego_graph,
    make_strip,
)
from recollect.serve.web.framework.error_pages import PageNotFound
from recollect.serve.web.framework.page_layout import MOST_MOMENTS
from recollect.serve.web.framework.pages import (
    Moment,
    Page,
    PageModel,
    PageRequest,
    WebSection,
)
from recollect.serve.web.framework.rendering import human_time, local_instant, predicate_words
from recollect.serve.web.sections.document_views import DocumentCard, mentioning_documents
from recollect.serve.web.sections.entity_changes import ENTITY_CHANGES
from recollect.store.edge_queries import ConnectionRow
from recollect.store.fact_rows import FactFilter, FactSummaryRow
from recollect.store.view import View
from recollect.surfaces.recollect.history import EntryView, history
from recollect.surfaces.recollect.open_items import ItemView, open_items

PASSING_PREDICATES = frozenset({*ITEM_PREDICATES, *CLOSING_PREDICATES, "event"})
"""What people say they do, did and will do: listed last, since a mailbox has hundreds of such sentences."""
MOST_FACTS = 200
MOST_BARS = 12
MOST_NEIGHBOURS = 12
MOST_CHANGES = 40
MOST_FACTS_FOR_HISTORY = 2_000
"""Beyond that, reading the whole history of an entity takes longer than its page may."""


@dataclass(frozen=True, slots=True)
class AliasCard:
    text: str
    learned: str | None
    by: str
    badges: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FactGroup:
    """The facts of one predicate; those that say something of another are `of_others`."""

    predicate: str
    label: str
    facts: tuple[FactCard, ...]


@dataclass(frozen=True, slots=True)
class EntityPage(PageModel):
    entity: EntityCard
    aliases: tuple[AliasCard, ...]
    groups: tuple[FactGroup, ...]
    total: int
    shown: int
    since_added: tuple[FactCard, ...]
    items: tuple[ItemView, ...]
    strip: Strip
    graph: EgoGraph
    neighbours: int
    documents: tuple[DocumentCard, ...]
    changes: tuple[EntryView, ...]
    moments: tuple[Moment, ...]
    true_moments: tuple[Moment, ...]
    shows_past: bool
    change: str = ""
    """`added` if the entity was not known at the moment that the page shows."""
    later_than: int | None = None
    """The transaction after which a change is of later than the moment that the page shows."""


def show(request: PageRequest) -> EntityPage:
    with request.read() as view:
        entity = _find_entity(request, view)
        at, shows_past = request.at(view), request.query.get("show") == "all"
        wanted = FactFilter(at, every=shows_past, limit=MOST_FACTS)
        found, _ = newest_open_facts(view, entity.id, wanted)
        facts = _without_hidden(fact_cards_of(view, (row.id for row in found.facts), at))
        connections = find_connections(view, entity.id, FactFilter(at, limit=MOST_NEIGHBOURS))
        neighbours = _neighbours(connections)
        model = EntityPage(
            entity.name,
            entity_card(entity),
            tuple(_aliases(view, entity)),
            (),
            found.count,
            len(facts),
            (),
            (),
            make_strip(by_start(_bars(entity, found.facts, facts), MOST_BARS), at.lo),
            draw_ego_graph(neighbours),
            connections.count if connections.count > MOST_NEIGHBOURS else len(neighbours),
            tuple(mentioning_documents(view, entity.id)),
            (),
            (),
            tuple(_true_moments(view, entity)),
            shows_past,
            "" if view.entity(entity.id) is not None else "added",
            None if request.clocks.is_now else view.last_tx,
        )
    return _with_rest(request, model, facts, found)


def _neighbours(connections: EntityConnections) -> list[EgoNeighbour]:
    """Each neighbour once, with everything that connects it."""
    grouped: dict[EntityId, list[ConnectionRow]] = {}
    for each in connections.newest:
        grouped.setdefault(each.entity, []).append(each)
    return [
        EgoNeighbour(
            EntityCard(format_entity_id(ident), rows[0].name, rows[0].type),
            ", ".join(dict.fromkeys(_relation_words(row.fact_type) for row in rows)),
            sum(row.fact_count for row in rows),
        )
        for ident, rows in grouped.items()
    ]


def _relation_words(fact_type: str) -> str:
    """The kind of a relation as words; what is of no known kind is only a relation."""
    return "related" if fact_type == ANY_ANCHOR else predicate_words(fact_type)


def _find_entity(request: PageRequest, view: View) -> Entity:
    """The entity as it was known then, or as it is now if it was not known yet: the page says what came since."""
    try:
        return find_entity_page(view, request.path["id"])
    except PageNotFound:
        if request.clocks.known is None:
            raise
    with request.memory.read() as latest:
        return find_entity_page(latest, request.path["id"])


def _with_rest(request: PageRequest, model: EntityPage, facts: list[FactCard], found: NewestFacts) -> EntityPage:
    """The page with what is read apart: differences from now, open items and the latest changes."""
    ident = model.entity.id
    is_now = request.clocks.is_now
    marked = facts if is_now else compared_with_now(request.memory, facts)
    added = [] if is_now else _added_since(request, facts)
    changes: list[EntryView] = []
    if found.count <= MOST_FACTS_FOR_HISTORY:
        changes = history(request.memory, about=ident, clock="knowledge", limit=MOST_CHANGES).value["entries"]
    items = open_items(request.memory, about=ident, limit=20).value["items"] if is_now else []
    return replace(
        model,
        groups=tuple(_groups(ident, marked)),
        since_added=tuple(added),
        items=tuple(items),
        changes=tuple(reversed(changes)),
        moments=tuple(_moments(changes)),
    )


def _without_hidden(facts: Iterable[FactCard]) -> list[FactCard]:
    return [fact for fact in facts if fact.state != "retracted"]


def _groups(ident: str, facts: Sequence[FactCard]) -> Iterable[FactGroup]:
    groups: dict[tuple[bool, str], list[FactCard]] = {}
    for fact in facts:
        groups.setdefault((fact.subject.id != ident, fact.predicate), []).append(fact)
    ordered = sorted(groups.items(), key=lambda each: (each[0][1] in PASSING_PREDICATES, each[0]))
    for (is_of_others, predicate), members in ordered:
        words = predicate_words(predicate)
        yield FactGroup(predicate, f"… {words} this" if is_of_others else words, tuple(members))


def _added_since(request: PageRequest, facts: Sequence[FactCard]) -> list[FactCard]:
    """What holds now and did not at the moment that the page shows."""
    with request.memory.read() as view:
        try:
            entity = find_entity_page(view, request.path["id"])
        except PageNotFound:
            return []
        rows = newest_facts(view, entity.id, FactFilter(view.world.present, limit=MOST_FACTS)).facts
        current = fact_cards_of(view, (row.id for row in rows))
    known = {fact.id for fact in facts}
    return [replace(card, change="added") for card in current if card.id not in known]


def _bars(entity: Entity, rows: Sequence[FactSummaryRow], cards: Sequence[FactCard]) -> Iterable[DatedBar]:
    """The dated facts; the name that every row would begin with is left out, or narrow pages show nothing else."""
    texts = {card.id: card for card in cards}
    for row in rows:
        card = texts.get(format_fact_id(row.id))
        if card is not None and row.is_bounded:
            lo, hi, until = row.period.lo, row.period.hi, card.until
            if row.until_hi is None and (row.label == "TRANSITIONED" or is_point(row.predicate)):
                hi, until = lo, card.since
            text = card.text.removeprefix(entity.name).lstrip(": ")
            yield DatedBar(card.id, text or card.text, lo, hi, card.since, until)


def _aliases(view: View, entity: Entity) -> Iterable[AliasCard]:
    learned = view.learned_aliases([entity.id])
    first = {folded: key[0] for (_, folded), key in learned.items()}
    for name in view.names_of(entity.id):
        if name.kind == "name" or name.folded == entity.folded:
            continue
        tx = view.transaction(first[name.folded]) if name.folded in first else None
        when = None if tx is None else local_instant(tx.at, view.world.zone)
        by = "" if tx is None else f"{tx.surface} {tx.tool}, {tx.actor}"
        yield AliasCard(name.spelling, when, by, source_badges({}, name.spelling))


def _true_moments(view: View, entity: Entity) -> Iterable[Moment]:
    """When facts of an entity began and ended, past ones too, the earliest first."""
    rows = newest_facts(view, entity.id, FactFilter(view.world.present, every=True, limit=MOST_FACTS)).facts
    bounds = {
        place: text
        for row in rows
        for place, text in ((row.period.lo, row.valid_from), (row.period.hi, row.valid_until))
        if text is not None and row.is_bounded
    }
    for place in sorted(bounds)[-MOST_MOMENTS:]:
        yield Moment(bounds[place], human_time(bounds[place], view.world.timeline))


def _moments(changes: Sequence[EntryView]) -> Iterable[Moment]:
    """One stop of the slider for each transaction, the oldest first."""
    seen: dict[int, str] = {}
    for change in changes:
        if "transaction" in change:
            seen.setdefault(change["transaction"], f"{human_time(change['when'])}: {change['change']}")
    return (Moment(str(tx), label) for tx, label in sorted(seen.items()))


PAGES = (Page("entity", "entity/{id}", show, has_clock=True),)
SECTION = WebSection("entity", PAGES, ENTITY_CHANGES)
