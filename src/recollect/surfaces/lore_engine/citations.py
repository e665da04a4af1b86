"""How the citations of a text print."""

from collections.abc import Iterable

from typing_extensions import TypedDict

from recollect.model.ids import say_fact, say_uuid
from recollect.reason.lore.telling.tell import Citation
from recollect.surfaces.lore_engine.shown import say_time


class CitationShown(TypedDict):
    """What one number of a text stands for."""

    relation_id: str
    statement: str
    at: str | None
    sources: list[str]
    confidence: float | None
    disputed: bool
    document_ids: list[str]


def say_citations(citations: Iterable[Citation]) -> dict[str, CitationShown]:
    """The citations by number."""
    return {str(each.number): _say(each) for each in citations}


def _say(citation: Citation) -> CitationShown:
    return {
        "relation_id": say_fact(citation.fact),
        "statement": citation.statement,
        "at": say_time(citation.at),
        "sources": list(citation.sources),
        "confidence": citation.confidence,
        "disputed": citation.disputed,
        "document_ids": [say_uuid(each) for each in citation.documents],
    }
