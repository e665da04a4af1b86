"""A bundle line that joins two memories, or takes back such a link."""

from typing import Any

from recollect.ingest.fields import Json
from recollect.ingest.problems import BadLine
from recollect.keep.network.links import put_link, remove_link
from recollect.keep.network.traits import is_linkable
from recollect.model.ids import DocumentId, is_id, read_id
from recollect.model.memory_link import LINK_TYPES, USUAL_CONFIDENCE, LinkType
from recollect.store.change import Change

_KEYS = frozenset({"from", "to", "type", "confidence", "remove"})


def take_link(change: Change, given: Json) -> bool:
    """Whether the line changed anything."""
    if not isinstance(given, dict):
        raise BadLine("memory_link", "should be an object")
    if unknown := sorted(given.keys() - _KEYS):
        raise BadLine(f"memory_link.{unknown[0]}", "is not known here")
    one, other = (_memory(change, given, key) for key in ("from", "to"))
    if one == other:
        raise BadLine("memory_link.to", "a memory cannot be linked to itself")
    type_ = _type(given.get("type"))
    if _flag(given.get("remove", False)):
        return remove_link(change, one, other, type_)
    return put_link(change, one, other, type_, _confidence(given.get("confidence")))


def _memory(change: Change, given: Json, key: str) -> DocumentId:
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


def _type(said: Any) -> LinkType:
    folded = said.strip().casefold() if isinstance(said, str) else None
    found = next((each for each in LINK_TYPES if each == folded), None)
    if found is None:
        raise BadLine("memory_link.type", f"should be one of {', '.join(LINK_TYPES)}")
    return found


def _confidence(said: Any) -> float:
    if said is None:
        return USUAL_CONFIDENCE
    if isinstance(said, bool) or not isinstance(said, int | float) or not 0 <= said <= 1:
        raise BadLine("memory_link.confidence", "should be a number 0..1")
    return float(said)


def _flag(said: Any) -> bool:
    if not isinstance(said, bool):
        raise BadLine("memory_link.remove", "should be true or false")
    return said
