"""Annotated types of the arguments of this surface, and how names and times are read."""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from pydantic import Field
from typing_extensions import TypedDict

from recollect.errors import Refused
from recollect.ingest.extract.passages import date_order
from recollect.memory import Memory
from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.ids import (
    DOCUMENT_PREFIX,
    ENTITY_PREFIX,
    DocumentId,
    EntityId,
    format_document_id,
    format_entity_id,
    is_id,
    read_id,
)
from recollect.reason.review.duplicates import proposal_among
from recollect.resolve.resolver import resolve, resolve_exact
from recollect.resolve.suggestions import suggest
from recollect.store.view import View
from recollect.store.world import World
from recollect.surfaces.parameter_types import IntegralFloat, limited_text, trimmed_text
from recollect.surfaces.recollect.failures import AmbiguousReference, InvalidInput, NotFound
from recollect.surfaces.recollect.views import BriefEntity, entity_view
from recollect.when.as_of import parse_as_of
from recollect.when.english.day_order import UnknownDayOrder, in_iso_form
from recollect.when.english.mentions import read_english_time
from recollect.when.instant import format_instant
from recollect.when.period import Time
from recollect.when.time_errors import BadTime
from recollect.write.lookup import owner_among
from recollect.write.owner import find_owner, is_owner_word

NAME_LIMIT = 200
TIME_FORMS = "a date, month, year or instant, a time of the workspace's calendar, or English such as `last week`"


Name = Annotated[
    str,
    *limited_text(NAME_LIMIT),
    Field(description="Name, alias, email address or id; `me` is the owner"),
]
When = Annotated[
    str,
    *limited_text(200),
    Field(description="A time: date, month, year, instant, or English such as `last week`"),
]


class NamedEntity(TypedDict, total=False):
    """An entity by name, with its type, or by id."""

    name: Name
    type: Annotated[str, trimmed_text(100), Field(description="person, project, …")]
    id: Annotated[str, Field(description="Instead of name")]


EntityRef = Annotated[Name | NamedEntity, Field(description="Name, id, or {name, type}")]
Query = Annotated[
    str,
    *limited_text(2000),
    Field(description="What you want to know, in plain words"),
]
Reason = Annotated[
    str,
    *limited_text(1000),
    Field(description="Why, in a few words"),
]
Limit = Annotated[int, Field(ge=1, le=500, description="At most this many"), IntegralFloat]


def read_when(world: World, text: str, field: str) -> Time:
    """The time a text means in this workspace; an unreadable one is refused."""
    try:
        return world.read(text)
    except Refused as problem:
        english = None if world.timeline.is_fictional else _read_english(world, text, field)
        if english is None:
            message = f"{field} is {text[:100]!r}, which is not a time"
            raise InvalidInput(message, field=field, next_step=f"Send {TIME_FORMS}.") from problem
        return english


def _read_english(world: World, text: str, field: str) -> Time | None:
    try:
        dated = in_iso_form(text, date_order(world.settings, "en", world.zone))
    except UnknownDayOrder as problem:
        one, other = problem.readings
        message = f"{field} is {text[:100]!r}, which may be {one} or {other}"
        hint = "Send the one you mean; the workspace setting reading.date_order (dmy or mdy) decides for all."
        raise InvalidInput(message, field=field, next_step=hint) from problem
    return read_english_time(dated, world.clock, world.zone)


def read_bounds(world: World, since: str | None, until: str | None) -> tuple[Time | None, Time | None]:
    """The times of `since` and `until`, in this order."""
    first = None if since is None else read_when(world, since, "since")
    last = None if until is None else read_when(world, until, "until")
    check_order(first, last)
    return first, last


def check_order(since: Time | None, until: Time | None) -> None:
    """Refuse bounds between which nothing can lie."""
    if since is not None and until is not None and since.lo > until.hi:
        message = f"until {until.text} lies before since {since.text}"
        raise InvalidInput(message, field="until", next_step="Swap the two, or leave one out.")


def read_knowledge_time(world: World, text: str, field: str) -> Time:
    """A time at which something was learned: of our own calendar, also where the world has another one."""
    if not world.timeline.is_fictional:
        return read_when(world, text, field)
    read = _read_english(world, text, field)
    if read is None:
        message = f"{field} is {text[:100]!r}, which is not a date of the Gregorian calendar"
        raise InvalidInput(message, field=field, next_step=f"Send {TIME_FORMS}.")
    return read


def knowledge_moment(memory: Memory, as_of: int | str | None) -> int | str | None:
    """What the store reads as of; English is put as an instant, the end of the period it names."""
    if not isinstance(as_of, str):
        return as_of
    with memory.read() as view:
        try:
            parse_as_of(as_of, view.world.zone)
        except BadTime:
            return format_instant(read_when(view.world, as_of, "as_of").hi)
        return as_of


def find_entity(memory: Memory, view: View, name: str, field: str) -> Entity:
    """The one entity that a name, alias, email address or id stands for; `me` is the owner."""
    found, candidates = match_entity(memory, view, name)
    if found is not None:
        return found
    if candidates:
        raise AmbiguousReference(
            f"{field} {name!r} fits several entities",
            field=field,
            next_step=_merge_hint(view, candidates),
            candidates=candidates,
        )
    near = near_entities(memory, view, name)
    next_step = "Pass one of the candidates, or leave it out." if near else None
    raise NotFound(f"nothing is known of {name!r}", field=field, next_step=next_step, candidates=near)


def _merge_hint(view: View, candidates: Sequence[BriefEntity]) -> str | None:
    """What to do about a name that fits several: if they may be one, the question of `review` that joins them."""
    found = view.entities([EntityId(read_id(each["id"], ENTITY_PREFIX)) for each in candidates])
    proposal = proposal_among(view, found.values())
    if proposal is None:
        return None
    return f"Pass the id of the one you mean. If they are one, decide `merge` in `review`: {proposal}."


def match_entity(
    memory: Memory, view: View, name: str, *, by_meaning: bool = True
) -> tuple[Entity | None, list[BriefEntity]]:
    """The entity of a name, or the candidates if it fits several; names of a like meaning only if asked for."""
    if is_owner_word(name):
        owner = find_owner(view)
        if owner is not None:
            return owner, []
    found = resolve(memory.names(view), name, embeddings=by_meaning)
    entity = view.entity(found.entity) if found.entity is not None else None
    if entity is not None:
        return entity, []
    entities = view.entities({each.entity for each in found.tied})
    owner = owner_among(entities.values())
    if owner is not None:
        return owner, []
    return None, [entity_view(entities[each.entity]) for each in found.candidates if each.entity in entities]


def near_name_note(memory: Memory, view: View, name: str | None, entity: Entity | None) -> list[str]:
    """The line that says for whom a call was answered, where the name given is only like theirs; else none."""
    if name is None or entity is None or is_owner_word(name):
        return []
    exact = resolve_exact(memory.names(view), name).tied
    if any(each.entity == entity.id for each in exact):
        return []
    return [f"Answered for {entity.name} [{format_entity_id(entity.id)}], the name known that is nearest to {name!r}."]


def near_entities(memory: Memory, view: View, name: str, limit: int = 5) -> list[BriefEntity]:
    """Entities whose names share a word or spelling with a text; none for the owner, who is nobody else."""
    if is_owner_word(name):
        return []
    near = suggest(memory.names(view), re.sub(r"['’]s\b", "", name), limit=limit)
    entities: Mapping[Any, Entity] = view.entities({each.entity for each in near})
    return [entity_view(entities[each.entity]) for each in near if each.entity in entities]


class PassageRef(NamedTuple):
    """A document, or one of its passages."""

    document: DocumentId
    seq: int | None = None

    def __str__(self) -> str:
        ident = format_document_id(self.document)
        return ident if self.seq is None else f"{ident}#{self.seq}"


def parse_passage_ref(text: str) -> PassageRef | None:
    """The reference in a text; none if it is not one."""
    ident, _, seq = text.strip().partition("#")
    if not is_id(ident, DOCUMENT_PREFIX) or (seq and not (seq.isascii() and seq.isdigit())):
        return None
    return PassageRef(DocumentId(read_id(ident, DOCUMENT_PREFIX)), int(seq) if seq else None)


class FoundPassage(NamedTuple):
    document: Document
    seq: int | None


def find_document(view: View, text: str, field: str) -> FoundPassage:
    """The document that a reference names."""
    ref = parse_passage_ref(text)
    document = None if ref is None else view.document(ref.document)
    if ref is None or document is None or document.deleted is not None:
        next_step = "Pass an id from `unread` or `recall`."
        raise NotFound(f"{field} {text[:100]!r} is not a document here", field=field, next_step=next_step)
    return FoundPassage(document, ref.seq)
