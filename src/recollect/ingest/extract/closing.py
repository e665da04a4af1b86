"""After a run: items that reports answer are closed, and items with a new date are moved."""

import re
from collections.abc import Collection

from recollect.memory import Memory
from recollect.model.ids import FactId
from recollect.reason.answer_parties import wants_answer
from recollect.reason.answering import AnswerFinder, ItemAnswer
from recollect.reason.item_lookup import to_items
from recollect.reason.open_items import CLOSING_PREDICATES, ITEM_PREDICATES, RESOLVED_BY, ItemFact
from recollect.store import item_queries
from recollect.store.change import Change
from recollect.store.item_queries import ItemFactRow
from recollect.store.view import View
from recollect.when.instant import local_date
from recollect.write.owner import find_owner
from recollect.write.replacement import supersede

MOST_FACTS = 20_000
"""The newest items and reports that are compared; older ones are not closed by words of a text."""
_FIELD_WORDS = re.compile(r" (?:changed .* (?:from|to) |completed pull request #|resolved issue #)|.* changed from ")
_STATEMENTS = frozenset(
    {
        "decision",
        "update",
        "commitment",
        "completion",
        "cancellation",
        "blocker",
        "request",
        "event",
        "preference",
        "goal",
    }
)
_REPORTS = (CLOSING_PREDICATES - {RESOLVED_BY}) | {"event"}


def close_answered_items(memory: Memory, since: int) -> int:
    """Close the items that reports written after a transaction answer, and those written since; how many."""
    with memory.read() as view:
        answers = _find_answers(view, since)
    if not answers:
        return 0
    with memory.write() as change:
        return sum(_close(change, answer) for answer in answers)


def _find_answers(view: View, since: int) -> list[ItemAnswer]:
    item_rows = _newest(item_queries.item_facts_with(view, ITEM_PREDICATES))
    report_rows = _newest(item_queries.item_facts_with(view, _REPORTS))
    new = {row.id for row in (*item_rows, *report_rows) if row.tx > since}
    if not new:
        return []
    items = to_items([row for row in item_rows if not row.stale])
    reports = to_items([row for row in report_rows if not row.stale and row.supersedes is None and _is_told(row)])
    threads = item_queries.threads_of(view, [each.id for each in (*items, *reports)])
    owner = find_owner(view)
    zone = view.world.zone
    finder = AnswerFinder(
        _with_threads(items, threads), owner.id if owner is not None else None, lambda at: local_date(at, zone)
    )
    found = list(finder.answers(_with_threads(reports, threads), new))
    found += finder.replies(_replies_to(view, finder.items), new)
    return found + list(finder.moves(new))


def _replies_to(view: View, items: Collection[ItemFact]) -> list[ItemFact]:
    """The statements in the threads of those items that ask for an answer."""
    threads = frozenset().union(*(item.threads for item in items if wants_answer(item)))
    if not threads:
        return []
    ids = item_queries.facts_in_threads(view, threads)
    found = to_items([row for row in item_queries.item_facts_by_id(view, ids, _STATEMENTS) if not row.stale])
    return _with_threads(found, item_queries.threads_of(view, [each.id for each in found]))


def _is_told(row: ItemFactRow) -> bool:
    """Whether somebody reports it in words; the fields of a tracker close its own items only."""
    return _FIELD_WORDS.match((row.words or "").removeprefix(row.subject_name)) is None


def _newest(rows: Collection[ItemFactRow]) -> list[ItemFactRow]:
    return sorted(rows, key=lambda row: (row.source_at, row.id))[-MOST_FACTS:]


def _with_threads(facts: Collection[ItemFact], threads: dict[FactId, frozenset[str]]) -> list[ItemFact]:
    return [each._replace(threads=threads[each.id]) if each.id in threads else each for each in facts]


def _close(change: Change, answer: ItemAnswer) -> bool:
    by = change.fact(answer.by)
    item = change.fact(answer.item)
    if (
        by is None
        or item is None
        or by.is_retracted
        or item.is_retracted
        or item.stale
        or by.source_at < item.source_at
    ):
        return False
    supersede(change, by, [item.id])
    return True
