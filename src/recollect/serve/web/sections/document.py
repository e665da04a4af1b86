"""A document: its text with mentions and quotes, what was read from it and what not, its versions."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from recollect.ingest.extract.rules import load_rules
from recollect.ingest.reread import can_reread, reread
from recollect.model.document import Document
from recollect.model.fact import Assertion
from recollect.model.ids import DOCUMENT_PREFIX, format_entity_id, format_fact_id, parse_document_id
from recollect.resolve.name_finder import find_names
from recollect.search.unread_sentences import unread_sentences
from recollect.serve.web.framework.cards import EntityCard, FactCard, compared_with_now, entity_card, fact_cards_of
from recollect.serve.web.framework.error_pages import PageNotFound
from recollect.serve.web.framework.marked_text import MarkedBlock, MarkedSpan, find_quote, mark_text
from recollect.serve.web.framework.pages import (
    Action,
    ActionResult,
    Page,
    PageModel,
    PageRequest,
    WebSection,
    whole_number,
)
from recollect.serve.web.framework.rendering import render_markdown
from recollect.serve.web.sections.document_views import (
    DiffRow,
    DocumentCard,
    VersionCard,
    address_of,
    diff_rows,
    document_card,
    recipients_of,
    text_versions,
    version_cards,
)
from recollect.store.view import View

WINDOW = 40_000
"""So many characters of a text are on one page; the rest is a link away."""
MOST_UNREAD = 40
MOST_MENTIONS = 1_000
MOST_FACTS = 200


@dataclass(frozen=True, slots=True)
class DocumentView(PageModel):
    document: DocumentCard
    url: str | None
    kind: str
    address: str | None
    recipients: tuple[str, ...]
    length: int
    start: int
    stop: int
    blocks: tuple[MarkedBlock, ...]
    rendered: str | None
    mentions: tuple[EntityCard, ...]
    facts: tuple[FactCard, ...]
    unread: tuple[str, ...]
    unread_count: int
    versions: tuple[VersionCard, ...]
    may_reread: bool
    compared: int | None
    diff: tuple[DiffRow, ...]
    is_known: bool = True


def show(request: PageRequest) -> DocumentView:
    with request.read() as view:
        if request.clocks.known is not None and _find_or_none(view, request.path["id"]) is None:
            return _not_known_yet(request)
        document = _find(view, request.path["id"])
        text = view.text_of(document) or ""
        assertions = view.assertions_from(document.id)
        quotes = _quote_spans(text, assertions)
        start, stop = _window(request, text, quotes)
        stated = list(dict.fromkeys(assertion.fact for assertion in assertions))[:MOST_FACTS]
        facts = fact_cards_of(view, stated, request.at(view))
        facts = facts if request.clocks.is_now else compared_with_now(request.memory, facts)
        mentions = _mention_spans(view, text, start, stop)
        unread = unread_sentences(document, text[start:stop], assertions)
        versions = text_versions(view, document)
        compared = _compared_version(request, len(versions))
        card = document_card(view, document)
        is_rendered = request.query.get("view") == "rendered"
        return DocumentView(
            card.title,
            card,
            document.url,
            document.kind,
            address_of(document),
            recipients_of(document),
            len(text),
            start,
            stop,
            tuple(mark_text(text, quotes, mentions, start, stop)),
            str(render_markdown(text[start:stop])) if is_rendered else None,
            tuple(map(entity_card, view.entities(view.mentioned(document.id)[:60]).values())),
            tuple(fact for fact in facts if fact.state != "retracted"),
            tuple(unread[:MOST_UNREAD]),
            len(unread),
            version_cards(view, versions, document),
            can_reread(document, text),
            compared,
            tuple(_diff(view, versions, compared)),
        )


def _not_known_yet(request: PageRequest) -> DocumentView:
    """The page of a document that came later than the moment asked for: its title, and what it teaches by now."""
    now = show(request.of_now)
    facts = tuple(replace(fact, change="added") for fact in now.facts)
    return replace(
        now,
        length=0,
        start=0,
        stop=0,
        blocks=(),
        rendered=None,
        mentions=(),
        facts=facts,
        unread=(),
        unread_count=0,
        versions=(),
        compared=None,
        diff=(),
        is_known=False,
    )


def _find(view: View, text: str) -> Document:
    document = _find_or_none(view, text)
    if document is None:
        raise PageNotFound
    return document


def _find_or_none(view: View, text: str) -> Document | None:
    ident = text.partition("#")[0]
    document = view.document(id_) if (id_ := parse_document_id(ident, DOCUMENT_PREFIX)) else None
    return None if document is None or document.deleted is not None else document


def _quote_spans(text: str, assertions: Sequence[Assertion]) -> list[MarkedSpan]:
    """Where the words of the facts stand in the text."""
    found: dict[tuple[int, int], list[str]] = {}
    for assertion in assertions:
        words = assertion.quote or assertion.evidence
        place = find_quote(text, words) if words else None
        if place is not None:
            found.setdefault(place, []).append(format_fact_id(assertion.fact))
    return [MarkedSpan(start, stop, tuple(dict.fromkeys(facts))) for (start, stop), facts in found.items()]


def _mention_spans(view: View, text: str, start: int, stop: int) -> list[MarkedSpan]:
    spans = find_names(view, text[start:stop])[:MOST_MENTIONS]
    return [
        MarkedSpan(start + span.start, start + span.stop, (format_entity_id(span.entity),))
        for span in spans
        if span.entity is not None
    ]


def _window(request: PageRequest, text: str, quotes: Sequence[MarkedSpan]) -> tuple[int, int]:
    """The part of a long text to show: from the place asked for, or around the quote of a fact."""
    asked, fact = request.query.get("from", ""), request.query.get("fact", "")
    start = whole_number(asked) or 0
    if fact and not asked:
        start = max((quote.start - WINDOW // 4 for quote in quotes if fact in quote.ids), default=0)
    start = min(max(0, start if len(text) > WINDOW else 0), max(0, len(text) - 1))
    return start, min(len(text), start + WINDOW)


def _compared_version(request: PageRequest, count: int) -> int | None:
    """The version that is compared with the one after it."""
    asked = whole_number(request.query.get("compare", ""))
    return asked if asked is not None and 1 <= asked < count else None


def _diff(view: View, versions: Sequence[Document], compared: int | None) -> list[DiffRow]:
    if compared is None:
        return []
    older, newer = (view.text_of(version) or "" for version in versions[compared - 1 : compared + 1])
    return diff_rows(older, newer)


@dataclass(frozen=True, slots=True)
class RereadView(PageModel):
    """What reading a document again would do to its facts; those to be added have no page yet."""

    document: DocumentCard
    added: tuple[FactCard, ...]
    changed: tuple[FactCard, ...]
    kept: tuple[FactCard, ...]
    withdrawn: tuple[FactCard, ...]


def try_reading(request: PageRequest) -> RereadView:
    """A dry run of *Read again*: read in a transaction that is rolled back."""
    memory = request.acting("reread")
    with memory.write(dry_run=True) as change:
        done = reread(change, _find(change, request.path["id"]), load_rules(memory.settings))
        added, changed = (fact_cards_of(change, each[:MOST_FACTS]) for each in (done.added, done.changed))
    with memory.read() as view:
        card = document_card(view, _find(view, request.path["id"]))
        kept, withdrawn = (fact_cards_of(view, each[:MOST_FACTS]) for each in (done.kept, done.withdrawn))
    title = f"Read {card.title} again"
    return RereadView(title, card, tuple(added), tuple(changed), tuple(kept), tuple(withdrawn))


def read_again(request: PageRequest) -> ActionResult:
    """Read a record or a note again by the present rules; what people and models found stays."""
    memory = request.acting("reread")
    with memory.write() as change:
        done = reread(change, _find(change, request.path["id"]), load_rules(memory.settings))
        undo = change.own_tx
    parts = (("added", done.added), ("changed", done.changed), ("withdrawn", done.withdrawn))
    counted = ", ".join(f"{len(facts)} {word}" for word, facts in parts if facts)
    return ActionResult(f"document/{request.path['id']}", f"Read again: {counted or 'nothing new'}.", undo)


PAGES = (
    Page("document", "document/{id}", show, has_clock=True),
    Page("document", "document/{id}/reread", try_reading, scope="write", template="reread.html"),
)
SECTION = WebSection("document", PAGES, (Action("document/{id}/reread", read_again),))
