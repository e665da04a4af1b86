"""What is deleted hides, stays visible in the past, and comes back exactly."""

import pytest

from recollect.memory import Memory
from tests.surfaces.lore_engine.telling_tools import Builder, year

ROLLS = f"---\nrelations:\n  - {{from: Orrin, relation: RULES, to: Halden, valid_from: {year(25)}}}\n---\nThe rolls.\n"


@pytest.fixture
def world(memory: Memory) -> Builder:
    return Builder(memory).tides()


def rules(world: Builder, **more: object) -> bool:
    said = world.do("was_true_at", subject="Orrin", relation="RULES", object="Halden", at_time=year(30), **more)
    return bool(said["was_true"])


def test_a_deleted_entity_hides_with_its_relations(world: Builder) -> None:
    clerk = world.do("add_entity", label="Person", name="The Drowned Clerk", aliases=["Clerk"])
    world.relate("The Drowned Clerk", "WITNESSED", "Breaking")
    said = world.do("delete_node", id=clerk["id"], reason="clerical joke")
    assert (said["id"], said["kind"], said["deleted"], said["changed"]) == (clerk["id"], "entity", True, True)
    assert said["affected"]["relations"] == 1
    assert world.do("delete_node", id=clerk["id"], reason="again")["changed"] is False
    assert world.fail("entity_context", name="Clerk")["error"] == "ENTITY_NOT_FOUND"
    assert world.do("entity_context", name="Clerk", as_of=said["tx"] - 1)["entity"]["id"] == clerk["id"]
    back = world.do("delete_node", id=clerk["id"], reason="it was true", restore=True)
    assert (back["deleted"], back["changed"], back["affected"]["relations"]) == (False, True, 1)
    assert world.do("entity_context", name="Clerk")["entity"]["id"] == clerk["id"]


def test_a_name_that_was_taken_meanwhile_keeps_the_entity_out(world: Builder) -> None:
    first = world.do("add_entity", label="Person", name="Perrin")
    world.do("delete_node", id=first["id"], reason="x")
    second = world.do("add_entity", label="Person", name="Perrin")
    assert second["id"] != first["id"]
    refused = world.fail("delete_node", id=first["id"], reason="y", restore=True)
    assert refused["error"] == "CONFLICT"
    assert second["id"] in refused["message"]


def test_a_deleted_relation_is_retracted_and_comes_back(world: Builder) -> None:
    fact = world.relate("Orrin", "RULES", "Halden", valid_from=year(25))
    Builder(world.memory, "ann").relate("Orrin", "RULES", "Halden", valid_until=year(53))
    said = world.do("delete_node", id=fact["id"], reason="never")
    assert (said["kind"], said["affected"]["relations"], said["affected"]["assertions"]) == ("relation", 1, 2)
    assert rules(world) is False
    assert rules(world, as_of=said["tx"] - 1) is True
    assert world.do("delete_node", id=fact["id"], reason="never")["changed"] is False
    back = world.do("delete_node", id=fact["id"], reason="it was", restore=True)
    assert (back["changed"], back["affected"]["assertions"]) == (True, 2)
    assert rules(world) is True
    shown = world.relate("Orrin", "RULES", "Halden", valid_from=year(25))
    assert (shown["id"], shown["valid_until"], shown["created"]) == (fact["id"], year(53), False)


def test_a_deletion_ends_the_dispute_it_was_part_of(world: Builder) -> None:
    first = world.relate("Mira", "BORN", at=year(2))
    second = world.relate("Mira", "BORN", at=year(20))
    assert second["disputed"] is True
    world.do("delete_node", id=first["id"], reason="misread")
    assert world.relate("Mira", "BORN", at=year(20))["disputed"] is False
    world.do("delete_node", id=first["id"], reason="not misread", restore=True)
    assert world.relate("Mira", "BORN", at=year(20))["disputed_with"] == [first["id"]]


def test_a_deleted_document_withdraws_what_it_says(world: Builder) -> None:
    document = world.do("add_lore_source", title="rolls", source_type="prose", content=ROLLS)["document_id"]
    assert rules(world) is True
    said = world.do("delete_node", id=document, reason="forged")
    assert (said["kind"], said["affected"]["relations"], said["affected"]["assertions"]) == ("document", 1, 1)
    assert rules(world) is False
    assert world.do("semantic_search", query="rolls") == []
    back = world.do("delete_node", id=document, reason="real", restore=True)
    assert (back["changed"], back["affected"]["relations"]) == (True, 1)
    assert rules(world) is True
    again = world.do("add_lore_source", title="rolls", source_type="prose", content=ROLLS)
    assert (again["created"], again["updated"], again["tx"]) == (False, False, back["tx"])


def test_a_document_that_was_deleted_can_be_told_again(world: Builder) -> None:
    document = world.do("add_lore_source", title="rolls", source_type="prose", content=ROLLS)["document_id"]
    world.do("delete_node", id=document, reason="forged")
    again = world.do("add_lore_source", title="rolls", source_type="prose", content=ROLLS)
    assert (again["created"], again["document_id"]) == (True, document)
    assert rules(world) is True


def test_what_was_told_goes_and_comes_with_the_encounter(world: Builder) -> None:
    fact = world.relate("Orrin", "RULES", "Halden", valid_from=year(25))["id"]
    met = world.do(
        "log_encounter",
        participants=["Perrin", "Sela"],
        content="Perrin told her.",
        at_time=year(58),
        shared=[{"relation_id": fact, "by": "Perrin"}],
    )

    def known() -> list[str]:
        said = world.do("query_as_npc", npc="Sela", query="Who rules Halden?", at_time=year(60), all=True)
        return [each["relation_id"] for each in said["known"] if each["how"] == "told"]

    for id_ in (met["document_id"], met["encounter_id"]):
        assert fact in known()
        world.do("delete_node", id=id_, reason="dream")
        assert fact not in known()
        world.do("delete_node", id=id_, reason="no dream", restore=True)
    assert fact in known()


@pytest.mark.parametrize("id_", ["vio_4q", "run_01KS2D7V80EG4VAVBBMQXPTMPY"])
def test_findings_and_runs_are_not_deleted(world: Builder, id_: str) -> None:
    failure = world.fail("delete_node", id=id_, reason="x")
    assert failure["error"] == "BAD_INPUT"
    assert "flag_for_review" in failure["hint"]


@pytest.mark.parametrize("id_", ["Orrin", "ent_01KS2D7V80EG4VAVBBMQXPTMPY", "019e44d3-ed00-7409-b56d-6ba6086857f4"])
def test_names_and_unknown_ids_are_not_found(world: Builder, id_: str) -> None:
    world.do("add_entity", label="House", name="Orrin")
    assert world.fail("delete_node", id=id_, reason="x")["error"] == "NOT_FOUND"
    assert world.fail("delete_node", id=id_)["error"] == "BAD_INPUT"


def test_a_deleted_rule_names_the_findings_it_closed(world: Builder) -> None:
    world.do("add_entity", label="Person", name="Perrin")
    rule = world.do("add_ontology_rule", id="nobody", cypher="MATCH (p:Person) RETURN p", description="no people")
    found = [each["id"] for each in rule["violations"]]
    gone = world.do("delete_node", id="nobody", reason="too strict")
    assert (gone["resolved_violations"], gone["affected"]["findings"]) == (found, len(found))
    assert found


def test_a_restored_rule_brings_its_findings_back_at_once(world: Builder) -> None:
    world.do("add_entity", label="Person", name="Mira")
    cypher = "MATCH (p:Person) RETURN p"
    [found] = world.do("add_ontology_rule", id="nobody", cypher=cypher, description="No people")["violations"]
    world.do("delete_node", id="nobody", reason="too strict")
    back = world.do("delete_node", id="nobody", reason="not so", restore=True)
    assert [each["id"] for each in back["violations"]] == [found["id"]]
    assert back["affected"]["findings"] == 1


def test_a_sub_era_goes_and_comes_by_its_slug(world: Builder) -> None:
    for restore in (False, True):
        said = world.do("delete_node", id="grey_years", reason="x", restore=restore)
        assert (said["id"], said["deleted"], said["changed"]) == ("second_tide.grey_years", not restore, True)
