"""A run over a part of the world; findings that are not wholly inside are left alone."""

from collections.abc import Iterable
from dataclasses import dataclass

from recollect.errors import RecollectError
from recollect.memory import Memory
from recollect.model.ids import EntityId
from recollect.reason.checks.added import limits_of, run_added
from recollect.reason.checks.examine import Stirred, examine
from recollect.reason.checks.finding import Finding
from recollect.reason.checks.rulebook import SetRule, rulebook
from recollect.reason.checks.runs import Done, Report, Tally, count, keep_run
from recollect.reason.checks.sight import Sight
from recollect.reason.checks.stored import Book, open_with
from recollect.reason.lore.relation import Relation
from recollect.store.view import View
from recollect.when.period import Time, holds


@dataclass(frozen=True, slots=True)
class Scope:
    """What a run is over: an entity and its neighbours, or what holds at a time."""

    text: str
    entity: EntityId | None = None
    time: Time | None = None


@dataclass(frozen=True, slots=True)
class _Part:
    """The entities and relations of a scope."""

    entities: frozenset[EntityId]
    relations: tuple[Relation, ...]

    def holds(self, named: Iterable[str]) -> bool:
        return self.all >= frozenset(named)

    @property
    def all(self) -> frozenset[str]:
        return frozenset((*self.entities, *(each.id for each in self.relations)))


def check_scope(memory: Memory, scope: Scope) -> Done:
    """Check what is in a scope, and keep the run."""
    started, tally = memory.clock.now(), Tally()
    with memory.read() as view:
        rules = rulebook(view)
        added = _added(memory, view, _part(Sight(view), scope), rules.values(), tally)
    with memory.write() as change:
        sight = Sight(change)
        part = _part(sight, scope)
        found = _examined(sight, part, rules.values()) | added
        failed = {each["rule_id"] for each in tally.errors}
        open_before = [
            (id_, rule) for id_, rule, named in open_with(change, part.all) if part.holds(named) and rule not in failed
        ]
        gone = [id_ for id_, _ in open_before if id_ not in found]
        book = Book(change)
        tally.note(book.keep(found.values()), gone)
        book.resolve(gone)
        tally.entities, tally.relations = len(part.entities), len(part.relations)
        report = Report("scoped", scope.text, tally, started)
        run = keep_run(change, report, rules, count(change, found.values()))
    return Done(run, tuple(tally.first_opened), tuple(tally.first_resolved))


def _part(sight: Sight, scope: Scope) -> _Part:
    if scope.entity is not None:
        own = sight.lore.relations_of([scope.entity])
        entities = frozenset((scope.entity, *(end for each in own for end in each.ends)))
        between = sight.lore.relations_of(sorted(entities))
        return _Part(entities, tuple(each for each in between if entities.issuperset(each.ends)))
    relations = tuple(_holding(sight, scope.time)) if scope.time is not None else ()
    return _Part(frozenset(end for each in relations for end in each.ends), relations)


def _holding(sight: Sight, time: Time) -> Iterable[Relation]:
    for page in sight.graph.edges(None):
        intervals = sight.lore.intervals(page)
        yield from (each for each in page if holds(intervals[each.id], time))


def _examined(sight: Sight, part: _Part, rules: Iterable[SetRule]) -> dict[str, Finding]:
    live = sight.lore.entities(part.entities)
    ends: dict[str, frozenset[EntityId]] = {"": part.entities}
    stirred = Stirred(part.relations, tuple(live.values()), frozenset(each.id for each in part.relations), ends=ends)
    found = examine(sight, stirred, rules).found
    return {id_: each for id_, each in found.items() if part.holds((*each.nodes, *each.relations))}


def _added(memory: Memory, view: View, part: _Part, rules: Iterable[SetRule], tally: Tally) -> dict[str, Finding]:
    found: dict[str, Finding] = {}
    for rule in rules:
        if rule.built_in or not rule.enabled:
            continue
        try:
            ran = run_added(view, rule, limits_of(memory.settings))
        except RecollectError as problem:
            tally.errors.append({"rule_id": rule.id, "error": problem.code, "message": str(problem)})
            continue
        found |= {each.id: each for each in ran.findings if part.holds((*each.nodes, *each.relations))}
    return found
