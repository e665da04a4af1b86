"""What moves a hit beside words and meaning: its date, who says it, whether the question asks for what holds now."""

from tests.search.library import Book, keys, shelve

from recollect.memory import Memory
from recollect.search.passage_search import SearchRequest, search_passages
from recollect.search.question import Question
from recollect.search.ranking import PassageResults
from recollect.store.passage_index import StoredPassageIndex
from recollect.when.instant import DAY, Instant

EARLIER = Book("earlier", "The bridge was painted green last week.", at="2026-03-01T10:00:00Z")
LATER = Book("later", "The bridge was painted red.", at="2026-05-01T10:00:00Z")


def asked_on(memory: Memory, text: str, days_ago: int = 0) -> PassageResults:
    with memory.read() as view:
        request = SearchRequest(text, Instant(view.now - days_ago * DAY))
        return search_passages(StoredPassageIndex(view), request, None)


def days_since(memory: Memory, key: str) -> int:
    """How many days before now lie a week before this document."""
    with memory.read() as view:
        found = search_passages(StoredPassageIndex(view), SearchRequest("bridge", view.now), None).hits
        return (view.now - next(hit.chunk.source_at for hit in found if hit.chunk.key == key)) // DAY + 7


def test_what_is_dated_after_the_day_asked_about_comes_last(memory: Memory) -> None:
    shelve(memory, None, (EARLIER, LATER))
    assert keys(asked_on(memory, "Was the bridge painted?"))[0] == "later"
    before = asked_on(memory, "Was the bridge painted?", days_since(memory, "later"))
    assert keys(before) == ["earlier", "later"]
    assert all(hit.score > 0 for hit in before.hits)


def test_the_askers_own_words_lift_a_talk_that_a_question_about_the_asker_finds(memory: Memory) -> None:
    plain = Book("plain", "assistant: The piano was sold.")
    told = Book("told", "user: The piano was sold, and the bench with it.")
    shelve(memory, None, (plain, told))
    assert keys(asked_on(memory, "Was my piano sold?"))[0] == "told"
    assert keys(asked_on(memory, "Was the piano sold?"))[0] == "plain"


def test_a_question_for_what_holds_now_looks_further_down_for_the_newest(memory: Memory) -> None:
    fuller = tuple(
        Book(f"full{number}", "The ferry timetable of the harbour office is on the wall.", at="2026-03-01T10:00:00Z")
        for number in range(7)
    )
    newest = Book(
        "newest", "The ferry timetable of the harbour office, and much else of no concern.", at="2026-05-01T10:00:00Z"
    )
    shelve(memory, None, (*fuller, newest))
    assert keys(asked_on(memory, "ferry timetable of the harbour office"))[0] != "newest"
    assert keys(asked_on(memory, "current ferry timetable of the harbour office"))[0] == "newest"


def test_the_asker_is_the_user_under_any_title(memory: Memory) -> None:
    told = Book("told", "User: The piano was sold, and the bench with it.", title="Things")
    shelve(memory, None, (Book("plain", "The user: the piano was sold.", title="Facts"), told))
    assert keys(asked_on(memory, "Was my piano sold?"))[0] == "told"


def test_a_question_about_the_asker_is_known_by_its_pronouns() -> None:
    assert Question("Where did I park?", Instant(0)).is_about_asker
    assert Question("My car: where is it?", Instant(0)).is_about_asker
    assert not Question("Where is Mia?", Instant(0)).is_about_asker
