"""The words by which prose states relations with a time, and where their ends stand."""

from collections.abc import Callable

import pytest

from recollect.memory import Memory
from tests.conftest import Build
from tests.surfaces.lore_engine.prose_worlds import build_invented, build_real, holds, ta, tell
from tests.surfaces.lore_engine.telling_tools import Builder

WHEN = "from 312 TA to 345 TA"
INSIDE_AND_OUTSIDE = (312, 345, 311, 346)


@pytest.fixture
def invented(filled: Callable[[Build], Memory]) -> Builder:
    return Builder(filled(build_told))


@pytest.fixture
def real(filled: Callable[[Build], Memory]) -> Builder:
    return Builder(filled(build_real))


def build_told(memory: Memory) -> None:
    build_invented(memory)
    world = Builder(memory)
    world.do("add_entity", label="Item", name="Ash Horn", properties={})
    world.do("add_entity", label="Title", name="Warden of Reeds", properties={})


def years(world: Builder, relation: str, ends: tuple[str, str], *at: int) -> list[bool]:
    return [holds(world, each, relation=relation, ends=ends) for each in ta(*at)]


def check_inside(world: Builder, sentence: str, relation: str, ends: tuple[str, str]) -> None:
    """The relation holds from 312 to 345 TA, and nothing of the sentence is left unread."""
    said = tell(world, sentence)
    assert (said["relations_created"], said["skipped"]) == (1, [])
    assert years(world, relation, ends, *INSIDE_AND_OUTSIDE) == [True, True, False, False]


@pytest.mark.parametrize(
    ("words", "relation", "ends"),
    [
        ("Corin reigned over Eastmark {}", "RULES", ("Corin", "Eastmark")),
        ("Corin was the ruler of Eastmark {}", "RULES", ("Corin", "Eastmark")),
        ("Eastmark was governed by Corin {}", "RULES", ("Corin", "Eastmark")),
        ("Eastmark was under the rule of Corin {}", "RULES", ("Corin", "Eastmark")),
        ("Corin held Eastmark {}", "CONTROLS", ("Corin", "Eastmark")),
        ("The Crimson Pact controlled Eastmark {}", "CONTROLS", ("Crimson Pact", "Eastmark")),
        ("Corin dwelt in Eastmark {}", "RESIDED_IN", ("Corin", "Eastmark")),
        ("Corin lived at Eastmark {}", "RESIDED_IN", ("Corin", "Eastmark")),
        ("Corin owned the Ash Horn {}", "POSSESSES", ("Corin", "Ash Horn")),
        ("Corin held the Ash Horn {}", "POSSESSES", ("Corin", "Ash Horn")),
        ("The Ash Horn belonged to Corin {}", "POSSESSES", ("Corin", "Ash Horn")),
        ("Corin belonged to the Crimson Pact {}", "MEMBER_OF", ("Corin", "Crimson Pact")),
        ("Corin was Warden of Reeds {}", "HOLDS_TITLE", ("Corin", "Warden of Reeds")),
        ("Corin held the office of Warden of Reeds {}", "HOLDS_TITLE", ("Corin", "Warden of Reeds")),
        ("Corin served the Crimson Pact {}", "SERVES", ("Corin", "Crimson Pact")),
        ("Corin was the husband of Ysmay {}", "SPOUSE_OF", ("Corin", "Ysmay")),
        ("Marrow was at war with the Crimson Pact {}", "AT_WAR_WITH", ("Marrow", "Crimson Pact")),
        ("Marrow waged war on the Crimson Pact {}", "AT_WAR_WITH", ("Marrow", "Crimson Pact")),
        ("Marrow was a sworn enemy of the Crimson Pact {}", "ENEMY_OF", ("Marrow", "Crimson Pact")),
        ("Marrow was an ally of the Crimson Pact {}", "ALLIED_WITH", ("Marrow", "Crimson Pact")),
        ("Marrow stayed allied with the Crimson Pact {}", "ALLIED_WITH", ("Marrow", "Crimson Pact")),
    ],
)
def test_reigns_homes_goods_offices_wars_and_alliances_are_told_in_many_words(
    invented: Builder, words: str, relation: str, ends: tuple[str, str]
) -> None:
    check_inside(invented, f"{words.format(WHEN)}.", relation, ends)


@pytest.mark.parametrize(
    ("words", "relation", "ends"),
    [
        ("Corin joined the Crimson Pact in 312 TA", "MEMBER_OF", ("Corin", "Crimson Pact")),
        ("Corin settled in Eastmark in 312 TA", "RESIDED_IN", ("Corin", "Eastmark")),
        ("Marrow declared war on the Crimson Pact in 312 TA", "AT_WAR_WITH", ("Marrow", "Crimson Pact")),
        ("Marrow allied itself with the Crimson Pact in 312 TA", "ALLIED_WITH", ("Marrow", "Crimson Pact")),
    ],
)
def test_what_begins_at_a_time_goes_on(invented: Builder, words: str, relation: str, ends: tuple[str, str]) -> None:
    assert tell(invented, f"{words}.")["skipped"] == []
    assert years(invented, relation, ends, 311, 312, 340) == [False, True, True]


def test_somebody_who_was_the_wife_of_another_in_a_year_was_so_in_that_year(invented: Builder) -> None:
    tell(invented, "In 312 TA Ysmay was the wife of Corin.")
    assert years(invented, "SPOUSE_OF", ("Ysmay", "Corin"), 311, 312, 313) == [False, True, False]


@pytest.mark.parametrize(
    ("sentence", "relation", "ends"),
    [
        ("Corin lived in Eastmark. He left it in 345 TA.", "RESIDED_IN", ("Corin", "Eastmark")),
        ("Corin owned the Ash Horn. He sold it in 345 TA.", "POSSESSES", ("Corin", "Ash Horn")),
        ("Marrow was at war with House Lorn. They made peace in 345 TA.", "AT_WAR_WITH", ("Marrow", "House Lorn")),
        ("Corin was Warden of Reeds. He resigned in 345 TA.", "HOLDS_TITLE", ("Corin", "Warden of Reeds")),
    ],
)  # fmt: skip
def test_the_next_sentence_ends_a_home_a_possession_a_war_and_an_office(
    invented: Builder, sentence: str, relation: str, ends: tuple[str, str]
) -> None:
    assert tell(invented, sentence)["skipped"] == []
    assert years(invented, relation, ends, 345, 346) == [True, False]


@pytest.mark.parametrize(
    "sentence",
    [
        "Corin, who ruled Eastmark {}, loved music.", "Corin, lord of Eastmark {}, loved music.",
        "Corin (ruler of Eastmark {}) loved music.",
    ],
)  # fmt: skip
def test_a_relation_told_in_passing_has_the_time_beside_it(invented: Builder, sentence: str) -> None:
    check_inside(invented, sentence.format(WHEN), "RULES", ("Corin", "Eastmark"))


@pytest.mark.parametrize(
    "sentence",
    [
        "In 312 TA Corin, lord of Eastmark, broke his leg.", "Corin, lord of Eastmark, in 312 TA broke his leg.",
        "Corin, who ruled Eastmark, died in 312 TA.", "Corin had ruled Eastmark when the ice came.",
        "Corin had ruled Eastmark.", "Corin, lord of Eastmark, loved music.",
    ],
)  # fmt: skip
def test_a_relation_told_in_passing_takes_no_other_time_and_is_not_timeless(invented: Builder, sentence: str) -> None:
    tell(invented, sentence)
    assert not any(years(invented, "RULES", ("Corin", "Eastmark"), 1, 312, 500))


@pytest.mark.parametrize(
    ("when", "inside", "outside"),
    [
        ("three winters after the Breaking", (333,), (332, 334)), ("under King Osric", (290, 320), (289, 321)),
        ("while King Osric ruled Vale", (290, 320), (289, 321)), ("in the days of King Osric", (300,), (289, 321)),
        ("in the third year of King Osric", (292,), (291, 293)), ("until King Osric died", (300,), (321,)),
        ("for ten years, from 312 TA to 322 TA", (312, 322), (311, 323)),
        ("until 345 TA, when the bridge fell", (345,), (346,)),
        ("from 312 TA, when the ice came, until 345 TA", (312, 345), (311, 346)),
        ("from 312 TA to 345 TA; after that the hall stood empty", (312, 345), (311, 346)),
    ],
)  # fmt: skip
def test_times_that_chronicles_give(
    invented: Builder, when: str, inside: tuple[int, ...], outside: tuple[int, ...]
) -> None:
    assert tell(invented, f"Marrow was allied with the Crimson Pact {when}.")["skipped"] == []
    assert [holds(invented, each) for each in ta(*inside)] == [True] * len(inside)
    assert [holds(invented, each) for each in ta(*outside)] == [False] * len(outside)


@pytest.mark.parametrize(
    "when",
    [
        "for ten years, from 312 TA to 345 TA", "until 345 TA, when it was renewed once more",
        "until 345 TA; after that it continued in secret", "while King Osric ruled the waves",
        "under King Nobody", "until House Lorn died", "in 345 TA, when, if the bards are right, all was well",
        "some winters after the Breaking",
    ],
)  # fmt: skip
def test_times_that_contradict_themselves_or_go_on_are_withheld(invented: Builder, when: str) -> None:
    tell(invented, f"Marrow was allied with the Crimson Pact {when}.")
    assert not any(holds(invented, each) for each in ta(1, 300, 320, 345, 500))


@pytest.mark.parametrize(
    ("when", "inside", "outside"),
    [
        ("in the year of Our Lord 1641", ("1641",), ("1640", "1642")),
        ("in the year of grace 1641", ("1641",), ("1640", "1642")),
        ("some forty years after the Peace of Harn", (), ("1675", "1687")),
    ],
)
def test_years_of_the_lord_and_rough_counts(
    real: Builder, when: str, inside: tuple[str, ...], outside: tuple[str, ...]
) -> None:
    assert tell(real, f"Marrow was allied with the Crimson Pact {when}.")["skipped"] == []
    assert [holds(real, each) for each in (*inside, *outside)] == [True] * len(inside) + [False] * len(outside)


@pytest.mark.parametrize(
    "sentence",
    [
        "Corin was a weaver. He ruled Eastmark {}.", "Corin came late; he ruled Eastmark {}.",
        "Corin seized Eastmark by night and ruled it {}.", "In 311 TA Corin crossed the sea and ruled Eastmark {}.",
        "Corin, first of his name, ruled Eastmark {}.", "Corin, crowned in haste, ruled Eastmark {}.",
        "This is the tomb of Corin (ruler of Eastmark {}).",
    ],
)  # fmt: skip
def test_the_subject_stands_before_another_verb_an_aside_or_a_pronoun(invented: Builder, sentence: str) -> None:
    check_inside(invented, sentence.format(WHEN), "RULES", ("Corin", "Eastmark"))


@pytest.mark.parametrize(
    "sentence",
    [
        "Ysmay met Corin. He ruled Eastmark {}.", "Corin had a brother. He ruled Eastmark {}.",
        "Corin fled from Ulric. He ruled Eastmark {}.", "Corin's brother was a smith. He ruled Eastmark {}.",
        "Corin was a weaver.\n\nHe ruled Eastmark {}.", "Corin heard that giants came and ruled Eastmark {}.",
        "Corin dreamt of a crown and never ruled Eastmark {}.",
    ],
)  # fmt: skip
def test_a_subject_that_may_be_another_gives_no_relation(invented: Builder, sentence: str) -> None:
    tell(invented, sentence.format(WHEN))
    assert not any(years(invented, "RULES", ("Corin", "Eastmark"), 1, 312, 345, 500))


@pytest.mark.parametrize(
    "born", ["(born 1641 in Eastmark)", "(born c. 1641 in Eastmark)", ", born in Eastmark in 1641,"]
)
def test_a_birth_told_in_passing(real: Builder, born: str) -> None:
    assert tell(real, f"Corin {born} was a poet.".replace(" ,", ","))["skipped"] == []
    assert [holds(real, at, relation="BORN", ends=("Corin", "Eastmark")) for at in ("1630", "1650")] == [False, False]
    asked = {"subject": "Corin", "relation": "BORN", "object": "Eastmark", "at_time": "1641"}
    assert real.do("was_true_at", **asked)["coverage"] != "none"


def test_a_range_of_rough_years_holds_between_them(real: Builder) -> None:
    tell(real, "Corin ruled Eastmark c. 1640–c. 1660.")
    ends = ("Corin", "Eastmark")
    assert [holds(real, at, relation="RULES", ends=ends) for at in ("1630", "1650", "1670")] == [False, True, False]


@pytest.mark.parametrize(
    ("sentence", "relation", "ends"),
    [
        ("The alliance between Marrow and House Lorn held {}.", "ALLIED_WITH", ("Marrow", "House Lorn")),
        ("Marrow's alliance with House Lorn lasted {}.", "ALLIED_WITH", ("Marrow", "House Lorn")),
        ("Marrow's war on House Lorn began in 312 TA and ended in 345 TA.", "AT_WAR_WITH", ("Marrow", "House Lorn")),
        ("The marriage of Ysmay and Corin lasted {}.", "SPOUSE_OF", ("Ysmay", "Corin")),
        ("Corin's reign over Eastmark lasted {}.", "RULES", ("Corin", "Eastmark")),
        ("Corin's rule of Eastmark began in 312 TA and ended in 345 TA.", "RULES", ("Corin", "Eastmark")),
    ],
)  # fmt: skip
def test_a_noun_for_a_relation_has_the_time_of_its_verb(
    invented: Builder, sentence: str, relation: str, ends: tuple[str, str]
) -> None:
    check_inside(invented, sentence.format(WHEN), relation, ends)


@pytest.mark.parametrize(
    "sentence",
    [
        "The alliance between Marrow and House Lorn was proposed in 312 TA.",
        "The alliance between Marrow and House Lorn was strong.",
        "The alliance between Marrow and House Lorn did not last until 345 TA.",
        "The alliance between Marrow and House Lorn ended when the moons met.",
        "The plan for the alliance between Marrow and House Lorn lasted until 345 TA.",
        "Marrow's alliance with House Lorn may have lasted until 345 TA.",
    ],
)
def test_a_noun_for_a_relation_without_a_time_that_is_read_gives_none(invented: Builder, sentence: str) -> None:
    tell(invented, sentence)
    assert not any(years(invented, "ALLIED_WITH", ("Marrow", "House Lorn"), 1, 312, 345, 500))


@pytest.mark.parametrize(
    "sentence",
    [
        "Corin took the habit in 330 TA. Two years later he married Ysmay.",
        "Corin fled in 331 TA. He married Ysmay the following year.",
        "Corin fled in 332 TA. In the same year he married Ysmay.",
        "A bridge fell in 331 TA. A year later Corin married Ysmay.",
        "A bridge fell in 329 TA. Three winters later, Corin married his cousin Ysmay.",
    ],
)  # fmt: skip
def test_years_are_counted_from_the_sentence_before(invented: Builder, sentence: str) -> None:
    tell(invented, sentence)
    assert years(invented, "SPOUSE_OF", ("Corin", "Ysmay"), 331, 332, 340) == [False, True, True]


@pytest.mark.parametrize(
    "sentence",
    [
        "A year later Corin married Ysmay.",
        "A bridge fell in 331 TA, rebuilt in 340 TA. A year later Corin married Ysmay.",
        "A bridge stood from 320 to 331 TA. A year later Corin married Ysmay.",
        "A bridge fell in 331 TA.\n\nA year later Corin married Ysmay.",
        "A bridge fell in 331 TA. Some years later Corin married Ysmay.",
    ],
)  # fmt: skip
def test_years_counted_from_nothing_that_is_clear_are_withheld(invented: Builder, sentence: str) -> None:
    tell(invented, sentence)
    assert not any(years(invented, "SPOUSE_OF", ("Corin", "Ysmay"), 1, 332, 341, 500))


@pytest.mark.parametrize("until", ["until his death", "until he died"])
def test_a_reign_ends_with_the_life_that_stands_in_brackets(real: Builder, until: str) -> None:
    assert tell(real, f"Corin (c. 1600 – 1660) ruled Eastmark from 1630 {until}.")["skipped"] == []
    ends = ("Corin", "Eastmark")
    held = [holds(real, at, relation="RULES", ends=ends) for at in ("1629", "1630", "1660", "1661")]
    assert held == [False, True, True, False]


@pytest.mark.parametrize("words", ["Seal of Corin, who ruled", "Portrait of King Corin, ruler of"])
def test_a_label_tells_of_the_one_whose_thing_it_shows(invented: Builder, words: str) -> None:
    check_inside(invented, f"{words} Eastmark {WHEN}.", "RULES", ("Corin", "Eastmark"))


def test_a_relative_of_somebody_is_another_whose_relation_it_may_be(invented: Builder) -> None:
    tell(invented, f"The brother of Corin, who ruled Eastmark {WHEN}, loved music.")
    assert not any(years(invented, "RULES", ("Corin", "Eastmark"), 1, 312, 345))


def test_what_was_done_first_begins_what_lasted_until_a_time(invented: Builder) -> None:
    check_inside(invented, "Corin took Eastmark in 312 TA and ruled it until 345 TA.", "RULES", ("Corin", "Eastmark"))


def test_an_until_behind_an_act_whose_time_is_unreadable_is_withheld(invented: Builder) -> None:
    tell(invented, "Corin came once upon a time and ruled Eastmark until 345 TA.")
    assert not any(years(invented, "RULES", ("Corin", "Eastmark"), 1, 312, 345))


@pytest.mark.parametrize(
    "sentence",
    [
        "Corin controlled Eastmark. The king retook it in 345 TA.",
        "Corin controlled Eastmark. Others seized Eastmark in 345 TA.",
        "Until 345 TA, when Corin controlled Eastmark, the land was poor.",
    ],
)  # fmt: skip
def test_what_others_did_to_a_place_leaves_no_timeless_relation(invented: Builder, sentence: str) -> None:
    tell(invented, sentence)
    assert not any(years(invented, "CONTROLS", ("Corin", "Eastmark"), 1, 300, 346, 500))


def test_somebody_who_never_returned_has_no_timeless_home(invented: Builder) -> None:
    tell(invented, "Corin lived in Eastmark. His hall burned in 345 TA and he never returned.")
    assert not holds(invented, "third_age.year_400", relation="RESIDED_IN", ends=("Corin", "Eastmark"))
