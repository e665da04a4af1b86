"""Relations as English sentences: subject, verb phrase, object and time."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import EntityId, FactId
from recollect.model.labels import kind_of
from recollect.reason.lore.disputes import find_disputes
from recollect.reason.lore.existence import EVENT_TYPES
from recollect.reason.lore.lore_reader import LoreReader
from recollect.reason.lore.relation import Relation, stated_bounds
from recollect.when.instant import MAX
from recollect.when.period import Bounds, Time

_VERB_PHRASES: Mapping[str, str] = {
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
# Without an object the action was done to the subject, or has no agent.
_INTRANSITIVE_PHRASES: Mapping[str, str] = {
    "born": "was born",
    "died": "died",
    "founded": "was founded",
    "dissolved": "was dissolved",
    "baptised": "was baptised",
}
_ROLE_PHRASES: Mapping[tuple[str, str], str] = {
    ("parent_of", "father"): "was the father of",
    ("parent_of", "mother"): "was the mother of",
}
_TIME_RELATIONS = frozenset({"existed_during", "occurred_during"})


class RelationPhrase(NamedTuple):
    """A relation in words; the time is separate, since some styles put it first."""

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


def verbalize_relation(
    name: str,
    subject: str,
    target: str | None,
    valid_from: Time | None,
    valid_until: Time | None,
    attributes: Mapping[str, Any] | None = None,
) -> RelationPhrase:
    """A relation as a phrase; one whose object is a time only states when."""
    when = format_time_phrase(valid_from, valid_until, is_event=is_event_relation(name))
    if name in _TIME_RELATIONS:
        return RelationPhrase(subject, _VERB_PHRASES[name], "" if when or target is None else f"in {target}", when)
    return RelationPhrase(
        subject, verb_phrase(name, target is not None, (attributes or {}).get("role")), target or "", when
    )


def verb_phrase(name: str, has_target: bool = True, role: object = None) -> str:
    """The past-tense words between subject and object; an unknown relation is spelled as its name."""
    if not has_target and name in _INTRANSITIVE_PHRASES:
        return _INTRANSITIVE_PHRASES[name]
    if isinstance(role, str) and (name, role) in _ROLE_PHRASES:
        return _ROLE_PHRASES[name, role]
    return _VERB_PHRASES.get(name) or name.replace("_", " ")


def has_verb_phrase(name: str) -> bool:
    """Whether the relation has a verb phrase."""
    return name in _VERB_PHRASES


_EVENT_RELATIONS = frozenset(
    "born died buried_at founded dissolved created inherited_by occurred_at occurred_during caused preceded "
    "participated_in witnessed baptised concurrent_with".split()
)


def is_event_relation(name: str) -> bool:
    """Whether the relation is an event rather than a state."""
    return name in _EVENT_RELATIONS


def format_time_phrase(valid_from: Time | None, valid_until: Time | None, *, is_event: bool = False) -> str:
    """The time as an English phrase."""
    if valid_from is not None and valid_until is not None:
        if valid_from.text == valid_until.text:
            return f"in {valid_from}"
        return f"from {valid_from} until {valid_until}"
    if valid_from is not None:
        return f"in {valid_from}" if is_event else f"from {valid_from}"
    if valid_until is not None:
        return f"in {valid_until}" if is_event else f"until {valid_until}"
    return ""


NO_TIME = Bounds()
# A cause is dated by its start, however long it lasted.
CAUSAL_RELATIONS = frozenset({"caused", "preceded"})
_SENTENCE_END = re.compile(r"[.!?\n]")


class RelationSentence(NamedTuple):
    """A relation as a phrase with its time; an undated relation of an event has the event's time."""

    relation: Relation
    phrase: RelationPhrase
    time: Bounds
    disputed: bool = False

    @property
    def start(self) -> Time | None:
        return self.time.valid_from

    @property
    def order(self) -> tuple[int, int, FactId]:
        """By time, undated ones last, then by id."""
        start = self.start
        return (MAX, MAX, self.relation.id) if start is None else (start.lo, start.hi, self.relation.id)


def build_sentences(lore: LoreReader, relations: Iterable[Relation]) -> list[RelationSentence]:
    """A sentence for each relation, in the order given, without those that only repeat the date of an event."""
    given = list({each.id: each for each in relations}.values())
    entities = lore.ends_of(given)
    events = [end for end, entity in entities.items() if kind_of(entity).type in EVENT_TYPES]
    known = lore.event_times(events)
    times = {event: known[event] for event in events}
    rivals = find_disputes(lore, given)
    found = [_build_sentence(each, entities, times, each.id in rivals) for each in given]
    return _drop_repeats(found, times)


def _build_sentence(
    relation: Relation, entities: Mapping[EntityId, Entity], times: Mapping[EntityId, Bounds | None], disputed: bool
) -> RelationSentence:
    time = _time_of(relation, times)
    return RelationSentence(relation, _phrase_of(relation, entities, time), time, disputed)


def _phrase_of(relation: Relation, entities: Mapping[EntityId, Entity], time: Bounds) -> RelationPhrase:
    """The relation as a phrase; one without a verb phrase in its own words, if those are a single sentence."""
    words = (relation.fact.words or "").strip().rstrip(".")
    if words and not has_verb_phrase(relation.name) and not _SENTENCE_END.search(words):
        return RelationPhrase("", words, "", format_time_phrase(time.valid_from, time.valid_until))
    target = relation.literal if relation.object is None else entities[relation.object].name
    subject = entities[relation.subject].name
    times = time.valid_from, time.valid_until
    return verbalize_relation(relation.name, subject, target, *times, relation.attributes)


def _time_of(relation: Relation, times: Mapping[EntityId, Bounds | None]) -> Bounds:
    """A relation's own time, else that of the event at its subject, else at its object."""
    own = relation.fact.bounds if relation.fact.label == "ASSERTED" else stated_bounds(relation)
    if own != NO_TIME:
        return own
    event = next((time for end in relation.ends if (time := times.get(end)) is not None), own)
    return Bounds(event.valid_from, event.valid_from) if relation.name in CAUSAL_RELATIONS else event


def _drop_repeats(found: Sequence[RelationSentence], times: Mapping[EntityId, Bounds | None]) -> list[RelationSentence]:
    """The sentences without the bare dates of events whose time another sentence states."""
    dated = {
        end
        for each in found
        if each.relation.name != "occurred_during"
        for end in each.relation.ends
        if times.get(end) == each.time
    }
    return [each for each in found if not _is_repeat(each, dated, times)]


def _is_repeat(sentence: RelationSentence, dated: set[EntityId], times: Mapping[EntityId, Bounds | None]) -> bool:
    relation = sentence.relation
    is_bare = relation.name == "occurred_during" and relation.subject in dated
    return is_bare and times.get(relation.subject) == sentence.time and not sentence.disputed
