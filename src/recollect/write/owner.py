"""The owner of a workspace: the person whom "I", "me" and "my" mean.

The owner is the entity with `concept_role: self`. The settings `me.name`, `me.aliases` and `me.emails` name it; until a
name is set it is a person called `Me`.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from recollect.errors import Refused
from recollect.model.entity import UNKNOWN_TYPE, Entity
from recollect.model.names import PEOPLE, fold
from recollect.settings import Settings
from recollect.store.surface_queries import entities_with_any_role
from recollect.store.view import View

# Whoever only asks who the owner is, as hooks do, loads nothing that writes.
if TYPE_CHECKING:
    from recollect.store.change import Change

OWNER_WORDS = frozenset({"me", "i", "my", "myself"})
_GROUP_WORDS = frozenset({"we", "We", "us", "our"})
"""Words for the owner and others, as they are spelled: `US` is a country."""
NAME_SETTING, ALIASES_SETTING, EMAILS_SETTING = "me.name", "me.aliases", "me.emails"
OWNER_SETTINGS = (NAME_SETTING, ALIASES_SETTING, EMAILS_SETTING)
UNNAMED = "Me"
_ROLE, _SELF, _PERSON = "concept_role", "self", "person"
_EMAIL: Final = "email"


class SeveralOwners(Refused):
    def __init__(self, name: str) -> None:
        super().__init__(
            f"several people are called {name!r}; set {EMAILS_SETTING} to an email address of the one you mean",
            field=NAME_SETTING,
        )


class OwnerProfile(NamedTuple):
    """What the settings say about the owner."""

    name: str | None = None
    aliases: tuple[str, ...] = ()
    emails: tuple[str, ...] = ()


def owner_profile(settings: Settings) -> OwnerProfile:
    """The owner's name, aliases and email addresses; lists may be comma-separated text."""
    name = settings.text(NAME_SETTING)
    return OwnerProfile(
        name.strip() if name and name.strip() else None,
        _split_list(settings.get(ALIASES_SETTING)),
        _split_list(settings.get(EMAILS_SETTING)),
    )


def _split_list(value: Any) -> tuple[str, ...]:
    parts = value.split(",") if isinstance(value, str) else value if isinstance(value, list | tuple) else ()
    return tuple(text for part in parts if (text := str(part).strip()))


def profile_in(change: "Change") -> OwnerProfile:
    """The owner's profile as the settings of the process and of the workspace have it."""
    return owner_profile(change.settings.for_workspace(change.world.settings))


def is_owner_word(text: str) -> bool:
    return fold(text) in OWNER_WORDS or is_group_word(text)


def is_group_word(text: str) -> bool:
    """Whether a word means the owner with others, such as `we`."""
    return text.strip() in _GROUP_WORDS


def find_owner(view: View) -> Entity | None:
    """The owner's entity; none if nothing was ever said about the owner."""
    return _role_holder(view) or next(iter(view.entities_of_types({_SELF}, 1)), None)


def _role_holder(view: View) -> Entity | None:
    """The entity with the owner's role; one of type `self` may be an assistant that writes of itself."""
    holders = [each for each in entities_with_any_role(view) if each.properties.get(_ROLE) == _SELF]
    return min(holders, key=lambda each: each.id, default=None)


def find_or_create_owner(change: "Change") -> Entity:
    """The owner's entity, named as the settings say; created if there is none."""
    profile = profile_in(change)
    try:
        return apply_profile(change, profile)
    except SeveralOwners:
        return apply_profile(change, profile._replace(name=None))


def apply_owner_settings(change: "Change") -> Entity | None:
    """Name the owner's entity after settings have changed; none if there is neither an owner nor a name."""
    profile = profile_in(change)
    return apply_profile(change, profile) if profile.name or _role_holder(change) is not None else None


def set_owner_name(change: "Change", name: str) -> Entity | None:
    """Set the owner's name if it is unset; none if it was set before."""
    if profile_in(change).name is not None:
        return None
    change.put_setting(NAME_SETTING, name)
    return apply_profile(change, profile_in(change))


def apply_profile(change: "Change", profile: OwnerProfile) -> Entity:
    """The owner's entity with the profile's names; people who have its name or an email address become one with it."""
    from recollect.write.entity_refs import NamedRef, create
    from recollect.write.merge import merge
    from recollect.write.names import add_alias

    owner = _role_holder(change)
    same = list(_people_of(change, profile if profile.name or owner else profile._replace(name=UNNAMED)))
    owner = owner or (same[0] if same else None)
    if owner is None:
        owner = create(change, NamedRef(profile.name or UNNAMED, _PERSON, properties={_ROLE: _SELF}, reason="owner"))
    for other in same:
        if other.id != owner.id:
            owner = merge(change, other, owner)
    owner = _with_name_and_role(change, owner, profile)
    for alias in profile.aliases:
        add_alias(change, owner, alias)
    _add_emails(change, owner, profile.emails)
    return owner


def _people_of(change: "Change", profile: OwnerProfile) -> Iterator[Entity]:
    """The people known by the owner's name or by one of the email addresses."""
    from recollect.write.lookup import entities_named
    from recollect.write.names import name_text

    by_email = _unique(
        entity
        for email in profile.emails
        for kind, entity in entities_named(change, name_text(email).folded)
        if kind == _EMAIL and _is_person(entity)
    )
    yield from by_email
    named = entities_named(change, name_text(profile.name).folded) if profile.name else ()
    by_name = _unique(entity for kind, entity in named if kind == "name" and _is_person(entity))
    others = [each for each in by_name if each not in by_email]
    if by_email or any(each.properties.get(_ROLE) == _SELF for each in by_name):
        return
    if len(others) > 1 and profile.name:
        raise SeveralOwners(profile.name)
    yield from others


def _unique(entities: Iterable[Entity]) -> list[Entity]:
    return list({each.id: each for each in entities}.values())


def _is_person(entity: Entity) -> bool:
    return entity.type in PEOPLE or entity.type == UNKNOWN_TYPE


def _with_name_and_role(change: "Change", owner: Entity, profile: OwnerProfile) -> Entity:
    from recollect.write.entity_edits import edit_entity

    properties = {**owner.properties, _ROLE: _SELF}
    if profile.emails and not properties.get(_EMAIL):
        properties[_EMAIL] = profile.emails[0]
    type_ = _PERSON if owner.type == UNKNOWN_TYPE else owner.type
    name = profile.name if profile.name and fold(profile.name) != owner.folded else owner.name
    edited = owner._replace(name=name, type=type_, properties=properties, provisional=False)
    return owner if edited == owner else edit_entity(change, owner, edited)


def _add_emails(change: "Change", owner: Entity, emails: Iterable[str]) -> None:
    from recollect.write.names import name_text

    for email in emails:
        text = name_text(email).checked
        if not change.is_known_as(owner.id, text.folded, _EMAIL):
            change.add_name(text.row(owner, _EMAIL))
