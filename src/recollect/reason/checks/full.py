"""Full and scoped runs: the whole world page by page, or a part of it."""

from collections.abc import Iterable

from recollect.errors import Unavailable
from recollect.memory import Memory
from recollect.model.ids import EntityId
from recollect.reason.checks.added import run_all_added
from recollect.reason.checks.cycles import Search
from recollect.reason.checks.examine import whole
from recollect.reason.checks.queued import run_due
from recollect.reason.checks.rulebook import SetRule, rulebook
from recollect.reason.checks.runs import Done, Report, Tally, keep_run
from recollect.reason.checks.sight import Sight
from recollect.reason.checks.state import begin_round, begin_waking, drop_queued, is_awake, queued_rules, wake
from recollect.reason.checks.stored import Book
from recollect.reason.lore.relation import Relation, read_fact
from recollect.reason.rules.graph import TOLD_OF
from recollect.store.change import Change
from recollect.store.rows import entity_of, fact_of

PAGE = 300
LEFT_AT_ONCE = 1_000


def ensure_awake(memory: Memory) -> None:
    """Go through the world once, unless that was done; from then on every change is followed."""
    with memory.read() as view:
        awake = is_awake(view)
    if not awake:
        check_everything(memory, is_waking=True)


def ready_to_read(memory: Memory) -> None:
    """Bring the findings up to date before a read, if this store can be written to."""
    try:
        ensure_awake(memory)
        run_due(memory)
    except Unavailable:
        return


def check_everything(memory: Memory, *, is_waking: bool = False) -> Done:
    """A full run, page by page in short transactions, so that nobody waits for it.

    Every open finding that it does not come across again is resolved at the end.
    """
    tally, started = Tally(), memory.clock.now()
    with memory.write() as change:
        begin_waking(change)
        mark, queued, rules = begin_round(change), queued_rules(change), rulebook(change)
    after: str | None = ""
    search = Search()
    while after is not None:
        with memory.write() as change:
            after = _page(change, after, rules.values(), tally, search)
    added = [rule.id for rule in rules.values() if not rule.built_in]
    while _resolve_left(memory, mark, added, tally):
        pass
    run_all_added(memory, tally)
    with memory.write() as change:
        wake(change)
        if queued is not None:
            drop_queued(change, queued)
        # Waking is nobody's call: it leaves no run behind, only findings.
        run = {} if is_waking else keep_run(change, Report("full", "all", tally, started), rules)
    return Done(run, tuple(tally.first_opened), tuple(tally.first_resolved))


def _page(change: Change, after: str, rules: Iterable[SetRule], tally: Tally, search: Search) -> str | None:
    """Check the next entities and what begins at them; where to go on, none at the end."""
    entities = [entity_of(row) for row in change.rows("rule_entities_after", after=after, limit=PAGE)]
    if not entities:
        return None
    sight = Sight(change)
    sight.lore.keep(*entities)
    relations = beginning_at(sight, [entity.id for entity in entities])
    tally.entities, tally.relations = tally.entities + len(entities), tally.relations + len(relations)
    tally.note(Book(change).keep(whole(sight, entities, relations, rules, search)))
    return entities[-1].id if len(entities) == PAGE else None


def beginning_at(sight: Sight, entities: list[EntityId]) -> list[Relation]:
    """The live relations that are stored with one of these as their subject."""
    rows = sight.view.rows("check_facts_of_subjects", entities=entities)
    found = (read_fact(fact_of(row), sight.lore.symmetric) for row in rows)
    return sight.lore.shown(each for each in found if each.name != TOLD_OF)


def _resolve_left(memory: Memory, mark: str, added: list[str], tally: Tally) -> bool:
    """Resolve some of the findings that a run did not come across; whether there may be more."""
    with memory.write() as change:
        left = [row[0] for row in change.rows("findings_left", marker=mark, limit=LEFT_AT_ONCE, **{"except": added})]
        Book(change).resolve(left)
    tally.note((), left)
    return len(left) == LEFT_AT_ONCE
