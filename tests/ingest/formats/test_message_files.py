"""Chats between people: every message is a record, and its words are its author's."""

from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from zipfile import ZipFile

import pytest
from tests.ingest.formats.importing import FILES, Imported, documents, facts, fields_of, text_of
from tests.support.facts import entity_named

from recollect.ingest.chats.whatsapp import chat_name, is_whatsapp
from recollect.memory import Memory

NEIGHBOURS = "WhatsApp Chat - Nachbarn.txt"
MIRA = "WhatsApp Chat with Mira Okafor.txt"


@pytest.fixture(params=["sqlite"])
def engine_name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize(
    ("name", "kind", "records", "said"),
    [
        ("slack_export", "slack", 6, "Mira Okafor: Can you send me the price list by Monday?"),
        ("slack_history.json", "slack", 1, "Lena Ortiz: I'll book the room by Tuesday."),
        ("telegram.json", "telegram", 7, "Ines Duarte: Can you bring the drill by Saturday?"),
        ("discord.json", "discord", 3, "Tom Reyes: We decided to buy a second wheelbarrow."),
        ("discord_package", "discord", 3, "Lee Park: I will oil it by Sunday."),
        (NEIGHBOURS, "whatsapp", 3, "Ines Duarte: Ich schicke die Liste bis Freitag."),
        (MIRA, "whatsapp", 5, "Jonas Berg: Can you call the plumber?"),
        ("gmail.json", "gmail", 2, "Marcus Webb: I will send the ledger by Friday."),
    ],
)
def test_each_export_is_recognised_counted_and_taken_once(
    memory: Memory, name: str, kind: str, records: int, said: str
) -> None:
    taken = Imported(memory, FILES / name)
    assert taken.kinds == [kind]
    assert (taken.counts[0], taken.skipped) == (records, [])
    assert said in facts(memory)
    assert Imported(memory, FILES / name).counts == (records, 0, records)


@pytest.mark.parametrize("top", ["", "Acme Slack export May 2026/"])
def test_a_zipped_export_is_the_same_as_its_folder(memory: Memory, tmp_path: Path, top: str) -> None:
    Imported(memory, FILES / "slack_export")
    archive = tmp_path / "export.zip"
    with ZipFile(archive, "w") as opened:
        for path in sorted(each for each in (FILES / "slack_export").rglob("*") if each.is_file()):
            opened.write(path, top + path.relative_to(FILES / "slack_export").as_posix())
        opened.writestr("__MACOSX/._users.json", b"\x00")
    again = Imported(memory, archive)
    assert (again.kinds, again.counts) == (["slack"], (6, 0, 6))


def test_a_broken_day_of_slack_is_named_and_the_days_after_it_are_read(memory: Memory, tmp_path: Path) -> None:
    export = Path(copytree(FILES / "slack_export", tmp_path / "slack_export"))
    [folder] = {each.parent for each in (FILES / "slack_export").rglob("2026-05-14.json")}
    (export / folder.name / "2026-05-01.json").write_text('[{"type": "message", "user": "U01", "text": "cut o')
    taken = Imported(memory, export)
    assert taken.counts[1] == 6
    [skipped] = taken.skipped
    assert "cannot be read further: general/2026-05-01.json: invalid JSON" in str(skipped)


def test_a_broken_file_of_discord_is_named_and_the_others_are_read(memory: Memory, tmp_path: Path) -> None:
    package = Path(copytree(FILES / "discord_package", tmp_path / "discord_package"))
    (package / "messages/c1").mkdir()
    (package / "messages/c1/messages.json").write_text('[{"ID": 1, "Contents": "cut o')
    taken = Imported(memory, package)
    assert taken.counts[1] == 3
    [skipped] = taken.skipped
    assert "messages/c1/messages.json: invalid JSON" in str(skipped)


def test_a_broken_index_and_damaged_messages_of_discord_leave_the_others(memory: Memory, tmp_path: Path) -> None:
    package = Path(copytree(FILES / "discord_package", tmp_path / "discord_package"))
    (package / "messages/index.json").write_text('{"6": "cut o')
    (package / "messages/c1").mkdir()
    (package / "messages/c1/messages.json").write_text('["damaged", {"ID": 1, "Contents": "I sold the car."}]')
    taken = Imported(memory, package)
    assert taken.counts[1] == 4
    assert "discord_package: skipped 1 messages without text" in taken.warnings
    [skipped] = taken.skipped
    assert "messages/index.json: invalid JSON" in skipped


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"])
def test_messages_of_discord_that_a_spreadsheet_saved_in_utf_16_are_read(
    memory: Memory, tmp_path: Path, encoding: str
) -> None:
    Imported(memory, FILES / "discord_package")
    package = Path(copytree(FILES / "discord_package", tmp_path / "discord_package"))
    rows = package / "messages/c6/messages.csv"
    rows.write_bytes(rows.read_text("utf-8").encode(encoding))
    again = Imported(memory, package)
    assert (again.counts, again.skipped) == ((3, 0, 3), [])


def test_slack_messages_show_names_threads_and_edits(memory: Memory) -> None:
    taken = Imported(memory, FILES / "slack_export")
    assert taken.warnings == ["slack_export: skipped 1 notices of joins, renames and the like"]
    key = "slack:1778749200.000100:U01"
    assert text_of(memory, key) == "We decided to go with the blue lids. Details: the plan & #ops"
    assert (fields_of(memory, key)["channel"], documents(memory)[key].author) == ("#general", "Mira Okafor")
    assert fields_of(memory, key)["updated_at"] == "2026-05-14T09:01:00+00:00"
    assert fields_of(memory, "slack:1778749500.000200:U02")["thread_id"] == "slack:1778749200.000100"
    mira = entity_named(memory, "Mira Okafor")
    assert mira is not None
    assert mira.properties["email"] == "mira@acme.example"


def test_what_bots_say_is_kept_and_gives_nothing(memory: Memory) -> None:
    for name in ("slack_export", "telegram.json", "discord.json"):
        Imported(memory, FILES / name)
    assert not any(bot in each for each in facts(memory) for bot in ("Deploy Bot", "WeatherBot", "Remindr"))
    noise = [key for key, each in documents(memory).items() if each.properties.get("classification") == "noise"]
    assert len(noise) == 4


def test_forwarded_words_and_nameless_messages_are_nobodys(memory: Memory) -> None:
    Imported(memory, FILES / "telegram.json")
    assert not any("bridge" in each or "beans" in each for each in facts(memory))
    assert "> We will close the bridge tomorrow." in text_of(memory, "telegram:42:3")
    assert fields_of(memory, "telegram:42:5") == {
        "service": "telegram",
        "channel": "Ines Duarte",
        "recipients": ["Jonas Berg"],
        "files": ["photo"],
        "summary": "photo",
        "source_trust": "unknown",
    }


def test_a_longer_export_adds_only_what_is_new(memory: Memory, tmp_path: Path) -> None:
    lines = (FILES / MIRA).read_text("utf-8").splitlines(keepends=True)
    short = tmp_path / MIRA
    short.write_text("".join(lines[:5]), "utf-8")
    assert Imported(memory, short).counts == (3, 3, 0)
    assert Imported(memory, FILES / MIRA).counts == (5, 2, 3)


def test_whatsapp_media_edits_and_notices(memory: Memory) -> None:
    warnings = [*Imported(memory, FILES / NEIGHBOURS).warnings, *Imported(memory, FILES / MIRA).warnings]
    assert [each.partition(": skipped ")[2] for each in warnings] == [
        "1 notices of the app",
        "1 pictures, recordings and the like",
        "1 deleted messages",
        "1 notices of the app",
        "1 pictures, recordings and the like",
    ]
    texts = {text_of(memory, key) for key in documents(memory)}
    assert "Ich schicke die Liste bis Freitag.\nZweite Zeile: mit Doppelpunkt" in texts
    assert "I will bring the ladder tomorrow." in texts
    assert "The key" in texts


def whatsapp_lines(*days: str) -> Iterator[str]:
    for number, day in enumerate(days):
        yield f"{day} - Ines Duarte: message {number}\n"
        yield f"{day} - Tom Reyes: answer {number}\n"


@pytest.mark.parametrize(
    ("days", "last"),
    [
        (("13/05/2026, 10:02", "14/05/2026, 10:02"), "2026-05-14T10:02:00+00:00"),
        (("5/13/26, 10:02 AM", "5/14/26, 1:02 p.m."), "2026-05-14T13:02:00+00:00"),
        (("2026-05-04, 10:02", "2026-05-05, 10:02"), "2026-05-05T10:02:00+00:00"),
        (("04.05.26, 10:02", "05.05.26, 10:02"), "2026-05-05T10:02:00+00:00"),
        (("10/4/26 10:02", "9/5/26 10:02"), "2026-05-09T10:02:00+00:00"),
        (("4-4-2026 10:02", "1-5-2026 10.02"), "2026-05-01T10:02:00+00:00"),
    ],
)
def test_dates_of_a_chat_are_read_in_the_order_that_fits_all_of_them(
    memory: Memory, tmp_path: Path, days: tuple[str, ...], last: str
) -> None:
    path = tmp_path / "chat.txt"
    path.write_text("".join(whatsapp_lines(*days)), "utf-8")
    assert Imported(memory, path).counts == (4, 4, 0)
    from recollect.when.instant import format_instant

    times = {format_instant(each.source_at) for each in documents(memory).values()}
    assert max(times) == last.replace("+00:00", "Z")


def test_a_date_that_no_order_fits_costs_only_its_message(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "chat.txt"
    path.write_text("".join(whatsapp_lines("13/05/2026, 10:02", "99/99/2026, 10:03", "14/05/2026, 10:02")), "utf-8")
    taken = Imported(memory, path)
    assert (taken.counts, taken.skipped) == ((4, 4, 0), [])
    assert taken.warnings == ["chat.txt: skipped 2 messages without a date"]


def test_a_chat_whose_dates_can_be_read_in_two_ways_is_refused_with_what_to_do(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "chat.txt"
    path.write_text("".join(whatsapp_lines("04/05/26, 10:02", "05/05/26, 10:02")), "utf-8")
    [reason] = Imported(memory, path).skipped
    assert "reading.date_order" in reason
    assert documents(memory) == {}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("_chat.txt", "[18/05/2026, 09:14:02] Mira Okafor: Boiler: fixed.\nSee you at six.\n\nBring tea.\n"),
        ("WhatsApp Chat with Mira.txt", "18/05/2026, 09:14 - Mira Okafor: hi\nand a second line"),
        (
            "kept.txt",
            "18/05/2026, 09:14 - Messages and calls are end-to-end encrypted.\n18/05/2026, 09:15 - Mira: hi\n",
        ),
        (
            "kept.txt",
            "[18/05/2026, 09:14:02] Mira: \u200eMessages and calls are private.\n[18/05/2026, 9:15:00] Mira: hi",
        ),
        ("kept.txt", "18/05/2026, 09:14 - Mira Okafor: hi"),
    ],
)
def test_a_chat_of_one_message_is_a_chat(memory: Memory, tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    assert (Imported(memory, path).kinds, [each.author for each in documents(memory).values()]) == (
        ["whatsapp"],
        ["Mira" if name == "kept.txt" and "Okafor" not in text else "Mira Okafor"],
    )


@pytest.mark.parametrize(
    "text",
    [
        "14.05.26, 10:02 - met Ines\nBought nails: 3 boxes\nand screws\n",
        "14.05.26, 10:02 - Lunch: fine\nBought nails\nand screws\n",
        "14.05.26, 10:02 - went home",
        "2026-05-14 10:02:11 - INFO: started\n2026-05-14 10:02:12 - ERROR: disk full\n",
        "We talked about end-to-end encryption.\n14.05.26, 10:02 - Mira: hi\n",
    ],
)
def test_a_text_with_dates_is_no_chat(text: str) -> None:
    assert not is_whatsapp(text)


def test_the_name_of_a_chat_is_in_the_name_of_its_file() -> None:
    assert chat_name("_chat") is None
    assert chat_name("WhatsApp-Chat mit Ines Duarte") == "Ines Duarte"
    assert chat_name("Chat de WhatsApp con Ines") == "Ines"


def test_gmail_messages_are_the_mails_that_a_mailbox_holds(memory: Memory) -> None:
    taken = Imported(memory, FILES / "gmail.json")
    assert taken.warnings == ["gmail.json: skipped 1 drafts"]
    first, second = sorted(documents(memory).values(), key=lambda each: each.source_at)
    assert first.title == "Grüße: Ledger"
    assert first.properties["attachments"] == [{"name": "ledger.pdf", "type": "application/pdf"}]
    assert second.properties["thread_id"] == first.properties["message_id"] == "ledger-1@mail.example"
    assert "Grüße" in text_of(memory, first.key)
