"""What a line of Markdown is."""

import pytest

from recollect.text.markdown_lines import heading_of, lines_outside_code
from recollect.text.sentences import split_sentences


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("# One", (1, "One")),
        ("   ###### Six", (6, "Six")),
        ("##\tTab", (2, "Tab")),
        ("## Closed ##", (2, "Closed")),
        ("## Closed ##  ", (2, "Closed")),
        ("## C#", (2, "C#")),
        ("##  two  spaces ", (2, "two  spaces")),
        ("    ## indented by four", None),
        ("####### seven", None),
        ("##none", None),
        ("##", None),
        ("## ", None),
        ("## ##", None),
        ("text ## no", None),
    ],
)
def test_what_a_heading_is(line: str, found: tuple[int, str] | None) -> None:
    assert heading_of(line) == found


def test_lines_between_fences_are_code() -> None:
    found = lines_outside_code("one\n```py\ntwo\n```\nthree\n~~~\nfour", first=4)
    assert list(found) == [(4, "one"), (8, "three")]


@pytest.mark.parametrize("mark", ["-", "•", "◦", "‣", "–", "12."])
def test_every_mark_of_a_list_begins_an_item(mark: str) -> None:
    assert split_sentences(f"Bring\n{mark} bread\n{mark} milk") == ["Bring", "bread", "milk"]
