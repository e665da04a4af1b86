"""What the words around a relation make of it; N stands for a name and W for a time that was read."""

import pytest

from recollect.ingest.lore.relation_context import NAME, WHEN, words_after, words_before


def masked(words: str) -> str:
    return words.replace("N", NAME * 3).replace("W", WHEN * 3)


@pytest.mark.parametrize(
    "words",
    [
        "", "- ", "The ", "King ", "The old wizard ", "N's sister ", "In the north, ", "In N ", "W, ", "W the ",
        "However, ", "N and ", "N, N and the ", "Although N objected, ", "N wept because ", "History: ",
        "W the wizard ",
    ],
)  # fmt: skip
def test_a_title_a_place_or_a_time_that_was_read_leaves_the_subject_as_it_is(words: str) -> None:
    assert words_before(masked(words)) == "plain"


@pytest.mark.parametrize(
    "words",
    [
        "The brother of ", "A book about ", "The man who murdered ", "Fear of ", "Everyone except ", "Everybody but ",
        "N instead of ", "N rather than ", "N and not ", "N or ", "The heirs of N and ", "The so-called ", "Fable: ",
    ],
)  # fmt: skip
def test_another_subject_than_the_name_makes_no_relation_of_it(words: str) -> None:
    assert words_before(masked(words)) == "denied"


@pytest.mark.parametrize(
    "words",
    [
        "In the sixth moon, ", "Subsequently ", "Except W, ", "Apart W, ", "With a pause W, ", "Shortly W ",
        "Of late, ",
        "In another realm ", "Not long W ", "Chapter one: ", "A man calling himself ", "A seer foretold ",
    ],
)  # fmt: skip
def test_other_words_ahead_of_the_subject_may_say_when(words: str) -> None:
    assert words_before(masked(words)) == "unread"


@pytest.mark.parametrize(
    "words",
    [
        ".", " W.", " in the north.", " with an iron hand.", " wisely and justly.", " from the tower of N.",
        ", N and N.",
        ", the city of glass.", ", and N served at court.", " and loved its people.", ", which lay by the sea.",
        " as queen.", "; N hated it.", ", defending it against raiders.", " W, kept the passes.", " to please N.",
    ],
)  # fmt: skip
def test_a_place_a_manner_or_a_further_clause_leaves_the_relation_as_it_is(words: str) -> None:
    assert words_after(masked(words)) == "plain"


@pytest.mark.parametrize(
    "words",
    [
        " in the Third Tide.", " in Tudor England.", " of late.", " once the ice broke.", " for a spell.",
        " by and by.", " in the old kingdom.",
        " W on the stage.", " W (in a manner).", " W, a claim that scholars reject.", " to all appearances.",
        " and N in the sixth moon.", " with a gap W.", " together with N.", " nominally.",
        " with little proof.", " to hear the priests tell it.", " so to say.", ", though no record has it.",
    ],
)  # fmt: skip
def test_other_words_behind_the_object_may_say_when(words: str) -> None:
    assert words_after(masked(words)) == "unread"


@pytest.mark.parametrize("words", ["'s enemies.", " Castle W.", " or N W."])
def test_another_object_than_the_name_makes_no_relation_of_it(words: str) -> None:
    assert words_after(masked(words)) == "denied"
