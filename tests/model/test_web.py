"""Which texts are addresses of the web."""

import pytest

from recollect.model.document import normalize_url, parse_url

ADDRESSES = [
    "https://x.example",
    "HTTP://x.example/1?a=b#c",
    "http://[::1]:80/",
    "https://ü.example/straße",
    "http://x.example:8080?q=[1]#a",
]
OTHERS = [
    None,
    "",
    "x.example",
    "ftp://x.example",
    "https://",
    "https:///path",
    "https://x .example",
    "see https://x.example",
]


@pytest.mark.parametrize("text", ADDRESSES)
def test_an_address_is_itself_without_blanks_around_it(text: str) -> None:
    assert parse_url(f" {text}\n") == parse_url(text) == text


@pytest.mark.parametrize("text", OTHERS)
def test_anything_else_is_none(text: str | None) -> None:
    assert parse_url(text) is None


def test_where_an_address_is_asked_for_blanks_are_a_part_of_it() -> None:
    assert normalize_url(" https://x.example/My File.pdf ") == "https://x.example/My%20File.pdf"
    assert (normalize_url("My File.pdf"), normalize_url(None)) == (None, None)
