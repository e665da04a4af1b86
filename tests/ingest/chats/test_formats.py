"""Every platform's export, read from a small example in its real form."""

import json
import shutil
from datetime import UTC
from pathlib import Path
from typing import Any
from zipfile import ZipFile
from zoneinfo import ZoneInfo

import pytest

from recollect.ingest.chats.chatgpt import read_chatgpt as read_chatgpt
from recollect.ingest.chats.conversation import (
    BadConversation,
    ChatConversation,
    message_keys,
    parse_sillytavern_time,
    with_message_times,
)
from recollect.ingest.chats.export_file import export_files
from recollect.ingest.chats.export_reader import ExportOptions, kind_of_export, read_export
from recollect.when.instant import Instant, format_instant, read_instant

EXAMPLES = Path(__file__).parent / "examples"
NOW = read_instant("2026-05-20T10:00:00Z", UTC)


def read(name: str, kind: str | None = None, **reading: Any) -> list[ChatConversation | BadConversation]:
    path = EXAMPLES / name
    [file] = export_files(path)
    chosen = kind or kind_of_export(path)
    assert chosen is not None
    items = list(read_export(file, chosen, ExportOptions(UTC, **reading)))
    assert [item.place for item in items] == list(range(len(items)))
    return [
        item.result if isinstance(item.result, BadConversation) else with_message_times(item.result, NOW, NOW)
        for item in items
    ]


def one(name: str, place: int = 0, **reading: Any) -> ChatConversation:
    found = read(name, **reading)[place]
    assert isinstance(found, ChatConversation)
    return found


def turns(found: ChatConversation) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in found.messages]


def times(found: ChatConversation) -> list[str]:
    return [
        format_instant(message.at or Instant(0)) + ("~" if message.is_estimated else "") for message in found.messages
    ]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("chatgpt.json", "chatgpt"),
        ("claude.json", "claude"),
        ("claude.jsonl", "claude"),
        ("sillytavern.jsonl", "sillytavern"),
        ("letta.json", "letta"),
        ("kindroid.json", "kindroid"),
        ("loom.json", "loom-standard"),
    ],
)
def test_a_kind_is_told_by_its_content_and_not_by_its_name(name: str, kind: str, tmp_path: Path) -> None:
    assert kind_of_export(EXAMPLES / name) == kind
    shutil.copy(EXAMPLES / name, tmp_path / "data.bin")
    assert kind_of_export(tmp_path / "data.bin") == kind


@pytest.mark.parametrize(
    "content",
    [
        "",
        "   ",
        "Dear diary",
        "[]",
        "{}",
        "[1, 2]",
        "[[1]]",
        '{"record": {"id": "a"}}\n{"record": {"id": "b"}}',
        '{"chat": []}',
        '{"chat": [["a", 1]]}',
        '{"messages": []}',
        "[{",
        "0 HEAD",
        "PK\x03\x04 no zip",
    ],
)
def test_anything_else_is_no_chat_export(content: str, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(content)
    assert kind_of_export(path) is None


@pytest.mark.parametrize(("inner", "kind"), [("chatgpt.json", "chatgpt"), ("claude.json", "claude")])
def test_conversations_are_found_in_a_zip(inner: str, kind: str, tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with ZipFile(path, "w") as archive:
        archive.writestr("user.json", "{}")
        archive.write(EXAMPLES / inner, "data/conversations-000.json")
    assert kind_of_export(path) == kind
    [file] = export_files(path)
    items = list(read_export(file, kind, ExportOptions(UTC)))
    assert isinstance(items[0].result, ChatConversation)
    assert file.name == "export.zip/data/conversations-000.json"


def test_a_large_first_record_is_still_read_whole(tmp_path: Path) -> None:
    whole = json.loads((EXAMPLES / "chatgpt.json").read_text())
    whole[0]["mapping"]["a2"]["message"]["content"]["parts"] = ["x" * 3_000_000]
    path = tmp_path / "big.json"
    path.write_text(json.dumps(whole))
    assert kind_of_export(path) == "chatgpt"


def test_chatgpt_is_the_branch_that_was_last_shown() -> None:
    found = one("chatgpt.json")
    assert (found.id, found.title) == ("68249a10-0000-8000-9000-00000000bee5", "Bees in winter")
    assert turns(found) == [
        ("user", "How do I keep bees warm in winter? I have two hives."),
        ("assistant", "They cluster.\nInsulate the lid."),
        ("user", "[image was here]\nIs this queen all right?"),
        ("assistant", "She looks well."),
    ]
    assert found.system_prompts == ("Call me Noor.\n\nBe brief.",)
    assert [message.reasoning for message in found.messages] == [
        None,
        "Think about clusters.\n\nThought for 3 seconds",
        None,
        None,
    ]
    assert (found.messages[1].model, found.messages[0].model) == ("gpt-5", None)
    assert times(found)[0] == "2025-05-14T09:50:00.123Z"
    assert one("chatgpt.json", 1).display_title == "a word about the river and its floods"


def test_chatgpt_without_a_current_node_takes_the_latest_leaf_and_survives_a_loop(tmp_path: Path) -> None:
    whole = json.loads((EXAMPLES / "chatgpt.json").read_text())
    del whole[0]["current_node"]
    whole[0]["mapping"]["root"]["parent"] = "a1"
    path = tmp_path / "c.json"
    path.write_text(json.dumps({each["conversation_id"]: each for each in whole}))
    assert kind_of_export(path) == "chatgpt"
    items = list(read_export(export_files(path)[0], "chatgpt", ExportOptions(UTC)))
    found = items[0].result
    assert isinstance(found, ChatConversation)
    assert [message.id for message in found.messages] == ["u1", "a1", "u2", "a2"]


def chatgpt(*messages: dict[str, Any]) -> ChatConversation:
    """A conversation of these messages, each behind the one before."""
    nodes = {
        str(place): {"parent": str(place - 1), "message": {"author": {"role": "user"}, **each}}
        for place, each in enumerate(messages)
    }
    return with_message_times(
        read_chatgpt({"id": "c", "current_node": str(len(messages) - 1), "mapping": nodes}), NOW, NOW
    )


def test_chatgpt_names_files_that_came_with_a_message_and_shows_pictures_where_they_stood() -> None:
    files = [{"name": "plan.pdf", "mime_type": "application/pdf"}, {"name": "cat.png", "mime_type": "image/png"}]
    spoken = {"content_type": "real_time_user_audio_video_asset_pointer", "audio_asset_pointer": {}}
    found = chatgpt(
        {"content": {"parts": ["Read this."]}, "metadata": {"attachments": files}},
        {"content": {"parts": [""]}, "metadata": {"attachments": files[:1]}},
        {"content": {"parts": [spoken]}},
    )
    assert [each.content for each in found.messages] == [
        "Read this.\n[file: plan.pdf]",
        "[file: plan.pdf]",
        "[image was here]",
    ]


def test_chatgpt_times_may_be_numbers_digits_or_written_out() -> None:
    said = {"content": {"parts": ["x"]}}
    given: list[Any] = [1778000001.5, "1778000002", "2026-05-05T17:00:00Z", "soon", 1778000001000, None]
    found = chatgpt(*({**said, "create_time": each} for each in given))
    assert times(found) == [
        "2026-05-05T16:53:21.500Z",
        "2026-05-05T16:53:22Z",
        "2026-05-05T17:00:00Z",
        *["2026-05-05T17:00:00Z~"] * 3,
    ]


def test_claude_takes_texts_parts_thoughts_and_files() -> None:
    found, empty = read("claude.json")
    assert isinstance(found, ChatConversation)
    assert turns(found) == [
        ("user", "I want to build a small wood kiln behind the shed.\n[file: plan.txt]\n[file: shed.jpg]"),
        ("assistant", "Start with the foundation."),
        ("user", "How deep should it be?"),
    ]
    assert found.messages[1].reasoning == "Safety first."
    assert (found.id, found.title) == ("0c9f0000-1111-4222-8333-444455556666", "Kiln plans")
    assert isinstance(empty, ChatConversation)
    assert (empty.id, empty.messages) == ("0c9f0000-1111-4222-8333-777777777777", ())


def test_claude_lines_follow_the_chosen_leaf() -> None:
    found, other = read("claude.jsonl")
    assert isinstance(found, ChatConversation)
    assert isinstance(other, ChatConversation)
    assert [message.id for message in found.messages] == ["n1", "n2", "n4"]
    assert (found.title, other.title, other.id) == ("Glazes", "Cones", "0d000000-aaaa-4bbb-8ccc-eeeeeeeeeeee")


def test_sillytavern_takes_the_chosen_swipe_and_all_its_forms_of_time() -> None:
    found = one("sillytavern.jsonl")
    assert turns(found) == [
        ("assistant", "The attic smells of rain."),
        ("user", "I climbed up to look for the old maps."),
        ("assistant", "They are under the window."),
        ("user", "ok"),
    ]
    assert times(found) == [
        "2025-04-25T18:13:51.526Z",
        "2025-08-19T01:46:00Z",
        "2025-08-19T01:46:30Z",
        "2025-08-19T02:00:00Z",
    ]
    assert (found.id, found.title) == ("7f4c1e2a-1111-4aaa-9bbb-000000000001", "sillytavern")
    assert (found.messages[2].reasoning, found.messages[2].model) == ("maps -> window", "local-8b")


def test_letta_keeps_reasoning_with_the_answer_of_its_id() -> None:
    found = one("letta.json")
    assert turns(found) == [("user", "Please remember that my sister plays the cello."), ("assistant", "I will.")]
    assert [message.id for message in found.messages] == ["otid-1", "otid-2"]
    assert found.messages[1].reasoning == "Store this."
    assert (found.id, found.title, found.system_prompts) == ("agent-5b1f", "Juniper", ("You are Juniper.",))


def test_kindroid_takes_whoever_speaks_most_for_the_assistant() -> None:
    found = one("kindroid.json")
    assert turns(found)[:2] == [
        ("assistant", "Good morning!"),
        ("user", "I dreamt of the lighthouse again last night."),
    ]
    assert (found.id, found.title) == (None, "Moss")
    assert all(time.endswith("~") for time in times(found))
    assert turns(one("kindroid.json", assistant="Noor"))[0][0] == "user"
    assert turns(one("kindroid.json", is_known=lambda chat: chat.names == ("Moss", "Noor")))[0][0] == "user"


def test_kindroid_with_a_tie_needs_to_be_told(tmp_path: Path) -> None:
    path = tmp_path / "k.json"
    path.write_text('{"chat": [["Moss", "hi"], ["Noor", "hello"]]}')
    [item] = read_export(export_files(path)[0], "kindroid", ExportOptions(UTC))
    assert "--assistant" in str(item.result)
    [item] = read_export(export_files(path)[0], "kindroid", ExportOptions(UTC, "Nobody"))
    assert isinstance(item.result, BadConversation)


def test_loom_leaves_out_other_roles_and_repairs_times() -> None:
    found = one("loom.json")
    assert [message.id for message in found.messages] == ["a", "msg-3", "d"]
    assert times(found) == ["2026-01-10T12:00:01Z", "2026-01-10T12:00:01Z~", "2026-01-11T11:00:00Z"]
    assert found.metadata == {"originPlatform": "replika"}
    assert found.messages[1].reasoning == "be gentle"


@pytest.mark.parametrize(("key", "value"), [("version", 2), ("createdAt", "soon"), ("updatedAt", None), ("id", "")])
def test_loom_that_breaks_its_form_is_skipped(key: str, value: Any, tmp_path: Path) -> None:
    path = tmp_path / "l.json"
    path.write_text(json.dumps(json.loads((EXAMPLES / "loom.json").read_text()) | {key: value}))
    [item] = read_export(export_files(path)[0], "loom-standard", ExportOptions(UTC))
    assert isinstance(item.result, BadConversation)


def test_a_file_that_was_cut_off_gives_what_it_has(tmp_path: Path) -> None:
    text = (EXAMPLES / "chatgpt.json").read_text()
    path = tmp_path / "c.json"
    path.write_text(text[: len(text) - 300])
    first, broken = read_export(export_files(path)[0], "chatgpt", ExportOptions(UTC))
    assert isinstance(first.result, ChatConversation)
    assert isinstance(broken.result, BadConversation)
    assert broken.place == 1


@pytest.mark.parametrize(
    ("written", "instant"),
    [
        ("2025-04-25@18h13m40s", "2025-04-25T16:13:40Z"),
        ("2025-4-5 @8h 3m 1s 6ms", "2025-04-05T06:03:01.006Z"),
        ("August 19, 2025 12:46am", "2025-08-18T22:46:00Z"),
        ("Aug 19, 2025 12:46PM", "2025-08-19T10:46:00Z"),
        ("2025-08-19T02:00:00+05:00", "2025-08-18T21:00:00Z"),
        (1755567990000, "2025-08-19T01:46:30Z"),
        ("1755567990000", "2025-08-19T01:46:30Z"),
        ("2025-13-01 @1h 1m 1s", None),
        ("Brumaire 19, 2025 1:46am", None),
        ("yesterday", None),
        (None, None),
        (True, None),
        ([], None),
        (1e300, None),
    ],
)
def test_times_without_a_zone_are_in_the_given_one(written: Any, instant: str | None) -> None:
    found = parse_sillytavern_time(written, ZoneInfo("Europe/Brussels"))
    assert (format_instant(found) if found is not None else None) == instant


def test_messages_are_known_by_their_ids_or_by_what_they_say() -> None:
    found = one("kindroid.json")
    keys = message_keys(found.messages)
    assert len(set(keys)) == len(keys)
    doubled = message_keys((found.messages[0], found.messages[0]))
    assert doubled[0] == keys[0] != doubled[1]


@pytest.mark.parametrize("kind", ["chatgpt", "claude", "letta", "kindroid", "loom-standard", "sillytavern"])
@pytest.mark.parametrize(
    "content",
    [
        "[null]",
        "[1]",
        '[{"mapping": {"a": 1, "b": {"message": {"author": 3, "content": []}}}, "id": "x"}]',
        '[{"id": "x", "mapping": {"a": {"parent": [], "message": {"author": {"role": []}, "content": {}}}}}]',
        '[{"id": "x", "mapping": {"a": {"message": {"author": {"role": "user"}, "content": {"content_type": []}}}}}]',
        '[{"uuid": "x", "chat_messages": [{"uuid": "a", "parent_message_uuid": []}, {"parent_message_uuid": {}}]}]',
        '[{"uuid": "x", "chat_messages": [null, 3, {"sender": 3}, {"sender": "human", "content": "x", "text": 3}]}]',
        '{"agent_id": [], "messages": [{"message_type": []}]}',
        '{"format": "loom-standard", "id": "x", "messages": [[], 3], "createdAt": {}, "updatedAt": []}',
        '{"chat_metadata": 3, "user_name": 3, "character_name": []}\n{"mes": 3}\n{"mes": "a", "extra": 3}',
        '{"\\ud800": "\\ud800"}',
    ],
)
def test_a_wrong_shape_is_reported_and_never_crashes(kind: str, content: str, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text(content)
    for item in read_export(export_files(path)[0], kind, ExportOptions(UTC)):
        assert isinstance(item.result, ChatConversation | BadConversation)
