"""`get_context`: everything stored about one entity, at all times."""

from collections import Counter
from typing import Annotated

from pydantic import Field

from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import DocumentId, say_uuid
from recollect.search.naming import Names, passages_naming
from recollect.store.found import Filter
from recollect.store.index import StoredIndex
from recollect.surfaces.declare import Result
from recollect.surfaces.lore_engine.answers import with_findings
from recollect.surfaces.lore_engine.asking import Asking
from recollect.surfaces.lore_engine.context_results import DocumentMentioning, Everything
from recollect.surfaces.lore_engine.examining import asking_findings
from recollect.surfaces.lore_engine.shapes import AsOf, EntityName
from recollect.surfaces.lore_engine.shown import Printer, say_lifespan, show_entity
from recollect.surfaces.lore_engine.surface import surface
from recollect.surfaces.lore_engine.touching import findings_touching, flags_on

PerList = Annotated[int, Field(ge=1, le=500, description="At most this many in each list")]
Superseded = Annotated[bool, Field(description="Also relations that a retcon replaced")]


@surface.tool("read", example={"name": "Saltguard"}, older={"name": ("entity", "entity_name")})
def get_context(
    memory: Memory,
    name: EntityName,
    limit: PerList = 100,
    include_superseded: Superseded = False,
    as_of: AsOf = None,
) -> Result[Everything]:
    """Everything stored about one entity, at all times: relations, documents, findings, flags."""
    with asking_findings(memory, as_of, "follow") as asked:
        who = asked.entity(name, "name")
        relations = asked.lore.in_order(who.id, limit + 1, superseded=include_superseded)
        documents = _documents(asked, who)
        findings, flags = findings_touching(asked, who.id), flags_on(asked, [who.id]).get(who.id, [])
        printer = Printer(asked.lore, relations[:limit])
        said: Everything = {
            "entity": show_entity(asked.view, who),
            "lifespan": say_lifespan(asked.lore.existence(who.id)),
            "relations": [printer.relation(each) for each in relations[:limit]],
            "documents": documents[:limit],
            "violations": findings[:limit],
            "flags": flags[:limit],
            "truncated": max(len(relations), len(documents), len(findings), len(flags)) > limit,
        }
        return with_findings(asked.with_resolution(said), asked)


def _documents(asked: Asking, who: Entity) -> list[DocumentMentioning]:
    """Documents that name the entity or that its relations come from, those that name it most first."""
    mentions: Counter[DocumentId] = Counter()
    index = StoredIndex(asked.view, asked.memory.kept.matrices)
    for each in passages_naming(index, Names([who.name, *asked.view.aliases(who)]), Filter()).values():
        mentions[each.chunk.document] += each.times
    sourced = [row[0] for row in asked.view.rows("documents_behind", entity=who.id, superseded=0)]
    live = [each for each in asked.view.documents({*mentions, *sourced}).values() if each.deleted is None]
    live.sort(key=lambda each: (-mentions[each.id], each.title or each.key, each.id))
    return [
        {
            "document_id": say_uuid(each.id),
            "title": each.title or each.key,
            "source_type": each.type,
            "mentions": mentions[each.id],
        }
        for each in live
    ]
