"""What the full text says of a word: where it stands, and how often."""

import pytest

from recollect.ingest.documents import DocumentDraft, store_document
from recollect.memory import Memory
from recollect.store.passage_filter import PassageFilter
from recollect.store.passage_index import StoredPassageIndex


def _note(memory: Memory, key: str, text: str) -> None:
    with memory.write() as change:
        store_document(change, DocumentDraft("record", "note", key, None, None, None, change.now, text))


@pytest.mark.parametrize("where", [PassageFilter(), PassageFilter(types=frozenset({"note"}))])
def test_each_passage_tells_how_often_it_holds_a_word(memory: Memory, where: PassageFilter) -> None:
    for times in (1, 2, 3, 7, 40):
        _note(memory, str(times), f"Dogs. {'cats ' * times}")
    with memory.read() as view:
        found = StoredPassageIndex(view, memory.cache.vectors).postings("cat", where)
    by_length = sorted(zip(found.lengths.tolist(), found.times.tolist(), strict=True))
    assert [times for _, times in by_length] == [1, 2, 3, 7, 40]
    assert len(found.numbers()) == len(by_length)
