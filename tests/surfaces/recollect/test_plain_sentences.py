"""Plain sentences that an assistant is told: what `remember` reads in them, and what it does not."""

import pytest

from recollect.memory import Memory
from tests.surfaces.recollect.test_changing import Agent
from tests.surfaces.recollect.test_remember import remember

Read = list[tuple[str, str, str]]


def read(memory: Memory, text: str) -> Read:
    """The predicate, the text and the bounds of each fact read on 20 May 2026."""
    facts = remember(memory, text=text, dry_run=True)["facts"]
    return [
        (fact["predicate"], fact["text"], f"{fact.get('since', '')}..{fact.get('until', '')}".strip(".") or "")
        for fact in facts
    ]


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (
            "Ada uses Zed, Ben uses Vim and Carla uses Emacs.",
            [("uses", "Ada uses Zed", ""), ("uses", "Ben uses Vim", ""), ("uses", "Carla uses Emacs", "")],
        ),
        (
            "Ada lives in Lund, Ben lives in Oslo.",
            [("lives_in", "Ada lives in Lund", ""), ("lives_in", "Ben lives in Oslo", "")],
        ),
        ("I've been living in Berlin since 2019.", [("lives_in", "I live in Berlin", "2019")]),
        ("My rent is 950 from June.", [("rent", "My rent is 950", "2026-06")]),
        ("From 1 June I work at Acme.", [("works_at", "I work at Acme", "2026-06-01")]),
        ("My best friend is Mia Berg.", [("best_friend", "My best friend is Mia Berg", "")]),
        (
            "Mia Berg joined Globex in March 2024 and left in June 2025.",
            [("works_at", "Mia Berg works at Globex", "2024-03..2025-06")],
        ),
        (
            "Mia Berg moved to Rome in 2019 and moved back in 2021.",
            [("lives_in", "Mia Berg lives in Rome", "2019..2021")],
        ),
        (
            "Mia Berg worked at Globex from 2010 and retired in 2020.",
            [("works_at", "Mia Berg works at Globex", "2010..2020")],
        ),
        (
            "Mia Berg worked at Globex until 2019 and left Bonn in 2020.",
            [("works_at", "Mia Berg works at Globex", "2019")],
        ),
        ("Mia Berg works at Globex until the end of June.", [("works_at", "Mia Berg works at Globex", "2026-06-30")]),
        ("My mother lives in Porto.", [("mother_lives_in", "My mother lives in Porto", "")]),
        ("My sister works at Siemens since 2020.", [("sister_works_at", "My sister works at Siemens", "2020")]),
        ("Mia Berg is my best friend.", [("best_friend", "My best friend is Mia Berg", "")]),
        ("Mia Berg was our CTO from 2018 to 2022.", [("cto", "My CTO is Mia Berg", "2018..2022")]),
        ("Mia Berg is our CTO.", [("cto", "My CTO is Mia Berg", "")]),
        ("Mia Berg is our new product manager.", [("product_manager", "My product manager is Mia Berg", "")]),
        ("Mia Berg is the head of sales.", [("head_of_sales", "My head of sales is Mia Berg", "")]),
        ("Our default branch is main.", [("default_branch", "My default branch is main", "")]),
        ("Mia Berg studied at Leeds from 2010 to 2014.", [("studies_at", "Mia Berg studies at Leeds", "2010..2014")]),
        ("Correction: the rent is 9,900 kr.", [("rent", "My rent is 9,900 kr", "")]),
        ("Mia owns the billing service.", [("owns", "Mia owns billing service", "")]),
        ("Mia Berg owns the blue van.", [("owns", "Mia Berg owns blue van", "")]),
        ("We moved to 8 Brunnen Lane in April.", [("address", "My address is 8 Brunnen Lane", "2026-04")]),
        ("Mia Berg moved to 12 Mill Lane.", [("address", "Mia Berg's address is 12 Mill Lane", "")]),
    ],
)
def test_a_plain_statement_is_read(memory: Memory, text: str, facts: Read) -> None:
    assert read(memory, text) == facts


@pytest.mark.parametrize(
    ("text", "predicate", "due"),
    [
        ("Omar owes us the signed lease by Friday.", "commitment", "2026-05-22"),
        ("I owe Ben the report by Monday.", "commitment", "2026-05-25"),
        ("We owe the tax office 500 euros by 30 June.", "commitment", "2026-06-30"),
        ("I'll send the report on the first Monday of December.", "commitment", "2026-12-07"),
        ("I'll send the report on the last Friday of next month.", "commitment", "2026-06-26"),
        ("Don't worry, I'll send the report tomorrow.", "commitment", "2026-05-21"),
        ("Don't forget to send the report.", "commitment", ""),
        ("Whether we keep the cabin is still undecided.", "pending_decision", ""),
        ("It is undecided whether we keep the cabin.", "pending_decision", ""),
    ],
)
def test_what_is_owed_by_a_day_or_undecided_is_an_item(memory: Memory, text: str, predicate: str, due: str) -> None:
    assert [(each[0], each[2]) for each in read(memory, text)] == [(predicate, due)]


@pytest.mark.parametrize(
    "text",
    [
        "My rent is 950 from March.",  # the last one or the next
        "My best friend is awesome.",
        "My favourite colour might be green.",
        "My favourite colour is not green.",
        "I promised nothing.",
        "The rent is too high.",
        "Insurance renews on 1 September.",
        "Rumour says, Ben lives in Oslo.",
        "In my dream, Ben lives in Oslo.",
        "Omar doesn't owe us the lease by Friday.",
        "Does Omar owe us the lease by Friday?",
        "Omar owes us the rent from May.",
        "The default branch is broken.",
        "Mia Berg is our former manager.",
        "Mia Berg was my sister.",
        "Mia Berg is our last hope.",
        "My mother lives in the past.",
        "Mia Berg joined Globex in March 2024 but left.",
        "My boss works at night.",
        "I will be home tomorrow.",
        "I'll be in Berlin next week.",
        "Mia Berg will be back on Monday.",
        "We pin all versions and update them on the first Monday of the month.",
        "I'll check the filters on the last day of each month.",
        "We keep the passports in the blue box.",
        "Don't use mocks in the tests, start a real database.",
    ],
)
def test_no_fact_is_read_where_none_is_stated(memory: Memory, text: str) -> None:
    assert read(memory, text) == []


@pytest.mark.parametrize(
    ("text", "since"),
    [
        ("The board approved the budget on 3 May.", "2026-05-03"),
        ("The board approved the budget on Monday.", "2026-05-18"),
        ("We decided on 3 May to sell the boat.", "2026-05-03"),
        ("We decided to launch on 3 March.", "2027-03-03"),
        ("We agreed on 14 June for the party.", "2026-06-14"),
    ],
)
def test_a_decision_lies_behind_and_what_was_decided_ahead(memory: Memory, text: str, since: str) -> None:
    assert [(each[0], each[2]) for each in read(memory, text)] == [("decision", since)]


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("Mia Berg went to Harvard from 2010 to 2014.", "2010-01-01..2014-12-31"),
        ("I painted the fence between 3 and 7 May.", "2026-05-03..2026-05-07"),
        ("We decided to rent the hall from June to August.", "2026-06-01..2026-08-31"),
    ],
)
def test_of_a_range_of_days_neither_end_is_dropped(memory: Memory, text: str, bounds: str) -> None:
    assert [found for *_, found in read(memory, text)] == [bounds]


def homes(memory: Memory, *texts: str) -> list[tuple[str, str]]:
    for text in texts:
        remember(memory, text=text)
    found = Agent(memory).do("recall", query="where do my mother and my sister live", kinds=["facts"])["results"]
    return sorted((each["text"], each["state"]) for each in found)


def test_an_unnamed_person_who_moved_lives_elsewhere_now(memory: Memory) -> None:
    found = homes(memory, "My mother lives in Porto.", "My mother moved to Faro.")
    assert found == [("My mother lives in Faro", "current"), ("My mother lives in Porto", "stale")]


def test_two_sisters_may_live_in_two_places(memory: Memory) -> None:
    found = homes(memory, "My sister lives in Porto.", "My sister lives in Rome.", "My sister moved to Bonn.")
    assert [state for _, state in found] == ["current"] * 3


def test_what_is_told_once_a_name_is_known_is_told_of_that_person(memory: Memory) -> None:
    remember(memory, text="My mother is Rosa Diaz.")
    assert read(memory, "My mother lives in Faro.") == [("lives_in", "Rosa Diaz lives in Faro", "")]


@pytest.mark.parametrize(
    ("before", "told"),
    [
        ("Mia Berg works at Globex.", "Mia Berg works at Initech now."),
        ("I use Vim.", "I use Zed now."),
        ("My dentist is Mia Berg.", "My new dentist is Eva Lang."),
        ("Mia Berg is our CTO.", "Eva Lang is our new CTO."),
    ],
)
def test_what_is_new_or_so_now_replaces_what_was(memory: Memory, before: str, told: str) -> None:
    remember(memory, text=before, source_at="2026-05-01")
    [fact] = remember(memory, text=told)["facts"]
    assert (fact["outcome"], [each["state"] for each in fact["replaced"]]) == ("replaced", ["ended"])


def test_the_other_half_of_a_sentence_is_listed_if_it_was_not_read(memory: Memory) -> None:
    result = remember(memory, text="Mia Berg's salary was 50k until 2024 and is about to be doubled.")
    assert [fact["until"] for fact in result["facts"]] == ["2024"]
    assert result["not_understood"] == ["is about to be doubled."]
