"""Files that other packages write themselves; `make test-importers` installs those."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.ingest.formats.importing import Imported, documents, text_of

from recollect.memory import Memory

AT = datetime(2026, 3, 2, 9, tzinfo=UTC)


def package(name: str) -> Any:
    return pytest.importorskip(name, reason=f"{name} is not installed; run make test-importers")


def check_taken_once(memory: Memory, path: Path, kind: str, count: int) -> None:
    """Whether a file is recognised, gives as much as its package wrote, and gives nothing more the second time."""
    taken = Imported(memory, path)
    assert (taken.kinds, taken.counts, taken.skipped) == ([kind], (count, count, 0), [])
    again = Imported(memory, path)
    assert (again.counts, again.skipped) == ((count, 0, count), [])


def test_a_calendar_of_icalendar(memory: Memory, tmp_path: Path) -> None:
    made = package("icalendar")
    calendar = made.Calendar()
    calendar.add("prodid", "-//Walk//EN")
    calendar.add("version", "2.0")
    for number in range(3):
        event = made.Event()
        event.add("uid", f"e{number}@walk.example")
        event.add("summary", f"Tasting number {number}, with a comma; and ümlauts")
        event.add("dtstart", AT + timedelta(days=number))
        event.add("dtend", AT + timedelta(days=number, hours=1))
        event.add("dtstamp", AT)
        event.add("rrule", {"freq": "weekly", "count": 3})
        event.add("attendee", "mailto:dana@harrow.example")
        calendar.add_component(event)
    task = made.Todo()
    task.add("uid", "t1@walk.example")
    task.add("summary", "Order the barrels")
    task.add("due", AT + timedelta(days=9))
    task.add("dtstamp", AT)
    calendar.add_component(task)
    (tmp_path / "dates.ics").write_bytes(calendar.to_ical())
    check_taken_once(memory, tmp_path / "dates.ics", "icalendar", 4)


def test_cards_of_vobject(memory: Memory, tmp_path: Path) -> None:
    made = package("vobject")
    text = ""
    for name, family in (("Dana", "Cole"), ("Zoë", "Ŧest")):
        card = made.vCard()
        card.add("n").value = made.vcard.Name(family=family, given=name)
        card.add("fn").value = f"{name} {family}"
        card.add("email").value = f"{name.lower()}@harrow.example"
        card.add("org").value = ["Harrow Ltd", "Audit"]
        card.add("tel").value = "+43 1 234567"
        text += card.serialize()
    (tmp_path / "people.vcf").write_text(text, "utf-8", newline="")
    check_taken_once(memory, tmp_path / "people.vcf", "vcard", 2)


def test_a_book_of_ebooklib(memory: Memory, tmp_path: Path) -> None:
    made = package("ebooklib.epub")
    book = made.EpubBook()
    book.set_identifier("walk-1")
    book.set_title("The Salt Road")
    book.set_language("en")
    book.add_author("Ana Lima")
    chapters = [made.EpubHtml(title=f"Chapter {number}", file_name=f"c{number}.xhtml") for number in (1, 2)]
    for number, chapter in enumerate(chapters, start=1):
        chapter.content = f"<h1>Chapter {number}</h1><p>The road goes on for {number} days.</p>"
        book.add_item(chapter)
    book.toc = chapters
    book.add_item(made.EpubNcx())
    book.add_item(made.EpubNav())
    book.spine = ["nav", *chapters]
    made.write_epub(str(tmp_path / "road.epub"), book)
    check_taken_once(memory, tmp_path / "road.epub", "epub", 2)


def test_a_graph_of_graphiti(memory: Memory, tmp_path: Path) -> None:
    nodes, edges = package("graphiti_core.nodes"), package("graphiti_core.edges")
    people = [nodes.EntityNode(name=name, group_id="g", labels=["Entity"], created_at=AT) for name in ("Ana", "Rye")]
    episode = nodes.EpisodicNode(
        name="Chat", group_id="g", created_at=AT, source=nodes.EpisodeType.message, source_description="chat",
        content="Ana: I work at Rye.", valid_at=AT,
    )  # fmt: skip
    edge = edges.EntityEdge(
        group_id="g", source_node_uuid=people[0].uuid, target_node_uuid=people[1].uuid, created_at=AT,
        name="WORKS_AT", fact="Ana works at Rye", episodes=[episode.uuid], valid_at=AT, invalid_at=None,
    )  # fmt: skip
    parts = {"nodes": people, "edges": [edge], "episodes": [episode]}
    dumped = {key: [each.model_dump(mode="json") for each in value] for key, value in parts.items()}
    (tmp_path / "graph.json").write_text(json.dumps(dumped), "utf-8")
    check_taken_once(memory, tmp_path / "graph.json", "graphiti", 3)
    assert "I work at Rye" in text_of(memory, f"graphiti:{episode.uuid}")


def test_a_history_of_mem0(memory: Memory, tmp_path: Path) -> None:
    storage = package("mem0.memory.storage").SQLiteManager(str(tmp_path / "history.db"))
    storage.add_history("m1", None, "Likes rye bread", "ADD", created_at=AT.isoformat())
    later = (AT + timedelta(days=1)).isoformat()
    storage.add_history(
        "m1", "Likes rye bread", "Likes corn bread", "UPDATE", created_at=AT.isoformat(), updated_at=later
    )
    storage.add_history("m2", None, "Lives in Graz", "ADD", created_at=AT.isoformat())
    storage.close()
    check_taken_once(memory, tmp_path / "history.db", "mem0-history", 3)
    assert len(documents(memory)) == 2
