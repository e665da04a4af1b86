import pytest
from tests.when.worlds import NOW

from recollect.when.clock import FixedClock, SystemClock, clock_from
from recollect.when.time_errors import BadTime


def test_a_fixed_clock_stands_still() -> None:
    clock = clock_from("2026-03-18T12:00:00Z")
    assert clock == FixedClock(NOW)
    assert clock.now() == clock.now() == NOW


def test_a_fixed_clock_without_an_offset_is_in_utc() -> None:
    assert clock_from("2026-03-18T12:00:00").now() == NOW


@pytest.mark.parametrize("text", [None, ""])
def test_without_a_text_the_machine_tells_the_time(text: str | None) -> None:
    clock = clock_from(text)
    assert clock == SystemClock()
    assert clock.now() <= clock.now()


def test_a_wrong_text_is_refused_by_the_name_of_its_setting_rather_than_ignored() -> None:
    with pytest.raises(BadTime, match="RECOLLECT_NOW takes"):
        clock_from("noon")
