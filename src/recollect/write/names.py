"""Names as they are written: cleaned, folded and keyed once; and the identifiers that tell namesakes apart."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from recollect.errors import Refused
from recollect.model.document import KEY_LIMIT
from recollect.model.entity import NAME_LIMIT, Entity
from recollect.model.ids import EntityId
from recollect.model.names import FOLD_CACHE_SIZE, Name, NameKind, clean, fold
from recollect.model.trust import OWNER, Trust, is_low, lower_trust
from recollect.store.change import Change
from recollect.text.mail_addresses import canonical_address, canonical_domain
from recollect.text.tokens import name_key
from recollect.write.trust_rules import speaker_trust

IDENTIFIERS: tuple[NameKind, ...] = ("email", "domain", "gedcom_id")
EMAIL: Final = "email"
ALIAS_PREDICATES = frozenset({"alias", "aka", "also_known_as", "nickname", "name"})
"""Predicates whose value is one more name of the subject."""
_ADDRESS = re.compile(r"[^\s@,;<>]+@[^\s@,;<>]+\.[^\s@,;<>]+")
DISTINGUISHING_PROPERTIES = ("disambiguator", "gedcom_id")


class BadName(Refused):
    def __init__(self, why: str) -> None:
        super().__init__(f"a name is 1 to {NAME_LIMIT} characters; this one is {why}", field="name")


class BadIdentifier(Refused):
    def __init__(self, kind: str, length: int) -> None:
        super().__init__(f"{kind} has at most {KEY_LIMIT} characters, not {length}", field=kind)


class NameText(NamedTuple):
    """A name with the forms derived from it: as written, as compared, and as indexed."""

    spelling: str
    folded: str
    key: str

    @property
    def checked(self) -> "NameText":
        """The name itself; a blank or overlong one is refused."""
        if not self.spelling or len(self.spelling) > NAME_LIMIT:
            raise BadName(f"{len(self.spelling)} long" if self.spelling else "blank")
        return self

    def row(self, entity: Entity, kind: NameKind) -> Name:
        """The index row that makes the entity known by this text."""
        return Name(entity.id, entity.type, self.spelling, kind, self.folded, self.key)


@lru_cache(FOLD_CACHE_SIZE)
def name_text(text: str) -> NameText:
    spelling = clean(text)
    folded = spelling.casefold() if spelling.isascii() else fold(spelling)  # no letter of ASCII folds to a space
    return NameText(spelling, folded, name_key(folded))


def identifiers_in(properties: Mapping[str, Any]) -> Iterator[tuple[NameKind, NameText]]:
    """The email, domain and GEDCOM id among the properties of an entity."""
    for kind in IDENTIFIERS if properties else ():
        value = properties.get(kind)
        if isinstance(value, str) and value.strip():
            yield kind, name_text(_canonical(kind, value))


def _canonical(kind: NameKind, value: str) -> str:
    if kind == EMAIL:
        return canonical_address(value)
    return canonical_domain(value) if kind == "domain" else value


def check_identifiers(properties: Mapping[str, Any]) -> None:
    """Refuse an identifier that is too long to be indexed."""
    for kind in IDENTIFIERS if properties else ():
        value = properties.get(kind)
        if isinstance(value, str) and value.strip() and len(value) > KEY_LIMIT:
            raise BadIdentifier(kind, len(value))


def identifiers_differ(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool | None:
    """Whether the first kind of identifier that both have differs; none if they share no kind."""
    theirs = dict(identifiers_in(other))
    for kind, text in identifiers_in(one):
        if kind in theirs:
            return text.folded != theirs[kind].folded
    return None


def add_alias(change: Change, entity: Entity, alias: str, trust: Trust = OWNER) -> bool:
    """Make an entity known by one more name, at most as trusted as its source; false if it is known by it already."""
    text = name_text(alias).checked
    if text.folded == entity.folded or change.is_known_as(entity.id, text.folded, "alias"):
        return False
    row = text.row(entity, "alias")._replace(trust=lower_trust(trust, speaker_trust(change)))
    if not change.is_known_as(entity.id, text.folded, "claimed"):
        change.add_name(row)
        return True
    if is_low(row.trust):
        return False
    change.put_name(row)
    return True


def is_address(text: str) -> bool:
    """Whether a text is a whole mail address."""
    return _ADDRESS.fullmatch(clean(text)) is not None


def remove_email(change: Change, entity: EntityId, address: str) -> None:
    """Make an entity no longer known by an email address."""
    end_names(change, entity, EMAIL, address)


def end_names(change: Change, entity: EntityId, kind: str, text: str) -> None:
    """End the names of this kind that an entity has by a text."""
    folded = name_text(text).folded
    for row in change.names_of(entity):
        if row.kind == kind and row.folded == folded:
            change.end_name(row)
