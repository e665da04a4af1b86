"""`commit_to_folio`: prose filed in a folio, with its facts and its links to other memories."""

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from pydantic import Field

from recollect.errors import Refused
from recollect.ingest.fields import BadLine
from recollect.ingest.filing import certainty_fields, parse_tags
from recollect.ingest.line import IngestItem, parse_line
from recollect.keep.artifacts.artifact import can_have_links
from recollect.keep.artifacts.filing import FolioCommit, NewCommit, commit
from recollect.keep.network.links import put_link
from recollect.memory import Memory
from recollect.model.certainty import SourceKind, is_confidence
from recollect.model.document import (
    BODY_UNTIL,
    COMMIT_ID,
    DERIVED_FROM,
    FOLIO,
    FOLIO_ID,
    MIME,
    SESSION,
    SOURCE_KIND,
    TAGS,
    TIER,
)
from recollect.model.ids import DocumentId, format_uuid
from recollect.model.memory_links import DEFAULT_CONFIDENCE, LINK_TYPES, LinkType
from recollect.store.change import Change
from recollect.store.view import View
from recollect.surfaces.carabase.artifacts import artifact_uri, is_visible, parse_artifact_id
from recollect.surfaces.carabase.hints import HintedResult, hinted_answer
from recollect.surfaces.carabase.parameters import JsonObject, name_of, parse_date_range, read_list, text_of
from recollect.surfaces.carabase.surface import BadInput, CarabaseError, surface
from recollect.surfaces.declarations import Result
from recollect.when.instant import Instant, format_date, format_instant, local_day

FULL_CONFIDENCE = 1.0


class ExplicitLink(NamedTuple):
    to: DocumentId
    type: LinkType
    confidence: float


class LinkInvalid(CarabaseError):
    code = "LINK_INVALID"


def parse_links(view: View, given: Mapping[str, Any]) -> list[ExplicitLink]:
    """The links in `links` and `supersedes`; `LinkInvalid` names the invalid one."""
    links = given.get("links")
    found = [
        _parse_link(view, each, f"extraMetadata.links[{at}]")
        for at, each in enumerate(read_list(links) if links else [])
    ]
    older = given.get("supersedes")
    for at, each in enumerate(read_list(older) if older else []):
        found.append(
            ExplicitLink(_find_memory(view, each, f"extraMetadata.supersedes[{at}]"), "supersedes", FULL_CONFIDENCE)
        )
    return found


def _parse_link(view: View, given: Any, path: str) -> ExplicitLink:
    if not isinstance(given, Mapping):
        raise LinkInvalid(f"{path} must be an object {{to, type, confidence?}}", field=path)
    unknown = next((key for key in given if key not in ("to", "type", "confidence")), None)
    if unknown is not None:
        raise LinkInvalid(
            f"{path}.{unknown} is not known here", field=f"{path}.{unknown}", accepted=("to", "type", "confidence")
        )
    type_ = given.get("type")
    folded = type_.strip().casefold() if isinstance(type_, str) else None
    known = next((each for each in LINK_TYPES if each == folded), None)
    if known is None:
        raise LinkInvalid(
            f"{path}.type must be one of {', '.join(LINK_TYPES)}", field=f"{path}.type", accepted=LINK_TYPES
        )
    sure = given.get("confidence", DEFAULT_CONFIDENCE)
    if not is_confidence(sure):
        raise LinkInvalid(f"{path}.confidence must be 0..1", field=f"{path}.confidence")
    return ExplicitLink(_find_memory(view, given.get("to"), f"{path}.to"), known, float(sure))


def _find_memory(view: View, given: Any, path: str) -> DocumentId:
    id_ = parse_artifact_id(given) if isinstance(given, str) else None
    document = None if id_ is None else view.document(id_)
    if document is None or not is_visible(document, view) or not can_have_links(document):
        raise LinkInvalid(f"{path} must be the URI or UUID of a memory that is here", field=path)
    return document.id


def write_links(change: Change, documents: Sequence[DocumentId], links: Sequence[ExplicitLink]) -> int:
    """Link the first part to each memory; the number of links written."""
    once = {(each.to, each.type): each.confidence for each in links}
    return sum(put_link(change, documents[0], to, type_, sure) for (to, type_), sure in once.items())


MAX_CONTENT_LENGTH = 200_000
MAX_METADATA_BYTES = 16 * 1024
MARKDOWN = "text/markdown"
_RESERVED_KEYS = frozenset({FOLIO, FOLIO_ID, COMMIT_ID, TIER, BODY_UNTIL, "part"})
_KNOWN_KEYS = frozenset(
    {"title", "source_at", "links", "supersedes", "entities", "facts", "extract", "role", "idempotencyKey"}
)
_FIELD = "extraMetadata"

FolioName = Annotated[
    str, Field(min_length=1, max_length=121, description="Name of the folio; made if new"), name_of(120, mark="~")
]
Prose = Annotated[
    str, Field(min_length=1, max_length=MAX_CONTENT_LENGTH, description="The text"), text_of(MAX_CONTENT_LENGTH)
]
ExtraMetadata = Annotated[
    JsonObject,
    Field(
        description="title, tags, mime, source_at, session, source_kind, confidence, derived_from, links, supersedes, "
        "entities, facts, extract, role, idempotencyKey; other keys are kept"
    ),
]


class FactInvalid(CarabaseError):
    code = "FACT_INVALID"

    def __init__(self, problem: Refused) -> None:
        super().__init__(
            str(problem), field=f"{_FIELD}.{self._place(problem.field)}", accepted=problem.accepted or None
        )

    @staticmethod
    def _place(field: str | None) -> str:
        """Name the part of a fact that an error found while writing refers to."""
        if field is None:
            return "facts"
        return field if field.startswith(("facts", "entities")) else f"facts.{field}"


class CommitResult(HintedResult):
    success: bool
    commit_id: str
    folio_id: str
    folio: str
    created_folio: bool
    deduplicated: bool
    chunk_count: int
    artifact_uris: list[str]
    committed_at: str
    date: str
    tx: int
    facts_written: int
    links_written: int


@surface.tool(
    "write",
    example={
        "folioName": "Orchard",
        "content": "Plum yield will fall by a third.",
        "extraMetadata": {"tags": ["yield"]},
    },
    older={"folioName": ("folio_name", "folio"), "extraMetadata": ("extra_metadata", "metadata")},
    idempotent=True,
)
def commit_to_folio(
    memory: Memory,
    folioName: FolioName,  # noqa: N803 the published name
    content: Prose,
    extraMetadata: ExtraMetadata | None = None,  # noqa: N803 the published name
) -> Result[CommitResult]:
    """Files prose in a folio, in parts that can be found and cited.

    The same text in the same folio on one day is written once. One bad fact or link and nothing is written.
    """
    given = extraMetadata or {}
    if len(json.dumps(given, ensure_ascii=False).encode()) > MAX_METADATA_BYTES:
        raise BadInput(f"{_FIELD} must have at most 16 KiB of JSON", field=_FIELD)
    with memory.write() as change:
        new = _parse_commit(change, folioName, content, given)
        links = parse_links(change, given)
        try:
            made = commit(change, new, memory.embedder, lambda documents: write_links(change, documents, links))
        except CarabaseError:
            raise
        except Refused as problem:
            raise FactInvalid(problem) from problem
        return _render_commit(change, made)


def _parse_commit(change: Change, folio: str, content: str, given: Mapping[str, Any]) -> NewCommit:
    try:
        sure = certainty_fields(given, _FIELD)
        parsed = {TAGS: parse_tags(given[TAGS], f"{_FIELD}.{TAGS}")} if given.get(TAGS) is not None else {}
    except BadLine as problem:
        raise BadInput(str(problem), field=problem.field) from None
    others = {
        key: value for key, value in given.items() if key not in _RESERVED_KEYS | _KNOWN_KEYS and value is not None
    }
    properties = {**others, **parsed, **sure, MIME: _read_word(given, MIME) or MARKDOWN}
    if given.get(SESSION) is not None:
        properties[SESSION] = _read_word(given, SESSION)
    if given.get(DERIVED_FROM) is not None:
        properties[DERIVED_FROM] = [_find_document(change, each) for each in read_list(given[DERIVED_FROM])]
    is_readme = _is_readme(given)
    return NewCommit(
        folio,
        content,
        _read_word(given, "title"),
        _parse_source_at(change, given),
        properties,
        _parse_line(given, sure.get(SOURCE_KIND, "inferred")),
        is_readme,
        _read_extract(given),
        _read_word(given, "idempotencyKey"),
    )


def _read_word(given: Mapping[str, Any], key: str) -> str | None:
    value = given.get(key)
    if value is not None and not isinstance(value, str):
        raise BadInput(f"{_FIELD}.{key} must be a string", field=f"{_FIELD}.{key}")
    return value.strip() or None if value is not None else None


def _read_extract(given: Mapping[str, Any]) -> bool:
    value = given.get("extract")
    if value is not None and not isinstance(value, bool):
        raise BadInput(f"{_FIELD}.extract must be true or false", field=f"{_FIELD}.extract")
    return bool(value)


def _is_readme(given: Mapping[str, Any]) -> bool:
    role = _read_word(given, "role")
    if role not in (None, "readme"):
        raise BadInput(f"{_FIELD}.role must be readme, or left out", field=f"{_FIELD}.role", accepted=("readme",))
    told = next((key for key in ("entities", "facts", "links", "supersedes") if role and given.get(key)), None)
    if told is not None:
        raise BadInput(f"{_FIELD}.{told} cannot come with a readme, which is not a memory", field=f"{_FIELD}.{told}")
    return role == "readme"


def _parse_source_at(view: View, given: Mapping[str, Any]) -> Instant | None:
    said = _read_word(given, "source_at")
    span = parse_date_range(view, said, None, (f"{_FIELD}.source_at", ""))
    return None if span is None else Instant(span.lo)


def _find_document(view: View, given: Any) -> DocumentId:
    id_ = parse_artifact_id(given) if isinstance(given, str) else None
    document = None if id_ is None else view.document(id_)
    if document is None or not is_visible(document, view):
        raise BadInput(
            f"{_FIELD}.{DERIVED_FROM} must hold artifact URIs or UUIDs that are here", field=f"{_FIELD}.{DERIVED_FROM}"
        )
    return document.id


def _parse_line(given: Mapping[str, Any], source_kind: SourceKind) -> IngestItem | None:
    """The bundle line for the metadata; facts without a source kind take that of the commit."""
    told = {key: read_list(given[key]) for key in ("entities", "facts") if given.get(key)}
    if not told:
        return None
    if isinstance(told.get("facts"), list):
        told["facts"] = [_with_source_kind(each, source_kind) for each in told["facts"]]
    try:
        return parse_line(told)
    except BadLine as problem:
        raise FactInvalid(problem) from None


def _with_source_kind(fact: Any, source_kind: SourceKind) -> Any:
    is_unsaid = isinstance(fact, Mapping) and fact.get(SOURCE_KIND) is None
    return {**fact, SOURCE_KIND: source_kind} if is_unsaid else fact


def _render_commit(change: Change, made: FolioCommit) -> Result[CommitResult]:
    uris = [artifact_uri(each) for each in made.documents]
    value = {
        "success": True,
        "commit_id": format_uuid(made.id),
        "folio_id": format_uuid(made.folio.id),
        "folio": made.folio.name,
        "created_folio": made.is_new_folio,
        "deduplicated": made.is_repeat,
        "chunk_count": len(uris),
        "artifact_uris": uris,
        "committed_at": format_instant(made.committed_at),
        "date": format_date(local_day(made.committed_at, change.world.zone)),
        "tx": made.tx,
        "facts_written": made.facts,
        "links_written": made.links,
    }
    done = "stood there already, nothing was written" if made.is_repeat else f"filed in {len(uris)} parts"
    lines = [
        f"{made.folio.name}: {done} · commit {value['commit_id']} · {value['committed_at']} · tx {made.tx}",
        *uris,
        f"{made.facts} facts and {made.links} links written",
    ]
    return hinted_answer(value, lines)
