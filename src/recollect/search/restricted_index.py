"""Passage indexes that are limited to some passages, so that nothing else is ranked."""

from collections.abc import Mapping

from recollect.embed.port import Vectors
from recollect.store.passage_filter import CorpusSize, PassageFilter, PassageNumbers, PassageRow, Posting
from recollect.store.passage_index import StoredPassageIndex
from recollect.store.vectors import VectorCache
from recollect.store.view import View


class SmallSetIndex(StoredPassageIndex):
    """An index whose filter allows few passages: their vectors are compared one by one instead of looking for the
    nearest among all. The filter itself still applies to everything else."""

    def __init__(self, view: View, matrices: VectorCache, allowed: Mapping[int, int]) -> None:
        """`allowed` has the length of each passage by its number."""
        super().__init__(view, matrices)
        self._allowed = allowed

    def nearest(
        self,
        vector: Vectors,
        model: str,
        where: PassageFilter,  # noqa: ARG002 what is allowed passed the filter
        limit: int,
    ) -> list[tuple[int, float]]:
        cosines = self.cosines(vector, model, self._allowed.keys())
        return sorted(cosines.items(), key=lambda hit: (-hit[1], hit[0]))[:limit]


class RestrictedIndex(SmallSetIndex):
    """An index of these passages only, for a restriction that no filter can express."""

    def population(self, where: PassageFilter) -> CorpusSize:  # noqa: ARG002 what is allowed passed the filter
        lengths = self._allowed.values()
        return CorpusSize(len(lengths), sum(lengths) / len(lengths) if lengths else 1.0)

    def postings(self, term: str, where: PassageFilter) -> list[Posting]:
        return [each for each in super().postings(term, where) if each.chunk in self._allowed]

    def chunks(self, numbers: PassageNumbers, where: PassageFilter) -> dict[int, PassageRow]:
        return super().chunks([number for number in numbers if number in self._allowed], where)
