"""Documents as artifacts: their JSON object, the same in every tool, and their lines of text."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, cast

from typing_extensions import TypedDict

from recollect.keep.artifacts.artifact import (
    DARK,
    ArtifactKind,
    artifact_date,
    confidence_of,
    kind_of,
    record_type_of,
    source_kind_of,
    source_label,
    summary_of,
    tags_of,
    tier_of,
    title_of,
)
from recollect.keep.document_versions import texts_of
from recollect.model.certainty import SourceKind
from recollect.model.document import COMMIT_ID, FOLIO, FOLIO_ID, MESH_URI, Document
from recollect.model.ids import DocumentId, format_uuid, parse_document_id
from recollect.search.hidden_sentences import HiddenText, hidden_text
from recollect.store.artifact_queries import first_transactions
from recollect.store.view import Tx, View
from recollect.surfaces.views import TrustMarks, mark_passage, marks_text
from recollect.text.fold import collapse_spaces
from recollect.when.instant import format_instant

ARTIFACT_URI = "carabase://artifact/"
EXCERPT_LENGTH = 300


class ArtifactProvenance(TypedDict):
    document_id: str
    record_id: str | None
    record_type: str | None
    commit_id: str | None
    url: str | None
    source_at: str | None
    recorded_at: str
    tx: int
    surface: str
    tool: str | None
    actor: str | None


class ArtifactView(TrustMarks):
    uri: str
    artifact_id: str
    kind: ArtifactKind
    source: str
    title: str | None
    date: str | None
    folio: str | None
    folio_id: str | None
    tags: list[str]
    tier: int
    source_kind: SourceKind
    confidence: float
    excerpt: str
    mesh_uri: str | None
    provenance: ArtifactProvenance


def artifact_uri(document: DocumentId) -> str:
    return f"{ARTIFACT_URI}{format_uuid(document)}"


def parse_artifact_id(text: str) -> DocumentId | None:
    """The id in an artifact URI, in `memory:UUID` or in a bare UUID; none for anything else."""
    bare = text.strip().removeprefix(ARTIFACT_URI).removeprefix("memory:")
    return parse_document_id(bare)


def is_visible(document: Document | None, view: View) -> bool:
    """Whether tools may show the document."""
    return document is not None and not document.deleted and tier_of(document, view.now) < DARK


def render_artifacts(
    view: View, documents: Sequence[Document], passages: Mapping[DocumentId, tuple[int, int]] | None = None
) -> dict[DocumentId, ArtifactView]:
    """Documents as artifacts; `passages` are the spans that excerpts are taken from."""
    texts = texts_of(view, [each for each in documents if tier_of(each, view.now) == 0])
    first = first_transactions(view, [each.id for each in documents])
    places = passages or {}
    hidden = hidden_text(view, [each.id for each in documents])
    return {
        each.id: _render_artifact(view, each, texts.get(each.id), first[each.id], places.get(each.id), hidden)
        for each in documents
    }


def without_hidden(view: View, documents: Mapping[DocumentId, Document]) -> dict[DocumentId, Document]:
    """The documents that say something else than what somebody asked to hide."""
    hidden = hidden_text(view, documents)
    texts = texts_of(view, [documents[each] for each in hidden.words if each in documents])
    empty = {id_ for id_, text in texts.items() if not hidden.remove_from(text, id_)}
    return {id_: each for id_, each in documents.items() if id_ not in hidden.documents and id_ not in empty}


def _render_artifact(
    view: View, document: Document, text: str | None, tx: Tx, place: tuple[int, int] | None, hidden: HiddenText
) -> ArtifactView:
    kind = kind_of(document)
    if document.id in hidden.documents or document.id in hidden.words:
        start, stop = place or (0, len(text or ""))
        text, place = hidden.remove_from((text or "")[start : stop or None], document.id), None
    summary = hidden.remove_from(summary_of(document) or "", document.id)
    properties = document.properties
    is_record = document.kind in ("record", "conversation") or (document.kind == "memory" and document.type == "memory")
    folio_id = properties.get(FOLIO_ID)
    commit_id = properties.get(COMMIT_ID)
    shown: ArtifactView = {
        "uri": artifact_uri(document.id),
        "artifact_id": format_uuid(document.id),
        "kind": kind,
        "source": source_label(document),
        "title": title_of(document, text),
        "date": artifact_date(document, view.world.zone).text,
        "folio": properties.get(FOLIO) if folio_id else None,
        "folio_id": format_uuid(folio_id) if folio_id else None,
        "tags": tags_of(document),
        "tier": tier_of(document, view.now),
        "source_kind": source_kind_of(document),
        "confidence": round(confidence_of(document), 4),
        "excerpt": excerpt(text, place) if text else excerpt(summary),
        "mesh_uri": properties.get(MESH_URI),
        "provenance": {
            "document_id": format_uuid(document.id),
            "record_id": document.key if is_record else None,
            "record_type": record_type_of(document) if is_record else None,
            "commit_id": format_uuid(commit_id) if commit_id else None,
            "url": document.url,
            "source_at": format_instant(document.source_at),
            "recorded_at": format_instant(tx.at),
            "tx": tx.tx,
            "surface": tx.surface,
            "tool": tx.tool or None,
            "actor": tx.actor or None,
        },
    }
    mark_passage(shown, view, document, shown["excerpt"], place if place and place[1] else None)
    return shown


def excerpt(text: str, place: tuple[int, int] | None = None) -> str:
    """At most 300 characters in one line, cut at word boundaries with an ellipsis."""
    start, stop = place or (0, len(text))
    front = "…" if text[:start].strip() else ""
    words = " ".join(text[start : stop or len(text)].split())
    is_cut = bool(text[stop:].strip()) if stop else False
    if len(front) + len(words) + is_cut <= EXCERPT_LENGTH:
        return f"{front}{words}{'…' if is_cut else ''}"
    room = EXCERPT_LENGTH - len(front) - 1
    whole = words[: room + 1].rpartition(" ")[0] or words[:room]
    return f"{front}{whole[:room]}…"


def artifact_lines(found: Collection[Mapping[str, Any]]) -> list[str]:
    """A few lines for each artifact."""
    return [line for number, each in enumerate(found, start=1) for line in _artifact_lines(number, each)]


def _artifact_lines(number: int, shown: Mapping[str, Any]) -> Iterator[str]:
    score = f" · score {shown['score']:.4f}" if "score" in shown else ""
    folio = f" ~{shown['folio']}" if shown["folio"] else ""
    tags = "".join(f" #{tag}" for tag in shown["tags"])
    title = collapse_spaces(shown["title"] or shown["source"])
    marks = marks_text(cast(TrustMarks, shown))
    yield f"{number}. {title} · {shown['kind']} · {shown['source']} · {shown['date']}{folio}{tags}{score}{marks}"
    yield f"   {shown['uri']}"
    if shown["excerpt"]:
        yield f"   {shown['excerpt']}{marks}"
    if shown.get("entities"):
        yield f"   mentions {', '.join(shown['entities'])}{marks}"
