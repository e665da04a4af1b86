"""Where a fact comes from and how it changed: its sources, its versions, and what holds in its place."""

from collections.abc import Iterable
from dataclasses import dataclass

from recollect.model.document import Document
from recollect.model.fact import ENDS_ONLY, Assertion, Fact, ends_of_facts
from recollect.model.history import period
from recollect.model.ids import FactId, format_document_id
from recollect.model.sentence import fact_text
from recollect.reason.entity_overview import newest_facts
from recollect.reason.items.fact_state import fact_state
from recollect.reason.items.item_lookup import closings_of
from recollect.serve.web.framework.cards import GONE_STATES, FactCard, fact_cards_of, source_badges
from recollect.serve.web.framework.drawings import KnownVersion
from recollect.serve.web.framework.marked_text import QuoteInContext, quote_in_context
from recollect.serve.web.framework.rendering import local_instant
from recollect.serve.web.sections.document_views import author_of, document_card
from recollect.store.activity_queries import latest_names, transactions
from recollect.store.fact_queries import fact_version_spans
from recollect.store.fact_rows import FactFilter
from recollect.store.view import View
from recollect.when.instant import MAX
from recollect.when.span import Span

MOST_SOURCES = 50
MOST_INSTEAD = 12
MOST_VERSIONS = 60
"""So many of the newest are shown: a fact that is confirmed every day has thousands."""


@dataclass(frozen=True, slots=True)
class SourceCard:
    """One assertion of a fact: who said it when, and the words in their document."""

    source: str
    ends_it: bool
    """Whether it says only until when the fact held."""
    when: str | None
    recorded: str
    by: str
    certainty: str
    confidence: int
    since: str | None
    until: str | None
    document: str | None
    url: str | None
    speaker: str | None
    quote: QuoteInContext | None
    badges: tuple[str, ...]


def versions_of_fact(view: View, id_: FactId) -> list[KnownVersion]:
    """Every version of a fact, the first one first, with the transactions between which it was known."""
    facts, spans = view.fact_versions(id_), fact_version_spans(view, id_)
    names = latest_names(view, ends_of_facts(facts))
    made = transactions(view, {tx for span in spans[-MOST_VERSIONS:] for tx in span})
    found = []
    for fact, span in list(zip(facts, spans, strict=True))[-MOST_VERSIONS:]:
        begun, ended = made[span.tx_from], made.get(span.tx_to)
        held, zone = period(fact), view.world.zone
        found.append(
            KnownVersion(
                fact_text(fact, names),
                fact_state(fact, view.world.present),
                held.lo,
                held.hi,
                fact.valid_from.text if fact.valid_from else None,
                fact.valid_until.text if fact.valid_until else None,
                begun.at,
                ended.at if ended else MAX,
                local_instant(begun.at, zone),
                local_instant(ended.at, zone) if ended else None,
                span.tx_from,
                f"{begun.surface} {begun.tool}, {begun.actor}",
            )
        )
    return found


def sources_of(view: View, fact: Fact | None) -> Iterable[SourceCard]:
    if fact is None:
        return
    assertions = view.assertions(fact.id)[-MOST_SOURCES:]
    documents = view.documents({each.document for each in assertions if each.document is not None})
    for assertion in assertions:
        document = documents.get(assertion.document) if assertion.document is not None else None
        yield _source_card(view, assertion, document if document is not None and not document.deleted else None)


def _source_card(view: View, assertion: Assertion, document: Document | None) -> SourceCard:
    zone = view.world.zone
    card = None if document is None else document_card(view, document)
    words = assertion.quote or assertion.evidence
    quote = None if document is None or not words else quote_in_context(view.text_of(document) or "", words)
    ends_only = ENDS_ONLY in assertion.attributes
    return SourceCard(
        assertion.given or (card.title if card else assertion.source_key),
        ends_only,
        # What ends a fact carries the time of the fact, which is not when anybody said so.
        None if ends_only and document is None else local_instant(assertion.source_at, zone),
        local_instant(assertion.recorded_at, zone),
        f"{assertion.surface} {assertion.tool}, {assertion.actor}",
        assertion.certainty,
        round(assertion.confidence * 100),
        assertion.valid_from.text if assertion.valid_from else None,
        assertion.valid_until.text if assertion.valid_until else None,
        format_document_id(document.id) if document else None,
        assertion.source_url,
        author_of(document) if document else None,
        quote or (None if not words else QuoteInContext("", words, "", None)),
        source_badges(assertion.attributes, words or ""),
    )


def closer_of(view: View, fact: Fact, at: Span) -> FactCard | None:
    """The fact that tells that an item is done or cancelled."""
    closing = closings_of(view, [fact]).get(fact.id)
    return (
        None if closing is None or closing.fact is None else next(iter(fact_cards_of(view, [closing.fact], at)), None)
    )


def facts_instead(view: View, fact: Fact, card: FactCard, at: Span) -> tuple[FactCard, ...]:
    """What holds in the place of a fact that does not: the same relation of the same subject."""
    if card.data_state not in GONE_STATES or card.is_item:
        return ()
    rows = newest_facts(view, fact.subject, FactFilter(at, fact_type=fact.fact_type, limit=MOST_INSTEAD)).facts
    found = fact_cards_of(view, (row.id for row in rows if row.predicate == fact.predicate and row.id != fact.id), at)
    return tuple(each for each in found if each.subject.id == card.subject.id and each.data_state not in GONE_STATES)
