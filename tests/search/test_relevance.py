"""The relevance floor: how near an answer must be, by the words it shares and by how many texts there are."""

from recollect.search.relevance import RelevanceFloor


def floor_of(question: str, texts: int = 10) -> RelevanceFloor:
    return RelevanceFloor.of(question, lambda _: False, texts)


def test_a_text_that_shares_no_word_answers_a_question_in_a_small_store() -> None:
    floor = floor_of("how do I turn off the water")
    assert floor.admits({"stopcock"}, 0.30)
    assert not floor.admits({"stopcock"}, 0.29)


def test_a_text_that_shares_a_word_answers_from_farther_away() -> None:
    floor = floor_of("how do I turn off the water")
    assert floor.admits({"water"}, 0.20)
    assert not floor.admits({"water"}, 0.19)
    assert floor.admits({"water"}, None)
    assert not floor.admits({"stopcock"}, None)


def test_a_text_that_holds_a_code_answers_however_far_its_meaning_is() -> None:
    floor = floor_of("INV-2041")
    assert floor.admits({"inv", "2041", "lantern"}, 0.0)
    assert not floor.admits({"inv", "2042", "lantern"}, 0.0)


def test_the_floor_rises_with_the_number_of_texts() -> None:
    assert floor_of("how to turn off the water", 1_000).is_near(0.36)
    assert not floor_of("how to turn off the water", 1_000).is_near(0.34)
    assert floor_of("how to turn off the water", 10_000_000).is_near(0.45)


def test_a_question_with_an_unknown_name_needs_more() -> None:
    assert not floor_of("who is the mayor of Graz").is_near(0.39)
    assert not floor_of("who is the mayor of Graz").admits({"mayor"}, 0.29)


def test_a_text_with_a_related_word_answers_from_farther_away() -> None:
    floor = floor_of("which foods must I avoid")
    assert floor.admits({"allerg"}, 0.20)
    assert not floor.admits({"allerg"}, 0.19)


def test_an_acronym_is_no_unknown_name() -> None:
    asked = RelevanceFloor.of("what is the IP address of staging", lambda word: word == "staging", 10)
    assert asked == RelevanceFloor.of("what is the ip address of staging", lambda word: word == "staging", 10)
