"""Links between memories: derived on write or stated by a caller, and the bundle line that states one."""

from collections.abc import Collection, Iterable, Sequence
from operator import attrgetter
from typing import Any

from recollect.ingest.fields import BadLine, Json
from recollect.keep.network.link_derivation import LinkDeriver, is_linkable, timeline_place, traits_of
from recollect.model.certainty import is_confidence
from recollect.model.document import Document
from recollect.model.ids import DocumentId, is_id, read_id
from recollect.model.memory_links import DEFAULT_CONFIDENCE, LINK_TYPES, LinkType, MemoryLink, make_link
from recollect.model.progress import batches
from recollect.store import network_queries
from recollect.store.change import Change
from recollect.store.network_queries import TimelinePlace, places_of, write_links
from recollect.store.view import View

MEMORY_BATCH = 200
_ID = attrgetter("id")


def links_of(view: View, memories: Collection[DocumentId]) -> list[MemoryLink]:
    """Every link of one of these memories, each once."""
    return sorted(set(network_queries.links_touching(view, memories)))


def put_link(change: Change, one: DocumentId, other: DocumentId, type_: LinkType, confidence: float) -> bool:
    """State a link between two memories; whether that changed anything."""
    wanted = make_link(one, other, type_, "explicit", confidence)
    stored = _stored_link(change, wanted)
    if stored == wanted or one == other:
        return False
    write_links(change, change.tx, [wanted], [] if stored is None else [stored])
    return True


def remove_link(change: Change, one: DocumentId, other: DocumentId, type_: LinkType) -> bool:
    """Retract a stated link; a derived link between the two comes back."""
    stored = _stored_link(change, make_link(one, other, type_, "explicit", 0))
    if stored is None or stored.origin != "explicit":
        return False
    write_links(change, change.tx, [], [stored])
    change.touched.documents.update((one, other))
    return True


def _stored_link(view: View, wanted: MemoryLink) -> MemoryLink | None:
    links = network_queries.links_between(view, wanted.one, wanted.other)
    return next((link for link in links if link.type == wanted.type), None)


def relink(change: Change, changed: Collection[DocumentId], documents: Iterable[Document]) -> None:
    """Derive the links of these documents again, and end those of all other changed ones."""
    live = sorted((document for document in documents if is_linkable(document, change)), key=_ID)
    gone = sorted(set(changed) - {document.id for document in live})
    for part in batches(gone, MEMORY_BATCH):
        _end_links(change, part)
    derive_links(change, live)


def derive_links(change: Change, documents: Sequence[Document]) -> None:
    """Derive the links of memories again, one memory after the other in the order they were written.

    The result does not depend on how many of them one batch contains: each sees only those written before it.
    """
    traits = traits_of(change, documents)
    parts = batches((document.id for document in documents), MEMORY_BATCH)
    before = {place.memory: place for part in parts for place in places_of(change, part)}
    deriver = LinkDeriver(change)
    for document in documents:
        place = timeline_place(change, document)
        old = before.get(document.id)
        own = traits[document.id]
        network_queries.put_place(change, place)
        network_queries.replace_traits(change, place.memory, own.rows())
        deriver.note_entities(document.id, own.entities)
        if old is not None and old != place:
            _close_gaps(change, deriver, [old])
        _reconcile_links(change, place.memory, deriver.links(place, own), deriver.link_to_split(place))


def _end_links(change: Change, memories: Sequence[DocumentId]) -> None:
    """End all links of deleted memories, and link the neighbours they leave on their timelines."""
    places = places_of(change, memories)
    links = links_of(change, memories) if places else []
    for place in places:
        network_queries.drop_memory(change, place.memory)
    write_links(change, change.last_tx, [], links)
    _close_gaps(change, LinkDeriver(change), places)


def _close_gaps(change: Change, deriver: LinkDeriver, left: Iterable[TimelinePlace]) -> None:
    """Link the neighbours of places that were vacated."""
    closing = {link.key: link for place in left for link in deriver.links_closing_gap(place)}
    missing = [link for link in closing.values() if _stored_link(change, link) is None]
    write_links(change, change.last_tx, missing, [])


def _reconcile_links(
    change: Change, memory: DocumentId, derived: Iterable[MemoryLink], split: Iterable[MemoryLink]
) -> None:
    """Make the stored links of a memory match the derived ones; explicit links stay as they are."""
    stored = {link.key: link for link in links_of(change, [memory])}
    explicit = {key for key, link in stored.items() if link.origin == "explicit"}
    wanted = {link.key: link for link in derived if link.key not in explicit}
    outdated = [link for key, link in stored.items() if key not in explicit and wanted.get(key) != link]
    added = [link for key, link in wanted.items() if stored.get(key) != link]
    separated = {link.key: _stored_link(change, link) for link in split if link.key not in wanted}.values()
    outdated += [link for link in separated if link and link.origin == "derived" and link not in outdated]
    # What follows a batch belongs to its last transaction.
    write_links(change, change.last_tx, added, outdated)


_LINK_KEYS = frozenset({"from", "to", "type", "confidence", "remove"})


def apply_link_line(change: Change, given: Json) -> bool:
    """State or remove the link of a bundle line; whether that changed anything."""
    if not isinstance(given, dict):
        raise BadLine("memory_link", "should be an object")
    if unknown := sorted(given.keys() - _LINK_KEYS):
        raise BadLine(f"memory_link.{unknown[0]}", "is not known here")
    one, other = (_find_memory(change, given, key) for key in ("from", "to"))
    if one == other:
        raise BadLine("memory_link.to", "a memory cannot be linked to itself")
    type_ = _parse_type(given.get("type"))
    if _parse_flag(given.get("remove", False)):
        return remove_link(change, one, other, type_)
    return put_link(change, one, other, type_, _parse_confidence(given.get("confidence")))


def _find_memory(change: Change, given: Json, key: str) -> DocumentId:
    """A memory by the id of its record, or by its UUID."""
    id_ = given.get(key)
    if not isinstance(id_, str) or not id_.strip():
        raise BadLine(f"memory_link.{key}", "should be the record id or UUID of a memory")
    uuid = id_.strip().removeprefix("memory:")
    found = change.document_named("memory", id_.strip())
    if found is None and is_id(uuid):
        found = change.document(DocumentId(read_id(uuid)))
    if found is None or not is_linkable(found, change):
        raise BadLine(f"memory_link.{key}", f"there is no memory {id_!r}")
    return found.id


def _parse_type(value: Any) -> LinkType:
    folded = value.strip().casefold() if isinstance(value, str) else None
    found = next((each for each in LINK_TYPES if each == folded), None)
    if found is None:
        raise BadLine("memory_link.type", f"should be one of {', '.join(LINK_TYPES)}")
    return found


def _parse_confidence(value: Any) -> float:
    if value is None:
        return DEFAULT_CONFIDENCE
    if not is_confidence(value):
        raise BadLine("memory_link.confidence", "should be a number 0..1")
    return float(value)


def _parse_flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise BadLine("memory_link.remove", "should be true or false")
    return value
