"""What the full text says of a word: where it stands, and how often."""

import pytest

from recollect.ingest.documents import DocumentDraft, keep_document
from recollect.memory import Memory
from recollect.store.found import Filter
from recollect.store.index import StoredIndex


def _note(memory: Memory, key: str, text: str) -> None:
    with memory.write() as change:
        keep_document(change, DocumentDraft("record", "note", key, None, None, None, change.now, text))


@pytest.mark.parametrize("where", [Filter(), Filter(types=frozenset({"note"}))])
def test_each_passage_tells_how_often_it_holds_a_word(memory: Memory, where: Filter) -> None:
    for times in (1, 2, 3, 7, 40):
        _note(memory, str(times), f"Dogs. {'cats ' * times}")
    with memory.read() as view:
        found = StoredIndex(view, memory.kept.matrices).postings("cat", where)
    assert [each.times for each in found] == [40, 7, 3, 2, 1]
