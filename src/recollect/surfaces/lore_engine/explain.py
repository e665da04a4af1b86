"""`explain_violation`: why something is a finding."""

from typing import Annotated

from pydantic import Field

from recollect.memory import Memory
from recollect.model.ids import FactId, say_entity, say_fact, say_uuid
from recollect.reason.checks.catalogue import Known, known
from recollect.reason.checks.finding import read_finding, say_finding
from recollect.reason.checks.flags import flag_of
from recollect.reason.checks.listing import finding, is_open_at
from recollect.reason.checks.rulebook import rulebook
from recollect.reason.checks.stored import Stored
from recollect.reason.lore.reading import Lore
from recollect.reason.lore.sources import Source
from recollect.store.view import View
from recollect.surfaces.lore_engine.asking import Asking
from recollect.surfaces.lore_engine.examining import asking_findings
from recollect.surfaces.lore_engine.finding_examples import TWO_KNIVES
from recollect.surfaces.lore_engine.finding_results import Explained, RuleShown, SourceShown
from recollect.surfaces.lore_engine.passages import chunk_uuid
from recollect.surfaces.lore_engine.problems import NotFound
from recollect.surfaces.lore_engine.shapes import AsOf, text
from recollect.surfaces.lore_engine.shown import Printer, say_ref
from recollect.surfaces.lore_engine.surface import surface
from recollect.when.instant import say_instant

FindingText = Annotated[str, *text(200), Field(description="The id of a finding (vio_…)")]


@surface.tool("read", example={"node_id": TWO_KNIVES})
def explain_violation(memory: Memory, node_id: FindingText, as_of: AsOf = None) -> Explained:
    """Why something is a finding: what was compared, who says so, what would resolve it."""
    with asking_findings(memory, as_of) as asked:
        id_ = read_finding(node_id)
        found = None if id_ is None else finding(asked.view, id_)
        if found is None:
            raise NotFound("violation", node_id, "node_id")
        return _explained(asked, found)


def _explained(asked: Asking, found: Stored) -> Explained:
    is_open = is_open_at(found, asked.view)
    lore = asked.lore if is_open else Lore(_last_seen(asked.view, found))
    relations = {each.id: each for each in lore.by_id(found.relations, superseded=True)}
    edges = [relations[each] for each in found.relations if each in relations]
    printer = Printer(lore, edges)
    flag = flag_of(asked.view, found.id)
    entities = lore.view.entities(found.nodes)
    return {
        "id": say_finding(found.id),
        "category": found.category,
        "severity": found.severity,
        "status": "open" if is_open else "resolved",
        "message": found.message,
        "rule": _rule(asked.view, found),
        "nodes": [say_ref(entities[each]) for each in found.nodes if each in entities],
        "edges": [printer.relation(each) for each in edges],
        "sources": [_source(lore.view, each) for edge in edges for each in printer.sources(edge)],
        "why": list(found.details.get("why", [])) or [found.message],
        "flagged": flag is not None,
        "flag_reason": None if flag is None else flag.reason,
        "detected_at": say_instant(found.detected_at),
        "resolved_at": None if is_open or found.resolved_at is None else say_instant(found.resolved_at),
        "suggestions": _suggestions(found) if is_open else [],
    }


def _last_seen(view: View, found: Stored) -> View:
    """The world just before the finding was resolved."""
    return View(view.connection, view.workspace, max(found.tx_from, found.tx_to - 1), view.now)


def _rule(view: View, found: Stored) -> RuleShown:
    own = known().get(found.rule)
    held = rulebook(view, deleted=True).get(found.rule)
    rule = held.known if held is not None else own or Known(found.rule, found.category, found.severity, "")
    return {"id": rule.id, "description": rule.description, "severity": found.severity, "cypher": rule.cypher}


def _source(view: View, source: Source) -> SourceShown:
    return {
        "source": source.name,
        "document_id": None if source.document is None else say_uuid(source.document),
        "chunk_id": _chunk(view, source),
        "quote": source.quote,
        "url": source.url,
        "relation_id": say_fact(source.fact),
    }


def _chunk(view: View, source: Source) -> str | None:
    """The passage that holds the quote, or the first of the document."""
    if source.document is None:
        return None
    chunks = view.chunks(source.document)
    quoted = [each for each in chunks if source.quote and source.quote in each.text]
    best = next(iter(quoted or chunks), None)
    return None if best is None else chunk_uuid(source.document, best.seq, best.hash)


def _suggestions(found: Stored) -> list[str]:
    """Calls that would resolve the finding, or acknowledge it."""
    changes = [_delete(each) for each in found.relations]
    if found.category == "orphan":
        changes = [_missing(found, reason) for reason in found.details.get("reasons", [])]
    return [*changes, f'flag_for_review {{"node_id": "{say_finding(found.id)}", "reason": "…"}}']


def _delete(relation: FactId) -> str:
    return f'delete_node {{"id": "{say_fact(relation)}", "reason": "…"}}'


def _missing(found: Stored, reason: str) -> str:
    who = say_entity(found.nodes[0])
    relation = {
        "missing_occurred_at": f'"from": "{who}", "relation": "OCCURRED_AT", "to": "…"',
        "missing_occurred_during": f'"from": "{who}", "relation": "OCCURRED_DURING", "to": "…"',
        "missing_part_of": f'"from": "{who}", "relation": "PART_OF", "to": "…"',
        "missing_founding_ancestor": f'"from": "…", "relation": "FOUNDED", "to": "{who}"',
        "missing_members": f'"from": "…", "relation": "MEMBER_OF", "to": "{who}"',
        "missing_creator": f'"from": "…", "relation": "CREATED", "to": "{who}"',
        "missing_founding": f'"from": "{who}", "relation": "FOUNDED", "to": null, "at": "…"',
    }
    said = relation.get(reason, f'"from": "{who}", "relation": "…", "to": "…"')
    return f"add_relation {{{said}}}"
