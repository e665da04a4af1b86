"""What people tell each other at an encounter: known facts as they are, new ones on its account."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from recollect.ingest.lore.bounds import Times
from recollect.ingest.lore.draft import Named
from recollect.ingest.lore.ends import known_end
from recollect.ingest.lore.meeting import Present, Relating
from recollect.ingest.lore.problems import BadStatement, NoSuchRelation
from recollect.ingest.lore.relate import Wanted, same_fact
from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.ids import FACT_PREFIX, EntityId, FactId, is_id, read_id
from recollect.store.change import Change
from recollect.when.period import Time
from recollect.write.told import Told, tell, told_in


class SharedWanted(NamedTuple):
    """A fact that was told: by its id or its parts, who told it and who heard it."""

    relation_id: str | None = None
    subject: str | None = None
    relation: str | None = None
    target: str | None = None
    times: Times = Times()
    by: str | None = None
    heard_by: tuple[str, ...] | None = None


class Shared(NamedTuple):
    """A fact that was told at an encounter."""

    fact: FactId
    created: bool
    by: Entity | None
    heard_by: tuple[Entity, ...]


class Occasion(NamedTuple):
    """The encounter at which something was told."""

    document: Document
    encounter: Entity
    at: Time
    present: Present


def share(change: Change, wanted: SharedWanted, occasion: Occasion, relating: Relating) -> Shared:
    """Let those who heard it know a fact; the teller always counts."""
    present = occasion.present
    by = _one_of(change, wanted.by, present.participants, "by") if wanted.by else None
    heard = present.all
    if wanted.heard_by is not None:
        heard = tuple(_one_of(change, name, present.all, "heard_by") for name in wanted.heard_by)
    in_order = heard if by is None or any(each.id == by.id for each in heard) else (by, *heard)
    hearers = tuple({each.id: each for each in in_order}.values())
    fact, created = _told_fact(change, wanted, relating)
    for hearer in hearers:
        teller = by.id if by is not None else None
        tell(change, Told(hearer.id, fact, occasion.encounter.id, occasion.document.id, teller, occasion.at))
    return Shared(fact, created, by, hearers)


def _one_of(change: Change, name: str, present: Sequence[Entity], key: str) -> Entity:
    known = known_end(change, Named(name), {"person"}, f"shared.{key}")
    found = next((each for each in present if known is not None and each.id == known.id), None)
    if found is None:
        raise BadStatement(f"{name!r} was not there to tell or hear it", field=f"shared.{key}")
    return found


def _told_fact(change: Change, wanted: SharedWanted, relating: Relating) -> tuple[FactId, bool]:
    if wanted.relation_id is not None:
        return _fact_of_id(change, wanted.relation_id), False
    if not wanted.subject or not wanted.relation:
        raise BadStatement("a shared fact is a relation_id, or from, relation and to", field="shared")
    target = Named(wanted.target) if wanted.target else None
    stated = Wanted(Named(wanted.subject), wanted.relation, target, wanted.times)
    known = same_fact(change, stated)
    if known is not None:
        # Telling a thing does not change how sure it is.
        return known.id, False
    return relating(stated._replace(attributes={"visibility": "private", "shared": True})).fact.id, True


def _fact_of_id(change: Change, text: str) -> FactId:
    held = change.fact(FactId(read_id(text, FACT_PREFIX))) if is_id(text, FACT_PREFIX) else None
    if held is None or held.is_retracted:
        raise NoSuchRelation(text, "shared.relation_id")
    return held.id


def shared_before(change: Change, document: Document) -> Iterator[Shared]:
    """What was told at an encounter that is written down already."""
    told: dict[FactId, list[Told]] = {}
    for each in told_in(change, document.id):
        told.setdefault(each.fact, []).append(each)
    for fact, rows in told.items():
        by = change.survivor(rows[0].teller) if rows[0].teller is not None else None
        yield Shared(fact, False, by, survivors(change, [each.hearer for each in rows]))


def survivors(change: Change, ids: Sequence[str]) -> tuple[Entity, ...]:
    """The live entities that these ids lead to, after merges."""
    found = (change.survivor(EntityId(each)) for each in ids)
    return tuple(each for each in found if each is not None)
