"""References to entities: resolved by name, alias or identifier, never by similarity; and who a document mentions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from recollect.errors import Refused
from recollect.model.entity import UNKNOWN_TYPE, Entity
from recollect.model.fact import NOTHING
from recollect.model.ids import DocumentId, EntityId, format_entity_id
from recollect.model.trust import SOURCE_TRUST, with_name_trust
from recollect.store.change import Change
from recollect.store.view import View
from recollect.when.instant import Instant
from recollect.write.claims import acceptable, acceptable_type, note_address, with_claims, without_answered_claims
from recollect.write.lookup import (
    EntityTest,
    LookupPolicy,
    believed,
    entities_named,
    is_untyped,
    matching,
    of_type,
    owner_among,
)
from recollect.write.names import (
    DISTINGUISHING_PROPERTIES,
    EMAIL,
    NameText,
    add_alias,
    check_identifiers,
    identifiers_differ,
    identifiers_in,
    name_text,
)
from recollect.write.property_sources import newest_properties, save_property_sources
from recollect.write.slot_conflicts import settle_retyped
from recollect.write.tombstones import check_entity
from recollect.write.trust_rules import raise_entity_trust, speaker_trust


class AmbiguousName(Refused):
    code = "ambiguous"

    def __init__(self, name: str, candidates: Sequence[Entity]) -> None:
        shown = ", ".join(f"{format_entity_id(each.id)} ({each.type})" for each in candidates[:5])
        super().__init__(f"{name!r} may be {shown}; pass one of these ids", field="name")
        self.candidates = tuple(candidates)


@dataclass(frozen=True, slots=True)
class NamedRef:
    """A reference to an entity by name, as a source gives it; without a type it may be any entity of that name."""

    name: str
    type: str | None = None
    aliases: tuple[str, ...] = ()
    properties: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    confirmed: bool = False
    reason: str = "auto_created"
    stays_provisional: bool = False
    said_at: Instant | None = None
    """The time of the source; if given, the newer source decides between two values of a property."""
    text: NameText = field(init=False)
    folded: str = field(init=False)

    def __post_init__(self) -> None:
        text = name_text(self.name)
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "folded", text.folded)

    @property
    def confirms(self) -> bool:
        """Whether the reference confirms the entity, so that it is no longer provisional."""
        return (self.confirmed or self.type is not None) and not self.stays_provisional

    def at_source_time(self, at: Instant) -> "NamedRef":
        """The same reference from a source of this time."""
        return replace(self, said_at=at)


class ResolvedRef(NamedTuple):
    """The entity behind a reference, and whether this call created it."""

    entity: Entity
    is_new: bool = False


def find_or_create(change: Change, ref: NamedRef, fits: EntityTest | None = None) -> ResolvedRef:
    """The entity a reference means, completed by it; created if there is none.

    `fits` decides which known entities the type of the reference admits; by default those stored under it.
    """
    if fits is not None:
        return resolve_ref(change, ref, matching(fits, is_typed=ref.type is not None))
    known = find_cached(change, ref)
    return resolve_ref(change, ref, of_type(ref.type)) if known is None else ResolvedRef(known)


def resolve_ref(change: Change, ref: NamedRef, policy: LookupPolicy) -> ResolvedRef:
    """The entity a reference means under a policy, completed by it; created if there is none."""
    known = find_by_policy(change, ref, policy)
    return ResolvedRef(create(change, ref), True) if known is None else ResolvedRef(complete(change, known, ref))


def find_cached(change: Change, ref: NamedRef) -> Entity | None:
    """The entity a reference means, if the cache has it, the name is unique and the reference adds nothing to it."""
    only = _only_cached(change, ref.folded, ref.type)
    return None if only is None or not _adds_nothing(only, ref) else only


def _only_cached(change: Change, folded: str, type_: str | None) -> Entity | None:
    """The only entity of a name in the cache, if it is of this type and not from strangers alone."""
    only = change.recent.only(folded)
    if only is None or SOURCE_TRUST in only.properties or type_ not in (None, only.type):
        return None
    return only


def find_named(change: Change, name: str, type_: str | None = None) -> Entity | None:
    """The live entity of a name, alias or identifier; an ambiguous name is refused."""
    return _only_cached(change, name_text(name).folded, type_) or find(change, NamedRef(name, type_))


def find(change: Change, ref: NamedRef, fits: EntityTest | None = None) -> Entity | None:
    """The live entity a reference means by name, alias or identifier; an ambiguous name is refused."""
    policy = of_type(ref.type) if fits is None else matching(fits, is_typed=ref.type is not None)
    return find_by_policy(change, ref, policy)


def find_unambiguous(change: Change, name: str, type_: str | None = None) -> Entity | None:
    """The live entity of a name, alias or identifier; none where several may be meant."""
    try:
        return find_named(change, name, type_)
    except AmbiguousName:
        return None


def find_by_policy(view: View, ref: NamedRef, policy: LookupPolicy) -> Entity | None:
    """The entity a reference means under a policy; an ambiguous name is refused."""
    named = entities_named(view, ref.folded)
    if ref.properties:
        check_identifiers(ref.properties)
        found = _by_identifier(view, ref)
        if found is not None:
            return found
        named = [each for each in named if not _is_distinguished(each[1], ref)]
    return _choose(ref, believed(view, policy.select(named))) if named else None


def _choose(ref: NamedRef, found: Sequence[Entity]) -> Entity | None:
    """The only match, or the only one of exactly the type of the reference."""
    if len(found) > 1:
        exact = [entity for entity in found if entity.type == ref.type]
        found = exact if len(exact) == 1 else found
    if len(found) > 1:
        owner = owner_among(found)
        if owner is None:
            raise AmbiguousName(ref.name, found)
        return owner
    return found[0] if found else None


def _by_identifier(view: View, ref: NamedRef) -> Entity | None:
    """The entity of the same name that has one of the identifiers of the reference."""
    for kind, text in identifiers_in(ref.properties):
        same = [
            entity
            for known_as, entity in entities_named(view, text.folded)
            if known_as == kind and entity.folded == ref.folded
            if ref.type is None or entity.type in (ref.type, UNKNOWN_TYPE)
        ]
        if len(same) == 1:
            return same[0]
    return None


def _is_distinguished(entity: Entity, ref: NamedRef) -> bool:
    """Whether the reference has another identifier or disambiguator than a known entity of its name."""
    differ = identifiers_differ(entity.properties, ref.properties)
    return differ or (
        differ is None
        and any(
            ref.properties.get(key) is not None and ref.properties[key] != entity.properties.get(key)
            for key in DISTINGUISHING_PROPERTIES
        )
    )


def create(change: Change, ref: NamedRef) -> Entity:
    """A new entity, even if others have its name."""
    text = ref.text.checked
    check_identifiers(ref.properties)
    given = acceptable(change, ref.properties)
    type_ = acceptable_type(change, ref.type or UNKNOWN_TYPE)
    check_entity(change, type_, text.folded)
    entity = Entity(
        EntityId(change.new_id()),
        change.tx,
        type_,
        text.spelling,
        text.folded,
        not ref.confirms,
        1.0,
        dict(with_name_trust(given, speaker_trust(change))),
        change.now,
        change.now,
        ref.reason,
        None,
        None,
    )
    change.add_entity(entity)
    change.add_name(text.row(entity, "name"))
    if ref.aliases or ref.properties:
        _add_names(change, entity, ref)
    if ref.said_at is not None:
        save_property_sources(change, entity.id, given, ref.said_at)
    return entity


def complete(change: Change, entity: Entity, ref: NamedRef) -> Entity:
    """The known entity with the type, aliases and properties that the reference adds to it."""
    entity = raise_entity_trust(change, entity, speaker_trust(change))
    if change.is_known_as(entity.id, ref.folded, "claimed"):
        add_alias(change, entity, ref.name)
    if _adds_nothing(entity, ref):
        return entity
    check_identifiers(ref.properties)
    given = acceptable(change, ref.properties)
    stored = without_answered_claims(change, entity, given)
    if ref.said_at is None:
        merged = {**given, **stored.properties}
    else:
        merged = newest_properties(change, stored, given, ref.said_at)
    merged = dict(with_name_trust(with_claims(change, stored, merged), entity.trust))
    fuller = entity
    type_ = acceptable_type(change, ref.type) if ref.type is not None and is_untyped(entity) else entity.type
    provisional = entity.provisional and not ref.confirms
    if (type_, provisional, merged) != (entity.type, entity.provisional, entity.properties):
        stated = entity._replace(type=type_, provisional=provisional, properties=merged, confirmed_at=change.now)
        fuller = change.put_entity(stated)
    if type_ != entity.type:
        retype_names(change, fuller)
        settle_retyped(change, entity.id, entity.type, type_)
    _add_names(change, fuller, ref)
    return fuller


def _adds_nothing(entity: Entity, ref: NamedRef) -> bool:
    if ref.aliases or ref.properties:
        return False
    return not (entity.provisional and ref.confirms) and (ref.type is None or not is_untyped(entity))


def retype_names(change: Change, entity: Entity) -> None:
    """Update the type in the name rows, which lookups filter by."""
    for row in change.names_of(entity.id):
        change.put_name(row._replace(type=entity.type))


def _add_names(change: Change, entity: Entity, ref: NamedRef) -> None:
    for alias in ref.aliases:
        add_alias(change, entity, alias)
    for kind, text in identifiers_in(ref.properties):
        is_new = not change.is_known_as(entity.id, text.folded, kind)
        if is_new:
            change.add_name(text.row(entity, kind))
        if kind == EMAIL:
            note_address(change, entity.id, text.folded, is_new=is_new)


def set_mentions(change: Change, document: DocumentId, entities: set[EntityId], *, is_new: bool = False) -> None:
    """Make a document mention these entities and no others."""
    mentioned = set[EntityId]() if is_new else set(change.mentioned(document))
    new = entities - mentioned if mentioned else entities
    if new:
        change.add_mentions(document, sorted(new))
    for entity in sorted(mentioned - entities) if mentioned else ():
        change.end_mention(document, entity)


def add_mentions(change: Change, document: DocumentId, entities: set[EntityId]) -> None:
    """Make a document mention these entities besides those it mentions."""
    new = entities - set(change.mentioned(document))
    if new:
        change.add_mentions(document, sorted(new))
