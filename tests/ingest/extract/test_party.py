"""People, addresses, domains and noise, as records have them."""

from typing import Any

import pytest

from recollect.ingest.parties import (
    Party,
    company_name,
    is_provider,
    name_from_address,
    parse_parties,
    parse_party,
    registrable_domain,
)
from recollect.ingest.record_types import detect_noise

PEOPLE = {
    "Marcus Webb": Party("Marcus Webb", None),
    "Marcus Webb <Marcus@X.example>": Party("Marcus Webb", "marcus@x.example"),
    '"Webb, Marcus" <m@x.example>': Party("Marcus Webb", "m@x.example"),
    "Webb, Marcus": Party("Marcus Webb", None),
    "Marcus Webb, PhD": Party("Marcus Webb", None),
    "m@x.example": Party(None, "m@x.example"),
    "<m@x.example>": Party(None, "m@x.example"),
    "m@x.example <m@x.example>": Party(None, "m@x.example"),
    "Marcus (m@x.example)": Party("Marcus", "m@x.example"),
    "m@x.example (Marcus Webb)": Party("Marcus Webb", "m@x.example"),
    "Marcus Webb <m@x.example> (work)": Party("Marcus Webb", "m@x.example"),
    "Marcus Webb (London)": Party("Marcus Webb", None),
    '"Webb, Marcus (London)" <m@x.example>': Party("Marcus Webb", "m@x.example"),
    "<m@x.example> Marcus Webb": Party("Marcus Webb", "m@x.example"),
    "m@x@y.example": Party(None, "m@x"),
}


@pytest.mark.parametrize(("text", "party"), PEOPLE.items())
def test_a_person_is_read_in_every_form(text: str, party: Party) -> None:
    assert parse_party(text) == party


def test_a_person_may_be_an_object_and_nobody_is_nobody() -> None:
    assert parse_party({"name": "Marcus Webb", "email": "M@x.example"}) == Party("Marcus Webb", "m@x.example")
    assert parse_party({"email": "m@x.example"}) == Party(None, "m@x.example")
    nobodies: tuple[Any, ...] = (None, "", "  ", 7, {}, "<>", "—")
    assert [parse_party(nobody) for nobody in nobodies] == [None] * 7


def test_a_list_may_be_a_list_or_a_string_with_commas() -> None:
    people = [Party("Ann Lee", None), Party("Bo", "bo@x.example")]
    assert parse_parties(["Ann Lee", {"name": "Bo", "email": "bo@x.example"}]) == people
    assert parse_parties("Ann Lee, Bo <bo@x.example>") == people
    assert parse_parties('Ann Lee; "Bo" <bo@x.example>;') == people
    assert parse_parties("Webb, Marcus <m@x.example>, Ann Lee") == [
        Party("Marcus Webb", "m@x.example"),
        Party("Ann Lee", None),
    ]
    assert parse_parties("undisclosed-recipients:;") == parse_parties(["undisclosed-recipients:;"]) == []
    assert parse_parties(["ann@x.example, Bo <bo@x.example>", "Webb, Marcus"]) == [
        Party(None, "ann@x.example"),
        Party("Bo", "bo@x.example"),
        Party("Marcus Webb", None),
    ]
    assert parse_parties(None) == []


def test_ten_thousand_people_are_read_at_once() -> None:
    text = ", ".join(f"Person {number} <p{number}@x.example>" for number in range(10_000))
    assert len(parse_parties(text)) == 10_000


@pytest.mark.parametrize(
    ("address", "name", "is_whole"),
    [
        ("marcus.webb@x.example", "Marcus Webb", True),
        ("marcus_j-webb@x.example", "Marcus J Webb", True),
        ("marcus@x.example", "Marcus", False),
        ("marcus+news@x.example", "Marcus", False),
        ("mw42@x.example", "Mw42", False),
        ("pat.o'brien@x.example", "Pat O'Brien", True),
    ],
)
def test_a_name_is_read_off_an_address(address: str, name: str, is_whole: bool) -> None:
    assert name_from_address(Party(None, address)) == (name, is_whole)


@pytest.mark.parametrize(
    "text",
    ["info@x.example", "Sales <sales@x.example>", "no-reply@x.example", "noreply-42@x.example", "dependabot[bot]",
     "postmaster@x.example", "Notifications <notifications@x.example>", "jobs-eu@x.example",
     "customer-support@x.example"],
)  # fmt: skip
def test_roles_and_robots_are_not_people(text: str) -> None:
    party = parse_party(text)
    assert party is not None
    assert not party.is_person


def test_a_family_name_may_be_that_of_a_role() -> None:
    party = parse_party("steve.jobs@x.example")
    assert party is not None
    assert party.is_person


@pytest.mark.parametrize(
    ("domain", "registered", "name"),
    [
        ("harrow-bridge.example", "harrow-bridge.example", "Harrow Bridge"),
        ("mail.eu.acme.com", "acme.com", "Acme"),
        ("post.acme.co.uk", "acme.co.uk", "Acme"),
        ("acme.com.au", "acme.com.au", "Acme"),
        ("post.exämple.de", "exämple.de", "Exämple"),
        ("xn--exmple-cua.de", "xn--exmple-cua.de", "Exämple"),
        ("xn--999999999.de", "xn--999999999.de", "Xn 999999999"),
    ],
)
def test_a_company_is_named_by_its_registered_domain(domain: str, registered: str, name: str) -> None:
    assert registrable_domain(domain) == registered
    assert company_name(registered) == name


@pytest.mark.parametrize("domain", ["localhost", "10.0.0.1", "", "a..b_?"])
def test_what_is_no_domain_names_no_company(domain: str) -> None:
    assert registrable_domain(domain) is None


@pytest.mark.parametrize(
    "domain",
    [
        "gmail.com",
        "yahoo.co.uk",
        "gmx.net",
        "web.de",
        "yandex.ru",
        "proton.me",
        "qq.com",
        "hotmail.co.uk",
        "outlook.de",
        "post.web.de",
    ],
)
def test_a_provider_is_nobodys_employer(domain: str) -> None:
    assert is_provider(domain)
    assert not is_provider("acme.com")
    assert not is_provider("live.example")
    assert is_provider("acme.com", {"acme.com"})


@pytest.mark.parametrize(
    ("fields", "title", "text", "signal"),
    [
        ({"sender": "No-Reply@x.example"}, None, None, "sender"),
        ({"sender": "News <newsletter-7@x.example>"}, None, None, "sender"),
        ({"sender": "a@x.example", "headers": {"LIST-ID": "x"}}, None, None, "header"),
        ({"sender": "a@x.example", "headers": {"auto-submitted": "auto-replied"}}, None, None, "header"),
        ({"sender": "a@x.example", "headers": {"Precedence": "Bulk"}}, None, None, "header"),
        ({"sender": "a@x.example", "headers": "X-Auto-Response-Suppress: All"}, None, None, "header"),
        ({"sender": "a@x.example", "subject": "out of Office until Monday"}, None, None, "subject"),
        ({"sender": "a@x.example"}, "Undeliverable: hello", None, "subject"),
        ({"sender": "a@x.example"}, None, "Unsubscribe here, or VIEW IN BROWSER.", "body"),
        ({"sender": "a@x.example", "headers": {"Auto-Submitted": "no"}}, "Re: Out of office", "unsubscribe", None),
    ],
)
def test_noise_is_told_by_its_signals(
    fields: dict[str, object], title: str | None, text: str | None, signal: str | None
) -> None:
    assert detect_noise("email", fields, title, text) == signal


def test_only_mail_and_what_bots_open_can_be_noise() -> None:
    assert detect_noise("github_pr", {"author": "renovate[bot]"}, None, None) == "bot"
    assert detect_noise("github_pr", {"author": "dana"}, "Out of office", None) is None
    assert detect_noise("generic", {"sender": "noreply@x.example"}, None, None) is None
