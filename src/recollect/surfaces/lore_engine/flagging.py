"""`flag_for_review`: mark something as suspicious, or a finding as seen."""

from typing import Annotated, Any

from pydantic import Field

from recollect.memory import Memory
from recollect.model.ids import ENTITY_PREFIX, FACT_PREFIX, DocumentId, EntityId, FactId, is_id, read_id
from recollect.reason.checks.finding import read_finding
from recollect.reason.checks.flags import Flag, FlagKind, put_flag, take_flag_off
from recollect.reason.checks.listing import finding
from recollect.store.change import Change
from recollect.surfaces.lore_engine.finding_examples import TWO_KNIVES
from recollect.surfaces.lore_engine.finding_results import Flagged
from recollect.surfaces.lore_engine.problems import NotFound
from recollect.surfaces.lore_engine.shapes import REASON_LIMIT, text
from recollect.surfaces.lore_engine.surface import surface
from recollect.surfaces.lore_engine.writing import Writing, written
from recollect.when.instant import say_instant

NodeId = Annotated[str, *text(200), Field(description="The id of an entity, relation, document or finding")]
FlagReason = Annotated[str, *text(REASON_LIMIT), Field(description="Why")]
Clear = Annotated[bool, Field(description="Take the flag off again")]


@surface.tool("write", example={"node_id": TWO_KNIVES, "reason": "the knife was lent"}, idempotent=True)
def flag_for_review(memory: Memory, node_id: NodeId, reason: FlagReason, clear: Clear = False) -> Flagged:
    """Mark an entity, relation or document as suspicious, or a finding as seen.

    A flagged finding leaves the lists until it is asked for; all else is only listed by `get_unresolved`.
    """

    def act(asked: Writing) -> dict[str, Any]:
        kind, node = _node(asked.change, node_id)
        flag = take_flag_off(asked.change, node) if clear else put_flag(asked.change, node, kind, reason)
        return _said(node_id, kind, reason, None if clear else flag)

    found: Flagged = written(memory, act)
    return found


def _said(given: str, kind: FlagKind, reason: str, flag: Flag | None) -> dict[str, Any]:
    return {
        "node_id": given,
        "kind": kind,
        "flagged": flag is not None,
        "reason": reason if flag is None else flag.reason,
        "flagged_at": None if flag is None else say_instant(flag.flagged_at),
        "flagged_by": None if flag is None else flag.flagged_by,
    }


def _node(change: Change, given: str) -> tuple[FlagKind, str]:
    """What an id stands for; a bare one may be of any kind."""
    found = read_finding(given)
    if found is not None and finding(change, found) is not None:
        return "violation", found
    if is_id(given, ENTITY_PREFIX):
        entity = change.entity(EntityId(read_id(given, ENTITY_PREFIX)))
        if entity is not None and entity.is_live:
            return "entity", entity.id
    if is_id(given, FACT_PREFIX):
        fact = change.fact(FactId(read_id(given, FACT_PREFIX)))
        if fact is not None and not fact.is_retracted:
            return "relation", fact.id
    if is_id(given):
        document = change.document(DocumentId(read_id(given)))
        if document is not None and document.deleted is None:
            return "document", document.id
    raise NotFound("entity, relation, document or violation", given, "node_id")
