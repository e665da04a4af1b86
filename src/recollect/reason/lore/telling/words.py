"""One relation in plain words: who, what, whom, and when."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from recollect.when.period import Time

_PHRASES: Mapping[str, str] = {
    "rules": "ruled",
    "controls": "controlled",
    "member_of": "was a member of",
    "belongs_to": "belonged to",
    "serves": "served",
    "worships": "worshipped",
    "practices": "practised",
    "speaks": "spoke",
    "located_in": "was in",
    "resided_in": "lived in",
    "holds_title": "held the title",
    "claims_title": "claimed the title",
    "possesses": "possessed",
    "allied_with": "was allied with",
    "enemy_of": "was an enemy of",
    "at_war_with": "was at war with",
    "spouse_of": "was married to",
    "partner_of": "was a partner of",
    "sibling_of": "was a sibling of",
    "parent_of": "was a parent of",
    "descended_from": "was descended from",
    "cadet_of": "was a cadet branch of",
    "born": "was born in",
    "died": "died in",
    "buried_at": "was buried at",
    "founded": "founded",
    "dissolved": "dissolved",
    "existed_during": "existed",
    "created": "created",
    "inherited_by": "was inherited by",
    "part_of": "was part of",
    "capital_of": "was the capital of",
    "occurred_at": "occurred at",
    "occurred_during": "occurred",
    "caused": "caused",
    "preceded": "preceded",
    "concurrent_with": "happened at the same time as",
    "participated_in": "participated in",
    "witnessed": "witnessed",
    "occupation": "worked as",
    "baptised": "was baptised in",
}
# Without an object the deed was done to the subject, or by nobody in particular.
_ALONE: Mapping[str, str] = {
    "born": "was born",
    "died": "died",
    "founded": "was founded",
    "dissolved": "was dissolved",
    "baptised": "was baptised",
}
_ROLES: Mapping[tuple[str, str], str] = {
    ("parent_of", "father"): "was the father of",
    ("parent_of", "mother"): "was the mother of",
}
_OWN_TIME = frozenset({"existed_during", "occurred_during"})


class Said(NamedTuple):
    """A relation in words; the time stands apart, since some styles put it first."""

    subject: str
    deed: str
    target: str
    time: str

    @property
    def claim(self) -> str:
        """The claim without its time."""
        return " ".join(part for part in (self.subject, self.deed, self.target) if part)

    @property
    def statement(self) -> str:
        return f"{self.claim} {self.time}" if self.time else self.claim


def say_relation_in_words(
    name: str,
    subject: str,
    target: str | None,
    valid_from: Time | None,
    valid_until: Time | None,
    attributes: Mapping[str, Any] | None = None,
) -> Said:
    """What a relation says; one whose object is a time says when and no more."""
    when = time_words(valid_from, valid_until, is_event=is_event(name))
    if name in _OWN_TIME:
        return Said(subject, _PHRASES[name], "" if when or target is None else f"in {target}", when)
    return Said(subject, deed(name, target is not None, (attributes or {}).get("role")), target or "", when)


def deed(name: str, has_target: bool = True, role: object = None) -> str:
    """The words between subject and object, in the past; a relation of no table reads as it is called."""
    if not has_target and name in _ALONE:
        return _ALONE[name]
    if isinstance(role, str) and (name, role) in _ROLES:
        return _ROLES[name, role]
    return _PHRASES.get(name) or name.replace("_", " ")


def has_words(name: str) -> bool:
    """Whether it is known how a relation reads."""
    return name in _PHRASES


_EVENTS = frozenset(
    "born died buried_at founded dissolved created inherited_by occurred_at occurred_during caused preceded "
    "participated_in witnessed baptised concurrent_with".split()
)


def is_event(name: str) -> bool:
    """Whether the relation happens rather than lasts."""
    return name in _EVENTS


def time_words(valid_from: Time | None, valid_until: Time | None, *, is_event: bool = False) -> str:
    """When, in words around the times as they print."""
    if valid_from is not None and valid_until is not None:
        if valid_from.text == valid_until.text:
            return f"in {valid_from}"
        return f"from {valid_from} until {valid_until}"
    if valid_from is not None:
        return f"in {valid_from}" if is_event else f"from {valid_from}"
    if valid_until is not None:
        return f"in {valid_until}" if is_event else f"until {valid_until}"
    return ""
