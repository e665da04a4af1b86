"""`commit_to_folio`: prose filed in a folio, with what it says and what it rests on."""

import json
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from recollect.errors import Refused
from recollect.ingest.filing import how_sure_of, tags
from recollect.ingest.line import Line, line_of
from recollect.ingest.problems import BadLine
from recollect.keep.artifacts.artifact import say_day
from recollect.keep.artifacts.commits import Committed, NewCommit, commit
from recollect.memory import Memory
from recollect.model.certainty import SourceKind
from recollect.model.filing import (
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
from recollect.model.ids import DocumentId, say_uuid
from recollect.store.change import Change
from recollect.store.view import View
from recollect.surfaces.carabase.artifact import artifact_uri, is_shown, read_artifact_id
from recollect.surfaces.carabase.commit_links import read_links, write_links
from recollect.surfaces.carabase.problems import BadInput, Problem
from recollect.surfaces.carabase.shapes import Object, as_list, name, text
from recollect.surfaces.carabase.surface import surface
from recollect.surfaces.carabase.times import read_dates
from recollect.surfaces.carabase.trailers import Trailed, answer
from recollect.surfaces.declare import Result
from recollect.when.instant import Instant, local_day, say_instant

LONGEST = 200_000
MOST_METADATA = 16 * 1024
MARKDOWN = "text/markdown"
_OURS = frozenset({FOLIO, FOLIO_ID, COMMIT_ID, TIER, BODY_UNTIL, "part"})
_READ = frozenset(
    {"title", "source_at", "links", "supersedes", "entities", "facts", "extract", "role", "idempotencyKey"}
)
_FIELD = "extraMetadata"

FolioName = Annotated[
    str, Field(min_length=1, max_length=121, description="Name of the folio; made if new"), name(120, mark="~")
]
Prose = Annotated[str, Field(min_length=1, max_length=LONGEST, description="The text"), text(LONGEST)]
Extra = Annotated[
    Object,
    Field(
        description="title, tags, mime, source_at, session, source_kind, confidence, derived_from, links, supersedes, "
        "entities, facts, extract, role, idempotencyKey; other keys are kept"
    ),
]


class FactInvalid(Problem):
    code = "FACT_INVALID"

    def __init__(self, problem: Refused) -> None:
        super().__init__(
            str(problem), field=f"{_FIELD}.{self._place(problem.field)}", accepted=problem.accepted or None
        )

    @staticmethod
    def _place(field: str | None) -> str:
        """What is found wrong only when a fact is written is named by its part of the fact."""
        if field is None:
            return "facts"
        return field if field.startswith(("facts", "entities")) else f"facts.{field}"


class FolioCommitted(Trailed):
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
    extraMetadata: Extra | None = None,  # noqa: N803 the published name
) -> Result[FolioCommitted]:
    """Files prose in a folio, in parts that can be found and cited.

    The same text in the same folio on one day is written once. One bad fact or link and nothing is written.
    """
    given = extraMetadata or {}
    if len(json.dumps(given, ensure_ascii=False).encode()) > MOST_METADATA:
        raise BadInput(f"{_FIELD} must have at most 16 KiB of JSON", field=_FIELD)
    with memory.write() as change:
        new = _read(change, folioName, content, given)
        links = read_links(change, given)
        try:
            made = commit(change, new, memory.embedder, lambda documents: write_links(change, documents, links))
        except Problem:
            raise
        except Refused as problem:
            raise FactInvalid(problem) from problem
        return _shown(change, made)


def _read(change: Change, folio: str, content: str, given: Mapping[str, Any]) -> NewCommit:
    try:
        sure = how_sure_of(given, _FIELD)
        held = {TAGS: tags(given[TAGS], f"{_FIELD}.{TAGS}")} if given.get(TAGS) is not None else {}
    except BadLine as problem:
        raise BadInput(str(problem), field=problem.field) from None
    others = {key: value for key, value in given.items() if key not in _OURS | _READ and value is not None}
    properties = {**others, **held, **sure, MIME: _word(given, MIME) or MARKDOWN}
    if given.get(SESSION) is not None:
        properties[SESSION] = _word(given, SESSION)
    if given.get(DERIVED_FROM) is not None:
        properties[DERIVED_FROM] = [_document(change, each) for each in as_list(given[DERIVED_FROM])]
    is_readme = _is_readme(given)
    return NewCommit(
        folio,
        content,
        _word(given, "title"),
        _source_at(change, given),
        properties,
        _told(given, sure.get(SOURCE_KIND, "inferred")),
        is_readme,
        _flag(given, "extract"),
        _word(given, "idempotencyKey"),
    )


def _word(given: Mapping[str, Any], key: str) -> str | None:
    value = given.get(key)
    if value is not None and not isinstance(value, str):
        raise BadInput(f"{_FIELD}.{key} must be a string", field=f"{_FIELD}.{key}")
    return value.strip() or None if value is not None else None


def _flag(given: Mapping[str, Any], key: str) -> bool:
    value = given.get(key)
    if value is not None and not isinstance(value, bool):
        raise BadInput(f"{_FIELD}.{key} must be true or false", field=f"{_FIELD}.{key}")
    return bool(value)


def _is_readme(given: Mapping[str, Any]) -> bool:
    role = _word(given, "role")
    if role not in (None, "readme"):
        raise BadInput(f"{_FIELD}.role must be readme, or left out", field=f"{_FIELD}.role", accepted=("readme",))
    told = next((key for key in ("entities", "facts", "links", "supersedes") if role and given.get(key)), None)
    if told is not None:
        raise BadInput(f"{_FIELD}.{told} cannot come with a readme, which is no memory", field=f"{_FIELD}.{told}")
    return role == "readme"


def _source_at(view: View, given: Mapping[str, Any]) -> Instant | None:
    said = _word(given, "source_at")
    span = read_dates(view, said, None, (f"{_FIELD}.source_at", ""))
    return None if span is None else Instant(span.lo)


def _document(view: View, given: Any) -> DocumentId:
    id_ = read_artifact_id(given) if isinstance(given, str) else None
    document = None if id_ is None else view.document(id_)
    if document is None or not is_shown(document, view):
        raise BadInput(
            f"{_FIELD}.{DERIVED_FROM} must hold artifact URIs or UUIDs that are here", field=f"{_FIELD}.{DERIVED_FROM}"
        )
    return document.id


def _told(given: Mapping[str, Any], source_kind: SourceKind) -> Line | None:
    """What the metadata tell; facts that do not say how they were come by are as the commit is."""
    told = {key: as_list(given[key]) for key in ("entities", "facts") if given.get(key)}
    if not told:
        return None
    if isinstance(told.get("facts"), list):
        told["facts"] = [_with_kind(each, source_kind) for each in told["facts"]]
    try:
        return line_of(told)
    except BadLine as problem:
        raise FactInvalid(problem) from None


def _with_kind(fact: Any, source_kind: SourceKind) -> Any:
    is_unsaid = isinstance(fact, Mapping) and fact.get(SOURCE_KIND) is None
    return {**fact, SOURCE_KIND: source_kind} if is_unsaid else fact


def _shown(change: Change, made: Committed) -> Result[FolioCommitted]:
    uris = [artifact_uri(each) for each in made.documents]
    value = {
        "success": True,
        "commit_id": say_uuid(made.id),
        "folio_id": say_uuid(made.folio.id),
        "folio": made.folio.name,
        "created_folio": made.is_new_folio,
        "deduplicated": made.is_repeat,
        "chunk_count": len(uris),
        "artifact_uris": uris,
        "committed_at": say_instant(made.committed_at),
        "date": say_day(local_day(made.committed_at, change.world.zone)),
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
    return answer(value, lines)
