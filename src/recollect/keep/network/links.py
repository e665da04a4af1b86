"""Links between memories: derived on write or stated by a caller, and the bundle line that states one."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any

from recollect.ingest.fields import BadLine, Json
from recollect.keep.network.link_derivation import (
    LinkDeriver,
    MemoryTraits,
    TimelinePlace,
    is_linkable,
    timeline_place,
    traits_of,
)
from recollect.model.document import Document
from recollect.model.ids import DocumentId, is_id, read_id
from recollect.model.memory_links import DEFAULT_CONFIDENCE, LINK_TYPES, LinkType, MemoryLink, make_link
from recollect.store.change import Change
from recollect.store.tables import MEMORY_LINK, OPEN
from recollect.store.view import View

MEMORY_BATCH = 200
_ID = attrgetter("id")


def links_of(view: View, memories: Collection[DocumentId]) -> list[MemoryLink]:
    """Every link that one of these memories has."""
    if not memories:
        return []
    rows = [*view.rows("links_from", memories=sorted(memories)), *view.rows("links_to", memories=sorted(memories))]
    return sorted({MemoryLink(*row) for row in rows})


def put_link(change: Change, one: DocumentId, other: DocumentId, type_: LinkType, confidence: float) -> bool:
    """Let a link be said between two memories; whether that is anything new."""
    wanted = make_link(one, other, type_, "explicit", confidence)
    held = _stored_link(change, wanted)
    if held == wanted or one == other:
        return False
    _write_links(change, change.tx, [wanted], [] if held is None else [held])
    return True


def remove_link(change: Change, one: DocumentId, other: DocumentId, type_: LinkType) -> bool:
    """Take back a link that was said; what is derived between the two comes back."""
    held = _stored_link(change, make_link(one, other, type_, "explicit", 0))
    if held is None or held.origin != "explicit":
        return False
    _write_links(change, change.tx, [], [held])
    change.touched.documents.update((one, other))
    return True


def _stored_link(view: View, wanted: MemoryLink) -> MemoryLink | None:
    rows = view.rows("links_between", one=wanted.one, other=wanted.other)
    return next((found for found in (MemoryLink(*row) for row in rows) if found.type == wanted.type), None)


def relink(change: Change, touched: Collection[DocumentId], found: Iterable[Document]) -> None:
    """Derive the links of the documents found anew; what else was touched has none any more."""
    live = sorted((document for document in found if is_linkable(document, change)), key=_ID)
    gone = sorted(set(touched) - {document.id for document in live})
    for part in _batches(gone):
        _end_links(change, part)
    derive_links(change, live)


def _batches(memories: Sequence[DocumentId]) -> Iterator[Sequence[DocumentId]]:
    return (memories[start : start + MEMORY_BATCH] for start in range(0, len(memories), MEMORY_BATCH))


def derive_links(change: Change, documents: Sequence[Document]) -> None:
    """Make the derived links of memories anew, one after the other as they were written.

    So it makes no difference how many of them one batch brought: each sees those that were there before it.
    """
    traits = traits_of(change, documents)
    before = {old.memory: old for part in _batches([each.id for each in documents]) for old in _places(change, part)}
    deriving = LinkDeriver(change)
    for document in documents:
        place = timeline_place(change, document)
        old = before.get(document.id)
        _put_traits(change, place, traits[document.id])
        deriving.note_entities(document.id, traits[document.id].entities)
        if old is not None and old != place:
            _close_gaps(change, deriving, [old])
        _reconcile_links(
            change, place.memory, deriving.links(place, traits[document.id]), deriving.link_to_split(place)
        )


def _end_links(change: Change, memories: Sequence[DocumentId]) -> None:
    """End all links of memories that are gone, and let those around them be neighbours."""
    places = _places(change, memories)
    held = links_of(change, memories) if places else []
    for place in places:
        change.connection.run("memory_place_drop", {"ws": change.ws, "memory": place.memory})
        change.connection.run("memory_traits_drop", {"ws": change.ws, "memory": place.memory})
    _write_links(change, _follow_tx(change), [], held)
    _close_gaps(change, LinkDeriver(change), places)


def _close_gaps(change: Change, deriving: LinkDeriver, left: Iterable[TimelinePlace]) -> None:
    """Let those be neighbours between whom somebody stood."""
    closed = {found.key: found for old in left for found in deriving.links_closing_gap(old)}
    _write_links(
        change, _follow_tx(change), [found for found in closed.values() if _stored_link(change, found) is None], []
    )


def _reconcile_links(
    change: Change, memory: DocumentId, wanted: Iterable[MemoryLink], split: Iterable[MemoryLink]
) -> None:
    held = {found.key: found for found in links_of(change, [memory])}
    said = {key for key, found in held.items() if found.origin == "explicit"}
    fresh = {found.key: found for found in wanted if found.key not in said}
    old = [found for key, found in held.items() if key not in said and fresh.get(key) != found]
    torn = {each.key: _stored_link(change, each) for each in split if each.key not in fresh}.values()
    begun = [found for key, found in fresh.items() if held.get(key) != found]
    apart = [found for found in torn if found is not None and found.origin == "derived" and found not in old]
    _write_links(change, _follow_tx(change), begun, [*old, *apart])


def _follow_tx(change: Change) -> int:
    """The transaction that derived links belong to: what follows a batch belongs to the last of it."""
    return change.tx if change.has_changed else change.last_tx


def _write_links(change: Change, tx: int, begun: Sequence[MemoryLink], ended: Sequence[MemoryLink]) -> None:
    for old in ended:
        change.connection.end(MEMORY_LINK, change.ws, old.key, tx)
    rows = [(change.ws, *each.key, tx, OPEN, each.origin, each.confidence) for each in begun]
    if rows:
        change.connection.insert(MEMORY_LINK, rows)


def _places(change: Change, memories: Sequence[DocumentId]) -> list[TimelinePlace]:
    return [TimelinePlace(*row) for row in change.rows("memory_places", memories=sorted(memories))]


def _put_traits(change: Change, place: TimelinePlace, traits: MemoryTraits) -> None:
    ws, memory = change.ws, place.memory
    change.connection.run("memory_place_put", {"ws": ws, **place._asdict()})
    change.connection.run("memory_traits_drop", {"ws": ws, "memory": memory})
    rows = [{"ws": ws, "kind": kind, "value": value, "memory": memory} for kind, value in traits.rows()]
    change.connection.run_many("memory_trait_add", rows)


_LINK_KEYS = frozenset({"from", "to", "type", "confidence", "remove"})


def apply_link_line(change: Change, given: Json) -> bool:
    """Whether the line changed anything."""
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
    said = given.get(key)
    if not isinstance(said, str) or not said.strip():
        raise BadLine(f"memory_link.{key}", "should be the record id or UUID of a memory")
    bare = said.strip().removeprefix("memory:")
    found = change.document_named("memory", said.strip())
    if found is None and is_id(bare):
        found = change.document(DocumentId(read_id(bare)))
    if found is None or not is_linkable(found, change):
        raise BadLine(f"memory_link.{key}", f"there is no memory {said!r}")
    return found.id


def _parse_type(said: Any) -> LinkType:
    folded = said.strip().casefold() if isinstance(said, str) else None
    found = next((each for each in LINK_TYPES if each == folded), None)
    if found is None:
        raise BadLine("memory_link.type", f"should be one of {', '.join(LINK_TYPES)}")
    return found


def _parse_confidence(said: Any) -> float:
    if said is None:
        return DEFAULT_CONFIDENCE
    if isinstance(said, bool) or not isinstance(said, int | float) or not 0 <= said <= 1:
        raise BadLine("memory_link.confidence", "should be a number 0..1")
    return float(said)


def _parse_flag(said: Any) -> bool:
    if not isinstance(said, bool):
        raise BadLine("memory_link.remove", "should be true or false")
    return said
