"""The sentence splitter."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.text.sentences import TextSpan, sentence_ends, sentence_spans, spans_in_block, split_sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ida left. Nils stayed!  Why? ", ["Ida left.", "Nils stayed!", "Why?"]),
        ("Dr. Holm met J. Alder, e.g. at 5 p.m. on Monday. Good.", 2),
        ("We sell to Acme Inc. They pay.", ["We sell to Acme Inc.", "They pay."]),
        ("It costs 3.50 today. version 2.0 is out", ["It costs 3.50 today.", "version 2.0 is out"]),
        ("He fl. c. 1450 in Col. Vale’s time. From the 1970s. To L.A., CA. Ok.", 4),
        ("Nils Holm Jr. (born ca. 1950) didn't. He won't", 2),
        ("So it was I. Then he left.", ["So it was I.", "Then he left."]),
        ("Well... maybe. Hm… No.", ["Well... maybe.", "Hm…", "No."]),
        ("“Stop!” he said. (It worked.) Fine.", ["“Stop!” he said.", "(It worked.)", "Fine."]),
        (
            "昨日は雨だった。今日は晴れだ！「はい。」と言った",
            ["昨日は雨だった。", "今日は晴れだ！", "「はい。」", "と言った"],
        ),
        ("هل جاء؟ نعم. यह है। हाँ।", ["هل جاء؟", "نعم.", "यह है।", "हाँ।"]),
        ("# Plan\nFirst thing. Second\n\n- buy milk\n- [x] call Ida. Then rest\n1. go", 7),
        ("1. Ship it. 2. Rest.", ["Ship it.", "2. Rest."]),
        ("soft\nwrapped line. next", ["soft\nwrapped line.", "next"]),
        ("", []),
        ("  \n\n ", []),
    ],
)
def test_a_text_is_split_into_its_sentences(text: str, expected: list[str] | int) -> None:
    found = split_sentences(text)
    assert (len(found) if isinstance(expected, int) else found) == expected


def test_in_edited_prose_a_small_letter_or_a_figure_continues_the_sentence() -> None:
    text = "In 45 A.S. House Orrin fell c. 460. It was so. never mind"
    assert split_sentences(text, "prose") == ["In 45 A.S. House Orrin fell c. 460.", "It was so. never mind"]


def test_a_name_that_holds_a_full_stop_is_not_broken() -> None:
    text = "They met Wo. Alder. He slept."
    assert [text[slice(*span)] for span in spans_in_block(text, unbroken=[TextSpan(9, 18)])] == [
        "They met Wo. Alder.",
        "He slept.",
    ]


def test_the_end_of_a_window_is_not_taken_for_the_end_of_a_sentence() -> None:
    assert list(sentence_ends("One. Pi is 3.14", 0, 13)) == [4]


@given(st.text(alphabet="aA1 .!?…。\n-#>\"')"))
def test_spans_are_in_order_trimmed_and_without_overlaps(text: str) -> None:
    at = 0
    for start, stop in sentence_spans(text):
        assert at <= start < stop
        assert text[start:stop] == text[start:stop].strip()
        at = stop
