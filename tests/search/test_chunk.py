"""Cutting texts into passages."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from recollect.search.chunking import MAX_PASSAGE_LENGTH, Passage, split_passages

PARAGRAPH = "The committee met again and decided nothing of note. " * 8


def _bodies(text: str) -> list[str]:
    return [text[each.start : each.stop] for each in split_passages(None, text)]


def test_a_short_text_is_one_passage_under_its_title() -> None:
    assert list(split_passages("Minutes", "We met.\n\nWe left.")) == [Passage(0, 17, "Minutes\nWe met.\n\nWe left.")]


def test_a_text_that_begins_with_its_title_does_not_say_it_twice() -> None:
    [passage] = split_passages("Teutberga", "Teutberga was a queen.")
    assert passage.text == "Teutberga was a queen."


def test_without_a_text_the_title_is_the_passage() -> None:
    assert list(split_passages("Only a title", None)) == [Passage(0, 0, "Only a title")]
    assert list(split_passages(None, " \n ")) == []


def test_long_texts_are_cut_between_paragraphs() -> None:
    text = "\n\n".join([PARAGRAPH.strip()] * 4)
    bodies = _bodies(text)
    assert len(bodies) == 2
    assert all(body.startswith("The committee") and body.endswith("note.") for body in bodies)


def test_what_stands_under_a_heading_carries_it() -> None:
    text = "# Plan\n\nWe build.\n\n# Costs\n\n" + PARAGRAPH + "\n\n" + PARAGRAPH + "\n\n" + PARAGRAPH
    found = [passage.text for passage in split_passages("Bridge", text)]
    assert found[0] == "Bridge\nPlan\n# Plan\n\nWe build."
    assert all(each.startswith("Bridge\nCosts\n") for each in found[1:])
    assert len(found) > 2


def test_a_mail_is_parted_from_what_it_quotes() -> None:
    text = "Yes, Friday works.\nOn Mon, 3 Mar 2026 Ada wrote:\n> Could we meet\n> on Friday?"
    assert _bodies(text) == ["Yes, Friday works.", "On Mon, 3 Mar 2026 Ada wrote:\n> Could we meet\n> on Friday?"]


def test_a_long_turn_of_a_chat_is_a_passage() -> None:
    turns = [f"{who}: {PARAGRAPH.strip()}" for who in ("Ada", "Grace", "Ada", "Grace")]
    bodies = _bodies("\n".join(turns))
    assert bodies == turns


def test_short_turns_of_a_chat_stay_together() -> None:
    assert _bodies("Ada: Hi!\nGrace: Hello, how are you?\nAda: Fine.") == [
        "Ada: Hi!\nGrace: Hello, how are you?\nAda: Fine."
    ]


def test_a_title_and_a_heading_without_end_are_whole_once_and_short_above_the_rest() -> None:
    title, text = "title " * 2_000, f"# {'heading ' * 2_000}\n\n" + f"{PARAGRAPH}\n\n" * 40
    found = [passage.text for passage in split_passages(title, text)]
    assert found[0].startswith(title)
    assert len("".join(found)) < 2 * len(title + text)
    assert all(each.startswith("title") and "heading" in each for each in found)


def test_bullets_are_not_cut_in_the_middle() -> None:
    bullets = [f"- {PARAGRAPH.strip()}" for _ in range(5)]
    assert all(body.startswith("- ") and body.endswith("note.") for body in _bodies("\n".join(bullets)))


def test_a_word_without_end_is_cut_all_the_same() -> None:
    assert [len(body) for body in _bodies("x" * (2 * MAX_PASSAGE_LENGTH + 5))] == [
        MAX_PASSAGE_LENGTH,
        MAX_PASSAGE_LENGTH,
        5,
    ]


@given(st.text(alphabet="ab .\n#->:A", max_size=4000))
def test_passages_keep_every_word_in_order_and_stay_bounded(text: str) -> None:
    found = list(split_passages(None, text))
    assert all(each.stop - each.start <= MAX_PASSAGE_LENGTH for each in found)
    assert all(one.stop <= other.start for one, other in itertools.pairwise(found))
    kept = "".join(text[each.start : each.stop] for each in found)
    assert "".join(kept.split()) == "".join(text.split())
