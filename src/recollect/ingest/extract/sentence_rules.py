"""Facts from the sentences of a record: promises, decisions, blockers, requests, resolutions."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from recollect.errors import Refused
from recollect.ingest.extract.facts import PROJECT, draft_fact, record_source
from recollect.ingest.extract.sentence_splitter import RecordSentence, split_sentences
from recollect.ingest.party_resolver import PERSON
from recollect.ingest.record_types import sender_zone
from recollect.model.document import Document
from recollect.model.entity import NAME_LIMIT, Entity
from recollect.model.fact import Label
from recollect.model.ids import EntityId
from recollect.model.names import fold, tokens
from recollect.reading.deadlines import find_deadline
from recollect.reading.speech_acts import SpeechCue, classify_sentence, may_be_speech_act, minutes_speaker
from recollect.resolve.name_finder import find_names
from recollect.store.change import Change
from recollect.text.stop_words import STOP_WORDS
from recollect.when.instant import local_date
from recollect.when.parse import read_time
from recollect.when.period import Time
from recollect.write.fact_draft import FactDraft
from recollect.write.lookup import by_name_or_alias

WITH_DEADLINE = frozenset({"commitment", "promise", "request"})
_TRANSITION_TYPES = frozenset({"resolution"})
MAX_TEXT_CHARS = 200_000
MAX_SENTENCES = 400
MAX_SENTENCE_CHARS = 1_500
"""Longer ones are not sentences."""
_TEXT_SEPARATOR = " \N{PILCROW SIGN} "  # no name goes on over it


@dataclass(frozen=True, slots=True)
class SpeechContext:
    """The speaker of a record, resolved when first needed, and its recipients."""

    speaker: Callable[[], Entity | None]
    recipients: Sequence[Entity]


def candidate_sentences(text: str | None) -> list[RecordSentence]:
    """The sentences that may state a fact, depending on known names."""
    found = split_sentences(text[:MAX_TEXT_CHARS]) if text else []
    return [
        each for each in found if len(each.masked_text) <= MAX_SENTENCE_CHARS and may_be_speech_act(each.masked_text)
    ][:MAX_SENTENCES]


def awaited_words(text: str) -> set[str]:
    """The words of a text by which a name that comes later may matter to it."""
    return {word for token in tokens(fold(text)) if (word := awaited_token(token))}


def awaited_token(token: str) -> str | None:
    """A token as it is awaited: without the signs around it; none if it is too common, or no word at all."""
    word = token.strip("\"'“”‘’«»„()[]{}<>,;:!?…*#`~|=+&@^%$").removesuffix("'s")
    return word if 1 < len(word) <= NAME_LIMIT and word not in STOP_WORDS else None


def facts_from_sentences(
    change: Change,
    document: Document,
    found: Sequence[RecordSentence],
    speaking: SpeechContext,
    *,
    has_projects: bool = True,
) -> Iterator[FactDraft]:
    """The facts of these sentences, at most one of each."""
    cues = [(each, _sentence_cue(change, document, each)) for each in found]
    spoken = [(each, cue, _fact_subject(change, cue, speaking)) for each, cue in cues if cue is not None]
    telling = [(each, cue, subject) for each, cue, subject in spoken if subject is not None]
    if not telling:
        return
    texts = [document.title or "", *(each.masked_text for each, _, _ in telling)]
    in_title, *projects = find_projects(change, texts) if has_projects else [[] for _ in texts]
    for (each, cue, subject), own in zip(telling, projects, strict=True):
        yield _sentence_fact(change, document, each, cue, subject, _fact_object(cue, own or in_title, speaking))


def _sentence_cue(change: Change, document: Document, sentence: RecordSentence) -> SpeechCue | None:
    """What a sentence does and who does it; a name that begins a mail, though, is whom it greets."""

    def person(name: str) -> str | None:
        return _find_person(change, name)

    cue = classify_sentence(sentence.masked_text, person)
    if cue is None or cue.subject is not None or document.type == "email":
        return cue
    return SpeechCue(cue.fact_type, minutes_speaker(sentence.masked_text, person))


def _fact_subject(change: Change, cue: SpeechCue, speaking: SpeechContext) -> Entity | None:
    return change.entity(EntityId(cue.subject)) if cue.subject is not None else speaking.speaker()


def _fact_object(cue: SpeechCue, projects: Sequence[Entity], speaking: SpeechContext) -> Entity | None:
    if projects:
        return projects[0] if len(projects) == 1 else None
    return speaking.recipients[0] if cue.fact_type == "request" and len(speaking.recipients) == 1 else None


def _sentence_fact(
    change: Change, document: Document, sentence: RecordSentence, cue: SpeechCue, subject: Entity, target: Entity | None
) -> FactDraft:
    said = " ".join(sentence.quote.split())
    words = said if fold(said).startswith(fold(subject.name)) else f"{subject.name}: {said}"
    until = sentence_deadline(change, document, sentence.masked_text) if cue.fact_type in WITH_DEADLINE else None
    label: Label = "TRANSITIONED" if cue.fact_type in _TRANSITION_TYPES else "ASSERTED"
    source = record_source(change, document)._replace(quote=sentence.quote)
    return draft_fact(source, label, cue.fact_type, subject, target, words, "stated", document.source_at, until)


def sentence_deadline(change: Change, document: Document, sentence: str) -> Time | None:
    """The deadline in a sentence, relative to the day it was written, in the zone of a mail's sender.

    A fictional calendar has no day for a real date; there the deadline is dropped.
    """
    zone = sender_zone(document.type, document.properties) or change.timeline.zone
    try:
        due = find_deadline(sentence, local_date(document.source_at, zone))
        return read_time(due.isoformat(), change.timeline, change.now) if due is not None else None
    except Refused:
        return None


def _find_person(change: Change, name: str) -> str | None:
    """The id of the only person of this name or alias."""
    found = by_name_or_alias(PERSON).find_only(change, name)
    return found.id if found is not None else None


def find_projects(change: Change, texts: Sequence[str]) -> list[list[Entity]]:
    """For each text the known projects that it names, each once; all are looked through at once."""
    found: list[dict[EntityId, Entity]] = [{} for _ in texts]
    starts = list(accumulate((len(text) + len(_TEXT_SEPARATOR) for text in texts), initial=0))
    for spotted in find_names(change, _TEXT_SEPARATOR.join(texts)):
        entities = (change.entity(each) for each in spotted.entities)
        projects = {each.id: each for each in entities if each is not None and each.type == PROJECT}
        found[bisect_right(starts, spotted.start) - 1] |= projects
    return [list(each.values()) for each in found]
