"""When two texts say the same thing about the same thing."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.support.properties import examples

from recollect.model.similarity import (
    are_same_statement,
    have_same_words,
    numbers_without_dates,
    similarity,
    to_snake_case,
)

texts = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "Z")), max_size=12)


def longest_common_subsequence(one: str, other: str) -> int:
    """By the textbook, slowly."""
    row = [0] * (len(other) + 1)
    for letter in one:
        before = row
        row = [0]
        for place, each in enumerate(other):
            row.append(before[place] + 1 if letter == each else max(before[place + 1], row[place]))
    return row[-1]


@settings(max_examples=examples(150))
@given(st.text("abc ", max_size=14), st.text("abc ", max_size=14))
@example("a", "")
def test_similarity_is_twice_the_common_subsequence_over_both_lengths(one: str, other: str) -> None:
    first, second = " ".join(one.split()), " ".join(other.split())
    total = len(first) + len(second)
    wanted = 2 * longest_common_subsequence(first, second) / total if total else 1.0
    assert similarity(one, other) == pytest.approx(wanted)


@given(texts, texts)
def test_similarity_is_the_same_in_both_directions_and_at_most_one(one: str, other: str) -> None:
    assert similarity(one, other) == similarity(other, one)
    assert 0 <= similarity(one, other) <= 1
    assert similarity(one, one) == 1


def test_similarity_folds_first() -> None:
    assert similarity("  ADA   will\tSEND it ", "Ada will send it") == 1
    assert similarity("Ｅｉｎ Ｍａｌ", "ein mal") == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada is in.", "ada is  in"),
        ("Ada is in!", "Ada is in?"),
        ("ＡＤＡ is in…", "ada is in"),
        ("Straße", "STRASSE"),
        ("Ada is in。", "Ada is in"),
    ],
)
def test_closing_punctuation_case_and_spacing_do_not_count(one: str, other: str) -> None:
    assert have_same_words(one, other)


@pytest.mark.parametrize(("one", "other"), [("Ada is in", "Ada isin"), ("Ada, is in", "Ada is in"), ("(in)", "in")])
def test_other_punctuation_counts(one: str, other: str) -> None:
    assert not have_same_words(one, other)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Review PR 418 on Monday", ("418",)),
        ("Ship by March 16", ()),
        ("Ship by March 16, 2026", ()),
        ("Ship by 16 March 2026", ()),
        ("Ship by the 16th of March", ()),
        ("Ship by Mar. 3rd", ()),
        ("Ship by Sept 3", ()),
        ("Ship in May 2026", ()),
        ("Ship by 2026-03-16", ()),
        ("Ship by 2026-03", ()),
        ("Ship at 2026-03-16T10:00:00Z", ()),
        ("Ship at 2026-03-16T10:00:00.123+02:00", ()),
        ("Ship at 2026-03-16 10:00", ()),
        ("Ship at 10:30", ()),
        ("Ship at 5 pm", ()),
        ("Ship at 5:30 p.m.", ()),
        ("Ship by 16.03.2026", ()),
        ("Ship by 3/16/26", ()),
        ("Ship in Q3 2026", ()),
        ("Ship in 2027", ()),
        ("Pay 1,500.50 for 3 of 12 by March 16", ("1,500.50", "3", "12")),
        ("Phase 2 of PR 419 by 2026-03-16", ("2", "419")),
        ("", ()),
        ("Version 1.2.3", ("1.2.3",)),
        ("Room 2101", ("2101",)),
    ],
)
def test_numbers_are_those_that_are_no_date_and_no_time(text: str, numbers: tuple[str, ...]) -> None:
    assert numbers_without_dates(text) == numbers


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada will send the ledger by March 16", "Ada will send the ledger by March 20"),
        ("Ada will send the ledger by 2026-03-16", "Ada will send the ledger by 2026-04-02"),
        ("Ada will review PR 418 on Monday the 3rd", "Ada will review PR 418 on Monday the 5th"),
        ("Ada will call Bo at 10:30 about the deal", "Ada will call Bo at 11:45 about the deal"),
        ("Ada will send the ledger to Bo on Monday", "Ada will send the ledger to Bo on Tuesday"),
        (
            "Ada will send the whole ledger of the old firm to Bo by March",
            "Ada will send the whole ledger of the old firm to Bo by August",
        ),
        (
            "Ada will send the whole ledger of the old firm to Bo tomorrow",
            "Ada will send the whole ledger of the old firm to Bo tonight",
        ),
    ],
)
def test_a_new_date_is_still_the_same_thing(one: str, other: str) -> None:
    assert are_same_statement(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada will review PR 418 on Monday", "Ada will review PR 419 on Monday"),
        ("Ada will pay 300 for the ledger", "Ada will pay 3000 for the ledger"),
        ("Ada will send the ledger", "Bo will book the notary for the closing"),
        ("Ada will send the oak samples to the joiner", "Ada will send the pine samples to the joiner"),
        ("Ada will pay the March rent for the workshop", "Ada will pay the April rent for the workshop"),
    ],
)
def test_other_numbers_or_other_words_are_another_thing(one: str, other: str) -> None:
    assert not are_same_statement(one, other)


def test_nine_tenths_is_enough_and_less_is_not() -> None:
    assert similarity("abcdefghij", "abcdefghiX") == pytest.approx(0.9)
    assert are_same_statement("abcdefghij", "abcdefghix")
    assert not are_same_statement("abcdefghi", "abcdefghx")


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("MagicSystem", "magic_system"),
        ("Magic System", "magic_system"),
        ("MAGIC_SYSTEM", "magic_system"),
        ("magic-system", "magic_system"),
        ("Company", "company"),
        ("ALLIED_WITH", "allied_with"),
        ("works at", "works_at"),
        ("GitHub2Repo", "git_hub2_repo"),
        ("  person ", "person"),
        ("__x__", "x"),
        ("日本", "日本"),
        ("Bürgermeister", "bürgermeister"),
        ("mag Bücher", "mag_bücher"),
        ("Cafe\u0301-Owner", "café_owner"),
        ("живёт в", "живёт_в"),
        ("हिन्दी", "हिन्दी"),
        ("!!!", "!!!"),
        ("", ""),
    ],
)
def test_types_and_predicates_are_stored_in_lower_snake_case(given: str, stored: str) -> None:
    assert to_snake_case(given) == stored


@given(st.text(max_size=20))
def test_the_stored_form_is_its_own_stored_form(text: str) -> None:
    assert to_snake_case(to_snake_case(text)) == to_snake_case(text)
