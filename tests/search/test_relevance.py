"""The relevance floor: how near an answer must be, by how many texts there are and who speaks."""

from recollect.search.relevance import RelevanceFloor


def floor_of(question: str, texts: int = 10) -> RelevanceFloor:
    return RelevanceFloor.of(question, lambda _: False, texts)


def test_a_text_that_shares_no_word_answers_a_question_in_a_small_store() -> None:
    floor = floor_of("how do I turn off the water")
    assert floor.admits("The stopcock is under the sink.", {"stopcock"}, 0.28)
    assert not floor.admits("The stopcock is under the sink.", {"stopcock"}, 0.27)


def test_texts_in_the_first_person_must_be_nearer_to_a_question_in_it() -> None:
    floor = floor_of("what is my shoe size")
    assert not floor.is_near("My birthday is 9 November.", 0.32)
    assert floor.is_near("My birthday is 9 November.", 0.33)
    assert floor_of("whose birthday is it").is_near("My birthday is 9 November.", 0.32)


def test_the_floor_rises_with_the_number_of_texts() -> None:
    assert not floor_of("how to turn off the water", 100).is_near("The stopcock", 0.30)
    assert not floor_of("how to turn off the water", 1_000).is_near("The stopcock", 0.38)
    assert floor_of("how to turn off the water", 1_000_000).is_near("The stopcock", 0.45)


def test_a_question_with_an_unknown_name_needs_more() -> None:
    assert not floor_of("who is the mayor of Graz").is_near("The stopcock", 0.42)
