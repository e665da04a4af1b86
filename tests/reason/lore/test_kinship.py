"""What one person is to another, in words."""

import pytest
from tests.support.consistency_world import tell

from recollect.memory import Memory
from recollect.reason.lore.genealogy import find_kinship, kinship_name
from recollect.reason.lore.lore_reader import LoreReader
from recollect.store.entity_queries import entities_by_name

TREE = (
    "Tom:Person PARENT_OF Bob:Person",
    "Ida:Person PARENT_OF Bob:Person",
    "Tom:Person PARENT_OF Carl:Person",
    "Ida:Person PARENT_OF Carl:Person",
    "Tom:Person PARENT_OF Hal:Person",
    "Una:Person PARENT_OF Hal:Person",
    "Bob:Person PARENT_OF Dora:Person",
    "Carl:Person PARENT_OF Emil:Person",
    "Emil:Person PARENT_OF Fay:Person",
    "Dora:Person PARENT_OF Gus:Person",
    "Gus:Person PARENT_OF Kit:Person",
    "Tom:Person SPOUSE_OF Ida:Person",
    "Nell:Person SPOUSE_OF Carl:Person",
    "Zed:Person SPOUSE_OF Yan:Person",
)


@pytest.mark.parametrize(
    ("one", "other", "name"),
    [
        ("Tom", "Bob", "parent"),
        ("Fay", "Tom", "great-grandchild"),
        ("Bob", "Carl", "sibling"),
        ("Bob", "Hal", "half-sibling"),
        ("Bob", "Emil", "aunt or uncle"),
        ("Bob", "Fay", "great-aunt or uncle"),
        ("Emil", "Bob", "niece or nephew"),
        ("Dora", "Emil", "first cousin"),
        ("Fay", "Dora", "first cousin once removed"),
        ("Fay", "Gus", "second cousin"),
        ("Kit", "Fay", "second cousin once removed"),
        ("Kit", "Emil", "first cousin twice removed"),
        ("Ida", "Tom", "spouse"),
        ("Nell", "Dora", "aunt or uncle's spouse"),
        ("Zed", "Tom", None),
        ("Tom", "Tom", "same person"),
    ],
)
def test_kinship_is_named(memory: Memory, one: str, other: str, name: str | None) -> None:
    tell(memory, *TREE)
    with memory.read() as view:
        listed = {each.name: each.id for each in entities_by_name(view, None, 100)}
        people = view.entities([listed[one], listed[other]])
        found = find_kinship(LoreReader(view), people[listed[one]], people[listed[other]])
    assert (None if found is None else found.name) == name


def test_distant_cousins_are_counted() -> None:
    assert kinship_name(13, 16) == "12th cousin 3 times removed"
