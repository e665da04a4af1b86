"""`timeline`: what happened to or by an entity, in order."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import say_entity, say_fact
from recollect.model.labels import kind_stored_as, say_label
from recollect.model.relations import say_relation
from recollect.reason.lore.course import course_of
from recollect.reason.lore.happenings import Basis, Behind, Entry, behind, disputed_among
from recollect.store.rows import read_json
from recollect.surfaces.declare import Result
from recollect.surfaces.lore_engine.answers import listed
from recollect.surfaces.lore_engine.asking import Asking, asking
from recollect.surfaces.lore_engine.problems import BadInput
from recollect.surfaces.lore_engine.results import Ref
from recollect.surfaces.lore_engine.shapes import AsOf, EntityName, RelationText, TimeText
from recollect.surfaces.lore_engine.surface import surface
from recollect.when.period import Time

From = Annotated[TimeText, Field(description="Only what reaches this time or a later one")]
To = Annotated[TimeText, Field(description="Only what began at this time or earlier")]
EntryLimit = Annotated[int, Field(ge=1, le=1000, description="At most this many, the earliest")]


class EntryShown(TypedDict):
    """One thing that happened."""

    at: str | None
    until: str | None
    kind: Literal["event", "relation"]
    relation: str
    other: Ref | None
    text: str
    sources: list[str]
    source: str | None
    role: Literal["subject", "object"]
    literal: str | None
    relation_id: str
    at_basis: Basis | None
    confidence: float | None
    disputed: bool


@surface.tool(
    "read",
    example={"entity": "Mira Orrin", "from": "second_tide.year_44", "to": "second_tide.year_45"},
    older={"relation_type": ("relation",), "from": ("start",), "to": ("end",)},
)
def timeline(
    memory: Memory,
    entity: EntityName,
    relation_type: RelationText | None = None,
    from_: From | None = None,
    to: To | None = None,
    limit: EntryLimit = 200,
    as_of: AsOf = None,
) -> Result[list[EntryShown]]:
    """What happened to or by an entity, in order of time, each with its source.

    What has no time comes last, and is left out when a beginning or an end is given.
    """
    with asking(memory, as_of) as asked:
        first = None if from_ is None else asked.time(from_, "from")
        last = None if to is None else asked.time(to, "to")
        _check_order(first, last)
        named = None if relation_type is None else asked.relation(relation_type, "relation_type")
        who = asked.entity(entity, "entity")
        course = course_of(asked.lore, who, limit, None if named is None else named.name, first, last)
        return listed(_shown(asked, who, course.entries), limit, asked, total=course.total)


def _check_order(first: Time | None, last: Time | None) -> None:
    if first is not None and last is not None and first.lo > last.hi:
        raise BadInput(f"from {first} lies after to {last}; swap them", field="from")


def _shown(asked: Asking, who: Entity, entries: list[Entry]) -> list[EntryShown]:
    sources = behind(asked.lore, entries)
    disputed = disputed_among(asked.lore, entries)
    return [_show(each, who, sources[each.told.fact], each.told.fact in disputed) for each in entries]


def _show(entry: Entry, who: Entity, sources: Behind, is_disputed: bool) -> EntryShown:
    told = entry.told
    is_subject = entry.has_subject(who.id)
    return {
        "at": entry.at,
        "until": entry.until,
        "kind": "event" if entry.is_event else "relation",
        "relation": say_relation(entry.name),
        "other": _other(entry, who),
        "text": entry.text(who, is_subject=is_subject),
        "sources": sources.names,
        "source": sources.names[0] if sources.names else None,
        "role": "subject" if is_subject else "object",
        "literal": told.literal,
        "relation_id": say_fact(told.fact),
        "at_basis": entry.basis,
        "confidence": sources.confidence,
        "disputed": is_disputed,
    }


def _other(entry: Entry, who: Entity) -> Ref | None:
    told, other = entry.told, entry.other(who.id)
    if other is None or told.other_type is None:
        return None
    properties = told.other_properties
    kind = kind_stored_as(told.other_type, None if properties == "{}" else read_json(properties or "{}"))
    said: Ref = {"id": say_entity(other), "name": told.other_name or "", "type": say_label(kind.type)}
    if kind.subtype is not None:
        said["subtype"] = kind.subtype
    return said
