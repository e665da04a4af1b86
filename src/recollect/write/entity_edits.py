"""Changing an entity by hand: name, type, properties, aliases; restoring a deleted one."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from recollect.model.entity import Entity
from recollect.model.names import Name
from recollect.model.trust import Trust, higher_trust, with_name_trust
from recollect.store.change import Change
from recollect.write.claims import note_address, with_claims
from recollect.write.lookup import NAME, LookupPolicy, LookupStep, has_type
from recollect.write.names import (
    DISTINGUISHING_PROPERTIES,
    EMAIL,
    IDENTIFIERS,
    identifiers_differ,
    identifiers_in,
    name_text,
)
from recollect.write.slot_conflicts import settle_retyped
from recollect.write.trust_rules import speaker_trust


def edit_entity(change: Change, entity: Entity, edited: Entity, aliases: Sequence[str] | None = None) -> Entity:
    """Store the edited version of an entity and its names; `aliases` replaces its aliases, a former name joins them."""
    text = name_text(edited.name)
    speaker = speaker_trust(change)
    trust = higher_trust(entity.trust, speaker) if text.spelling == entity.name else speaker
    properties = with_name_trust(with_claims(change, entity, edited.properties), trust)
    named = edited._replace(name=text.spelling, folded=text.folded, properties=properties)
    stored = change.names_of(entity.id)
    kept = _desired_names(
        entity, named, stored, None if aliases is None else _stated_aliases(named, stored, aliases, speaker)
    )
    has_new_names = _sync_names(change, stored, kept)
    if named == entity and not has_new_names:
        return entity
    put = change.put_entity(named)
    if named.type != entity.type:
        settle_retyped(change, entity.id, entity.type, named.type)
    return put


def _stated_aliases(entity: Entity, stored: Sequence[Name], aliases: Sequence[str], speaker: Trust) -> list[Name]:
    """The listed aliases, each with the highest trust that any source gives it."""
    before = {row.folded: row.trust for row in stored if row.kind == "alias"}
    rows = [name_text(alias).row(entity, "alias") for alias in aliases]
    return [row._replace(trust=higher_trust(speaker, before.get(row.folded, speaker))) for row in rows]


def _desired_names(
    entity: Entity, edited: Entity, stored: Sequence[Name], aliases: Sequence[Name] | None
) -> list[Name]:
    others = [row for row in stored if row.kind == "alias"] if aliases is None else list(aliases)
    if edited.folded != entity.folded:
        others.append(name_text(entity.name).row(edited, "alias")._replace(trust=entity.trust))
    identifiers = [row for row in stored if row.kind in IDENTIFIERS]
    if edited.properties != entity.properties:
        identifiers = [*_foreign_identifiers(entity, identifiers), *_identifiers(edited)]
    rows = [
        name_text(edited.name).row(edited, "name"),
        *(row for row in others if row.folded and row.folded != edited.folded),
        *identifiers,
    ]
    by_place = {(row.folded, row.kind): row._replace(type=edited.type) for row in reversed(rows)}
    return list(by_place.values())[::-1]


def _foreign_identifiers(entity: Entity, stored: Iterable[Name]) -> list[Name]:
    """Identifiers that did not come from the entity's own properties, as after a merge."""
    own = {(row.folded, row.kind) for row in _identifiers(entity)}
    return [row for row in stored if (row.folded, row.kind) not in own]


def _identifiers(entity: Entity) -> list[Name]:
    return [text.row(entity, kind) for kind, text in identifiers_in(entity.properties)]


def _sync_names(change: Change, stored: Sequence[Name], edited: Sequence[Name]) -> bool:
    """Add, end and update name rows to match; whether any changed."""
    before = {(row.folded, row.kind): row for row in stored}
    after = {(row.folded, row.kind): row for row in edited}
    for place in before.keys() - after.keys():
        change.end_name(before[place])
    for place, row in after.items():
        if place not in before:
            change.add_name(row)
            if row.kind == EMAIL:
                note_address(change, row.entity, row.folded, is_new=True)
        elif before[place] != row:
            change.put_name(row)
    return before != after


def find_name_conflict(change: Change, edited: Entity) -> Entity | None:
    """Another live entity of this type and name that no identifier or disambiguator distinguishes."""
    found = LookupPolicy((LookupStep(NAME, has_type(edited.type)),)).find_all(change, edited.name)
    return next(
        (
            other
            for other in found
            if other.id != edited.id and other.is_live and not are_distinguished(other.properties, edited.properties)
        ),
        None,
    )


def are_distinguished(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether an identifier or disambiguator says that two entities of one name are distinct."""
    differ = identifiers_differ(one, other)
    return any(one.get(key) != other.get(key) for key in DISTINGUISHING_PROPERTIES) if differ is None else differ


def _deleting_transaction(change: Change, entity: Entity) -> int:
    """The transaction that deleted an entity, however it was written down since."""
    last = entity.tx_from
    for version in reversed(change.entity_versions(entity.id)):
        if version.deleted is None:
            break
        last = version.tx_from
    return last


def restore_entity(change: Change, entity: Entity) -> Entity:
    """A deleted entity as it was, under the names it had when it was deleted."""
    before = change.at(_deleting_transaction(change, entity) - 1)
    for name in before.names_of(entity.id):
        change.add_name(name)
    return change.put_entity(entity._replace(deleted=None))
