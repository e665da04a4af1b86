"""Sections of a Markdown text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.keep.markdown import (
    add_to_section,
    append_text,
    find_section,
    headings,
    normalize_section_name,
    prepend_text,
    rewrite_section,
    strip_own_heading,
)


@pytest.mark.parametrize(
    "code",
    ["```\n## In\n```", "~~~~ md\n## In\n~~~\n## In\n~~~~", "   ```python\n## In\n````", "```\n## In\n``` no\n## In"],
)
def test_lines_in_fenced_code_are_no_headings(code: str) -> None:
    assert [each.text for each in headings(f"# Out\n{code}".split("\n"))] == ["Out"]


def test_a_line_of_code_in_backticks_opens_no_fence() -> None:
    assert [each.text for each in headings(["```x``` y", "## Out"])] == ["Out"]


def test_code_ends_with_its_fence() -> None:
    assert [each.text for each in headings(["```", "## In", "```", "## Out"])] == ["Out"]


@pytest.mark.parametrize(
    ("given_", "name"),
    [
        ("Rest", "Rest"),
        ("## Rest", "Rest"),
        (" ###Rest ", "Rest"),
        ("# # a", "a"),
        ("## Rest ##", "Rest"),
        ("C #", "C"),
        ("C#", "C#"),
    ],
)
def test_marks_before_and_behind_a_section_are_taken_off(given_: str, name: str) -> None:
    assert normalize_section_name(given_) == name


def test_equal_case_comes_before_another() -> None:
    lines = "## rest\na\n## Rest\nb".split("\n")
    assert find_section(lines, "Rest") == (2, 4)
    assert find_section(lines, "REST") == (0, 2)
    assert find_section(lines, "unrest") is None


def test_inner_spaces_are_folded() -> None:
    assert find_section(["##  My   wants"], "My wants") == (0, 1)


def test_only_second_and_third_level_headings_are_sections() -> None:
    lines = ["# Rest", "#### Rest", "### Rest"]
    assert find_section(lines, "Rest") == (2, 3)


def test_deeper_headings_belong_to_the_section() -> None:
    lines = "## A\nx\n### B\ny\n#### C\nz\n## D".split("\n")
    assert find_section(lines, "A") == (0, 6)
    assert find_section(lines, "B") == (2, 6)


def test_a_higher_heading_ends_a_section() -> None:
    lines = "### B\ny\n# Top\n## A".split("\n")
    assert find_section(lines, "B") == (0, 2)


def test_a_heading_in_code_ends_no_section() -> None:
    text = "## A\nx\n```\n## B\n```\n\n## C\nc\n"
    assert add_to_section(text, "A", "more") == "## A\nx\n```\n## B\n```\n\nmore\n\n## C\nc\n"


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("## A\nold\n", "## A\nold\n\nnew\n"),
        ("## A\n\nold\n\n\n## B\nb", "## A\n\nold\n\nnew\n\n## B\nb\n"),
        ("## A\n", "## A\nnew\n"),
        ("## A", "## A\nnew\n"),
        ("## A\n \n\n## B\n", "## A\nnew\n\n## B\n"),
        ("intro\n## A\nold\n### Deep\nd\n", "intro\n## A\nold\n### Deep\nd\n\nnew\n"),
        ("intro", "intro\n\n## A\nnew\n"),
        ("\n\n intro \n\n", "intro\n\n## A\nnew\n"),
        ("", "## A\nnew\n"),
        (" \n", "## A\nnew\n"),
    ],
)
def test_adding_to_a_section(text: str, result: str) -> None:
    assert add_to_section(text, "A", " new \n") == result


@pytest.mark.parametrize(
    ("text", "content", "result"),
    [
        ("##  A ##\nold\n### Deep\nd\n\n\n## B\nb\n\n", "new", "##  A ##\nnew\n\n## B\nb\n"),
        ("## A\nold\n", "", "## A\n"),
        ("## A\nold\n## B", "", "## A\n\n## B\n"),
        ("x\n", "", "x\n\n## A\n"),
        ("", "", "## A\n"),
        ("x\n", "new", "x\n\n## A\nnew\n"),
    ],
)
def test_rewriting_a_section(text: str, content: str, result: str) -> None:
    assert rewrite_section(text, "A", content) == result


@pytest.mark.parametrize(
    ("content", "own"),
    [
        ("## A\nx", "x"),
        ("\n\n# a ##\n\n###   A\nx\n", "x"),
        ("## A", ""),
        ("x\n## A", "x\n## A"),
        ("## B\nx", "## B\nx"),
        ("    ## A\nx", "## A\nx"),
    ],
)
def test_a_heading_is_never_doubled(content: str, own: str) -> None:
    assert strip_own_heading(content, "A") == own


def test_a_section_that_is_only_its_heading_adds_nothing() -> None:
    assert add_to_section("## A\nold", "A", "## A\n") == "## A\nold"


def test_both_ends() -> None:
    assert append_text(" old\n\n", "\nnew ") == "old\n\nnew\n"
    assert prepend_text(" old\n\n", "\nnew ") == "new\n\nold\n"
    assert append_text(" \n", "new") == prepend_text("", "new") == "new\n"


WORDS = st.sampled_from(["## A", "## B", "### A", "# T", "text", "", "```", "~~~", "- a bullet", " ## A ##", "  "])


@given(st.lists(WORDS, max_size=12).map("\n".join), st.sampled_from(["x", "## A\nx", "x\n\ny"]))
def test_what_stands_around_a_section_stays_as_it_was(text: str, content: str) -> None:
    lines = text.split("\n")
    found = find_section(lines, "A")
    result = rewrite_section(text, "A", content)
    if found is not None:
        before, after = "\n".join(lines[: found.heading + 1]), "\n".join(lines[found.end :]).rstrip("\n")
        assert result.startswith(before)
        assert result.endswith(f"{after}\n")
    assert result.endswith("\n")
    assert not result.endswith("\n\n") or text.rstrip("\n").endswith((" ", "\n"))


@given(st.lists(WORDS, max_size=12).map("\n".join))
def test_rewriting_twice_is_rewriting_once(text: str) -> None:
    once = rewrite_section(text, "A", "x")
    fenced = find_section(once.split("\n"), "A") is None
    assert fenced or rewrite_section(once, "A", "x") == once
