"""When a source spoke and where it stands, as lines write it."""

import pytest

from recollect.ingest.fields import BadLine
from recollect.ingest.statements import parse_instant
from recollect.memory import Memory
from recollect.when.instant import Instant

SPOKEN = Instant(1_773_483_720_000_000)
FORMS = (
    "2026-03-14T10:22:00Z",
    "2026-03-14T10:22:00.000Z",
    "2026-03-14T10:22:00.000000+00:00",
    "2026-03-14T11:22:00+01:00",
    "2026-03-14T11:22:00+0100",
    "2026-03-13T22:22:00.0-12:00",
    "2026-03-14T10:22Z",
    "2026-03-14T10:22:00",
    " 2026-03-14T10:22:00Z ",
)
NO_SUCH_TIME = (
    "2026-02-30T10:22:00Z",
    "2026-03-14T25:00:00Z",
    "2026-03-14T10:61:00+01:00",
    "2026-03-14T10:22:00+01:60",
    "2026-03-14T10:22:00+24:00",
    "2026-03-14T::::::::Z",
)


@pytest.mark.parametrize("text", FORMS)
def test_an_instant_is_the_same_in_whatever_form_it_is_written(memory: Memory, text: str) -> None:
    with memory.write() as change:
        assert parse_instant(change, text, "source_at") == SPOKEN


def test_a_day_is_said_at_its_start(memory: Memory) -> None:
    with memory.write() as change:
        midnight = parse_instant(change, "2026-03-14T00:00:00Z", "source_at")
        assert [parse_instant(change, "2026-03-14", "source_at") for _ in range(2)] == [midnight, midnight]


@pytest.mark.parametrize("text", NO_SUCH_TIME)
def test_a_time_that_no_clock_shows_is_refused(memory: Memory, text: str) -> None:
    with memory.write() as change, pytest.raises(BadLine, match="source_at"):
        parse_instant(change, text, "source_at")


def test_the_last_second_of_a_day_may_be_a_leap_second(memory: Memory) -> None:
    with memory.write() as change:
        following = parse_instant(change, "2027-01-01T00:00:00Z", "source_at")
        assert parse_instant(change, "2026-12-31T23:59:60Z", "source_at") == following
