"""What becomes of a fact that somebody asks to remember, and where such facts come from."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from recollect.errors import RecollectError
from recollect.ingest.notes.fact_request import ClaimRequest, EndRequest
from recollect.model.document import Document
from recollect.model.entity import UNKNOWN_TYPE, Entity
from recollect.model.fact import Source
from recollect.model.ids import FactId
from recollect.model.names import PEOPLE, fold
from recollect.when.instant import Instant
from recollect.write.fact_draft import GIVEN, RULES, document_source

OutcomeName = Literal["recorded", "confirmed", "replaced", "conflicts", "ambiguous", "refused"]
LinkKind = Literal["linked", "created", "ambiguous"]


class FactOutcome(NamedTuple):
    """What became of one fact."""

    outcome: OutcomeName
    predicate: str
    text: str
    fact: FactId | None = None
    others: tuple[FactId, ...] = ()
    replaced: tuple[FactId, ...] = ()
    conflicts_with: tuple[FactId, ...] = ()
    sources: int = 0
    candidates: tuple[Entity, ...] = ()
    error: RecollectError | None = None
    denied: tuple[FactId, ...] = ()
    """Those of the replaced or ended ones that the same words deny."""


class EntityLink(NamedTuple):
    """An end of a fact: a known entity, a new one, or a name that fits several."""

    name: str
    link: LinkKind
    entity: Entity | None = None


def named_in_full(end: EndRequest, links: Iterable[EntityLink]) -> Entity | None:
    """The one person whom a text calls by first and last name, and then by one of them alone."""
    if end.is_owner or end.id is not None or (end.type or UNKNOWN_TYPE) not in {*PEOPLE, UNKNOWN_TYPE}:
        return None
    people = [each.entity for each in links if each.entity is not None and each.entity.type in PEOPLE]
    found = [each for each in people if fold(end.name) in _first_and_last(each.folded)]
    return found[0] if len(found) == 1 else None


def _first_and_last(folded: str) -> tuple[str, ...]:
    words = folded.split()
    return (words[0], words[-1]) if len(words) > 1 else ()


class NoteOrigin(NamedTuple):
    """Where facts come from: a document, words of the caller, and when the source was written."""

    source_at: Instant
    document: Document | None = None
    given: str | None = None
    url: str | None = None
    needs_quote: bool = False

    def source(self, request: ClaimRequest) -> Source:
        document = self.document
        extracted_by = RULES if request.is_read else GIVEN
        if document is None:
            return Source(url=self.url, given=self.given, quote=request.quote, extracted_by=extracted_by)
        url = self.url or document.url
        return document_source(document, extracted_by)._replace(url=url, given=self.given, quote=request.quote)
