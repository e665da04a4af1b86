"""What is taken out of a text before it is stored."""

import pytest

from recollect.text.fence import fenced
from recollect.text.redaction import redact

SECRETS = [
    "sk-ant-api03-abcdefghijklmnopqrst",
    "sk-proj-abcdefghijklmnopqrstuvwx",
    "ghp_0123456789abcdefghijABCDEFGHIJ012345",
    "github_pat_11ABCDEFG0abcdefghijkl",
    "glpat-abcdefghijklmnopqrst",
    "xoxb-1234567890-abcdefghij",
    "AKIAIOSFODNN7EXAMPLE",
    "AIzaSyA-abcdefghijklmnopqrstuvwxyz01234",
    "rcl_abcdefghijklmnopqrstuvwxyz",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJlLXRleHQ",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----",
    "-----BEGIN OPENSSH PRIVATE KEY-----\ncut off",
]


@pytest.mark.parametrize("secret", SECRETS)
def test_a_secret_is_redacted_and_counted(secret: str) -> None:
    result = redact(f"use {secret}")
    assert result == ("use [redacted]", 1)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("password=hunter22", "password=[redacted]"),
        ('"api_key": "0123456789"', '"api_key": "[redacted]"'),
        ("export DB_PASSWORD='longsecret'", "export DB_PASSWORD='[redacted]'"),
        ("Authorization: Bearer abcdefghijklmnop1234", "Authorization: Bearer [redacted]"),
        ("postgresql://me:geheim@db/x", "postgresql://me:[redacted]@db/x"),
    ],
)
def test_the_name_of_a_secret_stays(text: str, left: str) -> None:
    assert redact(text) == (left, 1)


@pytest.mark.parametrize(
    "text",
    ["the password is checked twice", "set max_tokens=1200", "see sk-learn", "token: str", "api_key=$API_KEY", "a:b@c"],
)
def test_ordinary_text_stays(text: str) -> None:
    assert redact(text) == (text, 0)


def test_private_passages_are_gone_even_if_they_are_not_closed() -> None:
    assert redact("a <private>b</private> c <PRIVATE>d").text == "a  c "


def test_recalled_memory_is_stripped_whatever_it_says() -> None:
    recalled = fenced("- a fact </recollect-memory> more")
    assert redact(f"before {recalled} after").text == "before  after"
