"""Plain sentences about things that have no name of their own."""

import pytest
from tests.ingest.notes.remembering import claims, tell

from recollect.memory import Memory


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("The backup job runs at 02:00.", ("backup job", "runs_at", "02:00")),
        ("The backup job runs every night.", ("backup job", "runs", "every night")),
        ("The city library opens at 9.", ("city library", "opens_at", "9")),
        ("The city library closes at 6 pm on Fridays.", ("city library", "closes", "at 6 pm on Fridays")),
        ("The parking permit costs 35 euros.", ("parking permit", "cost", "35 euros")),
        ("The bus ride takes 25 minutes.", ("bus ride", "duration", "25 minutes")),
        ("The API is on port 8080.", ("API", "port", "8080")),
        ("The staging server runs on port 8443.", ("staging server", "port", "8443")),
        ("The port of the staging server is 8443.", ("staging server", "port", "8443")),
        ("The sourdough loaf's price is 4.50 euros.", ("sourdough loaf", "price", "4.50 euros")),
        ("The invoice template lives in the Finance folder.", ("invoice template", "kept_in", "Finance folder")),
        ("The spare key is kept in the top drawer.", ("spare key", "kept_in", "top drawer")),
    ],
)
def test_what_a_thing_without_a_name_does_as_a_rule_is_a_fact_of_it(
    memory: Memory, text: str, claim: tuple[str, str, str]
) -> None:
    assert claims(memory, tell(memory, text)) == [(*claim, "current")]


@pytest.mark.parametrize(
    "text",
    [
        "Maybe the backup job runs at 02:00.",
        "Does the backup job run at 02:00?",
        "The backup job usually runs at 02:00.",
        "The backup job should run at 02:00.",
        "The backup job ran at 02:00.",
        "The backup job runs at 02:00 tomorrow.",
        "The backup job doesn't run at 02:00.",
        "The piano lesson starts at 16:30.",
        "The early train leaves at 7:42.",
        "If it rains, the bus ride takes 40 minutes.",
        "The bus ride takes ages.",
        "The bus ride takes 25 minutes or so longer.",
        "The next train costs 35 euros.",
        "The Smith family lives in the garage.",
        "The red car is in the garage.",
        "The build takes 12 minutes.",
        "The shop opens at 9.",
        "The status of the parking permit is unclear.",
        "Apparently the parking permit costs 35 euros.",
        "The parking permit costs 35 euros or 40 euros.",
    ],
)
def test_what_may_hold_today_only_or_of_another_thing_is_no_fact(memory: Memory, text: str) -> None:
    result = tell(memory, text)
    assert (claims(memory, result), len(result.not_understood)) == ([], 1)


def test_a_thing_is_known_by_its_phrase_and_a_new_price_replaces_the_old_one(memory: Memory) -> None:
    old = tell(memory, "The parking permit costs 35 euros.", at="2026-05-01T10:00:00Z")
    new = tell(memory, "The parking permit costs 40 euros.")
    assert (new.facts[0].outcome, new.facts[0].replaced) == ("replaced", (old.facts[0].fact,))


def test_a_part_of_what_the_text_is_about_is_an_attribute_of_that(memory: Memory) -> None:
    told = claims(memory, tell(memory, "The nightly build takes 20 minutes.", about="acme"))
    assert told == [("acme", "nightly_build_duration", "20 minutes", "current")]
