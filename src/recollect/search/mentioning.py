"""Which documents mention an entity: by a fact of theirs, by their line, or by a name in their text."""

import re
from collections.abc import Collection, Iterator, Sequence

from recollect.model.ids import DocumentId, EntityId
from recollect.model.names import Name, fold, tokens
from recollect.model.scripts import UNSPACED_RUN
from recollect.model.stop_words import STOP_WORDS
from recollect.resolve.spot import SHORTEST, spot
from recollect.search.port import Index
from recollect.store.found import Filter
from recollect.store.view import View
from recollect.store.words import terms

FEW = 1_000
"""So many passages are looked at sooner than another word is looked up."""
_APART = r"[\s\-_./]+"


def documents_mentioning(view: View, index: Index, entities: Collection[EntityId]) -> set[DocumentId]:
    """Every document that mentions one of the entities."""
    told = {row[0] for row in view.rows("documents_naming", entities=sorted(entities))} if entities else set()
    rows = view.rows("names_of_all", entities=sorted(entities)) if entities else []
    named = {name.folded: name for name in (Name(*row) for row in rows) if _can_be_spotted(name.folded)}
    return told.union(*(_holding(index, folded) for folded in named))


def _can_be_spotted(folded: str) -> bool:
    own = tokens(folded)
    return len(folded) >= SHORTEST and bool(own) and not all(token in STOP_WORDS for token in own)


def _holding(index: Index, folded: str) -> Iterator[DocumentId]:
    """The documents in which a name stands as whole tokens."""
    numbers: set[int] | None = None
    for term in sorted(set(terms(folded)), key=lambda term: (not any(map(str.isdigit, term)), -len(term), term)):
        if numbers is None or len(numbers) > FEW:
            held = {posting.chunk for posting in index.postings(term, Filter())}
            numbers = held if numbers is None else numbers & held
    pattern = _as_whole_tokens(folded)
    for chunk in index.chunks(numbers or (), Filter()).values():
        if pattern.search(fold(chunk.text)):
            yield chunk.document


def _as_whole_tokens(folded: str) -> re.Pattern[str]:
    """A name where it stands; where words have no spaces between them, anywhere."""
    before = "" if UNSPACED_RUN.match(folded[0]) else r"(?<![^\W_])"
    behind = "" if UNSPACED_RUN.match(folded[-1]) else r"(?![^\W_])"
    return re.compile(f"{before}{_APART.join(map(re.escape, tokens(folded)))}{behind}")


def entities_in(view: View, documents: Collection[DocumentId]) -> dict[DocumentId, set[EntityId]]:
    """By document, the entities that it lists or that its facts end in."""
    found: dict[DocumentId, set[EntityId]] = {document: set() for document in documents}
    for document, entity in view.rows("entities_in_documents", documents=sorted(documents)) if documents else ():
        found[document].add(entity)
    return found


def named_in(view: View, texts: Sequence[str]) -> set[EntityId]:
    """The entities whose names stand in texts, all of those that share one."""
    return {entity for text in texts for each in spot(view, text) for entity in each.entities}
