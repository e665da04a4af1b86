"""What is hidden does not come back by taking its source in again, and does when the hiding is undone."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.support.facts import entity_named, fact, facts_of, tell, texts
from tests.support.hash_embedder import HashEmbedder
from tests.write.test_undo import state

from recollect.importers.bundle import import_bundle
from recollect.importers.lore import import_lore
from recollect.importers.mail import import_mail
from recollect.importers.notes import import_notes
from recollect.indexing import embed_passages
from recollect.keep.forgetting.hiding import AlreadyHidden, hide_document, hide_entity, hide_fact
from recollect.memory import Memory, WorkspaceCache
from recollect.store.change import Change
from recollect.store.tables import DOCUMENT
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface
from recollect.write.undo import undo

MAIL = """From: Ada Lund <ada@h.example>
To: Bob Hale <bob@h.example>
Subject: Boat
Message-ID: <1@h>
Date: Mon, 2 Mar 2026 10:00:00 +0000

I will send the boat papers by Friday.
"""
LORE = "---\ntitle: Harbour\nsource_type: prose\nrelations:\n  - {from: Ada Lund, relation: OWNS, to: Boat}\n---\n"
RECORD = {"id": "n", "type": "memo", "content": "Ada Lund owns the boat."}
BUNDLE = {"record": RECORD, "facts": [fact("Ada Lund", "owner", "Boat")]}
SOURCES: list[tuple[str, str, Any]] = [
    ("boat.eml", MAIL, import_mail),
    ("kiln.md", "# Kiln\n\nAda Lund lit it.\n", import_notes),
    ("harbour.md", LORE, partial(import_lore, tell=None)),
    ("one.jsonl", json.dumps(BUNDLE) + "\n", import_bundle),
]


def write(memory: Memory, act: Any) -> int:
    with memory.as_actor("recollect", "forget").write() as change:
        act(change)
        return change.tx


def the_document(change: Change) -> Any:
    """The document that the first transaction stored."""
    [row] = change.connection.begun_by(DOCUMENT, change.ws, 1)
    return change.document(row[1])


@pytest.mark.parametrize(("name", "content", "take"), SOURCES, ids=[each[0] for each in SOURCES])
def test_a_hidden_source_stays_hidden_when_it_is_taken_in_again(
    memory: Memory, tmp_path: Path, name: str, content: str, take: Any
) -> None:
    path = tmp_path / name
    path.write_text(content)
    take(memory, path)
    before = state(memory)
    hidden = write(memory, lambda change: hide_document(change, the_document(change)))
    after = state(memory)
    for more in ("", "\nAnd more of it.\n"):
        path.write_text(content if name.endswith("jsonl") else content + more)
        taken = take(memory, path)
        skipped = taken[1] if isinstance(taken, tuple) else taken.skipped
        assert not skipped
    assert state(memory) == after
    assert facts_of(memory, "Ada Lund", every=True) == []
    write(memory, lambda change: undo(change, hidden))
    assert state(memory) == before


def test_a_hidden_fact_stays_hidden_when_its_source_changes_and_returns_with_a_newer_one(memory: Memory) -> None:
    owned = fact("Ada", "owner", "Boat")
    tell(memory, owned, id="a", source_at="2026-01-01T00:00:00Z")
    [row] = facts_of(memory, "Ada")
    write(memory, lambda change: hide_fact(change, row.fact))
    tell(memory, owned, fact("Ada", "owner", "Loom"), id="a", source_at="2026-01-01T00:00:00Z")
    assert [each.text for each in facts_of(memory, "Ada", every=True)] == ["Ada owner Loom"]
    tell(memory, owned, id="b", source_at="2026-05-21T00:00:00Z")
    assert sorted(texts(memory, "Ada")) == ["Ada owner Boat", "Ada owner Loom"]


def test_what_is_hidden_cannot_be_hidden_again(memory: Memory) -> None:
    tell(memory, fact("Ada", "owner", "Boat"), id="a")
    ada = entity_named(memory, "Ada")
    assert ada is not None
    write(memory, lambda change: hide_entity(change, ada))
    with pytest.raises(AlreadyHidden):
        write(memory, lambda change: hide_entity(change, change.entity(ada.id)))


def test_hiding_the_newer_of_two_rivals_makes_the_older_current_again(memory: Memory) -> None:
    tell(memory, fact("Bob", "employee", "Acme", "Bob is a clerk"), id="a", source_at="2026-01-01T00:00:00Z")
    tell(memory, fact("Bob", "employee", "Acme", "Bob is the boss"), id="b", source_at="2026-02-01T00:00:00Z")
    before = state(memory)
    hidden = write(memory, lambda change: hide_document(change, change.document_named("record", "b")))
    assert [each.text for each in facts_of(memory, "Bob", every=True)] == ["Bob is a clerk"]
    assert texts(memory, "Bob") == ["Bob is a clerk"]
    write(memory, lambda change: undo(change, hidden))
    assert state(memory) == before


def test_passages_of_equal_rank_keep_their_order_when_a_document_is_shown_again(memory: Memory) -> None:
    own = memory.with_parts(cache=WorkspaceCache([HashEmbedder()]))
    for key in ("a", "b", "c"):
        tell(own, id=key, content="The kiln hums in the cellar.")
    embed_passages(own)

    def found() -> list[str]:
        said = call(find_surface("lore-engine").find("semantic_search"), lambda _: own, {"query": "kiln hums"})
        return [each["document_id"] for each in said.structured["result"]]

    before = found()
    hidden = write(own, lambda change: hide_document(change, change.document_named("record", "b")))
    assert len(found()) == 2
    back = write(own, lambda change: undo(change, hidden))
    assert found() == before
    again = write(own, lambda change: undo(change, back))
    assert len(found()) == 2
    write(own, lambda change: undo(change, again))
    assert found() == before
