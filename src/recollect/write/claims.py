"""What less trusted sources say of an entity apart from facts: addresses and properties, which stay their claims.

The owner's word makes an address vouched for: they gave it to somebody, or wrote to it.
"""

from collections.abc import Collection, Mapping
from typing import Any

from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.trust import CLAIMED_PROPERTIES, OWNER, SOURCE_TRUST, claims_of, is_low
from recollect.store.change import Change
from recollect.store.entity_queries import name_known_since
from recollect.text.mail_addresses import canonical_address
from recollect.write.names import EMAIL, is_address, name_text
from recollect.write.property_sources import property_source_time, save_property_source
from recollect.write.trust_rules import speaker_trust

_OWNERS_ALONE = frozenset({"concept_role"})
"""Properties that decide whose memory this is."""


def add_email(change: Change, entity: Entity, address: str) -> bool:
    """Make an entity known by an email address; false if it is not one, or somebody is known by it already."""
    text = name_text(canonical_address(address))
    if not is_address(text.spelling) or any(kind == EMAIL for kind, _ in change.entities_named(text.folded)):
        return False
    change.add_name(text.row(entity, EMAIL))
    note_address(change, entity.id, text.folded, is_new=True)
    return True


def note_address(change: Change, entity: EntityId, folded: str, *, is_new: bool) -> None:
    """Remember who gives an entity an address: only somebody else, or the owner as well."""
    is_owners = speaker_trust(change) == OWNER
    if is_new and not is_owners:
        save_property_source(change, entity, _claimed(folded), change.now)
    elif is_owners and property_source_time(change, entity, _claimed(folded)) is not None:
        save_property_source(change, entity, _vouched(folded), change.now)


def note_past_address(change: Change, entity: EntityId, address: str, first_tx: int, *, by_owner: bool) -> None:
    """Remember who gave an address in a document that was stored when this was not noted yet.

    Where the entity was known by it earlier, a document of somebody else says nothing.
    """
    folded = name_text(address).folded
    key = _vouched(folded) if by_owner else _claimed(folded)
    since = None if by_owner else name_known_since(change, entity, EMAIL, folded)
    if (by_owner or (since is not None and since >= first_tx)) and property_source_time(change, entity, key) is None:
        save_property_source(change, entity, key, change.now)


def is_vouched_for(change: Change, entity: EntityId, address: str) -> bool:
    """Whether the owner gave an entity this address or wrote to it."""
    folded = name_text(address).folded
    is_claimed = property_source_time(change, entity, _claimed(folded)) is not None
    return not is_claimed or property_source_time(change, entity, _vouched(folded)) is not None


def vouch_for_address(change: Change, entity: Entity, address: str) -> Entity:
    """The entity with an address that the owner uses, as more than a claim."""
    if speaker_trust(change) != OWNER:
        return entity
    note_address(change, entity.id, name_text(address).folded, is_new=False)
    claimed = claims_of(entity.properties)
    if "email" not in claimed or canonical_address(str(entity.properties.get("email"))) != address:
        return entity
    return change.put_entity(entity._replace(properties=_mark(entity.properties, claimed - {"email"})))


def move_address(change: Change, folded: str, loser: EntityId, survivor: EntityId) -> None:
    """Keep what is known of who gave an address when two entities become one."""
    for key in (_claimed(folded), _vouched(folded)):
        at = property_source_time(change, loser, key)
        if at is not None:
            save_property_source(change, survivor, key, at)


def acceptable(change: Change, properties: Mapping[str, Any]) -> Mapping[str, Any]:
    """The properties that a source may give an entity at all."""
    if not properties or speaker_trust(change) == OWNER:
        return properties
    return {key: value for key, value in properties.items() if key not in _OWNERS_ALONE}


def acceptable_type(change: Change, type_: str) -> str:
    """The type that a source may give an entity: only the owner's sources say who is the owner."""
    return "person" if type_ == "self" and speaker_trust(change) != OWNER else type_


def is_protected(change: Change, entity: Entity) -> bool:
    """Whether the source that speaks may not rename an entity, join it with another or change its properties."""
    return is_low(speaker_trust(change)) and not is_low(entity.trust)


def without_answered_claims(change: Change, entity: Entity, given: Mapping[str, Any]) -> Entity:
    """The entity without the claims that a more trusted source now decides."""
    claimed = claims_of(entity.properties)
    if not claimed & given.keys() or is_protected(change, entity):
        return entity
    kept = {key: value for key, value in entity.properties.items() if key not in claimed or key not in given}
    return entity._replace(properties=_mark(kept, claimed - given.keys()))


def with_claims(change: Change, entity: Entity, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """The properties that a source wants an entity to have, without changing those of a more trusted one."""
    properties, claimed = entity.properties, claims_of(entity.properties)
    if is_protected(change, entity):
        own = {key: value for key, value in properties.items() if key not in claimed}
        merged = {**wanted, **own}
        return _mark(merged, {key for key in merged if key not in own})
    if not claimed:
        return dict(wanted)
    return _mark(wanted, {key for key in claimed if key in wanted and wanted[key] == properties.get(key)})


def joined_properties(loser: Entity, survivor: Entity) -> dict[str, Any]:
    """The properties of two entities that become one: those of the survivor, save where only the other is trusted."""
    first, second = (loser, survivor) if is_low(survivor.trust) and not is_low(loser.trust) else (survivor, loser)
    claims, further = claims_of(first.properties), claims_of(second.properties)
    own = {key: value for key, value in first.properties.items() if key not in claims}
    others = {key: value for key, value in second.properties.items() if key != SOURCE_TRUST}
    merged = {**first.properties, **others, **own}
    if is_low(first.trust):
        return _mark(merged, ())
    is_claimed = further.__contains__ if not is_low(second.trust) else second.properties.__contains__
    return _mark(
        merged, {key for key in merged if key not in own and (is_claimed(key) or key not in second.properties)}
    )


def _mark(properties: Mapping[str, Any], claimed: Collection[str]) -> dict[str, Any]:
    kept = {key: value for key, value in properties.items() if key != CLAIMED_PROPERTIES}
    marked = sorted(each for each in claimed if each not in (SOURCE_TRUST, CLAIMED_PROPERTIES))
    return kept | ({CLAIMED_PROPERTIES: marked} if marked else {})


def _claimed(folded: str) -> str:
    return f"claimed:{folded}"


def _vouched(folded: str) -> str:
    return f"used:{folded}"
