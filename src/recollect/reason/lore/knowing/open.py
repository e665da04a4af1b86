"""What is public, and what is common to a group."""

import json
from collections.abc import Collection, Iterator, Mapping

from recollect.model.document import Document
from recollect.model.ids import ENTITY_PREFIX, EntityId, FactId, is_id, read_id
from recollect.model.labels import GROUPS, kind_of
from recollect.model.names import fold
from recollect.reason.lore.knowing.groups import Membership
from recollect.reason.lore.knowing.moment import Moment
from recollect.reason.lore.knowing.reach import Spread, names_in, reach_of
from recollect.reason.lore.knowing.way import Channel, Way, by_then, latest
from recollect.reason.lore.reading import Lore
from recollect.reason.lore.relation import Relation, stated
from recollect.store.port import Row
from recollect.store.rows import document_of
from recollect.when.period import Time

HEAD_LENGTH = 400

Memberships = Mapping[EntityId, list[Membership]]


class Meant:
    """Who is meant by the names that things are known to; each asked for once."""

    def __init__(self, lore: Lore) -> None:
        self._lore = lore
        self._known: dict[str, EntityId | None] = {}

    def by(self, name: str) -> EntityId | None:
        if name not in self._known:
            self._known[name] = self._find(name)
        return self._known[name]

    def _find(self, name: str) -> EntityId | None:
        view = self._lore.view
        if is_id(name, ENTITY_PREFIX):
            held = view.survivor(EntityId(read_id(name, ENTITY_PREFIX)))
            return held.id if held else None
        rows = view.named(fold(name))
        named = {row.entity for row in rows if row.kind == "name"} or {row.entity for row in rows}
        return next(iter(named)) if len(named) == 1 else None


def open_documents(lore: Lore, level: str) -> list[Document]:
    """The documents of a visibility."""
    found = (document_of(row) for row in lore.view.rows("documents_shown_to", level=level))
    return [each for each in found if each.deleted is None]


def public_relations(lore: Lore, documents: Collection[Document]) -> list[Relation]:
    """Relations that say so themselves, and all that public documents tell."""
    own = lore.view.rows("facts_shown_to", level="public")
    return lore.by_id({FactId(row[0]) for row in (*own, *_told_in(lore, documents))})


def common_relations(lore: Lore, documents: Collection[Document], belongs: Memberships, meant: Meant) -> list[Relation]:
    """Relations that may be common to one of the groups, found by their lists, their ends or their documents."""
    view = lore.view
    heads = [row[0] for row in view.rows("known_to_lists") if _may_name(row[0], belongs, meant)]
    listed = view.rows("facts_known_to", heads=heads) if heads else []
    at_ends = view.rows("facts_common_at", groups=sorted(belongs))
    mine = [each for each in documents if _names_any(names_in(each.properties), belongs, meant)]
    return lore.by_id({FactId(row[0]) for row in (*listed, *at_ends, *_told_in(lore, mine))})


def _told_in(lore: Lore, documents: Collection[Document]) -> list[Row]:
    ids = sorted(each.id for each in documents)
    return lore.view.rows("facts_of_documents", documents=ids) if ids else []


def _may_name(head: str, belongs: Memberships, meant: Meant) -> bool:
    """Whether a list, of which only the beginning may be known, names one of the groups."""
    if len(head) >= HEAD_LENGTH:
        return True
    names = json.loads(head) if head.startswith("[") else ()
    return _names_any(tuple(name for name in names if isinstance(name, str)), belongs, meant)


def _names_any(names: Collection[str], belongs: Memberships, meant: Meant) -> bool:
    return any(meant.by(name) in belongs for name in names)


def publicly(lore: Lore, relations: list[Relation], moment: Moment) -> Iterator[Channel]:
    """What everyone knows."""
    for each in relations:
        reach = reach_of(lore, each)
        for spread in reach.spreads if reach.level == "public" else ():
            learned = latest(stated(each).valid_from, spread.written)
            yield Channel(each, Way("public", learned, by_then(learned), moment.last))


def commonly(lore: Lore, relations: list[Relation], belongs: Memberships, meant: Meant) -> Iterator[Channel]:
    """What somebody knows as one of those that a thing is known to."""
    for each in relations:
        reach = reach_of(lore, each)
        for spread in reach.spreads if reach.level == "common" else ():
            for group in _groups(lore, each, spread, meant):
                for member in belongs.get(group, ()):
                    way = shared(member, stated(each).valid_from, spread.written)
                    if way is not None:
                        yield Channel(each, way)


def shared(member: Membership, start: Time | None, written: Time | None) -> Way | None:
    """How a member came to know a thing; what came up after they left, they did not."""
    learned = latest(start, member.start, written)
    since = max(by_then(start), member.since, by_then(written))
    if since > member.until:
        return None
    shown = learned if learned is not None and learned.hi == since else None
    return Way("common", shown, since, member.until, member.name)


def _groups(lore: Lore, relation: Relation, spread: Spread, meant: Meant) -> list[EntityId]:
    if spread.known_to:
        found = dict.fromkeys(meant.by(name) for name in spread.known_to)
        return [each for each in found if each is not None]
    ends = lore.entities(relation.ends)
    return [end for end, entity in ends.items() if kind_of(entity).type in GROUPS]
