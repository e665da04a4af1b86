"""Queries of the write path: folios, property sources, supersessions, hearsay and name lookups."""

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, NamedTuple, NewType

from recollect.model.fact import Fact
from recollect.model.ids import DocumentId, EntityId, FactId
from recollect.model.names import Name
from recollect.store.port import Row
from recollect.store.tables import FOLIO, OPEN, TOLD
from recollect.store.view import View
from recollect.when.instant import Instant
from recollect.when.period import Time

if TYPE_CHECKING:
    from recollect.store.change import Change

FolioId = NewType("FolioId", str)


class Folio(NamedTuple):
    """One version of a folio; the readme is the text that was given for it."""

    id: FolioId
    name: str
    readme: str | None
    tx_from: int


def folio_by_id(view: View, id_: str) -> Folio | None:
    return view.fetch_one(Folio, "folio_by_id", id=id_)


def all_folios(view: View) -> list[Folio]:
    return view.fetch(Folio, "folios")


def folios_named(view: View, folded: str) -> list[Folio]:
    """The folios of a folded name, first created first."""
    return sorted((Folio._make(row) for row in view.rows("folios_named", folded=folded)), key=lambda each: each.id)


def add_folio(change: "Change", folio: Folio, folded: str) -> None:
    row = (change.ws, folio.id, folio.tx_from, OPEN, folio.name, folded, folio.readme)
    change.connection.insert(FOLIO, [row])


def end_folio(change: "Change", folio: FolioId) -> None:
    change.end_row(FOLIO, (folio,))


def property_source(view: View, entity: EntityId, key: str) -> Instant | None:
    """The time of the source behind a property of an entity."""
    return next((Instant(at) for (at,) in view.rows("said_at", entity=entity, key=key)), None)


def put_property_source(change: "Change", entity: EntityId, key: str, at: Instant) -> None:
    change.run("said_put", entity=entity, key=key, at=at)


def facts_also_superseded(view: View, fact: FactId) -> list[FactId]:
    """The facts that a fact replaces besides the one it names itself."""
    return view.fetch_values("facts_superseded_further", fact=fact)


def undoing_transactions(view: View, tx: int) -> list[int]:
    """The transactions that undid this one, newest first."""
    return view.fetch_values("tx_undoing", tx=tx)


TRANSACTIONS_PER_PAGE = 50


def transactions_by(view: View, surfaces: Collection[str], actor: str, before: int, without_tool: str) -> list[int]:
    """A page of what somebody did here on surfaces, newest first, without undos, those of one tool and synced ones."""
    limit = TRANSACTIONS_PER_PAGE
    return view.fetch_values(
        "tx_by", surfaces=sorted(surfaces), actor=actor, before=before, tool=without_tool, limit=limit
    )


def facts_using_predicate(view: View, predicate: str, since: int) -> list[FactId]:
    """A fact with this predicate that was recorded after a transaction, if there is one."""
    return view.fetch_values("facts_first_using", predicate=predicate, since=since)


def documents_mentioning(view: View, entity: EntityId) -> list[DocumentId]:
    return view.fetch_values("documents_mentioning", entity=entity)


class HearsayRecord(NamedTuple):
    """One hearer of one fact at one encounter."""

    hearer: EntityId
    fact: FactId
    encounter: EntityId
    document: DocumentId
    teller: EntityId | None
    learned: Time


def hearsay_to(view: View, hearer: EntityId) -> list[HearsayRecord]:
    """The facts that somebody learned from others."""
    return _hearsay_records(view.rows("told_to", hearer=hearer))


def hearsay_by(view: View, teller: EntityId) -> list[HearsayRecord]:
    """What somebody told others."""
    return _hearsay_records(view.rows("told_by", teller=teller))


def hearsay_about(view: View, fact: FactId) -> list[HearsayRecord]:
    """The people who learned a fact from others."""
    return _hearsay_records(view.rows("told_about", fact=fact))


def hearsay_in(view: View, document: DocumentId) -> list[HearsayRecord]:
    """The facts passed on at the encounter that a document records."""
    return _hearsay_records(view.rows("told_in", document=document))


def hearsay_at(view: View, encounter: EntityId) -> list[HearsayRecord]:
    """The facts passed on at an encounter."""
    return _hearsay_records(view.rows("told_at", encounter=encounter))


def all_hearsay(view: View) -> list[HearsayRecord]:
    return _hearsay_records(view.rows("told_ever"))


def _hearsay_records(rows: Iterable[Row]) -> list[HearsayRecord]:
    found = (HearsayRecord._make((*row[:5], _time(*row[5:9]))) for row in rows)
    return sorted(found, key=lambda each: (each.learned.lo, each.hearer, each.fact, each.encounter))


def _time(text: str, lo: int, hi: int, grain: str) -> Time:
    # An uncertain time says so in its text.
    return Time(text, lo, hi, text.endswith(("~", "]")), grain)  # type: ignore[arg-type]


def begin_hearsay(change: "Change", record: HearsayRecord) -> None:
    learned = record.learned
    time = (learned.text, learned.lo, learned.hi, learned.grain)
    change.begin_row(TOLD, (record.hearer, record.fact, record.encounter), record.document, record.teller, *time)


def end_hearsay(change: "Change", record: HearsayRecord) -> None:
    """End the record that somebody learned a fact."""
    change.end_row(TOLD, (record.hearer, record.fact, record.encounter))


class LearnedName(NamedTuple):
    """A name with the transaction that introduced it."""

    folded: str
    tx: int
    entity: EntityId


def names_learned(view: View, after: int, other_types: Collection[str], limit: int) -> list[LearnedName]:
    """Names and aliases introduced after a transaction, of entities of other types than these."""
    return view.fetch(LearnedName, "names_begun_after", tx=after, people=sorted(other_types), limit=limit)


def names_with_keys(view: View, keys: Collection[str]) -> list[Name]:
    return view.fetch(Name, "names_keyed", keys=sorted(keys))


def known_tokens(view: View, tokens: Collection[str]) -> set[str]:
    """Those of these tokens that occur in a name."""
    return set(view.fetch_values("names_known_tokens", tokens=sorted(tokens))) if tokens else set()


def is_name_prefix(view: View, key: str) -> bool:
    """Whether a name continues these tokens with another one."""
    # The exclamation mark is the character after the space.
    return bool(view.rows("names_going_on", low=f"{key} ", high=f"{key}!"))


def facts_with_predicate(view: View, predicate: str) -> list[Fact]:
    """Every fact with this predicate, whatever its state, oldest first."""
    return sorted(view.fetch_facts("facts_with_predicate", predicate=predicate), key=lambda each: each.id)
