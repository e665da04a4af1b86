"""Links between memories: derived when one is written, or said by somebody; what was said wins.

Deriving costs by what a memory has in common with others, never by how many there are.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from operator import attrgetter

from recollect.keep.network.deriving import Deriving
from recollect.keep.network.traits import Place, Traits, is_linkable, place_of, traits_of
from recollect.model.document import Document
from recollect.model.ids import DocumentId
from recollect.model.memory_link import Link, LinkType, link
from recollect.store.change import Change
from recollect.store.tables import MEMORY_LINK, OPEN
from recollect.store.view import View

MEMORIES_AT_ONCE = 200
_ID = attrgetter("id")


def links_of(view: View, memories: Collection[DocumentId]) -> list[Link]:
    """Every link that one of these memories has."""
    if not memories:
        return []
    rows = [*view.rows("links_from", memories=sorted(memories)), *view.rows("links_to", memories=sorted(memories))]
    return sorted({Link(*row) for row in rows})


def put_link(change: Change, one: DocumentId, other: DocumentId, type_: LinkType, confidence: float) -> bool:
    """Let a link be said between two memories; whether that is anything new."""
    wanted = link(one, other, type_, "explicit", confidence)
    held = _held(change, wanted)
    if held == wanted or one == other:
        return False
    _begin(change, change.tx, [wanted], [] if held is None else [held])
    return True


def remove_link(change: Change, one: DocumentId, other: DocumentId, type_: LinkType) -> bool:
    """Take back a link that was said; what is derived between the two comes back."""
    held = _held(change, link(one, other, type_, "explicit", 0))
    if held is None or held.origin != "explicit":
        return False
    _begin(change, change.tx, [], [held])
    change.touched.documents.update((one, other))
    return True


def _held(view: View, wanted: Link) -> Link | None:
    rows = view.rows("links_between", one=wanted.one, other=wanted.other)
    return next((found for found in (Link(*row) for row in rows) if found.type == wanted.type), None)


def link_again(change: Change, touched: Collection[DocumentId], found: Iterable[Document]) -> None:
    """Derive the links of the documents found anew; what else was touched has none any more."""
    live = sorted((document for document in found if is_linkable(document, change)), key=_ID)
    gone = sorted(set(touched) - {document.id for document in live})
    for part in _parts(gone):
        _forget(change, part)
    derive(change, live)


def _parts(memories: Sequence[DocumentId]) -> Iterator[Sequence[DocumentId]]:
    return (memories[start : start + MEMORIES_AT_ONCE] for start in range(0, len(memories), MEMORIES_AT_ONCE))


def derive(change: Change, documents: Sequence[Document]) -> None:
    """Make the derived links of memories anew, one after the other as they were written.

    So it makes no difference how many of them one batch brought: each sees those that were there before it.
    """
    traits = traits_of(change, documents)
    before = {old.memory: old for part in _parts([each.id for each in documents]) for old in _places(change, part)}
    deriving = Deriving(change)
    for document in documents:
        place = place_of(change, document)
        old = before.get(document.id)
        _put_traits(change, place, traits[document.id])
        deriving.placed(document.id, traits[document.id].entities)
        if old is not None and old != place:
            _close(change, deriving, [old])
        _settle(change, place.memory, deriving.links(place, traits[document.id]), deriving.split(place))


def _forget(change: Change, memories: Sequence[DocumentId]) -> None:
    """End all links of memories that are gone, and let those around them be neighbours."""
    places = _places(change, memories)
    held = links_of(change, memories) if places else []
    for place in places:
        change.connection.run("memory_place_drop", {"ws": change.ws, "memory": place.memory})
        change.connection.run("memory_traits_drop", {"ws": change.ws, "memory": place.memory})
    _begin(change, _followed(change), [], held)
    _close(change, Deriving(change), places)


def _close(change: Change, deriving: Deriving, left: Iterable[Place]) -> None:
    """Let those be neighbours between whom somebody stood."""
    closed = {found.key: found for old in left for found in deriving.closing(old)}
    _begin(change, _followed(change), [found for found in closed.values() if _held(change, found) is None], [])


def _settle(change: Change, memory: DocumentId, wanted: Iterable[Link], split: Iterable[Link]) -> None:
    held = {found.key: found for found in links_of(change, [memory])}
    said = {key for key, found in held.items() if found.origin == "explicit"}
    fresh = {found.key: found for found in wanted if found.key not in said}
    old = [found for key, found in held.items() if key not in said and fresh.get(key) != found]
    torn = {each.key: _held(change, each) for each in split if each.key not in fresh}.values()
    begun = [found for key, found in fresh.items() if held.get(key) != found]
    apart = [found for found in torn if found is not None and found.origin == "derived" and found not in old]
    _begin(change, _followed(change), begun, [*old, *apart])


def _followed(change: Change) -> int:
    """The transaction that derived links belong to: what follows a batch belongs to the last of it."""
    return change.tx if change.has_changed else change.last_tx


def _begin(change: Change, tx: int, begun: Sequence[Link], ended: Sequence[Link]) -> None:
    for old in ended:
        change.connection.end(MEMORY_LINK, change.ws, old.key, tx)
    rows = [(change.ws, *each.key, tx, OPEN, each.origin, each.confidence) for each in begun]
    if rows:
        change.connection.insert(MEMORY_LINK, rows)


def _places(change: Change, memories: Sequence[DocumentId]) -> list[Place]:
    return [Place(*row) for row in change.rows("memory_places", memories=sorted(memories))]


def _put_traits(change: Change, place: Place, traits: Traits) -> None:
    ws, memory = change.ws, place.memory
    change.connection.run("memory_place_put", {"ws": ws, **place._asdict()})
    change.connection.run("memory_traits_drop", {"ws": ws, "memory": memory})
    rows = [{"ws": ws, "kind": kind, "value": value, "memory": memory} for kind, value in traits.rows()]
    change.connection.run_many("memory_trait_add", rows)
