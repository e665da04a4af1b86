"""`record_fact`: store one fact, and make its ends if they are new."""

from typing import Annotated, Any, NamedTuple

from pydantic import Field, WithJsonSchema
from typing_extensions import TypedDict

from recollect.memory import Memory
from recollect.model.certainty import complete_confidence, is_confidence
from recollect.model.document import parse_url
from recollect.model.fact import Claim, Source
from recollect.model.history import period
from recollect.model.ids import format_entity_id, format_fact_id
from recollect.model.json_limits import is_storable
from recollect.store.change import Change
from recollect.surfaces.cognitive_graph.error_codes import (
    ConfidenceOutOfRange,
    FactRejected,
    PredicateUnknown,
    SourceInvalid,
)
from recollect.surfaces.cognitive_graph.fact_ends import (
    EntityEnd,
    LiteralEnd,
    alias_of_tag,
    find_or_make_end,
    parse_object,
    parse_subject,
)
from recollect.surfaces.cognitive_graph.graph import EntityReference, LiteralView
from recollect.surfaces.cognitive_graph.repaired_arguments import ArgumentRepairer, FactArguments
from recollect.surfaces.cognitive_graph.surface import EXAMPLE, surface
from recollect.surfaces.cognitive_graph.vocabulary import (
    LITERAL_LIMIT,
    NAME_LIMIT,
    PREDICATES,
    SOURCE_LIMIT,
    TYPES,
    Predicate,
    Projection,
    known_predicate,
    projection_from,
)
from recollect.when.instant import format_instant
from recollect.when.period import Time
from recollect.write.entity_refs import ResolvedRef
from recollect.write.fact_draft import FactDraft, FactKind, statement_of
from recollect.write.names import add_alias
from recollect.write.record_statement import record_statement


class RecordFactResult(TypedDict):
    fact_id: str
    recorded_at: str
    subject: EntityReference
    predicate: str
    object: EntityReference | LiteralView
    deduplicated: bool
    auto_created_entities: list[EntityReference]


_ENTITY_SCHEMA = {
    "type": "object",
    "properties": {
        "type": {"type": "string", "enum": list(TYPES)},
        "id": {"type": "string"},
        "name": {"type": "string", "maxLength": NAME_LIMIT},
    },
    "required": ["type"],
    "additionalProperties": False,
}
_LITERAL_SCHEMA = {
    "type": "object",
    "properties": {"literal": {"type": "string", "maxLength": LITERAL_LIMIT}},
    "required": ["literal"],
    "additionalProperties": False,
}

SubjectInput = Annotated[
    Any, WithJsonSchema(_ENTITY_SCHEMA), Field(description="An entity: type, and name or id; made if it is new")
]
ObjectInput = Annotated[
    Any,
    WithJsonSchema({"anyOf": [_ENTITY_SCHEMA, _LITERAL_SCHEMA]}),
    Field(description='An entity like the subject, or {"literal": text}'),
]
PredicateInput = Annotated[
    Any, WithJsonSchema({"type": "string", "enum": list(PREDICATES)}), Field(description="How the two are joined")
]
SourceInput = Annotated[
    Any,
    WithJsonSchema({"type": "string", "maxLength": SOURCE_LIMIT}),
    Field(description="Where this was learned, in any words or as a URL"),
]
ConfidenceInput = Annotated[
    Any, WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1}), Field(description="How sure this is, 0 to 1")
]


class FactRequest(NamedTuple):
    """A call whose every argument is in order; whether its ends can be found is still open."""

    subject: EntityEnd
    predicate: Predicate
    object: EntityEnd | LiteralEnd
    source: str | None
    confidence: float


@surface.tool("write", example=EXAMPLE)
def record_fact(
    memory: Memory,
    subject: SubjectInput,
    predicate: PredicateInput,
    object: ObjectInput,  # noqa: A002
    source: SourceInput = None,
    confidence: ConfidenceInput = 1.0,
) -> RecordFactResult:
    """Store one fact; create its ends if they are new.

    Saying a fact again adds a source to it. `tagged` with the literal `alias:NAME` gives the subject another name.
    """
    try:
        wish = _parse_request(subject, predicate, object, source, confidence)
        with memory.write() as change:
            return _record_request(change, projection_from(memory.settings_in(change)), wish)
    except FactRejected as refusal:
        with memory.read() as view:
            examples = ArgumentRepairer(view, projection_from(memory.settings_in(view)))
            refusal.example = examples.keeping(FactArguments(subject, predicate, object, source, confidence))
        raise


def _parse_request(subject: Any, predicate: Any, object_: Any, source: Any, confidence: Any) -> FactRequest:
    known = known_predicate(predicate)
    if known is None:
        raise PredicateUnknown(predicate)
    return FactRequest(
        parse_subject(subject),
        known,
        parse_object(object_, known),
        _parse_source(source),
        _parse_confidence(confidence),
    )


def _parse_source(given: Any) -> str | None:
    if given is None:
        return None
    if not isinstance(given, str):
        raise SourceInvalid("is not a string")
    if len(given) > SOURCE_LIMIT:
        raise SourceInvalid(f"has {len(given)} characters")
    if not is_storable(given):
        raise SourceInvalid("holds characters that cannot be stored")
    return given if given.strip() else None


def _parse_confidence(given: Any) -> float:
    if not is_confidence(given):
        raise ConfidenceOutOfRange
    return float(given)


def _record_request(change: Change, projection: Projection, wish: FactRequest) -> RecordFactResult:
    subject, target = find_or_make_end(change, projection, wish.subject), wish.object
    found = None if isinstance(target, LiteralEnd) else find_or_make_end(change, projection, target)
    literal = target.text if isinstance(target, LiteralEnd) else None
    made = [each for each in (subject, found) if each is not None and each.is_new]
    statement = statement_of(change, _draft_fact(change, wish, subject, found, literal))
    restart = None if made else _restart_of_affiliation(change, statement.claim)
    if restart is not None:
        statement = statement._replace(valid_from=restart)
    recorded = record_statement(change, statement)
    alias = alias_of_tag(literal, wish.predicate) if literal is not None else None
    if alias is not None:
        add_alias(change, subject.entity, alias)
    return {
        "fact_id": format_fact_id(recorded.fact.id),
        "recorded_at": format_instant(recorded.fact.recorded_at),
        "subject": _entity_reference(projection, subject),
        "predicate": wish.predicate,
        "object": {"literal": literal or ""} if found is None else _entity_reference(projection, found),
        "deduplicated": not recorded.is_new,
        "auto_created_entities": [_entity_reference(projection, each) for each in made],
    }


def _draft_fact(
    change: Change, wish: FactRequest, subject: ResolvedRef, found: ResolvedRef | None, literal: str | None
) -> FactDraft:
    kind = FactKind(None, None, wish.predicate, complete_confidence(confidence=wish.confidence))
    source = Source(given=wish.source, url=parse_url(wish.source))
    target = None if found is None else found.entity.id
    return FactDraft(subject.entity.id, target, literal, kind, change.now, source)


def _restart_of_affiliation(change: Change, said: Claim) -> Time | None:
    """The world's now, where an affiliation had ended by then and the clock's instant has no place on the axis."""
    if not change.timeline.is_fictional or said.label != "AFFILIATED":
        return None
    now = change.world.now
    earlier = [period(fact) for fact in change.facts_in_slot(said.slot) if not fact.is_retracted]
    return now if earlier and all(each.hi < now.lo for each in earlier) else None


def _entity_reference(projection: Projection, found: ResolvedRef) -> EntityReference:
    entity = found.entity
    return {"type": projection.type_of(entity.type), "id": format_entity_id(entity.id), "name": entity.name}
