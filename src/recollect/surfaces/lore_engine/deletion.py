"""`delete_node`: soft deletion and restoring of entities, relations, documents and definitions."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field
from typing_extensions import TypedDict

from recollect.ingest.lore.deletion import (
    DeletionCounts,
    delete_relation,
    delete_source,
    delete_world_entity,
    restore_relation,
    restore_source,
    restore_world_entity,
)
from recollect.ingest.timeline_definitions import find_definition, remove_definition, restore_definition
from recollect.memory import Memory
from recollect.model.ids import (
    format_entity_id,
    format_fact_id,
    format_uuid,
    parse_document_id,
    parse_entity_id,
    parse_fact_id,
)
from recollect.reason.checks.custom_rules import delete_rule, restore_rule
from recollect.reason.checks.rule_catalogue import load_rules
from recollect.store.change import Change
from recollect.surfaces.lore_engine.results import NAME_LIMIT, WriteOutcome, text_validators
from recollect.surfaces.lore_engine.surface import RejectedInput, UnknownId, surface
from recollect.surfaces.lore_engine.write_session import ReasonText, WriteSession, run_write

NodeKind = Literal["entity", "relation", "document", "rule", "era", "calendar", "date"]
_FINDING_PREFIXES = ("vio_", "run_")


class Deletable(NamedTuple):
    """Something that can be deleted: its kind, its id, and how to delete and restore it."""

    kind: NodeKind
    id: str
    take_out: Callable[[str], DeletionCounts | None]
    bring_back: Callable[[], DeletionCounts | None]


class NotDeletable(RejectedInput):
    def __init__(self, given: str) -> None:
        super().__init__(f"{given!r} is a finding or a run, which cannot be deleted", field="id")
        self.hint = "hide a finding with flag_for_review"


class AffectedCounts(TypedDict):
    relations: int
    assertions: int
    findings: int


class DeletionResult(WriteOutcome):
    """What was taken out or brought back."""

    id: str
    kind: NodeKind
    deleted: bool
    reason: str
    affected: AffectedCounts
    changed: bool


@surface.tool("destroy", example={"id": "first_tide", "reason": "nobody counts so"}, idempotent=True)
def delete_node(
    memory: Memory,
    id: Annotated[  # noqa: A002
        str,
        *text_validators(NAME_LIMIT),
        Field(
            description="The id of an entity, relation, document or added rule; the slug of an era, calendar or date"
        ),
    ],
    reason: ReasonText,
    restore: Annotated[bool, Field(description="Bring it back")] = False,
) -> DeletionResult:
    """Soft-delete something, or restore it; `as_of` before the deletion still shows it.

    A deleted entity no longer resolves and its relations leave every read; a relation is retracted; what a document
    says is withdrawn.
    """
    if id.lower().startswith(_FINDING_PREFIXES):
        raise NotDeletable(id)

    def act(session: WriteSession) -> Mapping[str, Any]:
        thing = (
            _find_stored(session.change, id)
            or _find_rule(memory, session.change, id)
            or _find_definition(session.change, id)
        )
        if thing is None:
            raise UnknownId("entity, relation, document, rule, era, calendar or date", id, "id")
        affected = thing.bring_back() if restore else thing.take_out(reason)
        counts = affected or DeletionCounts()
        return {
            "id": thing.id,
            "kind": thing.kind,
            "deleted": not restore,
            "reason": reason,
            "affected": {"relations": counts.relations, "assertions": counts.assertions, "findings": 0},
            "changed": affected is not None,
        }

    answer: DeletionResult = run_write(memory, act)
    answer["affected"]["findings"] = len(answer["resolved_violations"]) + (len(answer["violations"]) if restore else 0)
    return answer


def _find_stored(change: Change, given: str) -> Deletable | None:
    """The stored entity, relation or document of an id."""
    entity = change.entity(entity_id) if (entity_id := parse_entity_id(given, strict=True)) else None
    if entity is not None:
        return Deletable(
            "entity",
            format_entity_id(entity.id),
            lambda reason: delete_world_entity(change, entity, reason),
            lambda: restore_world_entity(change, entity),
        )
    fact = change.fact(fact_id) if (fact_id := parse_fact_id(given, strict=True)) else None
    if fact is not None:
        return Deletable(
            "relation",
            format_fact_id(fact.id),
            lambda _: delete_relation(change, fact),
            lambda: restore_relation(change, fact),
        )
    document = change.document(document_id) if (document_id := parse_document_id(given)) else None
    if document is None:
        return None
    return Deletable(
        "document",
        format_uuid(document.id),
        lambda reason: delete_source(change, document, reason),
        lambda: restore_source(change, document),
    )


def _find_rule(memory: Memory, change: Change, given: str) -> Deletable | None:
    rule = load_rules(change, deleted=True).get(given)
    if rule is None:
        return None

    def stop(reason: str) -> DeletionCounts | None:
        if rule.deleted is not None:
            return None
        delete_rule(change, rule, reason)
        return DeletionCounts()

    def bring_back() -> DeletionCounts | None:
        if rule.deleted is None:
            return None
        restore_rule(memory, change, rule)
        return DeletionCounts()

    return Deletable("rule", rule.id, stop, bring_back)


def _find_definition(change: Change, given: str) -> Deletable | None:
    found = find_definition(change, given)
    if found is None:
        return None
    return Deletable(
        found.kind,
        found.key,
        lambda _: DeletionCounts() if remove_definition(change, found) else None,
        lambda: DeletionCounts() if restore_definition(change, found) else None,
    )
