"""Words that a text must have for a pattern to match: what is read off patterns, and that no match is missed."""

import re

import pytest
from training.corpus import WORLDS
from training.pattern_words import Corpus, lazy_patterns, needed_marks

from recollect.text.pattern_prefilter import BESIDE, PREFILTER_FILE, bits_in, pattern_key
from recollect.text.patterns import LazyPattern, PatternGroup, lazy_pattern

NO_CORPUS = Corpus(1)
TEXTS = min(WORLDS.iterdir()).read_text("utf-8").splitlines()[:160]


@pytest.mark.parametrize(
    ("source", "flags", "needed"),
    [
        (r"\bif\b", 0, {"=if"}),
        (r"\b(?:mov|shift)\w*", 0, {"^mov", "^shift"}),
        (r"n't\b", 0, {"'"}),
        (r"(?<![\w'-])unless(?![\w-])", 0, {"^unles"}),
        (r"\b(?:un)?done\b", 0, {"done"}),
        (r"(?:ha){2,}", 0, {"haha"}),
        (r"(?:ha)+", 0, {"ha"}),
        (r"[x-z]1", 0, {"1"}),
        (r"[x-z]", 0, {"x", "y", "z"}),
        (r"[Ii]t is", 0, {"^is"}),
        (r"\s\d+ ", 0, {"\\d"}),
        (r"(?=.*\?)", 0, {"?"}),
        (r"(?i:Frei)tag", 0, {"frei"}),
        (r"\w+ing", re.IGNORECASE, {"ing"}),
        (r"(?:yes|\w+)", 0, None),
        (r"(?:now)?", 0, None),
        (r"(?!not)", 0, None),
        (r"(?<=\bis) now(?= )", 0, {"=is"}),
    ],
)
def test_the_words_that_every_match_needs_are_read_off_a_pattern(
    source: str, flags: int, needed: set[str] | None
) -> None:
    found = needed_marks(source, flags, NO_CORPUS)
    assert found == (() if needed is None else (frozenset(needed),))


def test_a_second_group_is_taken_where_fewer_texts_have_both() -> None:
    corpus = Corpus(4, {"=call": 0b0111, "=back": 0b1110})
    groups = needed_marks(r"\b(?:call|ring) \w+ back\b", 0, corpus)
    assert set(groups) == {frozenset({"=call", "=ring"}), frozenset({"=back"})}


def test_a_pattern_with_two_groups_may_match_only_a_text_with_words_of_both() -> None:
    loaded = {pattern_key(each.source, each.flags_given): each for each in lazy_patterns()}
    lines = (line for line in PREFILTER_FILE.read_text("utf-8").splitlines() if BESIDE in line)
    line, lazy = next((line, loaded[key]) for line in lines if (key := line.split()[0]) in loaded)
    first, second = (group.split()[-1] for group in line.partition(" ")[2].split(BESIDE))
    one, other = (mark.removeprefix("^").removeprefix("=").replace("\\d", "7") for mark in (first, second))
    assert bits_in(f"{one} {other}") & lazy.bit
    assert not (bits_in(one) & lazy.bit and bits_in(other) & lazy.bit)


def test_the_file_knows_every_pattern() -> None:
    known = {line.split()[0] for line in PREFILTER_FILE.read_text("utf-8").splitlines()}
    patterns = {pattern_key(each.source, each.flags_given): each.source for each in lazy_patterns()}
    missing = [source[:80] for key, source in patterns.items() if key not in known]
    assert not missing, "run python -m training.pattern_words"


def test_no_match_is_missed() -> None:
    texts = [form for text in TEXTS for form in (text, text.lower())]
    for pattern in lazy_patterns():
        bit, compiled = pattern.bit, re.compile(pattern.source, pattern.flags_given)
        missed = [text for text in texts if not bits_in(text) & bit and compiled.search(text)]
        assert not missed, pattern.source


def test_a_pattern_that_cannot_match_answers_as_a_compiled_one() -> None:
    lazy = next(each for each in lazy_patterns() if each.bit != 1)
    text = "zzzz"
    assert not bits_in(text) & lazy.bit
    assert (lazy.search(text), lazy.match(text), lazy.fullmatch(text)) == (None, None, None)
    assert (list(lazy.finditer(text)), lazy.findall(text), lazy.split(text)) == ([], [], [text])
    assert (lazy.sub("", text), lazy.subn("", text)) == (text, (text, 0))
    assert "compiled" not in vars(LazyPattern(lazy.source, lazy.flags_given))


def test_an_end_within_a_word_is_left_to_the_pattern() -> None:
    assert lazy_pattern(r"\bif\b").search("iffy", 0, 2) is not None


def test_a_group_gives_the_possible_items_in_their_order() -> None:
    patterns = [each for each in lazy_patterns() if each.bit != 1][:40]
    group = PatternGroup(patterns, lambda each: each)
    for text in TEXTS[:40]:
        assert list(group.possible(text)) == [each for each in patterns if each.bit & bits_in(text)]


def test_a_very_long_word_or_text_is_tried_on_all_patterns() -> None:
    assert bits_in("x" * 1_000) == -1
    assert bits_in("word " * 10_000) == -1
    assert lazy_pattern(r"\bunless\b").search("x" * 1_000 + " unless") is not None
