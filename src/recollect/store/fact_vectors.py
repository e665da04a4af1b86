"""Vectors of facts: which facts wait for one, storing them, and the facts nearest to a query.

A fact is embedded as the text that it is shown with, under its id, so it has one vector whatever its version. Nothing
is queued one by one: what began after the last transaction that an embedder has seen waits. A fact whose text changed
since, by an edit or because one of its ends was renamed, is embedded again.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from recollect.embed.port import Embedder, Vectors
from recollect.model.ids import EntityId, FactId
from recollect.model.sentence import fact_sentence
from recollect.store.binary_code_blocks import erase_codes_of
from recollect.store.change import Change
from recollect.store.fact_rows import FactRow
from recollect.store.index_progress import IndexProgress
from recollect.store.nearest_neighbors import VectorHits, VectorQueries
from recollect.store.vectors import StoredVectors, VectorCache, add_vectors, known_keys
from recollect.store.view import View
from recollect.when.instant import MAX, MIN

PROGRESS_PART = "fact-meaning:"
MAX_RENAMED = 2_000
"""So many facts are embedded again for renamed entities; any name finds the others as well."""
MAX_COUNTED = 100_000
QUIET_TRANSACTIONS = 256
"""After so many transactions without anything to embed the progress is saved all the same."""


def embedded_text(row: FactRow) -> str:
    """The text of a fact that is embedded: the words given, else its evidence, else a sentence of its parts."""
    fact = row.fact
    target = fact.literal if row.object_name is None else row.object_name
    return fact.words or fact.evidence or fact_sentence(row.subject_name, fact.predicate, target)


def fact_model(embedder: Embedder) -> str:
    """The model under which vectors of facts are stored."""
    return f"{embedder.model}#fact"


def fact_progress(embedder: Embedder) -> IndexProgress:
    """The last transaction whose facts all have vectors, and how many vectors there are."""
    return IndexProgress(f"{PROGRESS_PART}{embedder.model}")


@dataclass(frozen=True, slots=True)
class FactVectorFilter:
    """Which facts may be found: by the time of their source, and with an entity at one end."""

    since: int = MIN
    until: int = MAX
    entity: EntityId | None = None

    @property
    def is_open(self) -> bool:
        return self == FactVectorFilter()

    @property
    def queries(self) -> VectorQueries[str]:
        if self.entity is None:
            return VectorQueries(str, "facts_embedded", "facts_all_embedded", "facts_nearest")
        return VectorQueries(str, "facts_embedded_about", "facts_all_embedded_about", "facts_nearest_about")

    def parameters(self) -> dict[str, Any]:
        about = {} if self.entity is None else {"entity": self.entity}
        return {"since": self.since, "until": self.until, **about}


class FactVectors:
    """The vectors of facts on one view."""

    def __init__(self, view: View, matrices: VectorCache, embedder: Embedder) -> None:
        self._vectors = StoredVectors(view, matrices)
        self._model = fact_model(embedder)

    def nearest(self, vector: Vectors, where: FactVectorFilter, limit: int) -> VectorHits[str]:
        """The facts known then that are not retracted and that the filter allows, nearest first."""
        return self._vectors.nearest(vector, self._model, where, limit)

    def cosines(self, vector: Vectors, facts: Collection[FactId]) -> dict[str, float]:
        """The cosines of those of these facts that have a vector."""
        return self._vectors.keyed_cosines(vector, self._model, facts) if facts else {}


@dataclass(frozen=True, slots=True)
class PendingFacts:
    """Facts to embed, by id, out of those that began after `upto`.

    `until` is the transaction up to which nothing waits once these are stored; none if only some of them are here.
    """

    upto: int
    until: int | None
    texts: Mapping[FactId, str]
    outdated: frozenset[FactId] = frozenset()
    """Those that have the vector of another text."""


def pending_facts(view: View, embedder: Embedder, most: int) -> PendingFacts:
    """The next facts to embed, about so many; all of one transaction if it has more."""
    upto = fact_progress(embedder).read(view).upto
    until = _range_end(view, upto, most)
    if until == upto:
        return PendingFacts(upto, until, {})
    texts = _texts(view, _facts_changed(view, upto, until))
    known = known_keys(view, fact_model(embedder), texts)
    new = {id_: text for id_, text in texts.items() if id_ not in known}
    if len(new) > most:
        return PendingFacts(upto, None, dict(list(new.items())[:most]))
    then = view.at(upto)
    before = _texts(then, {FactId(each) for each in known})
    outdated = {id_: texts[id_] for id_, text in before.items() if texts[id_] != text}
    return PendingFacts(upto, until, new | outdated, frozenset(outdated))


def newest_pending_facts(view: View, embedder: Embedder, most: int, characters: int) -> PendingFacts:
    """The newest facts without a vector, out of turn and as far as their length allows."""
    upto = fact_progress(embedder).read(view).upto
    found = _newest_waiting(view, embedder, most)
    texts = _texts(view, set(found))
    newest = {id_: texts[id_] for id_ in found if id_ in texts}
    return PendingFacts(upto, None if found else view.last_tx, _short_texts(newest, characters))


def has_pending_facts(view: View, embedder: Embedder) -> bool:
    """Whether a fact has no vector of this model yet."""
    return bool(_newest_waiting(view, embedder, 1))


def _newest_waiting(view: View, embedder: Embedder, most: int) -> list[FactId]:
    upto = fact_progress(embedder).read(view).upto
    found = view.rows("facts_waiting_newest", model=fact_model(embedder), upto=upto, limit=most)
    return [FactId(row[0]) for row in found]


def pending_facts_within(view: View, embedder: Embedder, most: int, characters: int) -> PendingFacts | None:
    """The facts that wait, as far as their length allows; none if there are more than so many."""
    upto = fact_progress(embedder).read(view).upto
    if len(view.rows("facts_begun_some", upto=upto, limit=most + 1)) > most:
        return None
    found = pending_facts(view, embedder, most)
    chosen = _short_texts(found.texts, characters)
    if len(chosen) == len(found.texts):
        return found
    return PendingFacts(upto, None, {id_: text for id_, text in chosen.items() if id_ not in found.outdated})


def _short_texts(texts: Mapping[FactId, str], characters: int) -> dict[FactId, str]:
    """The first of these texts that are not longer together, at least one."""
    ends = accumulate(map(len, texts.values()))
    short = dict(each for each, end in zip(texts.items(), ends, strict=True) if end <= characters)
    return short or dict(list(texts.items())[:1])


def count_unembedded_facts(view: View, embedder: Embedder | None) -> int:
    """How many facts have no vector of this model yet; from some number on there are just many."""
    if embedder is None:
        return 0
    parameters = {"model": fact_model(embedder), "upto": fact_progress(embedder).read(view).upto, "limit": MAX_COUNTED}
    return view.fetch_number("facts_waiting_counted", **parameters)


def store_fact_vectors(change: Change, embedder: Embedder, waiting: PendingFacts) -> bool:
    """Store the vectors of facts that still say what was embedded, unless another process was faster."""
    progress = fact_progress(embedder)
    upto, count, _ = progress.read(change)
    if upto != waiting.upto:
        return False
    still = _texts(change, set(waiting.texts))
    texts = {id_: text for id_, text in waiting.texts.items() if still.get(id_) == text}
    drop_fact_vectors(change, waiting.outdated)
    if texts:
        vectors = embedder.embed(list(texts.values()))
        add_vectors(change, fact_model(embedder), dict(zip(texts, vectors, strict=True)))
    new = count + len(texts.keys() - waiting.outdated)
    progress.save(change, upto if waiting.until is None else waiting.until, new)
    return True


def is_worth_storing(waiting: PendingFacts) -> bool:
    """Whether there is something to embed, or progress to save so that the next look is short."""
    return bool(waiting.texts) or (waiting.until or 0) - waiting.upto > QUIET_TRANSACTIONS


def drop_fact_vectors(change: Change, facts: Collection[str]) -> None:
    """Drop the vectors of facts in every model, their binary codes included."""
    if facts:
        with erase_codes_of(change, facts):
            change.run("vectors_drop_keyed", hashes=sorted(facts))


def embed_facts_again(change: Change, facts: Collection[FactId]) -> None:
    """Drop the vectors of facts whose text was rewritten in place, and let them wait for new ones."""
    if facts:
        drop_fact_vectors(change, facts)
        [[first]] = change.rows("facts_first_begun", facts=sorted(facts))
        change.run("fact_vectors_rewind", upto=int(first or 1) - 1)


def _range_end(view: View, upto: int, most: int) -> int:
    """The transaction up to which about so many versions of facts began."""
    begun = view.rows("facts_begun_some", upto=upto, limit=most)
    return int(begun[-1][0]) if len(begun) == most else max(upto, view.last_tx)


def _facts_changed(view: View, upto: int, until: int) -> set[FactId]:
    between = {"upto": upto, "until": until}
    begun = view.rows("facts_begun_between", **between)
    renamed = view.rows("facts_renamed_between", **between, limit=MAX_RENAMED)
    return {FactId(row[0]) for row in (*begun, *renamed)}


def _texts(view: View, facts: Collection[FactId]) -> dict[FactId, str]:
    return {row.fact.id: embedded_text(row) for row in view.fact_rows(facts) if not row.fact.is_retracted}
