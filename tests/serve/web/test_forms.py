"""Numbers as pages and forms send them."""

import pytest

from recollect.serve.web.framework.pages import whole_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("42", 42),
        ("9" * 18, 10**18 - 1),
        ("9" * 5000, None),
        ("", None),
        ("-1", None),
        ("²", None),
        ("٣", None),
    ],
)
def test_only_a_short_text_of_ascii_digits_is_a_number(text: str, number: int | None) -> None:
    assert whole_number(text) == number
