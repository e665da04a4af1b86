"""Reports on open items: `I won't repaint the shed after all` cancels the one with its verb and content words."""

import re
from collections.abc import Collection
from dataclasses import dataclass, field

from recollect.ingest.notes.fact_request import ClaimRequest, EndRequest
from recollect.ingest.notes.reader import NoteSentence
from recollect.model.entity import Entity
from recollect.model.ids import EntityId, FactId
from recollect.reading.guards import is_not_claimed
from recollect.reading.phrases import is_name, words_of
from recollect.reading.state_time import UnreadableTime, take_times
from recollect.reading.state_words import RESTRICTIONS
from recollect.reason.item_lookup import judge_items_of
from recollect.reason.item_words import completion_terms, item_terms
from recollect.reason.open_items import CANCELLATION, ItemFact, identity_of, owner_of
from recollect.store.change import Change
from recollect.text.patterns import lazy_pattern
from recollect.text.verbs import is_past_form
from recollect.when.instant import Instant, local_date
from recollect.write.entity_refs import AmbiguousName, NamedRef, find
from recollect.write.fact_draft import FactDraft
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
_ANY_DEED = frozenset(
    "booked cancelled canceled closed completed delivered did done finished fixed handed made paid resolved sent "
    "settled shipped signed solved submitted".split()
)
"""Verbs that may report whatever was promised; others report only what was promised in the same words."""
_NOT_FINAL = RESTRICTIONS | {"today", "tonight", "now", "alone", "if"}


@dataclass
class ItemReports:
    """Recognizes reports on the items that were open when the call began."""

    change: Change
    own: Collection[FactId] = ()
    """Facts that the note itself made known when it was read before: what they close was open."""
    until: Instant | None = None
    """Items that were told later are none that the note can report on."""
    _open: dict[EntityId, list[ItemFact]] = field(default_factory=dict)

    def read(self, sentence: NoteSentence, source_at: Instant) -> ClaimRequest | None:
        """The report that a sentence makes on an open item of its speaker."""
        said = " ".join(sentence.record.masked_text.split())
        if not sentence.is_meant or is_not_claimed(said) or said.endswith("?"):
            return None
        match = _DROPPED.match(said)
        return self._dropped(match, sentence, source_at) if match is not None else None

    def is_of_another_deed(self, draft: FactDraft) -> bool:
        """Whether a report is about the thing of an open item and yet tells of something else done with it."""
        match = _DONE.match(" ".join((draft.source.quote or "").split()))
        if draft.kind.fact_type != "completion" or match is None or match["verb"] in _ANY_DEED:
            return False
        speaker = self.change.entity(draft.subject)
        about = self._items_about(match, speaker) if speaker is not None and is_past_form(match["verb"]) else []
        return bool(about) and not any(item_terms(match["verb"]) <= item_terms(item.text) for item in about)

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
            return bool(take_times(text, local_date(source_at, self.change.world.zone), self.change.world.zone).times)
        except UnreadableTime:
            return True

    def _items_meant(self, match: re.Match[str], sentence: NoteSentence) -> list[ItemFact]:
        """The open items with the verb and the content words of a sentence."""
        speaker = self._speaker(match["who"], sentence)
        about = self._items_about(match, speaker) if speaker is not None else []
        return [item for item in about if item_terms(match["verb"]) <= item_terms(item.text)]

    def _items_about(self, match: re.Match[str], speaker: Entity) -> list[ItemFact]:
        terms = completion_terms(match["what"], (speaker.name,)) - item_terms(match["verb"])
        return [
            item for item in self._open_items(speaker.id) if terms and terms <= item_terms(f"{item.text} {item.target}")
        ]

    def _speaker(self, who: str, sentence: NoteSentence) -> Entity | None:
        if who in ("I", "We", "we"):
            return find_owner(self.change) if sentence.is_owners else None
        try:
            return find(self.change, NamedRef(who)) if is_name(who) else None
        except AmbiguousName:
            return None

    def _open_items(self, entity: EntityId) -> list[ItemFact]:
        if entity not in self._open:
            judged = judge_items_of(self.change, {entity})
            own = [item for item in judged.items if (owner := owner_of(item)) is not None and owner.id == entity]
            closed = judged.closings.closed
            over = {item for item, closing in closed.items() if closing.fact not in self.own}
            self._open[entity] = [item for item in own if item.id not in over and self._was_told(item)]
        return self._open[entity]

    def _was_told(self, item: ItemFact) -> bool:
        return self.until is None or item.latest.at <= self.until


def _end(match: re.Match[str]) -> EndRequest:
    if match["who"] in ("I", "We", "we"):
        return EndRequest("Me", is_owner=True)
    return EndRequest(match["who"], is_guess=True)
