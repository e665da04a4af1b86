"""`record_fact`: store one fact, and make its ends if they are new."""

from typing import Annotated, Any, NamedTuple

from pydantic import Field, WithJsonSchema
from typing_extensions import TypedDict

from recollect.memory import Memory
from recollect.model.certainty import how_sure
from recollect.model.fact import Claim, Source, Statement
from recollect.model.history import period
from recollect.model.ids import say_entity, say_fact
from recollect.model.storable import is_storable
from recollect.model.web import web_address
from recollect.store.change import Change
from recollect.surfaces.cognitive_graph.ends import (
    EntityEnd,
    LiteralEnd,
    alias_in,
    find_or_make_end,
    read_object,
    read_subject,
)
from recollect.surfaces.cognitive_graph.examples import Examples, Given
from recollect.surfaces.cognitive_graph.problems import (
    ConfidenceOutOfRange,
    FactRefused,
    PredicateUnknown,
    SourceInvalid,
)
from recollect.surfaces.cognitive_graph.projection import Projection, projection_from
from recollect.surfaces.cognitive_graph.shapes import Literal, Reference
from recollect.surfaces.cognitive_graph.surface import EXAMPLE, surface
from recollect.surfaces.cognitive_graph.words import (
    LITERAL_LIMIT,
    NAME_LIMIT,
    PREDICATES,
    SOURCE_LIMIT,
    TYPES,
    Predicate,
    known_predicate,
)
from recollect.when.instant import say_instant
from recollect.when.period import Time
from recollect.write.ends import Found, add_alias
from recollect.write.meaning import claim
from recollect.write.record import record


class RecordedFact(TypedDict):
    fact_id: str
    recorded_at: str
    subject: Reference
    predicate: str
    object: Reference | Literal
    deduplicated: bool
    auto_created_entities: list[Reference]


_ENTITY_FORM = {
    "type": "object",
    "properties": {
        "type": {"type": "string", "enum": list(TYPES)},
        "id": {"type": "string"},
        "name": {"type": "string", "maxLength": NAME_LIMIT},
    },
    "required": ["type"],
    "additionalProperties": False,
}
_LITERAL_FORM = {
    "type": "object",
    "properties": {"literal": {"type": "string", "maxLength": LITERAL_LIMIT}},
    "required": ["literal"],
    "additionalProperties": False,
}

SubjectIn = Annotated[
    Any, WithJsonSchema(_ENTITY_FORM), Field(description="An entity: type, and name or id; made if it is new")
]
ObjectIn = Annotated[
    Any,
    WithJsonSchema({"anyOf": [_ENTITY_FORM, _LITERAL_FORM]}),
    Field(description='An entity like the subject, or {"literal": text}'),
]
PredicateIn = Annotated[
    Any, WithJsonSchema({"type": "string", "enum": list(PREDICATES)}), Field(description="How the two are joined")
]
SourceIn = Annotated[
    Any,
    WithJsonSchema({"type": "string", "maxLength": SOURCE_LIMIT}),
    Field(description="Where this was learned, in any words or as a URL"),
]
ConfidenceIn = Annotated[
    Any, WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1}), Field(description="How sure this is, 0 to 1")
]


class Wish(NamedTuple):
    """A call whose every argument is in order; whether its ends can be found is still open."""

    subject: EntityEnd
    predicate: Predicate
    object: EntityEnd | LiteralEnd
    source: str | None
    confidence: float


@surface.tool("write", example=EXAMPLE)
def record_fact(
    memory: Memory,
    subject: SubjectIn,
    predicate: PredicateIn,
    object: ObjectIn,  # noqa: A002
    source: SourceIn = None,
    confidence: ConfidenceIn = 1.0,
) -> RecordedFact:
    """Store one fact; create its ends if they are new.

    Saying a fact again adds a source to it. `tagged` with the literal `alias:NAME` gives the subject another name.
    """
    try:
        wish = _read(subject, predicate, object, source, confidence)
        with memory.write() as change:
            return _record(change, projection_from(memory.settings_in(change)), wish)
    except FactRefused as refusal:
        with memory.read() as view:
            examples = Examples(view, projection_from(memory.settings_in(view)))
            refusal.example = examples.keeping(Given(subject, predicate, object, source, confidence))
        raise


def _read(subject: Any, predicate: Any, object_: Any, source: Any, confidence: Any) -> Wish:
    known = known_predicate(predicate)
    if known is None:
        raise PredicateUnknown(predicate)
    return Wish(
        read_subject(subject), known, read_object(object_, known), _read_source(source), _read_confidence(confidence)
    )


def _read_source(given: Any) -> str | None:
    if given is None:
        return None
    if not isinstance(given, str):
        raise SourceInvalid("is not a string")
    if len(given) > SOURCE_LIMIT:
        raise SourceInvalid(f"has {len(given)} characters")
    if not is_storable(given):
        raise SourceInvalid("holds characters that cannot be stored")
    return given if given.strip() else None


def _read_confidence(given: Any) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given <= 1:
        raise ConfidenceOutOfRange
    return float(given)


def _record(change: Change, projection: Projection, wish: Wish) -> RecordedFact:
    subject = find_or_make_end(change, projection, wish.subject)
    target = wish.object
    found = None if isinstance(target, LiteralEnd) else find_or_make_end(change, projection, target)
    literal = target.text if isinstance(target, LiteralEnd) else None
    is_fresh = subject.is_new or (found is not None and found.is_new)
    recorded = record(change, _statement(change, wish, subject, found, literal, is_fresh=is_fresh))
    alias = alias_in(literal, wish.predicate) if literal is not None else None
    if alias is not None:
        add_alias(change, subject.entity, alias)
    made = [each for each in (subject, found) if each is not None and each.is_new]
    return {
        "fact_id": say_fact(recorded.fact.id),
        "recorded_at": say_instant(recorded.fact.recorded_at),
        "subject": _reference(projection, subject),
        "predicate": wish.predicate,
        "object": {"literal": literal or ""} if found is None else _reference(projection, found),
        "deduplicated": not recorded.is_new,
        "auto_created_entities": [_reference(projection, each) for each in made],
    }


def _statement(
    change: Change, wish: Wish, subject: Found, found: Found | None, literal: str | None, *, is_fresh: bool
) -> Statement:
    target = None if found is None else found.entity.id
    said = claim(change, subject.entity.id, target, literal, predicate=wish.predicate)
    sure = how_sure(confidence=wish.confidence)
    return Statement(
        said,
        change.now,
        sure.certainty,
        sure.source_kind,
        sure.confidence,
        source=Source(given=wish.source, url=web_address(wish.source)),
        valid_from=None if is_fresh else _begun_again(change, said),
        is_open_start=change.timeline.is_fictional,
    )


def _begun_again(change: Change, said: Claim) -> Time | None:
    """The world's now, where an affiliation had ended by then and the clock's instant has no place on the axis."""
    if not change.timeline.is_fictional or said.label != "AFFILIATED":
        return None
    now = change.world.now
    earlier = [period(fact) for fact in change.facts_in_slot(said.slot) if not fact.is_retracted]
    return now if earlier and all(each.hi < now.lo for each in earlier) else None


def _reference(projection: Projection, found: Found) -> Reference:
    entity = found.entity
    return {"type": projection.type_of(entity.type), "id": say_entity(entity.id), "name": entity.name}
