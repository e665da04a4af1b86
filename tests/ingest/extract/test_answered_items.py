"""Which items a later report closes or moves: by thread, words and names."""

from pathlib import Path

import pytest
from tests.ingest.records import Json, Reading, email, everything

from recollect.memory import Memory

LEE = "Lee Park <lee@harrow-bridge.example>"
MARCUS = "Marcus Webb <marcus@harrow-bridge.example>"


@pytest.fixture
def read(memory: Memory, tmp_path: Path) -> Reading:
    return Reading(memory, tmp_path / "records.jsonl")


def reply(key: str, content: str, at: str, thread: str = "t1") -> Json:
    return email(key, content, at, sender=LEE, recipients=[MARCUS], thread_id=thread)


def items(memory: Memory) -> dict[str, bool]:
    """Whether each commitment and request is still open."""
    found = [each.fact for each in everything(memory) if each.fact.fact_type in ("commitment", "request")]
    return {str(each.words): not each.stale for each in found}


ASKED = email("e1", "Please send the signed contract by Friday.", "2026-03-11T09:00:00Z", thread_id="t1")
ASK = "Marcus Webb: Please send the signed contract by Friday."


def test_a_bare_done_in_a_reply_closes_the_only_open_request(read: Reading) -> None:
    read(ASKED, reply("e2", "Done, sorry for the wait.", "2026-03-12T09:00:00Z"))
    assert items(read.memory)[ASK] is False


def test_a_bare_done_in_another_thread_closes_nothing(read: Reading) -> None:
    read(ASKED, reply("e2", "Done, sorry for the wait.", "2026-03-12T09:00:00Z", "t2"))
    assert items(read.memory)[ASK] is True


def test_a_bare_done_between_two_open_requests_closes_neither(read: Reading) -> None:
    other = email("e1b", "Please book the red room by Friday.", "2026-03-11T10:00:00Z", thread_id="t1")
    read(ASKED, other, reply("e2", "Done.", "2026-03-12T09:00:00Z"))
    assert list(items(read.memory).values()) == [True, True]


def test_a_report_about_the_same_thing_closes_the_item(read: Reading) -> None:
    read(ASKED, reply("e2", "The contract is attached.", "2026-03-12T09:00:00Z"))
    assert items(read.memory)[ASK] is False


def test_the_order_of_arrival_does_not_matter(read: Reading) -> None:
    read(reply("e2", "The contract is attached.", "2026-03-12T09:00:00Z"))
    read(ASKED)
    assert items(read.memory)[ASK] is False


def test_an_earlier_report_closes_nothing(read: Reading) -> None:
    read(reply("e2", "The contract is attached.", "2026-03-10T09:00:00Z"), ASKED)
    assert items(read.memory)[ASK] is True


def test_a_partial_completion_closes_nothing(read: Reading) -> None:
    read(
        email("e1", "Please send the 4 contracts by Friday.", thread_id="t1"),
        reply("e2", "I have sent 2 of the 4 contracts.", "2026-03-12T09:00:00Z"),
    )
    assert list(items(read.memory).values()) == [True]


def test_the_closing_fact_is_named_and_its_withdrawal_opens_the_item_again(read: Reading) -> None:
    read(ASKED, reply("e2", "The contract is attached.", "2026-03-12T09:00:00Z"))
    [asked] = [each.fact for each in everything(read.memory) if each.fact.fact_type == "request"]
    [done] = [each.fact for each in everything(read.memory) if each.fact.fact_type == "completion"]
    assert asked.replaced_by == done.id
    read(reply("e2", "Hello again.", "2026-03-12T09:00:00Z"))
    assert items(read.memory)[ASK] is True


def test_a_new_date_for_the_same_thing_moves_it(read: Reading) -> None:
    read(
        email("e1", "I will send the cost sheet for the depot by Wednesday.", "2026-03-09T09:00:00Z", thread_id="t1"),
        email("e2", "I will send the cost sheet for the depot by Friday.", "2026-03-10T09:00:00Z", thread_id="t1"),
    )
    [old, new] = [each.fact for each in everything(read.memory) if each.fact.fact_type == "commitment"]
    assert (old.stale, old.replaced_by, new.stale) == (True, new.id, False)
