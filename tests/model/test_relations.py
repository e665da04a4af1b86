"""Relations by every name, and labels by every word."""

import pytest

from recollect.model.labels import EntityKind, base_type, format_label, kind_from_stored_type, read_label, stored_types
from recollect.model.relations import (
    RelationName,
    is_bounded_by_lifetime,
    is_point,
    is_symmetric,
    is_writable,
    read_relation,
    relation_from_predicate,
    relation_kinds,
    spellings_of,
)
from recollect.model.vocabulary import built_in_predicates

EVERY_NAME = [
    (other, kind.name, swapped)
    for kind in relation_kinds().values()
    for names, swapped in (((kind.name, *kind.also), False), (kind.reversed, True))
    for other in names
]


@pytest.mark.parametrize(("other", "name", "swapped"), EVERY_NAME)
def test_every_name_of_a_relation_is_read_as_that_relation_in_its_direction(
    other: str, name: str, swapped: bool
) -> None:
    for text in (other, other.upper(), other.replace("_", " "), other.replace("_", "-").title(), f" {other} "):
        assert read_relation(text)[:2] == (name, swapped)


def test_the_table_has_the_relations_of_the_vocabulary_and_their_marks() -> None:
    assert len(relation_kinds()) == 39
    assert {kind for kind in relation_kinds() if built_in_predicates()[kind].policy != "dispute"} == set()
    assert sum(kind.life for kind in relation_kinds().values()) == 18
    assert len({other for other, _, _ in EVERY_NAME}) == len(EVERY_NAME)


def test_a_father_is_a_parent_with_a_role_and_a_son_has_none() -> None:
    assert read_relation("FATHER_OF") == RelationName("parent_of", False, "father")
    assert read_relation("mother of") == RelationName("parent_of", False, "mother")
    assert read_relation("SON_OF") == RelationName("parent_of", True, None)


def test_a_name_of_no_table_stands_for_itself() -> None:
    assert relation_from_predicate("taught_by") == RelationName("taught_by")
    assert spellings_of("taught_by").all == ("taught_by",)
    assert spellings_of("part_of").swapped == ("has_part", "contains")


def test_marks_are_those_of_the_table() -> None:
    assert is_bounded_by_lifetime("rules")
    assert not is_bounded_by_lifetime("parent_of")
    assert is_point("born")
    assert not is_point("participated_in")
    assert is_symmetric("spouse_of")
    assert not is_symmetric("serves")


def test_what_may_be_written_is_letters_digits_and_underscores() -> None:
    assert is_writable("owes_fealty_2")
    assert not is_writable("2nd_of")
    assert not is_writable("a" * 65)
    assert not is_writable("")


@pytest.mark.parametrize(
    ("name", "subject", "object_", "fits"),
    [
        ("rules", "faction", "location", True),
        ("rules", "deity", "location", False),
        ("born", "person", None, True),
        ("allied_with", "item", "title", True),
        ("part_of", "location", "location", True),
        ("part_of", "spell", "magic_system", True),
        ("part_of", "location", "faction", False),
        ("witnessed", "lineage", "encounter", True),
    ],
)
def test_a_relation_says_which_ends_it_is_for(name: str, subject: str, object_: str | None, fits: bool) -> None:
    assert relation_kinds()[name].fits(subject, object_) is fits


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ("Castle", EntityKind("location", "castle")),
        ("magic system", EntityKind("magic_system")),
        ("MagicSystem", EntityKind("magic_system")),
        ("BATTLE", EntityKind("event", "battle")),
        ("Company", EntityKind("organization")),
        ("npc", EntityKind("person", "npc")),
        ("Widget Maker", EntityKind("widget_maker")),
    ],
)
def test_a_label_in_any_form_is_what_it_is_stored_as(given: str, kind: EntityKind) -> None:
    assert read_label(given) == kind


def test_a_thing_stored_under_such_a_word_counts_as_the_known_label() -> None:
    assert kind_from_stored_type("battle") == EntityKind("event", "battle")
    assert kind_from_stored_type("place", {"subtype": "Old Mill"}) == EntityKind("location", "Old Mill")
    assert base_type("company") == "organization"
    assert {"location", "place", "castle"} <= stored_types("location")


def test_a_label_that_is_a_subtype_admits_only_things_of_it() -> None:
    assert read_label("Battle").admits(EntityKind("event", "BATTLE"))
    assert not read_label("Battle").admits(EntityKind("event", "siege"))
    assert read_label("Event").admits(EntityKind("event", "siege"))


def test_labels_print_in_pascal_case() -> None:
    assert format_label("magic_system") == "MagicSystem"
