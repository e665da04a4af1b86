"""Prose that tells of a relation by its edge: what was not so until a time, what ceased, what is told in passing."""

import pytest

from tests.surfaces.lore_engine.prose_worlds import holds, ta, tell
from tests.surfaces.lore_engine.telling_tools import Builder

REIGN = ("Ysmay", "Eastmark")


@pytest.mark.parametrize(
    "sentence",
    [
        "Not until 312 TA was Marrow allied with the Crimson Pact.",
        "Marrow was not allied with the Crimson Pact until 312 TA.",
        "Only from 312 TA was Marrow allied with the Crimson Pact.",
        "It was not until 312 TA that Marrow became allied with the Crimson Pact.",
    ],
)
def test_what_was_not_so_until_a_time_is_so_from_then_on(invented: Builder, sentence: str) -> None:
    said = tell(invented, sentence)
    assert (said["relations_created"], said["skipped"]) == (1, [])
    assert [holds(invented, at) for at in ta(1, 311, 313, 500)] == [False, False, True, True]


@pytest.mark.parametrize("sentence", ["Not until 1553 did Ysmay marry Corin.", "Ysmay did not marry Corin until 1553."])
def test_who_did_not_marry_until_a_year_married_then(real: Builder, sentence: str) -> None:
    assert tell(real, sentence)["relations_created"] == 1
    asked = [holds(real, at, relation="SPOUSE_OF", ends=("Ysmay", "Corin")) for at in ("1552", "1554")]
    assert asked == [False, True]


@pytest.mark.parametrize(
    "sentence",
    [
        "Marrow ceased to be allied with the Crimson Pact in 345 TA.",
        "In 345 TA Marrow stopped being an ally of the Crimson Pact.",
        "From 345 TA on Marrow was no longer allied with the Crimson Pact.",
        "Marrow was allied with the Crimson Pact until 345 TA but not afterwards.",
    ],
)
def test_what_ceased_at_a_time_was_over_then(invented: Builder, sentence: str) -> None:
    assert tell(invented, sentence)["relations_created"] == 1
    assert [holds(invented, at) for at in ta(344, 346, 500)] == [True, False, False]


@pytest.mark.parametrize(
    "sentence",
    [
        "Marrow was not allied with the Crimson Pact from 312 until 345 TA.",
        "Not until 312 TA was Marrow not allied with the Crimson Pact.",
        "Marrow ceased to be allied with the Crimson Pact before 345 TA.",
        "Marrow has not ceased to be allied with the Crimson Pact since 312 TA.",
        "Marrow ceased to be allied with the Crimson Pact.",
        "Marrow was no longer allied with the Crimson Pact.",
        "Marrow was still allied with the Crimson Pact.",
        "Marrow was allied with the Crimson Pact 310 to 312 years.",
        "By 345 TA Marrow was no longer allied with the Crimson Pact.",
        "From 312 to 345 TA Marrow was no longer allied with the Crimson Pact.",
        "It was not Marrow that was allied with the Crimson Pact from 312 to 345 TA.",
        "At no time from 312 TA to 345 TA was Marrow allied with the Crimson Pact.",
        "As long as King Osric rules Vale, Marrow is allied with the Crimson Pact.",
    ],
)
def test_an_edge_that_is_not_clear_makes_nothing_true(invented: Builder, sentence: str) -> None:
    assert tell(invented, sentence)["relations_created"] == 0
    assert not any(holds(invented, at) for at in ta(1, 300, 320, 345, 500))


@pytest.mark.parametrize(
    "sentence",
    [
        "Ysmay, who ruled Eastmark from 312 TA till 345 TA, built nothing that still stands.",
        "Ysmay, queen of Eastmark from 312 to 345 TA, was the first to strike coin.",
        "Ysmay (queen of Eastmark 312–45 TA) died in her bed.",
        "Ysmay, who from 312 TA to 345 TA ruled Eastmark, never married.",
        "Ysmay, having ruled Eastmark from 312 TA to 345 TA, retired to a hut.",
        "Eastmark, which Ysmay ruled from 312 TA to 345 TA, lies in the north.",
        "Eastmark, ruled by Ysmay from 312 TA to 345 TA, lies in the north.",
        "It was Ysmay who ruled Eastmark from 312 TA to 345 TA.",
        "Ysmay ruled Eastmark 312 TA – 345 TA.",
        "Ysmay ruled Eastmark from 312 TA to 345 TA inclusive.",
        "For thirty-three years from 312 TA onward Ysmay ruled Eastmark.",
        "Ysmay was crowned queen of Eastmark in 312 TA and died in 345 TA.",
        "Ysmay came to the throne of Eastmark in 312 TA and was deposed in 345 TA.",
        "Ysmay began to rule Eastmark in 312 TA and ceased to rule it in 345 TA.",
        "Ysmay ruled Eastmark from 312 TA until her death thirty-three years later.",
        "Ysmay held the throne of Eastmark from 312 TA until 345 TA.",
        "The reign of Ysmay over Eastmark ran from 312 TA to 345 TA.",
        "Ysmay's reign over Eastmark, begun in 312 TA, ended in 345 TA.",
        "Ysmay had ruled Eastmark since 312 TA; in 345 TA she abdicated.",
        "In 312 TA Ysmay ruled Eastmark, a reign that lasted until 345 TA.",
    ],
)
def test_a_reign_told_in_passing_has_its_own_time(invented: Builder, sentence: str) -> None:
    said = tell(invented, sentence)
    assert (said["relations_created"], said["skipped"]) == (1, [])
    asked = [holds(invented, at, relation="RULES", ends=REIGN) for at in ta(311, 312, 345, 346)]
    assert asked == [False, True, True, False]


@pytest.mark.parametrize(
    ("when", "inside", "outside"),
    [
        ("For the whole of 312 TA", ta(312), ta(311, 313)),
        ("Throughout the entire fourth century of the Third Age", ta(301, 400), ta(300, 401)),
        ("Already in 312 TA", ta(312), ta(311, 313)),
        ("When the Breaking came", ta(330), ta(329, 331)),
        ("Through 345 TA and no further", ta(345), ta(346)),
        ("Under King Osric of Vale", ta(290, 320), ta(289, 321)),
    ],
)
def test_a_time_ahead_of_the_subject_is_the_whole_time(
    invented: Builder, when: str, inside: list[str], outside: list[str]
) -> None:
    assert tell(invented, f"{when} Marrow and the Crimson Pact stood allied.")["relations_created"] == 1
    assert [holds(invented, at) for at in inside] == [True] * len(inside)
    assert [holds(invented, at) for at in outside] == [False] * len(outside)


def test_a_membership_that_began_and_ended_has_both_its_times(real: Builder) -> None:
    assert tell(real, "Ysmay's membership of Marrow, which began in 1553, ended in 1558.")["relations_created"] == 1
    asked = [holds(real, at, relation="MEMBER_OF", ends=("Ysmay", "Marrow")) for at in ("1552", "1553", "1558", "1559")]
    assert asked == [False, True, True, False]


@pytest.mark.parametrize(
    "sentence",
    [
        "Ysmay, who ruled Eastmark from 312 TA till 345 TA, lost it in 330 TA.",
        "Ysmay, queen of Eastmark from 312 to 345 TA in the old songs, wept.",
        "Ysmay, queen of Eastmark from 312 to 345 TA, never lived.",
        "Ysmay, who claimed to be queen of Eastmark until 345 TA, wept.",
        "Ysmay ruled Eastmark from 312 TA until her brother died nine years later.",
    ],
)
def test_a_reign_that_the_sentence_takes_back_holds_at_no_time(invented: Builder, sentence: str) -> None:
    assert tell(invented, sentence)["relations_created"] == 0
    assert not any(holds(invented, at, relation="RULES", ends=REIGN) for at in ta(1, 312, 320, 345))
