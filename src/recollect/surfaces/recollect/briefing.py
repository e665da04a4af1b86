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
from recollect.surfaces.views import TrustMarks
from recollect.write.lookup import may_be_known_as
from recollect.write.owner import find_owner

MOST_FACTS = 50
LATEST_CHANGES = 10
NO_OWNER = "No owner is set. `remember` the text “My name is …”, or run: recollect workspace set me.name NAME"


def about_owner(memory: Memory, *, is_asked: bool = True) -> str:
    """The page of the owner; what is told without being asked for leaves out what may be an attack."""
    with memory.read() as view:
        owner = find_owner(view)
        return NO_OWNER if owner is None else _facts_page(view, owner, is_asked=is_asked)


def is_withheld(shown: TrustMarks) -> bool:
    """Whether something may not stand in context that nobody asked for: an attack, or untrusted."""
    return "suspect" in shown or shown.get("trust") == "untrusted"


def about_entity(memory: Memory, name: str) -> str:
    """The page of an entity: facts, open items and latest changes."""
    with memory.read() as view:
        entity = find_entity(memory, view, name, "name")
        page = _facts_page(view, entity)
    ident = format_entity_id(entity.id)
    items = open_items(memory, about=ident).text
    changes = history(memory, about=ident, clock="knowledge", limit=LATEST_CHANGES).text
    return f"{page}\n\n## Open items\n\n{items}\n\n## Latest changes\n\n{changes}"


def _facts_page(view: View, entity: Entity, *, is_asked: bool = True) -> str:
    found = newest_facts(view, entity.id, FactFilter(view.world.present, limit=MOST_FACTS))
    facts = FactViews(view).of([row.id for row in found.facts])
    aliases = ", ".join(_other_names(view, entity, is_asked=is_asked))
    lines = [f"# {entity.name}", "", f"{entity.type}{f', also {aliases}' if aliases else ''}", ""]
    spoken = {ident: with_readable_times(fact, view.world.timeline) for ident, fact in facts.items()}
    shown = [spoken[row.id] for row in found.facts if row.id in spoken]
    told = [each for each in shown if is_asked or not is_withheld(each)]
    lines += [fact_line(each) for each in told] or ["No facts are known."]
    if len(told) < len(shown):
        lines.append(withheld_note(len(shown) - len(told)))
    if found.is_cut:
        lines.append(f"{found.count - len(found.facts)} older facts are not shown; `recall` with `about` finds them.")
    return "\n".join(lines)


def withheld_note(count: int) -> str:
    return f"Left out as suspicious: {count}; `review` shows them."


def _other_names(view: View, entity: Entity, *, is_asked: bool) -> list[str]:
    """The aliases of an entity; those that only strangers give it are marked, or left out where nobody asked."""
    claims = {row.spelling: row.trust for row in view.names_of(entity.id) if not may_be_known_as(entity, row.known_as)}
    names = view.aliases(entity)
    if not is_asked:
        return [each for each in names if each not in claims]
    return [f"{each} ({claims[each]} source)" if each in claims else each for each in names]
