"""A graph as an embodiment makes it: nodes by label, edges between them, and memories behind both."""

from typing import Any

from recollect.ingest.documents import DocumentDraft, store_document
from recollect.when.instant import Instant, read_instant
from recollect.when.instant import read_zone as zone
from tests.surfaces.entity_core.asking import Entity

Json = dict[str, Any]


def node(entity: Entity, label: str, type_: str = "person", **more: Any) -> str:
    """The id of the node with this label."""
    found: str = entity.ok("graph_node_create", type=type_, label=label, **more)["node"]["id"]
    return found


def edge(entity: Entity, one: str, type_: str, other: str, **more: Any) -> Json:
    """What stating an edge answers."""
    return entity.ok("graph_edge_create", fromId=one, toId=other, type=type_, **more)


def edges(entity: Entity, **asked: Any) -> list[Json]:
    found: list[Json] = entity.ok("graph_edge_get", **asked)["edges"]
    return found


def get(entity: Entity, id_: str, **asked: Any) -> Json:
    found: Json = entity.ok("graph_node_get", id=id_, **asked)["node"]
    return found


def labels(found: list[Json]) -> list[str]:
    return [each.get("node", each)["label"] for each in found]


def keep_memory(entity: Entity, key: str, text: str, at: str, type_: str = "daily") -> str:
    """A memory of this key, as its own tools would keep it."""
    source_at = Instant(read_instant(at, zone("UTC")))
    date = key.removeprefix(f"{type_}-").partition("_")[0]
    told: Json = {"date": date, "chatIds": [], "participatingInstances": ["psy-desk"]}
    told |= {"createdAt": source_at, "updatedAt": source_at}
    draft = DocumentDraft("memory", type_, key, None, "psy-desk", None, source_at, text, told)
    with entity.memory.as_actor("entity-core", "memory_create", "psy-desk").write() as change:
        store_document(change, draft)
    return key


def nodes(entity: Entity, names: str, type_: str = "person") -> list[str]:
    return [node(entity, name, type_) for name in names.split()]


def link(entity: Entity, one: str, other: str, type_: str = "friend_of", **more: object) -> str:
    found: str = edge(entity, one, type_, other, **more)["edge"]["id"]
    return found
