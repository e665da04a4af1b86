"""Every form of date that family trees write, in every spelling of the table."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import Refused
from recollect.ingest.gedcom.dates import GedcomDate, parse_date
from recollect.when.instant import Instant, read_zone
from recollect.when.parse import read_time
from recollect.when.timeline import Timeline

GREGORIAN = Timeline("gregorian", read_zone("UTC"))

POINTS = [
    ("17 MAR 1848", "1848-03-17"),
    ("17 mar 1848", "1848-03-17"),
    (" 17   Mar  1848 ", "1848-03-17"),
    ("17MAR1848", "1848-03-17"),
    ("7 MAR 1848", "1848-03-07"),
    ("MAR 1848", "1848-03"),
    ("March 1848", "1848-03"),
    ("SEPT 1848", "1848-09"),
    ("1848", "1848"),
    ("850", "0850"),
    ("44", "0044"),
    ("ABT 1848", "1848~"),
    ("abt 1848", "1848~"),
    ("ABT. 1848", "1848~"),
    ("ABT1848", "1848~"),
    ("ABOUT 1848", "1848~"),
    ("CIRCA 1848", "1848~"),
    ("ABT MAR 1848", "1848-03~"),
    ("ABT 17 MAR 1848", "1848-03-17~"),
    ("CAL 1850", "[1849..1851]"),
    ("CAL 17 MAR 1850", "[1849..1851]"),
    ("EST 1850", "[1840..1860]"),
    ("est mar 1850", "[1840..1860]"),
    ("BEF 1850", "[..1849]"),
    ("BEF MAR 1850", "[..1850-02]"),
    ("BEF JAN 1850", "[..1849-12]"),
    ("BEF 1 MAR 1850", "[..1850-02-28]"),
    ("BEF 1 MAR 1852", "[..1852-02-29]"),
    ("BEFORE 1850", "[..1849]"),
    ("AFT 1850", "[1851..]"),
    ("AFT DEC 1850", "[1851-01..]"),
    ("AFT 31 DEC 1850", "[1851-01-01..]"),
    ("AFTER 1850", "[1851..]"),
    ("BET 1840 AND 1850", "[1840..1850]"),
    ("bet mar 1840 and 17 apr 1841", "[1840-03..1841-04-17]"),
    ("BET1840AND1850", "[1840..1850]"),
    ("BETWEEN 1840 AND 1850", "[1840..1850]"),
    ("FROM 1840 TO 1850", "[1840..1850]"),
    ("FROM 1840", "[1840..]"),
    ("TO 17 MAR 1850", "[..1850-03-17]"),
    ("11 FEB 1731/32", "1732-02-11"),
    ("1731/2", "1732"),
    ("1731-32", "1732"),
    ("1731-1732", "1732"),
    ("1731/1732", "1732"),
    ("1699/00", "1700"),
    ("1739/40", "1740"),
    ("ABT 1103/1104", "1104~"),
    ("44 B.C.", "bce.year_44"),
    ("44 BC", "bce.year_44"),
    ("44 BCE", "bce.year_44"),
    ("44B.C.", "bce.year_44"),
    ("15 MAR 44 B.C.", "bce.year_44.month_3.day_15"),
    ("BEF 44 BC", "[..bce.year_45]"),
    ("AFT 1 BC", "[0001..]"),
    ("CAL 1 BCE", "[bce.year_2..0001]"),
    ("@#DGREGORIAN@ 17 MAR 1848", "1848-03-17"),
    ("GREGORIAN 17 MAR 1848", "1848-03-17"),
]

KEPT = [
    ("INT 1848 (a family bible)", "1848"),
    ("INT 17 MAR 1848 (Saint Patrick)", "1848-03-17"),
    ("@#DJULIAN@ 25 DEC 1066", "1066-12-31"),
    ("JULIAN 25 DEC 1066", "1066-12-31"),
    ("@#djulian@ 11 feb 1731/32", "1732-02-22"),
    ("@#DJULIAN@ MAR 1700", "[1700-03-12..1700-04-11]"),
    ("@#DJULIAN@ ABT 1700", "[1695-01-11..1706-01-11]"),
    ("@#DJULIAN@ BET 1 JAN 1700 AND 3 FEB 1701", "[1700-01-11..1701-02-14]"),
    ("@#DJULIAN@ 1700", "[1700-01-11..1701-01-11]"),
    ("@#DJULIAN@ 15 MAR 44 B.C.", "bce.year_44.month_3.day_13"),
    ("BEF @#DJULIAN@ 1700", "[..1700-01-10]"),
    ("AFT @#DJULIAN@ 1700", "[1701-01-12..]"),
    ("ABT @#DJULIAN@ 25 DEC 1066", "1066-12-31~"),
    ("BET @#DJULIAN@ 1 JAN 1700 AND @#DJULIAN@ 1701", "[1700-01-11..1702-01-11]"),
    ("@#DHEBREW@ 1 TSH 5700", "1939-09-14"),
    ("HEBREW 1 TSH 5700", "1939-09-14"),
    ("@#DHEBREW@ 2 ADS 5606", "1846-02-28"),
    ("@#DHEBREW@ 5700", "[1939-09-14..1940-10-02]"),
    ("@#DFRENCH R@ 18 BRUM 8", "1799-11-09"),
    ("FRENCH_R 18 BRUM 8", "1799-11-09"),
    ("@#DFRENCH R@ 9 THER 2", "1794-07-27"),
    ("@#DFRENCH R@ 8", "[1799-09-23..1800-09-22]"),
    ("@#DFRENCH R@ COMP 8", "[1800-09-18..1800-09-22]"),
]

UNREAD = [
    "(about the time of the fair)",
    "<unknown>",
    "unknown",
    "Y",
    "10 JAN",
    "30 FEB 1848",
    "31 APR 1900",
    "1056/1060",
    "1731-35",
    "17 MARZ 1848",
    "@#DROMAN@ 4",
    "@#DUNKNOWN@ 1848",
    "@#DHEBREW@ 1 MAR 5700",
    "BET 1840",
    "FROM 1850 TO 1840",
    "ABT",
    "1848-03-17T",
    "0",
    "17 MAR",
    "32 MAR 1848",
]


@pytest.mark.parametrize(("written", "point"), POINTS)
def test_a_date_is_read(written: str, point: str) -> None:
    found = parse_date(written)
    assert (found.point, found.is_unread, found.kept) == (point, False, None)


@pytest.mark.parametrize(("written", "point"), KEPT)
def test_a_date_that_says_more_than_its_time_is_kept_too(written: str, point: str) -> None:
    assert (parse_date(written).point, parse_date(written).kept) == (point, written)


@pytest.mark.parametrize("written", UNREAD)
def test_what_is_no_date_is_kept_as_text(written: str) -> None:
    assert parse_date(written) == GedcomDate(kept=written, is_unread=True)


@pytest.mark.parametrize(("written", "point"), POINTS + KEPT)
def test_every_time_is_in_canonical_form(written: str, point: str) -> None:
    assert read_time(point, GREGORIAN, Instant(0)).text == point, written


def test_a_duration_has_two_ends() -> None:
    for written, ends in {
        "FROM 1840 TO MAR 1850": ("1840", "1850-03"),
        "FROM 1840": ("1840", None),
        "TO 1850": (None, "1850"),
        "1850": ("1850", "1850"),
    }.items():
        found = parse_date(written)
        assert (found.start, found.end) == ends


def test_an_empty_date_says_nothing() -> None:
    assert parse_date("  ") == GedcomDate()


_words = st.sampled_from(
    "ABT BEF AFT BET AND FROM TO INT CAL EST @#DJULIAN@ @#DHEBREW@ JULIAN FRENCH_R MAR 17 1848 1731/32 44 B.C. (x) 0 "
    "99".split()
)


@given(st.one_of(st.text(max_size=40), st.lists(_words, max_size=7).map(" ".join)))
def test_whatever_is_written_is_a_time_or_a_text(written: str) -> None:
    found = parse_date(written)
    for text in (found.start, found.end, found.point):
        if text is not None:
            try:
                assert read_time(text, GREGORIAN, Instant(0)).text == text
            except Refused as problem:
                raise AssertionError(f"{written!r} became {text!r}: {problem}") from problem
