"""Chats taken in, again and again: nothing doubled, nothing lost, only what is new added."""

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from tests.llm.scripted_model import ScriptedModel
from tests.support.calls import last_tx

from recollect.keep.chats import daily_bullets
from recollect.keep.chats.conversations import find_conversation, messages_of
from recollect.keep.chats.importer import ChatImportOptions, ChatImportReport, import_chats
from recollect.llm.port import ModelUnavailable
from recollect.memory import Memory
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface

WINTER, FLOOD, QUEEN = "How do I keep bees warm?", "The river rose again last night.", "Is the queen all right?"
AT = "2026-05-{:02}T{:02}:00:00Z"


def chat(*texts: str | tuple[str, int], id_: str = "c1", day: int = 10, **more: Any) -> dict[str, Any]:
    """A Claude conversation; each text is said an hour after the one before, or on a day of its own."""
    messages = []
    for number, text in enumerate(texts):
        said, on = text if isinstance(text, tuple) else (text, day)
        at = AT.format(on, number + 1)
        messages.append({"uuid": f"m{number}", "sender": "human", "text": said, "created_at": at})
    updated = messages[-1]["created_at"] if messages else AT.format(day, 1)
    return {"uuid": id_, "name": "Bees", "updated_at": updated, "chat_messages": messages, **more}


@dataclass
class Importer:
    memory: Memory
    folder: Path

    def take(self, content: Any, kind: str = "claude", name: str = "export.json", **options: Any) -> ChatImportReport:
        path = self.folder / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        os.utime(path, (1778400000, 1778400000))
        return import_chats(self.memory, path, kind, ChatImportOptions(**options))

    def ask(self, tool: str, **arguments: Any) -> dict[str, Any]:
        found = find_surface("entity-core").find(tool)
        return call(found, lambda each: self.memory.as_actor(each.surface.name, each.name), arguments).structured

    def day(self, day: int = 10, instance: str = "claude") -> str | None:
        found = self.ask("memory_read", id=f"daily-2026-05-{day:02}_{instance}")
        return found["memory"]["content"] if found["success"] else None

    def bullets(self, day: int = 10, instance: str = "claude") -> list[str]:
        lines = (self.day(day, instance) or "").splitlines()
        return [line.partition(" [chat:")[0].removeprefix("- ") for line in lines if line.startswith("- ")]

    def texts(self, key: str = "c1", as_of: int | None = None) -> list[str]:
        with self.memory.read(as_of) as view:
            stored = find_conversation(view, key)
            return [each.message.content for each in messages_of(view, stored)] if stored else []

    @property
    def tx(self) -> int:
        return last_tx(self.memory)


@pytest.fixture
def importer(memory: Memory, tmp_path: Path) -> Importer:
    return Importer(memory, tmp_path)


def outcome(report: ChatImportReport) -> str:
    [found] = [name for name, count in report.conversations.items() if count]
    return found


def test_a_conversation_becomes_a_document_and_its_days_memories(importer: Importer) -> None:
    report = importer.take([chat(WINTER, "ok", (FLOOD, 11))])
    assert outcome(report) == "new"
    assert (report.messages_added, len(report.days.created), len(report.days.updated)) == (3, 2, 0)
    assert importer.texts() == [WINTER, "ok", FLOOD]
    assert importer.day() == f"# Daily Memory - 2026-05-10\n\n- {WINTER} [chat:c1] [via:claude]\n"
    assert importer.bullets(11) == [FLOOD]
    entry = importer.ask("memory_read", id="daily-2026-05-10_claude")["memory"]
    assert (entry["chatIds"], entry["sourceInstance"]) == (["c1"], "claude")
    with importer.memory.read() as view:
        document = view.document_named("conversation", "c1")
    assert document is not None
    assert (document.type, document.title) == ("claude", "Bees")


def test_the_same_export_twice_changes_nothing(importer: Importer) -> None:
    importer.take([chat(WINTER, FLOOD)])
    before = importer.tx
    assert outcome(importer.take([chat(WINTER, FLOOD)])) == "unchanged"
    assert importer.tx == before


def test_a_grown_chat_adds_exactly_what_is_new(importer: Importer) -> None:
    importer.take([chat(WINTER)])
    report = importer.take([chat(WINTER, FLOOD, (QUEEN, 12))])
    assert (outcome(report), report.messages_added) == ("grown", 2)
    assert importer.bullets() == [WINTER, FLOOD]
    assert importer.bullets(12) == [QUEEN]
    assert (report.days.created, report.days.updated) == ({"daily-2026-05-12_claude"}, {"daily-2026-05-10_claude"})


def test_an_older_export_takes_nothing_away(importer: Importer) -> None:
    importer.take([chat(WINTER, FLOOD)])
    before = importer.tx
    assert outcome(importer.take([chat(WINTER)])) == "older"
    assert outcome(importer.take([chat("Something else entirely, before.", id_="c1")])) == "older"
    assert importer.tx == before
    assert importer.texts() == [WINTER, FLOOD]


def test_an_edited_message_changes_its_bullet_and_stays_in_history(importer: Importer) -> None:
    importer.take([chat(WINTER, FLOOD)])
    before = importer.tx
    report = importer.take([chat(WINTER, "The river fell again last night.", FLOOD)])
    assert (outcome(report), report.messages_added) == ("changed", 2)
    assert importer.bullets() == [WINTER, "The river fell again last night.", FLOOD]
    assert importer.texts(as_of=before) == [WINTER, FLOOD]


def test_a_message_that_is_gone_takes_its_bullet_with_it(importer: Importer) -> None:
    importer.take([chat(WINTER, FLOOD, QUEEN)])
    other = chat(WINTER, QUEEN)
    other["chat_messages"][1]["uuid"] = "m2"
    other["updated_at"] = "2026-05-13T00:00:00Z"
    assert outcome(importer.take([other])) == "changed"
    assert importer.bullets() == [WINTER, QUEEN]


def test_a_bullet_that_a_person_edited_is_never_touched(importer: Importer) -> None:
    importer.take([chat(WINTER, FLOOD)])
    text = (importer.day() or "").replace("The river rose", "The wild river rose")
    importer.ask("memory_update", id="daily-2026-05-10_claude", content=text)
    importer.take([chat(WINTER, "Never mind all of this.", QUEEN)])
    assert importer.bullets() == [
        WINTER,
        "The wild river rose again last night.",
        "Never mind all of this.",
        QUEEN,
    ]


def test_a_bullet_or_memory_that_was_deleted_does_not_come_back(importer: Importer) -> None:
    importer.take([chat(WINTER, FLOOD)])
    text = "".join(line for line in (importer.day() or "").splitlines(keepends=True) if WINTER not in line)
    importer.ask("memory_update", id="daily-2026-05-10_claude", content=text)
    importer.take([chat(WINTER, FLOOD)])
    assert importer.bullets() == [FLOOD]
    importer.ask("memory_delete", id="daily-2026-05-10_claude")
    importer.take([chat(WINTER, FLOOD)])
    assert importer.day() is None
    importer.take([chat(WINTER, FLOOD, QUEEN)])
    assert importer.bullets() == [QUEEN]


def test_a_day_that_somebody_remembers_already_gains_the_bullets(importer: Importer) -> None:
    mine = {"granularity": "daily", "date": "2026-05-10", "instanceId": "claude"}
    importer.ask("memory_create", **mine, content="I woke early.\n\n- walked\n\n## Later\n\n- slept\n")
    importer.take([chat(WINTER)])
    assert importer.day() == (f"I woke early.\n\n- walked\n- {WINTER} [chat:c1] [via:claude]\n\n## Later\n\n- slept\n")


def test_two_platforms_on_one_day_give_two_memories(importer: Importer) -> None:
    importer.take([chat(WINTER)])
    importer.take([chat(FLOOD, id_="c2")], instance="attic")
    assert (importer.bullets(), importer.bullets(instance="attic")) == ([WINTER], [FLOOD])


def test_the_order_of_imports_does_not_matter(importer: Importer) -> None:
    importer.take([chat(WINTER, id_="c1"), chat(FLOOD, id_="c2", day=11)])
    importer.take([chat(QUEEN, id_="c3", day=11)])
    before = importer.tx
    importer.take([chat(QUEEN, id_="c3", day=11)])
    importer.take([chat(FLOOD, id_="c2", day=11), chat(WINTER, id_="c1")])
    assert importer.tx == before
    assert importer.bullets(11) == [FLOOD, QUEEN]


@pytest.mark.parametrize(
    ("said", "bullets"),
    [
        ("three short words", []),
        ("now four short words", ["now four short words"]),
        ("First of all this. Then that.", ["First of all this."]),
        ("  many \n\n spaces   here now ", ["many spaces here now"]),
        ("Dr. Holm called e.g. today. Then Ida.", ["Dr. Holm called e.g. today."]),
        ("1. Buy milk and eggs. 2. Rest.", ["1. Buy milk and eggs."]),
        ("𠮷" * 8, ["𠮷" * 8]),
        ("昨日川がまた増水した。心配だ。", ["昨日川がまた増水した。"]),
        ("短い文", []),
        ("word " * 100, ["word " * 47 + "word…"]),
        ("look at [chat:zzz] and [via:evil] now", ["look at (chat:zzz] and (via:evil] now"]),
    ],
)
def test_a_bullet_is_the_first_sentence_of_a_longer_message(importer: Importer, said: str, bullets: list[str]) -> None:
    importer.take([chat(said)])
    found = importer.bullets()
    assert found == bullets
    assert all(len(line) <= 240 for line in found)


def test_ids_that_would_break_a_tag_are_escaped(importer: Importer) -> None:
    importer.take([chat(WINTER, id_="a],b\nc%")])
    assert "[chat:a%5D%2Cb%0Ac%25]" in (importer.day() or "")
    assert importer.ask("memory_read", id="daily-2026-05-10_claude")["memory"]["chatIds"] == ["a%5D%2Cb%0Ac%25"]


def test_only_messages_since_a_day_come_in_and_stored_ones_stay(importer: Importer) -> None:
    importer.take([chat(WINTER, (FLOOD, 12))], since=date(2026, 5, 11))
    assert importer.texts() == [FLOOD]
    importer.take([chat(WINTER, (FLOOD, 12), (QUEEN, 13))], since=date(2026, 5, 11))
    assert importer.texts() == [FLOOD, QUEEN]
    importer.take([chat(WINTER, (FLOOD, 12), (QUEEN, 13))])
    assert importer.texts() == [WINTER, FLOOD, QUEEN]
    before = importer.tx
    assert outcome(importer.take([chat(WINTER, (FLOOD, 12), (QUEEN, 13))], since=date(2026, 5, 12))) == "unchanged"
    assert importer.tx == before


def test_conversations_can_come_without_memories(importer: Importer) -> None:
    report = importer.take([chat(WINTER)], memories="none")
    assert importer.day() is None
    assert report.messages_added == 1


def test_a_trial_writes_nothing_and_reports_the_same(importer: Importer) -> None:
    report = importer.take([chat(WINTER), chat(FLOOD, id_="c2")], dry_run=True)
    assert (report.conversations["new"], report.messages_added, report.days.created) == (
        2,
        2,
        {"daily-2026-05-10_claude"},
    )
    assert importer.tx == 0


def test_what_cannot_be_read_is_reported_and_the_rest_goes_in(importer: Importer) -> None:
    report = importer.take([chat(WINTER), {"chat_messages": []}, {"uuid": "c9"}, chat(FLOOD, id_="c2")])
    assert report.conversations["new"] == 2
    assert [(each.index, each.id) for each in report.skipped] == [(1, None), (2, "c9")]


def test_a_conversation_without_messages_is_nothing_to_write(importer: Importer) -> None:
    report = importer.take([chat(), chat("ok")], memories="none")
    assert (report.conversations["unchanged"], report.conversations["new"], report.skipped) == (1, 1, [])
    assert outcome(importer.take([chat()])) == "older"
    assert importer.texts() == ["ok"]


def test_an_interrupted_run_goes_on_where_it_stopped(importer: Importer) -> None:
    export = [chat(f"This is what I said number {number}.", id_=f"c{number}") for number in range(5)]
    path = importer.folder / "export.json"
    path.write_text(json.dumps(export))
    told: list[int] = []

    class Interrupted(BaseException):
        pass

    def tell(done: int, total: int) -> None:
        told.append(done)
        assert done <= total == path.stat().st_size
        if len(told) == 2:
            raise Interrupted

    with pytest.raises(Interrupted):
        import_chats(importer.memory, path, "claude", ChatImportOptions(), tell)
    report = import_chats(importer.memory, path, "claude", ChatImportOptions())
    assert report.conversations == {"new": 3, "grown": 0, "changed": 0, "unchanged": 2, "older": 0}
    assert len(importer.bullets()) == 5


def tavern(*lines: tuple[str, bool], integrity: str | None = None) -> str:
    about = {"integrity": integrity} if integrity else {}
    head = {"chat_metadata": about, "user_name": "Noor", "character_name": "Wren"}
    rows: Iterable[dict[str, Any]] = ({"is_user": is_user, "mes": text} for text, is_user in lines)
    return "\n".join(json.dumps(each) for each in (head, *rows))


HELLO, MAPS, RAIN = ("The attic smells of rain.", False), ("I look for the old maps.", True), ("It rains.", False)


def test_a_chat_without_an_id_is_known_by_its_beginning(importer: Importer) -> None:
    importer.take(tavern(HELLO, MAPS), "sillytavern", "a.jsonl")
    assert outcome(importer.take(tavern(HELLO, MAPS, RAIN), "sillytavern", "renamed.jsonl")) == "grown"
    assert outcome(importer.take(tavern(HELLO, ("Something else I say.", True)), "sillytavern", "b.jsonl")) == "new"
    assert outcome(importer.take(tavern(HELLO), "sillytavern", "c.jsonl")) == "older"
    with importer.memory.read() as view:
        assert len(view.rows("documents_of_kind", kind="conversation")) == 2


def test_the_same_file_with_edits_is_the_same_chat(importer: Importer) -> None:
    importer.take(tavern(HELLO, MAPS), "sillytavern", "a.jsonl")
    report = importer.take(tavern(HELLO, ("I look for the new maps.", True), RAIN), "sillytavern", "a.jsonl")
    assert outcome(report) == "changed"


def kindroid(*lines: tuple[str, str]) -> str:
    return json.dumps({"chat": [list(line) for line in lines]})


def test_times_that_a_chat_does_not_have_are_those_of_its_file_and_stay(importer: Importer) -> None:
    first = [("Moss", "Good morning!"), ("Noor", "I dreamt of a lighthouse."), ("Moss", "Tell me more.")]
    path = importer.folder / "k.json"
    path.write_text(kindroid(*first))
    os.utime(path, (1778400000, 1778400000))
    import_chats(importer.memory, path, "kindroid", ChatImportOptions())
    assert importer.bullets(10, "kindroid") == ["I dreamt of a lighthouse."]
    path.write_text(kindroid(*first, ("Noor", "It was not lit at all."), ("Noor", "And the sea was black.")))
    os.utime(path, (1778600000, 1778600000))
    report = import_chats(importer.memory, path, "kindroid", ChatImportOptions())
    assert (outcome(report), report.messages_added) == ("grown", 2), "who the assistant is was remembered"
    assert importer.bullets(10, "kindroid") == ["I dreamt of a lighthouse."]
    assert importer.bullets(12, "kindroid") == ["It was not lit at all.", "And the sea was black."]


def test_a_model_tells_the_day_and_is_held_to_what_was_said(importer: Importer) -> None:
    model = ScriptedModel([{"bullets": ["I talked about bees.", "I met Napoleon."]}])
    importer.memory = replace(importer.memory, choose_model=lambda _: model)
    importer.take([chat(WINTER, FLOOD)])
    assert importer.bullets() == ["I talked about bees."]
    assert WINTER in model.asks[0].user


def test_a_model_that_fails_leaves_the_words_of_the_user(importer: Importer) -> None:
    model = ScriptedModel(lambda _: ModelUnavailable("scripted", "HTTP 500"))
    importer.memory = replace(importer.memory, choose_model=lambda _: model)
    importer.take([chat(WINTER)])
    assert importer.bullets() == [WINTER]


def test_a_day_with_more_than_a_memory_holds_takes_what_fits(
    importer: Importer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(daily_bullets, "CONTENT_LIMIT", 12_000)
    lines = [("Noor" if number % 2 else "Moss", f"{number} " + "word " * 45) for number in range(121)]
    report = importer.take(kindroid(*lines), "kindroid", "k.json")
    assert report.days.bullets_left_out > 0
    [id_] = report.days.created
    assert 10_000 < len(importer.ask("memory_read", id=id_)["memory"]["content"].encode()) <= 12_000
    before = importer.tx
    assert outcome(importer.take(kindroid(*lines), "kindroid", "k.json")) == "unchanged"
    assert importer.tx == before


def test_reasoning_and_models_are_kept_apart_from_the_text(importer: Importer) -> None:
    export = chat(WINTER)
    export["chat_messages"].append(
        {"uuid": "a", "sender": "assistant", "text": "They cluster.", "thinking": "secretthought", "model": "m1"}
    )
    importer.take([export])
    with importer.memory.read() as view:
        stored = find_conversation(view, "c1")
        assert stored is not None
        text, [_, answer] = view.text_of(stored.document), messages_of(view, stored)
    assert text == f"User: {WINTER}\n\nAssistant: They cluster."
    assert (answer.message.reasoning, answer.message.model) == ("secretthought", "m1")
