"""Current facts that replaced past ones which a search found: a question for the old value needs the new one."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from recollect.model.fact import Fact
from recollect.model.history import begins_after, is_current
from recollect.model.ids import EntityId, FactId
from recollect.search.recall_results import RecalledFact
from recollect.store.view import View
from recollect.when.span import Span
from recollect.write.predicates import is_single_valued

MAX_ATTRIBUTES = 10
"""For so many attributes of the best results the facts that followed are looked up."""
MAX_VALUES = 200
MAX_SUCCESSORS = 3


def add_replacements(view: View, facts: Sequence[RecalledFact], at: Span) -> list[RecalledFact]:
    """The facts, and those that hold in place of past ones, with the score of the best that they follow."""
    found_ids = {each.row.fact.id for each in facts}
    added: dict[FactId, RecalledFact] = {}
    for past in _past_by_attribute(facts, at)[:MAX_ATTRIBUTES]:
        found = replacements(view, [each.row.fact for each in past], at)
        best = max(past, key=lambda each: each.score)
        for row in view.fact_rows({fact.id for fact in found} - found_ids):
            added[row.fact.id] = replace(best, row=row, is_past=False)
    return [*facts, *added.values()]


def _past_by_attribute(facts: Sequence[RecalledFact], at: Span) -> list[list[RecalledFact]]:
    groups: dict[tuple[EntityId, str], list[RecalledFact]] = {}
    for each in facts:
        fact = each.row.fact
        if each.is_past and fact.label == "AFFILIATED" and not begins_after(fact, at):
            groups.setdefault((fact.subject, fact.predicate), []).append(each)
    return list(groups.values())


def replacements(view: View, past: Sequence[Fact], at: Span) -> list[Fact]:
    """The facts of the attribute of some past ones that hold at a time in their place, the newest source first.

    All of an attribute with one value at a time; of others those that a chain of replacements leads to.
    """
    subject, predicate = past[0].subject, past[0].predicate
    values = view.facts_of_subject(subject, predicate, MAX_VALUES)
    current = [fact for fact in values if is_current(fact, at) and not begins_after(fact, at)]
    if not is_single_valued(view, predicate):
        following = _following(past, values)
        current = [fact for fact in current if fact.id in following]
    return sorted(current, key=lambda fact: -fact.source_at)[:MAX_SUCCESSORS]


def _following(past: Sequence[Fact], values: Sequence[Fact]) -> Collection[FactId]:
    """The facts that replaced past ones, those that replaced these, and so on."""
    found: dict[FactId, None] = {}
    waiting = list(past)
    while waiting:
        former = waiting.pop()
        for fact in values:
            if fact.id not in found and _replaces(fact, former):
                found[fact.id] = None
                waiting.append(fact)
    return found.keys()


def _replaces(fact: Fact, former: Fact) -> bool:
    """Whether a fact begins where another ended, as a stated replacement does."""
    start, end = fact.valid_from, former.valid_until
    follows = start is not None and end is not None and end.hi == start.lo - 1
    return follows or former.replaced_by == fact.id
