"""Passages that the best ones lead to, and what is newer of the same thing."""

from tests.search.library import Book, ask, keys, shelve
from tests.support.facts import entity_named, tell
from tests.support.hash_embedder import HashEmbedder

from recollect.memory import Memory
from recollect.search.ranking import PassageResults
from recollect.store.passage_index import title_key, title_keys

EMBEDDER = HashEmbedder(256)

FILMS = (
    Book("film", "The Lantern is a 1962 film by Mirela Dvorak, set in a harbour town.", title="The Lantern"),
    Book(
        "maker",
        "She grew up near Brno and studied law before she turned to pictures.",
        title="Mirela Dvorak (director)",
    ),
    *(
        Book(f"town {at}", f"A harbour town of the north, number {at}, with a lantern.", title=f"Town {at}")
        for at in range(8)
    ),
)


def way_to(found: PassageResults, key: str) -> str | None:
    return next(hit.why.led_from for hit in found.hits if hit.chunk.key == key)


def test_a_passage_leads_to_the_document_whose_title_it_names(memory: Memory) -> None:
    shelve(memory, EMBEDDER, FILMS)
    found = ask(memory, "Where was the director of The Lantern born?", EMBEDDER)
    assert keys(found)[:2] == ["film", "maker"]
    assert way_to(found, "maker") == "The Lantern"
    assert "link" in next(hit for hit in found.hits if hit.chunk.key == "maker").why.via


def test_a_title_is_found_in_any_case_and_without_its_brackets(memory: Memory) -> None:
    assert title_keys("Mirela Dvořák (director)") == {"mirela dvorak", "mirela dvorak director"}
    assert title_key("  God's  Gift—to Women ") == "god s gift to women"
    shelve(memory, EMBEDDER, FILMS)
    assert keys(ask(memory, "what do we know of mirela dvorak", EMBEDDER))[0] == "maker"


BAKERS = "In the far south two quarrelling bakers share an oven, a mule, three daughters and many long grey winters."


def test_no_lead_goes_before_a_document_that_the_question_names(memory: Memory) -> None:
    books = (
        Book("one", "The Lantern, a film released earlier than Night Harbour.", title="The Lantern"),
        Book("sequel", "A sequel with the same lantern.", title="Night Harbour"),
        Book("two", BAKERS, title="Bread and Salt"),
    )
    shelve(memory, EMBEDDER, books)
    found = ask(memory, "Which film was released earlier, The Lantern or Bread and Salt?", EMBEDDER)
    assert keys(found) == ["one", "two", "sequel"]
    assert way_to(found, "sequel") == "The Lantern"


def test_small_words_that_are_a_title_hold_no_lead_back(memory: Memory) -> None:
    film = Book("film", "The Lantern is a film of the director Mirela Dvorak.", title="The Lantern")
    shelve(memory, EMBEDDER, (film, FILMS[1], Book("place", BAKERS, title="Place of birth")))
    asked = "Who was the director of the film The Lantern, and where is her place of birth?"
    assert keys(ask(memory, asked, EMBEDDER)) == ["film", "maker", "place"]


def test_the_whole_title_comes_before_one_with_more_in_brackets(memory: Memory) -> None:
    books = (
        Book("later", "The Lantern is a film about a lantern.", title="The Lantern (2013 film)"),
        Book("first", "A story of the sea.", title="The Lantern"),
    )
    shelve(memory, None, books)
    assert [hit.why.names for hit in ask(memory, "who made The Lantern", None).hits] == [("The Lantern",), ()]
    assert ask(memory, "who made The Lantern (2013 film)", None).hits[0].chunk.key == "later"


def test_a_title_that_a_document_lost_names_it_no_more(memory: Memory) -> None:
    tell(memory, id="plan", title="Harbour plan", content="Dig first.")
    tell(memory, id="plan", content="Dig last.")
    assert [hit.why.names for hit in ask(memory, "Harbour plan, dig", None).hits] == [()]
    assert [hit.why.names for hit in ask(memory, "Harbour plan, dig", None, as_of=1).hits] == [("Harbour plan",)]


def test_a_small_word_that_is_a_title_must_be_written_as_a_name(memory: Memory) -> None:
    books = (Book("band", "A quartet.", title="Rain"), Book("log", "There was rain all day on the hills.", title="Log"))
    shelve(memory, None, books)
    assert [hit.why.names for hit in ask(memory, "how much rain fell", None).hits if hit.chunk.key == "band"] == [()]
    assert ask(memory, "who is in Rain", None).hits[0].why.names == ("Rain",)


def test_a_passage_leads_on_by_an_entity_that_few_mention(memory: Memory) -> None:
    books = (
        Book("works", "Ada joined Initech in spring."),
        Book("seat", "Their offices are in Leeds, above the station: Initech, third floor."),
        Book("other", "The garden needs water."),
    )
    ids = shelve(memory, EMBEDDER, books)
    tell(memory, entities=[{"name": "Initech", "type": "organization"}])
    company = entity_named(memory, "Initech")
    assert company is not None
    with memory.write() as change:
        for key in ("works", "seat"):
            change.put_mention(ids[key], company.id)
    found = ask(memory, "What did Ada join?", EMBEDDER)
    assert keys(found)[0] == "works"
    assert way_to(found, "seat") == "works"


def test_of_two_statements_about_the_same_the_newer_comes_first(memory: Memory) -> None:
    said = (
        Book("old", "My personal best in the charity run is 27 minutes.", at="2026-01-10T10:00:00Z"),
        Book(
            "new",
            "I beat my personal best in the charity run: 25 minutes, what a day it was.",
            at="2026-04-10T10:00:00Z",
        ),
        Book("far", "The run of the river is low this spring.", at="2026-05-10T10:00:00Z"),
    )
    shelve(memory, EMBEDDER, said)
    found = ask(memory, "What is my personal best in the charity run?", EMBEDDER)
    assert keys(found)[:2] == ["new", "old"]
    assert [hit.score for hit in found.hits] == sorted((hit.score for hit in found.hits), reverse=True)


def test_a_question_for_what_holds_now_needs_fewer_words_in_common(memory: Memory) -> None:
    said = (
        Book("old", "Our volleyball league record is three wins.", at="2026-01-10T10:00:00Z"),
        Book("new", "What is our standing in the league? Five wins.", at="2026-04-10T10:00:00Z"),
        Book("far", "The volleyball net has a hole.", at="2025-05-10T10:00:00Z"),
    )
    shelve(memory, EMBEDDER, said)
    assert keys(ask(memory, "What is our record in the volleyball league?", EMBEDDER))[0] == "old"
    assert keys(ask(memory, "What is our current record in the volleyball league?", EMBEDDER))[0] == "new"


def test_what_comes_after_the_time_asked_about_is_no_news(memory: Memory) -> None:
    said = (
        Book("old", "My personal best in the charity run is 27 minutes.", at="2026-01-10T10:00:00Z"),
        Book("new", "My personal best in the charity run is 27 minutes and a bit.", at="2026-08-10T10:00:00Z"),
    )
    shelve(memory, EMBEDDER, said)
    assert keys(ask(memory, "What is my personal best in the charity run?", EMBEDDER))[0] == "old"


def test_turns_of_one_talk_keep_their_order(memory: Memory) -> None:
    said = (
        Book("one", "My personal best in the charity run is 27 minutes.", author="Ada", at="2026-01-10T10:00:00Z"),
        Book("two", "Good for you!", author="Bo", at="2026-01-10T10:01:00Z"),
        Book("three", "My personal best in the charity run was worse, then.", author="Bo", at="2026-02-10T10:00:00Z"),
        Book("four", "Was it?", author="Ada", at="2026-02-10T10:00:00Z"),
    )
    shelve(memory, EMBEDDER, said)
    assert keys(ask(memory, "personal best in the charity run is 27 minutes", EMBEDDER))[0] == "one"
