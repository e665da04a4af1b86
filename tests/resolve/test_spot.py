"""Names in a text: whole tokens, the longest first, without overlaps, never guessed."""

import pytest
from tests.support.facts import tell

from recollect.memory import Memory
from recollect.resolve.name_finder import find_entities, find_names


@pytest.fixture
def known(memory: Memory) -> Memory:
    tell(
        memory,
        entities=[
            {"name": "Ilse Brandt", "type": "person", "aliases": ["Ilse"]},
            {"name": "Brandt Pottery", "type": "organization"},
            {"name": "Noor", "type": "person"},
            {"name": "O'Brien", "type": "person"},
            {"name": "AT&T", "type": "organization"},
            {"name": "Saint-Malo", "type": "place"},
            {"name": "王小明", "type": "person"},
            {"name": "Ёлка", "type": "concept"},
            {"name": "The Who", "type": "topic"},
            {"name": "Who", "type": "topic"},
            {"name": "Al", "type": "person"},
            {"name": "Wren", "type": "self"},
        ],
    )
    for kind in ("person", "organization"):
        tell(memory, entities=[{"name": "Alex", "type": kind}])
    return memory


def found(memory: Memory, text: str) -> list[str]:
    with memory.read() as view:
        return [text[each.start : each.stop] for each in find_names(view, text)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("I met ILSE  brandt.", ["ILSE  brandt"]),
        ("Ilse, Noor's friend (Ilse).", ["Ilse", "Noor", "Ilse"]),
        ("Ilse Brandt Pottery", ["Brandt Pottery", "Ilse"]),
        ("Ilse. Brandt was there", ["Ilse"]),
        ("Noorwegen and noo", []),
        ("“O'Brien” of AT&T!", ["O'Brien", "AT&T"]),
        ("to Saint-Malo, not Saint Malo", ["Saint-Malo"]),
        ("我和王小明去喝茶", ["王小明"]),
        ("наша ёлка!", ["ёлка"]),
        ("who knows Al", []),
        ("", []),
    ],
)
def test_a_name_is_spotted_where_it_stands_whole(known: Memory, text: str, names: list[str]) -> None:
    assert sorted(found(known, text)) == sorted(names)


def test_a_name_that_several_share_is_left_open(known: Memory) -> None:
    with known.read() as view:
        [alex] = find_names(view, "Alex came")
        assert (len(alex.entities), alex.entity) == (2, None)
        assert find_entities(view, "Alex came") == []


def test_barred_types_count_for_nothing(known: Memory) -> None:
    with known.read() as view:
        assert len(find_names(view, "Wren")) == 1
        assert find_names(view, "Wren", frozenset({"self"})) == []


def test_names_are_those_of_the_moment_asked_about(known: Memory) -> None:
    with known.read(0) as view:
        assert find_names(view, "Noor") == []
