"""Full-text, vector and title index of passages on both engines: the same rows, the same scores."""

import re
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from recollect.embed.port import Embedder, Vectors
from recollect.model.ids import DocumentId, EntityId
from recollect.store.change import Change
from recollect.store.index_progress import IndexProgress, IndexState
from recollect.store.passage_filter import (
    LARGE_STORE,
    CorpusSize,
    MentionRow,
    PassageFilter,
    PassageNumbers,
    PassageRow,
    TitleMatch,
)
from recollect.store.port import Row
from recollect.store.posting_lists import (
    PassageLengths,
    PostingCache,
    PostingList,
    corpus_size,
    lengths_from_rows,
    posting_list,
    posting_list_from_places,
)
from recollect.store.tables import TITLE
from recollect.store.text_index import (
    TermAlternatives,
    WordCounts,
    WordQueries,
    fts5_document,
    is_sqlite,
    quote_term,
    term_frequency_from_rank,
    tsvector_document,
    workspace_term,
)
from recollect.store.vectors import StoredVectors, VectorCache, add_vectors, known_keys
from recollect.store.view import View
from recollect.text.fold import fold_for_search
from recollect.text.tokens import bare_words

WORD_INDEX = IndexProgress("words")
PASSAGES_PER_BATCH = 1000
EMBEDDINGS_PER_STEP = 256
POSTING_LIMIT = 20_000
AUTHORS_PER_WORD = 3
_QUERIES = WordQueries("words_counted", "words_indexed", "words_held")


class StoredPassageIndex:
    """What search asks of a view; `matrices` keeps vectors in memory between searches."""

    def __init__(self, view: View, matrices: VectorCache | None = None) -> None:
        self._view = view
        self._counts = WordCounts(view, _QUERIES, POSTING_LIMIT)
        self.matrices = matrices or VectorCache()
        # What a change writes may be undone.
        self._postings = PostingCache() if isinstance(view, Change) else self.matrices.postings
        self._vectors = StoredVectors(view, self.matrices)
        self._nearest: tuple[Vectors, object, list[tuple[int, float]]] | None = None
        self._cosines: tuple[Vectors, str, dict[int, float | None]] | None = None

    def corpus_size(self, where: PassageFilter) -> CorpusSize:
        """The passages known then that the filter allows; in a large store all of them, as counting takes long."""
        upto, chunks, characters = self._index_state
        if chunks > LARGE_STORE:
            return corpus_size(chunks, characters)
        if where.is_open and self._view.is_latest:
            [[ended, length]] = self._view.rows("passages_ended", upto=upto)
            return corpus_size(chunks - int(ended), characters - int(length))
        return self._lengths(where).size

    def postings(self, term: str, where: PassageFilter) -> PostingList:
        """The passages that hold a stem, the newest of a very common one only."""
        return self._postings.postings((*self._state, where, term), lambda: self._read_postings(term, where))

    def _read_postings(self, term: str, where: PassageFilter) -> PostingList:
        word = workspace_term(self._view.ws, term)
        parameters = {"word": word, "quoted": quote_term(word), "limit": POSTING_LIMIT}
        if where.is_open or self._index_state.items > LARGE_STORE:
            query = "postings_open" if where.is_open else "postings"
            rows = self._view.rows(query, **where.parameters(), **parameters)
            return posting_list(rows if is_sqlite(self._view) else _with_frequencies(rows))
        return self._read_places(parameters, self._lengths(where))

    def _read_places(self, parameters: Mapping[str, Any], allowed: PassageLengths) -> PostingList:
        """The list without a look at each passage: in a small store all that a filter allows are known."""
        rows = self._view.rows("word_places", **parameters)
        if is_sqlite(self._view):
            return posting_list_from_places(rows[0][0], allowed)
        found = posting_list(_with_frequencies(rows))
        return allowed.postings(found.chunks, found.times)

    def _lengths(self, where: PassageFilter) -> PassageLengths:
        return self._postings.lengths(
            (*self._state, where), lambda: lengths_from_rows(self._view.rows("chunks_wanted", **where.parameters()))
        )

    @property
    def _index_state(self) -> IndexState:
        return WORD_INDEX.read(self._view)

    @property
    def _state(self) -> tuple[Hashable, ...]:
        """What tells whether words and passages are the same as in another view."""
        return self._view.ws, self._view.last_tx, self._index_state

    def document_frequency(self, token: TermAlternatives) -> int:
        """How many passages hold a token, in any version; from some number on there are just many."""
        return self._counts.document_frequency(token)

    def containing_all(self, tokens: Sequence[TermAlternatives], where: PassageFilter, limit: int) -> list[int]:
        """The newest passages that hold every token in one of its ways."""
        rows = self._view.rows(
            "passages_containing_all", **where.parameters(), **self._counts.matching(tokens), limit=limit
        )
        return [row[0] for row in rows]

    def containing_all_versions(self, tokens: Sequence[TermAlternatives], limit: int) -> list[int]:
        """The same of all versions and without a filter, in a tenth of the time."""
        return self._view.fetch_values("passages_containing_all_versions", **self._counts.matching(tokens), limit=limit)

    def nearest(self, vector: Vectors, model: str, where: PassageFilter, limit: int) -> list[tuple[int, float]]:
        """The passages whose meaning is nearest, with their cosine; the same question is answered once."""
        cached, key = self._nearest, (model, where, limit)
        if cached is None or cached[0] is not vector or cached[1] != key:
            cached = self._nearest = vector, key, self._vectors.nearest(vector, model, where, limit)
            self._known_cosines(vector, model).update(cached[2])
        return cached[2]

    def cosines(self, vector: Vectors, model: str, numbers: PassageNumbers) -> dict[int, float]:
        """The cosine of each of these passages that has a vector; of none is it asked for twice."""
        known = self._known_cosines(vector, model)
        unknown = [number for number in numbers if number not in known]
        if unknown:
            known |= dict.fromkeys(unknown) | self._vectors.cosines(vector, model, unknown)
        return {number: cosine for number in numbers if (cosine := known[number]) is not None}

    def _known_cosines(self, vector: Vectors, model: str) -> dict[int, float | None]:
        """What is known of passages and the last vector asked with; none where a passage has no vector."""
        if self._cosines is None or self._cosines[0] is not vector or self._cosines[1] != model:
            self._cosines = vector, model, {}
        return self._cosines[2]

    def count_embedded(self, model: str | None) -> int:
        """How many passages have been embedded by a model."""
        return model_progress(model).read(self._view).items if model else 0

    def chunks(self, numbers: PassageNumbers, where: PassageFilter) -> dict[int, PassageRow]:
        """Those of the passages that the filter allows, by number."""
        parameters = {**where.parameters(), "numbers": sorted(numbers)}
        rows = self._view.rows("chunks_found", **parameters) if numbers else []
        return {row[0]: PassageRow(*row) for row in rows}

    def neighbours(self, numbers: PassageNumbers) -> list[tuple[int, int]]:
        """Pairs of passages that were taken in one right after the other, at least one of them given."""
        rows = self._view.rows("chunks_beside", numbers=sorted(numbers)) if numbers else []
        before = {(prior, number) for number, prior, _ in rows if prior is not None}
        return sorted(before | {(number, later) for number, _, later in rows if later is not None})

    def mentioning(self, numbers: PassageNumbers, entities: Sequence[EntityId]) -> set[int]:
        """Those of the passages whose document mentions one of the entities."""
        if not numbers or not entities:
            return set()
        rows = self._view.rows("chunks_mentioning", numbers=sorted(numbers), entities=sorted(entities))
        return {row[0] for row in rows}

    def authors_called(self, name: str) -> list[str]:
        """Authors of this name, or of whom it is the first part."""
        return list(self._authors(name, name + "!"))

    def _authors(self, first: str, last: str) -> Iterator[str]:
        for _ in range(AUTHORS_PER_WORD):
            [[author]] = self._view.rows("author_from", low=first, high=last)
            if author is None:
                return
            yield author
            first = author + "\x01"

    def documents_by_title(self, keys: Collection[str]) -> list[TitleMatch]:
        """The documents whose title has one of these keys."""
        rows = self._view.rows("titled", keys=sorted(keys)) if keys else []
        return [TitleMatch(*row) for row in rows if row[0] in title_keys(row[2])]

    def mentions(self, documents: Collection[DocumentId]) -> list[MentionRow]:
        """The entities that documents mention, once for each of their names."""
        rows = self._view.rows("mentions_of_documents", documents=sorted(documents)) if documents else []
        return [MentionRow(*row) for row in rows]

    def some_mentioning(self, entity: EntityId, limit: int) -> list[DocumentId]:
        """Documents that mention an entity, no more than so many."""
        return self._view.fetch_values("some_mentioning", entity=entity, limit=limit)

    def chunk_numbers(self, documents: Collection[DocumentId], within: int) -> list[int]:
        """The first passages of documents."""
        rows = self._view.rows("chunk_numbers", documents=sorted(documents), within=within) if documents else []
        return [row[1] for row in rows]


def _with_frequencies(rows: Sequence[Row]) -> list[tuple[int, int, int]]:
    return [(number, term_frequency_from_rank(rank), length) for number, rank, length in rows]


def index_words(change: Change) -> int:
    """Enter the words of every new passage into the full text; how many passages that were."""
    upto, chunks, characters = WORD_INDEX.read(change)
    before = chunks
    written = fts5_document if is_sqlite(change) else tsvector_document
    while rows := change.rows("chunks_after", upto=upto, limit=PASSAGES_PER_BATCH):
        change.run_many("words_add", [{"number": row[0], "words": written(change.ws, row[2])} for row in rows])
        upto, chunks, characters = rows[-1][0], chunks + len(rows), characters + sum(row[3] for row in rows)
    if chunks > before:
        WORD_INDEX.save(change, upto, chunks, characters)
        index_titles(change)
    return chunks - before


def index_vectors(change: Change, embedder: Embedder, limit: int = EMBEDDINGS_PER_STEP) -> int:
    """Embed the next passages that this model has not seen; how many there were, 0 when none is left."""
    progress = vector_progress(embedder)
    upto, chunks, characters = progress.read(change)
    rows = change.rows("chunks_after", upto=upto, limit=limit)
    if rows:
        embed_texts(change, embedder, {row[1]: row[2] for row in rows})
        progress.save(change, rows[-1][0], chunks + len(rows), characters + sum(row[3] for row in rows))
    return len(rows)


def vector_progress(embedder: Embedder) -> IndexProgress:
    return model_progress(embedder.model)


def model_progress(model: str) -> IndexProgress:
    return IndexProgress(f"meaning:{model}")


def embed_texts(change: Change, embedder: Embedder, texts: Mapping[str, str]) -> None:
    """Store the vectors of texts by their hash, embedding only what is not yet known."""
    missing = _unknown(change, embedder, texts)
    if missing:
        vectors = embedder.embed(list(missing.values()))
        add_vectors(change, embedder.model, dict(zip(missing, vectors, strict=True)))


def _unknown(view: View, embedder: Embedder, texts: Mapping[str, str]) -> dict[str, str]:
    """Those of these texts that have no vector of this model."""
    known = known_keys(view, embedder.model, texts.keys())
    return {digest: text for digest, text in texts.items() if digest not in known}


@dataclass(frozen=True, slots=True)
class PendingPassages:
    """The next passages to embed: those after `upto`, and the texts among them that have no vector."""

    upto: int
    count: int
    texts: Mapping[str, str]

    @property
    def is_worth_storing(self) -> bool:
        return self.count > 0


def pending_passages(view: View, embedder: Embedder, most: int) -> PendingPassages:
    """The next passages that this model has not seen, at most so many."""
    upto = embedded_upto(view, embedder)
    return _waiting_rows(view, embedder, upto, view.rows("chunks_after", upto=upto, limit=most))


def pending_passages_within(view: View, embedder: Embedder, most: int, characters: int) -> PendingPassages:
    """The passages that this model has not seen, as far as their length allows; none if there are more than so many."""
    upto = embedded_upto(view, embedder)
    rows = view.rows("chunks_after", upto=upto, limit=most + 1)
    ends = accumulate(row[3] for row in rows)
    short = [row for row, end in zip(rows, ends, strict=True) if end <= characters]
    return _waiting_rows(view, embedder, upto, [] if len(rows) > most else short or rows[:1])


def _waiting_rows(view: View, embedder: Embedder, upto: int, rows: Sequence[Row]) -> PendingPassages:
    return PendingPassages(upto, len(rows), _unknown(view, embedder, {row[1]: row[2] for row in rows}))


def embedded_upto(view: View, embedder: Embedder) -> int:
    """The number of the last passage that this model has seen."""
    return vector_progress(embedder).read(view).upto


def has_pending_passages(view: View, embedder: Embedder) -> bool:
    """Whether a passage is not yet embedded by this model."""
    return bool(view.rows("chunks_after", upto=embedded_upto(view, embedder), limit=1))


def count_unembedded_passages(view: View, embedder: Embedder | None) -> int:
    """How many passages are not yet embedded by this model."""
    if embedder is None:
        return 0
    return view.fetch_number("chunks_waiting", upto=embedded_upto(view, embedder))


TITLE_INDEX = IndexProgress("titles")
TITLES_PER_BATCH = 1000
LONGEST_TITLE = 8
SHORTEST_TITLE = 3
TITLE_KEY_LENGTH = 300
_BRACKETS = re.compile(r"(?<!\s)\s*\([^()]*\)\s*$")


def title_key(text: str) -> str:
    """A title, or what may be one, without case, marks and punctuation."""
    return " ".join(bare_words(fold_for_search(text)))


def title_keys(title: str) -> set[str]:
    """The ways a text may name a document: by its whole title, or without what stands in brackets behind it."""
    titles = (title, _BRACKETS.sub("", title)) if "(" in title else (title,)
    keys = map(title_key, titles)
    return {key for key in keys if SHORTEST_TITLE <= len(key) <= TITLE_KEY_LENGTH and key.count(" ") < LONGEST_TITLE}


def index_titles(change: Change) -> None:
    """Enter the titles of every document whose passages are new."""
    begun = upto = TITLE_INDEX.read(change).upto
    while rows := change.rows("titles_after", upto=upto, limit=TITLES_PER_BATCH):
        keys = [(change.ws, key, document) for _, document, title in rows for key in title_keys(title)]
        change.connection.add(TITLE, sorted(keys))
        upto = rows[-1][0]
    [[last]] = change.rows("chunks_last")
    if last > begun:
        TITLE_INDEX.save(change, int(last))
