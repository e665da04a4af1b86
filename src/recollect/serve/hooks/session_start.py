"""What a hook tells at the start of a session."""

from recollect.memory import Memory
from recollect.model.ids import EntityId, FactId
from recollect.model.names import fold
from recollect.reason.closures.open_items import ITEM_PREDICATES
from recollect.reason.entity_overview import newest_open_facts
from recollect.reason.items.item_list import ItemFilter, list_items
from recollect.serve.hooks.context import CHARACTERS_PER_TOKEN, ContextBlock, Line, fact_lines
from recollect.store.activity_queries import ChangeWindow, fact_versions_begun
from recollect.store.fact_rows import FactFilter
from recollect.store.view import View
from recollect.write.owner import find_owner

START_CHARACTERS = 1_200 * CHARACTERS_PER_TOKEN
MOST_OF_SECTION = 12
MOST_CHANGES = 8
_KINDS = ("decision", "convention")


def add_start(block: ContextBlock, personal: Memory, project: Memory | None, name: str, last_tx: int) -> None:
    """Who the owner is, what was decided in this project, what is open, what changed since last time."""
    with personal.read() as view:
        owner = find_owner(view)
        if owner is not None:
            block.add(f"## Working for {owner.name} (personal)", _facts_of(view, owner.id, MOST_OF_SECTION // 2))
    if project is not None:
        with project.read() as view:
            for kind in _KINDS:
                block.add(f"## {kind.capitalize()}s (project {name})", _facts_with(view, name, kind))
            block.add(f"## Open items (project {name})", _open_items(view))
            block.add(f"## Changed since last time (project {name})", _changes(view, last_tx))
    if project is None or project.workspace != personal.workspace:
        with personal.read() as view:
            block.add("## Open items (personal)", _open_items(view))


def _facts_of(view: View, entity: EntityId, limit: int) -> list[Line]:
    found, _ = newest_open_facts(view, entity, FactFilter(view.world.present, limit=limit, without=ITEM_PREDICATES))
    rows = {row.fact.id: row for row in view.fact_rows([each.id for each in found.facts])}
    return fact_lines(view, [rows[each.id] for each in found.facts if each.id in rows])


def _facts_with(view: View, name: str, predicate: str) -> list[Line]:
    found: dict[FactId, int] = {}
    for entity in {each.entity for each in view.names_matching(fold(name))}:
        found |= {fact.id: -fact.source_at for fact in view.facts_of_subject(entity, predicate, 200)}
    newest = sorted(found, key=lambda id_: (found[id_], id_))[:MOST_OF_SECTION]
    rows = {row.fact.id: row for row in view.fact_rows(newest)}
    return fact_lines(view, [rows[each] for each in newest if each in rows and not rows[each].fact.is_retracted])


def _open_items(view: View) -> list[Line]:
    items = list_items(view, ItemFilter(limit=MOST_OF_SECTION, has_counts=False)).items
    rows = {row.fact.id: row for row in view.fact_rows([each.item.id for each in items])}
    return fact_lines(view, [rows[each.item.id] for each in items if each.item.id in rows])


def _changes(view: View, last_tx: int) -> list[Line]:
    if last_tx <= 0:
        return []
    versions = fact_versions_begun(view, ChangeWindow(last_tx, view.last_tx, MOST_CHANGES))
    rows = view.fact_rows([each.id for each in versions])
    return fact_lines(view, [row for row in rows if not row.fact.is_retracted])
