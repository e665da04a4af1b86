"""How relations read, and how a rewritten text falls into sentences."""

import pytest

from recollect.model.relations import relation_kinds
from recollect.reason.lore.narration.rendering import INCHOATIVE_PHRASES, split_sentences
from recollect.reason.lore.narration.sentences import (
    format_time_phrase,
    has_verb_phrase,
    verb_phrase,
    verbalize_relation,
)
from recollect.when.period import Time

EARLY, LATE = Time("tide.year_1", 0, 364), Time("tide.year_9", 2920, 3284)


@pytest.mark.parametrize("name", sorted(relation_kinds()))
def test_every_relation_of_the_table_has_words(name: str) -> None:
    assert has_verb_phrase(name)
    assert "_" not in verb_phrase(name)


@pytest.mark.parametrize("name", sorted(name for name, kind in relation_kinds().items() if kind.life))
def test_everything_that_lasts_a_life_has_words_for_its_beginning(name: str) -> None:
    assert verb_phrase(name) in INCHOATIVE_PHRASES


@pytest.mark.parametrize(
    ("start", "end", "is_event", "words"),
    [
        (None, None, False, ""),
        (EARLY, None, False, "from tide.year_1"),
        (EARLY, None, True, "in tide.year_1"),
        (None, LATE, False, "until tide.year_9"),
        (None, LATE, True, "in tide.year_9"),
        (EARLY, LATE, False, "from tide.year_1 until tide.year_9"),
        (EARLY, EARLY, False, "in tide.year_1"),
    ],
)
def test_times_read_by_what_is_known_of_them(start: Time | None, end: Time | None, is_event: bool, words: str) -> None:
    assert format_time_phrase(start, end, is_event=is_event) == words


@pytest.mark.parametrize(
    ("name", "target", "attributes", "statement"),
    [
        ("born", None, {}, "Mira was born in tide.year_1"),
        ("born", "Halden", {}, "Mira was born in Halden in tide.year_1"),
        ("founded", None, {}, "Mira was founded in tide.year_1"),
        ("parent_of", "Sela", {"role": "mother"}, "Mira was the mother of Sela in tide.year_1"),
        ("occurred_during", "tide.year_1", {}, "Mira occurred in tide.year_1"),
        ("mentor_of", "Sela", {}, "Mira mentor of Sela in tide.year_1"),
    ],
)
def test_a_relation_reads_as_a_sentence(
    name: str, target: str | None, attributes: dict[str, str], statement: str
) -> None:
    assert verbalize_relation(name, "Mira", target, EARLY, EARLY, attributes).statement == statement


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One [1]. Two [2].", ["One [1].", "Two [2]."]),
        ("One. [1] Two. [2]", ["One [1].", "Two [2]."]),
        ("In tide.year_45 it fell [1]! Was it so [2]?", ["In tide.year_45 it fell [1]!", "Was it so [2]?"]),
        ("- One [1].\n- Two [2].", ["- One [1].", "- Two [2]."]),
        ("Capt. Vale fell [1]. J. Orrin fled [2].", ["Capt. Vale fell [1].", "J. Orrin fled [2]."]),
        ("  \n ", []),
    ],
)
def test_a_text_is_cut_into_sentences_with_their_numbers(text: str, sentences: list[str]) -> None:
    assert split_sentences(text) == sentences
