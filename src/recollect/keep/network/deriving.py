"""The links that follow from what memories say, when and of whom."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from recollect.keep.network.traits import Place, Traits
from recollect.model.fact import Fact
from recollect.model.ids import DocumentId, FactId
from recollect.model.memory_link import Link, LinkType, link
from recollect.store.change import Change
from recollect.when.instant import DAY

MOST = 20
COMMON = 200
LEAST_JACCARD = 0.1
LONGEST_GAP = 7 * DAY
ONE_COMMIT = 1.0
ONE_SESSION = 0.8


class Deriving:
    """Derives links; whom a memory names, and how many name whom, is asked for once until a memory is placed anew."""

    def __init__(self, change: Change) -> None:
        self._change = change
        self._named: dict[DocumentId, frozenset[str]] = {}
        self._holders: dict[str, list[DocumentId]] = {}

    def placed(self, memory: DocumentId, entities: frozenset[str]) -> None:
        """Take note of whom a memory names from now on."""
        for entity in entities | self._named.get(memory, frozenset()):
            self._holders.pop(entity, None)
        self._named[memory] = entities

    def links(self, place: Place, traits: Traits) -> list[Link]:
        """All links of one memory, at most so many of a type: the strongest, then the newest."""
        memory = place.memory
        found = [
            *self._by_entities(memory, traits.entities),
            *self._by_sessions(memory, traits),
            *self._in_time(place),
            *self._by_facts(memory),
            *self._by_origin(memory, traits.origins),
        ]
        return strongest((each for each in found if each.one != each.other), memory)

    def _by_entities(self, memory: DocumentId, entities: frozenset[str]) -> Iterator[Link]:
        own = frozenset(entity for entity in entities if not self._is_common(entity))
        others = {each for entity in own for each in self._naming(entity)} - {memory}
        for other, named in self._entities_of(others).items():
            theirs = {entity for entity in named if not self._is_common(entity)}
            jaccard = len(own & theirs) / len(own | theirs)
            if jaccard >= LEAST_JACCARD:
                yield _derived(memory, other, "same_entity", jaccard)

    def _naming(self, entity: str) -> list[DocumentId]:
        if entity not in self._holders:
            self._holders[entity] = self._with("entity", entity, COMMON + 1)
        return self._holders[entity]

    def _is_common(self, entity: str) -> bool:
        return len(self._naming(entity)) > COMMON

    def _entities_of(self, memories: set[DocumentId]) -> dict[DocumentId, frozenset[str]]:
        unread = sorted(memories - self._named.keys())
        found: dict[DocumentId, set[str]] = {memory: set() for memory in unread}
        for memory, kind, value in self._change.rows("memory_traits", memories=unread) if unread else ():
            if kind == "entity":
                found[memory].add(value)
        self._named |= {memory: frozenset(named) for memory, named in found.items()}
        return {memory: self._named[memory] for memory in sorted(memories)}

    def _with(self, kind: str, value: str, limit: int) -> list[DocumentId]:
        return [row[0] for row in self._change.rows("memories_with_trait", kind=kind, value=value, limit=limit)]

    def _by_sessions(self, memory: DocumentId, traits: Traits) -> list[Link]:
        found: dict[DocumentId, float] = {}
        for session in sorted(traits.sessions):
            found |= dict.fromkeys(self._with("session", session, MOST + 1), ONE_SESSION)
        for commit in sorted(traits.commits):
            found |= dict.fromkeys(self._with("commit", commit, MOST + 1), ONE_COMMIT)
        return [_derived(memory, other, "same_session", sure) for other, sure in found.items()]

    def _in_time(self, place: Place) -> Iterator[Link]:
        """The neighbours in the same stream; inside a commit there are none."""
        before, after = self._beside(place)
        if before is not None and not _are_parts(before, place):
            yield from _next(before, place)
        if after is not None and not _are_parts(place, after):
            yield from _next(place, after)

    def _beside(self, place: Place) -> tuple[Place | None, Place | None]:
        asked = {"stream": place.stream, "at": place.at, "written": place.written}
        before = self._change.rows("memory_before", **asked)
        after = self._change.rows("memory_after", **asked)
        return (Place(*before[0]) if before else None), (Place(*after[0]) if after else None)

    def split(self, place: Place) -> list[Link]:
        """The link between the two that a memory came to stand between."""
        before, after = self._beside(place)
        return [] if before is None or after is None else [_derived(before.memory, after.memory, "precedes", 0)]

    def closing(self, place: Place) -> list[Link]:
        """The link between the two that a memory no longer stands between."""
        before, after = self._beside(place)
        if before is None or after is None or _are_parts(before, after):
            return []
        return list(_next(before, after))

    def _by_facts(self, memory: DocumentId) -> Iterator[Link]:
        change = self._change
        facts = [fact for fact in map(change.fact, self._said(memory)) if fact is not None]
        for fact in facts:
            yield from self._replacing(memory, fact)
            for pair in change.disputes_of(fact.id):
                rival = change.fact(pair.other if pair.one == fact.id else pair.one)
                if rival is not None:
                    sure = min(fact.confidence, rival.confidence)
                    yield from (_derived(memory, each, "contradicts", sure) for each in self._saying(rival.id))

    def _said(self, memory: DocumentId) -> list[FactId]:
        return list(dict.fromkeys(each.fact for each in self._change.assertions_from(memory)))

    def _replacing(self, memory: DocumentId, fact: Fact) -> Iterator[Link]:
        change = self._change
        newer = change.fact(fact.replaced_by) if fact.stale and fact.replaced_by is not None else None
        if newer is not None:
            for each in self._saying(newer.id):
                yield _derived(each, memory, "supersedes", newer.confidence)
        older = {each.id for each in change.facts_in_slot(fact.slot) if each.stale and each.replaced_by == fact.id}
        declared = change.fact(fact.supersedes) if fact.supersedes is not None else None
        if declared is not None and declared.replaced_by == fact.id:
            older.add(declared.id)
        for replaced in sorted(older):
            for each in self._saying(replaced):
                yield _derived(memory, each, "supersedes", fact.confidence)

    def _saying(self, fact: FactId) -> list[DocumentId]:
        """The memories that say a fact."""
        said = {each.document for each in self._change.assertions(fact) if each.document is not None}
        return self._live(said)

    def _live(self, documents: Iterable[DocumentId]) -> list[DocumentId]:
        wanted = sorted(documents)
        rows = self._change.rows("memory_places", memories=wanted) if wanted else []
        return sorted(row[0] for row in rows)

    def _by_origin(self, memory: DocumentId, origins: frozenset[str]) -> Iterator[Link]:
        for origin in self._live(DocumentId(each) for each in origins):
            yield _derived(memory, origin, "derived_from", 1.0)
        for made in self._with("origin", memory, MOST + 1):
            yield _derived(made, memory, "derived_from", 1.0)


def _derived(one: DocumentId, other: DocumentId, type_: LinkType, confidence: float) -> Link:
    return link(one, other, type_, "derived", confidence)


def _are_parts(one: Place, other: Place) -> bool:
    return one.part_of is not None and one.part_of == other.part_of


def _next(before: Place, after: Place) -> Iterator[Link]:
    gap = after.at - before.at
    if gap <= LONGEST_GAP:
        yield _derived(before.memory, after.memory, "precedes", 1 / (1 + gap / DAY))


def strongest(links: Iterable[Link], memory: DocumentId) -> list[Link]:
    """Of each type so many: the strongest of a pair, the strongest first, then the newest."""
    best: dict[tuple[DocumentId, DocumentId, LinkType], Link] = {}
    for each in links:
        if each.key not in best or best[each.key].confidence < each.confidence:
            best[each.key] = each
    kept: list[Link] = []
    ordered = sorted(best.values(), key=lambda each: each.type)
    for _, of_type in groupby(ordered, key=lambda each: each.type):
        newest = sorted(of_type, key=lambda each: _far(each, memory), reverse=True)
        kept += sorted(newest, key=lambda each: -each.confidence)[:MOST]
    return kept


def _far(each: Link, memory: DocumentId) -> str:
    return each.other if each.one == memory else each.one
