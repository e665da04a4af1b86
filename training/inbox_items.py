"""Items of an inbox beside sentences of later records, as the closure matcher reads them.

Each sentence is paired with the items that the product would compare it with, whether or not the rules found these
items. What follows the closing of an item is left out: it may tell of it again.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from random import Random
from typing import Any

from recollect.ingest.extract.closing_model import said_text
from recollect.ingest.extract.told_outcomes import read_report
from recollect.ingest.extract.utterances import SpokenText
from recollect.ingest.party_resolver import PERSON
from recollect.model.ids import EntityId, FactId
from recollect.reading.clause_segmentation import message_sentences
from recollect.reason.closures.closure_candidates import Candidate, ClosureCandidates, SaidText, pair_of
from recollect.reason.closures.open_items import ItemFact
from recollect.reason.fact_links import AssertionMoment, LinkEnd
from recollect.text_models.closure import Outcome
from recollect.when.instant import Instant, local_date
from recollect.write.lookup import by_name_or_alias
from training.inbox_files import Inbox, Record, record_text
from training.inbox_readings import InboxReading
from training.inbox_text import acts_of, bare, says

ITEM_ACTS = frozenset({"commitment", "request", "blocker"})
CLOSED: Mapping[str, Outcome] = {"done": "done", "cancelled": "cancelled", "moved": "moved"}
MOST_COMPARED = 16
UNLIKELY = 0.2
"""The share of sentences kept that rules would not give to the matcher."""


@dataclass(frozen=True, slots=True)
class LabelledItem:
    """An item, and the records and words that tell what became of it; `is_known` unless nobody wrote down which."""

    fact: ItemFact
    told: tuple[tuple[str, str, Outcome], ...]
    is_known: bool

    def outcome_in(self, record: str, text: str) -> Outcome:
        letters = bare(text)
        for name, words, outcome in self.told:
            if name == record and letters and (bare(words) in letters or bare(words).startswith(letters)):
                return outcome
        return "unrelated"

    def is_closed_in(self, record: str, text: str) -> bool:
        return self.outcome_in(record, text) not in ("unrelated", "progress")

    @property
    def closing_record(self) -> str | None:
        return next((name for name, _, outcome in self.told if outcome != "progress"), None)


def item_rows(inbox: Inbox, reading: InboxReading) -> Iterator[dict[str, Any]]:
    """Pairs of an item and a sentence with the outcome that the sentence tells."""
    pairing = Pairing.of(inbox, reading)
    for record, texts in said_in_order(inbox, reading):
        for text in texts:
            yield from ({"set": inbox.group, **row} for row in pairing.rows(record, text))
        pairing.drop_closed(record)


def said_in_order(inbox: Inbox, reading: InboxReading) -> list[tuple[str, list[SpokenText]]]:
    """The records that say something and their sentences, in the order of time."""
    said = [(record["id"], reading.said(record["id"])) for record in inbox.records]
    return sorted((each for each in said if each[1]), key=lambda each: (each[1][0].at, each[0]))


@dataclass(frozen=True, slots=True)
class Pairing:
    """The items of an inbox that are open, and what chooses those that a sentence is compared with."""

    items: dict[FactId, LabelledItem]
    candidates: ClosureCandidates
    local_day: Callable[[Instant], date | None]
    random: Random

    @classmethod
    def of(cls, inbox: Inbox, reading: InboxReading) -> "Pairing":
        items = {each.fact.id: each for each in _items(inbox, reading) if each.is_known}
        zone = reading.view.world.zone
        candidates = ClosureCandidates([each.fact for each in items.values()], lambda at: local_date(at, zone))
        return cls(items, candidates, candidates.local_day, Random(inbox.group))

    def said(self, text: SpokenText) -> tuple[SaidText, bool]:
        """A sentence as the candidates are found by, and whether it may be a report."""
        report = read_report(text, self.local_day(text.at))
        return said_text(text, report), bool(report.outcomes)

    def rows(self, record: str, text: SpokenText) -> Iterator[dict[str, Any]]:
        """A sentence beside the items that it may tell of, and beside all that it does tell of."""
        said, is_likely = self.said(text)
        for candidate in self._compared(record, said):
            item = self.items[candidate.item.id]
            outcome = item.outcome_in(record, said.text)
            is_kept = is_likely or self.random.random() < UNLIKELY
            if outcome != "unrelated" or (is_kept and item.closing_record != record):
                pair = pair_of(item.fact, said, self.local_day)
                yield {
                    "item": pair.item.model_text, "message": pair.model_text, "outcome": outcome,
                    "is_near": candidate.is_in_thread, "is_report": is_likely,
                }  # fmt: skip

    def _compared(self, record: str, said: SaidText) -> Iterator[Candidate]:
        found = self.candidates.of(said, lambda _: True)[:MOST_COMPARED]
        yield from found
        chosen = {each.item.id for each in found}
        for each in self.items.values():
            is_later = each.fact.id not in chosen and said.at > each.fact.latest.at
            if is_later and each.outcome_in(record, said.text) != "unrelated":
                yield Candidate(0.0, each.fact, False)

    def drop_closed(self, record: str) -> None:
        """Forget the items that a record closes."""
        for each in self.items.values():
            if each.closing_record == record:
                self.candidates.drop(each.fact.id)


def _items(inbox: Inbox, reading: InboxReading) -> Iterator[LabelledItem]:
    for record in inbox.records:
        for number, fact in enumerate([*record["facts"], *record.get("optional", ())]):
            if ITEM_ACTS & {acts_of(fact)[0]} and fact.get("state") and record["id"] in reading.documents:
                made = _item(inbox, reading, record, fact, f"{record['id']}-{number}")
                if made is not None:
                    yield made


def _item(inbox: Inbox, reading: InboxReading, record: Record, fact: Record, name: str) -> LabelledItem | None:
    text = _sentence_of(record, fact)
    if text is None:
        return None
    document = reading.documents[record["id"]]
    doer = _names(fact)[0] if _names(fact) else _author(inbox, record)
    asked = _asked(record) if acts_of(fact)[0] == "request" else None
    thread = document.properties.get("thread_id")
    made = ItemFact(
        FactId(name), acts_of(fact)[0], _end(reading, doer), _end(reading, asked) if asked else None, None, text,
        AssertionMoment(document.source_at, document.tx_from), _due(fact),
        threads=frozenset({str(thread)}) if thread is not None else frozenset(),
    )  # fmt: skip
    outcome = CLOSED.get(fact["state"])
    told = [(closing[0], closing[1], outcome) for closing in [fact.get("closed_by")] if closing and outcome]
    told += [(record_id, words, "progress") for record_id, words in fact.get("progress_by", ())]
    return LabelledItem(made, tuple(told), fact["state"] == "open" or bool(fact.get("closed_by")))


def _names(fact: Record) -> list[str]:
    who = fact.get("who")
    return [each for each in (who if isinstance(who, list) else [who]) if each]


def _author(inbox: Inbox, record: Record) -> str:
    return record["from"].partition("<")[0].strip() if record["kind"] == "mail" else inbox.me


def _asked(record: Record) -> str | None:
    """Who is asked: the only one whom a mail is written to."""
    to = record.get("to", ())
    return to[0].partition("<")[0].strip() if len(to) == 1 else None


def _end(reading: InboxReading, name: str) -> LinkEnd:
    found = by_name_or_alias(PERSON, or_unknown=True).find_only(reading.view, name)
    return LinkEnd(found.id, found.type, found.name) if found is not None else LinkEnd(EntityId(name), PERSON, name)


def _due(fact: Record) -> int | None:
    """The end of the day, month or year until which something is wanted."""
    given = (fact.get("until") or "").partition("|")[0]
    if not given:
        return None
    year, *rest = map(int, given.split("-"))
    month = rest[0] if rest else 12
    following = date(year + month // 12, month % 12 + 1, 1)
    day = date(year, month, rest[1]) if len(rest) > 1 else following - timedelta(days=1)
    return int(datetime.combine(day, time(23, 59), UTC).timestamp() * 1_000_000)


def _sentence_of(record: Record, fact: Record) -> str | None:
    """The sentence, or the line of a list, that says a fact."""
    letters = bare(fact.get("quote") or "")
    for line in record_text(record).splitlines():
        for span in message_sentences(line):
            text = line[span.start : span.stop].lstrip("-*•[]xX ").strip()
            if (letters in bare(text)) if letters else says(text, fact["what"]):
                return text
    return fact.get("quote")
