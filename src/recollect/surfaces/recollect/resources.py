"""Resources of this surface, as Markdown: the owner, open items, entities, and documents verbatim."""

from recollect.llm.answers import DATA_RULE, delimit_text
from recollect.memory import Memory
from recollect.model.ids import ENTITY_PREFIX, is_id
from recollect.model.trust import OWNER, suspicions_in, trust_in
from recollect.search.passage_trust import passage_marks
from recollect.surfaces.call_errors import NoResource
from recollect.surfaces.declarations import Content
from recollect.surfaces.recollect.failures import NotFound
from recollect.surfaces.recollect.open_items import open_items
from recollect.surfaces.recollect.parameters import parse_passage_ref
from recollect.surfaces.recollect.prompts import about_entity, about_owner
from recollect.surfaces.recollect.surface import surface

MARKDOWN = "text/markdown"
ENTITY_URI, DOCUMENT_URI = "recollect://entity/", "recollect://document/"
FIND_IDS = "call `recall` for the ids of what is known"


@surface.resource("recollect://me", name="me", mime=MARKDOWN)
def read_owner(memory: Memory, _uri: str) -> Content:
    """What is known about the owner."""
    return Content(about_owner(memory), MARKDOWN)


@surface.resource("recollect://open", name="open", mime=MARKDOWN)
def read_open_items(memory: Memory, _uri: str) -> Content:
    """Promises, requests, blockers, goals and decisions that are still open."""
    return Content(open_items(memory).text or "", MARKDOWN)


@surface.resource(ENTITY_URI + "{id}", name="entity", mime=MARKDOWN)
def read_entity(memory: Memory, uri: str) -> Content:
    """Facts, open items and latest changes of an entity."""
    ident = uri.removeprefix(ENTITY_URI)
    if not is_id(ident, ENTITY_PREFIX):
        raise NoResource(uri, "not_found", FIND_IDS)
    try:
        return Content(about_entity(memory, ident), MARKDOWN)
    except NotFound as problem:
        raise NoResource(uri, "not_found", FIND_IDS) from problem


@surface.resource(DOCUMENT_URI + "{id}", name="document", mime=MARKDOWN)
def read_document(memory: Memory, uri: str) -> Content:
    """The text of a document as it was stored."""
    ref = parse_passage_ref(uri.removeprefix(DOCUMENT_URI))
    with memory.read() as view:
        document = None if ref is None else view.document(ref.document)
        text = None if document is None or document.deleted is not None else view.text_of(document)
        marks = {} if document is None else passage_marks(view, document)
    if text is None:
        raise NoResource(uri, "not_found", FIND_IDS)
    if trust_in(marks) != OWNER or suspicions_in(marks):
        text = f"{DATA_RULE}\n\n{delimit_text(text, 'DOCUMENT')}"
    return Content(text, MARKDOWN)
