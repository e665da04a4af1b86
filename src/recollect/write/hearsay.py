"""Hearsay: knowledge that one character has from another, by encounter."""

from collections.abc import Mapping

from recollect.model.ids import EntityId, FactId
from recollect.store.change import Change
from recollect.store.write_queries import (
    HearsayRecord,
    all_hearsay,
    begin_hearsay,
    end_hearsay,
    hearsay_about,
    hearsay_at,
    hearsay_by,
    hearsay_to,
)
from recollect.when.period import Time


def add_hearsay(change: Change, record: HearsayRecord) -> None:
    """Record that somebody learned a fact at an encounter."""
    end_hearsay(change, record)
    begin_hearsay(change, record)


def repoint_person(change: Change, loser: EntityId, survivor: EntityId) -> None:
    """Move what a merged person or encounter was part of to the survivor."""
    moving = (*hearsay_to(change, loser), *hearsay_by(change, loser), *hearsay_at(change, loser))
    for record in dict.fromkeys(moving):
        moved = record._replace(
            hearer=survivor if record.hearer == loser else record.hearer,
            teller=survivor if record.teller == loser else record.teller,
            encounter=survivor if record.encounter == loser else record.encounter,
        )
        end_hearsay(change, record)
        add_hearsay(change, moved)


def repoint_fact(change: Change, joined: FactId, into: FactId) -> None:
    """Move the hearsay about a merged fact to the fact that absorbed it."""
    for record in hearsay_about(change, joined):
        end_hearsay(change, record)
        add_hearsay(change, record._replace(fact=into))


def update_times(change: Change, read: Mapping[str, Time]) -> None:
    """Move hearsay to where its times are after an era changed."""
    for record in all_hearsay(change):
        moved = read.get(record.learned.text)
        if moved is not None and moved != record.learned:
            add_hearsay(change, record._replace(learned=moved))
