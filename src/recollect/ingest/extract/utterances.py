"""What people said in stored mails, notes and chats, sentence by sentence, with who said it to whom."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from itertools import islice
from typing import NamedTuple

from recollect.ingest.cut_texts import whole_sentences
from recollect.ingest.extract.chat_text import own_words
from recollect.ingest.extract.mail_text import new_text, own_text
from recollect.ingest.extract.passages import record_day
from recollect.ingest.extract.record_text import is_note
from recollect.ingest.parties import Party, parse_parties, parse_party
from recollect.ingest.party_resolver import PERSON
from recollect.ingest.record_types import CHAT_MESSAGE, CLASSIFICATION, document_field, record_type
from recollect.model.document import REMEMBERED, Document
from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.trust import OWNER, trust_in
from recollect.reading.blocks import Block, note_blocks, people_line
from recollect.reading.clause_segmentation import message_sentences
from recollect.reading.language import detect_language
from recollect.store import document_queries
from recollect.store.view import View
from recollect.text.wiki_links import plain_text
from recollect.when.instant import Instant, local_date
from recollect.write.lookup import by_identifier, by_name_or_alias
from recollect.write.owner import find_owner

_MOST_TEXTS = 60
"""Sentences of one document; what stands further down is not compared with items."""
_LONGEST_SENTENCE = 600
_SILENT_SECTIONS = frozenset({"ideas", "people"})
_CONVERSATION = "conversation"
_LETTER = re.compile(r"[^\W\d_]")
_REPLY = re.compile(r"^(?:\s*(?:re|aw|sv|odp|fwd?|wg|tr|rv|antw)\s*:)+\s*", re.IGNORECASE)
_LONGEST_SUBJECT, _LONGEST_BEFORE = 60, 90


class Sentence(NamedTuple):
    """A sentence and its place in the text of its document."""

    start: int
    text: str
    is_ticked: bool = False
    """Whether it is a task that is marked as done."""


@dataclass(frozen=True, slots=True)
class SpokenText:
    """A sentence of one author."""

    document: Document
    author: Entity
    addressees: frozenset[EntityId]
    at: Instant
    sentence: Sentence
    language: str = "en"
    """Of the whole text: a short sentence alone does not tell."""
    before: str = ""
    """The end of what the author said before it in the same text."""
    addressee_names: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return " ".join(self.sentence.text.split())

    @property
    def subject(self) -> str:
        """What the text is about by its title, without the marks of an answer."""
        title = _REPLY.sub("", self.document.title or "")
        return title[:_LONGEST_SUBJECT] if _LETTER.search(title) else ""

    @property
    def threads(self) -> frozenset[str]:
        thread = self.document.properties.get("thread_id")
        return frozenset({str(thread)}) if thread is not None else frozenset()


@dataclass(slots=True)
class SpokenTexts:
    """Reads the texts of documents; people are looked up, never created."""

    view: View

    def of(self, document: Document) -> list[SpokenText]:
        """What was said in a document, by its author or, in a chat, by the owner; nothing of noise and trackers."""
        text = self.view.text_of(document) if document.properties.get(CLASSIFICATION) in (None, "relevant") else None
        if not text or document.deleted:
            return []
        if document.kind == _CONVERSATION:
            return _with_context(islice(self._chat_texts(document, text), _MOST_TEXTS))
        author, text = self._author(document), whole_sentences(document, text)
        if author is None:
            return []
        sentences = (
            _note_sentences(text, self._day(document)) if _is_own_note(document) else _mail_sentences(text, author)
        )
        people = list(self._people(document, "recipients"))
        to, names = frozenset(each.id for each in people), tuple(each.name for each in people)
        language = detect_language(text) or "en"
        made = (
            SpokenText(document, author, to, document.source_at, each, language, addressee_names=names)
            for each in sentences
        )
        return _with_context(islice(made, _MOST_TEXTS))

    def _day(self, document: Document) -> date | None:
        return record_day(document, self.view.world.zone)

    def _author(self, document: Document) -> Entity | None:
        if document.type in ("email", CHAT_MESSAGE):
            return next(iter(self._people(document, record_type(document.type).speaker)), None)
        if _is_own_note(document) and trust_in(document.properties) == OWNER and document.author is None:
            return find_owner(self.view)
        return None

    def _people(self, document: Document, key: str) -> Iterator[Entity]:
        value = document_field(document, key)
        parties = parse_parties(value) if key == "recipients" else [each for each in (parse_party(value),) if each]
        for party in parties:
            found = self._person(party)
            if found is not None:
                yield found

    def _person(self, party: Party) -> Entity | None:
        if party.address is not None:
            found = by_identifier("email", PERSON).find_all(self.view, party.address)
            if found:
                return found[0]
        return by_name_or_alias(PERSON, or_unknown=True).find_only(self.view, party.name) if party.name else None

    def _chat_texts(self, document: Document, text: str) -> Iterator[SpokenText]:
        owner = find_owner(self.view)
        for message in document_queries.messages_of(self.view, document.id) if owner is not None else ():
            if message.role != "user" or message.at is None or owner is None:
                continue
            said = own_words(text[message.start : message.stop])
            blocks = note_blocks(said, local_date(message.at, self.view.world.zone))
            for each in _block_sentences(blocks):
                placed = each._replace(start=each.start + message.start)
                yield SpokenText(document, owner, frozenset(), message.at, placed, detect_language(said) or "en")


def _with_context(texts: Iterable[SpokenText]) -> list[SpokenText]:
    """The texts of one document, each with the end of the one before it."""
    found = list(texts)
    before = ["", *(each.text[-_LONGEST_BEFORE:] for each in found)]
    return [replace(each, before=ahead) for each, ahead in zip(found, before, strict=False)]


def _is_own_note(document: Document) -> bool:
    return is_note(document) or document.properties.get(REMEMBERED) is True


def _mail_sentences(text: str, author: Entity) -> Iterator[Sentence]:
    """The sentences of a mail; each line of a list, and each that nobody wrapped, is one by itself."""
    own = new_text(
        text, frozenset({author.name.casefold(), author.name.split()[0].casefold(), author.name[:1].casefold()})
    )
    return _block_sentences(note_blocks(own, None, is_mail=True))


def _note_sentences(text: str, day: date | None) -> Iterator[Sentence]:
    """The sentences of a note, each line or item by itself, at their places in what was written."""
    plain = plain_text(text)
    for each in _block_sentences(note_blocks(own_text(plain.text), day)):
        yield each._replace(start=plain.place(each.start))


def _block_sentences(blocks: Iterable[Block]) -> Iterator[Sentence]:
    for block in blocks:
        is_ticked = block.marks is not None and block.marks.state == "done"
        is_silent = block.kind in ("heading", "table_row") or (block.kind == "task" and not is_ticked)
        if is_silent or block.section in _SILENT_SECTIONS or people_line(block.text) is not None:
            continue
        for span in message_sentences(block.text):
            if span.stop - span.start <= _LONGEST_SENTENCE and _LETTER.search(block.text, span.start, span.stop):
                yield Sentence(block.start + span.start, block.text[span.start : span.stop], is_ticked)
