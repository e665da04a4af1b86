"""Files are attached in Python alone, to a card that is there."""

from hashlib import sha256
from typing import Any

import pytest

from recollect.carabase import add_log_card, attach_file
from recollect.errors import RecollectError
from recollect.memory import Memory
from recollect.model.ids import DocumentId, read_id
from recollect.surfaces.registry import find_surface


def test_a_file_is_held_once_for_each_card(memory: Memory) -> None:
    card, other = add_log_card(memory, "Run 1"), add_log_card(memory, "Run 2")
    first = attach_file(memory, "plan.md", b"# Plan\n\nPrune the plums.", log_card=card)
    assert (first["size"], first["sha256"]) == (24, sha256(b"# Plan\n\nPrune the plums.").hexdigest())
    again = attach_file(memory, "other.md", b"# Plan\n\nPrune the plums.", log_card=card)
    assert again == {**first, "deduplicated": True}
    assert attach_file(memory, "plan.md", b"# Plan\n\nPrune the plums.", log_card=other)["uri"] != first["uri"]
    with memory.read() as view:
        held = view.document(DocumentId(read_id(first["artifact_id"])))
        assert held is not None
        assert view.text_of(held) == "# Plan\n\nPrune the plums."
        assert "plums" in view.chunks(held.id)[0].text


def test_what_is_no_text_is_held_but_not_read(memory: Memory) -> None:
    card = add_log_card(memory, "Run")
    made = attach_file(memory, "a.png", b"\x89PNG\0", log_card=card)
    with memory.read() as view:
        held = view.document(DocumentId(read_id(made["artifact_id"])))
        assert held is not None
        assert (held.content, held.properties["mime"]) == (None, "image/png")
        assert view.rows("attached", document=held.id) == [("iVBORwA=",)]


@pytest.mark.parametrize(
    "change",
    [{"log_card": "nothing"}, {"data": b""}, {"data": b"x" * (10 * 1024 * 1024 + 1)}]
    + [{"name": name} for name in ("a/b.md", "..", "a\\b", "", "x\0", "/etc/passwd", " a")],
)
def test_what_cannot_be_attached_leaves_nothing(memory: Memory, change: dict[str, Any]) -> None:
    given = {"name": "a.md", "data": b"x", "log_card": add_log_card(memory, "Run"), **change}
    with memory.read() as view:
        before = view.last_tx
    with pytest.raises(RecollectError):
        attach_file(memory, **given)
    with memory.read() as view:
        assert view.last_tx == before


def test_it_is_no_tool() -> None:
    assert find_surface("carabase").tool_called("carabase_attach_file") is None
