"""How a record asks to be filed: what is taken, what is kept of it, and what is refused."""

from typing import Any

import pytest

from recollect.ingest.fields import BadLine
from recollect.ingest.line import parse_line
from recollect.ingest.line_writer import write_line
from recollect.memory import Memory
from recollect.model.document import Document


def bring(memory: Memory, **record: Any) -> Document:
    with memory.as_actor("cli", "ingest").write() as change:
        write_line(change, parse_line({"record": {"id": "r-1", "type": "Field Note", **record}}))
    with memory.read() as view:
        found = view.document_named("record", record.get("id", "r-1"))
        assert found is not None
        return found


def text_of(memory: Memory, document: Document) -> str | None:
    with memory.read() as view:
        return view.text_of(document)


def passages(memory: Memory, document: Document) -> list[str]:
    with memory.read() as view:
        return [chunk.text for chunk in view.chunks(document.id)]


def test_keys_may_stand_beside_the_record_or_in_its_metadata(memory: Memory) -> None:
    kept = bring(memory, content="x", folio="~Plums", metadata={"tags": "#ripe", "session": " s1 ", "colour": "blue"})
    held = kept.properties
    assert (held["folio"], held["tags"], held["session"], held["colour"]) == ("Plums", ["ripe"], "s1", "blue")
    again = bring(memory, id="r-2", content="y", folio="plums")
    assert (again.properties["folio_id"], again.properties["folio"]) == (held["folio_id"], "Plums")


def test_the_type_is_remembered_as_it_was_given(memory: Memory) -> None:
    kept = bring(memory, content="x")
    assert (kept.type, kept.properties["record_type"]) == ("field_note", "Field Note")


@pytest.mark.parametrize("tier", [1, 2, 3])
def test_a_body_that_is_not_to_be_held_is_not_stored(memory: Memory, tier: int) -> None:
    kept = bring(memory, title="Quince", content="The whole body.", summary="In short.", tier=tier)
    assert (kept.content, text_of(memory, kept)) == (None, None)
    found_by = {1: ["Quince\nIn short."], 2: ["Quince\nIn short."], 3: []}
    assert passages(memory, kept) == found_by[tier]
    assert (kept.title is None) == (tier == 3)


def test_a_later_summary_is_what_search_sees(memory: Memory) -> None:
    bring(memory, title="Quince", summary="Old words.", tier=1)
    kept = bring(memory, title="Quince", summary="New words.", tier=1)
    assert passages(memory, kept) == ["Quince\nNew words."]


def test_what_it_was_made_from_is_found_by_record_id_or_uuid(memory: Memory) -> None:
    from recollect.model.ids import format_uuid

    first = bring(memory, content="x")
    kept = bring(memory, id="r-2", content="y", derived_from=["r-1", format_uuid(first.id)])
    assert kept.properties["derived_from"] == [first.id, first.id]


@pytest.mark.parametrize("engine_name", ["sqlite"])
@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("folio", ""),
        ("folio", "x" * 121),
        ("folio", 3),
        ("tags", [1]),
        ("tier", 4),
        ("tier", True),
        ("retention_days", -1),
        ("retention_days", "soon"),
        ("source_kind", "guessed"),
        ("confidence", 2),
        ("confidence", "high"),
        ("summary", 7),
        ("derived_from", ["nobody"]),
    ],
)
def test_a_wrong_value_is_refused_by_name(memory: Memory, key: str, value: Any) -> None:
    with pytest.raises(BadLine, match=f"record.{key}"):
        bring(memory, content="x", **{key: value})
