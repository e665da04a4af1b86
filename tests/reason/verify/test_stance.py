"""How evidence stands to a claim: agreement, and everything that turns it round."""

import pytest
from tests.reason.verify.test_claim_reading import ADA, BO, reading

from recollect.reason.verify.stance import compare, has_claimed_words, stance


def judged(claim: str, evidence: str, standing: str = "current") -> tuple[int, str | None]:
    asked = reading(claim, Ada=ADA, Bo=BO)
    found = stance(asked, compare(asked, reading(evidence, Ada=ADA, Bo=BO)), standing)  # type: ignore[arg-type]
    return found.sign, found.reason


@pytest.mark.parametrize(
    ("claim", "evidence", "expected"),
    [
        ("Ada accepted the offer", "Ada has accepted our offer", (1, "agrees")),
        ("Ada accepted the offer", "Ada declined the offer", (-1, "antonym")),
        ("Ada did not accept the offer", "Ada declined the offer", (1, "agrees")),
        ("Ada did not accept the offer", "Ada did not accept the offer", (1, "agrees")),
        ("Ada plays the fiddle", "Ada stopped playing the fiddle", (-1, "negation")),
        ("Ada stopped playing the fiddle", "Ada plays the fiddle", (-1, "negation")),
        ("Ada started the engine", "Ada stopped the engine", (-1, "antonym")),
        ("Tea comes before coffee", "Coffee comes before tea", (-1, "swapped")),
        ("Tea comes before coffee", "Coffee comes after tea", (1, "agrees")),
        ("Tea is better than nothing", "Milk is white", (0, None)),
        ("The boat holds 9 people", "The boat holds 12 people", (-1, "number")),
        ("The boat does not hold 9 people", "The boat holds 12 people", (0, None)),
        ("The boat came in 2019", "The boat came in June 2019", (1, "agrees")),
        ("The boat came in 2019", "The boat came in June 2020", (-1, "date")),
        ("Ada knows the song well", "Bo knows the song well", (0, None)),
    ],
)
def test_a_stance_and_its_reason(claim: str, evidence: str, expected: tuple[int, str | None]) -> None:
    assert judged(claim, evidence) == expected


@pytest.mark.parametrize(
    ("claim", "standing", "expected"),
    [
        ("Ada works there", "ended", (-1, "ended")),
        ("Ada works there", "superseded", (-1, "superseded")),
        ("Ada worked there", "ended", (1, "past")),
        ("Ada does not work there", "ended", (0, None)),
        ("Ada did not work there", "ended", (-1, "negation")),
    ],
)
def test_what_no_longer_stands_counts_by_tense(claim: str, standing: str, expected: tuple[int, str | None]) -> None:
    assert judged(claim, "Ada works there", standing) == expected


def test_prose_that_lacks_the_very_thing_claimed_says_nothing() -> None:
    asked = reading("The old mill was sold to a baker")
    assert not has_claimed_words(asked, reading("The old mill was sold to a miller"))
    assert has_claimed_words(asked, reading("The mill was sold to a baker"))
    assert not has_claimed_words(reading("The Swiss mill was sold"), reading("The old mill was sold"))
    assert has_claimed_words(reading("The mill never stopped"), reading("The mill started"))
