"""Names that could become paths: no trick gets through, in any tool, and nothing is written."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from tests.surfaces.entity_core.asking import Entity

Call = tuple[str, Mapping[str, Any]]

TRICKS = (
    "../up",
    "..",
    ".",
    "a/../b",
    "/etc/passwd",
    "a/b",
    "a\\b",
    "..\\up",
    "C:\\x",
    "C:x",
    "a\0b",
    "a\nb",
    "a\n",
    "\na",
    "a\rb",
    "a\u2028b",
    "a\x85b",
    "%2e%2e%2fup",
    "..%2fup",
    "\uff0e\uff0e\uff0fup",
    "\u2025/up",
    "a\u2215b",
    "~root",
    "~",
    "$HOME",
    "`id`",
    "a;b",
    "a|b",
    "a b",
    " a",
    "a ",
    "",
    "\u202ea",
    "é",
    "\u0430",
    "\uff41",
    "\u0661",
    "file://x",
    "\\\\host\\share",
    "a" * 200,
)


def _file(name: str) -> str:
    return f"{name}.md"


def filename_calls(trick: str) -> Iterator[Call]:
    name = _file(trick)
    place = {"category": "custom", "filename": name}
    yield "identity_write", {**place, "content": "x"}
    yield "identity_append", {**place, "content": "x"}
    yield "identity_prepend", {**place, "content": "x"}
    yield "identity_update_section", {**place, "section": "A", "content": "x"}
    yield "identity_rewrite_section", {**place, "section": "A", "content": "x"}
    yield "identity_set_meta", {**place, "promptLabel": "a"}
    yield "identity_get_meta", {"filename": name}
    yield "identity_delete_custom", {"filename": name}
    yield "snapshot_list", {"filename": name}
    yield "snapshot_get", {"snapshotId": f"custom/{trick}_2026-05-14T09-30-00-000Z"}
    yield "snapshot_restore", {"target": f"custom/{name}", "as_of": 1}
    yield "sync_push", {"instance": {"id": "a", "type": "other"}, "identityChanges": [{**place, "content": "x"}]}


def category_calls(trick: str) -> Iterator[Call]:
    place = {"category": trick, "filename": "a.md"}
    yield "identity_write", {**place, "content": "x"}
    yield "identity_get_meta", {"category": trick}
    yield "snapshot_list", {"category": trick}
    yield "snapshot_get", {"snapshotId": f"{trick}/a_2026-05-14T09-30-00-000Z"}
    yield "snapshot_restore", {"target": f"{trick}/a.md", "as_of": 1}
    yield "sync_push", {"instance": {"id": "a", "type": "other"}, "identityChanges": [{**place, "content": "x"}]}


def _memory(**fields: Any) -> Call:
    given = {"granularity": "daily", "date": "2026-05-12", "sourceInstance": "a", "content": "- x", **fields}
    return "sync_push", {"instance": {"id": "a", "type": "other"}, "memoryChanges": [given]}


def instance_calls(trick: str) -> Iterator[Call]:
    place = {"category": "custom", "filename": "a.md"}
    yield "identity_write", {**place, "content": "x", "instanceId": trick}
    yield "identity_append", {**place, "content": "x", "instanceId": trick}
    yield "identity_set_meta", {**place, "promptLabel": "b", "instanceId": trick}
    yield "identity_delete_custom", {"filename": "a.md", "instance_id": trick}
    yield "snapshot_restore", {"target": "all", "as_of": 0, "instanceId": trick}
    yield "sync_pull", {"instanceId": trick}
    yield "sync_push", {"instance": {"id": trick, "type": "other"}}
    yield _memory(sourceInstance=trick)
    yield _memory(participatingInstances=["a", trick])

    day = {"granularity": "daily", "date": "2026-05-12"}
    yield "memory_create", {**day, "content": "- x", "instanceId": trick}
    yield "memory_create", {**day, "content": "- x", "instanceId": "a", "participatingInstances": [trick]}
    for tool in ("memory_read", "memory_delete"):
        yield tool, {**day, "instanceId": trick}
    yield "memory_update", {**day, "instanceId": trick, "content": "- x"}
    yield "memory_list", {"instanceId": trick}
    yield "memory_search", {"query": "x", "instanceId": trick}
    yield "memory_search", {"query": "x", "instanceId": "a", "sourceInstance": trick}
    yield "graph_node_create", {"type": "person", "label": "Noor", "instanceId": trick}


def slug_calls(trick: str) -> Iterator[Call]:
    significant = {"granularity": "significant", "date": "2026-05-12"}
    yield "memory_create", {**significant, "content": "- x", "instanceId": "a", "slug": trick}
    yield "memory_update", {**significant, "content": "- x", "slug": trick}
    for tool in ("memory_read", "memory_delete"):
        yield tool, {**significant, "slug": trick}
    yield _memory(granularity="significant", slug=trick)
    yield "snapshot_get", {"snapshotId": f"memories/significant-2026-05-12_{trick}_2026-05-14T09-30-00-000Z"}


def date_calls(trick: str) -> Iterator[Call]:
    yield "memory_create", {"granularity": "daily", "date": trick, "content": "- x", "instanceId": "a"}
    yield "memory_create", {"granularity": "daily", "date": f"2026-05-12/{trick}", "content": "- x", "instanceId": "a"}
    yield "memory_read", {"granularity": "daily", "date": trick}
    yield "memory_delete", {"granularity": "weekly", "date": trick}
    yield "memory_update", {"granularity": "monthly", "date": trick, "content": "- x"}
    yield "memory_list", {"afterDate": trick}
    yield "memory_read", {"id": f"weekly-{trick}"}
    yield "memory_consolidate", {"granularity": "weekly", "targetDate": trick}
    yield _memory(date=trick)
    yield _memory(date=f"2026-05-12{trick}" if trick else "")
    yield "snapshot_restore", {"target": f"weekly-{trick}", "as_of": 1}
    yield "snapshot_get", {"snapshotId": f"memories/daily-{trick}_a_2026-05-14T09-30-00-000Z"}


PARTS: tuple[Callable[[str], Iterator[Call]], ...] = (
    filename_calls,
    category_calls,
    instance_calls,
    slug_calls,
    date_calls,
)


def cases() -> list[Call]:
    return [call for part in PARTS for trick in TRICKS for call in part(trick)]


def test_there_are_many_tricks() -> None:
    assert len(cases()) > 1000


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.__name__)
def test_no_trick_gets_through_and_nothing_is_written(entity: Entity, part: Callable[[str], Iterator[Call]]) -> None:
    entity.write("custom/a.md", "x")
    before = entity.tx
    for trick in TRICKS:
        for tool, arguments in part(trick):
            answer = entity.answer(tool, arguments)
            assert (answer.structured.get("error"), answer.is_error) == ("invalid_input", True), (
                tool,
                arguments,
                answer,
            )
    assert entity.tx == before
    assert entity.ok("sync_status")["connectedInstances"] == []
    assert entity.ok("snapshot_list")["total"] == 0


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("identity_write", {"category": "custom", "filename": "A-b_9.md", "content": "x"}),
        ("identity_write", {"category": "custom", "filename": f"{'a' * 100}.md", "content": "x"}),
        ("identity_write", {"category": "custom", "filename": "a.md", "content": "x", "instanceId": "A.b-c_9"}),
        ("sync_pull", {"instanceId": "9" + "x" * 63}),
        _memory(granularity="significant", slug="First-Talk_2"),
        _memory(granularity="weekly", date="2026-W53"),
        _memory(granularity="yearly", date="2026"),
    ],
)
def test_ordinary_names_are_taken(entity: Entity, tool: str, arguments: Mapping[str, Any]) -> None:
    assert entity.ok(tool, **arguments)["success"] is True
