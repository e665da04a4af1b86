"""The promises, requests and other acts that are read from a note, and their times."""

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from recollect.ingest.extract.passages import date_order, record_day, record_passages
from recollect.ingest.extract.text_facts import SpeakerContext, TextFacts
from recollect.ingest.extract.text_people import PeopleDirectory, TextPeople, as_person, looks_like_name
from recollect.ingest.notes.reader import NoteSentence
from recollect.ingest.notes.relatives import find_relative
from recollect.model.document import Document
from recollect.model.entity import NAME_LIMIT, UNKNOWN_TYPE
from recollect.model.ids import EntityId
from recollect.model.names import PEOPLE, fold
from recollect.reading.agents import is_hearsay
from recollect.reading.clause import clauses
from recollect.reading.clause_reading import Act, ClauseReading
from recollect.reading.context import Context, Person
from recollect.reading.hedges import is_not_claimed
from recollect.reading.language import detect_language
from recollect.reading.language_table import language_table
from recollect.reading.phrases import is_name, is_plural
from recollect.reading.state import State
from recollect.reading.state_lexicon import PREFERENCE_VERB
from recollect.resolve.name_finder import find_names
from recollect.store.change import Change
from recollect.text.lexicon import HONORIFIC_PATTERN
from recollect.text.markdown_lines import LIST_MARK
from recollect.text.patterns import lazy_pattern
from recollect.text.prompt_injection import find_suspicions
from recollect.text.verbs import is_past_form
from recollect.write.entity_refs import AmbiguousName, NamedRef, find
from recollect.write.fact_draft import FactDraft
from recollect.write.owner import UNNAMED, find_or_create_owner, find_owner, profile_in

_DAYS_OF_WEEK = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_PARTS = "(?:morning|noon|afternoon|evening|night|weekend|day|week|month|quarter|year|hour|minute)"
_DAY_WORD = f"(?:{_DAYS_OF_WEEK}|(?:working |business )?day)"
_HOW_OFTEN = "(?:hourly|nightly|daily|weekly|fortnightly|monthly|quarterly|yearly|annually)"
_TOLD_OFTEN = lazy_pattern(rf"^(?P<verb>\w+) {_HOW_OFTEN}$", re.IGNORECASE)
"""What is *reset nightly* is done to a thing; it is no value of it."""
# Times that name no single day or period.
_INDEFINITE = lazy_pattern(
    rf"\b(?:every|each)\s+(?:\w+\s+)?(?:{_PARTS}|{_DAYS_OF_WEEK})s?\b|\bon\s+{_DAYS_OF_WEEK}(?:s|\s+{_PARTS}s)\b"
    rf"|\b(?:first|second|third|fourth|last)\s+{_DAY_WORD}\s+(?:of|in)\s+(?:the|each|every)\s+{_PARTS}\b"
    rf"|\b(?:once|twice|(?:\w+|\d+) times)\s+(?:an?|every|each|per)\s+{_PARTS}\b|\b{_HOW_OFTEN}\W*$"
    r"|\b(?:some ?day|sometime|some time|eventually|at some point|one day|sooner or later)\b"
    rf"|\b(?:{_DAYS_OF_WEEK}|today|tomorrow|\d+)\s+or\s+(?:on\s+)?(?:{_DAYS_OF_WEEK}|tomorrow|\d+)\b",
    re.IGNORECASE,
)
# Times that need a day beside them.
_TIME_OF_DAY = lazy_pattern(
    r"\b(?:at|by|before|after|around|until|till)\s+(?:\d{1,2}(?:[:.]\d\d)?\s?(?:am|pm|a\.m|p\.m|o['’]clock)?(?![\w/])"
    r"|noon|midday|midnight|lunch ?time|night)"
    r"|\b(?:in|within)\s+(?:the\s+next\s+)?(?:an?|half an|\d+|a few|a couple of|two|three|four|five|six|ten|twenty)\s+"
    r"(?:seconds?|minutes?|mins?|hours?|days?|weeks?|months?|years?)\b"
    r"|\bin the (?:morning|afternoon|evening|future)\b"
    r"|\b(?:on|by|before|until)\s+\d{1,2}/\d{1,2}\b|\b\d{1,2}/\d{1,2}/\d{2,4}\b"
    rf"|\b(?:on|by|until|before|after|next|this)\s+(?:the\s+)?(?:{_DAYS_OF_WEEK}|\d{{1,2}}(?:st|nd|rd|th))\b",
    re.IGNORECASE,
)
_WITH_DUE = frozenset({"commitment", "request", "goal"})


def is_uncertain(reading: ClauseReading) -> bool:
    """Whether a clause names a time that cannot be placed, or one that gives no last day for what is to be done."""
    time = reading.time
    if time.status == "pending":
        return True
    if reading.act not in _WITH_DUE:
        return False
    if _INDEFINITE.search(reading.text):
        return True
    return time.until is None if time.status == "read" else _TIME_OF_DAY.search(reading.text) is not None


_ACTS: frozenset[Act | None] = frozenset(
    {
        "commitment", "request", "decision", "blocker", "completion", "cancellation", "concern", "goal", "preference",
        "reference",
    }
)  # fmt: skip
# That something does not work blocks nothing by itself.
_IDLE_CUES = frozenset({"not working"})
_REPORTS: frozenset[Act | None] = frozenset({"completion", "cancellation"})
# Of what was done only one particular thing is worth a report: the invoice, my tax return, INV-42, ticket 17, Bob.
_PARTICULAR = lazy_pattern(
    r"\b(?i:the|this|that|these|those|my|our|your|his|her|their|both|everything|all|it)\b"
    r"|['’]s \w|\w-\d|#\d|\s[A-Z]|[A-Za-z] \d+ (?:is|are|was|were|has been|have been) "
    r"|\b(?i:bill|booking|case|claim|invoice|issue|order|request|task|ticket) \d"
)
_STATE_OR_MOVE = lazy_pattern(r"\b(?:switched|moved|migrated|changed|used)\b|(?:['’]ve|\bhave) got\b", re.IGNORECASE)
_PRONOUN_OBJECT = lazy_pattern(r"\b(?:it|this|that|them|him|her|you|these|those|one)\W*$", re.IGNORECASE)
_UNTOLD = lazy_pattern(
    r"\bnot (?:to )?(?:say|tell|answer|comment|disclose|share|discuss|talk about)"
    r"(?: (?:on |about )?(?:it|this|that|more))?\W*$",
    re.IGNORECASE,
)
"""Who *prefers not to say* declines to answer."""
_PASSING_WISH = lazy_pattern(r"(?:\bwould|['’]d) like (?:an?|some) |\bonly\b", re.IGNORECASE)
_OF_SOMEBODY_ELSE = lazy_pattern(
    r"\W*(?:[Ss]he|[Hh]e|[Tt]hey|[Ii]t|[Yy]ou|(?!I\b|We\b)[A-ZÀ-Þ][\w'’-]*(?: [A-ZÀ-Þ][\w'’-]*)*) (?:[a-z'’]+ ){0,2}?"
    rf"{PREFERENCE_VERB}\b"
)
"""A preference of somebody who is not known to be one particular person."""
_FAVOURITE_OF_ANOTHER = lazy_pattern(
    r"(?:['’]s|s['’]|\b(?:his|her|their|your)) (?:[a-z]+ )?favou?rite\b", re.IGNORECASE
)
_DECIDING = lazy_pattern(r"\b(?:i|we|let['’]?s|us|our|my|team)\b|decid|decision|agree|approv|chose", re.IGNORECASE)
_OTHERS_AHEAD = lazy_pattern(r"\W*(?:she|he|they)(?:['’](?:ve|s|d))?\b", re.IGNORECASE)
# An order to the assistant is no task of the owner; to be reminded of one is.
_ORDER = lazy_pattern(
    r"^\W*(?:please )?(?:(?:call|tell|give|send|help|let|write|find|bring|make|get) (?:me|us)\b"
    r"|(?:rewrite|translate|summari[sz]e|explain|answer|list|show|compare|rephrase|proofread|shorten)\b"
    r"|(?:write|draft|compose|prepare) (?:\w+ ){0,2}(?:e?-?mail|reply|message|letter|text|answer|post|summary)\b"
    r"|keep (?:it|this|that|in mind)\b|remember (?:it|this|that)\b)",
    re.IGNORECASE,
)
_MANNER = lazy_pattern(
    r"^\W*(?:please )?(?:keep|use|reply|respond|format|speak|talk|quote|include|stop)\b",
    re.IGNORECASE,
)
_BAN = lazy_pattern(r"^\W*(?:please )?(?:don['’]?t|do not|never) (?!forget\b|let me forget\b)", re.IGNORECASE)
_FIRST_PERSON = lazy_pattern(r"\b(?:I|I['’]\w+|we|we['’]\w+)\b")
_SAME_IN_PAST = frozenset("read put set reset cut let shut quit hit split spread cast bet rid".split())
_ALSO_PAST = lazy_pattern(rf"^\W*(?:and |then )*(?:{'|'.join(sorted(_SAME_IN_PAST))})\b")
_PAST_BEFORE = lazy_pattern(
    r"\b(?:I|[Ww]e|[A-Z][\w'’-]+)(?:['’]ve| have| has)? (?:\w+ly |just |already )?(?P<verb>[a-z]+)\b"
)
"""In `I called Ben and read chapter 4` the second verb is told, not ordered."""
_ACTOR = lazy_pattern(
    rf"(?:(?m:^)[ \t]*(?:{LIST_MARK}[ \t]+)?|[.!?;:,]\s+|"
    rf"\b(?:and|but|so|then|asked|(?i:yesterday|today|tonight|tomorrow|weekend|{_DAYS_OF_WEEK}|{_PARTS}))\s+)"
    rf"(?P<name>(?:{HONORIFIC_PATTERN} )?[A-Z][\w'’-]+(?: [A-Z][\w'’-]+){{0,2}})(?=\s)"
)
_HAPPENS = lazy_pattern(
    r"\bwill (?:\w+ly |soon |then )?(?:go (?:up|down|bad|off|stale|sour)|rise|fall|increase|decrease|expire|melt|cost"
    r"|last|become|take (?:\w+ ){1,4}?(?:minute|hour|day|week|month|year)s?(?! off))\b",
    re.IGNORECASE,
)
"""What becomes of rents, milk and parcels, which promise nothing."""
_FULL_NAME = lazy_pattern(
    rf"\b(?:{HONORIFIC_PATTERN} )?(?P<first>[A-Z][\w'’-]+)(?= (?P<rest>[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+)?))"
)


@dataclass(slots=True)
class NoteActs:
    """The acts and states of one note by the sentence in which they stand, and the people whom they made known."""

    change: Change
    note: Document
    sentences: Sequence[NoteSentence]
    about: EntityId | None = None
    has_topic: bool = False
    states: dict[int, list[State]] = field(default_factory=dict)
    """What the sentences state, by the number of the sentence."""
    created: set[EntityId] = field(default_factory=set)
    _places: dict[str, int] = field(default_factory=dict)
    """By the words of a clause the number of its sentence."""
    _is_suspicious: bool = False

    def read(self, text: str) -> dict[int, list[FactDraft]]:
        """The drafts of the facts that the sentences state, by the number of the sentence."""
        people = TextPeople(self.change, PeopleDirectory(), self._full_names(text))
        language = detect_language(text)
        if not language:
            return {}
        self._is_suspicious = bool(find_suspicions(text))
        speaking = SpeakerContext(lambda: find_or_create_owner(self.change))
        facts = TextFacts(
            self.change, self.note, people, speaking, accepts=self._accepts, take_states=self._take_states
        )
        drafts = facts.drafts(list(record_passages(self.note, text, self._context(text, language))))
        self.created = people.created
        found: dict[int, list[FactDraft]] = {}
        for draft in drafts:
            found.setdefault(self._places[draft.source.quote or ""], []).append(self._about_topic(draft))
        return found

    def _context(self, text: str, language: str) -> Context:
        zone = self.change.timeline.zone
        return Context(
            "note",
            record_day(self.note, zone),
            zone,
            Person(profile_in(self.change).name or UNNAMED, tuple(owner_names(self.change))),
            people=tuple(self._people(text)),
            date_order=date_order(self.change.world.settings, language, zone),
            language=language,
            known=self._is_known,
            has_topic=self.has_topic,
            is_fictional=self.change.timeline.is_fictional,
        )

    def _is_known(self, name: str) -> bool:
        try:
            return (
                len(name) <= NAME_LIMIT
                and (find(self.change, NamedRef(name)) or find_relative(self.change, name)) is not None
            )
        except AmbiguousName:
            return True

    def _people(self, text: str) -> Iterator[Person]:
        """Known people whom the text names, and others with a capital who may act in it."""
        for span in find_names(self.change, text):
            entity = self.change.entity(span.entity) if span.entity is not None else None
            if entity is not None and entity.type in PEOPLE:
                known = as_person(entity)
                yield Person(known.name, (*known.forms, text[span.start : span.stop]))
        for name in dict.fromkeys(found["name"] for found in _ACTOR.finditer(text)):
            if self._may_be_person(name):
                yield Person(name)

    def _full_names(self, text: str) -> dict[str, str]:
        """By the first name by which a text calls somebody, the full name by which it did so before."""
        found = {}
        names: dict[str, set[str]] = {}
        full = deque(_FULL_NAME.finditer(text))
        for actor in _ACTOR.finditer(text):
            while full and full[0].end("rest") <= actor.start():
                each = full.popleft()
                named = f"{each[0]} {each['rest']}"
                known = names.setdefault(each["first"], set())
                if named not in known and self._may_be_person(named):
                    known.add(named)
            only = names.get(actor["name"], set())
            if len(only) == 1:
                found[actor["name"]] = next(iter(only))
        return found

    def _may_be_person(self, name: str) -> bool:
        if not looks_like_name(name) or not is_name(name) or is_plural(name):
            return False
        try:
            known = find(self.change, NamedRef(name))
        except AmbiguousName:
            return False
        return known is None or known.type in PEOPLE or known.type == UNKNOWN_TYPE

    def _take_states(self, reading: ClauseReading) -> None:
        at = self._sentence_at(reading)
        if at is not None:
            told = (state for state in reading.states if not _is_done_often(state.target or ""))
            self.states.setdefault(at, []).extend(filter(self.sentences[at].says, told))

    def _sentence_at(self, reading: ClauseReading) -> int | None:
        return next((at for at, each in enumerate(self.sentences) if each.record.stop > reading.start), None)

    def _accepts(self, reading: ClauseReading) -> bool:
        at = self._sentence_at(reading)
        if at is None or self._is_suspicious or reading.act not in _ACTS or reading.decided_by in _IDLE_CUES:
            return False
        sentence = self.sentences[at]
        if not sentence.is_meant or not sentence.is_owners or is_not_claimed(reading.text):
            return False
        if reading.act != "preference" and (_is_order(reading) or _follows_ban(reading, sentence.record.quote)):
            return False
        if reading.act == "commitment" and reading.doer is not None and _HAPPENS.search(reading.text):
            return False
        if reading.act in _REPORTS and is_hearsay(sentence.record.quote):
            return False
        if reading.act == "preference" and any(each.modality == "asked" for each in clauses(reading.text)):
            return False
        if reading.act in _WITH_DUE and _is_told_past(reading, sentence.record.quote):
            return False
        if _is_stated(reading) or not _is_particular(reading) or self._has_unread_time(reading):
            return False
        self._places.setdefault(reading.text.strip(), at)
        return True

    def _has_unread_time(self, reading: ClauseReading) -> bool:
        is_timed = reading.time.status != "none"
        return is_uncertain(reading) or (is_timed and self.change.timeline.is_fictional)

    def _about_topic(self, draft: FactDraft) -> FactDraft:
        start = draft.valid_from
        if draft.kind.fact_type == "completion" and start is not None and start.lo > self.change.world.present.hi:
            draft = draft._replace(valid_from=None)  # what is booked for a day ahead is done already
        if self.about is None or draft.object is not None or self.about == draft.subject:
            return draft
        return draft._replace(object=self.about)


def owner_names(change: Change) -> list[str]:
    """The names under which a note may give its owner a turn."""
    profile, owner = profile_in(change), find_owner(change)
    return [name for name in (profile.name, *profile.aliases, owner.name if owner else None) if name]


def _is_stated(reading: ClauseReading) -> bool:
    """Whether a state of the clause says the same: its value stands in the clause."""
    said = fold(reading.text)
    return any(fold(state.target) in said for state in reading.states if state.target)


def _is_done_often(target: str) -> bool:
    found = _TOLD_OFTEN.match(target)
    verb = found["verb"].lower() if found is not None else ""
    return is_past_form(verb) or verb in _SAME_IN_PAST or verb == "run"


def _is_told_past(reading: ClauseReading, sentence: str) -> bool:
    """Whether what looks like an order goes on telling what somebody did."""
    at = sentence.find(reading.text.strip()) if _ALSO_PAST.match(reading.text) else -1
    return at > 0 and any(is_past_form(found["verb"]) for found in _PAST_BEFORE.finditer(sentence[:at]))


def _is_order(reading: ClauseReading) -> bool:
    """Whether words tell the assistant what to do now, or how to answer from now on."""
    is_timeless = reading.time.status == "none"
    return bool(_ORDER.match(reading.text) or (is_timeless and _MANNER.match(reading.text)))


def _follows_ban(reading: ClauseReading, sentence: str) -> bool:
    """Whether words say what to do instead of what must not be done: a rule for every time, and no task."""
    is_timeless = reading.act in _WITH_DUE and reading.time.status == "none"
    return is_timeless and _BAN.match(sentence) is not None and not _FIRST_PERSON.search(sentence)


def _is_particular(reading: ClauseReading) -> bool:
    """Whether a report, preference or decision says what it is about, and that it is one."""
    if reading.act == "preference" and reading.doer is None and _OF_SOMEBODY_ELSE.match(reading.text):
        return False
    if reading.act == "preference" and _FAVOURITE_OF_ANOTHER.search(reading.text):
        return False
    if reading.act == "preference":
        return not any(each.search(reading.text) for each in (_PRONOUN_OBJECT, _PASSING_WISH, _UNTOLD))
    if reading.act == "decision" and reading.doer is None and _OTHERS_AHEAD.match(reading.text):
        return False
    if reading.act == "decision":
        return reading.decided_by == "structure" or _is_own_decision(reading.text)
    if reading.act not in _REPORTS:
        return True
    return _PARTICULAR.search(reading.text) is not None and _STATE_OR_MOVE.search(reading.text) is None


def _is_own_decision(text: str) -> bool:
    """Whether a decision is told as one of the writer, not of the government."""
    if detect_language(text) == "en":
        return _DECIDING.search(text) is not None
    return _is_of_writer(text)


def _is_of_writer(text: str) -> bool:
    """Whether a clause in another language than English says what its writer does or did."""
    table = language_table(detect_language(text))
    if table is None:
        return False
    low = text.lower()
    return bool(table.another.first.search(low) or (table.own_deed is not None and table.own_deed.search(low)))
