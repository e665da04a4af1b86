import pytest
from tests.when.worlds import BERLIN

from recollect.when.as_of import AsOfMoment, AtInstant, AtTransaction, parse_as_of
from recollect.when.instant import Instant, read_instant
from recollect.when.time_errors import BadTime


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (7, AtTransaction(7)),
        (0, AtTransaction(0)),
        ("7", AtTransaction(7)),
        ("2024", AtTransaction(2024)),
        ("tx:12", AtTransaction(12)),
        ("TX: 12", AtTransaction(12)),
        (" 12 ", AtTransaction(12)),
        ("2026-03-29", AtInstant(Instant(read_instant("2026-03-29T22:00:00Z", BERLIN) - 1))),
        ("2026-03-29T10:00:00Z", AtInstant(read_instant("2026-03-29T10:00:00Z", BERLIN))),
        ("2026-03-29T12:00:00", AtInstant(read_instant("2026-03-29T10:00:00Z", BERLIN))),
    ],
)
def test_a_moment_of_knowing_is_a_number_an_instant_or_the_end_of_a_local_day(
    value: int | str, expected: AsOfMoment
) -> None:
    assert parse_as_of(value, BERLIN) == expected


@pytest.mark.parametrize("value", [-1, True, "", "tx:", "-3", "yesterday", "2026-03", "2026-02-30", "1.5"])
def test_anything_else_is_refused(value: int | str) -> None:
    with pytest.raises(BadTime):
        parse_as_of(value, BERLIN)


@pytest.mark.parametrize("value", [10**18, 2**63, 10**400, "9" * 19, "tx:" + "9" * 5000])
def test_a_number_beyond_all_transactions_stands_for_the_last(value: int | str) -> None:
    assert parse_as_of(value, BERLIN) == AtTransaction(10**18)


def test_leading_zeros_make_no_other_number() -> None:
    assert parse_as_of("0" * 30 + "7", BERLIN) == AtTransaction(7)
