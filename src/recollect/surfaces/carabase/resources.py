"""What stands behind the URIs that answers carry: bodies of artifacts, and readmes of folios."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, unquote

from recollect.errors import Refused
from recollect.keep.artifacts.artifact import DARK, dated, mime_of, summary_of, tier_of, title_of
from recollect.keep.indexing import index_before_read
from recollect.memory import Memory
from recollect.model.document import Document
from recollect.model.filing import MESH_URI
from recollect.model.ids import DocumentId, is_id, read_id
from recollect.search.compact import compact
from recollect.store.view import View
from recollect.surfaces.carabase.artifact import ARTIFACT_URI
from recollect.surfaces.carabase.readme import readme_of
from recollect.surfaces.carabase.surface import surface
from recollect.surfaces.declare import Content
from recollect.surfaces.problems import NoResource
from recollect.write.folio import find_folio

FOLIO_URI = "folio://"
MARKDOWN = "text/markdown"
BUDGET = "carabase.compaction.max_tokens"
ASKED = frozenset({"maxTokens", "q", "as_of"})


class BadUri(Refused):
    def __init__(self, why: str) -> None:
        super().__init__(why, field="uri")


@surface.resource(f"{ARTIFACT_URI}{{id}}", name="artifact")
def read_artifact(memory: Memory, uri: str, compaction: Mapping[str, Any] | None = None) -> Content:
    """The body of an artifact. A budget of tokens has it compacted to what matters."""
    bare, _, query = uri.removeprefix(ARTIFACT_URI).partition("?")
    if not is_id(bare):
        raise BadUri(f"an artifact's URI is {ARTIFACT_URI} and a UUID")
    asked = _asked(query)
    budget = _budget(asked.get("maxTokens"), (compaction or {}).get("maxTokens"), memory.settings.get(BUDGET))
    with memory.read(asked.get("as_of")) as view:
        document = view.document(DocumentId(read_id(bare)))
        if document is None or document.deleted:
            raise NoResource(uri, "not_found")
        if tier_of(document, view.now) == DARK:
            raise NoResource(uri, "withheld")
        text, mime = _held(view, document)
    if budget is None:
        return Content(text, mime)
    shorter = compact(text, mime, budget, asked.get("q"))
    return Content(shorter.text, mime, {"compaction": shorter.shown()})


def _asked(query: str) -> dict[str, str]:
    asked = dict(parse_qsl(query))
    unknown = sorted(asked.keys() - ASKED)
    if unknown:
        raise BadUri(f"{unknown[0]!r} cannot be asked of an artifact; there are {', '.join(sorted(ASKED))}")
    return asked


def _budget(*given: Any) -> int | None:
    """The first budget that was given; none switches compaction off."""
    said = next((each for each in given if each is not None), None)
    if said is None:
        return None
    is_number = isinstance(said, int) or (isinstance(said, str) and said.isdecimal())
    if isinstance(said, bool) or not is_number or int(said) < 1:
        raise BadUri("maxTokens should be a whole number of at least 1")
    return int(said)


def _held(view: View, document: Document) -> tuple[str, str]:
    """What is held of a document, and its media type."""
    tier = tier_of(document, view.now)
    if tier == 0:
        return view.text_of(document) or "", mime_of(document)
    summary, mesh = summary_of(document), document.properties.get(MESH_URI)
    date = dated(document, view.world.zone).text
    about = [] if tier == 1 else [title_of(document, None), date]
    lines = [*about, summary, f"The body can be fetched from {mesh}" if mesh else None]
    return "\n".join(line for line in lines if line), "text/plain"


@surface.resource(f"{FOLIO_URI}{{id}}/readme", name="folio readme", mime=MARKDOWN)
def read_folio(memory: Memory, uri: str) -> Content:
    """The name of a folio and its readme: the text given for it, else one made by rule."""
    index_before_read(memory, by_meaning=False)
    bare, _, rest = uri.removeprefix(FOLIO_URI).partition("/")
    if rest != "readme" or not bare:
        raise BadUri(f"a folio's URI is {FOLIO_URI}, its UUID or percent-encoded name, and /readme")
    with memory.read() as view:
        folio = find_folio(view, unquote(bare))
        if folio is None:
            raise NoResource(uri, "not_found")
        return Content(f"# {folio.name}\n\n{folio.readme or readme_of(view, folio)}", MARKDOWN)
