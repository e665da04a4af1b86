"""Facts from the text of a record: its passages are read clause by clause, and what a clause states becomes a draft."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time

from recollect.errors import Refused
from recollect.ingest.extract.clause_acts import (
    LABELS,
    act_in,
    may_be_of_thing,
    narrow_type,
    reading_marks,
    widen_to_sentences,
)
from recollect.ingest.extract.dialogues import NO_DIALOGUE, Dialogue, dialogue_in
from recollect.ingest.extract.entity_pages import (
    front_matter_facts,
    is_about_somebody,
    key_value,
    page_entity,
    property_fact,
)
from recollect.ingest.extract.facts import PROJECT, record_source
from recollect.ingest.extract.issue_text import act_in_issue
from recollect.ingest.extract.model_readings import read_by_model
from recollect.ingest.extract.note_structure import BlockAct, block_act, time_of
from recollect.ingest.extract.passages import RecordPassage
from recollect.ingest.extract.state_facts import state_facts
from recollect.ingest.extract.text_people import TextPeople
from recollect.ingest.extract.third_person import is_of_unnamed, named_speaker
from recollect.ingest.party_resolver import PERSON
from recollect.ingest.record_types import is_of_tracker
from recollect.ingest.statements import parse_time
from recollect.model.certainty import Certainty, complete_confidence
from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.fact import LASTING, PENDING_TIME, TIME_TEXT
from recollect.model.names import fold
from recollect.model.sentence import fact_sentence
from recollect.model.similarity import to_snake_case
from recollect.model.trust import OWNER, trust_in
from recollect.reading.attribute_patterns import LOCATED_IN
from recollect.reading.clause_reading import Act, ClauseReading, Doer, TimeReading
from recollect.reading.clause_time import event_phrase, with_following_deadlines
from recollect.reading.heading_dates import DateHint
from recollect.reading.reader import read_block
from recollect.reading.references import is_reference
from recollect.resolve.name_finder import find_entities_by_type
from recollect.store.change import Change
from recollect.text.patterns import lazy_pattern
from recollect.text_models.sentence import SentenceReader
from recollect.when.instant import DAY, Instant
from recollect.when.period import Time
from recollect.write.fact_draft import FactDraft, FactKind

MAX_FACTS = 400
"""Of one record; the passages behind them are counted as unread."""
CLAUSES_FOR_MODEL = 500
"""Of one record; rules read the rest. A record is read while others wait to write, and a clause takes about 20 ms."""
MOST_WORDS = 1_500
_BINDING: frozenset[Act] = frozenset({"commitment", "request"})
_WITH_DUE: frozenset[Act] = frozenset({"commitment", "request", "goal"})
_ABOUT_PAGE: frozenset[Act | None] = frozenset(
    {None, "attribute", "relation", "event", "preference", "commitment", "request", "completion"}
)
_POINTING: frozenset[Act | None] = frozenset({None, "attribute", "event", "request", "relation", "completion"})
"""Acts that a sentence pointing at a record or page may be taken for."""
_STATING: frozenset[Act | None] = frozenset({None, "attribute", "relation", "event"})
"""Acts beside which the states of a clause say all that it tells."""
_LONGEST_PROPERTY = 200
_FIRST_PERSON = lazy_pattern(r"\b(?:i|we|i'll|we'll|me|my|our|us)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SpeakerContext:
    """Who speaks in a record, found or created when first needed, and whom the record addresses."""

    speaker: Callable[[], Entity | None]
    recipients: Sequence[Entity] = ()
    is_owner: bool = False
    """Whether the words are the owner's own, who asks nobody but himself to do something."""


@dataclass(slots=True)
class TextFacts:
    """Drafts the facts of one record and counts the times that could not be read."""

    change: Change
    document: Document
    people: TextPeople
    speaking: SpeakerContext
    has_projects: bool = True
    pending: int = 0
    hint: DateHint | None = None
    reader: SentenceReader | None = None
    clauses_for_model: int = CLAUSES_FOR_MODEL
    page: Entity | None = None
    dialogue: Dialogue = NO_DIALOGUE
    accepts: Callable[[ClauseReading], bool] = lambda _: True
    """Whether a fact is drafted for a clause; its span is that in the text of the record."""
    take_states: Callable[[ClauseReading], None] | None = None
    """Given the clauses that assert states, whose facts are then the caller's; without it they are drafted here."""
    read_texts: list[str] = field(default_factory=list)
    """The clauses that facts came from."""
    unread: int = 0

    def drafts(self, passages: Sequence[RecordPassage]) -> list[FactDraft]:
        """The facts of the record's front matter and text."""
        self.page = page_entity(self.change, self.document, self.people)
        found = list(self._front_matter())
        self.dialogue = dialogue_in(passages, self.people)
        for number, passage in enumerate(passages):
            if len(found) >= MAX_FACTS:
                self.unread = len(passages) - number
                break
            found += self._passage_drafts(passage)
        return self._with_projects(found)

    def _front_matter(self) -> Iterator[FactDraft]:
        page = self.page
        found = front_matter_facts(self.change, self.document, self.people) if page is not None else ()
        for predicate, target, literal in found:
            if page is not None and (target is None or target.id != page.id):
                yield self._property_draft(page, predicate, target, literal)

    def _property_draft(
        self, subject: Entity, predicate: str, target: Entity | None, literal: str | None, quote: str | None = None
    ) -> FactDraft:
        certainty: Certainty = "inferred" if self._is_hearsay(subject) else "stated"
        kind = FactKind("AFFILIATED", predicate, None, complete_confidence(certainty))
        words = fact_sentence(subject.name, predicate, target.name if target is not None else literal)
        source = record_source(self.change, self.document)
        if quote:
            source = source._replace(quote=quote)
        return FactDraft(subject.id, target and target.id, literal, kind, self.document.source_at, source, words)

    def _passage_drafts(self, passage: RecordPassage) -> Iterator[FactDraft]:
        speaker = self.speaking.speaker
        passage, named = named_speaker(passage, self.people.resolve, self.dialogue)
        act = block_act(passage, self.people)
        act = act_in_issue(act, passage) if is_of_tracker(self.document.type) else act
        if act.is_silent:
            return
        readings = read_block(passage.text, passage.context) if len(passage.text) <= MOST_WORDS * 4 else ()
        if self.reader is not None and act.act is None and self.clauses_for_model > 0:
            self.clauses_for_model -= len(readings)
            readings = read_by_model(readings, passage.context, self.reader)
        readings = with_following_deadlines(readings)
        if act.act is not None:
            yield from self._structured_draft(passage, act, readings, named or speaker)
            return
        for reading in widen_to_sentences(passage.text, readings):
            if len(reading.text) <= MOST_WORDS:
                yield from self._clause_drafts(passage, reading, named, speaker)

    def _structured_draft(
        self,
        passage: RecordPassage,
        act: BlockAct,
        readings: Sequence[ClauseReading],
        speaker: Callable[[], Entity | None],
    ) -> Iterator[FactDraft]:
        """The one fact of a task, a table row or an item under a heading such as Decisions."""
        text = passage.with_quotations(0, len(passage.text)).strip()
        if act.act is None or not passage.text.strip():
            return
        when = time_of(act, readings, passage.context)
        start = passage.start + len(passage.text) - len(passage.text.lstrip())
        reading = ClauseReading(
            text, start, start + len(text), act.act, time=when, fact_type=act.fact_type, decided_by="structure",
            modality="asked" if act.act == "question" else "asserted", shared=act.lead,
        )  # fmt: skip
        if not self.accepts(reading):
            return
        owners = [owner for name in act.owners if (owner := self.people.resolve(name, may_create=True)) is not None]
        if not owners and not act.owners:
            owners = [each for each in (speaker(),) if each is not None]
        yield from (self._draft(passage, reading, owner, None) for owner in owners)

    def _clause_drafts(
        self,
        passage: RecordPassage,
        reading: ClauseReading,
        named: Callable[[], Entity | None] | None,
        speaker: Callable[[], Entity | None],
    ) -> Iterator[FactDraft]:
        if reading.states and self.take_states is not None:
            self.take_states(_placed(reading, passage))
        if self.page is not None and is_about_somebody(self.page) and self._is_about_page(passage, reading):
            yield self._page_draft(self.page, reading)
            return
        stated = list(self._state_drafts(passage, reading, named or speaker)) if reading.states else []
        if stated or any(each.predicate == LOCATED_IN for each in reading.states):
            yield from stated
            return
        is_meant = reading.is_fact or (reading.act is None and reading.modality == "asserted")
        if reading.act in _POINTING and is_meant and is_reference(" ".join(reading.text.split())):
            reading = reading._replace(act="reference", modality="asserted")
        if not reading.is_fact and reading.act != "question":
            return
        act = act_in(reading, passage, is_own=named is None and self.speaking.is_owner)
        if act is None or (named is None and is_of_unnamed(reading, passage, self.people.resolve)):
            return
        reading = _placed(reading._replace(act=act), passage)
        if not self.accepts(reading):
            return
        if named is not None and not self.dialogue.speakers and self._is_asked_of(reading, passage):
            subject, target = speaker(), named()
        else:
            subject, target = self._ends(reading, named or speaker)
        for doer in (subject, *self._others(reading)):
            if doer is not None:
                yield self._draft(passage, reading, doer, target)

    def _is_asked_of(self, reading: ClauseReading, passage: RecordPassage) -> bool:
        """Whether `NAME: send the list` in the owner's note asks NAME; a question is what NAME asks."""
        is_own_note = self.speaking.is_owner and passage.context.kind == "note"
        return reading.act == "request" and is_own_note and "?" not in reading.text

    def _others(self, reading: ClauseReading) -> Iterator[Entity | None]:
        others = reading.doer.others if reading.doer is not None else ()
        return (self.people.resolve(name, may_create=True) for name in others)

    def _is_about_page(self, passage: RecordPassage, reading: ClauseReading) -> bool:
        """Whether a clause on a page about somebody says something about them without naming anybody else."""
        if reading.act not in _ABOUT_PAGE or not (reading.is_fact or reading.act is None):
            return False
        if reading.act in _BINDING and (_FIRST_PERSON.search(reading.text) or self._is_project()):
            return False
        if reading.act in ("preference", "completion") and _FIRST_PERSON.search(reading.text):
            return False
        if reading.modality not in ("asserted", "habitual", "reported") or len(reading.text) > _LONGEST_PROPERTY:
            return False
        if passage.block.kind == "heading" or not any(letter.isalnum() for letter in reading.text):
            return False
        doer = reading.doer
        return doer is None or doer.kind in ("speaker", "addressee") or self._is_page(doer)

    def _is_project(self) -> bool:
        return self.page is None or self.page.type != PERSON

    def _is_page(self, doer: Doer) -> bool:
        found = self.people.resolve(doer.name) if doer.kind == "named" else None
        return found is not None and self.page is not None and found.id == self.page.id

    def _page_draft(self, page: Entity, reading: ClauseReading) -> FactDraft:
        text = " ".join(reading.text.split()).strip(" -–,;")
        pair = key_value(text)
        if pair is not None and (predicate := to_snake_case(pair[0])):
            found = property_fact(self.change, predicate, pair[1], self.people)
            draft = self._property_draft(page, *found, quote=reading.text.strip())
            if fold(reading.time.phrase) == fold(pair[1]):
                return draft  # the date is the value, not the time at which it holds
        else:
            draft = self._property_draft(page, "attribute", None, text, quote=reading.text.strip())
            draft = draft._replace(words=f"{page.name}: {text}")
        return self._timed(draft, reading, "attribute")

    def _state_drafts(
        self, passage: RecordPassage, reading: ClauseReading, own: Callable[[], Entity | None]
    ) -> Iterator[FactDraft]:
        is_change = reading.act == "completion" and all(each.tense == "change" for each in reading.states)
        if self.take_states is not None or not (reading.act in _STATING or is_change):
            return
        said_at = self._said_at(passage)
        for state in reading.states:
            for fact in state_facts(self.change, self.people, state, own, said_at):
                self.read_texts.append(" ".join(reading.text.split()))
                draft = self._property_draft(*fact[:4], quote=reading.text.strip())
                start, until = fact.bounds.valid_from, fact.bounds.valid_until
                yield draft._replace(source_at=said_at, valid_from=start, valid_until=until)

    def _ends(self, reading: ClauseReading, own: Callable[[], Entity | None]) -> tuple[Entity | None, Entity | None]:
        """Subject and object of a clause; no subject where somebody is meant who cannot be told."""
        doer, act = reading.doer, reading.act
        recipients = self.speaking.recipients
        only = recipients[0] if len(recipients) == 1 else None
        if act == "request":
            named = self._doer(doer.name, reading) if doer is not None and doer.name else only
            return (named, own()) if doer is not None and doer.kind == "speaker" else (own(), named)
        if doer is None or doer.kind in ("speaker", "we"):
            return own(), None
        if doer.kind == "addressee":
            return (only if act in _BINDING else own()), None
        found = self._doer(doer.name, reading)
        is_own = found is None and act not in _BINDING and act != "preference"
        return (own() if is_own else found), None

    def _doer(self, name: str, reading: ClauseReading) -> Entity | None:
        return self.people.resolve(name, may_create=True, may_be_thing=may_be_of_thing(reading))

    def _draft(
        self, passage: RecordPassage, reading: ClauseReading, subject: Entity, target: Entity | None
    ) -> FactDraft:
        act = reading.act or "attribute"
        label, type_ = LABELS[act]
        type_ = narrow_type(reading) or type_
        text = " ".join(reading.text.split())
        self.read_texts.append(text)
        text = f"{reading.shared} {text}".lstrip()
        words = text if fold(text).startswith(fold(subject.name)) else f"{subject.name}: {text}"
        is_reported = reading.modality == "reported" or self._is_hearsay(subject)
        certainty: Certainty = "inferred" if is_reported else "stated"
        confidence = reading.confidence if 0 < reading.confidence < 1 else None
        kind = FactKind(label, type_, None, complete_confidence(certainty, None, confidence))
        source = record_source(self.change, self.document)._replace(quote=reading.text.strip())
        draft = FactDraft(
            subject.id, target.id if target is not None else None, None, kind, self._said_at(passage), source, words,
            attributes=reading_marks(reading),
        )  # fmt: skip
        return self._timed(draft, reading, act)

    def _said_at(self, passage: RecordPassage) -> Instant:
        """When a passage was written: on the day above it or the one that its task was made, unless that lies ahead."""
        marks = passage.block.marks
        day = (marks.created if marks is not None else None) or passage.block.day
        said_at = self.document.source_at if day is None else self._start_of(day)
        return self.document.source_at if said_at > self.change.now + DAY else said_at

    def _is_hearsay(self, subject: Entity) -> bool:
        """Whether somebody who is not the owner speaks of somebody else."""
        if trust_in(self.document.properties) == OWNER:
            return False
        speaker = self.speaking.speaker()
        return speaker is None or speaker.id != subject.id

    def _start_of(self, day: date) -> Instant:
        zone = self.change.timeline.zone
        return Instant(int(datetime.combine(day, time(12), zone).timestamp()) * 1_000_000)

    def _timed(self, draft: FactDraft, reading: ClauseReading, act: Act) -> FactDraft:
        when = self._near(reading.time)
        if when.status == "none":
            event = event_phrase(reading.text.lower()) if act in _WITH_DUE else None
            return draft if event is None else draft._replace(attributes={**draft.attributes, TIME_TEXT: event})
        start = self._time(when.start, when) if when.status == "read" else None
        until = self._time(when.until, when) if when.status == "read" else None
        if when.status == "pending" or (start is None and until is None):
            return self._pending(draft, when)
        if act in _WITH_DUE and when.is_earliest:
            return draft._replace(attributes={**draft.attributes, TIME_TEXT: when.phrase})
        if when.role == "lasting" and act in _WITH_DUE:
            draft = draft._replace(attributes={**draft.attributes, LASTING: True})
        if act in _WITH_DUE:
            return draft._replace(
                valid_until=until or start, valid_from=start if until and when.role == "valid" else None
            )
        if start is not None and until is not None and start.lo > until.hi:
            return self._pending(draft, when)
        if when.role != "lasting" and (draft.kind.label == "TRANSITIONED" or act == "decision"):
            return draft._replace(valid_from=start or until, valid_until=until if when.granularity == "range" else None)
        is_end = when.granularity == "range" or when.role != "happened" or start is None
        return draft._replace(valid_from=start, valid_until=until if is_end else None)

    def _near(self, when: TimeReading) -> TimeReading:
        """A day without a year in a note without a date, in the year of the dates that the note gives."""
        day = self.hint.day_of(when.phrase) if when.status == "pending" and self.hint is not None else None
        if day is None:
            return when
        return replace(when, status="read", start=None if when.role == "due" else day, until=day)

    def _pending(self, draft: FactDraft, when: TimeReading) -> FactDraft:
        self.pending += 1
        return draft._replace(attributes={**draft.attributes, TIME_TEXT: when.phrase, PENDING_TIME: True})

    def _time(self, day: date | None, when: TimeReading) -> Time | None:
        """A day on the workspace's timeline; a fictional calendar has none for it."""
        if day is None:
            return None
        text = day.isoformat()
        text = text[:4] if when.granularity == "year" else text[:7] if when.granularity == "month" else text
        try:
            return parse_time(self.change, text, "time")
        except Refused:
            return None

    def _with_projects(self, drafts: list[FactDraft]) -> list[FactDraft]:
        """The drafts with the project that their words name, or else the title, as their object."""
        if not self.has_projects or not drafts:
            return drafts
        texts = [self.document.title or "", *(each.source.quote or "" for each in drafts)]
        in_title, *own = find_entities_by_type(self.change, texts, PROJECT)
        return [self._with_project(each, found or in_title) for each, found in zip(drafts, own, strict=True)]

    def _with_project(self, draft: FactDraft, found: list[Entity]) -> FactDraft:
        if draft.kind.label == "AFFILIATED" or (draft.object is not None and draft.kind.fact_type != "request"):
            return draft
        return draft._replace(object=found[0].id) if len(found) == 1 and found[0].id != draft.subject else draft


def _placed(reading: ClauseReading, passage: RecordPassage) -> ClauseReading:
    """A clause with its place in the text of the record and the words that it quotes."""
    words = passage.with_quotations(reading.start, reading.stop)
    return reading._replace(
        text=words if reading.text == passage.text[reading.start : reading.stop] else reading.text,
        start=reading.start + passage.start,
        stop=reading.stop + passage.start,
    )
