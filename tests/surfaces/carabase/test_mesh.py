"""Bodies from elsewhere through the tool: given with their origin, refused with their rung."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import MovingClock
from tests.surfaces.carabase.asking import Json, ask, found, refusal

from recollect.importers.bundle import import_bundle
from recollect.keep.mesh.accounts import enable_mesh_account
from recollect.memory import Memory
from recollect.model.ids import format_uuid
from recollect.store.mesh_queries import MeshAccount

TOOL = "carabase_resolve_mesh_uri"
FROST = "mesh://files/account=farm/path=frost.md"
LARGE = "mesh://files/account=farm/path=large.txt"


@pytest.fixture
def farm(memory: Memory, tmp_path: Path) -> Memory:
    (tmp_path / "frost.md").write_text("# Frost\n\nIt froze.\n\n## Plums\n\nThe plums are lost.\n", "utf-8")
    (tmp_path / "large.txt").write_text("\n\n".join(f"Paragraph {n} of many words." for n in range(1_500)), "utf-8")
    _switch(memory, tmp_path, refetch=False)
    _record(memory, tmp_path, id="r1", summary="A frost", mesh_uri=FROST, tier=1)
    return memory


def _switch(memory: Memory, folder: Path, *, refetch: bool) -> None:
    with memory.write() as change:
        enable_mesh_account(change, MeshAccount("files", "farm", str(folder), True, refetch, None))


def _record(memory: Memory, folder: Path, **record: Any) -> None:
    path = folder / "b.jsonl"
    path.write_text(json.dumps({"record": {"type": "note", "title": "Frost", **record}}) + "\n", "utf-8")
    _, skipped = import_bundle(memory, path)
    assert skipped == []


def _uri(memory: Memory, key: str = "r1") -> str:
    with memory.read() as view:
        document = view.document_named("record", key)
        assert document is not None
        return f"carabase://artifact/{format_uuid(document.id)}"


def test_a_body_comes_with_its_origin_and_what_it_cost(farm: Memory) -> None:
    answer = found(farm, TOOL, uri=FROST)
    assert answer["body"].startswith("# Frost")
    assert answer["provenance"] == {"connector": "files", "uri": FROST, "fetched_at": "2026-05-20T10:00:00Z"}
    assert answer["artifact_uri"] == _uri(farm)
    assert answer["compaction"]["strategy"] == "none"
    assert answer["budget"] == {"used_today": answer["compaction"]["kept_tokens"], "daily": 50_000}


def test_an_artifact_is_as_good_as_its_address(farm: Memory) -> None:
    assert found(farm, TOOL, uri=_uri(farm))["body"] == found(farm, TOOL, uri=FROST)["body"]


def test_a_long_body_is_confirmed_first_and_cut_to_what_is_asked(farm: Memory) -> None:
    refused = ask(farm, TOOL, {"uri": LARGE, "max_tokens": 100, "query": "paragraph 77"}).structured
    assert (refused["error"]["code"], refused["error"]["rung"]) == ("MESH_CONFIRMATION_REQUIRED", 3)
    [following] = refused["_hint"]["next"]
    answer = found(farm, TOOL, **following["args"])
    assert answer["compaction"]["compacted"] is True
    assert answer["compaction"]["kept_tokens"] <= 100
    refusal(farm, TOOL, "MESH_CONFIRMATION_REQUIRED", **following["args"])


@pytest.mark.parametrize(
    ("uri", "code", "rung"),
    [
        ("mesh://nowhere/account=x/y=z", "MESH_NO_CAPABILITY", 1),
        ("mesh://files/account=barn/path=x", "MESH_ACCOUNT_DISABLED", 2),
        ("mesh://files/account=farm/path=none.md", "MESH_NOT_FOUND", None),
        ("mesh://files/path=x", "MESH_BAD_URI", None),
        ("carabase://artifact/nothing", "MESH_BAD_URI", None),
        ("https://x.example", "MESH_BAD_URI", None),
    ],
)
def test_each_refusal_has_its_code_and_rung(farm: Memory, uri: str, code: str, rung: int | None) -> None:
    assert refusal(farm, TOOL, code, uri=uri)["error"].get("rung") == rung


@pytest.mark.parametrize(
    "arguments", [{}, {"uri": 7}, {"uri": FROST, "max_tokens": 99}, {"uri": FROST, "as_of": "2026"}]
)
def test_bad_arguments_are_refused(farm: Memory, arguments: Json) -> None:
    assert refusal(farm, TOOL, **arguments)["error"]["code"] == "INVALID_ARGUMENT"


def test_what_is_past_retention_is_fetched_again_only_where_allowed(
    farm: Memory, tmp_path: Path, clock: MovingClock
) -> None:
    _record(farm, tmp_path, id="r1", summary="A frost", mesh_uri=FROST, content="It froze.", retention_days=1)
    clock.set("2026-05-25T10:00:00Z")
    refusal(farm, TOOL, "MESH_PURGED", uri=FROST)
    _switch(farm, tmp_path, refetch=True)
    assert found(farm, TOOL, uri=FROST)["title"] == "frost.md"


def test_what_is_dark_is_never_fetched(farm: Memory, tmp_path: Path) -> None:
    _switch(farm, tmp_path, refetch=True)
    _record(farm, tmp_path, id="r1", mesh_uri=FROST, tier=3)
    assert refusal(farm, TOOL, "MESH_PURGED", uri=FROST)["error"]["code"] == "MESH_PURGED"
