"""Resources of this surface: bodies of artifacts and readmes of folios."""

from collections import Counter
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, unquote

from recollect.errors import Refused
from recollect.indexing import index_before_read
from recollect.keep.artifacts.artifact import DARK, artifact_date, mime_of, summary_of, tier_of, title_of
from recollect.keep.document_versions import texts_of
from recollect.memory import Memory
from recollect.model.document import MESH_URI, Document
from recollect.model.ids import DocumentId, EntityId, is_id, read_id
from recollect.search.compaction import compact
from recollect.search.document_search import list_filed_documents
from recollect.search.name_search import entities_in, entities_named_in
from recollect.store.passage_filter import ArtifactFilter
from recollect.store.view import View
from recollect.store.write_queries import Folio, folio_statistics
from recollect.surfaces.call_errors import NoResource
from recollect.surfaces.carabase.artifacts import ARTIFACT_URI
from recollect.surfaces.carabase.surface import surface
from recollect.surfaces.declarations import Content
from recollect.surfaces.views import format_count
from recollect.when.instant import Instant, format_date, local_day
from recollect.write.folios import find_folio, name_of_folio

MAX_ARTIFACTS_READ = 200
MAX_README_NAMES = 5


def generate_readme(view: View, folio: Folio) -> str:
    """A readme from counts, dates, the names mentioned most and the newest titles."""
    size = folio_statistics(view, folio.id)
    lines = [f"{format_count(size.commits, 'commit')}, {format_count(size.artifacts, 'artifact')}"]
    if size.first_at is not None and size.last_at is not None:
        lines.append(f"From {_format_day(view, size.first_at)} to {_format_day(view, size.last_at)}")
    newest = list_filed_documents(view, ArtifactFilter(folio=folio.id), None, MAX_ARTIFACTS_READ).items
    documents = view.documents(newest)
    texts = texts_of(view, list(documents.values()))
    linked = entities_in(view, newest)
    counts = Counter(entity for id_ in newest for entity in linked[id_] | entities_named_in(view, [texts.get(id_, "")]))
    if counts:
        lines += ["", "Most mentioned:", *(f"- {name} ({count})" for name, count in _most_mentioned(view, counts))]
    titles = [title_of(documents[id_], texts.get(id_)) for id_ in newest[:MAX_README_NAMES]]
    if titles:
        lines += ["", "Newest:", *(f"- {title or 'untitled'}" for title in titles)]
    return "\n".join(lines)


def _format_day(view: View, instant: Instant) -> str:
    return format_date(local_day(instant, view.world.zone))


def _most_mentioned(view: View, counts: Counter[EntityId]) -> list[tuple[str, int]]:
    names = {each.id: each.name for each in view.entities(counts.keys()).values() if each.is_live}
    ranked = sorted((-count, names[entity]) for entity, count in counts.items() if entity in names)
    return [(name, -count) for count, name in ranked[:MAX_README_NAMES]]


FOLIO_URI = "folio://"
MARKDOWN = "text/markdown"
BUDGET_SETTING = "carabase.compaction.max_tokens"
QUERY_KEYS = frozenset({"maxTokens", "q", "as_of"})


class BadResourceUri(Refused):
    def __init__(self, why: str) -> None:
        super().__init__(why, field="uri")


@surface.resource(f"{ARTIFACT_URI}{{id}}", name="artifact")
def read_artifact(memory: Memory, uri: str, compaction: Mapping[str, Any] | None = None) -> Content:
    """The body of an artifact. A budget of tokens has it compacted to what matters."""
    bare, _, query = uri.removeprefix(ARTIFACT_URI).partition("?")
    if not is_id(bare):
        raise BadResourceUri(f"an artifact's URI is {ARTIFACT_URI} and a UUID")
    asked = _parse_query(query)
    budget = _token_budget(
        asked.get("maxTokens"), (compaction or {}).get("maxTokens"), memory.settings.get(BUDGET_SETTING)
    )
    with memory.read(asked.get("as_of")) as view:
        document = view.document(DocumentId(read_id(bare)))
        if document is None or document.deleted:
            raise NoResource(uri, "not_found")
        if tier_of(document, view.now) == DARK:
            raise NoResource(uri, "withheld")
        text, mime = _stored_content(view, document)
    if budget is None:
        return Content(text, mime)
    shorter = compact(text, mime, budget, asked.get("q"))
    return Content(shorter.text, mime, {"compaction": shorter.to_json()})


def _parse_query(query: str) -> dict[str, str]:
    asked = dict(parse_qsl(query))
    unknown = sorted(asked.keys() - QUERY_KEYS)
    if unknown:
        raise BadResourceUri(
            f"{unknown[0]!r} cannot be asked of an artifact; there are {', '.join(sorted(QUERY_KEYS))}"
        )
    return asked


def _token_budget(*given: Any) -> int | None:
    """The first budget given; without one there is no compaction."""
    budget = next((each for each in given if each is not None), None)
    if budget is None:
        return None
    is_number = isinstance(budget, int) or (isinstance(budget, str) and budget.isdecimal())
    if isinstance(budget, bool) or not is_number or int(budget) < 1:
        raise BadResourceUri("maxTokens should be a whole number of at least 1")
    return int(budget)


def _stored_content(view: View, document: Document) -> tuple[str, str]:
    """The stored content of a document, and its media type."""
    tier = tier_of(document, view.now)
    if tier == 0:
        return view.text_of(document) or "", mime_of(document)
    summary, mesh = summary_of(document), document.properties.get(MESH_URI)
    date = artifact_date(document, view.world.zone).text
    about = [] if tier == 1 else [title_of(document, None), date]
    lines = [*about, summary, f"The body can be fetched from {mesh}" if mesh else None]
    return "\n".join(line for line in lines if line), "text/plain"


@surface.resource(f"{FOLIO_URI}{{id}}/readme", name="folio readme", mime=MARKDOWN)
def read_folio(memory: Memory, uri: str) -> Content:
    """The name of a folio and its readme: the text given for it, else one made by rule."""
    index_before_read(memory, by_meaning=False)
    bare, _, rest = uri.removeprefix(FOLIO_URI).partition("/")
    if rest != "readme" or not bare:
        raise BadResourceUri(f"a folio's URI is {FOLIO_URI}, its UUID or percent-encoded name, and /readme")
    with memory.read() as view:
        folio = find_folio(view, name_of_folio(unquote(bare)))
        if folio is None:
            raise NoResource(uri, "not_found")
        return Content(f"# {folio.name}\n\n{folio.readme or generate_readme(view, folio)}", MARKDOWN)
