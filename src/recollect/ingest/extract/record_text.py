"""Reading the text of a record: its people, its passages and the facts in them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from recollect.ingest.extract.passages import (
    RecordPassage,
    attendees,
    date_hint,
    date_order,
    record_day,
    record_kind,
    record_passages,
)
from recollect.ingest.extract.text_facts import SpeakerContext, TextFacts
from recollect.ingest.extract.text_people import PeopleDirectory, TextPeople, as_person
from recollect.ingest.extract.work_notes import is_about_work
from recollect.ingest.party_resolver import PartyResolver
from recollect.ingest.record_types import CHAT_MESSAGE, GENERIC, record_type
from recollect.model.document import Document
from recollect.model.entity import NAME_LIMIT, Entity
from recollect.model.ids import EntityId
from recollect.model.trust import OWNER, trust_in
from recollect.reading.context import Context, Person
from recollect.reading.language import detect_language
from recollect.store.change import Change
from recollect.text.fold import fold_text
from recollect.text.stop_words import STOP_WORDS
from recollect.text.tokens import name_tokens
from recollect.text.wiki_links import PlainText, plain_text
from recollect.text_models.sentence import SentenceReader
from recollect.write.fact_draft import FactDraft
from recollect.write.owner import UNNAMED, find_or_create_owner, profile_in

_NOTE_KEYS = ("note:", "note_")
"""Keys of the owner's notes; a record of a bundle that names no author is nobody's."""
LANGUAGE = "language"
_TOKENS_KEPT = 8_192
_CAPITALIZED = re.compile(r"(?<![\w-])[^\W\d_a-z][\w'’-]*[^\W\d_][\w'’-]*")


@dataclass(slots=True)
class ReadingRun:
    """What one run of reading keeps between records."""

    directory: PeopleDirectory = field(default_factory=PeopleDirectory)
    reader: SentenceReader | None = None
    _owner: EntityId | None = None

    def owner(self, change: Change) -> Entity:
        """The owner's entity, created when it is first needed."""
        known = change.survivor(self._owner) if self._owner is not None else None
        if known is None:
            known = find_or_create_owner(change)
            self._owner = known.id
            self.directory.note(known, change.tx)
        return known


@dataclass(slots=True)
class TextResult:
    """The facts of a text, the words that later names are awaited by, and whom the text names."""

    drafts: list[FactDraft] = field(default_factory=list)
    awaited: set[str] = field(default_factory=set)
    people: set[EntityId] = field(default_factory=set)
    pending: int = 0
    reason: str | None = None
    """Why nothing was read."""
    unread: int = 0
    """Passages that were not read since the record has too many facts."""


def is_note(document: Document) -> bool:
    """Whether a record is a note from a file, whose front matter may say something though its text does not."""
    return document.key.startswith(_NOTE_KEYS)


def read_text(
    change: Change, document: Document, text: str, resolver: PartyResolver, run: ReadingRun, *, has_projects: bool
) -> TextResult:
    """The facts that the text of a record states."""
    plain = plain_text(text) if is_note(document) else None
    text = text if plain is None else plain.text
    language = detect_language(text)
    if not language:
        return TextResult(reason=LANGUAGE)
    people = TextPeople(change, run.directory)
    speaker = _Speaker(change, document, resolver, run, _is_owners(document, resolver))
    context = _context(change, document, text, resolver, people, speaker, language)
    addressed = _addressed(document, resolver)
    facts = TextFacts(
        change, document, people, SpeakerContext(speaker.entity, addressed, speaker.is_owner), has_projects
    )
    if document.type in ("email", CHAT_MESSAGE) or record_type(document.type) is GENERIC:
        facts.reader = run.reader  # it has learned from mails, notes and chats, not from trackers
    if context.anchor is None:
        facts.hint = date_hint(document, text, context.date_order)
    passages = list(record_passages(document, text, context))
    if is_note(document) and is_about_work(document):
        passages = [each for each in passages if each.block.kind == "task"]
    drafts = facts.drafts(passages)
    awaited = _awaited_words(document.title, passages, facts.read_texts) - people.known_words()
    if facts.page is not None:
        people.created.add(facts.page.id)
    drafts = drafts if plain is None else [_quoted_as_written(each, plain) for each in drafts]
    return TextResult(drafts, awaited, people.created, facts.pending, unread=facts.unread)


def _quoted_as_written(draft: FactDraft, plain: PlainText) -> FactDraft:
    quote = draft.source.quote
    return draft if quote is None else draft._replace(source=draft.source._replace(quote=plain.quote(quote)))


@dataclass(frozen=True, slots=True)
class _Speaker:
    """The author of a record, else its owner; the owner's entity is created only when a fact needs it."""

    change: Change
    document: Document
    resolver: PartyResolver
    run: ReadingRun
    is_owner: bool

    def entity(self) -> Entity | None:
        if self.is_owner:
            return self.run.owner(self.change)
        return self.resolver.person_in(record_type(self.document.type).speaker)

    def person(self) -> Person | None:
        if self.is_owner:
            return Person(profile_in(self.change).name or UNNAMED)
        found = self.entity()
        return as_person(found) if found is not None else None


def _is_owners(document: Document, resolver: PartyResolver) -> bool:
    """Whether a record holds the owner's own words."""
    key = record_type(document.type).speaker
    is_own = trust_in(document.properties) == OWNER and is_note(document)
    return is_own and (not resolver.parties(key) or is_about_work(document))


def _addressed(document: Document, resolver: PartyResolver) -> list[Entity]:
    """To whom a mail or a message was written."""
    return resolver.people("recipients") if document.type in ("email", CHAT_MESSAGE) else []


def _context(
    change: Change,
    document: Document,
    text: str,
    resolver: PartyResolver,
    people: TextPeople,
    speaker: _Speaker,
    language: str,
) -> Context:
    zone = change.timeline.zone
    kind = record_kind(document, text)
    if kind == "mail":
        people.add(each for key in record_type(document.type).people for each in resolver.people(key))
    else:
        found = (people.resolve(name, may_create=True) for name in attendees(document, text))
        people.add([each for each in found if each is not None])
    addressed = _addressed(document, resolver)
    return Context(
        kind,
        record_day(document, zone),
        zone,
        speaker.person(),
        tuple(as_person(each) for each in addressed),
        people.persons_in(text),
        None,
        date_order(change.world.settings, language, zone),
        language,
        is_fictional=change.timeline.is_fictional,
    )


def _awaited_words(title: str | None, passages: Sequence[RecordPassage], read: list[str]) -> set[str]:
    """The words of the clauses that were read, and those with a capital elsewhere: they may name somebody later."""
    named = {word for passage in passages for word in _CAPITALIZED.findall(passage.text)}
    if not read and not named:
        return set()
    text = " ".join([title or "", *named, *read])
    return {word for token in set(name_tokens(fold_text(text))) if (word := awaited_token(token))}


@lru_cache(_TOKENS_KEPT)
def awaited_token(token: str) -> str | None:
    """A token as it is awaited: without the signs around it; none if it is too common, or no word at all."""
    word = token.strip("\"'“”‘’«»„()[]{}<>,;:!?…*#`~|=+&@^%$").removesuffix("'s")
    return word if 1 < len(word) <= NAME_LIMIT and word not in STOP_WORDS else None
