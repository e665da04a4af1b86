"""Times that stand in another sentence than the relation, or that several relations of one sentence share."""

import pytest

from tests.surfaces.lore_engine.prose_worlds import holds, ta, tell
from tests.surfaces.lore_engine.telling_tools import Builder


@pytest.mark.parametrize(
    "later",
    [
        ". The alliance ended in 345 TA.", ". In 345 TA the alliance collapsed.", ". It lasted until 345 TA.",
        ". They parted in 345 TA.", ". Their pact was finally dissolved in 345 TA.", "; this lasted until 345 TA.",
        ", and the pact ended in 345 TA.", ", an alliance that held until 345 TA.", ". That changed in 345 TA.",
        ". They traded salt. The alliance broke up in 345 TA.", " and broke with it in 345 TA.",
        ". Marrow withdrew in 345 TA.",
    ],
)  # fmt: skip
def test_the_words_behind_a_relation_say_when_it_ended(invented: Builder, later: str) -> None:
    said = tell(invented, f"Marrow was allied with the Crimson Pact{later}")
    assert (said["relations_created"], said["skipped"]) == (1, [])
    assert [holds(invented, at) for at in ta(300, 345, 346, 500)] == [True, True, False, False]


@pytest.mark.parametrize(
    "later",
    [
        "The alliance lasted from 312 to 345 TA.", "That was between 312 TA and 345 TA.",
        "It began in 312 TA and ended in 345 TA.", "The pact was sealed in 312 TA. It was broken in 345 TA.",
        "They were allied from 312 until 345 TA.",
    ],
)  # fmt: skip
def test_the_sentence_behind_a_relation_says_from_when_until_when(invented: Builder, later: str) -> None:
    said = tell(invented, f"Marrow was allied with the Crimson Pact. {later}")
    assert (said["relations_created"], said["skipped"]) == (1, [])
    assert [holds(invented, at) for at in ta(311, 312, 345, 346)] == [False, True, True, False]


@pytest.mark.parametrize(
    "later",
    [
        "The alliance lasted nine years.", "It ended when the moons met.", "It was dissolved after the Breaking.",
        "In 345 TA the old duke tore up the alliance.", "The alliance may have ended in 345 TA.",
        "It ended with the Long Frost.",
        "That was long before 345 TA.", "They parted some time later.", "It began in 345 TA and ended in 312 TA.",
    ],
)  # fmt: skip
def test_a_relation_whose_time_the_next_sentence_says_unreadably_holds_at_no_time(
    invented: Builder, later: str
) -> None:
    said = tell(invented, f"Marrow was allied with the Crimson Pact. {later}")
    assert (said["relations_created"], [each["item"] for each in said["skipped"]]) == (0, [later])
    assert not any(holds(invented, at) for at in ta(1, 320, 345, 500))


@pytest.mark.parametrize(
    "later",
    [
        "The city burned in 345 TA.", "Later they built ships.", "They built a hall that lasted until 345 TA.",
        "It was a rich town in 345 TA.", "House Lorn broke its oath in 345 TA.", "\n\nIt ended in 345 TA.",
        "Its people left the valley in 345 TA.",
    ],
)  # fmt: skip
def test_a_sentence_about_something_else_gives_a_relation_no_time(invented: Builder, later: str) -> None:
    said = tell(invented, f"Marrow was allied with the Crimson Pact. {later}")
    assert said["relations_created"] == 1
    assert all(holds(invented, at) for at in ta(1, 345, 500))


@pytest.mark.parametrize(
    ("sentence", "relation", "other"),
    [
        ("Ysmay was a member of Marrow. She left it in 1812.", "MEMBER_OF", "Marrow"),
        ("Ysmay was a member of Marrow. In 1812 she was expelled.", "MEMBER_OF", "Marrow"),
        ("Ysmay was a member of Marrow. She died in 1812.", "MEMBER_OF", "Marrow"),
        ("Ysmay ruled Eastmark. She was deposed in 1812.", "RULES", "Eastmark"),
        ("Ysmay ruled Eastmark. Her reign began in 1800 and ended in 1812.", "RULES", "Eastmark"),
        ("Ysmay married Corin in 1800. They divorced in 1812.", "SPOUSE_OF", "Corin"),
        ("Ysmay married Corin in 1800. The marriage was annulled in 1812.", "SPOUSE_OF", "Corin"),
        ("Ysmay married Corin in 1800 and divorced him in 1812.", "SPOUSE_OF", "Corin"),
        ("Ysmay married Corin in 1800; they parted in 1812.", "SPOUSE_OF", "Corin"),
        ("Ysmay married Corin in 1800. The union ended with her death in 1812.", "SPOUSE_OF", "Corin"),
        ("Ysmay was a member of Marrow. It ended with the Peace of Harn.", "MEMBER_OF", "Marrow"),
    ],
)
def test_a_person_leaves_divorces_or_dies_in_the_next_sentence(
    real: Builder, sentence: str, relation: str, other: str
) -> None:
    said = tell(real, sentence)
    assert (said["relations_created"], said["skipped"]) == (1, [])
    asked = [holds(real, at, relation=relation, ends=("Ysmay", other)) for at in ("1812", "1813", "1900")]
    assert asked[1:] == [False, False]
    assert asked[0] is ("Harn" not in sentence)


@pytest.mark.parametrize(
    ("sentence", "held"),
    [
        ("Marrow was allied with the Crimson Pact until 30 TA and with House Lorn until 90 TA.", [True, False, True]),
        ("Marrow was allied with House Lorn until 90 TA and with the Crimson Pact until 30 TA.", [True, False, True]),
        ("Marrow was allied with the Crimson Pact until 30 TA and House Lorn until 90 TA.", [False, False, False]),
    ],
)
def test_one_verb_serves_two_allies_each_with_its_time(invented: Builder, sentence: str, held: list[bool]) -> None:
    tell(invented, sentence)
    pact = [holds(invented, at) for at in ta(20, 31)]
    assert [*pact, holds(invented, ta(90)[0], ends=("Marrow", "House Lorn"))] == held
    assert not holds(invented, ta(91)[0], ends=("Marrow", "House Lorn"))


@pytest.mark.parametrize("words", [" and her son Corin ruled it from", ", Corin from", " and her son Corin from"])
def test_the_next_ruler_has_the_verb_or_the_realm_from_the_one_before(real: Builder, words: str) -> None:
    said = tell(real, f"Ysmay ruled Eastmark from 1501 to 1507{words} 1507 to 1533.")
    assert (said["relations_created"], said["skipped"]) == (2, [])
    reigns = [
        [holds(real, at, relation="RULES", ends=(who, "Eastmark")) for at in ("1503", "1520", "1534")]
        for who in ("Ysmay", "Corin")
    ]
    assert reigns == [[True, False, False], [False, True, False]]


@pytest.mark.parametrize("words", [" and her son Kuno ruled it from", ", Kuno from", " and Kuno from"])
def test_the_time_of_a_ruler_whom_nobody_knows_is_not_that_of_the_one_before(real: Builder, words: str) -> None:
    said = tell(real, f"Ysmay ruled Eastmark from 1501 to 1507{words} 1507 to 1533.")
    assert (said["relations_created"], said["skipped"]) == (1, [])
    assert [holds(real, at, relation="RULES", ends=("Ysmay", "Eastmark")) for at in ("1503", "1520")] == [True, False]


def test_a_time_of_something_else_behind_a_reign_leaves_it_pending(real: Builder) -> None:
    said = tell(real, "Ysmay ruled Eastmark from 1501 to 1507 and the plague raged from 1507 to 1533.")
    assert (said["relations_created"], len(said["skipped"])) == (0, 1)


def test_whoever_belonged_to_a_guild_that_was_dissolved_does_so_no_longer(real: Builder) -> None:
    said = tell(real, "Ysmay was a member of Marrow. In 1812 the guild was dissolved.")
    assert (said["relations_created"], len(said["skipped"])) == (0, 1)


@pytest.mark.parametrize(
    "when",
    [" twice, from 312 TA to 315 TA and from 330 TA to 333 TA", " from 312 to 315 TA, and again from 330 to 333 TA"],
)
def test_what_held_twice_holds_in_both_times_and_not_between(invented: Builder, when: str) -> None:
    said = tell(invented, f"Marrow was allied with the Crimson Pact{when}.")
    assert (said["relations_created"], said["skipped"]) == (2, [])
    assert [holds(invented, at) for at in ta(311, 313, 320, 331, 334)] == [False, True, False, True, False]


def test_a_time_may_be_stressed_ahead_of_its_relation(invented: Builder) -> None:
    said = tell(invented, "It was from 312 to 345 TA that Marrow was allied with the Crimson Pact.")
    assert (said["relations_created"], said["skipped"]) == (1, [])
    assert [holds(invented, at) for at in ta(311, 312, 345, 346)] == [False, True, True, False]


@pytest.mark.parametrize("place", ["from its castle in 312 TA", "by its own hand in 312 TA"])
def test_a_place_with_a_year_begins_nothing(invented: Builder, place: str) -> None:
    tell(invented, f"Marrow was allied with the Crimson Pact {place}.")
    assert not holds(invented, ta(400)[0])
