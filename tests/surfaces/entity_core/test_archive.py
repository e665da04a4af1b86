"""Packing an entity into an archive and unpacking it, here and elsewhere."""

import io
import json
import zipfile
from base64 import b64decode, b64encode
from random import Random
from typing import Any

import pytest

from recollect.keep.graph.edges import EdgeDraft, require_live_edge, state_edge
from recollect.memory import create_workspace
from recollect.model.fact import Statement
from recollect.write.predicates import claim
from recollect.write.record_statement import record_statement
from tests.surfaces.entity_core.asking import Entity
from tests.surfaces.entity_core.graphing import edge, edges, get, node
from tests.surfaces.lore_engine.telling_tools import Builder

Json = dict[str, Any]
MANIFEST: Json = {"schema_version": 1, "parts": {"entity_core": {"identity": True, "memories": True}}}
DAY = "- Noor met Ilse Brandt at the kiln [chat:c7] [via:psy-desk]"


@pytest.fixture
def full(entity: Entity) -> Entity:
    """An entity with something of everything, made at different times."""
    entity.write("self/my_identity.md", "I am Wren.\n", instanceId="psy-desk")
    entity.write("custom/rituals.md", "Tea at four.\n", instanceId="st-attic")
    entity.at("2026-05-14T09:31:00Z").write("custom/rituals.md", "Tea at five.\n", instanceId="st-attic")
    entity.ok("identity_set_meta", category="custom", filename="rituals.md", promptLabel="my_rites")
    remember(entity, "daily", "2026-05-12", DAY)
    entity.at("2026-05-14T09:32:00Z")
    remember(entity, "daily", "2026-05-12", "- She laughed a great deal")
    remember(entity, "significant", "2026-05-11", "# First light\n\nThe kiln was lit.")
    remember(entity, "weekly", "2026-W19", "# Weekly Memory - 2026-W19\n\n- A week of bricks")
    ilse = node(entity, "Ilse Brandt", description="A friend", aliases=["Ilse", "Brandt"], instanceId="psy-desk")
    noor = node(entity, "Noor", properties={"email": "noor@example.org", "deep": {"a": [1, 2]}}, confidence=0.8)
    city = node(entity, "Leuven", "place", sourceMemoryId="daily-2026-05-12_psy-desk", firstLearnedAt="2020-01-02")
    entity.at("2026-05-14T09:33:00Z")
    entity.ok("graph_node_update", id=noor, description="My human")
    edge(entity, noor, "friend_of", ilse, evidence="Noor met Ilse Brandt", sourceMemoryId="daily-2026-05-12_psy-desk")
    lived = edge(entity, noor, "lives_in", city, occurredAt="2019", validUntil="2021-05", weight=0.25)["edge"]["id"]
    edge(entity, noor, "lives_in", city, occurredAt="2024-03", properties={"street": "Naamsestraat"})
    entity.at("2026-05-14T09:34:00Z").ok("graph_edge_update", id=lived, evidence="she said so")
    return entity


@pytest.fixture
def elsewhere(full: Entity) -> Entity:
    """Another workspace with nothing in it, a day later."""
    workspace = create_workspace(full.memory.engine, "elsewhere", full.clock)
    return Entity(full.memory.for_workspace(workspace), full.clock)


def remember(entity: Entity, granularity: str, date: str, content: str, **more: Any) -> Json:
    given = {"granularity": granularity, "date": date, "content": content, "instanceId": "psy-desk", **more}
    return entity.ok("memory_create", **given)


def exported(entity: Entity, **asked: Any) -> str:
    data: str = entity.ok("entity_export", **asked)["data"]
    return data


def unzipped(data: str) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(b64decode(data))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def timeless(data: str) -> dict[str, Any]:
    """The entries of an archive, its manifest without when and where it was made."""
    entries: dict[str, Any] = {
        name: json.loads(text) if name.endswith(".json") else text for name, text in unzipped(data).items()
    }
    del entries["manifest.json"]["exported_at"], entries["manifest.json"]["server_version"]
    return entries


def zipped(entries: dict[str, Any], manifest: Json | None = None) -> str:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in {"manifest.json": manifest or MANIFEST, **entries}.items():
            archive.writestr(name, json.dumps(text) if isinstance(text, dict) else text)
    return b64encode(packed.getvalue()).decode()


def graph(nodes: list[Json], edges: list[Json]) -> str:
    manifest = {"schema_version": 1, "parts": {"entity_core": {"knowledge_graph": True}}}
    entry = {"nodes": nodes, "edges": edges}
    return zipped({"entity-core/knowledge-graph/graph-export.json": entry}, manifest)


def load(entity: Entity, data: str, mode: str = "merge", **more: Any) -> Json:
    details: Json = entity.ok("entity_import", data=data, mode=mode, **more)["details"]
    return details


def state(entity: Entity) -> dict[str, Any]:
    return timeless(exported(entity))


@pytest.mark.parametrize("mode", ["merge", "overwrite"])
def test_an_archive_unpacked_elsewhere_packs_to_the_same_archive(full: Entity, elsewhere: Entity, mode: str) -> None:
    data = exported(full)
    details = load(elsewhere.at("2026-05-15T08:00:00Z"), data, mode)
    assert details["warnings"] == []
    assert (details["identity_files_restored"], details["memories_restored"]) == (2, 3)
    assert (details["nodes"], details["edges"]) == (3, 3)
    assert state(elsewhere) == timeless(data)


@pytest.mark.parametrize("mode", ["merge", "overwrite"])
def test_what_tools_show_is_the_same_elsewhere(full: Entity, elsewhere: Entity, mode: str) -> None:
    load(elsewhere, exported(full), mode)
    for tool in ("identity_get_all", "memory_list"):
        assert elsewhere.ok(tool) == full.ok(tool)
    id_ = "daily-2026-05-12_psy-desk"
    here, there = (each.ok("memory_read", id=id_)["memory"] for each in (full, elsewhere))
    assert {**there, "tx": 0} == {**here, "tx": 0}
    assert there["version"] == 2
    found = elsewhere.ok("memory_search", query="kiln light", instanceId="psy-desk", minScore=0)["results"]
    assert "significant-2026-05-11_first-light" in [each["id"] for each in found]
    assert get(elsewhere, edges(elsewhere)[0]["fromId"])["memories"] == [id_]
    kept = ("id", "fromId", "toId", "type", "weight", "evidence", "occurredAt", "validUntil", "properties", "sources")
    assert [[each[key] for key in kept] for each in edges(elsewhere)] == [
        [each[key] for key in kept] for each in edges(full)
    ]


@pytest.mark.parametrize("mode", ["merge", "overwrite"])
def test_what_was_declared_replaced_stays_so_elsewhere(entity: Entity, elsewhere: Entity, mode: str) -> None:
    lore = Builder(entity.memory)
    old = [lore.relate("Mira", "RULES", place)["id"] for place in ("Halden", "Low Port")]
    new = lore.relate("Mira", "RULES", "Tern Rock", supersedes=old)["id"]
    load(elsewhere, exported(entity), mode)
    stale = {each["id"]: each["stale"] for each in edges(elsewhere)}
    assert [stale[each] for each in (*old, new)] == [True, True, False]
    assert state(elsewhere) == state(entity)
    before = elsewhere.tx
    load(elsewhere, exported(entity), mode)
    assert elsewhere.tx == before


@pytest.mark.parametrize("mode", ["merge", "overwrite"])
def test_a_second_import_changes_nothing(full: Entity, elsewhere: Entity, mode: str) -> None:
    data = exported(full)
    load(elsewhere, data, mode)
    before = elsewhere.tx
    for entity, tx in ((elsewhere.at("2026-06-01T00:00:00Z"), before), (full, full.tx)):
        said = entity.ok("entity_import", data=data, mode=mode)
        assert (said["tx"], said["unchanged"]) == (tx, True)
    assert state(elsewhere) == timeless(data)


def test_equal_state_gives_equal_bytes(full: Entity) -> None:
    assert exported(full) == exported(full)
    names = list(unzipped(exported(full)))
    assert names == sorted(names)


def test_only_the_parts_asked_for_are_packed(full: Entity) -> None:
    said = full.ok("entity_export", include=["identity"])
    parts = said["manifest"]["parts"]["entity_core"]
    assert parts == {"identity": True, "memories": False, "knowledge_graph": False}
    assert json.loads(unzipped(said["data"])["manifest.json"]) == said["manifest"]
    assert not [name for name in unzipped(said["data"]) if "memories" in name or "graph" in name]


def test_an_earlier_state_can_be_packed(full: Entity) -> None:
    assert full.ok("entity_export", as_of=1)["manifest"]["counts"]["identity_files"] == 1


def test_overwriting_brings_back_the_state_of_the_archive(full: Entity) -> None:
    data = exported(full)
    full.at("2026-05-15T08:00:00Z").write("user/user_life.md", "New.")
    full.write("self/my_identity.md", "I am someone else.\n")
    remember(full, "daily", "2026-05-13", "- Another day")
    full.ok("memory_delete", granularity="significant", date="2026-05-11", slug="first-light")
    ilse = next(each for each in edges(full) if each["type"] == "friend_of")["toId"]
    node(full, "Somebody new")
    edge(full, ilse, "knows", node(full, "A stranger"))
    full.ok("graph_node_delete", id=ilse)
    details = load(full, data, "overwrite")
    assert details["removed"] == 5
    now, then = state(full), timeless(data)
    assert set(now) == set(then)
    assert [now[name] for name in now if name.endswith(".md")] == [then[name] for name in now if name.endswith(".md")]
    place = "entity-core/knowledge-graph/graph-export.json"
    told = ("id", "label", "description", "properties", "aliases")
    assert [[each[key] for key in told] for each in now[place]["nodes"]] == [
        [each[key] for key in told] for each in then[place]["nodes"]
    ]
    assert [each["id"] for each in now[place]["edges"]] == [each["id"] for each in then[place]["edges"]]


def test_overwriting_can_be_taken_back_by_its_snapshot(full: Entity, elsewhere: Entity) -> None:
    elsewhere.write("user/user_life.md", "Mine.")
    details = load(elsewhere, exported(full), "overwrite")
    assert elsewhere.content("user/user_life.md") is None
    elsewhere.ok("snapshot_restore", snapshotId=details["snapshot_id"])
    assert elsewhere.content("user/user_life.md") == "Mine."


def test_merging_keeps_both_texts(full: Entity, elsewhere: Entity) -> None:
    elsewhere.write("self/my_identity.md", "I am Robin.\n")
    elsewhere.write("custom/rituals.md", "Tea at five.\n")
    remember(elsewhere, "daily", "2026-05-12", "- Something of its own")
    remember(elsewhere, "weekly", "2026-W19", "# Another week")
    details = load(elsewhere, exported(full))
    assert (details["conflicts"], details["merged"], details["removed"]) == (2, 1, 0)
    assert (details["identity_files_restored"], details["memories_restored"]) == (1, 2)
    assert elsewhere.content("self/my_identity.md") == "I am Robin.\n"
    assert elsewhere.ok("identity_get_meta", category="custom")["meta"] == {"custom/rituals.md": "my_rites"}
    day = elsewhere.ok("memory_read", id="daily-2026-05-12_psy-desk")["memory"]["content"]
    assert all(part in day for part in ("Something of its own", "She laughed"))
    kept = elsewhere.ok("snapshot_list", reason="conflict")["snapshots"]
    texts = {elsewhere.ok("snapshot_get", snapshotId=each["id"])["content"] for each in kept}
    assert texts == {"I am Wren.\n", "# Weekly Memory - 2026-W19\n\n- A week of bricks"}
    assert load(elsewhere, exported(full))["conflicts"] == 2
    assert elsewhere.ok("snapshot_list", reason="conflict")["total"] == 2


def test_merging_finds_nodes_by_their_names(full: Entity, elsewhere: Entity) -> None:
    noor = node(elsewhere, "noor", description="Somebody")
    load(elsewhere, exported(full))
    found = get(elsewhere, noor)
    assert (found["description"], found["properties"]["deep"]) == ("Somebody", {"a": [1, 2]})
    assert {each["fromId"] for each in edges(elsewhere)} == {noor}


def test_a_dry_run_counts_and_writes_nothing(full: Entity, elsewhere: Entity) -> None:
    details = load(elsewhere, exported(full), "overwrite", dryRun=True)
    assert (details["identity_files_restored"], details["edges"], details["snapshot_id"]) == (2, 3, None)
    assert elsewhere.tx == 0
    assert elsewhere.ok("snapshot_list", category="all")["total"] == 0


def test_only_flagged_parts_are_touched(full: Entity) -> None:
    before = state(full)
    manifest = {"schema_version": 1, "parts": {"entity_core": {"identity": False}}}
    load(full, zipped({"entity-core/identity/user/user_life.md": "New."}, manifest), "overwrite")
    assert state(full) == before


def test_an_older_archive_in_a_folder_is_unpacked(entity: Entity) -> None:
    entries: dict[str, str | bytes] = {
        "backup/manifest.json": json.dumps(MANIFEST),
        "backup/entity-core/memories/daily/2026-05-01.md": "- A day\r\n",
        "backup/entity-core/memories/significant/2026-05-02.md": "# The move\n\nWe moved.",
        "backup/entity-core/knowledge-graph/graph.db": b"\x00\x01",
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("backup/", "")
        for name, text in entries.items():
            archive.writestr(name, text)
    details = load(entity, b64encode(packed.getvalue()).decode())
    assert len(details["warnings"]) == 1
    assert entity.ok("memory_read", id="daily-2026-05-01_unknown")["memory"]["content"] == "- A day\n"
    assert entity.ok("memory_read", id="significant-2026-05-02_the-move")["memory"]["version"] == 1


def test_what_a_graph_cannot_hold_is_left_out_with_a_warning(entity: Entity) -> None:
    nodes = [{"id": "1", "type": "person", "label": "Ann", "source_memory_id": "daily-2020-01-01_x"}]
    nodes += [{"id": "2", "type": "Company", "label": "Kiln & Co", "created_at": "once"}]
    told: list[Json] = [
        {"id": "a", "from_id": "1", "to_id": "2", "type": "works with", "occurred_at": "long ago", "weight": 0.4},
        {"id": "b", "from_id": "1", "to_id": "3", "type": "knows"},
        {"id": "c", "from_id": "1", "to_id": "2", "type": "knows", "deleted": 1},
    ]
    details = load(entity, graph(nodes, told))
    assert (details["nodes"], details["edges"], len(details["warnings"])) == (2, 1, 5)
    [only] = edges(entity)
    assert (only["type"], only["weight"], only["occurredAt"]) == ("works_with", 0.4, None)
    assert entity.ok("entity_import", data=graph(nodes, told), mode="merge")["details"]["edges"] == 1
    assert len(edges(entity)) == 1


@pytest.mark.large
def test_what_shrinks_very_well_can_still_be_unpacked(entity: Entity) -> None:
    entity.write("user/user_life.md", "a" * 900_000)
    assert "unchanged" in entity.ok("entity_import", data=exported(entity), mode="overwrite")


def test_facts_of_other_surfaces_survive_overwriting(full: Entity) -> None:
    data = graph([], [])
    ilse = next(each for each in edges(full) if each["type"] == "friend_of")
    with full.memory.as_actor("pearscarf", "add_facts", "someone").write() as change:
        fact = require_live_edge(change, ilse["id"]).fact
        state_edge(change, EdgeDraft(fact.subject, fact.object or fact.subject, "friend_of"))
    load(full, data, "overwrite")
    assert [each["id"] for each in edges(full)] == [ilse["id"]]
    assert sorted(each["label"] for each in full.ok("graph_node_list")["nodes"]) == ["Ilse Brandt", "Noor"]


def test_what_other_surfaces_said_travels_too(full: Entity, elsewhere: Entity) -> None:
    with full.memory.as_actor("pearscarf", "add_facts", "someone").write() as change:
        noor = require_live_edge(change, edges(full)[0]["id"]).fact.subject
        meant = claim(change, noor, None, "potter", predicate="occupation")
        record_statement(change, Statement(meant, change.now, "stated", "extracted", 0.7, words="Noor is a potter"))
    data = exported(full)
    load(elsewhere, data)
    assert state(elsewhere) == timeless(data)
    node_id = edges(full)[0]["fromId"]
    assert get(elsewhere, node_id)["statements"] == get(full, node_id)["statements"] != []
    before = elsewhere.tx
    load(elsewhere, data)
    load(elsewhere, data, "overwrite")
    assert elsewhere.tx == before


def test_only_memories_that_were_not_read_yet_wait_to_be_read(full: Entity, elsewhere: Entity) -> None:
    load(elsewhere, exported(full))
    queue = elsewhere.ok("sync_status")["extraction"]["queue"]
    assert queue["waitingForModel"] == 2


def test_an_import_that_fails_late_leaves_nothing(elsewhere: Entity) -> None:
    text, other = ("".join(f"- {dice.randbytes(499).hex()}\n" for _ in range(600)) for dice in (Random(1), Random(2)))
    remember(elsewhere, "daily", "2026-05-12", text)
    data = zipped({"entity-core/identity/user/a.md": "x", "entity-core/memories/daily/2026-05-12_psy-desk.md": other})
    elsewhere.assert_fails("entity_import", "too_large", data=data, mode="merge")
    assert elsewhere.content("user/a.md") is None
    assert elsewhere.ok("snapshot_list", category="all")["total"] == 0


def test_an_edge_that_an_older_archive_tells_twice_is_one(entity: Entity) -> None:
    nodes = [{"id": "1", "type": "person", "label": "Ann"}, {"id": "2", "type": "person", "label": "Bea"}]
    told: list[Json] = [{"id": id_, "from_id": "1", "to_id": "2", "type": "knows"} for id_ in ("a", "b")]
    load(entity, graph(nodes, told))
    assert len(edges(entity)) == 1
    before = entity.tx
    load(entity.at("2026-06-01T00:00:00Z"), graph(nodes, told))
    load(entity, graph(nodes, told), "overwrite")
    assert entity.tx == before


@pytest.mark.parametrize("first", ["merge", "overwrite"])
def test_two_nodes_of_one_name_do_not_multiply(entity: Entity, first: str) -> None:
    nodes = [
        {"id": "n1", "type": "person", "label": "Ada"},
        {"id": "n2", "type": "topic", "label": "Chess"},
        {"id": "n3", "type": "person", "label": "ada"},
    ]
    edges = [
        {"id": "e1", "from_id": "n1", "to_id": "n2", "type": "loves"},
        {"id": "e2", "from_id": "n3", "to_id": "n2", "type": "avoids"},
    ]
    archive = graph(nodes, edges)
    load(entity, archive, first)
    known = [node["label"] for node in entity.ok("graph_node_list")["nodes"]]
    assert sorted(known) == (["Ada", "Chess"] if first == "merge" else ["Ada", "Chess", "ada"])
    assert entity.ok("graph_edge_get")["total"] == 2
    for mode in ("merge", first, "merge"):
        assert entity.ok("entity_import", data=archive, mode=mode)["unchanged"]


def test_merged_nodes_of_one_name_with_other_identifiers_are_two(entity: Entity) -> None:
    nodes = [
        {"id": f"n{place}", "type": "person", "label": "Ada", "properties": {"email": f"ada{place}@example.com"}}
        for place in (1, 2)
    ]
    load(entity, graph(nodes, []))
    assert entity.ok("graph_node_list")["total"] == 2
    assert entity.ok("entity_import", data=graph(nodes, []), mode="merge")["unchanged"]
