"""The index of memories says what the memories say, whatever was done to them and by whom."""

from random import Random

from tests.support.properties import seeded

from recollect.keep.document_versions import documents_of, texts_of
from recollect.keep.memories.editing import NewMemory, correct_memory, upsert_memory
from recollect.keep.memories.memory_store import find_memory, put_memory, remove_memory
from recollect.keep.memory_formats import parse_period
from recollect.keep.memory_index.index import EARLIER_INDEX, MEMORY_INDEX, count_entries, index_memories, is_caught_up
from recollect.keep.memory_index.listing import MemoryFilter, list_memories
from recollect.keep.memory_index.stored_memory import MEMORY_KIND
from recollect.memory import Memory
from recollect.store.change import Change
from recollect.text.tokens import bare_terms
from recollect.write.undo import AlreadyUndone, LaterTransactionsDepend, undo

WORDS = "kiln glaze garden bees honey river tea walk snow fire".split()


def _do_something(change: Change, random: Random, last_tx: int) -> None:
    if last_tx and random.random() < 0.25:
        undo(change, last_tx)
        return
    for _ in range(random.randint(1, 3)):
        _change_a_day(change, random)


def _change_a_day(change: Change, random: Random) -> None:
    day, text = f"2026-05-0{random.randint(1, 5)}", "- " + " ".join(random.sample(WORDS, random.randint(1, 4)))
    held = find_memory(change, f"daily-{day}_a")
    match random.choice(["make", "correct", "remove"]):
        case "correct" if held:
            correct_memory(change, held, text, None, None)
        case "remove" if held:
            remove_memory(change, held)
        case _:
            upsert_memory(change, NewMemory(parse_period("daily", day), text, "a"))


@seeded(4)
def test_the_index_follows_every_write(memory: Memory, seed: int) -> None:
    random = Random(seed)
    for _ in range(30):
        with memory.read() as view:
            last = view.last_tx
        try:
            with memory.write() as change:
                _do_something(change, random, last)
        except (AlreadyUndone, LaterTransactionsDepend):
            continue
    with memory.write() as change:
        index_memories(change)
    with memory.read() as view:
        documents = [each for each in documents_of(view, MEMORY_KIND) if not each.deleted]
        texts = texts_of(view, documents)
        entries = {row[1]: row[0] for row in view.rows("entries_behind", behind=0, limit=100)}
        assert is_caught_up(view)
        assert entries.keys() == {document.id for document in documents}
        assert count_entries(view) == len(entries)
        held = {word: _numbers(view.rows("entries_with_word", word=word)[0][0]) for word in WORDS}
        said = {word: {entries[id_] for id_, text in texts.items() if word in bare_terms(text)} for word in WORDS}
        assert held == said
        assert [each.key for each in list_memories(view, MemoryFilter(), 100, 0).items] == sorted(
            (document.key for document in documents), reverse=True
        )


def test_words_that_an_earlier_release_indexed_are_cut_anew(memory: Memory) -> None:
    with memory.write() as change:
        upsert_memory(change, NewMemory(parse_period("daily", "2026-05-01"), "- កម្ពុជា kiln", "a"))
        upsert_memory(change, NewMemory(parse_period("daily", "2026-05-02"), "- kiln", "a"))
    with memory.write() as change:
        state = MEMORY_INDEX.read(change)
        MEMORY_INDEX.drop(change)
        EARLIER_INDEX.save(change, *state)
        [[khmer]] = change.rows("entries_with_word", word="កម")
        for word in bare_terms("កម្ពុជា"):
            change.run("memory_word_drop", word=word, number=int(khmer))
        change.run("memory_word_add", word="កមពជា", number=int(khmer))
        assert not is_caught_up(change)
        index_memories(change)
    with memory.read() as view:
        assert is_caught_up(view)
        assert count_entries(view) == state.items == 2
        held = [len(_numbers(view.rows("entries_with_word", word=word)[0][0])) for word in ("កម", "កមពជា", "kiln")]
        assert held == [1, 0, 2]


def test_all_memories_of_one_transaction_are_listed(memory: Memory) -> None:
    with memory.write() as change:
        for day in ("2026-05-01", "2026-05-02", "2026-05-03"):
            upsert_memory(change, NewMemory(parse_period("daily", day), "- kiln", "a"))
        first = find_memory(change, "daily-2026-05-01_a")
        assert first is not None
        remove_memory(change, first)
    with memory.read() as view:
        assert is_caught_up(view)
        found = list_memories(view, MemoryFilter(), 10, 0)
        assert ([each.key for each in found.items], found.total, count_entries(view)) == (
            ["daily-2026-05-03_a", "daily-2026-05-02_a"],
            2,
            2,
        )


def _numbers(text: str | None) -> set[int]:
    return set(map(int, text.split(","))) if text else set()


def test_a_batch_is_indexed_when_it_is_committed(memory: Memory) -> None:
    with memory.batch() as batch:
        for day in ("2026-05-01", "2026-05-02"):
            with batch.change() as change:
                upsert_memory(change, NewMemory(parse_period("daily", day), "- kiln", "a"))
    with memory.read() as view:
        assert (is_caught_up(view), list_memories(view, MemoryFilter(), 10, 0).total) == (True, 2)


def test_a_write_of_the_same_memory_twice_in_one_transaction_is_one_version(memory: Memory) -> None:
    with memory.write() as change:
        made = upsert_memory(change, NewMemory(parse_period("daily", "2026-05-01"), "- kiln", "a")).memory
        again = put_memory(change, made.draft, "- glaze")
    assert again.version == 1
