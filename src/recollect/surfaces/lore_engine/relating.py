"""`add_relation`: a time-bound relation, stated by hand."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from recollect.ingest.lore.bounds import Times
from recollect.ingest.lore.draft import Named, Text
from recollect.ingest.lore.entity import check_size, label_of
from recollect.ingest.lore.problems import NoSuchRelation
from recollect.ingest.lore.relate import Related, Wanted, by_hand, relate
from recollect.memory import Memory
from recollect.model.ids import FACT_PREFIX, FactId, is_id, read_id, say_fact
from recollect.model.relations import say_relation
from recollect.reason.lore.reading import Lore
from recollect.surfaces.lore_engine.building import Attributes, KnownTo, Share, Visibility, built
from recollect.surfaces.lore_engine.problems import BadInput
from recollect.surfaces.lore_engine.results import Ref, Written
from recollect.surfaces.lore_engine.shapes import (
    TEXT_LIMIT,
    EntityName,
    LabelText,
    LiteralText,
    RelationText,
    TimeText,
    text,
)
from recollect.surfaces.lore_engine.shown import Printer, say_ref, say_time
from recollect.surfaces.lore_engine.surface import surface
from recollect.surfaces.lore_engine.writing import Writing

MOST_SUPERSEDED = 50


RelationId = Annotated[str, *text(100), Field(description="The id of a relation")]
ObjectEnd = Annotated[
    EntityName | LiteralText,
    Field(description='A name, alias or id; a time for relations to a time; {"literal": text}; null if there is none'),
]
Superseded = Annotated[
    RelationId | Annotated[list[RelationId], Field(min_length=1, max_length=MOST_SUPERSEDED)],
    Field(description="Relations that this one replaces: a declared retcon"),
]

AddedRelation = TypedDict(
    "AddedRelation",
    {
        "id": str,
        "relation": str,
        "from": Ref,
        "to": Ref | None,
        "literal": str | None,
        "valid_from": str | None,
        "valid_until": str | None,
        "confidence": float | None,
        "sources": list[str],
        "created": bool,
        "disputed": bool,
        "disputed_with": list[str],
        "superseded": list[str],
        "created_entities": list[Ref],
        "warnings": list[str],
    },
)


class RelationStated(Written, AddedRelation):
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
    to: ObjectEnd | None = None,
    valid_from: TimeText | None = None,
    valid_until: TimeText | None = None,
    at: Annotated[TimeText, Field(description="Both bounds at once")] | None = None,
    confidence: Share = 1.0,
    attributes: Attributes | None = None,
    visibility: Visibility | None = None,
    known_to: KnownTo | None = None,
    supersedes: Superseded | None = None,
    from_type: LabelText | None = None,
    to_type: LabelText | None = None,
    symmetric: Annotated[bool, Field(description="For the first use of a relation: it counts both ways")] = False,
    text: Annotated[str, *text(TEXT_LIMIT), Field(description="The relation in words")] | None = None,
) -> RelationStated:
    """State that a relation holds, from one time to another or always.

    Saying the same again adds a source; giving `valid_until` later ends the relation. Claims that disagree are both
    kept and disputed; only `supersedes` replaces one. Ends that nobody knows are created, provisional.
    """
    check_size(attributes or {}, "attributes")
    own = {key: value for key, value in (("visibility", visibility), ("known_to", known_to)) if value is not None}
    wanted = Wanted(
        Named(from_, from_type and _label(from_type)),
        relation,
        _target(to, to_type),
        Times(valid_from, valid_until, at),
        confidence,
        {**(attributes or {}), **own},
        _facts(supersedes),
        symmetric,
        text,
    )

    def act(asked: Writing) -> Mapping[str, Any]:
        related = relate(asked.change, wanted, by_hand(asked.change))
        return _stated(asked, related, wanted.supersedes)

    answer: RelationStated = built(memory, act)
    return answer


def _label(label: str) -> str:
    label_of(label)
    return label


def _target(to: str | LiteralText | None, type_: str | None) -> Named | Text | None:
    if to is None:
        return None
    if isinstance(to, str):
        return Named(to, type_ and _label(type_))
    if type_ is not None:
        raise BadInput("a literal has no type", field="to_type")
    return Text(to["literal"])


def _facts(supersedes: str | list[str] | None) -> tuple[FactId, ...]:
    given = [] if supersedes is None else [supersedes] if isinstance(supersedes, str) else supersedes
    for each in given:
        if not is_id(each, FACT_PREFIX):
            raise NoSuchRelation(each, "supersedes")
    return tuple(dict.fromkeys(FactId(read_id(each, FACT_PREFIX)) for each in given))


def _stated(asked: Writing, related: Related, superseded: tuple[FactId, ...]) -> Mapping[str, Any]:
    lore = Lore(asked.change)
    [found] = lore.by_id([related.fact.id], superseded=True)
    printer = Printer(lore, [found])
    fact = found.fact
    return {
        "id": say_fact(fact.id),
        "relation": say_relation(found.name),
        "from": printer.ref(found.subject),
        "to": printer.ref(found.object),
        "literal": fact.literal,
        "valid_from": say_time(fact.valid_from),
        "valid_until": say_time(fact.valid_until),
        "confidence": printer.confidence(found),
        "sources": printer.source_names(found),
        "created": related.is_new,
        "disputed": printer.is_disputed(found),
        "disputed_with": printer.disputed_with(found),
        "superseded": [say_fact(each) for each in superseded],
        "created_entities": [say_ref(each) for each in related.made],
        "warnings": list(related.warnings),
    }
