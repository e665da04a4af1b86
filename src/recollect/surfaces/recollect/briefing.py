"""Pages of Markdown about an entity: its facts, its open items and its latest changes."""

from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import format_entity_id
from recollect.reason.entity_overview import newest_facts
from recollect.store.fact_rows import FactFilter
from recollect.store.view import View
from recollect.surfaces.recollect.history import history
from recollect.surfaces.recollect.open_items import open_items
from recollect.surfaces.recollect.parameters import find_entity
from recollect.surfaces.recollect.views import FactViews, fact_line, with_readable_times
from recollect.write.owner import find_owner

MOST_FACTS = 50
LATEST_CHANGES = 10
NO_OWNER = "No owner is set. `remember` the text “My name is …”, or run: recollect workspace set me.name NAME"


def about_owner(memory: Memory) -> str:
    """The page of the owner."""
    with memory.read() as view:
        owner = find_owner(view)
        return NO_OWNER if owner is None else _facts_page(view, owner)


def about_entity(memory: Memory, name: str) -> str:
    """The page of an entity: facts, open items and latest changes."""
    with memory.read() as view:
        entity = find_entity(memory, view, name, "name")
        page = _facts_page(view, entity)
    ident = format_entity_id(entity.id)
    items = open_items(memory, about=ident).text
    changes = history(memory, about=ident, clock="knowledge", limit=LATEST_CHANGES).text
    return f"{page}\n\n## Open items\n\n{items}\n\n## Latest changes\n\n{changes}"


def _facts_page(view: View, entity: Entity) -> str:
    found = newest_facts(view, entity.id, FactFilter(view.world.present, limit=MOST_FACTS))
    facts = FactViews(view).of([row.id for row in found.facts])
    aliases = ", ".join(view.aliases(entity))
    lines = [f"# {entity.name}", "", f"{entity.type}{f', also {aliases}' if aliases else ''}", ""]
    spoken = {ident: with_readable_times(fact, view.world.timeline) for ident, fact in facts.items()}
    lines += [fact_line(spoken[row.id]) for row in found.facts if row.id in spoken] or ["No facts are known."]
    if found.is_cut:
        lines.append(f"{found.count - len(found.facts)} older facts are not shown; `recall` with `about` finds them.")
    return "\n".join(lines)
