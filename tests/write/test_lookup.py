"""The rungs by which a name finds an entity."""

from typing import Any

import pytest

from recollect.memory import Memory
from recollect.write.entity_refs import AmbiguousName, NamedRef, find, find_or_create
from recollect.write.lookup import LookupPolicy, by_identifier, by_name_or_alias, of_type
from recollect.write.names import BadName, name_text
from tests.support.facts import tell

ENTITIES: list[dict[str, Any]] = [
    {"name": "Mercury", "type": "planet"},
    {"name": "Freddie", "type": "person", "aliases": ["Mercury"]},
    {"name": "Dana Cole", "type": "person", "metadata": {"email": "dana@cole.example"}},
    {"name": "Quill"},
]


def test_a_name_is_cleaned_folded_and_keyed_once() -> None:
    assert name_text("  Jean-Luc  PICARD ") == ("Jean-Luc PICARD", "jean-luc picard", "jean luc picard")
    with pytest.raises(BadName):
        _ = name_text(" \u200b ").checked


@pytest.mark.parametrize(
    ("policy", "text", "found"),
    [
        (of_type(None), "mercury", ["Mercury"]),
        (of_type("person"), "Mercury", ["Freddie"]),
        (of_type("person"), "Quill", ["Quill"]),
        (of_type("person"), "dana@cole.example", ["Dana Cole"]),
        (by_name_or_alias("person"), "dana@cole.example", []),
        (by_name_or_alias("person"), "Quill", []),
        (by_name_or_alias("person", or_unknown=True), "Quill", ["Quill"]),
        (by_identifier("email", "person"), "Dana@Cole.example", ["Dana Cole"]),
    ],
)
def test_the_first_rung_with_a_match_decides(memory: Memory, policy: LookupPolicy, text: str, found: list[str]) -> None:
    tell(memory, entities=ENTITIES)
    with memory.write() as change:
        assert [each.name for each in policy.find_all(change, text)] == found
    with memory.read() as view:
        assert [each.name for each in policy.find_all(view, text)] == found


def test_an_ambiguous_name_is_refused_and_an_email_tells_namesakes_apart(memory: Memory) -> None:
    with memory.write() as change:
        one = find_or_create(change, NamedRef("Sam Poe", "person", properties={"email": "sam@a.example"}))
        two = find_or_create(change, NamedRef("Sam Poe", "person", properties={"email": "sam@b.example"}))
        assert one.entity.id != two.entity.id
        with pytest.raises(AmbiguousName):
            find(change, NamedRef("Sam Poe", "person"))
        assert find(change, NamedRef("Sam Poe", "person", properties={"email": "SAM@b.example"})) == two.entity
