"""Reports on open items: `I called the landlord`, `I won't repaint the shed after all`.

Only an open item of the speaker makes such a sentence a report: its verb and all its content words are the item's.
"""

import re
from dataclasses import dataclass, field

from recollect.ingest.notes.clause_times import UnreadableTime, take_times
from recollect.ingest.notes.fact_request import ClaimRequest, EndRequest
from recollect.ingest.notes.phrases import is_name, words_of
from recollect.ingest.notes.reader import NoteSentence
from recollect.ingest.notes.reservations import is_not_claimed
from recollect.ingest.notes.word_lists import RESTRICTIONS
from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.reading.clause import clauses
from recollect.reason.item_lookup import judge_items_of
from recollect.reason.item_words import completion_terms, item_terms
from recollect.reason.open_items import CANCELLATION, ItemFact, identity_of, owner_of
from recollect.store.change import Change
from recollect.text.patterns import lazy_pattern
from recollect.text.verbs import is_past_form
from recollect.when.instant import Instant
from recollect.write.ends import AmbiguousName, End, find
from recollect.write.owner import find_owner

_SPEAKER = r"^(?P<who>I|[Ww]e|[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){0,3})"
_DONE = lazy_pattern(
    rf"{_SPEAKER}(?:['’]ve| have| has)? (?:(?:already|just|finally|now) )*(?P<verb>[a-z]+) (?P<what>.+?)[.!]*$"
)
_DROPPED = lazy_pattern(
    rf"{_SPEAKER}(?: won['’]t| will not|['’]m not going to| am not going to| is not going to| are not going to"
    r"| (?:do not|don['’]t|does not|doesn['’]t|no longer) (?:have|need|plan|intend) to)"
    r" (?P<what>(?P<verb>[a-z]+) .+?)(?: after all| any ?more| any longer)?[.!]*$"
)
_NOT_FINAL = RESTRICTIONS | {"today", "tonight", "now", "alone", "if"}


@dataclass
class ItemReports:
    """Recognizes reports on the items that were open when the call began."""

    change: Change
    _open: dict[EntityId, list[ItemFact]] = field(default_factory=dict)

    def read(self, sentence: NoteSentence, source_at: Instant) -> ClaimRequest | None:
        """The report that a sentence makes on an open item of its speaker."""
        said = " ".join(sentence.record.masked_text.split())
        if not sentence.is_meant or is_not_claimed(said) or said.endswith("?"):
            return None
        if match := _DROPPED.match(said):
            return self._dropped(match, sentence, source_at)
        match = _DONE.match(said)
        return self._done(match, sentence) if match and is_past_form(match["verb"]) else None

    def _done(self, match: re.Match[str], sentence: NoteSentence) -> ClaimRequest | None:
        parts = clauses(match[0])
        is_plain = len(parts) == 1 and parts[0].is_asserted and parts[0].polarity == "positive"
        if not is_plain or not self._items_meant(match, sentence):
            return None
        return ClaimRequest(_end(match), "completion", quote=sentence.record.quote, is_read=True)

    def _dropped(self, match: re.Match[str], sentence: NoteSentence, source_at: Instant) -> ClaimRequest | None:
        what = match["what"]
        if not _NOT_FINAL.isdisjoint(words_of(what)) or self._names_time(what, source_at):
            return None
        items = self._items_meant(match, sentence)
        if len({identity_of(item) for item in items}) != 1:
            return None
        item = max(items, key=lambda each: each.latest)
        return ClaimRequest(_end(match), CANCELLATION, replaces=item.id, quote=sentence.record.quote, is_read=True)

    def _names_time(self, text: str, source_at: Instant) -> bool:
        """Whether the words tell when: not then does not mean not at all."""
        try:
            return bool(take_times(text, source_at, self.change.world.zone).times)
        except UnreadableTime:
            return True

    def _items_meant(self, match: re.Match[str], sentence: NoteSentence) -> list[ItemFact]:
        speaker = self._speaker(match["who"], sentence)
        if speaker is None:
            return []
        verb, terms = (
            item_terms(match["verb"]),
            completion_terms(match["what"], (speaker.name,)) - item_terms(match["verb"]),
        )
        return [
            item
            for item in self._open_items(speaker.id)
            if terms and verb <= item_terms(item.text) and terms <= item_terms(f"{item.text} {item.target}")
        ]

    def _speaker(self, who: str, sentence: NoteSentence) -> Entity | None:
        if who in ("I", "We", "we"):
            return find_owner(self.change) if sentence.is_owners else None
        try:
            return find(self.change, End(who)) if is_name(who) else None
        except AmbiguousName:
            return None

    def _open_items(self, entity: EntityId) -> list[ItemFact]:
        if entity not in self._open:
            judged = judge_items_of(self.change, {entity})
            own = [item for item in judged.items if (owner := owner_of(item)) is not None and owner.id == entity]
            self._open[entity] = [item for item in own if item.id not in judged.closings.closed]
        return self._open[entity]


def _end(match: re.Match[str]) -> EndRequest:
    if match["who"] in ("I", "We", "we"):
        return EndRequest("Me", is_owner=True)
    return EndRequest(match["who"], is_guess=True)
