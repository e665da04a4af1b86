"""`add_relation`: a relation with valid times, entered by hand."""

from collections.abc import Mapping
from typing import Annotated, Any, cast

from pydantic import Field
from typing_extensions import TypedDict

from recollect.ingest.drafts import LiteralTarget, NameRef
from recollect.ingest.lore.entities import check_size, parse_entity_label
from recollect.ingest.lore.lore_errors import NoSuchRelation
from recollect.ingest.lore.relation_ends import TimeInput
from recollect.ingest.lore.relations import RelationInput, RelationResult, tool_source, write_relation
from recollect.memory import Memory
from recollect.model.ids import FACT_PREFIX, FactId, format_fact_id, is_id, read_id
from recollect.model.relations import format_relation
from recollect.reason.lore.lore_reader import LoreReader
from recollect.surfaces.lore_engine.rendering import RelationRenderer, entity_ref
from recollect.surfaces.lore_engine.results import (
    TEXT_LIMIT,
    EntityName,
    LabelText,
    LiteralText,
    LoreEntityRef,
    RelationText,
    TimeText,
    WriteOutcome,
    text_validators,
)
from recollect.surfaces.lore_engine.surface import RejectedInput, surface
from recollect.surfaces.lore_engine.write_session import (
    Attributes,
    ConfidenceShare,
    KnownTo,
    Visibility,
    WriteSession,
    run_write,
)
from recollect.when.period import time_text

MAX_SUPERSEDED = 50


RelationId = Annotated[str, *text_validators(100), Field(description="The id of a relation")]
ObjectInput = Annotated[
    EntityName | LiteralText,
    Field(description='A name, alias or id; a time for relations to a time; {"literal": text}; null if there is none'),
]
SupersededIds = Annotated[
    RelationId | Annotated[list[RelationId], Field(min_length=1, max_length=MAX_SUPERSEDED)],
    Field(description="Relations that this one replaces: a declared retcon"),
]

AddedRelationView = TypedDict(
    "AddedRelationView",
    {
        "id": str,
        "relation": str,
        "from": LoreEntityRef,
        "to": LoreEntityRef | None,
        "literal": str | None,
        "valid_from": str | None,
        "valid_until": str | None,
        "confidence": float | None,
        "sources": list[str],
        "created": bool,
        "disputed": bool,
        "disputed_with": list[str],
        "superseded": list[str],
        "created_entities": list[LoreEntityRef],
        "warnings": list[str],
    },
)


class RelationAddResult(WriteOutcome, AddedRelationView):
    """A relation as it stands after it was stated."""


@surface.tool(
    "write",
    example={"from": "Halden", "relation": "RULED_BY", "to": "Saltguard", "valid_from": "second_tide.year_64"},
    older={
        "from": ("subject", "from_entity"),
        "relation": ("predicate", "relation_type"),
        "to": ("object", "to_entity"),
    },
    idempotent=True,
)
def add_relation(
    memory: Memory,
    from_: EntityName,
    relation: RelationText,
    to: ObjectInput | None = None,
    valid_from: TimeText | None = None,
    valid_until: TimeText | None = None,
    at: Annotated[TimeText, Field(description="Both bounds at once")] | None = None,
    confidence: ConfidenceShare = 1.0,
    attributes: Attributes | None = None,
    visibility: Visibility | None = None,
    known_to: KnownTo | None = None,
    supersedes: SupersededIds | None = None,
    from_type: LabelText | None = None,
    to_type: LabelText | None = None,
    symmetric: Annotated[bool, Field(description="For the first use of a relation: it counts both ways")] = False,
    text: Annotated[str, *text_validators(TEXT_LIMIT), Field(description="The relation in words")] | None = None,
) -> RelationAddResult:
    """State that a relation holds, from one time to another or always.

    Saying the same again adds a source; giving `valid_until` later ends the relation. Claims that disagree are both
    kept and disputed; only `supersedes` replaces one. Ends that nobody knows are created, provisional.
    """
    check_size(attributes or {}, "attributes")
    own = {key: value for key, value in (("visibility", visibility), ("known_to", known_to)) if value is not None}
    wanted = RelationInput(
        NameRef(from_, from_type and _check_label(from_type)),
        relation,
        _parse_target(to, to_type),
        TimeInput(valid_from, valid_until, at),
        confidence,
        {**(attributes or {}), **own},
        _parse_superseded(supersedes),
        symmetric,
        text,
    )

    def act(session: WriteSession) -> Mapping[str, Any]:
        related = write_relation(session.change, wanted, tool_source(session.change))
        return _render_stated(session, related, wanted.supersedes)

    return cast(RelationAddResult, run_write(memory, act))


def _check_label(label: str) -> str:
    parse_entity_label(label)
    return label


def _parse_target(to: str | LiteralText | None, type_: str | None) -> NameRef | LiteralTarget | None:
    if to is None:
        return None
    if isinstance(to, str):
        return NameRef(to, type_ and _check_label(type_))
    if type_ is not None:
        raise RejectedInput("a literal has no type", field="to_type")
    return LiteralTarget(to["literal"])


def _parse_superseded(supersedes: str | list[str] | None) -> tuple[FactId, ...]:
    given = [] if supersedes is None else [supersedes] if isinstance(supersedes, str) else supersedes
    for each in given:
        if not is_id(each, FACT_PREFIX):
            raise NoSuchRelation(each, "supersedes")
    return tuple(dict.fromkeys(FactId(read_id(each, FACT_PREFIX)) for each in given))


def _render_stated(session: WriteSession, related: RelationResult, superseded: tuple[FactId, ...]) -> Mapping[str, Any]:
    lore = LoreReader(session.change)
    [found] = lore.by_id([related.fact.id], superseded=True)
    printer = RelationRenderer(lore, [found])
    fact = found.fact
    return {
        "id": format_fact_id(fact.id),
        "relation": format_relation(found.name),
        "from": printer.ref(found.subject),
        "to": printer.ref(found.object),
        "literal": fact.literal,
        "valid_from": time_text(fact.valid_from),
        "valid_until": time_text(fact.valid_until),
        "confidence": printer.confidence(found),
        "sources": printer.source_names(found),
        "created": related.is_new,
        "disputed": printer.is_disputed(found),
        "disputed_with": printer.disputed_with(found),
        "superseded": [format_fact_id(each) for each in superseded],
        "created_entities": [entity_ref(each) for each in related.created_entities],
        "warnings": list(related.warnings),
    }
