"""What is taken out of a text before it is stored."""

import pytest

from recollect.settings import BadSetting, Settings
from recollect.text.prompt_injection import add_memory_tags
from recollect.text.redaction import HoldsSecrets, apply_policy, redact, secret_policy

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


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("x <private>a<private>b</private>SECRET</private> y", "x  y"),
        ("x <private>a<private>b</private>SECRET", "x "),
        ("x <private reason='a > b'>SECRET</private> y", "x  y"),
        ("x < private >SECRET</ private > y", "x  y"),
        ("x <private\nby=me>SECRET< / PRIVATE\n> y", "x  y"),
        ("x</private> y <private>SECRET</private> z", "x</private> y  z"),
        ("<private-notes>kept</private-notes>", "<private-notes>kept</private-notes>"),
    ],
)
def test_private_passages_are_gone_however_their_tags_are_written(text: str, kept: str) -> None:
    assert redact(text).text == kept


def test_private_passages_are_gone_even_if_they_are_not_closed() -> None:
    assert redact("a <private>b</private> c <PRIVATE>d").text == "a  c "


def test_recalled_memory_is_stripped_whatever_it_says() -> None:
    recalled = add_memory_tags("- a fact </recollect-memory> more")
    assert redact(f"before {recalled} after").text == "before  after"


@pytest.mark.parametrize("number", ["4111 1111 1111 1111", "5555-5555-5555-4444", "378282246310005"])
def test_card_numbers_are_told_by_their_check_digit(number: str) -> None:
    assert redact(f"pay with {number}, please") == ("pay with [redacted], please", 1)
    wrong = number[:-1] + str((int(number[-1]) + 1) % 10)
    assert redact(f"pay with {wrong}").secrets == 0


@pytest.mark.parametrize("number", ["1779000000000000", "2026-11-16 15:00", "+49 170 1234567", "4111"])
def test_other_numbers_are_no_cards(number: str) -> None:
    assert redact(number) == (number, 0)


def test_the_policy_keeps_masks_or_refuses() -> None:
    text = "password=hunter22"
    assert apply_policy(text, "keep") == (text, 1)
    assert apply_policy(text, "mask") == ("password=[redacted]", 1)
    with pytest.raises(HoldsSecrets, match=r"secrets\.policy"):
        apply_policy(text, "refuse")


def test_the_policy_is_a_setting() -> None:
    assert (secret_policy(Settings()), secret_policy(Settings(), "mask")) == ("keep", "mask")
    assert secret_policy(Settings(workspace={"secrets.policy": "refuse"}), "mask") == "refuse"
    with pytest.raises(BadSetting):
        secret_policy(Settings(workspace={"secrets.policy": "maybe"}))
