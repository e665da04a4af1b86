"""Links between memories of every door: commits in parts, notes of a day, and what was made from them."""

from typing import Any

from tests.conftest import MovingClock
from tests.surfaces.carabase.asking import ask

from recollect.keep.network.links import links_of
from recollect.memory import Memory
from recollect.model.ids import DocumentId, format_uuid
from recollect.surfaces.carabase.artifacts import parse_artifact_id
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface

PARAGRAPH = "The orchard in the north field was walked from end to end, tree by tree. " * 40


def commit(memory: Memory, content: str, **more: Any) -> list[DocumentId]:
    answer = ask(memory, "commit_to_folio", {"folioName": "Orchard", "content": content, "extraMetadata": more})
    assert not answer.is_error, answer.structured
    found = [parse_artifact_id(uri) for uri in answer.structured["artifact_uris"]]
    return [each for each in found if each is not None]


def joined(memory: Memory, memories: list[DocumentId], kind: str) -> list[tuple[DocumentId, DocumentId, float]]:
    with memory.read() as view:
        return [(each.one, each.other, each.confidence) for each in links_of(view, memories) if each.type == kind]


def test_the_parts_of_a_commit_belong_together_and_only_its_ends_link_on(memory: Memory, clock: MovingClock) -> None:
    first = commit(memory, "\n\n".join(f"{number} {PARAGRAPH}" for number in range(3)))
    assert len(first) == 3
    assert {each[2] for each in joined(memory, first, "same_session")} == {1.0}
    assert len(joined(memory, first, "same_session")) == 3
    clock.set("2026-05-21T10:00:00Z")
    second = commit(memory, "\n\n".join(f"later {number} {PARAGRAPH}" for number in range(2)))
    assert joined(memory, first + second, "precedes") == [(first[-1], second[0], 0.5)]


def test_links_said_with_a_commit_start_at_its_first_part(memory: Memory) -> None:
    [older] = commit(memory, "Plum yield will fall by a third.")
    [newer] = commit(memory, "Plum yield will rise after all.", supersedes=[f"carabase://artifact/{_uuid(older)}"])
    assert joined(memory, [older], "supersedes") == [(newer, older, 1.0)]


def test_notes_of_days_follow_each_other_and_share_their_chat(memory: Memory) -> None:
    tool = find_surface("entity-core").find("memory_create")
    for day in ("2026-05-18", "2026-05-19"):
        answer = call(
            tool,
            lambda each: memory.as_actor("entity-core", each.name),
            {
                "granularity": "daily",
                "date": day,
                "content": f"A quiet day, the {day}.",
                "chatIds": ["c-1"],
                "instanceId": "north",
            },
        )
        assert answer.structured["success"], answer.structured
    with memory.read() as view:
        found = [row[0] for row in view.connection.rows("memories_with_trait", _asked(view.ws))]
    [(one, other, sure)] = joined(memory, found, "precedes")
    assert (one < other, sure) == (True, 0.5)
    assert [each[2] for each in joined(memory, found, "same_session")] == [0.8]


def _asked(ws: int) -> dict[str, Any]:
    return {"ws": ws, "kind": "session", "value": "c-1", "limit": 10}


def _uuid(document: DocumentId) -> str:
    return format_uuid(document)
