"""What strangers say of an entity apart from facts: their addresses and properties stay claims of theirs."""

import json
from pathlib import Path
from typing import Any

import pytest

from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.trust import Trust, trust_in
from recollect.reason.items.item_lookup import closings_of
from recollect.reason.review.queue import list_questions
from recollect.surfaces.dispatch import invoke
from recollect.surfaces.registry import find_surface
from recollect.write.claims import joined_properties
from recollect.write.entity_edits import edit_entity
from recollect.write.merge import merge
from recollect.write.owner import find_owner, profile_in
from recollect.write.trust_rules import Distrusted, changed_rules
from tests.ingest.records import Reading, email, everything
from tests.support.facts import entity_named, fact, facts_of, set_owner, tell, texts

OWNER = "Ada Brandt <ada@brandt.example>"
STRANGE = "nora@vex.example"
STRANGER: dict[str, Any] = {"type": "email", "metadata": {"sender": "Eve <eve@evil.example>", "recipients": [OWNER]}}
NORA = {"name": "Nora Berg", "type": "person"}


def nora(**properties: str) -> list[dict[str, Any]]:
    return [{**NORA, "properties": properties}]


@pytest.fixture
def read(memory: Memory, tmp_path: Path) -> Reading:
    set_owner(memory, "Ada Brandt", "ada@brandt.example")
    tell(memory, fact("Nora Berg", "employee", "Orion Labs", "Nora Berg works at Orion Labs"), entities=[NORA])
    return Reading(memory, tmp_path / "records.jsonl")


def level(read: Reading, sender: str, text: str = "I live in Oslo.", key: str = "e1", **fields: Any) -> Trust:
    """How far a mail is trusted."""
    read(email(key, text, "2026-04-11T09:00:00Z", sender=sender, recipients=[OWNER], **fields))
    with read.memory.read() as view:
        found = view.document_named("record", key)
        assert found is not None
        return trust_in(found.properties)


def found(memory: Memory, name: str) -> Entity:
    entity = entity_named(memory, name)
    assert entity is not None
    return entity


def distrust(memory: Memory) -> None:
    with memory.write() as change:
        change.put_setting(*changed_rules(change, "tool", "recollect.remember", "untrusted"))


def remember(memory: Memory, text: str) -> Any:
    return invoke(find_surface("recollect").find("remember"), memory.as_actor("recollect", "remember"), {"text": text})


def test_an_address_that_a_stranger_s_card_gives_is_not_known(read: Reading) -> None:
    tell(read.memory, entities=nora(email=STRANGE), id="card", **STRANGER)
    assert level(read, f"Nora Berg <{STRANGE}>") == "unknown"


def test_an_address_that_a_distrusted_tool_gives_is_not_known(read: Reading) -> None:
    distrust(read.memory)
    remember(read.memory, f"Nora Berg's email is {STRANGE}.")
    assert level(read, f"Nora Berg <{STRANGE}>") == "unknown"


@pytest.mark.parametrize("is_first", [True, False])
def test_an_address_that_the_owner_gives_too_is_known(read: Reading, is_first: bool) -> None:
    if not is_first:
        tell(read.memory, entities=nora(email=STRANGE), id="card", **STRANGER)
    tell(read.memory, entities=nora(email="NORA@vex.example"), id="own")
    if is_first:
        tell(read.memory, entities=nora(email=STRANGE), id="card", **STRANGER)
    assert level(read, f"Nora Berg <{STRANGE}>") == "known"
    assert found(read.memory, "Nora Berg").given_properties == {"email": "NORA@vex.example"}


def test_an_address_stays_a_claim_when_two_people_become_one(read: Reading) -> None:
    norrie = {"name": "Norrie", "type": "person", "properties": {"email": STRANGE}}
    tell(read.memory, entities=[norrie], id="card", **STRANGER)
    with read.memory.write() as change:
        merge(change, found(read.memory, "Norrie"), found(read.memory, "Nora Berg"))
    assert level(read, f"Norrie <{STRANGE}>") == "unknown"
    assert found(read.memory, "Nora Berg").given_properties == {"claimed": {"email": STRANGE, "trust": "unknown"}}


def test_a_value_of_the_owner_stays_and_a_new_one_is_a_claim(read: Reading) -> None:
    tell(read.memory, entities=nora(city="Oslo"), source_at="2026-04-01T00:00:00Z", id="own")
    tell(read.memory, entities=nora(city="Molde", phone="11"), source_at="2026-05-01T00:00:00Z", id="1", **STRANGER)
    held = found(read.memory, "Nora Berg").given_properties
    assert held == {"city": "Oslo", "claimed": {"phone": "11", "trust": "unknown"}}
    tell(read.memory, entities=nora(phone="22"), source_at="2026-03-01T00:00:00Z", id="later")
    assert found(read.memory, "Nora Berg").given_properties == {"city": "Oslo", "phone": "22"}
    tell(read.memory, entities=nora(phone="33"), source_at="2026-05-02T00:00:00Z", id="2", **STRANGER)
    assert found(read.memory, "Nora Berg").given_properties == {"city": "Oslo", "phone": "22"}


def test_what_strangers_said_of_their_own_stays_a_claim_once_the_owner_names_them(read: Reading) -> None:
    tell(read.memory, entities=[{"name": "Sly", "type": "person", "properties": {"bank": "XX99"}}], id="1", **STRANGER)
    assert found(read.memory, "Sly").given_properties == {"bank": "XX99"}
    tell(read.memory, fact("Sly", "contact", "Nora Berg", "Sly called Nora Berg"))
    assert found(read.memory, "Sly").given_properties == {"claimed": {"bank": "XX99", "trust": "unknown"}}


def test_an_edit_by_the_owner_keeps_claims_that_it_leaves_alone(read: Reading) -> None:
    tell(read.memory, entities=nora(phone="11", bank="XX99"), id="1", **STRANGER)
    held = found(read.memory, "Nora Berg")
    with read.memory.write() as change:
        edit_entity(change, held, held._replace(properties={"phone": "22", "bank": "XX99"}))
    claimed = {"phone": "22", "claimed": {"bank": "XX99", "trust": "unknown"}}
    assert found(read.memory, "Nora Berg").given_properties == claimed


def test_of_two_that_become_one_the_trusted_one_s_properties_stand(read: Reading) -> None:
    held = found(read.memory, "Nora Berg")
    trusted = held._replace(properties={"city": "Oslo", "phone": "1", "claimed_properties": ["phone"]})
    stranger = held._replace(properties={"city": "Molde", "bank": "XX", "phone": "2", "source_trust": "unknown"})
    for pair in ((stranger, trusted), (trusted, stranger)):
        joined = joined_properties(*pair)
        assert (joined["city"], joined["claimed_properties"]) == ("Oslo", ["bank", "phone"])
        assert trust_in(joined) == "owner"


@pytest.mark.parametrize(
    "entity", [{"type": "person", "properties": {"concept_role": "self"}}, {"type": "self", "properties": {}}]
)
def test_nobody_else_says_who_the_owner_is(memory: Memory, entity: dict[str, Any]) -> None:
    tell(memory, entities=[{"name": "Vera Kalt", **entity}], id="bundle", **STRANGER)
    with memory.read() as view:
        assert find_owner(view) is None
    tell(memory, entities=[{"name": "Ada Brandt", **entity}])
    with memory.read() as view:
        owner = find_owner(view)
        assert owner is not None
        assert owner.name == "Ada Brandt"


def test_a_distrusted_tool_does_not_name_the_owner(memory: Memory) -> None:
    distrust(memory)
    remember(memory, "My name is Vera Kalt.")
    with memory.write() as change:
        assert profile_in(change).name is None


def test_a_stranger_who_takes_another_name_does_not_join_two_people(read: Reading) -> None:
    level(read, "Abel Kalt <vera@vex.example>")
    level(read, "Nora Berg <vera@vex.example>", "I live in Larvik.", key="e2")
    assert found(read.memory, "Nora Berg").id != found(read.memory, "Abel Kalt").id
    assert texts(read.memory, "Nora Berg") == ["Nora Berg works at Orion Labs"]


def test_a_stranger_does_not_rename_somebody_whom_the_owner_wrote_to(read: Reading) -> None:
    greta = "greta@costumes.example"
    read(email("e1", "Hello.", "2026-04-10T09:00:00Z", sender=OWNER, recipients=[f"Greta Nowak <{greta}>"]))
    read(
        email(
            "e0",
            "Hi.",
            "2026-01-01T09:00:00Z",
            sender=f"Vex Payroll <{greta}>",
            recipients=[OWNER],
            unauthenticated=True,
        )
    )
    assert found(read.memory, greta).name == "Greta Nowak"


@pytest.mark.parametrize(
    ("sender", "fields"),
    [
        (f"Nora Berg <{STRANGE}>", {}),
        ("Nora Berg <ｎｏｒａ@orion.example>", {}),
        ("Nora Berg <nora@orion.example>", {"unauthenticated": True}),
    ],
)
def test_only_an_address_that_the_owner_knows_closes_what_its_owner_promised(
    read: Reading, sender: str, fields: dict[str, Any]
) -> None:
    tell(read.memory, entities=nora(email="nora@orion.example"), id="own")
    promise = fact("Nora Berg", "commitment", None, "Nora Berg will send the lease", label="ASSERTED")
    tell(read.memory, promise, source_at="2026-04-01T00:00:00Z", id="promise")
    tell(read.memory, entities=nora(email=STRANGE), id="card", **STRANGER)
    assert level(read, sender, "I have sent the lease.", **fields) == "unknown"
    assert not closed(read.memory, "Nora Berg will send the lease")
    level(read, "Nora Berg <nora@orion.example>", "I have sent the lease.", key="e9")
    assert closed(read.memory, "Nora Berg will send the lease")


def closed(memory: Memory, words: str) -> bool:
    [item] = [each.fact for each in everything(memory) if each.fact.words == words]
    with memory.read() as view:
        return item.id in closings_of(view, [item])


def test_another_value_from_a_distrusted_tool_leaves_that_of_the_owner_undisputed(read: Reading) -> None:
    remember(read.memory, "Mara Lindt lives in Lisbon.")
    distrust(read.memory)
    remember(read.memory, "Mara Lindt does not live in Lisbon but in Florø.")
    states = {each.object_name: each.fact.disputed for each in facts_of(read.memory, "Mara Lindt", every=True)}
    assert states["Lisbon"] is False


def test_rules_hold_for_every_spelling_of_a_domain_and_none_raises_a_disguised_one(read: Reading) -> None:
    with read.memory.write() as change:
        change.put_setting(*changed_rules(change, "domain", "@Vex.Example.", "untrusted"))
        change.put_setting(*changed_rules(change, "domain", "northwind.example", "known"))
        change.put_setting(*changed_rules(change, "domain", "müller.example", "known"))
    assert level(read, "Vera <vera@ｖｅｘ.example>", key="1") == "untrusted"
    assert level(read, "Bo <bo@northwind.example>", key="2") == "known"
    assert level(read, "Bo <bo@ｎｏｒｔｈｗｉｎｄ.example>", key="3") == "unknown"
    assert level(read, "Bo <bo@n\u043erthwind.example>", key="4") == "untrusted"  # also an attack by its letters
    assert level(read, "Bo <bo@xn--nrthwind-nbh.example>", key="5") == "unknown"
    assert level(read, "Bo <bo@xn--mller-kva.example>", key="6") == "known"


@pytest.mark.parametrize(
    ("surface", "tool", "arguments"),
    [
        ("memory", "delete_entities", {"entityNames": ["Nora Berg"]}),
        (
            "memory",
            "delete_relations",
            {"relations": [{"from": "Nora Berg", "to": "Oslo", "relationType": "lives_in"}]},
        ),
        ("lore-engine", "merge_entities", {"id_a": "Ada Brandt", "id_b": "Nora Berg", "force": True}),
        ("lore-engine", "delete_node", {"id": "Nora Berg", "reason": "x"}),
        ("entity-core", "graph_node_update", {"id": "{entity}", "label": "Vera Kalt"}),
        ("entity-core", "graph_node_delete", {"id": "{entity}"}),
        ("entity-core", "graph_edge_delete", {"id": "{fact}"}),
        ("recollect", "correct", {"fact": "{fact}", "mode": "wrong"}),
        ("recollect", "forget", {"target": "Nora Berg"}),
        ("recollect", "undo", {"transaction": "{tx}"}),
        ("recollect", "review", {"decide": {"id": "{question}", "choice": "keep_b"}}),
    ],
)
def test_a_distrusted_tool_neither_changes_nor_deletes_nor_decides(
    read: Reading, surface: str, tool: str, arguments: dict[str, Any]
) -> None:
    remember(read.memory, "Nora Berg lives in Oslo.")
    tell(read.memory, fact("Nora Berg", "lives_in", "Molde", predicate="lives_in"), id="m", **STRANGER)
    [lives] = [each.fact for each in facts_of(read.memory, "Nora Berg") if each.object_name == "Oslo"]
    with read.memory.read() as view:
        before = view.last_tx
        questions = list_questions(read.memory, view, "conflict").questions
    ids = {"entity": lives.subject, "fact": lives.id, "question": str(questions[0].id)}
    with read.memory.write() as change:
        change.put_setting(*changed_rules(change, "tool", surface, "untrusted"))
    text = json.dumps(arguments).replace('"{tx}"', str(before - 1))
    for key, value in ids.items():
        text = text.replace(f"{{{key}}}", value)
    given = json.loads(text)
    memory = read.memory.as_actor(surface, tool)
    with pytest.raises(Distrusted, match=f"recollect trust set tool {surface}.{tool} owner"):
        invoke(find_surface(surface).find(tool), memory, given)
    assert [each.fact for each in facts_of(read.memory, "Nora Berg") if each.object_name == "Oslo"] == [lives]
