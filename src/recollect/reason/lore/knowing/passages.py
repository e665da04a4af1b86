"""Texts that a character may have read, and that give nothing away."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from recollect.model.document import Chunk, Document
from recollect.model.fact import Assertion
from recollect.model.ids import FactId
from recollect.reason.lore.knowing.moment import Moment
from recollect.reason.lore.knowing.open import Meant, Memberships, shared
from recollect.reason.lore.knowing.reach import names_in, written
from recollect.reason.lore.reading import Lore
from recollect.reason.lore.relation import Relation
from recollect.when.period import Time

_HIDDEN = frozenset({"private", "secret"})


class ReadPassage(NamedTuple):
    """A passage that somebody may have read."""

    document: Document
    chunk: Chunk
    written: Time

    @property
    def text(self) -> str:
        return body_of(self.chunk)


def body_of(chunk: Chunk) -> str:
    """The words of a passage without the title and heading that stand before them for the indexes."""
    length = chunk.stop - chunk.start
    return chunk.text[-length:] if 0 < length < len(chunk.text) else chunk.text


def readable(
    lore: Lore, public: list[Document], common: list[Document], belongs: Memberships, meant: Meant, moment: Moment
) -> list[tuple[Document, Time]]:
    """The documents that were written by then, for everyone or for a group one was in."""
    dated = [(each, written(lore, each.properties)) for each in (*public, *common)]
    past = [(each, time) for each, time in dated if time is not None and moment.is_past(time)]
    shown = {each.id for each in public}
    return [(each, time) for each, time in past if each.id in shown or _is_among(each, time, belongs, meant, moment)]


def _is_among(document: Document, time: Time, belongs: Memberships, meant: Meant, moment: Moment) -> bool:
    groups = {meant.by(name) for name in names_in(document.properties)}
    members = [member for group in groups if group is not None for member in belongs.get(group, ())]
    ways = (shared(member, None, time) for member in members)
    return any(way is not None and way.since <= moment.last for way in ways)


def passages(lore: Lore, read: list[tuple[Document, Time]], known: Collection[FactId]) -> Iterator[ReadPassage]:
    """The passages of these documents from which no unknown relation was taken."""
    for document, time in read:
        chunks = lore.view.chunks(document.id)
        revealing = [each for each in _telling(lore, document) if each.fact not in known]
        for chunk in chunks:
            if not any(_stands_in(each, chunk, chunks) for each in revealing):
                yield ReadPassage(document, chunk, time)


def _telling(lore: Lore, document: Document) -> list[Assertion]:
    """What the document says, but for what is timeless and not kept back."""
    said = lore.view.assertions_from(document.id)
    relations = {each.id: each for each in lore.by_id({each.fact for each in said}, superseded=True)}
    return [each for each in said if not _is_harmless(relations.get(each.fact))]


def _is_harmless(relation: Relation | None) -> bool:
    if relation is None or relation.fact.stale:
        return False
    fact = relation.fact
    is_timeless = fact.valid_from is None and fact.valid_until is None
    return is_timeless and fact.attributes.get("visibility") not in _HIDDEN


def _stands_in(assertion: Assertion, chunk: Chunk, chunks: list[Chunk]) -> bool:
    """Whether a passage says it; words that are found nowhere may stand anywhere."""
    quote = _squeezed(assertion.quote or "")
    if not quote or not any(quote in _squeezed(each.text) for each in chunks):
        return True
    return quote in _squeezed(chunk.text)


def _squeezed(text: str) -> str:
    return " ".join(text.split()).casefold()
