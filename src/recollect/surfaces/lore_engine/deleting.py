"""`delete_node`: things taken out softly, and brought back."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field
from typing_extensions import TypedDict

from recollect.ingest.lore.defining import find_definition, redefine, undefine
from recollect.ingest.lore.deleting import (
    Affected,
    bring_back_document,
    bring_back_entity,
    bring_back_fact,
    take_out_document,
    take_out_entity,
    take_out_fact,
)
from recollect.memory import Memory
from recollect.model.ids import (
    ENTITY_PREFIX,
    FACT_PREFIX,
    DocumentId,
    EntityId,
    FactId,
    is_id,
    read_id,
    say_entity,
    say_fact,
    say_uuid,
)
from recollect.reason.checks.rulebook import rulebook
from recollect.reason.checks.ruling import delete_rule, restore_rule
from recollect.store.change import Change
from recollect.surfaces.lore_engine.building import Reason, built
from recollect.surfaces.lore_engine.problems import BadInput, NotFound
from recollect.surfaces.lore_engine.results import Written
from recollect.surfaces.lore_engine.shapes import NAME_LIMIT, text
from recollect.surfaces.lore_engine.surface import surface
from recollect.surfaces.lore_engine.writing import Writing

Kind = Literal["entity", "relation", "document", "rule", "era", "calendar", "date"]
_FINDINGS = ("vio_", "run_")


class Thing(NamedTuple):
    """Something that can be taken out: what it is, its id, and how it goes and comes back."""

    kind: Kind
    id: str
    take_out: Callable[[str], Affected | None]
    bring_back: Callable[[], Affected | None]


class NoNode(BadInput):
    def __init__(self, given: str) -> None:
        super().__init__(f"{given!r} is a finding or a run, which nobody deletes", field="id")
        self.hint = "hide a finding with flag_for_review"


class AffectedShown(TypedDict):
    relations: int
    assertions: int
    findings: int


class NodeDeleted(Written):
    """What was taken out or brought back."""

    id: str
    kind: Kind
    deleted: bool
    reason: str
    affected: AffectedShown
    changed: bool


@surface.tool("destroy", example={"id": "first_tide", "reason": "nobody counts so"}, idempotent=True)
def delete_node(
    memory: Memory,
    id: Annotated[  # noqa: A002
        str,
        *text(NAME_LIMIT),
        Field(
            description="The id of an entity, relation, document or added rule; the slug of an era, calendar or date"
        ),
    ],
    reason: Reason,
    restore: Annotated[bool, Field(description="Bring it back")] = False,
) -> NodeDeleted:
    """Take something out softly, or bring it back; `as_of` before the deletion still shows it.

    A deleted entity no longer resolves and its relations leave every read; a relation is retracted; what a document
    says is withdrawn.
    """
    if id.lower().startswith(_FINDINGS):
        raise NoNode(id)

    def act(asked: Writing) -> Mapping[str, Any]:
        thing = _thing(memory, asked.change, id)
        if thing is None:
            raise NotFound("entity, relation, document, rule, era, calendar or date", id, "id")
        affected = thing.bring_back() if restore else thing.take_out(reason)
        counts = affected or Affected()
        return {
            "id": thing.id,
            "kind": thing.kind,
            "deleted": not restore,
            "reason": reason,
            "affected": {"relations": counts.relations, "assertions": counts.assertions, "findings": 0},
            "changed": affected is not None,
        }

    answer: NodeDeleted = built(memory, act)
    answer["affected"]["findings"] = len(answer["resolved_violations"]) + (len(answer["violations"]) if restore else 0)
    return answer


def _thing(memory: Memory, change: Change, given: str) -> Thing | None:
    return _stored(change, given) or _rule(memory, change, given) or _definition(change, given)


def _stored(change: Change, given: str) -> Thing | None:
    """The entity, relation or document of an id."""
    entity = change.entity(EntityId(read_id(given, ENTITY_PREFIX))) if is_id(given, ENTITY_PREFIX) else None
    if entity is not None:
        return Thing(
            "entity",
            say_entity(entity.id),
            lambda reason: take_out_entity(change, entity, reason),
            lambda: bring_back_entity(change, entity),
        )
    fact = change.fact(FactId(read_id(given, FACT_PREFIX))) if is_id(given, FACT_PREFIX) else None
    if fact is not None:
        return Thing(
            "relation",
            say_fact(fact.id),
            lambda _: take_out_fact(change, fact),
            lambda: bring_back_fact(change, fact),
        )
    document = change.document(DocumentId(read_id(given))) if is_id(given) else None
    if document is None:
        return None
    return Thing(
        "document",
        say_uuid(document.id),
        lambda reason: take_out_document(change, document, reason),
        lambda: bring_back_document(change, document),
    )


def _rule(memory: Memory, change: Change, given: str) -> Thing | None:
    rule = rulebook(change, deleted=True).get(given)
    if rule is None:
        return None

    def stop(reason: str) -> Affected | None:
        if rule.deleted is not None:
            return None
        delete_rule(change, rule, reason)
        return Affected()

    def bring_back() -> Affected | None:
        if rule.deleted is None:
            return None
        restore_rule(memory, change, rule)
        return Affected()

    return Thing("rule", rule.id, stop, bring_back)


def _definition(change: Change, given: str) -> Thing | None:
    found = find_definition(change, given)
    if found is None:
        return None
    return Thing(
        found.kind,
        found.key,
        lambda _: Affected() if undefine(change, found) else None,
        lambda: Affected() if redefine(change, found) else None,
    )
