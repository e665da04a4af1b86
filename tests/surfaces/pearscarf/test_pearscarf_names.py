"""Names in: what a surface form resolves to, and what is said when it does not."""

from typing import Any

import pytest
from tests.conftest import MovingClock
from tests.surfaces.pearscarf.pearscarf_world import (
    answer,
    delete,
    fact,
    harrow_bridge,
    known,
    links,
    on_one_engine,
    person,
    refusal,
    tell,
)

from recollect.memory import Memory
from recollect.model.ids import format_entity_id, format_uuid
from recollect.write.merge import merge

OTHER_TOOLS = ("get_facts", "get_connections", "get_conflicts", "get_entity_context")


def found(memory: Memory, name: str, **more: Any) -> tuple[str, str, float]:
    answered = answer(memory, "find_entity", name=name, **more)
    return answered["entity"]["name"], answered["resolution"]["method"], answered["resolution"]["score"]


def test_an_entity_is_shown_with_its_properties_and_aliases(memory: Memory) -> None:
    harrow_bridge(memory)
    assert answer(memory, "find_entity", name="odile ferrant") == {
        "entity": {
            "id": format_entity_id(known(memory, "Odile Ferrant").id),
            "name": "Odile Ferrant",
            "type": "Person",
            "metadata": {"email": "odile@harrowbridge.example"},
            "provisional": False,
        },
        "aliases": ["O. Ferrant"],
        "resolution": {"method": "exact", "score": 1.0},
        "ambiguous": False,
        "candidates": [],
    }


@on_one_engine
@pytest.mark.parametrize("name", ["ODILE FERRANT", "  Odile   Ferrant ", "Odile\u00a0Ferrant", "\uff2fdile Ferrant"])
def test_case_spacing_and_composition_are_still_exact(memory: Memory, name: str) -> None:
    harrow_bridge(memory)
    assert found(memory, name) == ("Odile Ferrant", "exact", 1.0)


def test_a_name_is_found_however_its_accents_are_composed(memory: Memory) -> None:
    tell(memory, entities=[person("Zoe\u0308 Pe\u0301rez")])
    assert found(memory, "zo\u00eb p\u00e9rez") == ("Zoe\u0308 Pe\u0301rez", "exact", 1.0)


@pytest.mark.parametrize("name", ["o. ferrant", "ODILE@harrowbridge.example"])
def test_aliases_and_addresses_answer_at_the_alias_rung(memory: Memory, name: str) -> None:
    harrow_bridge(memory)
    assert found(memory, name) == ("Odile Ferrant", "alias", 0.95)


def test_a_mail_domain_answers_and_is_no_alias(memory: Memory) -> None:
    tell(
        memory, entities=[{"name": "Harrow Bridge", "type": "Company", "metadata": {"domain": "harrowbridge.example"}}]
    )
    answered = answer(memory, "find_entity", name="harrowbridge.example")
    assert (answered["entity"]["type"], answered["aliases"]) == ("Company", [])
    assert answered["resolution"]["method"] == "alias"


def test_an_id_answers_with_its_prefix_and_as_a_uuid(memory: Memory) -> None:
    harrow_bridge(memory)
    odile = known(memory, "Odile Ferrant").id
    assert found(memory, format_entity_id(odile)) == ("Odile Ferrant", "id", 1.0)
    assert found(memory, format_uuid(odile)) == ("Odile Ferrant", "id", 1.0)
    assert refusal(memory, "find_entity", name=format_entity_id("0" * 26))["error"] == "not_found"


def test_a_short_form_of_a_person_is_fuzzy(memory: Memory) -> None:
    harrow_bridge(memory)
    assert found(memory, "Odile") == ("Odile Ferrant", "fuzzy", 0.9)


def test_an_unknown_name_is_an_error_with_suggestions(memory: Memory) -> None:
    harrow_bridge(memory)
    said = refusal(memory, "find_entity", name=" Odo Ferrand ")
    assert (said["error"], said["name"], said["field"]) == ("not_found", " Odo Ferrand ", "name")
    [candidate] = said["candidates"]
    assert set(candidate) == {"id", "name", "type", "metadata", "score"}
    assert candidate["name"] == "Odile Ferrant"


def test_the_name_comes_back_as_given_under_an_older_argument(memory: Memory) -> None:
    said = refusal(memory, "get_facts", entity_name="Nobody  At All")
    assert said == {
        "error": "not_found",
        "name": "Nobody  At All",
        "candidates": [],
        "field": "entity",
        "message": (
            "'Nobody  At All' is not known; "
            "check the spelling, or pass another name, an alias, an email address or an id"
        ),
    }


def test_an_unknown_name_with_candidates_says_to_pass_the_id_of_one(memory: Memory) -> None:
    harrow_bridge(memory)
    message = refusal(memory, "get_facts", entity="Odo Ferrand")["message"]
    assert "pass the id of a candidate" in message


@on_one_engine
@pytest.mark.parametrize("name", ["%", "_", "*", "Lum%", "Lumen*"])
def test_wildcards_have_no_special_meaning(memory: Memory, name: str) -> None:
    harrow_bridge(memory)
    assert refusal(memory, "find_entity", name=name)["error"] == "not_found"


def test_a_text_that_names_two_entities_is_not_found(memory: Memory) -> None:
    harrow_bridge(memory)
    assert refusal(memory, "find_entity", name="Odile Ferrant and Teo Quist")["error"] == "not_found"


def test_near_numbers_are_different_things(memory: Memory) -> None:
    tell(memory, entities=[{"name": "PR 418", "type": "Project"}])
    assert refusal(memory, "find_entity", name="PR 419")["error"] == "not_found"


def two_webbs(memory: Memory) -> None:
    for number, mail in enumerate(("a@x.example", "b@y.example")):
        tell(
            memory,
            fact("Ann Webb", "ASSERTED/goal", {"literal": f"goal {number}"}, f"Ann Webb has goal {number}"),
            record=f"webb {number}",
            at=f"2026-04-0{number + 1}",
            entities=[person("Ann Webb", metadata={"email": mail})],
        )


def test_two_people_of_one_name_tie_and_keep_their_own_facts(memory: Memory) -> None:
    two_webbs(memory)
    answered = answer(memory, "find_entity", name="Ann Webb")
    assert (answered["entity"], answered["aliases"], answered["ambiguous"]) == (None, [], True)
    assert answered["resolution"] == {"method": "exact", "score": 1.0}
    assert sorted(each["metadata"]["email"] for each in answered["candidates"]) == ["a@x.example", "b@y.example"]
    for number, mail in enumerate(("a@x.example", "b@y.example")):
        [one] = answer(memory, "get_facts", entity=mail)["facts"]
        assert one["fact"] == f"Ann Webb has goal {number}"


@pytest.mark.parametrize("tool", OTHER_TOOLS)
def test_other_tools_refuse_an_ambiguous_name_with_candidates(memory: Memory, tool: str) -> None:
    two_webbs(memory)
    said = refusal(memory, tool, entity="ann webb")
    assert (said["error"], said["name"], said["field"]) == ("ambiguous", "ann webb", "entity")
    assert [set(each) for each in said["candidates"]] == [{"id", "name", "type", "metadata", "score"}] * 2


def test_at_most_five_candidates_are_shown(memory: Memory) -> None:
    for number in range(7):
        tell(memory, entities=[person("Ann Webb", metadata={"email": f"{number}@x.example"})])
    assert len(answer(memory, "find_entity", name="Ann Webb")["candidates"]) == 5
    assert len(refusal(memory, "get_facts", entity="Ann Webb")["candidates"]) == 5
    assert len(refusal(memory, "get_facts", entity="Webb Smith")["candidates"]) == 5


def test_two_types_of_one_name_tie_until_the_type_is_given(memory: Memory) -> None:
    tell(memory, entities=[{"name": "Mercury", "type": "Project"}])
    tell(memory, entities=[{"name": "Mercury", "type": "Company"}])
    tell(memory, entities=[{"name": "Mercury", "type": "magic_system"}])
    assert answer(memory, "find_entity", name="Mercury")["ambiguous"]
    for given, shown in (
        ("project", "Project"),
        ("COMPANY", "Company"),
        ("Organization", "Company"),
        ("MagicSystem", "MagicSystem"),
        ("magic_system", "MagicSystem"),
        ("MAGICSYSTEM", "MagicSystem"),
    ):
        assert answer(memory, "find_entity", name="Mercury", entity_type=given)["entity"]["type"] == shown
    assert refusal(memory, "find_entity", name="Mercury", entity_type="Planet")["error"] == "not_found"


def test_an_end_nobody_gave_a_type_is_unknown_and_provisional(memory: Memory) -> None:
    links(memory, ("Somebody", "Something"))
    shown = answer(memory, "find_entity", name="Something")["entity"]
    assert (shown["type"], shown["provisional"], shown["metadata"]) == ("Unknown", True, {})


def test_aliases_of_one_line_are_listed_as_they_were_given(memory: Memory) -> None:
    tell(memory, entities=[person("Zed Long", aliases=["Zulu", "Alpha", "Mike"])])
    tell(memory, entities=[person("Zed Long", aliases=["Echo", "Bravo", "Mike"])])
    assert answer(memory, "find_entity", name="Zulu")["aliases"] == ["Zulu", "Alpha", "Mike", "Echo", "Bravo"]


def test_aliases_are_listed_first_learned_first(memory: Memory) -> None:
    tell(memory, entities=[person("Zed Long", aliases=["Zulu"])])
    tell(memory, entities=[person("Zed Long", aliases=["Alpha", "zed long"])])
    assert answer(memory, "find_entity", name="Zed Long")["aliases"] == ["Zulu", "Alpha"]


def test_a_merged_entity_resolves_to_the_survivor(memory: Memory) -> None:
    links(memory, ("Bob Stone", "Quarry"), ("Robert Stone", "Mill"))
    loser, survivor = known(memory, "Bob Stone"), known(memory, "Robert Stone")
    with memory.write() as change:
        merge(change, loser, survivor)
    assert found(memory, "bob stone") == ("Robert Stone", "alias", 0.95)
    assert found(memory, format_entity_id(loser.id)) == ("Robert Stone", "id", 1.0)
    assert [each["from_entity"]["name"] for each in answer(memory, "get_facts", entity="Bob Stone")["facts"]] == [
        "Robert Stone"
    ] * 2


def test_a_deleted_entity_does_not_resolve(memory: Memory) -> None:
    harrow_bridge(memory)
    odile = known(memory, "Odile Ferrant")
    delete(memory, "Odile Ferrant")
    assert refusal(memory, "find_entity", name="Odile Ferrant")["error"] == "not_found"
    assert refusal(memory, "find_entity", name=format_entity_id(odile.id))["error"] == "not_found"


def test_an_entity_not_yet_known_then_is_not_found(memory: Memory, clock: MovingClock) -> None:
    harrow_bridge(memory)
    clock.set("2026-05-22T10:00:00Z")
    tell(memory, entities=[person("Late Comer")])
    assert refusal(memory, "find_entity", name="Late Comer", as_of="2026-05-21")["error"] == "not_found"
    assert found(memory, "Late Comer", as_of="2026-05-22")[0] == "Late Comer"
    assert refusal(memory, "get_facts", entity="Odile Ferrant", as_of="2026-05-19")["error"] == "not_found"


def test_the_first_name_that_fails_is_the_one_reported(memory: Memory) -> None:
    harrow_bridge(memory)
    said = refusal(memory, "get_relationship", entity_a="Nobody", entity_b="Noone")
    assert (said["name"], said["field"]) == ("Nobody", "entity_a")
    said = refusal(memory, "get_relationship", entity_a="Teo Quist", entity_b="Noone")
    assert (said["name"], said["field"]) == ("Noone", "entity_b")
