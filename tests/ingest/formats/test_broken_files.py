"""Files in a wrong encoding, without content, or cut off: named with what to do, never taken for a note."""

import json
import sqlite3
from contextlib import closing
from datetime import UTC
from pathlib import Path
from shutil import copytree
from zipfile import ZipFile

import pytest
from tests.ingest.formats.importing import FILES, Imported, documents, text_of

from recollect.importers.formats import Unreadable
from recollect.ingest.chats.conversation import parse_sillytavern_time
from recollect.memory import Memory


@pytest.mark.parametrize("name", ["calendar.ics", "contacts.vcf"])
def test_an_export_in_utf16_is_no_note(memory: Memory, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes((FILES / name).read_text("utf-8").encode("utf-16"))
    with pytest.raises(Unreadable, match="in another encoding: save it as UTF-8"):
        Imported(memory, path)


@pytest.mark.parametrize("encoding", ["utf-16", "cp1252"])
@pytest.mark.parametrize("zipped", [False, True])
def test_a_chat_of_whatsapp_that_an_editor_saved_in_another_encoding_is_read(
    memory: Memory, tmp_path: Path, encoding: str, zipped: bool
) -> None:
    chat = "31.12.24, 21:41 - Jürgen Müller: Grüße aus Köln\n31.12.24, 21:42 - Ada Brandt: Schön!\n".encode(encoding)
    path = tmp_path / "WhatsApp Chat mit Jürgen Müller.txt"
    path.write_bytes(chat)
    if zipped:
        path = tmp_path / "WhatsApp Chat mit Jürgen Müller.zip"
        with ZipFile(path, "w") as archive:
            archive.writestr("_chat.txt", chat)
    assert Imported(memory, path).kinds == ["whatsapp"]
    texts = {text_of(memory, key) for key in documents(memory)}
    assert texts == {"Grüße aus Köln", "Schön!"}


@pytest.mark.parametrize("name", ["gh.json", "gh", "chat.jsonl"])
@pytest.mark.parametrize("encoding", ["utf-16", "cp1252"])
def test_json_in_another_encoding_says_so(memory: Memory, tmp_path: Path, name: str, encoding: str) -> None:
    path = tmp_path / name
    path.write_bytes(json.dumps([{"title": "Überfällig"}], ensure_ascii=False).encode(encoding))
    with pytest.raises(Unreadable, match="is JSON in another encoding: save it as UTF-8"):
        Imported(memory, path)


@pytest.mark.parametrize("name", ["note.txt", "records.jsonl", "gh.json"])
def test_utf16_without_a_mark_says_so(memory: Memory, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b'[{"title": "Kettle", "body": "It leaks"}]'.decode().encode("utf-16-le"))
    with pytest.raises(Unreadable, match="UTF-16 without a byte order mark: save it as UTF-8"):
        Imported(memory, path)


def test_a_note_in_another_encoding_is_still_a_note(memory: Memory, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.txt").write_bytes("Überall Käse.\n".encode("utf-16"))
    (folder / "b.txt").write_bytes("Überall Käse.\n".encode("cp1252"))
    assert Imported(memory, folder).kinds == ["note", "note"]


@pytest.mark.parametrize("name", ["WhatsApp Chat with Mira Okafor.txt", "calendar.ics", "contacts.vcf"])
def test_a_file_named_as_an_export_that_does_not_begin_as_one_is_no_note(
    memory: Memory, tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    path.write_bytes(b"Exported by a program\n" + (FILES / name).read_bytes())
    with pytest.raises(Unreadable, match="does not begin as one: export it again"):
        Imported(memory, path)


@pytest.mark.parametrize("name", ["records.jsonl", "mail.mbox", "note.md"])
def test_an_empty_file_says_so(memory: Memory, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"\n")
    with pytest.raises(Unreadable, match="is empty"):
        Imported(memory, tmp_path / name)


@pytest.mark.parametrize(("name", "part"), [("calendar.ics", "VEVENT"), ("contacts.vcf", "VCARD")])
def test_what_the_end_of_a_file_cuts_off_is_told(memory: Memory, tmp_path: Path, name: str, part: str) -> None:
    whole = (FILES / name).read_bytes()
    path = tmp_path / name
    path.write_bytes(whole[: whole.rindex(b"END:" + part.encode())])
    taken = Imported(memory, path)
    assert f"{name}: skipped 1 {part} without an end: the file is cut off, export it again" in taken.warnings


def test_lines_that_are_no_properties_are_counted(memory: Memory, tmp_path: Path) -> None:
    card = "BEGIN:VCARD\nVERSION:3.0\nFN:Olga\nNOTE:likes rye\nand tea, says Bo\nEND:VCARD\n"
    (tmp_path / "a.vcf").write_text(card, "utf-8")
    assert Imported(memory, tmp_path / "a.vcf").warnings == ["a.vcf: skipped 1 lines that are no properties"]


def test_entries_of_an_agent_file_that_are_no_objects_are_counted(memory: Memory, tmp_path: Path) -> None:
    said = {"role": "user", "created_at": "2025-03-01T00:00:00Z", "content": [{"type": "text", "text": "I moved"}]}
    agent = {"name": "Helper", "block_ids": [], "messages": [said, None, "oops"]}
    (tmp_path / "a.af").write_text(json.dumps({"agents": [agent], "blocks": [7]}), "utf-8")
    assert set(Imported(memory, tmp_path / "a.af").warnings) == {
        "a.af: skipped 2 entries of messages that are no objects",
        "a.af: skipped 1 entries of blocks that are no objects",
    }


TIMELESS = [{"type": "message", "text": "later", "user": "U1", "ts": each} for each in (None, "soon", 5)]
SAID = {"type": "message", "text": "The kettle leaks", "user": "U1", "ts": "1740800000.000100"}
GMAIL = {
    "id": "18f",
    "threadId": "18f",
    "labelIds": 5,
    "payload": {"headers": [{"name": "Subject", "value": "Kettle"}]},
}
NODES = [{"uuid": each, "name": each, "labels": ["Entity"], "summary": ""} for each in ("Ada", "Acme")]
EDGE = {
    "uuid": "e1",
    "source_node_uuid": "Ada",
    "target_node_uuid": "Acme",
    "name": "WORKS_AT",
    "fact": "Ada works at Acme",
    "episodes": 7,
}


@pytest.mark.parametrize(
    ("value", "counts", "warnings"),
    [
        ({"messages": [SAID, *TIMELESS]}, (1, 1, 0), ["x.json: skipped 3 messages without a time"]),
        ({"messages": [GMAIL]}, (1, 1, 0), []),
        ({"nodes": NODES, "edges": [EDGE], "episodes": []}, (3, 3, 0), []),
    ],
)
def test_a_value_of_another_type_is_no_crash(
    memory: Memory, tmp_path: Path, value: object, counts: tuple[int, int, int], warnings: list[str]
) -> None:
    (tmp_path / "x.json").write_text(json.dumps(value), "utf-8")
    taken = Imported(memory, tmp_path / "x.json")
    assert (taken.counts, taken.skipped) == (counts, [])
    assert set(warnings) <= set(taken.warnings)


def test_aliases_of_another_type_are_no_crash(memory: Memory, tmp_path: Path) -> None:
    page = "---\ntitle: Kettle\ntype: note\npermalink: kettle\naliases: 5\n---\n\n- [fact] It leaks\n"
    (tmp_path / "Kettle.md").write_text(page, "utf-8")
    assert Imported(memory, tmp_path / "Kettle.md").counts == (1, 1, 0)


MAIL = "Message-ID: <k1@acme.example>\nFrom: Lena <lena@acme.example>\nDate: Mon, 2 Mar 2026 10:00:00 +0000\n"
ENTITY = {"type": "entity", "name": "Ada", "entityType": "person", "observations": ["likes tea"]}
TURN = {"type": "user", "uuid": "u1", "sessionId": "s", "message": {"role": "user", "content": "Fix the login"}}


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (f"{MAIL}Subject: Kettle\n\nI'll send the offer by Friday.\n", "mail"),
        (json.dumps(ENTITY) + "\n", "memory-jsonl"),
        (json.dumps(TURN) + "\n", "transcript"),
    ],
)
@pytest.mark.parametrize("name", ["given.txt", "given"])
def test_a_format_is_known_by_its_content_whatever_the_name(
    memory: Memory, tmp_path: Path, name: str, content: str, kind: str
) -> None:
    (tmp_path / name).write_text(content, "utf-8")
    taken = Imported(memory, tmp_path / name)
    assert (taken.kinds, taken.counts, taken.skipped) == ([kind], (1, 1, 0), [])


def test_a_note_that_begins_like_a_letter_is_still_a_note(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("From: Lena\nDate: yesterday\nTo: me\n\nThe kettle leaks.\n", "utf-8")
    assert Imported(memory, tmp_path / "letter.txt").kinds == ["note"]


def test_lines_of_a_session_that_cannot_be_read_are_counted(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_text(f'{json.dumps(TURN)}\nnull\n{{"type": "us\n\n', "utf-8")
    taken = Imported(memory, path)
    assert taken.counts == (1, 1, 0)
    assert taken.warnings == ["session.jsonl: skipped 2 lines that are not whole JSON objects"]


def test_a_session_that_is_cut_off_is_told(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "session-1.json"
    path.write_text('{"sessionId": "s", "projectHash": "h", "messages": [{"id": "1", "ty', "utf-8")
    assert Imported(memory, path).warnings == ["session-1.json: skipped 1 sessions that are not whole JSON"]


def test_observations_that_are_no_texts_are_refused_with_their_line(memory: Memory, tmp_path: Path) -> None:
    odd = [{**ENTITY, "name": "Bo", "observations": [{"a": 1}]}, {**ENTITY, "name": "C", "observations": ["\ud800"]}]
    path = tmp_path / "memory.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in (ENTITY, *odd)), "utf-8")
    [taken] = Imported(memory, path).results
    assert taken.tally.changed == 1
    assert [(each.line, each.reason) for each in taken.skipped] == [
        (2, "observations: should be a list of texts"),
        (3, "line: has a character that cannot be stored"),
    ]


def test_odd_nodes_of_a_jira_text_are_no_crash(memory: Memory, tmp_path: Path) -> None:
    said = {"type": "paragraph", "content": [{"type": "text", "text": "It leaks"}]}
    nodes = [{"type": ["odd"]}, {"type": "heading", "attrs": None}, {"type": "heading", "attrs": {"level": [2]}}, said]
    text = {"type": "doc", "version": 1, "content": nodes}
    issue = json.loads((FILES / "jira.json").read_text("utf-8"))
    issue["issues"][0]["fields"]["description"] = text
    (tmp_path / "jira.json").write_text(json.dumps(issue), "utf-8")
    assert Imported(memory, tmp_path / "jira.json").kinds == ["jira"]
    assert any("It leaks" in text_of(memory, key) for key in documents(memory))


def test_a_time_of_hundreds_of_digits_is_no_crash() -> None:
    assert parse_sillytavern_time(10**400, UTC) is None
    assert parse_sillytavern_time("9" * 400, UTC) is None


def pack(path: Path, folder: Path) -> bytes:
    with ZipFile(path, "w") as archive:
        for each in sorted(folder.rglob("*")):
            if each.is_file():
                archive.write(each, each.relative_to(folder).as_posix())
    return path.read_bytes()


@pytest.mark.parametrize("name", ["slack_export", "notion"])
def test_a_zip_that_is_cut_off_says_so(memory: Memory, tmp_path: Path, name: str) -> None:
    path = tmp_path / "export.zip"
    path.write_bytes(pack(path, FILES / name)[:-200])
    with pytest.raises(Unreadable, match="is a ZIP file that is cut off or damaged: download it again"):
        Imported(memory, path)


@pytest.mark.parametrize(
    ("name", "inside"), [("slack_export", b'"team_id"'), ("slack_export", b'"real_name"'), ("notion", b"Roof repair\n")]
)
def test_a_damaged_zip_is_told_and_does_not_stop_an_import(
    memory: Memory, tmp_path: Path, name: str, inside: bytes
) -> None:
    path = tmp_path / "export.zip"
    whole = pack(path, FILES / name)
    place = whole.find(inside) if inside in whole else len(whole) // 3
    path.write_bytes(whole[:place] + b"\xff" * 8 + whole[place + 8 :])
    told = Imported(memory, path).skipped
    assert len(told) == 1
    assert "is a ZIP file that is damaged or encrypted (Bad CRC-32" in told[0]
    assert told[0].endswith("download it again, or unpack it and ingest the folder")


def test_an_encrypted_zip_says_what_to_do(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    whole = bytearray(pack(path, FILES / "slack_export"))
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = whole.find(mark)
        while place >= 0:
            whole[place + flags] |= 1
            place = whole.find(mark, place + 1)
    path.write_bytes(bytes(whole))
    [told] = Imported(memory, path).skipped
    assert "is encrypted, or compressed in a way that is not known here" in told


def test_a_broken_file_of_an_export_is_named(memory: Memory, tmp_path: Path) -> None:
    folder = tmp_path / "export"
    copytree(FILES / "slack_export", folder)
    (folder / "users.json").write_text('[{"id": "U1", "na', "utf-8")
    assert Imported(memory, folder).skipped[0].startswith("users.json: invalid JSON")


def test_a_damaged_zip_of_chats_gives_what_comes_before_the_damage(memory: Memory, tmp_path: Path) -> None:
    said = [{"uuid": "m", "sender": "human", "text": "bees " * 100_000, "created_at": "2026-05-01T10:00:00Z"}]
    chats = [{"uuid": str(each), "name": "Bees", "chat_messages": said} for each in range(3)]
    path = tmp_path / "export.zip"
    with ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", json.dumps(chats))
    whole = bytearray(path.read_bytes())
    whole[-1_000] ^= 1
    path.write_bytes(bytes(whole))
    taken = Imported(memory, path)
    assert taken.kinds == ["claude"]
    assert any("the ZIP file is damaged or encrypted (Bad CRC-32" in each for each in taken.skipped)


def test_a_session_in_a_folder_that_cannot_be_is_no_crash(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "session.jsonl").write_text(json.dumps({**TURN, "cwd": f"/{'a' * 300}/acme"}), "utf-8")
    assert Imported(memory, tmp_path / "session.jsonl").counts == (1, 1, 0)


def test_a_damaged_database_of_another_program_is_not_to_be_repaired_here(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "history.db"
    columns = "id, memory_id, old_memory, new_memory, event, created_at, updated_at, is_deleted, actor_id, role"
    with closing(sqlite3.connect(path)) as raw:
        raw.execute(f"CREATE TABLE history ({columns})")
        raw.executemany("INSERT INTO history (id, memory_id, new_memory) VALUES (?, 'm', ?)", [(1, "x" * 9_000)] * 9)
        raw.commit()
    whole = bytearray(path.read_bytes())
    whole[4096:8192] = b"\xff" * 4096
    path.write_bytes(bytes(whole))
    [told] = Imported(memory, path).skipped
    assert "history.db is a damaged database" in told
    assert "copy it again" in told


@pytest.mark.parametrize(
    ("start", "end", "told"),
    [
        ("DTSTART:20260105T090000Z", "DTEND;VALUE=DATE:20260107", "to 2026-01-06"),
        ("DTSTART:20260105T090000Z", "DTEND;VALUE=DATE:20260105", "to 2026-01-05"),
        ("DTSTART;VALUE=DATE:20260105", "DTEND:20260106T090000Z", "to 2026-01-06 09:00"),
        ("DTSTART:20260105T090000Z", f"DURATION:P{'9' * 5_000}D", "2026-01-05 09:00"),
    ],
)
def test_an_event_from_a_time_to_a_day_is_read(memory: Memory, tmp_path: Path, start: str, end: str, told: str) -> None:
    event = f"BEGIN:VEVENT\nUID:1\nSUMMARY:Choir\n{start}\n{end}\nEND:VEVENT\n"
    (tmp_path / "a.ics").write_text(f"BEGIN:VCALENDAR\nVERSION:2.0\n{event}END:VCALENDAR\n", "utf-8")
    assert Imported(memory, tmp_path / "a.ics").counts == (1, 1, 0)
    assert told in text_of(memory, "event:1")


@pytest.mark.parametrize(
    ("export", "broken"),
    [
        ("notion", "Broken 0123456789abcdef0123456789abcd00.md"),
        ("logseq", "pages/broken.md"),
        ("basic-memory", "work/broken.md"),
    ],
)
def test_a_binary_page_of_an_export_is_named_and_the_rest_is_read(
    memory: Memory, tmp_path: Path, export: str, broken: str
) -> None:
    whole = len(documents_of(memory, FILES / export))
    copied = tmp_path / export
    copytree(FILES / export, copied)
    (copied / broken).write_bytes(b"\x00\x01\x02\x03")
    taken = Imported(memory, copied)
    [skipped] = [each for result in taken.results for each in result.skipped]
    assert (skipped.file.endswith(broken), "binary file" in skipped.reason) == (True, True)
    assert taken.counts[0] == whole + 1


def documents_of(memory: Memory, path: Path) -> list[str]:
    Imported(memory, path)
    return [*documents(memory)]


@pytest.mark.parametrize("name", ["jira.json", "linear.json"])
def test_json_that_is_cut_off_says_so(memory: Memory, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    content = (FILES / name).read_bytes()
    path.write_bytes(content[: len(content) * 6 // 10])
    with pytest.raises(Unreadable, match="is JSON that is cut off or damaged"):
        Imported(memory, path)


def test_a_database_that_is_cut_off_says_so(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "claude-mem.db"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE observations (id INTEGER PRIMARY KEY, text TEXT)")
        database.executemany("INSERT INTO observations (text) VALUES (?)", [("long " * 100,)] * 200)
    path.write_bytes(path.read_bytes()[:20_000])
    with pytest.raises(Unreadable, match="is an SQLite database that is cut off"):
        Imported(memory, path)
