"""The entities that an expert names, told apart by the identifiers that its manifest knows."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from recollect.ingest.experts.manifest import Identifier, Manifest
from recollect.ingest.extract.identity import identified, note_identified
from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.names import fold
from recollect.store.change import Change
from recollect.write.ends import AmbiguousName, End, Found, complete, find, find_or_make, make


@dataclass(frozen=True, slots=True)
class Mark:
    """One identifier of an entity, as it is kept."""

    space: str
    value: str


def find_identified(change: Change, end: End, manifest: Manifest) -> Found:
    """The entity with an identifier of this end, whatever its name; else the one it names, or a new one."""
    marks = list(_marks(end, manifest))
    if not marks:
        return find_or_make(change, end)
    known = next((entity for mark in marks if (entity := _marked(change, mark)) is not None), None)
    if known is not None:
        found = Found(complete(change, known, replace(end, aliases=(end.name, *end.aliases))))
    elif _is_told_apart(change, end, manifest):
        found = Found(make(change, end), True)
    else:
        found = find_or_make(change, end)
    for mark in marks:
        note_identified(change, mark.space, mark.value, found.entity.id)
    return found


def _marks(end: End, manifest: Manifest) -> Iterator[Mark]:
    for each in manifest.identifiers:
        if end.type != each.entity_type:
            continue
        if each.field is not None:
            value = _said(end.properties.get(each.field))
            yield from [_mark(each, manifest, value)] if value else []
        elif each.pattern is not None:
            texts = (end.name, *end.aliases, *(_said(value) for value in end.properties.values()))
            yield from (_mark(each, manifest, text) for text in texts if text and each.pattern.fullmatch(text))


def _mark(identifier: Identifier, manifest: Manifest, value: str) -> Mark:
    """Records have no type with a space in it, so that both are kept side by side."""
    source = "" if identifier.is_global else f" of {manifest.source_type}"
    return Mark(f"entity {identifier.entity_type} by {identifier.field or 'form'}{source}", fold(value))


def _said(value: object) -> str:
    return str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else ""


def _marked(change: Change, mark: Mark) -> Entity | None:
    key = identified(change, mark.space, mark.value)
    return change.survivor(EntityId(key)) if key is not None else None


def _is_told_apart(change: Change, end: End, manifest: Manifest) -> bool:
    """Whether who has that name has an identifier of the same kind, but another one; or several have that name."""
    try:
        named = find(change, end)
    except AmbiguousName:
        return True
    for each in manifest.identifiers:
        if named is None or each.field is None or end.type != each.entity_type:
            continue
        own, theirs = _said(end.properties.get(each.field)), _said(named.properties.get(each.field))
        if own and theirs and fold(own) != fold(theirs):
            holder = _marked(change, _mark(each, manifest, theirs))
            if holder is not None and holder.id == named.id:
                return True
    return False
