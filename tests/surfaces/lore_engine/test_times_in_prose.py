"""Times that prose attaches to a relation: read into its bounds, or the sentence is reported and holds at no time."""

import pytest

from recollect.ingest.lore.prose_rereading import reread_pending_prose
from recollect.model.fact import TIME_TEXT
from recollect.model.names import fold
from recollect.store.activity_queries import entities_ever_named
from tests.surfaces.lore_engine.prose_worlds import PAIR, covers, holds, ta, tell
from tests.surfaces.lore_engine.telling_tools import Builder


@pytest.mark.parametrize(
    ("when", "inside", "outside"),
    [
        ("until 345 TA", ta(300, 345), ta(346)),
        ("till 345 TA", ta(345), ta(346)),
        ("between 312 TA and 345 TA", ta(312, 345), ta(311, 346)),
        ("between 312 and 345 TA", ta(312, 345), ta(311, 346)),
        ("from 312 TA to 345", ta(312, 345), ta(311, 346)),
        ("from 312 until 345 of the Third Age", ta(312, 345), ta(311, 346)),
        ("312–345 TA", ta(312, 345), ta(311, 346)),
        ("(312-345 TA)", ta(312, 345), ta(311, 346)),
        ("from TA 490 to FO 12", ["third_age.year_495", "fourth_age.year_12"], ["fourth_age.year_13", *ta(489)]),
        ("since 312 TA", ta(312, 500), ta(311)),
        ("from 312 TA onwards", ta(312, 500), ta(311)),
        ("before 312 TA", ta(311), ta(312)),
        ("after 312 TA", ta(313), ta(312)),
        ("in the year 312 of the Third Age", ta(312), ta(311, 313)),
        ("in the twelfth year of the Fourth Age", ["fourth_age.year_12"], ["fourth_age.year_13"]),
        ("during the Fourth Age", ["fourth_age.year_1"], ta(500)),
        ("in the first century of the Third Age", ta(1, 100), ta(101)),
        ("in the last decade of the Third Age", ta(491, 500), ta(490)),
        ("from Blaze 312 TA until Rime 313 TA", ["third_age.year_312.month_4"], ["third_age.year_313.month_2"]),
        ("until 12 Blaze, 312 TA", ["third_age.year_312.month_3.day_12"], ["third_age.year_312.month_3.day_13"]),
        ("until about 312 TA", ta(317), ta(318)),
        ("for six years from 312 TA", ta(312, 318), ta(311, 319)),
        ("until the Breaking", ta(330), ta(331)),
        ("until the year after the Breaking", ta(331), ta(332)),
        ("in the reign of King Osric", ta(290, 320), ta(289, 321)),
        ("in the third year of the reign of King Osric", ta(292), ta(291, 293)),
        ("until the death of King Osric", ta(320), ta(321)),
        ("until King Osric's death", ta(320), ta(321)),
        ("since the accession of King Osric", ta(290, 400), ta(289)),
        ("in the 120s of the Third Age", ta(120, 129), ta(119, 130)),
        ("during the first ten years of the Fourth Age", ["fourth_age.year_10"], ["fourth_age.year_11", *ta(500)]),
        ("until the last year of the Third Age", ta(500), ["fourth_age.year_1"]),
        ("from 312 TA up to and including 345 TA", ta(312, 345), ta(311, 346)),
        ("from the 312th year of the Third Age to the 345th", ta(312, 345), ta(311, 346)),
        ("between Rime and Blaze of 312 TA", ["third_age.year_312.month_2"], ["third_age.year_312.month_4", *ta(311)]),
        ("from 3 to 9 Blaze 312 TA", ["third_age.year_312.month_3.day_9"], ["third_age.year_312.month_3.day_2"]),
        ("until its dissolution in 345 TA", ta(345), ta(346)),
        ("until it fell in 345 TA", ta(345), ta(346)),
        ("until the eve of the Breaking", ta(329), ta(331)),
        ("right up until 345 TA", ta(345), ta(346)),
        (", but only until 345 TA", ta(345), ta(346)),
        ("only from 312 TA to 345 TA", ta(312, 345), ta(311, 346)),
        ("from 312 TA on, and until 345 TA", ta(312, 345), ta(311, 346)),
        ("312–45 TA", ta(312, 345), ta(311, 346)),
        ("from 312 TA to 345 TA, and no longer", ta(312, 345), ta(311, 346)),
        ("through 345 TA and not a day longer", ta(345), ta(346)),
        ("not before 312 TA", ta(312, 500), ta(311)),
        ("for as long as King Osric ruled Vale", ta(290, 320), ta(289, 321)),
        ("in the very year of the Breaking", ta(330), ta(329, 331)),
        ("from the spring of 312 TA to the winter of 345 TA", ta(313, 344), ta(311, 346)),
        ("in the second third of the fourth century of the Third Age", ta(340, 360), ta(330, 370)),
        ("in the latter half of 312 TA", ["third_age.year_312.month_4"], ["third_age.year_312.month_1", *ta(313)]),
        ("from 312 TA until thirty-three years later", ta(312, 345), ta(311, 346)),
    ],
)  # fmt: skip
def test_the_times_of_an_invented_world_become_bounds(
    invented: Builder, when: str, inside: list[str], outside: list[str]
) -> None:
    said = tell(invented, f"Marrow was allied with the Crimson Pact {when}.")
    assert (said["relations_created"], said["skipped"]) == (1, [])
    assert [holds(invented, at) for at in inside] == [True] * len(inside)
    assert [holds(invented, at) for at in outside] == [False] * len(outside)


@pytest.mark.parametrize(
    ("when", "inside", "outside"),
    [
        ("between 1553 and 1558", ["1553", "1558"], ["1552", "1559"]),
        ("until 2 June 1558", ["1558-06-02"], ["1558-06-03"]),
        ("from March 1553 to the end of 1558", ["1553-03", "1558-12"], ["1553-02", "1559"]),
        ("in 1612–19", ["1612", "1619"], ["1611", "1620"]),
        ("during the 1840s", ["1840", "1849"], ["1839", "1850"]),
        ("in the second half of the 17th century", ["1660"], ["1640", "1705"]),
        ("in the late sixteenth century", ["1590"], ["1520", "1601"]),
        ("around 1660", ["1664"], ["1650", "1670"]),
        ("c. 1660", ["1660"], ["1650", "1670"]),
        ("from the spring of 1553 to 1558", ["1553-04"], ["1553-01", "1559"]),
        ("until the Peace of Harn", ["1641"], ["1642"]),
        ("from 1914 to the present", ["2000"], ["1913"]),
        ("until 44 BC", ["bce.year_50"], ["bce.year_43"]),
        ("from March to May 1553", ["1553-04"], ["1553-02", "1553-06", "1554"]),
        ("from 24 Feb to 3 Mar 1553", ["1553-03-02"], ["1553-02-23", "1553-03-04", "1554"]),
        ("from 2 to 9 July 1553", ["1553-07-05"], ["1553-07-01", "1553-07-10", "1554"]),
        ("from 1.4.1553 to 5.9.1554", ["1553-04-01", "1554-09-05"], ["1553-03", "1554-10"]),
        ("through the winter of 1553", ["1553-12"], ["1550", "1555"]),
        ("through 1553", ["1553"], ["1554"]),
        ("from 1553 for a decade", ["1553", "1560"], ["1552", "1570"]),
        ("up to and including 1553", ["1553"], ["1554"]),
        ("since at least 1553", ["1553", "1600"], ["1552"]),
        ("again in 1553", ["1553"], ["1552", "1554"]),
        ("as late as 1553", ["1553"], ["1554"]),
        ("between 12 and 30 April 1553", ["1553-04-12", "1553-04-30"], ["1553-04-11", "1553-05"]),
        ("in the years 1553 to 1558", ["1553", "1558"], ["1552", "1559"]),
        ("until its dissolution on 7 Nov. 1558", ["1558-11-07"], ["1558-11-08"]),
    ],
)
def test_the_times_of_the_real_calendar_become_bounds(
    real: Builder, when: str, inside: list[str], outside: list[str]
) -> None:
    said = tell(real, f"Marrow was allied with the Crimson Pact {when}.")
    assert (said["relations_created"], said["skipped"]) == (1, [])
    assert [holds(real, at) for at in inside] == [True] * len(inside)
    assert [holds(real, at) for at in outside] == [False] * len(outside)


@pytest.mark.parametrize(
    ("when", "inside", "unsure", "outside"),
    [
        ("from the end of 1641 to 1650", ["1642", "1650"], ["1641-12"], ["1641-09", "1651"]),
        ("since the end of the 17th century", ["1701", "1900"], ["1699"], ["1668", "1685"]),
        ("until the beginning of the 18th century", ["1690"], ["1702"], ["1715", "1733"]),
        ("at the end of the 17th century", [], ["1699"], ["1668", "1701"]),
        ("until the late 1790s", ["1795"], ["1798"], ["1800"]),
        ("until early 1790", ["1789"], ["1790-02"], ["1790-07"]),
        ("from the end of March 1880 until 1890", ["1880-04"], ["1880-03-30"], ["1880-03-15", "1891"]),
        ("in the third quarter of the 16th century", ["1555", "1570"], [], ["1545", "1580"]),
    ],
)
def test_a_vague_part_of_a_period_is_an_uncertain_bound(
    real: Builder, when: str, inside: list[str], unsure: list[str], outside: list[str]
) -> None:
    said = tell(real, f"Marrow was allied with the Crimson Pact {when}.")
    assert (said["relations_created"], said["skipped"]) == (1, [])
    assert {covers(real, at) for at in inside} <= {"full"}
    assert {covers(real, at) for at in unsure} <= {"uncertain"}
    assert {covers(real, at) for at in outside} == {"none"}


def test_the_edges_of_an_age_are_uncertain_bounds(invented: Builder) -> None:
    tell(invented, "Marrow was allied with the Crimson Pact from the end of the Third Age.")
    assert [covers(invented, at) for at in ta(335, 440, 460)] == ["none", "none", "uncertain"]
    assert covers(invented, "fourth_age.year_1") == "full"


@pytest.mark.parametrize(
    "sentence",
    [
        "Ysmay (1702–1760) ruled Eastmark.", "Ysmay, 1702–1760, ruled Eastmark.", "Ysmay (born 1702) ruled Eastmark.",
        "Ysmay (1702–1760), a weaver, ruled Eastmark.",
    ],
)  # fmt: skip
def test_the_years_of_a_life_are_not_those_of_a_reign(real: Builder, sentence: str) -> None:
    said = tell(real, sentence)
    assert (said["relations_created"], len(said["skipped"])) == (0, 1)
    assert not holds(real, "1703", relation="RULES", ends=("Ysmay", "Eastmark"))


@pytest.mark.parametrize("sentence", ["Ysmay (1702–1760) married Corin.", "Ysmay married Corin (1702–1760)."])
def test_the_years_of_a_life_are_not_those_of_a_marriage(real: Builder, sentence: str) -> None:
    assert tell(real, sentence)["relations_created"] == 0
    assert not holds(real, "1703", relation="SPOUSE_OF", ends=("Ysmay", "Corin"))


@pytest.mark.parametrize(
    "sentence",
    [
        "Ysmay (1702–1760) ruled Eastmark from 1730 to 1740.",
        "Ysmay, born in 1702 and crowned in 1729, ruled Eastmark from 1730 to 1740.",
        "Ysmay, whose lands burned in 1751, ruled Eastmark from 1730 to 1740.",
        "Ysmay (r. 1730–1740) ruled Eastmark.",
        "Ysmay (reigned 1730–40) ruled Eastmark.",
    ],
)
def test_what_is_told_of_a_ruler_in_passing_leaves_the_time_of_the_reign(real: Builder, sentence: str) -> None:
    said = tell(real, sentence)
    assert (said["relations_created"], said["skipped"]) == (1, [])
    reign = [holds(real, at, relation="RULES", ends=("Ysmay", "Eastmark")) for at in ("1729", "1730", "1740", "1741")]
    assert reign == [False, True, True, False]


@pytest.mark.parametrize(
    "sentence",
    [
        "Between 312 and 345 TA, Marrow was allied with the Crimson Pact.",
        "Marrow, from 312 TA to 345 TA, was allied with the Crimson Pact.",
        "Marrow, an ally of the Crimson Pact from 312 to 345 TA, had never built ships before.",
        "Marrow (an ally of the Crimson Pact 312–45 TA) was the first to build ships.",
        "Marrow, which between 312 and 345 TA was allied with the Crimson Pact, kept the passes.",
        "Marrow and the Crimson Pact were allied between 312 and 345 TA.",
    ],
)
def test_a_time_may_stand_anywhere_in_its_sentence(invented: Builder, sentence: str) -> None:
    assert tell(invented, sentence)["relations_created"] == 1
    assert [holds(invented, at) for at in ta(311, 312, 345, 346)] == [False, True, True, False]


@pytest.mark.parametrize(
    "sentence",
    [
        "Marrow was allied with the Crimson Pact until the moons met.",
        "Marrow was allied with the Crimson Pact until the Long Frost.",
        "Marrow was allied with the Crimson Pact for thirty years.",
        "Marrow was allied with the Crimson Pact for a generation.",
        "Marrow was allied with the Crimson Pact in the days of the glass kings.",
        "Marrow was allied with the Crimson Pact until 345 XQ.",
        "Marrow was allied with the Crimson Pact until 345.",
        "Marrow was allied with the Crimson Pact from his youth until 345 TA.",
        "Marrow was allied with the Crimson Pact from 345 TA to 312 TA.",
        "Marrow was allied with the Crimson Pact when the river froze.",
        "Marrow was allied with the Crimson Pact under the old kings.",
        "Marrow was allied with the Crimson Pact and House Lorn until 345 TA.",
        "Long ago Marrow was allied with the Crimson Pact.",
        "Marrow was once allied with the Crimson Pact.",
        "Every winter Marrow was allied with the Crimson Pact.",
        "In Blaze Marrow was allied with the Crimson Pact.",
        "At the fall of Carrow Marrow was allied with the Crimson Pact.",
        "In the sixth moon, Marrow was allied with the Crimson Pact.",
        "Marrow was allied with the Crimson Pact in the Fourth Bloom.",
        "Marrow was allied with the Crimson Pact by and by.",
        "Subsequently Marrow was allied with the Crimson Pact.",
        "Except in 312 TA, Marrow was allied with the Crimson Pact.",
        "Apart from 312 TA, Marrow was allied with the Crimson Pact.",
        "With a break from 312 to 320 TA, Marrow was allied with the Crimson Pact.",
        "Marrow was allied with the Crimson Pact from 3 to 99 Blaze 312 TA.",
        "Marrow was allied with the Crimson Pact twice, from 312 to 315 TA.",
        "Shortly after the Breaking Marrow was allied with the Crimson Pact.",
        "Marrow was allied with the Crimson Pact, not until 312 TA but until 345 TA.",
        "Marrow was allied with the Crimson Pact as long as the river was frozen.",
        "Marrow was allied with the Crimson Pact no longer.",
    ],
)
def test_a_sentence_whose_time_is_not_understood_is_reported_and_holds_at_no_time(
    invented: Builder, sentence: str
) -> None:
    said = tell(invented, f"The annals.\n\n{sentence}\n")
    assert said["relations_created"] == 0
    assert [(each["line"], each["item"]) for each in said["skipped"]] == [(3, sentence)]
    asked = {"subject": PAIR[0], "relation": "ALLIED_WITH", "object": PAIR[1]}
    told = [invented.do("was_true_at", **asked, at_time=at) for at in ta(1, 320, 345, 500)]
    reason = "no_such_relation" if " once " in sentence else "time_unread"
    assert {(each["was_true"], each["reason"]) for each in told} == {(False, reason)}
    assert not any(each["retconned"] or each["intervals"] for each in told)
    assert not invented.do("true_during", subject=PAIR[0], relation="ALLIED_WITH", era="third_age")


def test_a_source_with_an_unread_time_is_read_again_when_it_is_given_again(invented: Builder) -> None:
    sentence = "Marrow was allied with the Crimson Pact until 12 EM."
    tell(invented, sentence)
    with invented.memory.read() as view:
        [fact] = [fact for each in entities_ever_named(view, fold(PAIR[0])) for fact in view.facts_touching(each)]
    assert (fact.stale, fact.attributes[TIME_TEXT]) == (True, "until 12 EM")
    assert tell(invented, sentence)["relations_created"] == 0
    invented.do("define_era", name="Ember Years", start=901, end=950, abbreviation="EM")
    assert tell(invented, sentence)["skipped"] == []
    assert [holds(invented, at) for at in ("ember_years.year_12", "ember_years.year_13")] == [True, False]


def test_a_later_version_reads_unread_times_again_by_itself_and_once(invented: Builder) -> None:
    memory = invented.memory
    tell(invented, "Marrow was allied with the Crimson Pact until 12 EM.")
    invented.do("define_era", name="Ember Years", start=901, end=950, abbreviation="EM")
    assert [reread_pending_prose(memory, version) for version in ("1.0", "1.0", "1.1")] == [1, 0, 0]
    assert [holds(invented, at) for at in ("ember_years.year_12", "ember_years.year_13")] == [True, False]


def test_what_a_later_version_cannot_read_either_stays_as_it_was(invented: Builder) -> None:
    memory = invented.memory
    tell(invented, "Marrow was allied with the Crimson Pact until 12 EM.")
    with memory.read() as view:
        [before] = [fact for each in entities_ever_named(view, fold(PAIR[0])) for fact in view.facts_touching(each)]
    assert reread_pending_prose(memory, "1.0") == 1
    with memory.read() as view:
        assert view.fact(before.id) == before


@pytest.mark.parametrize(
    "when",
    [
        "until last year", "for the past ten years", "in the 1800s", "in 88", "between the wars", "as a child",
        "until recently", "in the year of the comet", "by Easter", "at the time", "until 30 February 1700",
        "in MDCCC", "in nineteen fourteen", "in the twenties", "in antiquity", "of late", "on 02/03/1690",
        "for a spell", "in the Old Kingdom",
    ],
)  # fmt: skip
def test_what_the_real_calendar_cannot_place_is_reported(real: Builder, when: str) -> None:
    said = tell(real, f"Marrow was allied with the Crimson Pact {when}.")
    assert (said["relations_created"], len(said["skipped"])) == (0, 1)


@pytest.mark.parametrize(
    "sentence",
    [
        "Marrow may have been allied with the Crimson Pact in 312 TA.",
        "I heard that Marrow was allied with the Crimson Pact until 345 TA.",
        "Marrow is planning to be allied with the Crimson Pact.",
        "I don't believe Marrow was allied with the Crimson Pact.",
        "They hid lest Marrow was allied with the Crimson Pact.",
        "Marrow was allied with the Crimson Pact, or so it is said.",
        "Neither Marrow nor House Lorn was allied with the Crimson Pact.",
        "Had Marrow been allied with the Crimson Pact, all would be well.",
        "Was Marrow allied with the Crimson Pact until 345 TA?",
        "No annals show that Marrow was allied with the Crimson Pact in 312 TA.",
        "Marrow was allied with the Crimson Pact in 312 TA, or so the bards would have it.",
        "Marrow was allied with the Crimson Pact (doubtful).",
        "Marrow was allied with the Crimson Pact in name only.",
        "Myth: Marrow was allied with the Crimson Pact in 312 TA.",
        "In another world Marrow was allied with the Crimson Pact.",
        "House Lorn and not Marrow was allied with the Crimson Pact.",
        "House Lorn rather than Marrow was allied with the Crimson Pact in 312 TA.",
        "Everyone except Marrow was allied with the Crimson Pact.",
        "The enemies of Marrow were allied with the Crimson Pact in 312 TA.",
        "The man who founded Marrow was allied with the Crimson Pact.",
        "Marrow was allied with the Crimson Pact's enemies.",
        "Marrow was allied with the Crimson Pact or House Lorn.",
    ],
)
def test_prose_is_read_by_the_same_analysis_of_what_is_meant_as_mail_and_claims(
    invented: Builder, sentence: str
) -> None:
    said = tell(invented, sentence)
    assert (said["relations_created"], said["skipped"]) == (0, [])
    assert not invented.do("true_during", subject=PAIR[0], relation="ALLIED_WITH", era="third_age")


def test_a_sentence_without_a_time_still_holds_for_ever(invented: Builder) -> None:
    said = tell(invented, "Marrow was allied with the Crimson Pact against House Lorn.")
    assert (said["relations_created"], said["skipped"]) == (1, [])
    assert holds(invented, "third_age.year_1")


def test_a_bare_year_takes_the_era_in_which_the_document_was_written(invented: Builder) -> None:
    sentence = "Marrow was allied with the Crimson Pact until 345."
    said = tell(invented, sentence, world_time="third_age.year_400")
    assert (said["relations_created"], said["skipped"]) == (1, [])
    assert [holds(invented, at) for at in ta(345, 346)] == [True, False]


def test_a_reign_ahead_of_the_subject_says_when(invented: Builder) -> None:
    said = tell(invented, "In the third year of King Osric's reign, Marrow was allied with the Crimson Pact.")
    assert (said["relations_created"], said["skipped"]) == (1, [])
    assert [holds(invented, at) for at in ta(291, 292, 293)] == [False, True, False]


def test_the_time_of_one_list_item_is_not_that_of_the_next(invented: Builder) -> None:
    said = tell(invented, "- Marrow was allied with the Crimson Pact\n- Ysmay ruled Eastmark until 345 TA\n")
    assert (said["relations_created"], said["skipped"]) == (2, [])
    assert holds(invented, "fourth_age.year_1")
    assert not holds(invented, "fourth_age.year_1", relation="RULES", ends=("Ysmay", "Eastmark"))


def test_a_wedding_begins_at_its_time_and_a_birth_lies_in_it(invented: Builder) -> None:
    tell(invented, "Two years after the Breaking Ysmay married Corin. Ysmay was born in 312 TA and died in 370 TA.")
    married = [holds(invented, at, relation="SPOUSE_OF", ends=("Ysmay", "Corin")) for at in ta(331, 332, 360)]
    assert married == [False, True, True]
    lived = [invented.do("get_person_profile", name="Ysmay", at_time=at)["alive"] for at in ta(311, 312, 370, 371)]
    assert lived == [False, True, True, False]


def test_kinship_stays_when_the_sentence_tells_a_time_of_something_else(invented: Builder) -> None:
    said = tell(invented, "Ysmay, daughter of Corin, was crowned in the year of the comet.")
    assert (said["relations_created"], said["skipped"]) == (1, [])


@pytest.mark.parametrize(
    "sentence",
    [
        "It is said that Marrow was allied with the Crimson Pact in 312 TA.",
        "Some claim that Marrow was allied with the Crimson Pact in 312 TA.",
        "Had Marrow allied with the Crimson Pact in 312 TA, the Vale would stand.",
        "Marrow was allied with the Crimson Pact in 312 TA, if the songs are true.",
        "Marrow was never allied with the Crimson Pact.",
    ],
)
def test_what_a_sentence_only_passes_on_or_imagines_is_no_fact(invented: Builder, sentence: str) -> None:
    assert tell(invented, sentence)["relations_created"] == 0
