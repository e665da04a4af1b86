"""A text out of relations, and what each of its numbers stands for."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from recollect.model.ids import DocumentId, FactId
from recollect.reason.lore.reading import Lore
from recollect.reason.lore.relation import Relation
from recollect.reason.lore.sources import confidence_of, names_of, saying_so
from recollect.reason.lore.telling.sentences import Sentence, sentences_of
from recollect.reason.lore.telling.styles import Style, told_in
from recollect.when.period import Time


class Citation(NamedTuple):
    """What one number of a text stands for."""

    number: int
    fact: FactId
    statement: str
    at: Time | None
    sources: tuple[str, ...]
    confidence: float | None
    disputed: bool
    documents: tuple[DocumentId, ...]


class Telling(NamedTuple):
    """A text whose every sentence carries a number, and the citations behind the numbers."""

    text: str
    sentences: tuple[Sentence, ...] = ()
    citations: tuple[Citation, ...] = ()


def tell(lore: Lore, relations: Iterable[Relation], style: Style = "paragraph", *, limit: int | None = None) -> Telling:
    """The relations in words, in the order given, except that a chronicle goes by time."""
    sentences = sentences_of(lore, relations)[:limit]
    return telling(lore, sorted(sentences, key=lambda each: each.order) if style == "chronicle" else sentences, style)


def telling(lore: Lore, sentences: Sequence[Sentence], style: Style) -> Telling:
    """These sentences as a text, numbered as they come."""
    return Telling(told_in(style, list(enumerate(sentences, 1))), tuple(sentences), cited(lore, sentences))


def cited(lore: Lore, sentences: Sequence[Sentence]) -> tuple[Citation, ...]:
    """The citations of sentences that are numbered from one on."""
    lore.sources(each.relation.id for each in sentences)
    return tuple(_citation(lore, number, each) for number, each in enumerate(sentences, 1))


def _citation(lore: Lore, number: int, sentence: Sentence) -> Citation:
    fact = sentence.relation.fact
    sources = lore.sources([fact.id]).get(fact.id, [])
    documents = dict.fromkeys(each.document for each in saying_so(sources) if each.document is not None)
    return Citation(
        number,
        fact.id,
        sentence.said.statement,
        sentence.start or sentence.time.valid_until,
        tuple(names_of(sources)),
        confidence_of(sources),
        sentence.disputed,
        tuple(documents),
    )
