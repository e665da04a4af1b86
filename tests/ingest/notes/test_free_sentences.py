"""How much of what people tell in their own words is understood, and that nothing false comes of it."""

from collections.abc import Iterator

import pytest
from tests.ingest.notes.free_sentences import SILENT, STATED
from tests.ingest.notes.remembering import request_of

from recollect.ingest.notes.remember import remember_all
from recollect.memory import Memory
from recollect.store.change import Change

LEAST_UNDERSTOOD = 0.7


class _RolledBack(Exception):
    """Ends a transaction whose facts are not to stay."""


def told(memory: Memory, text: str) -> list[str]:
    """The facts that come of a text, as `subject predicate: words`, with their bounds; nothing of it is kept."""
    found: list[str] = []
    try:
        with memory.as_actor("recollect", "remember").write() as change:
            found += _facts(change, text)
            raise _RolledBack
    except _RolledBack:
        return found


def _facts(change: Change, text: str) -> Iterator[str]:
    for outcome in remember_all(change, request_of(change, text, (), None, None)).facts:
        fact = change.fact(outcome.fact) if outcome.fact is not None else None
        assert fact is not None, outcome
        subject = change.entity(fact.subject)
        target = change.entity(fact.object) if fact.object is not None else None
        assert subject is not None
        words = target.name if target is not None else fact.literal or fact.words or ""
        since = f" since {fact.valid_from.text}" if fact.valid_from else ""
        until = f" until {fact.valid_until.text}" if fact.valid_until else ""
        yield f"{subject.name} {fact.predicate}: {words}{since}{until}"


def _fits(wanted: str, found: str) -> bool:
    """Whether a fact is the one wanted: the same ends and predicate, all wanted words, and the bounds if given."""
    head, _, words = wanted.partition(": ")
    has_bounds = all(part in found for part in words.split(" until ")[1:])
    return found.startswith(f"{head}: ") and words.split(" since ")[0].split(" until ")[0] in found and has_bounds


@pytest.mark.large
def test_most_free_sentences_are_understood_and_none_is_misunderstood(memory: Memory) -> None:
    found = {text: told(memory, text) for text in STATED}
    false = [
        (text, fact)
        for text, facts in found.items()
        for fact in facts
        if not any(_fits(wanted, fact) for wanted in STATED[text])
    ]
    assert false == []
    understood = [
        text
        for text, wanted in STATED.items()
        if len(found[text]) == len(wanted) and all(any(_fits(each, fact) for fact in found[text]) for each in wanted)
    ]
    missed = [text for text in STATED if text not in understood]
    assert len(understood) >= LEAST_UNDERSTOOD * len(STATED), missed


def test_what_is_asked_doubted_hoped_or_told_by_others_gives_nothing(memory: Memory) -> None:
    assert {text: facts for text in SILENT if (facts := told(memory, text))} == {}
