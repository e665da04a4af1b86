"""A document as an artifact; the index of artifacts, and the sweep of bodies past retention."""

from collections.abc import Sequence
from datetime import tzinfo
from functools import lru_cache
from typing import Literal, NamedTuple, cast
from zlib import crc32

from recollect.keep.markdown import headings
from recollect.keep.memory_formats import Granularity, parse_period
from recollect.keep.memory_index.stored_memory import is_memory
from recollect.memory import Memory
from recollect.model.certainty import SourceKind, is_number
from recollect.model.document import (
    BODY_UNTIL,
    CONFIDENCE,
    FOLIO,
    FOLIO_ID,
    MIME,
    SOURCE_KIND,
    SUMMARY,
    TAGS,
    TIER,
    Document,
)
from recollect.model.ids import DocumentId
from recollect.model.names import fold
from recollect.model.progress import batches
from recollect.search.chunking import store_passages
from recollect.store import artifact_queries
from recollect.store.artifact_queries import ArtifactRow, DocumentVersion, TagRow
from recollect.store.change import Change
from recollect.store.erasure_queries import erase_body
from recollect.store.index_progress import IndexProgress
from recollect.store.ingest_queries import set_body_expiry
from recollect.store.view import View
from recollect.when.instant import Instant, day_end, day_start, format_date, local_day

ArtifactKind = Literal[
    "record", "memory", "commit", "lore", "encounter", "identity", "conversation", "file", "log_card"
]
Tier = Literal[0, 1, 2, 3]
DARK: Tier = 3
COMMIT = "commit"

_CONFIDENCE_OF = {"extracted": 0.9, "inferred": 0.6, "ambiguous": 0.9}
_MAX_TITLE_LENGTH = 80


class ArtifactDate(NamedTuple):
    """The date of an artifact as it prints, with its first and last moment."""

    text: str
    first: Instant
    last: Instant


_INDEX = IndexProgress("artifacts")
"""Its size is a checksum of the time zone in which dates were computed."""
TRANSACTIONS_AT_ONCE = 2_000
DOCUMENTS_AT_ONCE = 500


SWEEP_BATCH = 200


def kind_of(document: Document) -> ArtifactKind:
    match document.kind:
        case "lore_source":
            return "lore"
        case "artifact":
            return cast(ArtifactKind, document.type)
        case kind:
            return kind


def can_have_links(document: Document) -> bool:
    """Whether memory links may join it to others."""
    return document.kind == "memory" or (document.kind == "artifact" and document.type == COMMIT)


def source_label(document: Document) -> str:
    """Where it comes from, as `type:key`."""
    match kind_of(document):
        case "record":
            return f"{record_type_of(document)}:{document.key}"
        case "memory" if document.type == "daily":
            return f"daily-note:{document.properties.get('date')}"
        case "commit":
            return f"folio:{document.properties.get(FOLIO)}"
        case "lore":
            return f"lore:{document.title or document.key}"
        case "file":
            return f"artifact:{document.title or document.key}"
        case "log_card":
            return f"log-card:{document.key}"
        case kind:
            return f"{kind}:{document.key}"


def record_type_of(document: Document) -> str:
    """The type as its bundle line spelled it; the stored type is normalised."""
    return str(document.properties.get("record_type", document.type))


def title_of(document: Document, text: str | None) -> str | None:
    """The given title, else the first heading, else the first line, clipped."""
    # The stored title of an identity file is its name, which the source label shows already.
    if document.title and document.kind != "identity":
        return document.title
    lines = (text or "").split("\n")
    first = next((each.text for each in headings(lines)), next((line.strip() for line in lines if line.strip()), None))
    if first is None or len(first) <= _MAX_TITLE_LENGTH:
        return first
    return f"{first[: _MAX_TITLE_LENGTH - 1].rstrip()}…"


def artifact_date(document: Document, zone: tzinfo) -> ArtifactDate:
    """The day of its source, or the period of a dated memory."""
    if is_memory(document):
        period = parse_period(cast(Granularity, document.type), document.properties["date"])
        first, last = period.days
        return ArtifactDate(period.text, day_start(first, zone), day_end(last, zone))
    return _single_day(local_day(document.source_at, zone), zone)


@lru_cache(4096)
def _single_day(day: int, zone: tzinfo) -> ArtifactDate:
    return ArtifactDate(format_date(day), day_start(day, zone), day_end(day, zone))


def tier_of(document: Document, now: Instant) -> Tier:
    """How much is available: 0 the body, 1 a summary, 2 only metadata, 3 nothing."""
    given, until = document.properties.get(TIER), document.properties.get(BODY_UNTIL)
    is_expired = isinstance(until, int) and now >= until
    tier = given if isinstance(given, int) else 0 if document.content or is_expired else 2
    if tier == 0 and is_expired:
        return 1 if document.properties.get(SUMMARY) else 2
    return cast(Tier, tier)


def source_kind_of(document: Document) -> SourceKind:
    """As given, else inferred for commits and consolidated memories."""
    given = document.properties.get(SOURCE_KIND)
    if given in _CONFIDENCE_OF:
        return cast(SourceKind, given)
    return "inferred" if kind_of(document) == COMMIT or _is_consolidated(document) else "extracted"


def _is_consolidated(document: Document) -> bool:
    provenance = document.properties.get(SUMMARY) if is_memory(document) else None
    return isinstance(provenance, dict) and provenance.get("method") != "hand"


def confidence_of(document: Document) -> float:
    given = document.properties.get(CONFIDENCE)
    return float(given) if is_number(given) else _CONFIDENCE_OF[source_kind_of(document)]


def summary_of(document: Document) -> str | None:
    summary = document.properties.get(SUMMARY)
    return summary if isinstance(summary, str) and summary else None


def mime_of(document: Document) -> str:
    """The media type of its body: as given, else by its kind."""
    given = document.properties.get(MIME)
    if isinstance(given, str) and given:
        return given
    return "text/plain" if document.kind in ("record", "conversation") or document.type == "memory" else "text/markdown"


def tags_of(document: Document) -> list[str]:
    tags = document.properties.get(TAGS)
    return [tag for tag in tags if isinstance(tag, str)] if isinstance(tags, list) else []


def artifacts_lag(view: View) -> bool:
    """Whether a document was written, or the zone changed, since the index was brought up to date."""
    state = _INDEX.read(view)
    is_other_zone = state.upto > 0 and state.size != _zone_checksum(view)
    return is_other_zone or artifact_queries.has_changed_documents(view, state.upto)


def index_artifacts(change: Change) -> None:
    """Bring the index up to date; this is not a transaction of its own."""
    state, zone = _INDEX.read(change), _zone_checksum(change)
    now = change.last_tx
    for low in range(state.upto if state.size == zone else 0, now, TRANSACTIONS_AT_ONCE):
        changed = artifact_queries.changed_documents(change, low, min(low + TRANSACTIONS_AT_ONCE, now))
        for batch in batches(changed, DOCUMENTS_AT_ONCE):
            _index_batch(change, batch, low)
    _INDEX.save(change, now, size=zone)


def _zone_checksum(view: View) -> int:
    return crc32(str(view.world.zone).encode())


def _index_batch(change: Change, ids: Sequence[DocumentId], upto: int) -> None:
    first = artifact_queries.first_transactions(change, ids)
    versions = [each for each in artifact_queries.versions_since(change, ids, upto) if _is_visible(each.document)]
    rows = [_artifact_row(change, each, first[each.document.id].at) for each in versions]
    artifact_queries.put_artifacts(change, rows, [tag for each in versions for tag in _tag_rows(each)])


def _is_visible(document: Document) -> bool:
    return not document.deleted and document.properties.get(TIER) != DARK


def _artifact_row(view: View, version: DocumentVersion, recorded_at: Instant) -> ArtifactRow:
    document = version.document
    date = artifact_date(document, view.world.zone)
    return ArtifactRow(
        document.id,
        document.tx_from,
        version.tx_to,
        kind_of(document),
        fold(source_label(document)),
        document.properties.get(FOLIO_ID),
        date.first,
        date.last,
        recorded_at,
        source_kind_of(document),
    )


def _tag_rows(version: DocumentVersion) -> list[TagRow]:
    document, tx_to = version
    tags = sorted({fold(tag) for tag in tags_of(document)})
    return [TagRow(tag, document.id, document.tx_from, tx_to) for tag in tags]


def sweep_expired_bodies(memory: Memory) -> int:
    """Erase every body that is past its retention; how many there were."""
    swept = 0
    while some := _sweep_batch(memory):
        swept += some
    return swept


def _sweep_batch(memory: Memory) -> int:
    with memory.read() as view:
        if not artifact_queries.bodies_due(view, limit=1):
            return 0
    with memory.as_actor("retention", "sweep").write() as change:
        due = artifact_queries.bodies_due(change, SWEEP_BATCH)
        for document in due:
            _sweep_body(change, document)
    return len(due)


def _sweep_body(change: Change, id_: DocumentId) -> None:
    """Erase a body; search finds the document by its title and summary from now on."""
    erase_body(change, id_)
    set_body_expiry(change, id_, None)
    document = change.document(id_)
    if document is not None and not document.deleted:
        summary = document.properties.get(SUMMARY)
        store_passages(change, id_, document.title, summary if isinstance(summary, str) else None)
