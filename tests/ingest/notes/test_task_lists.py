"""Lists under words such as `need to buy:` in what `remember` is told."""

import pytest
from tests.ingest.notes.remembering import tell

from recollect.memory import Memory


def words_of(memory: Memory, text: str) -> list[str]:
    return [each.text.removeprefix("Me: ") for each in tell(memory, text).facts]


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("need to buy:\n- milk\n- Eggs", ["need to buy milk", "need to buy Eggs"]),
        ("Things I need to buy:\n* bread\n* jam", ["I need to buy bread", "I need to buy jam"]),
        ("need to buy:\nflour\nsugar", ["need to buy flour", "need to buy sugar"]),
        ("need to buy: tea, coffee", ["need to buy tea, coffee"]),
        ("To order:\n- paper\n- toner", ["order paper", "order toner"]),
        ("We have to:\n1. call Mia\n2. book a hall", ["We have to call Mia", "We have to book a hall"]),
        ("To do:\n- call Tom\n- eggs", ["call Tom", "eggs"]),
    ],
)
def test_a_list_below_what_is_to_be_done_becomes_its_items(memory: Memory, text: str, items: list[str]) -> None:
    assert words_of(memory, text) == items


@pytest.mark.parametrize("text", ["need to buy:", "I still need to order:\n\nTom called."])
def test_without_a_list_nothing_is_to_be_done(memory: Memory, text: str) -> None:
    assert words_of(memory, text) == []


@pytest.mark.parametrize(("text", "known"), [("I live in Graz.\n- Tom", False), ("- I live in Graz\n- Tom", True)])
def test_the_last_word_of_a_list_signs_nothing(memory: Memory, text: str, known: bool) -> None:
    assert bool(words_of(memory, text)) is known
