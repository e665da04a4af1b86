"""An entity: what is known of it, since when, from where, and what can be put right."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from recollect.model.entity import Entity
from recollect.model.ids import FACT_PREFIX, FactId, format_entity_id, format_fact_id, is_id, read_id
from recollect.model.relations import is_point
from recollect.reason.closures.open_items import CLOSING_PREDICATES, ITEM_PREDICATES
from recollect.reason.entity_overview import NewestFacts, find_connections, newest_facts, newest_open_facts
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
    Action,
    ActionResult,
    Moment,
    Page,
    PageModel,
    PageRequest,
    WebSection,
    optional_field,
    required_field,
)
from recollect.serve.web.framework.rendering import human_time, local_instant, predicate_words
from recollect.serve.web.sections.document_views import DocumentCard, mentioning_documents
from recollect.store.fact_rows import FactFilter, FactSummaryRow
from recollect.store.view import View
from recollect.surfaces.recollect.failures import InvalidInput
from recollect.surfaces.recollect.history import EntryView, history
from recollect.surfaces.recollect.open_items import ItemView, open_items
from recollect.surfaces.recollect.parameters import find_entity
from recollect.surfaces.recollect.remember import remember
from recollect.write.entity_edits import edit_entity
from recollect.write.merge import merge, split_off
from recollect.write.names import add_alias

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
        neighbours = [
            EgoNeighbour(
                EntityCard(format_entity_id(each.entity), each.name, each.type),
                predicate_words(each.fact_type),
                each.fact_count,
            )
            for each in connections.newest
        ]
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
            connections.count,
            tuple(mentioning_documents(view, entity.id)),
            (),
            (),
            tuple(_true_moments(view, entity)),
            shows_past,
            "" if view.entity(entity.id) is not None else "added",
            None if request.clocks.is_now else view.last_tx,
        )
    return _with_rest(request, model, facts, found)


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


WEB_SOURCE = "written in the web app"


def add_fact(request: PageRequest) -> ActionResult:
    """Record a fact about the entity, as the everyday surface would."""
    target = "object" if request.text("target_kind") == "entity" else "value"
    fact: dict[str, object] = {
        "subject": {"id": request.path["id"]},
        "predicate": required_field(request, "predicate", 100),
        target: required_field(request, "target"),
    }
    for name in ("valid_from", "valid_until"):
        if request.text(name):
            fact[name] = request.text(name)
    if request.text("replaces"):
        fact["replaces"] = True
    source = optional_field(request, "source") or WEB_SOURCE
    result = remember(request.acting("remember"), facts=[fact], source=source).value
    recorded = result["facts"][0]
    message = f"{recorded['outcome'].capitalize()}: {recorded['text']}"
    return ActionResult(f"entity/{request.path['id']}", message, result.get("undo"))


def add_name(request: PageRequest) -> ActionResult:
    alias = required_field(request, "alias", 200)
    with request.acting("add_alias").write() as change:
        entity = find_entity_page(change, request.path["id"])
        if not add_alias(change, entity, alias):
            raise InvalidInput(f"{entity.name} is already known as {alias}", field="alias")
        return ActionResult(f"entity/{request.path['id']}", f"{entity.name} is also known as {alias}.", change.tx)


def edit(request: PageRequest) -> ActionResult:
    """Rename or retype the entity."""
    name, type_ = required_field(request, "name", 200), required_field(request, "type", 64)
    with request.acting("edit_entity").write() as change:
        entity = find_entity_page(change, request.path["id"])
        edit_entity(change, entity, entity._replace(name=name, type=type_.strip().lower().replace(" ", "_")))
        undo = change.tx if change.has_changed else None
    return ActionResult(f"entity/{request.path['id']}", f"Saved {name}.", undo)


def merge_with(request: PageRequest) -> ActionResult:
    """Merge another entity into this one; undoing separates them."""
    other_name = required_field(request, "other", 200)
    memory = request.acting("merge")
    with memory.write() as change:
        entity = find_entity_page(change, request.path["id"])
        other = find_entity(memory, change, other_name, "other")
        joined = merge(change, other, entity)
        return ActionResult(
            f"entity/{format_entity_id(joined.id)}", f"{other.name} is now part of {joined.name}.", change.tx
        )


def split(request: PageRequest) -> ActionResult:
    """Move some facts to a new entity; undoing joins the two again."""
    name = required_field(request, "name", 200)
    chosen = [str(each) for each in request.form.getlist("fact")]
    facts = {FactId(read_id(each, FACT_PREFIX)) for each in chosen if is_id(each, FACT_PREFIX)}
    with request.acting("split").write() as change:
        entity = find_entity_page(change, request.path["id"])
        other = split_off(change, entity, name, facts)
        return ActionResult(
            f"entity/{format_entity_id(other.id)}", f"{len(facts)} facts moved to a new {name}.", change.tx
        )


ACTIONS = (
    Action("entity/{id}/split", split),
    Action("entity/{id}/facts", add_fact),
    Action("entity/{id}/aliases", add_name),
    Action("entity/{id}/edit", edit),
    Action("entity/{id}/merge", merge_with),
)
PAGES = (Page("entity", "entity/{id}", show, has_clock=True),)
SECTION = WebSection("entity", PAGES, ACTIONS)
