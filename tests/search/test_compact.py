"""Compaction: never over the budget, always the same, and what matters most is what stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.search.compaction import compact, count_tokens

TABLE = "plot,temp,note\n" + "\n".join(f'p{n},{n},"row\nnumber {n}"' for n in range(200))
PROSE = "\n\n".join(
    ["The first one.", *(f"Paragraph {n} says little." for n in range(200)), "Plums ripen.", "The last."]
)
MARKDOWN = (
    "# Farm\n\nIntro.\n\n## North\n\n"
    + "Filler text.\n\n" * 200
    + "### Trees\n\nPlums ripen here.\n\n## South\n\nMore."
)
PAGES = "\f".join(f"Page text {n}. " + ("plums " * (n % 4)) + "filler " * 40 for n in range(12))
CODE = (
    "import os\n\n\n"
    + "\n\n".join(f"def part_{n}():\n    value = {n}\n    return value" for n in range(60))
    + "\n\n\n# plums\nplums = 1"
)
MIMES = ("text/csv", "text/markdown", "application/pdf", "text/x-python", "text/plain")
BODIES = dict(zip(MIMES, (TABLE, MARKDOWN, PAGES, CODE, PROSE), strict=True))


@pytest.mark.parametrize("mime", MIMES)
@pytest.mark.parametrize("query", [None, "plums", "temp>=190", "nothing of this"])
@pytest.mark.parametrize("budget", [1, 2, 10, 40, 100, 400])
def test_the_budget_is_never_exceeded_and_repeats_are_equal(mime: str, query: str | None, budget: int) -> None:
    cut = compact(BODIES[mime], mime, budget, query)
    assert count_tokens(cut.text) <= budget
    assert cut == compact(BODIES[mime], mime, budget, query)
    assert cut.original_tokens == count_tokens(BODIES[mime])
    assert cut.is_shorter


@given(st.text(), st.sampled_from(MIMES), st.integers(1, 50), st.one_of(st.none(), st.text(max_size=20)))
def test_any_text_fits_its_budget(body: str, mime: str, budget: int, query: str | None) -> None:
    assert count_tokens(compact(body, mime, budget, query).text) <= budget


def test_what_fits_is_left_alone() -> None:
    cut = compact("short", "text/plain", 2, "x")
    assert (cut.text, cut.strategy, cut.is_shorter) == ("short", "none", False)


def test_a_table_keeps_its_header_and_the_rows_that_are_asked_for() -> None:
    cut = compact(TABLE, "text/csv", 100, "temp>=197 plot!=p199").text
    assert cut == 'plot,temp,note\np197,197,"row\nnumber 197"\np198,198,"row\nnumber 198"\n[… 198 rows omitted]'
    assert compact(TABLE, "text/csv", 30).text.startswith('plot,temp,note\np0,0,"row\nnumber 0"\n')
    by_word = compact(TABLE.replace("p77", "orchard"), "text/csv", 30, "the orchard").text
    assert by_word == 'plot,temp,note\norchard,77,"row\nnumber 77"\n[… 199 rows omitted]'
    semi = compact("a;b\n" + "\n".join(f"{n};x" for n in range(100)), "text/csv", 12, "a=42").text
    assert semi == "a;b\n42;x\n[… 99 rows omitted]"


def test_rows_may_end_in_any_way_and_cells_may_be_huge() -> None:
    rows = [f"{n},x" for n in range(100)]
    for end in ("\n", "\r\n", "\r"):
        assert "42,x" in compact(end.join(["a,b", *rows]), "text/csv", 12, "a=42").text
    huge = "\n".join(["a,b", f"7,{'y' * 200_000}", *rows])
    assert "42,x" in compact(huge, "text/csv", 12, "a=42").text


def test_markdown_keeps_matches_under_their_headings() -> None:
    cut = compact(MARKDOWN, "text/markdown", 40, "ripe plums").text
    assert cut == "# Farm\n\n## North\n\n### Trees\n\nPlums ripen here.\n\n[… 202 paragraphs omitted]"
    assert compact(MARKDOWN, "text/markdown", 30).text.startswith("# Farm\n\nIntro.\n\n## North\n\nFiller text.")


def test_pages_come_by_how_often_they_match_in_their_order() -> None:
    cut = compact(PAGES, "application/pdf", 300, "plums").text
    assert [line for line in cut.split("\n") if line.startswith("[")] == [
        "[page 4]",
        "[page 8]",
        "[page 12]",
        "[… 9 pages omitted]",
    ]
    assert compact(PAGES, "application/pdf", 100).text.startswith("[page 1]\n")


def test_code_keeps_what_declares_something_then_what_matches() -> None:
    cut = compact(CODE, "text/x-python", 300, "plums").text
    assert cut.startswith("import os\ndef part_0():\n")
    assert "plums = 1" in cut
    assert cut.split("\n")[-1].endswith("lines omitted]")


def test_plain_text_keeps_first_matching_and_last() -> None:
    cut = compact(PROSE, "text/plain", 30, "plums").text
    assert cut == "The first one.\n\nPlums ripen.\n\nThe last.\n\n[… 200 paragraphs omitted]"


def test_a_first_piece_that_is_too_long_is_cut_with_an_ellipsis() -> None:
    cut = compact("word " * 1000, "text/plain", 10, "word")
    assert (len(cut.text), cut.text[-1]) == (40, "…")
