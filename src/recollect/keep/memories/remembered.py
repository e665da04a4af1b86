"""Memories brought back and taken out, with what they said."""

from dataclasses import replace

from recollect.keep.artifacts.versions import documents_of
from recollect.keep.memories.entry import KIND, draft_of, is_memory
from recollect.keep.memories.keeping import kept_one, put_memory, remove_memory
from recollect.keep.reading.extracted import restore_supported
from recollect.model.document import Document
from recollect.model.fact import Assertion
from recollect.store.change import Change
from recollect.store.view import View
from recollect.write.record import total
from recollect.write.settle import resettle

UPDATED_AT = "updatedAt"


def memory_documents(view: View) -> list[Document]:
    """All memories by id, the deleted ones included."""
    return [document for document in documents_of(view, KIND) if is_memory(document)]


def bring_back(change: Change, document: Document, text: str, then: View) -> None:
    """A new version that says what an earlier one said, with the assertions it had then."""
    put_memory(change, replace(draft_of(document), updated_at=change.now), text)
    restore_supported(change, document, then)
    say_again(change, then.assertions_from(document.id), change.assertions_from(document.id))


def say_again(change: Change, then: list[Assertion], now: list[Assertion]) -> None:
    """Let the assertions of then that do not stand now stand again."""
    standing = {each.id for each in now}
    again = [each for each in then if each.id not in standing and change.fact(each.fact) is not None]
    for assertion in again:
        change.put_assertion(assertion)
    for fact in dict.fromkeys(assertion.fact for assertion in again):
        held = change.fact(fact)
        if held is not None:
            resettle(change, change.put_fact(total(held, change.assertions(fact))))


def remove(change: Change, document: Document) -> None:
    """Take a memory out with all that it says."""
    remove_memory(change, kept_one(change, document))
