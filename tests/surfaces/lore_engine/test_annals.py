"""Chronicles: times of headings and entries, periods that something lasted until, and lives told in passing."""

import pytest

from tests.surfaces.lore_engine.prose_worlds import holds, ta, tell
from tests.surfaces.lore_engine.telling_tools import Builder

RULE = ("Corin", "Eastmark")


@pytest.mark.parametrize(
    "entry",
    [
        "## 1641\n\nCorin ruled Eastmark.", "# Anno 1641\n\nCorin ruled Eastmark.", "1641: Corin ruled Eastmark.",
        "### The year 1641\n\n- Corin ruled Eastmark.", "[1641] Corin ruled Eastmark.",
        "A.D. 1641. Corin ruled Eastmark.",
        "## 1641\n\nA cold spring.\n\n### At court\n\nCorin ruled Eastmark.", "**1641** Corin ruled Eastmark.",
        "## 1641\n\nMarrow was allied with the Crimson Pact until 1702.\n\nCorin ruled Eastmark.",
    ],
)  # fmt: skip
def test_the_time_of_an_entry_is_that_of_what_it_tells(real: Builder, entry: str) -> None:
    tell(real, entry)
    assert [holds(real, at, relation="RULES", ends=RULE) for at in ("1640", "1641", "1642")] == [False, True, False]


def test_a_heading_holds_until_the_next_of_its_level(real: Builder) -> None:
    tell(real, "## 1641\n\nCorin ruled Eastmark.\n\n## Of the moors\n\nMarrow was allied with the Crimson Pact.")
    assert not holds(real, "1700", relation="RULES", ends=RULE)
    assert holds(real, "1700")


def test_what_says_its_own_time_does_not_take_that_of_the_heading(real: Builder) -> None:
    tell(real, "## 1641\n\nMarrow was allied with the Crimson Pact from 1650 to 1660.")
    assert [holds(real, at) for at in ("1641", "1655")] == [False, True]


@pytest.mark.parametrize("heading", ["## Chapter 12", "## The wars of Corin", "## Ysmay"])
def test_a_heading_that_is_no_time_changes_nothing(real: Builder, heading: str) -> None:
    tell(real, f"{heading}\n\nMarrow was allied with the Crimson Pact.")
    assert holds(real, "1700")


@pytest.mark.parametrize(
    ("words", "last"),
    [
        ("until the Fourth Age", 500), ("up to the Fourth Age", 500), ("until the reign of King Osric", 290),
        ("from 200 TA to the Fourth Age", 500), ("until 320 TA", 320),
        ("until the third century of the Third Age", 201),
    ],
)  # fmt: skip
def test_what_lasted_until_a_period_ended_as_it_began(invented: Builder, words: str, last: int) -> None:
    tell(invented, f"Marrow was allied with the Crimson Pact {words}.")
    after = ["fourth_age.year_20"] if last == 500 else ta(last + 1)
    assert [holds(invented, at) for at in (*ta(last), *after)] == [True, False]


@pytest.mark.parametrize("told", ["Corin (260–310 TA)", "Corin, who died in 310 TA,"])
def test_nobody_rules_after_a_death_that_is_told_in_passing(invented: Builder, told: str) -> None:
    tell(invented, f"{told} ruled Eastmark from 300 TA.")
    assert [holds(invented, at, relation="RULES", ends=RULE) for at in ta(299, 305, 311)] == [False, True, False]
