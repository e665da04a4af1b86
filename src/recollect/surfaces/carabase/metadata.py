"""`carabase_query_metadata`: artifacts by who, where and when."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from pydantic import Field

from recollect.keep.indexing import index_before_read
from recollect.memory import Memory
from recollect.model.ids import DocumentId, EntityId, say_uuid
from recollect.model.names import fold
from recollect.resolve.answer import Resolution
from recollect.search.filed import Listed, list_filed
from recollect.search.mentioning import documents_mentioning, entities_in, named_in
from recollect.store.found import ALWAYS, Artifacts
from recollect.store.index import StoredIndex
from recollect.store.view import View
from recollect.surfaces.arguments import read_arguments
from recollect.surfaces.carabase.artifact import ArtifactShown, artifact_lines, show_artifacts
from recollect.surfaces.carabase.candidates import CandidateShown, candidate_lines, for_several, for_unknown
from recollect.surfaces.carabase.folios import unknown_folio
from recollect.surfaces.carabase.graph import unknown
from recollect.surfaces.carabase.problems import BadInput, Problem
from recollect.surfaces.carabase.shapes import EntityText, Folio, Kinds, Object, Tags, TimeText, text, whole, word_of
from recollect.surfaces.carabase.surface import surface
from recollect.surfaces.carabase.times import read_dates
from recollect.surfaces.carabase.trailers import Hint, Trailed, answer, call, quoted
from recollect.surfaces.carabase.who import resolved
from recollect.surfaces.declare import Result
from recollect.surfaces.problems import BadArgument
from recollect.surfaces.shapes import AsOf
from recollect.write.folio import Folio as StoredFolio
from recollect.write.folio import find_folio

NAME = "carabase_query_metadata"
USUAL = 20
MOST_ENTITIES = 10
FILTERS = ("entity_name", "folio_id", "folio", "date_from", "date_to", "tags", "source", "kinds")
FLAT = (*FILTERS, "date_field", "limit", "offset")

FolioRef = Annotated[str, Field(max_length=121, description="UUID or name of a folio"), text(121)]
SourceText = Annotated[
    str, Field(max_length=400, description="A source label, or its part before the colon"), text(400)
]
DateField = Annotated[
    Literal["source", "recorded"],
    Field(description="Which date: of the source (default), or when it came in"),
    word_of("source", "recorded"),
]
PageLimit = Annotated[int, Field(ge=1, le=100, description="At most this many; default 20"), whole(1, 100)]
Offset = Annotated[int, Field(ge=0, le=10_000, description="Leave out so many first; default 0"), whole(0, 10_000)]
Filters = Annotated[Object, Field(description="Any of the other arguments, in one object")]


class FiledArtifact(ArtifactShown):
    entities: list[str]


class MetadataFound(Trailed):
    filters: dict[str, Any]
    results: list[FiledArtifact]
    count: int
    total: int
    truncated: bool
    candidates: list[CandidateShown]


class FiltersRequired(Problem):
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
    folio: Folio | None = None,
    date_from: TimeText | None = None,
    date_to: TimeText | None = None,
    tags: Tags | None = None,
    source: SourceText | None = None,
    kinds: Kinds | None = None,
    date_field: DateField | None = None,
    limit: PageLimit | None = None,
    offset: Offset | None = None,
    as_of: AsOf = None,
) -> Result[MetadataFound]:
    """Artifacts that meet all filters, newest date first.

    Filters: who is mentioned, folio, dates, tags, source and kind; in `filters` or beside it.
    """
    flat: dict[str, Any] = {"entity_name": entity_name, "folio_id": folio_id, "folio": folio, "date_from": date_from}
    flat |= {"date_to": date_to, "tags": tags, "source": source, "kinds": kinds, "date_field": date_field}
    asked = _joined(filters or {}, {**flat, "limit": limit, "offset": offset})
    if not any(key in asked for key in FILTERS):
        raise FiltersRequired
    index_before_read(memory, by_meaning=False)
    with memory.read(as_of) as view:
        wanted = Wanted.of(memory, view, asked)
        if wanted.missing_folio is not None:
            return _no_folio(view, wanted, as_of)
        if wanted.missing_entity is not None:
            return _nobody(memory, view, wanted, as_of)
        found = wanted.run(view)
        results = show_filed(view, found.documents)
        value = {
            "filters": wanted.shown,
            "results": results,
            "count": len(results),
            "total": found.total,
            "truncated": found.total > wanted.offset + len(results),
            "candidates": wanted.candidates,
        }
        lines = [
            f"{len(results)} of {found.total} artifacts",
            *artifact_lines(results),
            *candidate_lines(wanted.candidates),
        ]
        if results:
            return answer(value, lines)
        hint = _beyond(wanted, found) if found.total else _nothing(memory, view, wanted)
        return answer(value, lines, hint=hint, trace=[_trace(wanted.shown, found)], as_of=as_of)


def _joined(inner: Mapping[str, Any], flat: Mapping[str, Any]) -> dict[str, Any]:
    """What stands in `filters` and beside it, each thing once."""
    tool = surface.tools[NAME]
    known = {*FLAT, *tool.older_names}
    unknown = next((key for key in inner if key not in known), None)
    if unknown is not None:
        message = f"filters.{unknown} is not a filter; there are {', '.join(FLAT)}"
        raise BadInput(message, field=f"filters.{unknown}", accepted=FLAT)
    try:
        held = read_arguments(tool, inner)
    except BadArgument as problem:
        field, accepted = f"filters.{problem.field}", problem.accepted or None
        raise BadInput(f"filters.{problem}", field=field, accepted=accepted) from None
    given = {key: value for key, value in flat.items() if value is not None}
    for key, value in held.items():
        if key in given and given[key] != value:
            raise BadInput(f"{key} is given twice with different values", field=key)
    return {**given, **held}


@dataclass(frozen=True, slots=True)
class Wanted:
    """Filters as understood: what was asked, the index's terms for it, and what it came to."""

    asked: Mapping[str, Any]
    artifacts: Artifacts
    among: frozenset[DocumentId] | None
    shown: dict[str, Any]
    candidates: list[CandidateShown]
    missing_folio: str | None = None
    missing_entity: Resolution | None = None

    @property
    def limit(self) -> int:
        return int(self.asked.get("limit", USUAL))

    @property
    def offset(self) -> int:
        return int(self.asked.get("offset", 0))

    def run(self, view: View) -> Listed:
        return list_filed(view, self.artifacts, self.among, self.limit, self.offset)

    @staticmethod
    def of(memory: Memory, view: View, asked: Mapping[str, Any]) -> "Wanted":
        span = read_dates(view, asked.get("date_from"), asked.get("date_to"), ("date_from", "date_to")) or ALWAYS
        is_recorded = asked.get("date_field") == "recorded"
        folio, missing = _folio(view, asked)
        source = asked.get("source")
        artifacts = Artifacts(
            frozenset(asked.get("kinds") or ()),
            None if folio is None else folio.id,
            frozenset(map(fold, asked.get("tags") or ())),
            None if source is None else fold(source),
            frozenset(),
            ALWAYS if is_recorded else span,
            span if is_recorded else ALWAYS,
        )
        shown = {key: asked[key] for key in (*FILTERS, "date_field") if key in asked}
        wanted = Wanted(asked, artifacts, None, shown, [], missing)
        if folio is not None:
            wanted = replace(wanted, shown=_with_folio(shown, folio))
        name = asked.get("entity_name")
        return wanted if name is None else _with_entity(memory, view, wanted, name)


def _folio(view: View, asked: Mapping[str, Any]) -> tuple[StoredFolio | None, str | None]:
    """The folio that is named, or the name that none has."""
    found = {asked[key]: find_folio(view, asked[key]) for key in ("folio_id", "folio") if key in asked}
    missing = next((name for name, folio in found.items() if folio is None), None)
    if missing is None and len({folio.id for folio in found.values() if folio is not None}) > 1:
        raise BadInput("folio_id and folio name different folios; give one of them", field="folio")
    return None if missing is not None else next(iter(found.values()), None), missing


def _with_folio(shown: dict[str, Any], folio: StoredFolio) -> dict[str, Any]:
    by_id = {"folio_id": say_uuid(folio.id)} if "folio_id" in shown else {}
    return {**shown, "folio": folio.name, **by_id}


def _with_entity(memory: Memory, view: View, wanted: Wanted, name: str) -> Wanted:
    found = resolved(memory, view, name)
    if not found.tied:
        return replace(wanted, missing_entity=found)
    entities: list[EntityId] = [each.entity for each in found.tied]
    index = StoredIndex(view, memory.kept.matrices)
    among = frozenset(documents_mentioning(view, index, entities))
    held = view.entities(entities)
    shown = {**wanted.shown, "entity_name": held[entities[0]].name if len(entities) == 1 else name}
    candidates = for_several(view, found) if found.is_ambiguous else []
    return replace(wanted, among=among, shown=shown, candidates=candidates)


def show_filed(view: View, ids: list[DocumentId]) -> list[FiledArtifact]:
    """Artifacts in the order given, each with the names it mentions."""
    documents = view.documents(ids)
    shown = show_artifacts(view, [documents[id_] for id_ in ids if id_ in documents])
    told = entities_in(view, ids)
    return [
        {**shown[id_], "entities": _names(view, told[id_], documents[id_].title, id_)} for id_ in ids if id_ in shown
    ]


def _names(view: View, told: set[EntityId], title: str | None, document: DocumentId) -> list[str]:
    texts = [chunk.text for chunk in view.chunks(document)]
    found = told | named_in(view, [*([title] if title else []), *texts])
    live = [each.name for each in view.entities(found).values() if each.is_live]
    return sorted(set(live))[:MOST_ENTITIES]


def _empty(wanted: Wanted, candidates: list[CandidateShown]) -> dict[str, Any]:
    return {
        "filters": wanted.shown,
        "results": [],
        "count": 0,
        "total": 0,
        "truncated": False,
        "candidates": candidates,
    }


def _no_folio(view: View, wanted: Wanted, as_of: Any) -> Result[MetadataFound]:
    named = wanted.missing_folio or ""
    rest = {key: value for key, value in wanted.asked.items() if key not in ("folio", "folio_id")}
    without = call(NAME, filters=rest) if any(key in FILTERS for key in rest) else None
    semantic = call("carabase_search_semantic", query=named.removeprefix("~") or named)
    hint = unknown_folio(view, named, call(NAME, **rest), without or semantic)
    trace = [f"find folio {quoted(named)} → unknown"]
    return answer(_empty(wanted, []), ["0 of 0 artifacts"], hint=hint, trace=trace, as_of=as_of)


def _nobody(memory: Memory, view: View, wanted: Wanted, as_of: Any) -> Result[MetadataFound]:
    name = wanted.asked["entity_name"]
    shown = for_unknown(memory, view, name)
    calls = [call(NAME, filters={**wanted.asked, "entity_name": each["id"]}) for each in shown]
    lines = ["0 of 0 artifacts", *candidate_lines(shown)]
    hint, trace = unknown(name, shown, calls), [f"resolve {quoted(name)} → none"]
    return answer(_empty(wanted, shown), lines, hint=hint, trace=trace, as_of=as_of)


def _beyond(wanted: Wanted, found: Listed) -> Hint:
    text = f"There are {found.total}, and offset {wanted.offset} lies behind the last. Call `{NAME}` again without it."
    rest = {key: value for key, value in wanted.asked.items() if key != "offset"}
    return Hint("metadataNoResults", text, (call(NAME, filters=rest),))


def _nothing(memory: Memory, view: View, wanted: Wanted) -> Hint:
    """The filter whose removal alone would give results, if one would."""
    for key in [each for each in FILTERS if each in wanted.asked]:
        rest = {name: value for name, value in wanted.asked.items() if name not in (key, "offset")}
        if any(name in FILTERS for name in rest):
            total = Wanted.of(memory, view, rest).run(view).total
            if total:
                text = f"Without the filter {key} there would be {total}. Call `{NAME}` again without it."
                return Hint("metadataNoResults", text, (call(NAME, filters=rest),))
    words = " ".join(str(wanted.asked[key]) for key in ("entity_name", "source", "folio") if key in wanted.asked)
    query = words or " ".join(wanted.asked.get("tags", ()))
    if not query:
        text = "Nothing is filed so; no filter alone is to blame. Ask for a wider span of dates."
        return Hint("metadataNoResults", text)
    text = "Nothing is filed so, and no single filter is to blame. Search by meaning with `carabase_search_semantic`."
    return Hint("metadataNoResults", text, (call("carabase_search_semantic", query=query),))


def _trace(shown: Mapping[str, Any], found: Listed) -> str:
    given = {key: ", ".join(value) if isinstance(value, list) else str(value) for key, value in shown.items()}
    return f"list {', '.join(f'{key}={quoted(value)}' for key, value in given.items())} → {found.total} artifacts"
