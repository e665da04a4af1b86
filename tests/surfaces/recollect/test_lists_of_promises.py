"""Who is first named in a list item promises, as at the start of a text; what things will do is no promise."""

import pytest

from recollect.memory import Memory
from tests.surfaces.recollect.test_changing import Agent

MINUTES = """Notes from Monday's sync:
- Lena will send the contract by 1 June 2026
- Omar to check the invoice numbers before 5 June 2026
1. Dr. Ito will send the results
"""


def test_each_item_of_a_list_is_the_promise_of_whom_it_names(memory: Memory) -> None:
    Agent(memory).do("remember", text=MINUTES)
    items = Agent(memory).do("open_items")["items"]
    assert [(each["text"], each.get("due")) for each in items] == [
        ("Lena will send the contract by 1 June 2026", "2026-06-01"),
        ("Omar to check the invoice numbers before 5 June 2026", "2026-06-04"),
        ("Dr. Ito will send the results", None),
    ]
    assert [each["text"] for each in Agent(memory).do("open_items", owner="Omar")["items"]] == [items[1]["text"]]


def test_a_line_without_a_mark_is_read_as_well(memory: Memory) -> None:
    told = Agent(memory).do("remember", text="Sunny at the station\nAnna will bring the tickets by 1 June 2026")
    assert [each["text"] for each in told["facts"]] == ["Anna will bring the tickets by 1 June 2026"]


@pytest.mark.parametrize(
    "text",
    [
        "- Milk will go bad by Friday",
        "Rent will go up on 1 June 2026.",
        "- Shipping will take about two weeks",
        "- Berlin will be hot by Friday",
    ],
)
def test_what_happens_by_itself_is_no_promise(memory: Memory, text: str) -> None:
    Agent(memory).do("remember", text=text)
    assert Agent(memory).do("open_items")["items"] == []


def test_a_person_who_takes_days_off_promises(memory: Memory) -> None:
    [told] = Agent(memory).do("remember", text="- Omar will take two weeks off in June")["facts"]
    assert told["predicate"] == "commitment"


@pytest.mark.parametrize(
    ("text", "predicate"),
    [
        ("Invoice 2041 is paid.", "completion"),
        ("I paid invoice 2041.", "completion"),
        ("Ticket 17 was resolved.", "resolution"),
        ("Order 88 has been cancelled.", "cancellation"),
    ],
)
def test_a_thing_with_a_number_is_particular(memory: Memory, text: str, predicate: str) -> None:
    [told] = Agent(memory).do("remember", text=text)["facts"]
    assert told["predicate"] == predicate


@pytest.mark.parametrize("text", ["Invoice 2041 is not paid.", "Is invoice 2041 paid?", "I paid 50 euros."])
def test_what_is_denied_asked_or_a_sum_is_no_report(memory: Memory, text: str) -> None:
    assert Agent(memory).do("remember", text=text)["facts"] == []
