"""Promises, decisions, blockers and requests in the sentences of a note, with the time at which they are due."""

from recollect.ingest.extract.sentence_rules import (
    MAX_SENTENCE_CHARS,
    WITH_DEADLINE,
    SpeechContext,
    facts_from_sentences,
    sentence_deadline,
)
from recollect.ingest.notes.clause_times import UnreadableTime
from recollect.ingest.notes.due_times import due_time
from recollect.ingest.notes.reader import NoteSentence
from recollect.model.document import Document
from recollect.reading.speech_acts import classify_sentence, may_be_speech_act
from recollect.store.change import Change
from recollect.write.fact_draft import FactDraft
from recollect.write.owner import find_or_create_owner


def speech_acts(change: Change, note: Document, sentence: NoteSentence) -> list[FactDraft]:
    """A promise, decision, blocker or request that a sentence makes; the speaker is the owner."""
    words = sentence.record.masked_text
    if not sentence.is_meant or len(words) > MAX_SENTENCE_CHARS or not may_be_speech_act(words):
        return []
    cue = classify_sentence(words, lambda _: None)
    if cue is not None and cue.fact_type in WITH_DEADLINE and not _has_readable_time(change, words, note):
        return []
    speaking = SpeechContext(lambda: find_or_create_owner(change) if sentence.is_owners else None, ())
    drafts = facts_from_sentences(change, note, [sentence.record], speaking)
    return [due for each in drafts if (due := _with_due_time(change, words, each)) is not None]


def _has_readable_time(change: Change, words: str, note: Document) -> bool:
    """Whether a promise or request can be recorded with the time it names; asked before an owner is created for it."""
    try:
        deadline = sentence_deadline(change, note, words)
        if not change.timeline.is_fictional:
            due_time(words, note.source_at, change.world.zone, deadline)
        return True
    except UnreadableTime:
        return False


def _with_due_time(change: Change, words: str, draft: FactDraft) -> FactDraft | None:
    """The draft with the time at which it is due; none if that time is uncertain."""
    if draft.kind.fact_type not in WITH_DEADLINE or change.timeline.is_fictional:
        return draft
    try:
        return draft._replace(valid_until=due_time(words, draft.source_at, change.world.zone, draft.valid_until))
    except UnreadableTime:
        return None
