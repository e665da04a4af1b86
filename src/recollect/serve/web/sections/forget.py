"""Forgetting in two steps: what would be affected, then hiding it (reversible) or erasing it for good."""

from dataclasses import dataclass

from recollect.model.ids import DOCUMENT_PREFIX, DocumentId, read_id
from recollect.serve.web.framework.error_pages import PageNotFound
from recollect.serve.web.framework.pages import (
    Action,
    ActionResult,
    Page,
    PageModel,
    PageRequest,
    WebSection,
    required_field,
)
from recollect.serve.web.sections.document_views import DocumentCard, newest_documents
from recollect.surfaces.recollect.forget import ForgetResult, forget

MOST_SHOWN = 20


@dataclass(frozen=True, slots=True)
class ForgetPage(PageModel):
    target: str
    kind: str
    text: str
    facts: int
    documents: int
    entities: int
    still_in: tuple[DocumentCard, ...]
    confirm: str


def show(request: PageRequest) -> ForgetPage:
    """What erasing the target would delete; nothing changes."""
    target = request.query.get("target", "")
    if not target:
        raise PageNotFound
    result: ForgetResult = forget(request.acting("forget"), target, erase=True).value
    counts, found = result["counts"], result["target"]
    remaining = [DocumentId(read_id(each, DOCUMENT_PREFIX)) for each in result.get("still_in", ())]
    with request.memory.read() as view:
        still_in = newest_documents(view, remaining, MOST_SHOWN)
    return ForgetPage(
        f"Forget {found['text']}"[:200],
        found["id"],
        found["kind"],
        found["text"],
        counts["facts"],
        counts["documents"],
        counts["entities"],
        tuple(still_in),
        result["confirm"],
    )


def hide(request: PageRequest) -> ActionResult:
    result = forget(request.acting("forget"), required_field(request, "target")).value
    return ActionResult("", f"Hidden: {result['target']['text']}", result["undo"])


def erase(request: PageRequest) -> ActionResult:
    target, confirm = required_field(request, "target"), required_field(request, "confirm", 100)
    counts = forget(request.acting("forget"), target, erase=True, confirm=confirm).value["counts"]
    affected = ", ".join(f"{counts[name]} {name}" for name in ("facts", "documents", "entities"))
    return ActionResult("", f"Erased for good: {affected}.")


PAGES = (Page("forget", "forget", show, scope="write"),)
SECTION = WebSection("forget", PAGES, (Action("forget/hide", hide), Action("forget/erase", erase)))
