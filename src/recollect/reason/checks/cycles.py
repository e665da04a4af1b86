"""Things that are their own ancestor, contain themselves, or precede themselves."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from recollect.model.ids import EntityId
from recollect.model.relations import say_relation
from recollect.reason.checks.finding import Finding
from recollect.reason.checks.sight import Sight
from recollect.reason.lore.relation import Relation

CYCLE = "contradiction-cycle"
KINDS: tuple[tuple[frozenset[str], str], ...] = (
    (frozenset({"parent_of"}), "its own ancestor"),
    (frozenset({"part_of"}), "inside itself"),
    (frozenset({"preceded", "caused"}), "before itself"),
)
NAMES = frozenset().union(*(names for names, _ in KINDS))
MOST_SEEN = 20_000
MANY = 50

Hop = Callable[[EntityId], Sequence[Relation]]


def cycles(sight: Sight, relations: Iterable[Relation], tied: set[str]) -> Iterator[Finding]:
    """One finding for each cycle in the knots that these relations are part of; `tied` takes up all in such a knot.

    A few relations are followed both ways from where they are; many are gone through together, each thing once.
    """
    given = [each for each in relations if each.name in NAMES and each.object is not None]
    for names, what in KINDS:
        ways = _Ways(sight, names)
        own = [each for each in given if each.name in names]
        yield from _tied(sight, ways, own if len(own) <= MANY else _closing(own, ways), what, tied)


def cycles_through(sight: Sight, relations: Sequence[Relation]) -> Iterator[Finding]:
    """The same for relations most of which are known to go round."""
    tied: set[str] = set()
    for names, what in KINDS:
        own = [each for each in relations if each.name in names and each.object is not None]
        yield from _tied(sight, _Ways(sight, names), own, what, tied)


def _tied(sight: Sight, ways: "_Ways", relations: Iterable[Relation], what: str, tied: set[str]) -> Iterator[Finding]:
    """The cycles in the knots that these relations are part of, each once."""
    done: set[frozenset[str]] = set()
    for relation in relations:
        if relation.id in tied:
            continue
        knot = _knot(relation, ways)
        tied |= {each.id for each in knot}
        for cycle in _around(knot):
            key = frozenset(each.id for each in cycle)
            if key not in done:
                done.add(key)
                yield _found(sight, cycle, what)


def _closing(relations: Iterable[Relation], ways: "_Ways") -> Iterator[Relation]:
    """Going depth first, the relations that close a cycle: at least one of each knot that begins at these."""
    done: set[EntityId] = set()
    starts = list(dict.fromkeys(each.subject for each in relations))
    ways.fetch(starts)
    for start in starts:
        yield from _walked(start, ways, done)


def _walked(start: EntityId, ways: "_Ways", done: set[EntityId]) -> Iterator[Relation]:
    """Go depth first from an entity; what leads back onto the path closes a cycle."""
    if start in done:
        return
    path, stack = {start}, [(start, iter(ways.on(start)))]
    while stack:
        at, leaving = stack[-1]
        relation = next(leaving, None)
        if relation is None:
            stack.pop()
            path.discard(at)
            done.add(at)
            continue
        far = relation.object
        if far is None or far in done:
            continue
        if far in path:
            yield relation
        else:
            path.add(far)
            ahead = ways.on(far)
            ways.fetch([each.object for each in ahead if each.object is not None and each.object not in done])
            stack.append((far, iter(ahead)))


class _Ways:
    """How to go from an entity, along the relations of some names and against them."""

    def __init__(self, sight: Sight, names: frozenset[str]) -> None:
        self._sight = sight
        self._names = names
        self._on: dict[EntityId, list[Relation]] = {}
        self._back: dict[EntityId, list[Relation]] = {}

    def on(self, entity: EntityId) -> Sequence[Relation]:
        if entity not in self._on:
            self.fetch([entity])
        return self._on[entity]

    def back(self, entity: EntityId) -> Sequence[Relation]:
        if entity not in self._back:
            self._back[entity] = _in_order(self._sight.lore.relations_of([entity], self._names, "object"))
        return self._back[entity]

    def fetch(self, entities: Iterable[EntityId]) -> None:
        """Fetch what leaves many entities at once."""
        unknown = [each for each in entities if each not in self._on]
        if not unknown:
            return
        self._on |= {each: [] for each in unknown}
        for relation in _in_order(self._sight.lore.relations_of(unknown, self._names, "subject")):
            if relation.subject in self._on:
                self._on[relation.subject].append(relation)


def _in_order(relations: Iterable[Relation]) -> list[Relation]:
    return sorted((each for each in relations if each.object is not None), key=lambda each: each.id)


def _around(knot: Sequence[Relation]) -> Iterator[tuple[Relation, ...]]:
    """The shortest cycle through each relation of a knot, mostly the same."""
    for member in sorted(knot, key=lambda each: each.id):
        path = _shortest(member, knot)
        if path is not None:
            yield (member, *path)


def _knot(relation: Relation, ways: _Ways) -> list[Relation]:
    """Every relation that is reached from this one and leads back to it; none without a cycle.

    Both directions are walked in turn, so that a relation at the edge of a large tree costs next to nothing.
    """
    start, goal = relation.object, relation.subject
    assert start is not None
    ahead, behind = _Walk(start, ways.on, forward=True), _Walk(goal, ways.back, forward=False)
    while ahead.waiting and behind.waiting and goal not in ahead.seen and start not in behind.seen:
        ahead.step()
        behind.step()
        if len(ahead.seen) + len(behind.seen) > MOST_SEEN:
            return []
    if goal not in ahead.seen and start not in behind.seen:
        return []
    ahead.finish()
    behind.finish()
    inside = ahead.seen & behind.seen
    reached = (ahead.relations | {relation.id: relation}).values()
    return [each for each in reached if each.subject in inside and each.object in inside]


class _Walk:
    """Everything that can be reached from an entity, a step at a time."""

    def __init__(self, start: EntityId, hop: Hop, *, forward: bool) -> None:
        self._hop = hop
        self._forward = forward
        self.seen = {start}
        self.waiting = [start]
        self.relations: dict[str, Relation] = {}

    def step(self) -> None:
        for relation in self._hop(self.waiting.pop()):
            self.relations[relation.id] = relation
            far = relation.object if self._forward else relation.subject
            if far is not None and far not in self.seen:
                self.seen.add(far)
                self.waiting.append(far)

    def finish(self) -> None:
        while self.waiting and len(self.seen) <= MOST_SEEN:
            self.step()


def _shortest(relation: Relation, knot: Iterable[Relation]) -> list[Relation] | None:
    """The shortest way from the far end of a relation to its near end, by id among equals."""
    start, goal = relation.object, relation.subject
    assert start is not None
    leaving: dict[EntityId, list[Relation]] = {}
    for each in sorted(knot, key=lambda each: each.id):
        leaving.setdefault(each.subject, []).append(each)
    came: dict[EntityId, Relation | None] = {start: None}
    level = [start]
    while level and goal not in came:
        further: list[EntityId] = []
        for at in level:
            for each in leaving.get(at, ()):
                if each.object is not None and each.object not in came:
                    came[each.object] = each
                    further.append(each.object)
        level = further
    return _traced(came, goal) if goal in came else None


def _traced(came: dict[EntityId, Relation | None], goal: EntityId) -> list[Relation]:
    path: list[Relation] = []
    step = came[goal]
    while step is not None:
        path.append(step)
        step = came[step.subject]
    return path[::-1]


def _found(sight: Sight, cycle: Sequence[Relation], what: str) -> Finding:
    at = min(range(len(cycle)), key=lambda each: cycle[each].subject)
    turned = (*cycle[at:], *cycle[:at])
    nodes = tuple(dict.fromkeys(each.subject for each in turned))
    hops = "".join(f" -{say_relation(each.name)}-> {sight.name(each.object)}" for each in turned)
    path = f"{sight.name(turned[0].subject)}{hops}"
    return Finding(
        CYCLE,
        "contradiction",
        "error",
        nodes,
        tuple(each.id for each in turned),
        f"{sight.name(turned[0].subject)} is {what}: {path}",
        {
            "kind": "cycle",
            "predicate": say_relation(turned[0].name),
            "claim_a": path,
            "claim_b": None,
            "why": [sight.claim(each) for each in turned],
        },
    )
