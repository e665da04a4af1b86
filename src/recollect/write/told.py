"""Who was told what: knowledge that one character has from another, and nobody else."""

from collections.abc import Iterable
from typing import NamedTuple

from recollect.model.ids import DocumentId, EntityId, FactId
from recollect.store.change import Change
from recollect.store.port import Row
from recollect.store.tables import OPEN, TOLD
from recollect.store.view import View
from recollect.when.period import Time


class Told(NamedTuple):
    """One hearer of one fact at one encounter."""

    hearer: EntityId
    fact: FactId
    encounter: EntityId
    document: DocumentId
    teller: EntityId | None
    learned: Time


def told_to(view: View, hearer: EntityId) -> list[Told]:
    """What somebody was told."""
    return _told(view.rows("told_to", hearer=hearer))


def told_about(view: View, fact: FactId) -> list[Told]:
    """Who was told a fact."""
    return _told(view.rows("told_about", fact=fact))


def told_in(view: View, document: DocumentId) -> list[Told]:
    """What was told at the encounter that a document records."""
    return _told(view.rows("told_in", document=document))


def told_at(view: View, encounter: EntityId) -> list[Told]:
    """What was told at an encounter."""
    return _told(view.rows("told_at", encounter=encounter))


def _told(rows: Iterable[Row]) -> list[Told]:
    found = (Told._make((*row[:5], _time(*row[5:9]))) for row in rows)
    return sorted(found, key=lambda each: (each.learned.lo, each.hearer, each.fact, each.encounter))


def _time(text: str, lo: int, hi: int, grain: str) -> Time:
    # An uncertain time says so in its text.
    return Time(text, lo, hi, text.endswith(("~", "]")), grain)  # type: ignore[arg-type]


def tell(change: Change, told: Told) -> None:
    """Let somebody know a fact from an encounter."""
    learned = told.learned
    row = (change.ws, told.hearer, told.fact, told.encounter, change.tx, OPEN, told.document, told.teller)
    end_telling(change, told)
    change.connection.insert(TOLD, ((*row, learned.text, learned.lo, learned.hi, learned.grain),))


def end_telling(change: Change, told: Told) -> None:
    """Take back what somebody was told."""
    change.connection.end(TOLD, change.ws, (told.hearer, told.fact, told.encounter), change.tx)


def move_person(change: Change, loser: EntityId, survivor: EntityId) -> None:
    """After two people turned out to be one: what either heard or told is that one's."""
    heard = _told(change.rows("told_to", hearer=loser))
    taught = _told(change.rows("told_by", teller=loser))
    met = _told(change.rows("told_at", encounter=loser))
    for told in dict.fromkeys((*heard, *taught, *met)):
        moved = told._replace(
            hearer=survivor if told.hearer == loser else told.hearer,
            teller=survivor if told.teller == loser else told.teller,
            encounter=survivor if told.encounter == loser else told.encounter,
        )
        end_telling(change, told)
        tell(change, moved)


def move_fact(change: Change, joined: FactId, into: FactId) -> None:
    """After two facts turned out to be one: whoever knew either knows that one."""
    for told in told_about(change, joined):
        end_telling(change, told)
        tell(change, told._replace(fact=into))


def move_times(change: Change, read: "dict[str, Time]") -> None:
    """After an era moved: the same texts at their new places."""
    for told in _told(change.rows("told_ever")):
        moved = read.get(told.learned.text)
        if moved is not None and moved != told.learned:
            tell(change, told._replace(learned=moved))
