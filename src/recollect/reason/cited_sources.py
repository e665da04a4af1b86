"""Which source of a fact is shown: the most reliable one, among equals the newest."""

from collections.abc import Collection, Mapping, Sequence

from recollect.model.fact import Fact
from recollect.model.ids import FactId
from recollect.model.trust import trust_in
from recollect.reason.lore.sources import LoreSource, affirming_sources, sources_by_fact
from recollect.store.lore_queries import sources_of
from recollect.store.view import View

MOST_COMPARED = 100
"""A fact with more sources than this shows the newest."""


def better_sources(view: View, facts: Collection[Fact]) -> Mapping[FactId, LoreSource]:
    """By fact, a source that is more reliable than the newest; a rumour that agrees does not hide what it repeats."""
    several = {fact.id: fact for fact in facts if 1 < fact.source_count <= MOST_COMPARED}
    found = sources_by_fact(sources_of(view, several)) if several else {}
    chosen = {id_: _best(several[id_], sources) for id_, sources in found.items()}
    return {id_: best for id_, best in chosen.items() if best is not None}


def _best(fact: Fact, sources: Sequence[LoreSource]) -> LoreSource | None:
    """The most reliable of the sources that are trusted as much as the fact; none if the newest is as reliable."""
    newest = next((each for each in sources if each.assertion == fact.newest), None)
    equal = [each for each in affirming_sources(sources) if each is newest or _is_trusted_as(fact, each)]
    best = max(equal, key=lambda each: (each.reliability, each.source_at, each.assertion), default=None)
    return None if best is None or newest is None or best.reliability <= newest.reliability else best


def _is_trusted_as(fact: Fact, source: LoreSource) -> bool:
    return source.document is not None and trust_in(source.properties) == fact.trust
