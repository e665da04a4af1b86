"""Odd but legal parts of exports: each is read as its program means it, or counted as left out."""

import json
from pathlib import Path
from typing import Any

import apsw
import pytest
from tests.ingest.formats.importing import Imported, documents, facts, fields_of, text_of

from recollect.importers.formats import Unreadable, scan_path
from recollect.memory import Memory
from recollect.when.instant import format_instant

BLOCK = "65a1b2c3-0000-4000-8000-000000000001"
PAGE = "0123456789abcdef0123456789abcde"


@pytest.fixture(params=["sqlite"])
def engine_name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def write(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return path


def slack_message(ts: int, text: str, **more: Any) -> dict[str, Any]:
    return {"type": "message", "user": "U1", "text": text, "ts": f"17724{ts}.000100", **more}


def test_slack_groups_dates_blocks_and_people_whom_nobody_lists(memory: Memory, tmp_path: Path) -> None:
    section = {"type": "rich_text_section", "elements": [{"type": "text", "text": "The venue is Hall 4"}]}
    attached = [{"fallback": "Build 12 failed", "text": "Build 12 failed on main"}]
    day = [
        slack_message(38400, "<!here> <!subteam^S1|@devs> it ships on <!date^1772500000^{date}|March 3, 2026>"),
        slack_message(38401, "", blocks=[{"type": "rich_text", "elements": [section]}]),
        slack_message(38402, "", subtype="bot_message", attachments=attached),
        slack_message(38403, "hello", user="U77"),
    ]
    write(tmp_path / "users.json", [{"id": "U1", "profile": {"real_name": "Lena Brandt"}}])
    write(tmp_path / "channels.json", [{"id": "C1", "name": "general", "members": ["U1"]}])
    write(tmp_path / "general" / "2026-03-02.json", day)
    write(tmp_path / "general" / "2026-03-03.json", [])
    taken = Imported(memory, tmp_path)
    assert (taken.kinds, taken.counts, taken.skipped) == (["slack"], (4, 4, 0), [])
    texts = {text_of(memory, key) for key in documents(memory)}
    assert texts == {
        "@here @devs it ships on March 3, 2026",
        "The venue is Hall 4",
        "Build 12 failed on main",
        "hello",
    }
    assert ["1 people are known by their ids only" in each for each in taken.warnings] == [True]


def test_telegram_takes_chats_that_were_left_and_counts_contacts(memory: Memory, tmp_path: Path) -> None:
    def chat(id_: int, sender: str | None, text: str) -> dict[str, Any]:
        at = {"date": "2026-02-01T10:01:00", "date_unixtime": "1769936460"}
        message = {"id": 2, "type": "message", "from": sender, "text": text, "reply_to_message_id": 1, **at}
        return {"name": f"Chat {id_}", "type": "private_group", "id": id_, "messages": [message]}

    export = {
        "contacts": {"about": "", "list": [{"first_name": "Anya"}] * 6},
        "chats": {
            "list": [chat(8, "Zoe", "Hello"), chat(9, None, "I was deleted"), {**chat(7, "", ""), "messages": []}]
        },
        "left_chats": {"list": [chat(44, "Karl", "Rent is due on the first")]},
    }
    taken = Imported(memory, write(tmp_path / "result.json", export))
    assert (taken.kinds, taken.counts) == (["telegram"], (3, 3, 0))
    assert taken.warnings == ["result.json: skipped 6 contacts and other entries that are not messages"]
    found = documents(memory)
    assert (found["telegram:9:2"].author, found["telegram:44:2"].author) == (None, "Karl")
    assert found["telegram:8:2"].properties["thread_id"] != found["telegram:44:2"].properties["thread_id"]


@pytest.mark.parametrize(
    ("first", "second", "last"),
    [
        ("17/11/24, 9:15 a. m. - {}", "18/11/24, 9:16 p. m. - {}", "2024-11-18T21:16:00Z"),
        ("2024. 11. 17. 9:15 - {}", "2024. 11. 18. 21:16 - {}", "2024-11-18T21:16:00Z"),
        ("17. 11. 2024 9:15 - {}", "18. 11. 2024 21:16 - {}", "2024-11-18T21:16:00Z"),
        ("2024/11/17 上午9:15 - {}", "2024/11/18 下午9:16 - {}", "2024-11-18T21:16:00Z"),
        ("[2024/11/17 午前9:15:01] {}", "[2024/11/18 午後9:16:00] {}", "2024-11-18T21:16:00Z"),
        ("24. 11. 17. 오전 9:15, {}", "24. 11. 18. 오후 9:16, {}", "2024-11-18T21:16:00Z"),
        ("17\u200f/11\u200f/2024، 9:15 ص - {}", "18\u200f/11\u200f/2024، 9:16 م - {}", "2024-11-18T21:16:00Z"),
        ("17/11/2024, 9:15 π.μ. - {}", "18/11/2024, 12:16 π.μ. - {}", "2024-11-18T00:16:00Z"),
    ],
)
def test_whatsapp_writes_times_as_phones_of_the_world_do(
    memory: Memory, tmp_path: Path, first: str, second: str, last: str
) -> None:
    said = [first.format("Ana: one"), first.format("Bo : two"), second.format("Ana: three")]
    path = write(tmp_path / "chat.txt", "\n".join(said) + "\n")
    taken = Imported(memory, path)
    assert (taken.kinds, taken.counts, taken.skipped) == (["whatsapp"], (3, 3, 0), [])
    assert {each.author for each in documents(memory).values()} == {"Ana", "Bo"}
    assert max(format_instant(each.source_at) for each in documents(memory).values()) == last
    assert Imported(memory, path).counts == (3, 0, 3)


def test_a_chat_whose_dates_are_unknown_says_so(memory: Memory, tmp_path: Path) -> None:
    write(tmp_path / "chat" / "WhatsApp Chat with Ana.txt", "MMXXIV XI XVII - Ana: salve\n")
    [reason] = Imported(memory, tmp_path / "chat").skipped
    assert "no line of it begins with a date" in reason


CARDS = """BEGIN:VCARD
VERSION:3.0
FN:Ada Okonkwo
ANNIVERSARY:20150606
item3.X-ABRELATEDNAMES:Chidi Okonkwo
item3.X-ABLabel:_$!<Spouse>!$_
item4.X-ABLabel:_$!<Work>!$_
X-PHONETIC-FIRST-NAME:Ah-da
X-SHOE-SIZE:42
PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQSkZJRg
END:VCARD
BEGIN:VCARD
VERSION:4.0
FN:Mei Tanaka
IMPP:xmpp:mei@chat.example
RELATED;TYPE=spouse;VALUE=text:Ken Tanaka
END:VCARD
"""


def test_a_card_is_read_whole_or_says_what_is_left_out(memory: Memory, tmp_path: Path) -> None:
    taken = Imported(memory, write(tmp_path / "cards.vcf", CARDS.replace("\n", "\r\n")))
    assert facts(memory) == {
        "Ada Okonkwo's anniversary is 2015-06-06",
        "Ada Okonkwo's first name by sound is Ah-da",
        "Ada Okonkwo's spouse is Chidi Okonkwo",
        "Mei Tanaka's chat address is xmpp:mei@chat.example",
        "Mei Tanaka's spouse is Ken Tanaka",
    }
    assert taken.warnings == [
        "cards.vcf: skipped 1 fields X-SHOE-SIZE",
        "cards.vcf: skipped 1 pictures, sounds and keys",
    ]


def calendar(*parts: str) -> str:
    zone = (
        "BEGIN:VTIMEZONE\nTZID:My zone\nBEGIN:STANDARD\nTZOFFSETFROM:+0300\nTZOFFSETTO:+0200\nEND:STANDARD\n"
        "BEGIN:DAYLIGHT\nTZOFFSETFROM:+0200\nTZOFFSETTO:+0300\nEND:DAYLIGHT\nEND:VTIMEZONE\n"
        "BEGIN:VTIMEZONE\nTZID:Desert\nBEGIN:STANDARD\nTZOFFSETTO:-0330\nEND:STANDARD\nEND:VTIMEZONE\n"
    )
    events = "".join(f"BEGIN:VEVENT\nUID:{number}\n{each}END:VEVENT\n" for number, each in enumerate(parts))
    return f"BEGIN:VCALENDAR\nVERSION:2.0\n{zone}{events}BEGIN:VFREEBUSY\nUID:f\nEND:VFREEBUSY\nEND:VCALENDAR\n"


def test_events_in_zones_that_only_their_calendar_explains(memory: Memory, tmp_path: Path) -> None:
    at = "DTSTART;TZID={}:20260{}10T090000\nSUMMARY:Talk {}\n"
    zones = ("My zone", "My zone", "Desert", "/mozilla.org/20050126_1/America/New_York", "Atlantis")
    talks = [at.format(zone, 2 if number else 7, number) for number, zone in enumerate(zones)]
    taken = Imported(memory, write(tmp_path / "cal.ics", calendar(*talks)))
    starts = [fields_of(memory, f"event:{number}")["starts_at"][-6:] for number in range(5)]
    assert starts == ["+03:00", "+02:00", "-03:30", "-05:00", "+00:00"]
    assert taken.warnings == [
        "cal.ics: the time zone 'Atlantis' is not known; its times are read in the zone of the workspace",
        "cal.ics: skipped 1 times that are free or busy",
    ]


def test_a_repeated_event_keeps_its_exceptions_and_its_end(memory: Memory, tmp_path: Path) -> None:
    choir = (
        "DTSTART;VALUE=DATE:20260105\nSUMMARY:Choir\nRRULE:FREQ=WEEKLY;UNTIL=20260330\n"
        "EXDATE;VALUE=DATE:20260119,20260126\nRDATE;VALUE=DATE:20260131\n"
    )
    Imported(memory, write(tmp_path / "cal.ics", calendar(choir)))
    [told] = facts(memory)
    assert told.endswith("repeated: FREQ=WEEKLY;UNTIL=20260330, except for 2026-01-19, 2026-01-26, also on 2026-01-31")
    assert fields_of(memory, "event:0")["also_on"] == ["2026-01-31"]
    assert "Except: 2026-01-19, 2026-01-26\nAlso: 2026-01-31" in text_of(memory, "event:0")


def test_notion_keeps_times_rows_and_drops_pictures(memory: Memory, tmp_path: Path) -> None:
    folder = tmp_path / "Export"
    home = "# Home\n\nCreated: March 3, 2026 4:05 PM\nSpan: March 9, 2026 → March 11, 2026\n\n![pic](a/b.png) Text.\n"
    write(folder / f"Home {PAGE}1.md", home)
    write(folder / f"Tasks {PAGE}3.csv", "Name,Status\nPaint fence,Todo\nHome,Todo\n,Lost\n")
    write(folder / "Tasks" / f"Paint fence {PAGE}4.md", "# Paint fence\n\nStatus: Todo\n\nTwo buckets.\n")
    taken = Imported(memory, folder)
    assert (taken.kinds, taken.counts) == (["notion"], (3, 3, 0))
    assert taken.warnings == ["Export: skipped 1 rows of tables without a name"]
    found = documents(memory)[f"note:notion/{PAGE}1"]
    assert format_instant(found.source_at) == "2026-03-03T16:05:00Z"
    assert found.properties["span"] == "2026-03-09 to 2026-03-11"
    assert text_of(memory, f"note:notion/{PAGE}1") == "# Home\n\n Text.\n"
    assert sorted(str(each.title) for each in documents(memory).values()) == ["Home", "Home", "Paint fence"]


def test_a_block_of_logseq_may_begin_with_its_id(memory: Memory, tmp_path: Path) -> None:
    write(tmp_path / "logseq" / "config.edn", "{}")
    write(tmp_path / "journals" / "2026_03_02.md", f"- DONE Book the room\n- id:: {BLOCK}\n  The quay opens at six\n")
    write(tmp_path / "pages" / "Quay.md", f"- (({BLOCK}))\n")
    Imported(memory, tmp_path)
    place = f"note:{tmp_path.name}"
    assert text_of(memory, f"{place}/journals/2026_03_02.md") == "- DONE Book the room\n- The quay opens at six\n"
    assert text_of(memory, f"{place}/pages/Quay.md") == "- “The quay opens at six”\n"


def test_files_of_a_vault_that_are_no_notes_are_counted(memory: Memory, tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    write(vault / ".obsidian" / "app.json", "{}")
    write(vault / "Board.canvas", "{}")
    write(vault / "Note.md", "A note.")
    [warning] = Imported(memory, vault).warnings
    assert warning.endswith("skipped 1 pictures and other files that are not notes")


def test_cells_of_a_page_stay_apart(memory: Memory, tmp_path: Path) -> None:
    table = "<table><tr><th>Berth</th><th>Depth</th></tr><tr><td>A</td><td>9 m</td></tr></table>"
    Imported(memory, write(tmp_path / "page.html", f"<!doctype html><title>Port</title>{table}"))
    [key] = documents(memory)
    assert text_of(memory, key) == "Berth | Depth\nA | 9 m"


@pytest.mark.parametrize("mark", ['<div class="page_body chat_page">', '<div class="chatlog__message">'])
def test_a_chat_as_html_is_refused_with_what_to_do(memory: Memory, tmp_path: Path, mark: str) -> None:
    path = write(
        tmp_path / "messages.html", f"<!DOCTYPE html><html><body>{mark}Anya 10:01 I will call</div></body></html>"
    )
    with pytest.raises(Unreadable, match="export it again as"):
        Imported(memory, path)


def palace(path: Path, *statements: str) -> Path:
    raw = apsw.Connection(str(path))
    for each in ("PRAGMA journal_mode = wal", *statements):
        raw.execute(each)
    raw.close()
    return path


def test_a_palace_in_sqlite_gives_whole_drawers_without_closets(memory: Memory, tmp_path: Path) -> None:
    def noted(number: int) -> str:
        return json.dumps({"wing": "home", "parent_drawer_id": "d3", "chunk_index": number})

    (tmp_path / "palace").mkdir()
    path = palace(
        tmp_path / "palace" / "sqlite_exact.sqlite3",
        "CREATE TABLE collections (id INTEGER, name TEXT)",
        "CREATE TABLE documents (collection_id INTEGER, id TEXT, document TEXT, metadata_json TEXT, embedding BLOB)",
        "INSERT INTO collections VALUES (1, 'mempalace_drawers'), (2, 'mempalace_closets')",
        """INSERT INTO documents VALUES (1, 'd1', 'The mill closes at six.', '{"wing": "home"}', NULL)""",
        """INSERT INTO documents VALUES (2, 'c1', 'mill|six|→d1', '{"wing": "home"}', NULL)""",
        f"INSERT INTO documents VALUES (1, 'd3_chunk_1', 'dle of a word', '{noted(1)}', NULL)",
        f"INSERT INTO documents VALUES (1, 'd3_chunk_0', 'Cut in the mid', '{noted(0)}', NULL)",
    )
    taken = Imported(memory, path)
    assert (taken.kinds, taken.counts) == (["mempalace-exact"], (2, 2, 0))
    assert ["skipped 1 closets" in each for each in taken.warnings] == [True]
    assert text_of(memory, "mempalace:d3") == "Cut in the middle of a word"
    assert [each.name for each in path.parent.iterdir()] == [path.name]  # nothing is left beside it
    assert Imported(memory, path).counts == (2, 0, 2)


def test_closets_in_chroma_are_no_drawers(memory: Memory, tmp_path: Path) -> None:
    path = palace(
        tmp_path / "chroma.sqlite3",
        "CREATE TABLE collections (id TEXT, name TEXT)",
        "CREATE TABLE segments (id TEXT, collection TEXT)",
        "CREATE TABLE embeddings (id INTEGER, segment_id TEXT, embedding_id TEXT)",
        "CREATE TABLE embedding_metadata (id INTEGER, key TEXT, string_value TEXT, int_value, float_value)",
        "INSERT INTO collections VALUES ('c1', 'mempalace_drawers'), ('c2', 'mempalace_closets')",
        "INSERT INTO segments VALUES ('s1', 'c1'), ('s2', 'c2')",
        "INSERT INTO embeddings VALUES (1, 's1', 'd1'), (2, 's2', 'closet')",
        "INSERT INTO embedding_metadata VALUES (1, 'chroma:document', 'The mill', NULL, NULL), (1, 'wing', 'w', NULL, "
        "NULL), (2, 'chroma:document', 'mill|→d1', NULL, NULL), (2, 'wing', 'w', NULL, NULL)",
    )
    assert Imported(memory, path).counts == (1, 1, 0)
    assert list(documents(memory)) == ["mempalace:d1"]


def test_the_log_of_a_database_is_no_file_of_its_own(tmp_path: Path) -> None:
    for name in ("a.db", "a.db-wal", "a.db-shm", "b.db-wal"):
        write(tmp_path / name, "x")
    assert [path.name for path, _ in scan_path(tmp_path)] == ["a.db", "b.db-wal"]


def test_the_vectors_of_chroma_are_read_with_its_database(tmp_path: Path) -> None:
    write(tmp_path / "palace" / "chroma.sqlite3", "x")
    for folder in ("palace/15af1615", "other/15af1615"):
        write(tmp_path / folder / "data_level0.bin", "x")
    found = [str(path.relative_to(tmp_path)) for path, _ in scan_path(tmp_path)]
    assert found == ["other/15af1615/data_level0.bin", "palace/chroma.sqlite3"]


def test_the_index_of_qdrant_is_read_with_its_databases(tmp_path: Path) -> None:
    write(tmp_path / "qdrant" / "collection" / "mem0" / "storage.sqlite", "x")
    for folder in ("qdrant", "other"):
        write(tmp_path / folder / "meta.json", '{"collections": {"mem0": {}}, "aliases": {}}')
    found = [str(path.relative_to(tmp_path)) for path, _ in scan_path(tmp_path)]
    assert found == ["other/meta.json", "qdrant/collection/mem0/storage.sqlite"]


def test_relations_of_mem0_are_facts(memory: Memory, tmp_path: Path) -> None:
    memories = [{"id": "m1", "memory": "Likes tea", "created_at": "2026-01-01T00:00:00Z", "user_id": "juno"}]
    edges = [{"source": "juno", "relationship": "lives in", "target": "graz"}, {"source": "juno"}]
    taken = Imported(memory, write(tmp_path / "mem0.json", {"results": memories, "relations": edges}))
    assert (taken.kinds, taken.counts) == (["mem0"], (2, 2, 0))
    assert taken.warnings == ["mem0.json: skipped 1 relations without both ends"]
    assert "juno lives in graz" in facts(memory)


EMPTY_CALENDAR = "BEGIN:VCALENDAR\nVERSION:2.0\nEND:VCALENDAR\n"


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("week.ics", EMPTY_CALENDAR, "nothing to import"),
        ("export.json", "[ ]\n", "is an empty JSON list"),
        ("chats.json", [{"uuid": "c1", "name": "New chat", "chat_messages": []}], "1 conversations have no message"),
        ("notes.md", " \n", "is empty"),
    ],
)
def test_a_file_that_gives_nothing_says_why(
    memory: Memory, tmp_path: Path, name: str, content: Any, reason: str
) -> None:
    try:
        taken = Imported(memory, write(tmp_path / name, content))
        told = [*taken.skipped, *taken.warnings]
    except Unreadable as problem:
        told = [str(problem)]
    assert any(reason in each for each in told), told
