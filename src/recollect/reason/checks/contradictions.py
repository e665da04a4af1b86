"""Contradiction checks: disputed pairs, and cycles of ancestry, containment and causation."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from recollect.model.ids import EntityId
from recollect.model.relations import format_relation, is_point
from recollect.model.vocabulary import built_in_predicates
from recollect.reason.checks.check_context import CheckContext
from recollect.reason.checks.findings import Finding
from recollect.reason.lore.disputes import are_in_conflict
from recollect.reason.lore.relation import Relation
from recollect.store.lore_queries import disputes_among

BOUNDS, SINGLE_VALUED, CONFLICT = "contradiction-bounds", "contradiction-single-valued", "contradiction-conflict"
_EQUAL_TIME = "equal_source_at"


def find_contradictions(sight: CheckContext, relations: Iterable[Relation]) -> Iterator[Finding]:
    """The open pairs that these relations are part of."""
    given = {each.id: each for each in relations}
    pairs = {(each.one, each.other): each.reason for each in disputes_among(sight.view, given)}
    missing = {fact for pair in pairs for fact in pair} - given.keys()
    known = given | {each.id: each for each in sight.lore.by_id(sorted(missing))}
    for (one, other), reason in sorted(pairs.items()):
        if one in known and other in known:
            found = _check_pair(sight, known[one], known[other], reason)
            if found is not None:
                yield found


def _check_pair(sight: CheckContext, one: Relation, other: Relation, reason: str) -> Finding | None:
    first, second = sorted((one, other), key=lambda each: (each.fact.recorded_at, each.id))
    if reason == _EQUAL_TIME:
        return _contradiction_finding(
            sight, CONFLICT, first, second, "conflict", "said at one time, and nothing has decided"
        )
    if not are_in_conflict(sight.lore, first, second):
        return None
    if first.fact.slot == second.fact.slot and not is_point(first.name):
        return _contradiction_finding(
            sight, BOUNDS, first, second, "bounds", "they give bounds that exclude each other"
        )
    return _contradiction_finding(
        sight, SINGLE_VALUED, first, second, "single_valued", _describe_exclusivity(first, second)
    )


def _describe_exclusivity(one: Relation, other: Relation) -> str:
    known = built_in_predicates().get(one.name)
    if known is not None and known.one_subject is not None and one.object == other.object:
        return f"at one time only one can stand in {format_relation(one.name)} to it"
    return f"{format_relation(one.name)} has one object at a time"


def _contradiction_finding(
    sight: CheckContext, rule: str, one: Relation, other: Relation, kind: str, why: str
) -> Finding:
    nodes = tuple(dict.fromkeys((*_shared_ends(one, other), *one.ends, *other.ends)))
    claims = sight.claim(one), sight.claim(other)
    return Finding(
        rule,
        "contradiction",
        "error" if rule == SINGLE_VALUED else "warn",
        nodes,
        (one.id, other.id),
        f"{claims[0]} against {claims[1]}: {why}",
        {
            "kind": kind,
            "predicate": format_relation(one.name),
            "claim_a": claims[0],
            "claim_b": claims[1],
            "why": [claims[0], claims[1], why],
        },
    )


def _shared_ends(one: Relation, other: Relation) -> tuple[EntityId, ...]:
    """The entity that both claims are about: the subject, or the object that can have only one."""
    shared = [end for end in one.ends if end in other.ends]
    if one.subject in shared:
        return (one.subject,)
    return tuple(shared)


CYCLE = "contradiction-cycle"
CYCLE_KINDS: tuple[tuple[frozenset[str], str], ...] = (
    (frozenset({"parent_of"}), "its own ancestor"),
    (frozenset({"part_of"}), "inside itself"),
    (frozenset({"preceded", "caused"}), "before itself"),
)
CYCLE_RELATIONS = frozenset().union(*(names for names, _ in CYCLE_KINDS))
MAX_VISITED = 20_000
MANY_RELATIONS = 50

NeighborLookup = Callable[[EntityId], Sequence[Relation]]


def find_cycles(sight: CheckContext, relations: Iterable[Relation], tied: set[str]) -> Iterator[Finding]:
    """One finding for each cycle in the knots that these relations are part of; `tied` takes up all in such a knot.

    A few relations are followed both ways from where they are; many are gone through together, each thing once.
    """
    given = [each for each in relations if each.name in CYCLE_RELATIONS and each.object is not None]
    for names, what in CYCLE_KINDS:
        ways = _Adjacency(sight, names)
        own = [each for each in given if each.name in names]
        yield from _cycles_of_components(
            sight, ways, own if len(own) <= MANY_RELATIONS else _find_back_edges(own, ways), what, tied
        )


def find_cycles_through(sight: CheckContext, relations: Sequence[Relation]) -> Iterator[Finding]:
    """The same for relations most of which are known to go round."""
    tied: set[str] = set()
    for names, what in CYCLE_KINDS:
        own = [each for each in relations if each.name in names and each.object is not None]
        yield from _cycles_of_components(sight, _Adjacency(sight, names), own, what, tied)


def _cycles_of_components(
    sight: CheckContext, ways: "_Adjacency", relations: Iterable[Relation], what: str, tied: set[str]
) -> Iterator[Finding]:
    """The cycles in the knots that these relations are part of, each once."""
    done: set[frozenset[str]] = set()
    for relation in relations:
        if relation.id in tied:
            continue
        knot = _strongly_connected_component(relation, ways)
        tied |= {each.id for each in knot}
        for cycle in _shortest_cycles(knot):
            key = frozenset(each.id for each in cycle)
            if key not in done:
                done.add(key)
                yield _cycle_finding(sight, cycle, what)


def _find_back_edges(relations: Iterable[Relation], ways: "_Adjacency") -> Iterator[Relation]:
    """Going depth first, the relations that close a cycle: at least one of each knot that begins at these."""
    done: set[EntityId] = set()
    starts = list(dict.fromkeys(each.subject for each in relations))
    ways.prefetch(starts)
    for start in starts:
        yield from _depth_first_search(start, ways, done)


def _depth_first_search(start: EntityId, ways: "_Adjacency", done: set[EntityId]) -> Iterator[Relation]:
    """Go depth first from an entity; what leads back onto the path closes a cycle."""
    if start in done:
        return
    path, stack = {start}, [(start, iter(ways.outgoing(start)))]
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
            ahead = ways.outgoing(far)
            ways.prefetch([each.object for each in ahead if each.object is not None and each.object not in done])
            stack.append((far, iter(ahead)))


class _Adjacency:
    """How to go from an entity, along the relations of some names and against them."""

    def __init__(self, sight: CheckContext, names: frozenset[str]) -> None:
        self._sight = sight
        self._names = names
        self._outgoing: dict[EntityId, list[Relation]] = {}
        self._incoming: dict[EntityId, list[Relation]] = {}

    def outgoing(self, entity: EntityId) -> Sequence[Relation]:
        if entity not in self._outgoing:
            self.prefetch([entity])
        return self._outgoing[entity]

    def incoming(self, entity: EntityId) -> Sequence[Relation]:
        if entity not in self._incoming:
            self._incoming[entity] = _sort_by_id(self._sight.lore.relations_of([entity], self._names, "object"))
        return self._incoming[entity]

    def prefetch(self, entities: Iterable[EntityId]) -> None:
        """Fetch what leaves many entities at once."""
        unknown = [each for each in entities if each not in self._outgoing]
        if not unknown:
            return
        self._outgoing |= {each: [] for each in unknown}
        for relation in _sort_by_id(self._sight.lore.relations_of(unknown, self._names, "subject")):
            if relation.subject in self._outgoing:
                self._outgoing[relation.subject].append(relation)


def _sort_by_id(relations: Iterable[Relation]) -> list[Relation]:
    return sorted((each for each in relations if each.object is not None), key=lambda each: each.id)


def _shortest_cycles(knot: Sequence[Relation]) -> Iterator[tuple[Relation, ...]]:
    """The shortest cycle through each relation of a knot, mostly the same."""
    for member in sorted(knot, key=lambda each: each.id):
        path = _shortest_path(member, knot)
        if path is not None:
            yield (member, *path)


def _strongly_connected_component(relation: Relation, ways: _Adjacency) -> list[Relation]:
    """Every relation that is reached from this one and leads back to it; none without a cycle.

    Both directions are walked in turn, so that a relation at the edge of a large tree costs next to nothing.
    """
    start, goal = relation.object, relation.subject
    assert start is not None
    ahead, behind = (
        _ReachabilitySearch(start, ways.outgoing, forward=True),
        _ReachabilitySearch(goal, ways.incoming, forward=False),
    )
    while ahead.waiting and behind.waiting and goal not in ahead.seen and start not in behind.seen:
        ahead.step()
        behind.step()
        if len(ahead.seen) + len(behind.seen) > MAX_VISITED:
            return []
    if goal not in ahead.seen and start not in behind.seen:
        return []
    ahead.finish()
    behind.finish()
    inside = ahead.seen & behind.seen
    reached = (ahead.relations | {relation.id: relation}).values()
    return [each for each in reached if each.subject in inside and each.object in inside]


class _ReachabilitySearch:
    """Everything that can be reached from an entity, a step at a time."""

    def __init__(self, start: EntityId, hop: NeighborLookup, *, forward: bool) -> None:
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
        while self.waiting and len(self.seen) <= MAX_VISITED:
            self.step()


def _shortest_path(relation: Relation, knot: Iterable[Relation]) -> list[Relation] | None:
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
    return _trace_path(came, goal) if goal in came else None


def _trace_path(came: dict[EntityId, Relation | None], goal: EntityId) -> list[Relation]:
    path: list[Relation] = []
    step = came[goal]
    while step is not None:
        path.append(step)
        step = came[step.subject]
    return path[::-1]


def _cycle_finding(sight: CheckContext, cycle: Sequence[Relation], what: str) -> Finding:
    at = min(range(len(cycle)), key=lambda each: cycle[each].subject)
    turned = (*cycle[at:], *cycle[:at])
    nodes = tuple(dict.fromkeys(each.subject for each in turned))
    hops = "".join(f" -{format_relation(each.name)}-> {sight.name(each.object)}" for each in turned)
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
            "predicate": format_relation(turned[0].name),
            "claim_a": path,
            "claim_b": None,
            "why": [sight.claim(each) for each in turned],
        },
    )
