"""How far a source is trusted, from the owner's own words to text that anybody may have written.

A level is stored with a document as the property `source_trust` and with an assertion as the attribute of that name.
What has none is the owner's.
"""

from collections.abc import Mapping
from typing import Any, Literal, get_args

Trust = Literal["owner", "known", "unknown", "untrusted"]
TRUST_LEVELS: tuple[Trust, ...] = get_args(Trust)
"""From the most to the least trusted."""
OWNER: Trust = "owner"
SOURCE_TRUST = "source_trust"
SUSPECT = "suspect"
"""Property of a document and attribute of an assertion: why its text looks like an attack on its reader."""
CLAIMED_TIME = "claimed_source_at"
"""Property and attribute: the time in the future that a source gave itself, which was not believed."""

REUSED_ID = "reused_id"
"""Property of a document: the id that it came with and that another document has, which it may not restate."""
SELF_NAMED = "self_named"
"""Property of a chat message: its author is in no address book, and chose the name that the service shows."""
SECRETS = "secrets"
"""Property: how many secrets were found in the text of a document."""
CLAIMED_PROPERTIES = "claimed_properties"
"""Property of an entity: which of its properties only less trusted sources gave it."""
_FOUND = frozenset({SOURCE_TRUST, SUSPECT, CLAIMED_TIME, SECRETS})
DOCUMENT_MARKS = _FOUND | {REUSED_ID, SELF_NAMED}
"""Properties of a document that only its import may set."""
_LEVEL: Mapping[object, Trust] = {level: level for level in TRUST_LEVELS}
_RANK: Mapping[object, int] = {level: rank for rank, level in enumerate(TRUST_LEVELS)}


def trust_in(marks: Mapping[str, Any]) -> Trust:
    """The level among the properties of a document or the attributes of a fact; an unknown level is not trusted."""
    return _LEVEL.get(marks.get(SOURCE_TRUST, OWNER), TRUST_LEVELS[-1]) if marks else OWNER


def outranks(one: Trust, other: Trust) -> bool:
    """Whether one level is trusted more than another."""
    return _RANK[one] < _RANK[other]


def lower_trust(one: Trust, other: Trust) -> Trust:
    """The less trusted of two levels."""
    return other if outranks(one, other) else one


def is_low(trust: Trust) -> bool:
    """Whether a level is below `known`."""
    return outranks("known", trust)


def higher_trust(one: Trust, other: Trust) -> Trust:
    """The more trusted of two levels."""
    return one if outranks(one, other) else other


def claims_of(properties: Mapping[str, Any]) -> set[str]:
    """The properties of an entity that only less trusted sources gave it."""
    found = properties.get(CLAIMED_PROPERTIES) if properties else None
    return {str(each) for each in found} if isinstance(found, list | tuple) else set()


def with_name_trust(properties: Mapping[str, Any], trust: Trust) -> Mapping[str, Any]:
    """The properties of an entity with the level of who named it; owner and known sources leave no mark.

    What an entity had before its name was trusted stays a claim.
    """
    is_marked = is_low(trust)
    if not is_marked and SOURCE_TRUST not in properties:
        return properties
    kept = {key: value for key, value in properties.items() if key not in (SOURCE_TRUST, CLAIMED_PROPERTIES)}
    if is_marked:
        return kept | {SOURCE_TRUST: trust}
    return kept | {CLAIMED_PROPERTIES: sorted(kept)} if kept and is_low(trust_in(properties)) else kept


def without_marks(properties: Mapping[str, Any]) -> dict[str, Any]:
    """The properties that a document states itself, without those that were added when it was ingested."""
    return {key: value for key, value in properties.items() if key not in _FOUND}


def suspicions_in(marks: Mapping[str, Any]) -> tuple[str, ...]:
    """Why a text looks like an attack, as determined when it was ingested."""
    found = marks.get(SUSPECT)
    return tuple(str(each) for each in found) if isinstance(found, list | tuple) else ()
