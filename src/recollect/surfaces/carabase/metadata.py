"""`carabase_query_metadata`: artifacts by who, where and when."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from pydantic import Field

from recollect.indexing import index_before_read
from recollect.memory import Memory
from recollect.model.ids import DocumentId, EntityId, format_uuid
from recollect.model.names import fold
from recollect.model.page import ResultPage
from recollect.resolve.port import Resolution
from recollect.search.document_search import list_filed_documents
from recollect.search.name_search import documents_with_names, entities_in, entities_named_in
from recollect.store.passage_filter import ANY_TIME, ArtifactFilter
from recollect.store.passage_index import StoredPassageIndex
from recollect.store.view import View
from recollect.store.write_queries import Folio as StoredFolio
from recollect.surfaces.arguments import read_arguments
from recollect.surfaces.call_errors import BadArgument
from recollect.surfaces.carabase.artifacts import ArtifactView, artifact_lines, render_artifacts
from recollect.surfaces.carabase.candidates import (
    EntityCandidateView,
    candidate_lines,
    candidates_for_ambiguous,
    candidates_for_unknown,
)
from recollect.surfaces.carabase.edges import resolve_name
from recollect.surfaces.carabase.graph import unknown_hint
from recollect.surfaces.carabase.hints import (
    Hint,
    HintedResult,
    hinted_answer,
    quote,
    suggest_call,
    unknown_folio_hint,
)
from recollect.surfaces.carabase.parameters import (
    EntityText,
    FolioText,
    JsonObject,
    Kinds,
    Tags,
    TimeText,
    choice_of,
    integer_between,
    name_of,
    parse_date_range,
    text_of,
)
from recollect.surfaces.carabase.surface import BadInput, CarabaseError, surface
from recollect.surfaces.declarations import Result
from recollect.surfaces.parameter_types import AsOf
from recollect.write.folios import find_folio

TOOL_NAME = "carabase_query_metadata"
DEFAULT_LIMIT = 20
MAX_ENTITIES = 10
FILTERS = ("entity_name", "folio_id", "folio", "date_from", "date_to", "tags", "source", "kinds")
FLAT_ARGUMENTS = (*FILTERS, "date_field", "limit", "offset")

FolioRef = Annotated[str, Field(max_length=121, description="UUID or name of a folio"), name_of(120, mark="~")]
SourceText = Annotated[
    str, Field(max_length=400, description="A source label, or its part before the colon"), text_of(400)
]
DateField = Annotated[
    Literal["source", "recorded"],
    Field(description="Which date: of the source (default), or when it came in"),
    choice_of("source", "recorded"),
]
PageLimit = Annotated[int, Field(ge=1, le=100, description="At most this many; default 20"), integer_between(1, 100)]
Offset = Annotated[
    int, Field(ge=0, le=10_000, description="Leave out so many first; default 0"), integer_between(0, 10_000)
]
Filters = Annotated[JsonObject, Field(description="Any of the other arguments, in one object")]


class FiledArtifactView(ArtifactView):
    entities: list[str]


class MetadataResult(HintedResult):
    filters: dict[str, Any]
    results: list[FiledArtifactView]
    count: int
    total: int
    truncated: bool
    candidates: list[EntityCandidateView]


class FiltersRequired(CarabaseError):
    code = "FILTERS_REQUIRED"

    def __init__(self) -> None:
        super().__init__("at least one filter is needed", field="filters", accepted=FILTERS)


@surface.tool(
    "read",
    example={"filters": {"folio": "~Orchard", "date_from": "2026-02", "date_to": "2026-02"}},
    older={"entity_name": ("entity",), "date_from": ("date_after",), "date_to": ("date_before",)},
)
def carabase_query_metadata(
    memory: Memory,
    filters: Filters | None = None,
    entity_name: EntityText | None = None,
    folio_id: FolioRef | None = None,
    folio: FolioText | None = None,
    date_from: TimeText | None = None,
    date_to: TimeText | None = None,
    tags: Tags | None = None,
    source: SourceText | None = None,
    kinds: Kinds | None = None,
    date_field: DateField | None = None,
    limit: PageLimit | None = None,
    offset: Offset | None = None,
    as_of: AsOf = None,
) -> Result[MetadataResult]:
    """Artifacts that meet all filters, newest date first.

    Filters: who is mentioned, folio, dates, tags, source and kind; in `filters` or beside it.
    """
    flat: dict[str, Any] = {"entity_name": entity_name, "folio_id": folio_id, "folio": folio, "date_from": date_from}
    flat |= {"date_to": date_to, "tags": tags, "source": source, "kinds": kinds, "date_field": date_field}
    asked = _merge_filters(filters or {}, {**flat, "limit": limit, "offset": offset})
    if not any(key in asked for key in FILTERS):
        raise FiltersRequired
    index_before_read(memory, by_meaning=False)
    with memory.read(as_of) as view:
        wanted = MetadataQuery.parse(memory, view, asked)
        if wanted.missing_folio is not None:
            return _render_unknown_folio(view, wanted, as_of)
        if wanted.missing_entity is not None:
            return _render_unknown_entity(memory, view, wanted, as_of)
        found = wanted.run(view)
        results = render_filed(view, found.items)
        value = _empty_value(wanted, wanted.candidates) | {
            "results": results,
            "count": len(results),
            "total": found.total,
            "truncated": found.total > wanted.offset + len(results),
        }
        lines = [
            f"{len(results)} of {found.total} artifacts",
            *artifact_lines(results),
            *candidate_lines(wanted.candidates),
        ]
        if results:
            return hinted_answer(value, lines)
        hint = _beyond_last_hint(wanted, found) if found.total else _no_results_hint(memory, view, wanted)
        return hinted_answer(
            value, lines, hint=hint, trace=[_trace_step(wanted.filters_as_printed, found)], as_of=as_of
        )


def _merge_filters(inner: Mapping[str, Any], flat: Mapping[str, Any]) -> dict[str, Any]:
    """The filters given in `filters` and as arguments, merged."""
    tool = surface.tools[TOOL_NAME]
    known = {*FLAT_ARGUMENTS, *tool.older_names}
    unknown = next((key for key in inner if key not in known), None)
    if unknown is not None:
        message = f"filters.{unknown} is not a filter; there are {', '.join(FLAT_ARGUMENTS)}"
        raise BadInput(message, field=f"filters.{unknown}", accepted=FLAT_ARGUMENTS)
    try:
        filters = read_arguments(tool, inner)
    except BadArgument as problem:
        field, accepted = f"filters.{problem.field}", problem.accepted or None
        raise BadInput(f"filters.{problem}", field=field, accepted=accepted) from None
    given = {key: value for key, value in flat.items() if value is not None}
    for key, value in filters.items():
        if key in given and given[key] != value:
            raise BadInput(f"{key} is given twice with different values", field=key)
    return {**given, **filters}


@dataclass(frozen=True, slots=True)
class MetadataQuery:
    """Parsed filters: as given, as index terms, and as printed."""

    filters: Mapping[str, Any]
    artifacts: ArtifactFilter
    entities: frozenset[DocumentId] | None
    filters_as_printed: dict[str, Any]
    candidates: list[EntityCandidateView]
    missing_folio: str | None = None
    missing_entity: Resolution | None = None

    @property
    def limit(self) -> int:
        return int(self.filters.get("limit", DEFAULT_LIMIT))

    @property
    def offset(self) -> int:
        return int(self.filters.get("offset", 0))

    def run(self, view: View) -> ResultPage[DocumentId]:
        return list_filed_documents(view, self.artifacts, self.entities, self.limit, self.offset)

    @staticmethod
    def parse(memory: Memory, view: View, asked: Mapping[str, Any]) -> "MetadataQuery":
        span = (
            parse_date_range(view, asked.get("date_from"), asked.get("date_to"), ("date_from", "date_to")) or ANY_TIME
        )
        is_recorded = asked.get("date_field") == "recorded"
        folio, missing = _find_folio(view, asked)
        source = asked.get("source")
        artifacts = ArtifactFilter(
            frozenset(asked.get("kinds") or ()),
            None if folio is None else folio.id,
            frozenset(map(fold, asked.get("tags") or ())),
            None if source is None else fold(source),
            frozenset(),
            ANY_TIME if is_recorded else span,
            span if is_recorded else ANY_TIME,
        )
        shown = {key: asked[key] for key in (*FILTERS, "date_field") if key in asked}
        wanted = MetadataQuery(asked, artifacts, None, shown, [], missing)
        if folio is not None:
            wanted = replace(wanted, filters_as_printed=_with_folio(shown, folio))
        name = asked.get("entity_name")
        return wanted if name is None else _with_entity(memory, view, wanted, name)


def _find_folio(view: View, asked: Mapping[str, Any]) -> tuple[StoredFolio | None, str | None]:
    """The named folio, or the name if there is no such folio."""
    found = {asked[key]: find_folio(view, asked[key]) for key in ("folio_id", "folio") if key in asked}
    missing = next((name for name, folio in found.items() if folio is None), None)
    if missing is None and len({folio.id for folio in found.values() if folio is not None}) > 1:
        raise BadInput("folio_id and folio name different folios; give one of them", field="folio")
    return None if missing is not None else next(iter(found.values()), None), missing


def _with_folio(shown: dict[str, Any], folio: StoredFolio) -> dict[str, Any]:
    by_id = {"folio_id": format_uuid(folio.id)} if "folio_id" in shown else {}
    return {**shown, "folio": folio.name, **by_id}


def _with_entity(memory: Memory, view: View, wanted: MetadataQuery, name: str) -> MetadataQuery:
    found = resolve_name(memory, view, name)
    if not found.tied:
        return replace(wanted, missing_entity=found)
    entities: list[EntityId] = [each.entity for each in found.tied]
    index = StoredPassageIndex(view, memory.cache.vectors)
    among = frozenset(documents_with_names(view, index, entities))
    held = view.entities(entities)
    shown = {**wanted.filters_as_printed, "entity_name": held[entities[0]].name if len(entities) == 1 else name}
    candidates = candidates_for_ambiguous(view, found) if found.is_ambiguous else []
    return replace(wanted, entities=among, filters_as_printed=shown, candidates=candidates)


def render_filed(view: View, ids: list[DocumentId]) -> list[FiledArtifactView]:
    """Artifacts in the order given, each with the names it mentions."""
    documents = view.documents(ids)
    shown = render_artifacts(view, [documents[id_] for id_ in ids if id_ in documents])
    told = entities_in(view, ids)
    return [
        {**shown[id_], "entities": _mentioned_names(view, told[id_], documents[id_].title, id_)}
        for id_ in ids
        if id_ in shown
    ]


def _mentioned_names(view: View, told: set[EntityId], title: str | None, document: DocumentId) -> list[str]:
    texts = [chunk.text for chunk in view.chunks(document)]
    found = told | entities_named_in(view, [*([title] if title else []), *texts])
    live = [each.name for each in view.entities(found).values() if each.is_live]
    return sorted(set(live))[:MAX_ENTITIES]


def _empty_value(wanted: MetadataQuery, candidates: list[EntityCandidateView]) -> dict[str, Any]:
    return {
        "filters": wanted.filters_as_printed,
        "results": [],
        "count": 0,
        "total": 0,
        "truncated": False,
        "candidates": candidates,
    }


def _render_unknown_folio(view: View, wanted: MetadataQuery, as_of: Any) -> Result[MetadataResult]:
    named = wanted.missing_folio or ""
    rest = {key: value for key, value in wanted.filters.items() if key not in ("folio", "folio_id")}
    without = suggest_call(TOOL_NAME, filters=rest) if any(key in FILTERS for key in rest) else None
    semantic = suggest_call("carabase_search_semantic", query=named.removeprefix("~") or named)
    hint = unknown_folio_hint(view, named, suggest_call(TOOL_NAME, **rest), without or semantic)
    trace = [f"find folio {quote(named)} → unknown"]
    return hinted_answer(_empty_value(wanted, []), ["0 of 0 artifacts"], hint=hint, trace=trace, as_of=as_of)


def _render_unknown_entity(memory: Memory, view: View, wanted: MetadataQuery, as_of: Any) -> Result[MetadataResult]:
    name = wanted.filters["entity_name"]
    shown = candidates_for_unknown(memory, view, name)
    calls = [suggest_call(TOOL_NAME, filters={**wanted.filters, "entity_name": each["id"]}) for each in shown]
    lines = ["0 of 0 artifacts", *candidate_lines(shown)]
    hint, trace = unknown_hint(name, shown, calls), [f"resolve {quote(name)} → none"]
    return hinted_answer(_empty_value(wanted, shown), lines, hint=hint, trace=trace, as_of=as_of)


def _beyond_last_hint(wanted: MetadataQuery, found: ResultPage[DocumentId]) -> Hint:
    place = f"There are {found.total}, and offset {wanted.offset} lies behind the last."
    text = f"{place} Call `{TOOL_NAME}` again without it."
    rest = {key: value for key, value in wanted.filters.items() if key != "offset"}
    return Hint("metadataNoResults", text, (suggest_call(TOOL_NAME, filters=rest),))


def _no_results_hint(memory: Memory, view: View, wanted: MetadataQuery) -> Hint:
    """A hint that names a filter whose removal would give results, if there is one."""
    for key in [each for each in FILTERS if each in wanted.filters]:
        rest = {name: value for name, value in wanted.filters.items() if name not in (key, "offset")}
        if any(name in FILTERS for name in rest):
            total = MetadataQuery.parse(memory, view, rest).run(view).total
            if total:
                text = f"Without the filter {key} there would be {total}. Call `{TOOL_NAME}` again without it."
                return Hint("metadataNoResults", text, (suggest_call(TOOL_NAME, filters=rest),))
    words = " ".join(str(wanted.filters[key]) for key in ("entity_name", "source", "folio") if key in wanted.filters)
    query = words or " ".join(wanted.filters.get("tags", ()))
    if not query:
        text = "Nothing is filed so; no filter alone is to blame. Ask for a wider span of dates."
        return Hint("metadataNoResults", text)
    text = "Nothing is filed so, and no single filter is to blame. Search by meaning with `carabase_search_semantic`."
    return Hint("metadataNoResults", text, (suggest_call("carabase_search_semantic", query=query),))


def _trace_step(shown: Mapping[str, Any], found: ResultPage[DocumentId]) -> str:
    given = {key: ", ".join(value) if isinstance(value, list) else str(value) for key, value in shown.items()}
    return f"list {', '.join(f'{key}={quote(value)}' for key, value in given.items())} → {found.total} artifacts"
