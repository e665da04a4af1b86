"""Hearsay: knowledge that one character has from another, by encounter."""

from collections.abc import Iterable
from typing import NamedTuple

from recollect.model.ids import DocumentId, EntityId, FactId
from recollect.store.change import Change
from recollect.store.port import Row
from recollect.store.tables import OPEN, TOLD
from recollect.store.view import View
from recollect.when.period import Time


class HearsayRecord(NamedTuple):
    """One hearer of one fact at one encounter."""

    hearer: EntityId
    fact: FactId
    encounter: EntityId
    document: DocumentId
    teller: EntityId | None
    learned: Time


def hearsay_to(view: View, hearer: EntityId) -> list[HearsayRecord]:
    """What somebody was told."""
    return _hearsay_records(view.rows("told_to", hearer=hearer))


def hearsay_about(view: View, fact: FactId) -> list[HearsayRecord]:
    """Who was told a fact."""
    return _hearsay_records(view.rows("told_about", fact=fact))


def hearsay_in(view: View, document: DocumentId) -> list[HearsayRecord]:
    """What was told at the encounter that a document records."""
    return _hearsay_records(view.rows("told_in", document=document))


def hearsay_at(view: View, encounter: EntityId) -> list[HearsayRecord]:
    """What was told at an encounter."""
    return _hearsay_records(view.rows("told_at", encounter=encounter))


def _hearsay_records(rows: Iterable[Row]) -> list[HearsayRecord]:
    found = (HearsayRecord._make((*row[:5], _time(*row[5:9]))) for row in rows)
    return sorted(found, key=lambda each: (each.learned.lo, each.hearer, each.fact, each.encounter))


def _time(text: str, lo: int, hi: int, grain: str) -> Time:
    # An uncertain time says so in its text.
    return Time(text, lo, hi, text.endswith(("~", "]")), grain)  # type: ignore[arg-type]


def add_hearsay(change: Change, told: HearsayRecord) -> None:
    """Let somebody know a fact from an encounter."""
    learned = told.learned
    row = (change.ws, told.hearer, told.fact, told.encounter, change.tx, OPEN, told.document, told.teller)
    end_hearsay(change, told)
    change.connection.insert(TOLD, ((*row, learned.text, learned.lo, learned.hi, learned.grain),))


def end_hearsay(change: Change, told: HearsayRecord) -> None:
    """Take back what somebody was told."""
    change.connection.end(TOLD, change.ws, (told.hearer, told.fact, told.encounter), change.tx)


def repoint_person(change: Change, loser: EntityId, survivor: EntityId) -> None:
    """After two people turned out to be one: what either heard or told is that one's."""
    heard = _hearsay_records(change.rows("told_to", hearer=loser))
    taught = _hearsay_records(change.rows("told_by", teller=loser))
    met = _hearsay_records(change.rows("told_at", encounter=loser))
    for told in dict.fromkeys((*heard, *taught, *met)):
        moved = told._replace(
            hearer=survivor if told.hearer == loser else told.hearer,
            teller=survivor if told.teller == loser else told.teller,
            encounter=survivor if told.encounter == loser else told.encounter,
        )
        end_hearsay(change, told)
        add_hearsay(change, moved)


def repoint_fact(change: Change, joined: FactId, into: FactId) -> None:
    """After two facts turned out to be one: whoever knew either knows that one."""
    for told in hearsay_about(change, joined):
        end_hearsay(change, told)
        add_hearsay(change, told._replace(fact=into))


def update_times(change: Change, read: "dict[str, Time]") -> None:
    """After an era moved: the same texts at their new places."""
    for told in _hearsay_records(change.rows("told_ever")):
        moved = read.get(told.learned.text)
        if moved is not None and moved != told.learned:
            add_hearsay(change, told._replace(learned=moved))
