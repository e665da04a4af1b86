"""The form in which addresses are compared, and letters that only look like others."""

import pytest

from recollect.text.mail_addresses import (
    canonical_address,
    canonical_domain,
    imitates_plain_letters,
    is_disguised_address,
)


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("Mara@NORTHWIND.example", "mara@northwind.example"),
        ("ｍａｒａ@ｎｏｒｔｈｗｉｎｄ．example", "mara@northwind.example"),
        ("info@xn--mller-kva.example", "info@müller.example"),
        ("info@MÜLLER.example", "info@müller.example"),
        ("info@fußball.example", "info@xn--fuball-cta.example"),
        ("info@xn--fuball-cta.example.", "info@xn--fuball-cta.example"),
        ("x@xn--\u00e9.example", "x@xn--é.example"),
        ("a@例え。jp", "a@例え.jp"),
    ],
)
def test_an_address_has_one_form(written: str, canonical: str) -> None:
    assert canonical_address(written) == canonical
    assert canonical_address(canonical) == canonical


def test_two_registered_domains_stay_two() -> None:
    assert canonical_domain("fußball.example") != canonical_domain("fussball.example")


@pytest.mark.parametrize(
    "address",
    [
        "ｍａｒａ@northwind.example",
        "mara@ｎｏｒｔｈｗｉｎｄ.example",
        "m\u0430ra@northwind.example",
        "mara@n\u043erthwind.example",
        "mara@xn--nrthwind-nbh.example",
        "a@\u0441\u043e\u0441\u043e.example",
        "\U0001d426ara@northwind.example",
    ],
)
def test_letters_that_look_like_others_disguise_an_address(address: str) -> None:
    assert is_disguised_address(address)


@pytest.mark.parametrize(
    "address",
    ["mara@northwind.example", "info@müller.example", "a@почта.рф", "a@сосо.рф", "李@例え.jp", "o@xn--.example"],
)
def test_addresses_of_one_alphabet_are_not_disguised(address: str) -> None:
    assert not is_disguised_address(address)


@pytest.mark.parametrize(
    ("name", "imitates"),
    [
        ("Ａｄａ Ｂｒａｎｄｔ", True),
        ("\U0001d400\U0001d41d\U0001d41a", True),
        ("\u0410da Brandt", True),
        ("Ada Brandt", False),
        ("Сара", False),
        ("José Mª", False),
        ("ｱｲ", False),
    ],
)
def test_a_name_imitates_plain_letters(name: str, imitates: bool) -> None:
    assert imitates_plain_letters(name) is imitates
