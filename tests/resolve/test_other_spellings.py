"""Names written with other accents, apostrophes and dashes, and in other scripts."""

from typing import Any

import pytest
from tests.support.facts import entity_named, tell

from recollect.memory import Memory
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface


def _call(memory: Memory, surface: str, tool: str, **arguments: Any) -> dict[str, Any]:
    structured: dict[str, Any] = call(find_surface(surface).find(tool), lambda _: memory, arguments).structured
    return structured


@pytest.mark.parametrize(
    ("stored", "asked"),
    [
        ("Éléonore d’Aubigné", "Eleonore d'Aubigne"),
        ("Jean–Luc Mérél", "Jean-Luc Merel"),
        ("Đặng Thị Hồng", "Dang Thi Hong"),
        ("Łukasz Brzęczyszczykiewicz", "Lukasz Brzeczyszczykiewicz"),
        ("Eleonore d'Aubigne", "Éléonore d’Aubigné"),
        ("Ḫattušili", "Hattusili"),
    ],
)
def test_a_name_is_found_without_its_accents_and_typography(memory: Memory, stored: str, asked: str) -> None:
    tell(memory, entities=[{"name": stored, "type": "Person"}])
    found = entity_named(memory, asked)
    assert found is not None
    assert found.name == stored


@pytest.mark.parametrize(("stored", "written"), [("O’Brien", "O'Brien"), ("Jean–Luc", "Jean-Luc"), ("A‑7", "A-7")])
def test_apostrophes_and_dashes_do_not_make_another_entity(memory: Memory, stored: str, written: str) -> None:
    tell(memory, entities=[{"name": stored, "type": "Person"}])
    tell(memory, entities=[{"name": written, "type": "Person"}])
    first, second = entity_named(memory, stored), entity_named(memory, written)
    assert first is not None
    assert first == second


def test_names_that_differ_in_accents_stay_two_entities_and_each_is_found_exactly(memory: Memory) -> None:
    tell(memory, entities=[{"name": "Müller", "type": "Person"}, {"name": "Muller", "type": "Person"}])
    one, other = entity_named(memory, "müller"), entity_named(memory, "muller")
    assert (one and one.name, other and other.name) == ("Müller", "Muller")


@pytest.mark.parametrize(("stored", "written"), [("Mathilde Ostrander", "Ostrander"), ("Q3 Budget Review", "Q3")])
def test_a_part_of_a_name_comes_back_with_the_names_that_have_it(memory: Memory, stored: str, written: str) -> None:
    tell(memory, entities=[{"name": stored, "type": "Thing"}])
    tool = find_surface("cognitive-graph").find("recall_entity")
    answer = call(tool, lambda _: memory, {"name_or_alias": written})
    assert answer.structured["entity"] is None
    assert stored in answer.texts[1]


@pytest.mark.parametrize("relation", ["ученик", "弟子", "φίλος_του", "शिष्य"])
def test_a_relation_may_be_named_in_any_script(memory: Memory, relation: str) -> None:
    tell(memory, entities=[{"name": "Ada", "type": "Person"}, {"name": "Teo", "type": "Person"}])
    made = _call(memory, "lore-engine", "add_relation", subject="Ada", relation=relation, object="Teo")
    assert made["relation"] == relation.upper()


@pytest.mark.parametrize(("name", "path"), [("Эпоха Соли", "эпоха_соли"), ("三国", "三国"), ("Έτος Α", "έτοσ_α")])
def test_an_era_may_be_named_in_any_script(memory: Memory, name: str, path: str) -> None:
    made = _call(memory, "lore-engine", "define_era", name=name, start=1, end=400)
    assert path in str(made), made
    tell(memory, {"from": "Ada", "predicate": "rules", "to": {"name": "Orrin"}, "valid_from": f"{path}.year_3"})
    assert entity_named(memory, "Orrin") is not None
