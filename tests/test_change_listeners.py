"""A change listener is called once for each change, inside its transaction."""

from contextlib import suppress
from dataclasses import replace

import pytest

from recollect.memory import ChangeListener, Memory
from recollect.model.certainty import Certainty
from recollect.model.fact import Statement
from recollect.model.ids import FactId
from recollect.store.change import Change
from recollect.store.transaction import ChangedRows
from recollect.write.entity_refs import NamedRef, find_or_create
from recollect.write.predicates import claim
from recollect.write.record_statement import record_statement
from recollect.write.undo import undo
from tests.support.facts import fact, tell


class Watching:
    """A listener that records what it was called with."""

    def __init__(self) -> None:
        self.seen: list[ChangedRows] = []

    def __call__(self, _: Memory, change: Change) -> None:
        self.seen.append(change.touched)


def _followed(memory: Memory, follower: ChangeListener) -> Memory:
    return replace(memory, listeners=(follower,))


def _say(change: Change, subject: str, target: str) -> None:
    one, other = (find_or_create(change, NamedRef(name, "person")).entity for name in (subject, target))
    meant = claim(change, one.id, other.id, None, predicate="knows", label=None, fact_type=None)
    certainty: Certainty = "stated"
    record_statement(change, Statement(meant, change.now, certainty, "extracted", 0.9))


def test_a_follower_is_shown_the_entities_and_facts_of_a_change(memory: Memory) -> None:
    watching = Watching()
    with _followed(memory, watching).write() as change:
        _say(change, "Ada", "Ben")
    [touched] = watching.seen
    assert (len(touched.entities), len(touched.facts), touched.documents) == (2, 1, set())


def test_a_fact_that_no_document_asserts_is_told_from_one_that_a_document_may_assert(memory: Memory) -> None:
    watching = Watching()
    with _followed(memory, watching).write() as change:
        _say(change, "Ada", "Ben")
    tell(_followed(memory, watching), fact("Ada", "knows", "Cleo"), id="n1")
    tell(_followed(memory, watching), fact("Ada", "knows", "Ben"), id="n2")
    assert [(len(each.facts), len(each.documented_facts)) for each in watching.seen] == [(1, 0), (1, 1), (1, 1)]


def test_a_batch_forgets_that_a_fact_was_told_by_hand_once_it_changes_again() -> None:
    batch, told, documented = ChangedRows(), ChangedRows(), ChangedRows()
    told.facts, told.by_hand, documented.facts = {FactId("one")}, {FactId("one")}, {FactId("one")}
    batch.add(told)
    assert batch.documented_facts == set()
    batch.add(documented)
    assert batch.documented_facts == {"one"}


def test_a_change_that_changes_nothing_is_followed_by_nobody(memory: Memory) -> None:
    watching = Watching()
    with _followed(memory, watching).write():
        pass
    assert watching.seen == []


def test_a_follower_that_fails_lets_nothing_be_written(memory: Memory) -> None:
    def fail(_: Memory, __: Change) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), _followed(memory, fail).write() as change:
        _say(change, "Ada", "Ben")
    with memory.read() as view:
        assert view.last_tx == 0


def test_a_batch_is_followed_once_with_all_that_its_transactions_kept(memory: Memory) -> None:
    watching = Watching()
    with _followed(memory, watching).batch() as batch:
        with batch.change() as change:
            _say(change, "Ada", "Ben")
        with suppress(ZeroDivisionError), batch.change() as change:
            _say(change, "Cid", "Dee")
            raise ZeroDivisionError
        with batch.change() as change:
            _say(change, "Ada", "Eve")
    [touched] = watching.seen
    assert (len(touched.entities), len(touched.facts)) == (3, 2)


def test_undoing_touches_what_it_turns_back(memory: Memory) -> None:
    with memory.write() as change:
        _say(change, "Ada", "Ben")
        tx, touched = change.tx, change.touched
    watching = Watching()
    with _followed(memory, watching).write() as change:
        undo(change, tx)
    [again] = watching.seen
    assert (again.entities, again.facts, again.documents) == (touched.entities, touched.facts, touched.documents)
