"""The objects this surface prints, and how they are made from what the graph holds."""

from datetime import tzinfo

from typing_extensions import TypedDict

from recollect.model.ids import say_entity, say_fact
from recollect.reason.decisions import Decision
from recollect.reason.links import Link, Ref, Told
from recollect.resolve.answer import Resolution
from recollect.surfaces.cognitive_graph.graph import Graph
from recollect.surfaces.cognitive_graph.problems import quoted
from recollect.when.instant import local_date, say_instant


class Reference(TypedDict):
    type: str
    id: str
    name: str


class Literal(TypedDict):
    literal: str


class FactShape(TypedDict):
    id: str
    subject: Reference
    predicate: str
    object: Reference | Literal
    confidence: float
    recorded_at: str
    source: str | None


class DecisionShape(TypedDict):
    id: str
    name: str
    decided_on: str
    decided_by: list[Reference]
    confidence: float
    source: str | None


def reference(ref: Ref) -> Reference:
    return {"type": ref.type, "id": say_entity(ref.id), "name": ref.name}


def target(link: Link) -> Reference | Literal:
    """The object of a fact: an entity or a literal."""
    return reference(link.object) if link.object is not None else {"literal": link.literal or ""}


def fact_shape(link: Link, told: Told) -> FactShape:
    return {
        "id": say_fact(link.id),
        "subject": reference(link.subject),
        "predicate": link.predicate,
        "object": target(link),
        "confidence": told.confidence,
        "recorded_at": say_instant(link.recorded_at),
        "source": told.source,
    }


def decision_shape(decision: Decision, zone: tzinfo) -> DecisionShape:
    return {
        "id": decision.id,
        "name": decision.name,
        "decided_on": local_date(decision.first.at, zone).isoformat(),
        "decided_by": [reference(ref) for ref in decision.decided_by],
        "confidence": decision.confidence,
        "source": decision.source,
    }


def candidates_block(graph: Graph, text: str, found: Resolution) -> tuple[str, ...]:
    """The text block that lists whom an ambiguous name may mean; none if it was not ambiguous."""
    if not found.is_ambiguous:
        return ()
    entities = graph.view.entities({candidate.entity for candidate in found.candidates})
    refs = [graph.ref(entities[each.entity]) for each in found.candidates if each.entity in entities]
    lines = (f"{ref.type}, {ref.name}, {say_entity(ref.id)}" for ref in refs)
    return ("\n".join((f"{quoted(text)} may mean one of these; ask again with the id:", *lines)),)
