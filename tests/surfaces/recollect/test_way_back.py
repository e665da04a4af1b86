"""A wrong fact from any surface can be retracted, ended, changed or hidden here, with its history kept, and undone."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from recollect.importers.bundle import import_bundle
from recollect.memory import Memory
from recollect.model.ids import FACT_PREFIX, FactId, read_id
from tests.ingest.records import email
from tests.support.facts import fact, tell
from tests.support.surface_answers import answers, differences
from tests.surfaces.recollect.test_changing import Agent

Json = dict[str, Any]
Writer = Callable[[Agent, Any], None]


def by_cognitive_graph(agent: Agent, _: Any) -> None:
    ends = {"subject": {"type": "person", "name": "Ada"}, "object": {"type": "project", "name": "Boat"}}
    agent.do("record_fact", "cognitive-graph", predicate="belongs_to", source="chat", **ends)


def by_entity_core(agent: Agent, _: Any) -> None:
    nodes = [{"type": "person", "label": "Ada"}, {"type": "thing", "label": "Boat"}]
    edges = [{"fromLabel": "Ada", "toLabel": "Boat", "type": "owns"}]
    agent.do("graph_write_transaction", "entity-core", nodes=nodes, edges=edges)


def by_lore_relation(agent: Agent, _: Any) -> None:
    agent.do("add_relation", "lore-engine", **{"from": "Ada", "relation": "OWNS", "to": "Boat", "valid_from": "2024"})


def by_lore_source(agent: Agent, _: Any) -> None:
    content = "---\nrelations:\n  - {from: Ada, relation: OWNS, to: Boat, valid_from: '2024'}\n---\nAda and her boat."
    agent.do("add_lore_source", "lore-engine", title="harbour", source_type="prose", content=content)


def by_folio(agent: Agent, _: Any) -> None:
    facts = [{"edge_label": "AFFILIATED", "fact_type": "owner", "from": "Ada", "to": "Boat"}]
    meta = {"entities": [{"name": "Ada", "type": "person"}], "facts": facts}
    agent.do("commit_to_folio", "carabase", folioName="Harbour", content="Ada owns the boat.", extraMetadata=meta)


def by_bundle(agent: Agent, _: Any) -> None:
    tell(agent.memory, fact("Ada", "owner", "Boat"), id="mail-1", content="Ada owns the boat.")


def by_reading_a_record(agent: Agent, folder: Any) -> None:
    path = folder / "one.jsonl"
    path.write_text(json.dumps(email("m1", "I will send the boat papers by Friday.")) + "\n")
    import_bundle(agent.memory, path)


def by_memory_relation(agent: Agent, _: Any) -> None:
    people = [{"name": "Ada", "entityType": "person", "observations": []}]
    agent.do(
        "create_entities", "memory", entities=[*people, {"name": "Boat", "entityType": "thing", "observations": []}]
    )
    agent.do("create_relations", "memory", relations=[{"from": "Ada", "to": "Boat", "relationType": "owns"}])


def by_memory_observation(agent: Agent, _: Any) -> None:
    ada = {"name": "Ada", "entityType": "person", "observations": ["Ada owns the boat"]}
    agent.do("create_entities", "memory", entities=[ada])


def by_entity_core_edge(agent: Agent, _: Any) -> None:
    ends = [
        agent.do("graph_node_create", "entity-core", type=type_, label=label)["node"]["id"]
        for type_, label in (("person", "Ada"), ("thing", "Boat"))
    ]
    agent.do("graph_edge_create", "entity-core", fromId=ends[0], toId=ends[1], type="custom", customType="sails")


def by_encounter(agent: Agent, _: Any) -> None:
    for label, name in (("Person", "Ada"), ("Person", "Bo"), ("Item", "Boat")):
        agent.do("add_entity", "lore-engine", label=label, name=name)
    told = [{"from": "Ada", "relation": "POSSESSES", "to": "Boat", "by": "Bo"}]
    talk: Json = {"participants": ["Ada", "Bo"], "content": "Bo told Ada about the boat.", "at_time": "2024-05-01"}
    agent.do("log_encounter", "lore-engine", **talk, shared=told)


WRITERS = [
    by_cognitive_graph,
    by_entity_core,
    by_lore_relation,
    by_lore_source,
    by_folio,
    by_bundle,
    by_reading_a_record,
    by_memory_relation,
    by_memory_observation,
    by_entity_core_edge,
    by_encounter,
]
every_writer = pytest.mark.parametrize("write", WRITERS, ids=lambda write: write.__name__)


def a_fact(memory: Memory) -> str:
    """The id of the first current fact."""
    found = Agent(memory).do("history", clock="knowledge", limit=500)["entries"]
    return next(str(entry["fact"]) for entry in found if entry["change"] == "learned" and "fact" in entry)


def shown(agent: Agent, name: str, **more: Any) -> set[str]:
    return {each["id"] for each in agent.do("get_facts", "pearscarf", entity=name, **more)["facts"]}


@every_writer
@pytest.mark.parametrize("mode", ["wrong", "ended", "changed"])
def test_a_wrong_fact_is_corrected_with_its_history_kept(
    memory: Memory, tmp_path: Any, write: Writer, mode: str
) -> None:
    agent = Agent(memory)
    write(agent, tmp_path)
    ident, known = a_fact(memory), agent.tx
    before = answers(memory, ["Ada", "Boat"])
    more = {"value": "something else"} if mode == "changed" else {}
    done = agent.do("correct", fact=ident, mode=mode, reason="told on the phone", **more)
    subject = subject_of(agent, ident)
    assert done["before"]["state"] in ("current", "open")
    assert done["after"][0]["state"] in {"wrong": ("retracted",), "ended": ("ended", "stale", "done")}.get(
        mode, ("ended", "stale")
    )
    assert ident not in shown(agent, subject)
    assert ident in shown(agent, subject, include_stale=True)
    assert ident in shown(agent, subject, as_of=known)
    words = [entry["change"] for entry in agent.do("history", about=ident, clock="knowledge")["entries"]]
    assert (words[0], len(words)) == ("learned", 2)
    agent.do("undo")
    assert not differences(before, answers(memory, ["Ada", "Boat"]))


@every_writer
def test_a_fact_is_hidden_and_shown_again(memory: Memory, tmp_path: Any, write: Writer) -> None:
    agent = Agent(memory)
    write(agent, tmp_path)
    ident = a_fact(memory)
    before, subject = answers(memory, ["Ada", "Boat"]), subject_of(agent, ident)
    agent.do("forget", target=ident)
    after = answers(memory, ["Ada", "Boat"])
    assert ident not in str(after)
    assert ident not in shown(agent, subject, include_stale=True)
    agent.do("undo")
    assert not differences(before, answers(memory, ["Ada", "Boat"]))


def subject_of(agent: Agent, ident: str) -> str:
    with agent.memory.read() as view:
        found = view.fact(FactId(read_id(ident, FACT_PREFIX)))
        assert found is not None
        subject = view.entity(found.subject)
    assert subject is not None
    return subject.name


def test_a_finding_that_rests_on_a_fact_goes_with_its_correction_and_comes_back(memory: Memory) -> None:
    agent = Agent(memory)
    agent.do("add_entity", "lore-engine", label="Person", name="Ada", properties={"born": "1990"})
    relation = {"from": "Ada", "relation": "OWNS", "to": "Boat", "valid_from": "1950", "valid_until": "1960"}
    agent.do("add_relation", "lore-engine", **relation)
    agent.do("run_consistency_check", "lore-engine")
    found = agent.do("get_anachronisms", "lore-engine")["result"]
    assert found
    agent.do("correct", fact=found[0]["relation_id"], mode="wrong")
    assert agent.do("get_anachronisms", "lore-engine")["result"] == []
    agent.do("undo")
    back = agent.do("get_anachronisms", "lore-engine")["result"]
    assert [each["message"] for each in back] == [each["message"] for each in found]
