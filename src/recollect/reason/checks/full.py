"""A full run: the whole world page by page, and how the engine is woken by going through it once."""

import time
from collections.abc import Iterable
from itertools import accumulate
from typing import Literal

from recollect.errors import Unavailable
from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.progress import Progress
from recollect.reason.checks.added import run_all_added
from recollect.reason.checks.examine import whole
from recollect.reason.checks.queued import run_due
from recollect.reason.checks.rulebook import SetRule, rulebook
from recollect.reason.checks.runs import Done, Report, Tally, keep_run
from recollect.reason.checks.sight import Sight
from recollect.reason.checks.state import (
    begin_round,
    begin_waking,
    drop_queued,
    is_awake,
    put_woken_to,
    queued_rules,
    wake,
    watches,
    woken_to,
)
from recollect.reason.checks.stored import Book
from recollect.reason.lore.relation import Relation, read_fact
from recollect.reason.rules.graph import TOLD_OF
from recollect.store.change import Change
from recollect.store.rows import entity_of, fact_of
from recollect.store.view import View

PAGE = 300
SMALL_PAGE = 50
RELATIONS_EACH = 10
"""A page has so many relations for each of its entities at most, or one entity."""
LEFT_AT_ONCE = 1_000
SMALL_WORLD = 15_000
"""A world of at most so many entities is gone through by the first call that needs its findings."""
SHARE = 0.25
"""Seconds that each call gives to waking the engine of a larger one."""


Effort = Literal["look", "follow", "none"]
"""What a call does for a large world that was never gone through: look for a while, follow changes, or nothing."""


def ensure_awake(memory: Memory, effort: Effort = "look") -> bool:
    """Whether all findings are known; a small world is gone through to find out.

    Of a larger one each call that looks goes on from where the last one stopped, and so do the chores of a server.
    """
    with memory.read() as view:
        if is_awake(view):
            return True
        is_large, is_followed = _is_large(view), watches(view)
    if not is_large or effort == "look":
        return go_on_waking(memory, SHARE if is_large else None)
    if effort == "follow" and not is_followed:
        _follow(memory)
    return False


def follow_if_large(memory: Memory) -> bool:
    """Whether what is written from here on is checked at once; a small world is sooner checked whole afterwards."""
    with memory.read() as view:
        is_large, is_followed = _is_large(view), watches(view)
    if is_large and not is_followed:
        _follow(memory)
    return is_large or is_followed


def _is_large(view: View) -> bool:
    return bool(view.rows("check_beyond", many=SMALL_WORLD))


def _follow(memory: Memory) -> None:
    with memory.write() as change:
        begin_waking(change)


def is_waking(memory: Memory) -> bool:
    """Whether somebody asked for findings of a world that was not gone through whole."""
    with memory.read() as view:
        return watches(view) and not is_awake(view)


def go_on_waking(memory: Memory, seconds: float | None) -> bool:
    """Go through the world from where that was left, for so long or to the end; whether the end was reached."""
    until = None if seconds is None else time.monotonic() + seconds
    tally = Tally()
    with memory.write() as change:
        begin_waking(change)
        after: str | None = woken_to(change)
    while after is not None:
        with memory.write() as change:
            after = _page(change, after, rulebook(change).values(), tally, SMALL_PAGE)
            if after is not None:
                put_woken_to(change, after)
        if after is not None and until is not None and time.monotonic() > until:
            return False
    _check_cycles(memory, tally)
    run_all_added(memory, tally)
    with memory.write() as change:
        wake(change)
    return True


def ready_to_read(memory: Memory, effort: Effort = "look") -> bool:
    """Bring the findings up to date before a read, if this store can be written to; whether all are known."""
    try:
        is_complete = ensure_awake(memory, effort)
        run_due(memory)
    except Unavailable:
        with memory.read() as view:
            return is_awake(view)
    return is_complete


def check_everything(memory: Memory) -> Done:
    """A full run, page by page in short transactions, so that nobody waits for it.

    Every open finding that it does not come across again is resolved at the end.
    """
    tally, started = Tally(), memory.clock.now()
    with memory.write() as change:
        begin_waking(change)
        mark, queued, rules = begin_round(change), queued_rules(change), rulebook(change)
        total = change.counts()["entities"]
    after: str | None = ""
    while after is not None:
        with memory.write() as change:
            after = _page(change, after, rules.values(), tally, PAGE)
        memory.tell(Progress(tally.entities, max(total, tally.entities), "entities"))
    _check_cycles(memory, tally)
    added = [rule.id for rule in rules.values() if not rule.built_in]
    while _resolve_left(memory, mark, added, tally):
        pass
    run_all_added(memory, tally)
    with memory.write() as change:
        wake(change)
        if queued is not None:
            drop_queued(change, queued)
        run = keep_run(change, Report("full", "all", tally, started), rules)
    return Done(run, tuple(tally.first_opened), tuple(tally.first_resolved))


def _check_cycles(memory: Memory, tally: Tally) -> None:
    # It brings numpy along, which whoever only reads findings need not wait for.
    from recollect.reason.checks.knots import check_cycles

    check_cycles(memory, tally)


def _page(change: Change, after: str, rules: Iterable[SetRule], tally: Tally, size: int) -> str | None:
    """Check the next entities and what begins at them; where to go on, none at the end."""
    ahead = [entity_of(row) for row in change.rows("rule_entities_after", after=after, limit=size)]
    if not ahead:
        return None
    sight = Sight(change)
    entities = _first(change, ahead, size * RELATIONS_EACH)
    sight.lore.keep(*entities)
    relations = beginning_at(sight, [entity.id for entity in entities])
    tally.entities, tally.relations = tally.entities + len(entities), tally.relations + len(relations)
    tally.note(Book(change).keep(whole(sight, entities, relations, rules)))
    return entities[-1].id if len(entities) == size or len(entities) < len(ahead) else None


def _first(change: Change, entities: list[Entity], most: int) -> list[Entity]:
    """As many of the entities as have no more than so many relations together, and at least one."""
    sizes: dict[str, int] = dict(change.rows("check_sizes", entities=[each.id for each in entities]))
    sums = accumulate(sizes.get(each.id, 0) for each in entities)
    return entities[: max(1, sum(each <= most for each in sums))]


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
