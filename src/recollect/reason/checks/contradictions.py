"""Contradiction checks: disputed pairs, and cycles of ancestry, containment and causation."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from recollect.model.fact import EQUAL_TIME, OUTRANKED
from recollect.model.graph_search import Step, breadth_first
from recollect.model.ids import EntityId
from recollect.model.relations import format_relation, is_point
from recollect.model.vocabulary import built_in_predicates
from recollect.reason.checks.check_context import CheckContext
from recollect.reason.checks.findings import Finding
from recollect.reason.lore.disputes import are_in_conflict
from recollect.reason.lore.relation import Relation
from recollect.store.fact_queries import disputes_among
from recollect.when.period import Bounds

BOUNDS, SINGLE_VALUED, CONFLICT = "contradiction-bounds", "contradiction-single-valued", "contradiction-conflict"


def find_contradictions(context: CheckContext, relations: Iterable[Relation]) -> Iterator[Finding]:
    """The contradictions that these relations are part of."""
    given = {each.id: each for each in relations}
    pairs = {(each.one, each.other): each.reason for each in disputes_among(context.view, given)}
    missing = {fact for pair in pairs for fact in pair} - given.keys()
    known = given | {each.id: each for each in context.lore.by_id(sorted(missing))}
    for (one, other), reason in sorted(pairs.items()):
        if one in known and other in known:
            found = _check_pair(context, known[one], known[other], reason)
            if found is not None:
                yield found


def _check_pair(context: CheckContext, one: Relation, other: Relation, reason: str) -> Finding | None:
    first, second = sorted((one, other), key=lambda each: (each.fact.recorded_at, each.id))
    if reason == EQUAL_TIME:
        return _contradiction_finding(
            context, CONFLICT, first, second, "conflict", "stated at the same time, and nothing decides between them"
        )
    if reason == OUTRANKED:
        why = "the newer source is trusted less, or only states what was verified"
        return _contradiction_finding(context, CONFLICT, first, second, "conflict", why)
    if not are_in_conflict(context.lore, first, second):
        return None
    if first.fact.slot == second.fact.slot and not is_point(first.name):
        return _contradiction_finding(context, BOUNDS, first, second, "bounds", "their bounds exclude each other")
    return _contradiction_finding(
        context, SINGLE_VALUED, first, second, "single_valued", _describe_exclusivity(first, second)
    )


def _describe_exclusivity(one: Relation, other: Relation) -> str:
    known = built_in_predicates().get(one.name)
    if known is not None and known.one_subject is not None and one.object == other.object:
        return f"{format_relation(one.name)} has one subject at a time"
    return f"{format_relation(one.name)} has one object at a time"


def _contradiction_finding(
    context: CheckContext, rule: str, one: Relation, other: Relation, kind: str, why: str
) -> Finding:
    nodes = tuple(dict.fromkeys((*_shared_ends(one, other), *one.ends, *other.ends)))
    claims = context.claim(one), context.claim(other)
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
    """The entity that both claims are about: the subject, or the object if that may have only one subject."""
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
DATED_RELATIONS = frozenset({"part_of"})
CYCLE_RELATIONS = frozenset().union(*(names for names, _ in CYCLE_KINDS))
MAX_VISITED = 20_000
MANY_RELATIONS = 50
MOST_CYCLES = 200
"""Of one component; more would tell nobody more."""

NeighborLookup = Callable[[EntityId], Sequence[Relation]]


def find_cycles(context: CheckContext, relations: Iterable[Relation], component_edges: set[str]) -> Iterator[Finding]:
    """One finding for each cycle in the strongly connected components of these relations.

    The ids of all relations in such a component are added to `component_edges`. A few relations are each searched in
    both directions; many are searched together, each entity once.
    """
    given = [each for each in relations if each.name in CYCLE_RELATIONS and each.object is not None]
    for names, what in CYCLE_KINDS:
        adjacency = _Adjacency(context, names)
        own = [each for each in given if each.name in names]
        yield from _cycles_of_components(
            context,
            adjacency,
            own if len(own) <= MANY_RELATIONS else _find_back_edges(own, adjacency),
            what,
            component_edges,
        )


def find_cycles_through(
    context: CheckContext, relations: Sequence[Relation], component_edges: set[str]
) -> Iterator[Finding]:
    """The same for relations most of which are known to be on a cycle.

    `component_edges` are the relations whose components are done; those of the components found are added.
    """
    for names, what in CYCLE_KINDS:
        own = [each for each in relations if each.name in names and each.object is not None]
        yield from _cycles_of_components(context, _Adjacency(context, names), own, what, component_edges)


def _cycles_of_components(
    context: CheckContext, adjacency: "_Adjacency", relations: Iterable[Relation], what: str, component_edges: set[str]
) -> Iterator[Finding]:
    """The cycles in the strongly connected components of these relations, each once."""
    done: set[frozenset[str]] = set()
    for relation in relations:
        if relation.id in component_edges:
            continue
        component = _strongly_connected_component(relation, adjacency)
        component_edges |= {each.id for each in component}
        for cycle in _shortest_cycles(component):
            key = frozenset(each.id for each in cycle)
            if key not in done:
                done.add(key)
                yield _cycle_finding(context, cycle, what)


def _find_back_edges(relations: Iterable[Relation], adjacency: "_Adjacency") -> Iterator[Relation]:
    """The back edges of a depth-first search: at least one for each component that these relations lead to."""
    done: set[EntityId] = set()
    starts = list(dict.fromkeys(each.subject for each in relations))
    adjacency.prefetch(starts)
    for start in starts:
        yield from _depth_first_search(start, adjacency, done)


def _depth_first_search(start: EntityId, adjacency: "_Adjacency", done: set[EntityId]) -> Iterator[Relation]:
    """The relations that lead back onto the current path of a depth-first search."""
    if start in done:
        return
    path, stack = {start}, [(start, iter(adjacency.outgoing(start)))]
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
            ahead = adjacency.outgoing(far)
            adjacency.prefetch([each.object for each in ahead if each.object is not None and each.object not in done])
            stack.append((far, iter(ahead)))


class _Adjacency:
    """The outgoing and incoming relations of entities, of some names only."""

    def __init__(self, context: CheckContext, names: frozenset[str]) -> None:
        self._context = context
        self._names = names
        self._outgoing: dict[EntityId, list[Relation]] = {}
        self._incoming: dict[EntityId, list[Relation]] = {}

    def outgoing(self, entity: EntityId) -> Sequence[Relation]:
        if entity not in self._outgoing:
            self.prefetch([entity])
        return self._outgoing[entity]

    def incoming(self, entity: EntityId) -> Sequence[Relation]:
        if entity not in self._incoming:
            self._incoming[entity] = _sort_by_id(self._context.lore.relations_of([entity], self._names, "object"))
        return self._incoming[entity]

    def prefetch(self, entities: Iterable[EntityId]) -> None:
        """Fetch the outgoing relations of many entities at once."""
        unknown = [each for each in entities if each not in self._outgoing]
        if not unknown:
            return
        self._outgoing |= {each: [] for each in unknown}
        for relation in _sort_by_id(self._context.lore.relations_of(unknown, self._names, "subject")):
            if relation.subject in self._outgoing:
                self._outgoing[relation.subject].append(relation)


def _sort_by_id(relations: Iterable[Relation]) -> list[Relation]:
    return sorted((each for each in relations if each.object is not None), key=lambda each: each.id)


def _shortest_cycles(component: Sequence[Relation]) -> Iterator[tuple[Relation, ...]]:
    """Short cycles that together hold every relation of a component, as far as they are not too many."""
    members = sorted(component, key=lambda each: each.id)
    leaving: dict[EntityId, list[Relation]] = {}
    for each in members:
        leaving.setdefault(each.subject, []).append(each)
    covered: set[str] = set()
    found = 0
    moments = sorted({_span_of(each)[0] for each in members})
    for member in members:
        # Whoever is on a cycle that was found needs no search: a ring of thousands is searched once.
        is_needed = member.id not in covered and found < MOST_CYCLES
        path = _shortest_path_at_one_time(member, leaving, moments) if is_needed else None
        if path is not None:
            found += 1
            covered.update(each.id for each in (member, *path))
            yield (member, *path)


def _span_of(relation: Relation) -> tuple[int, int]:
    """When a relation may close a cycle; who is whose parent or what came first does not end."""
    bounds = relation.fact.bounds if relation.name in DATED_RELATIONS else Bounds()
    return bounds.lo, bounds.hi


def _shortest_path_at_one_time(
    relation: Relation, leaving: Mapping[EntityId, Sequence[Relation]], moments: Sequence[int]
) -> list[Relation] | None:
    """The shortest path back to the subject whose relations may all hold at once, at the earliest such moment.

    A cycle begins when the last of its relations does, so only these moments are tried.
    """
    first, last = _span_of(relation)
    for moment in moments:
        if first <= moment <= last and (path := _shortest_path(relation, leaving, moment)) is not None:
            return path
    return None


def _strongly_connected_component(relation: Relation, adjacency: _Adjacency) -> list[Relation]:
    """The relations of the strongly connected component of a relation; empty if it is on no cycle.

    Both directions are searched in turn, so that a relation at the edge of a large tree costs next to nothing.
    """
    start, goal = relation.object, relation.subject
    assert start is not None
    ahead, behind = (
        _ReachabilitySearch(start, adjacency.outgoing, forward=True),
        _ReachabilitySearch(goal, adjacency.incoming, forward=False),
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
    """The entities reachable from one, node by node."""

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


def _shortest_path(
    relation: Relation, leaving: Mapping[EntityId, Sequence[Relation]], moment: int
) -> list[Relation] | None:
    """The shortest path from the object of a relation back to its subject at a moment, by id among equals."""
    start, goal = relation.object, relation.subject
    assert start is not None

    def expand(level: list[EntityId]) -> Iterator[Step[EntityId, Relation]]:
        for here in level:
            for each in leaving.get(here, ()):
                since, until = _span_of(each)
                if each.object is not None and since <= moment <= until:
                    yield Step(here, each.object, each)

    search = breadth_first([start], expand, until=lambda reached: goal in reached)
    return [step.edge for step in search.path_to(goal)] if goal in search.reached else None


def _cycle_finding(context: CheckContext, cycle: Sequence[Relation], what: str) -> Finding:
    at = min(range(len(cycle)), key=lambda each: cycle[each].subject)
    turned = (*cycle[at:], *cycle[:at])
    nodes = tuple(dict.fromkeys(each.subject for each in turned))
    hops = "".join(f" -{format_relation(each.name)}-> {context.name(each.object)}" for each in turned)
    path = f"{context.name(turned[0].subject)}{hops}"
    return Finding(
        CYCLE,
        "contradiction",
        "error",
        nodes,
        tuple(each.id for each in turned),
        f"{context.name(turned[0].subject)} is {what}: {path}",
        {
            "kind": "cycle",
            "predicate": format_relation(turned[0].name),
            "claim_a": path,
            "claim_b": None,
            "why": [context.claim(each) for each in turned],
        },
    )
