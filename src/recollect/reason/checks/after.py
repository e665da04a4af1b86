"""The engine after every change, in its transaction: what it touched is looked at again."""

from collections.abc import Mapping
from typing import NamedTuple

from recollect.memory import Memory
from recollect.model.ids import FactId
from recollect.reason.checks.catalogue import known
from recollect.reason.checks.examine import examine
from recollect.reason.checks.rulebook import SetRule, rulebook
from recollect.reason.checks.runs import Report, Tally, count, keep_run
from recollect.reason.checks.sight import Sight
from recollect.reason.checks.state import put_seen, queue_rules, seen_tx, watches
from recollect.reason.checks.stirring import stirred_by
from recollect.reason.checks.stored import Book, Outcome, open_with
from recollect.store.change import Change

_NOTE = "checks"


class _Noted(NamedTuple):
    """What the change had touched when it was last looked at, and what that did."""

    size: tuple[int, int]
    outcome: Outcome


def check_after(memory: Memory, change: Change) -> None:
    """Open and resolve findings for what a change touched, unless the engine sleeps."""
    noted = change.notes.get(_NOTE)
    if (noted is not None and noted.size == _size(change)) or not watches(change):
        return
    rules = rulebook(change)
    if any(rule.built_in and rule.min_confidence for rule in rules.values()):
        change.touched.facts |= _weighed_anew(change)
    if _size(change) == (0, 0):
        _queue_added(change, rules)
    else:
        note(change, _examined(memory, change, rules))


def _size(change: Change) -> tuple[int, int]:
    return len(change.touched.entities), len(change.touched.facts)


def _weighed_anew(change: Change) -> set[FactId]:
    """The facts that documents tell which a change touched: they may be as reliable as never before."""
    return {each.fact for document in change.touched.documents for each in change.assertions_from(document)}


def _queue_added(change: Change, rules: Mapping[str, SetRule]) -> None:
    """Let added rules run soon: they may ask for the world's now, or for how sure something is."""
    if any(not rule.built_in and rule.enabled for rule in rules.values()):
        queue_rules(change, change.tx if change.has_changed else change.last_tx)


def note(change: Change, outcome: Outcome) -> None:
    """Let a change answer for findings that it opened and resolved itself."""
    noted = change.notes.get(_NOTE)
    change.notes[_NOTE] = _Noted(_size(change), outcome if noted is None else noted.outcome.joined(outcome))


def outcome_of(change: Change) -> Outcome:
    """What a change opened and resolved, as far as it was looked at."""
    noted = change.notes.get(_NOTE)
    return Outcome() if noted is None else noted.outcome


def _examined(memory: Memory, change: Change, rules: Mapping[str, SetRule]) -> Outcome:
    sight = Sight(change)
    stirred = stirred_by(change, sight, seen_tx(change))
    examined = examine(sight, stirred, rules.values())
    named = examined.parts.union(*examined.by_rule.values())
    gone = [
        id_
        for id_, rule, parts in open_with(change, named)
        if id_ not in examined.found and rule in known() and examined.covers(rule, parts)
    ]
    book = Book(change)
    opened = book.keep(examined.found.values())
    book.resolve(gone)
    put_seen(change, book.tx)
    _queue_added(change, rules)
    if opened or gone:
        tally = Tally(len(stirred.entities), len(stirred.relations), len(opened), len(gone))
        report = Report("incremental", "touched", tally, memory.clock.now())
        keep_run(change, report, rules, count(change, examined.found.values()))
    return Outcome(tuple(opened), tuple(gone))
