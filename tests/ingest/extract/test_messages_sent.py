"""What was to be written to somebody, done at once, or need not be done: said without a word for the thing."""

import json
from pathlib import Path

import pytest
from tests.ingest.extract.closing_matchers import LEE, MARCUS, ROSA
from tests.ingest.records import Json, Reading, email, everything

from recollect.importers.chat_exports import import_chat_export
from recollect.memory import Memory
from recollect.text_models.closure import ClosureReading


class SilentMatcher:
    """Sees nothing closed, so that only rules close."""

    model = "silent"

    def read(self, pairs: object) -> list[ClosureReading]:
        assert isinstance(pairs, list)
        return [ClosureReading("done", 0.2, False, self.model) for _ in pairs]


@pytest.fixture
def read(memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Reading:
    monkeypatch.setattr("recollect.text_models.pair_model.matcher_for", lambda _: SilentMatcher())
    return Reading(memory, tmp_path / "records.jsonl")


def mail(key: str, content: str, day: int, to: str = MARCUS, sender: str = LEE) -> Json:
    return email(key, content, f"2026-05-{day:02}T09:00:00Z", sender=sender, recipients=[to], thread_id=key)


def write_chat(memory: Memory, folder: Path, turns: list[str]) -> None:
    """A chat of which its owner wrote these turns, as one day after another."""
    nodes: dict[str, object] = {"root": {"id": "root", "message": None, "parent": None, "children": ["0"]}}
    for number, text in enumerate(turns):
        content = {"content_type": "text", "parts": [text]}
        at = {"author": {"role": "user"}, "create_time": 1_778_000_000 + number * 3_600, "content": content}
        children = [str(number + 1)] if number + 1 < len(turns) else []
        parent = str(number - 1) if number else "root"
        message = {"id": str(number), **at}
        nodes[str(number)] = {"id": str(number), "message": message, "parent": parent, "children": children}
    talk = {"title": "Form", "create_time": 1_778_000_000, "mapping": nodes, "conversation_id": "c1"}
    path = folder / "conversations.json"
    path.write_text(json.dumps([{**talk, "current_node": str(len(turns) - 1)}]), "utf-8")
    import_chat_export("chatgpt", memory, path, None)


def is_open(memory: Memory, words: str) -> bool:
    found = [each.fact for each in everything(memory) if words in str(each.fact.words)]
    return any(not each.stale for each in found if each.fact_type in ("commitment", "request"))


@pytest.mark.parametrize(
    ("promise", "message", "to", "still_open"),
    [
        ("I'll write to Rosa tomorrow.", "The plumber comes on Monday at nine.", ROSA, False),
        ("I'll tell Rosa about the lease tomorrow.", "The lease ends in June.", ROSA, False),
        ("I'll let Rosa know about the lease.", "The lease ends in June.", ROSA, False),
        ("I'll tell Rosa about the lease tomorrow.", "The plumber comes on Monday at nine.", ROSA, True),
        ("I'll write to Rosa tomorrow.", "The plumber comes on Monday at nine.", MARCUS, True),
        ("I'll write to Rosa tomorrow.", "I don't know yet, will let you know.", ROSA, True),
        ("I'll tell you by Friday if the ferry is realistic.", "The ferry is not realistic this year.", MARCUS, False),
        ("I'll tell you by Friday if the ferry is realistic.", "The ferry is late again.", MARCUS, True),
        ("I'll tell you by Friday if the ferry is realistic.", "Is the ferry realistic?", MARCUS, True),
    ],
)
def test_a_message_to_who_was_to_be_told_closes_the_promise(
    read: Reading, promise: str, message: str, to: str, still_open: bool
) -> None:
    read(mail("e1", promise, 4), mail("e2", message, 5, to))
    assert is_open(read.memory, promise) is still_open


def test_the_message_of_somebody_else_closes_nothing(read: Reading) -> None:
    read(mail("e1", "I'll write to Rosa tomorrow.", 4), mail("e2", "The plumber comes at nine.", 5, ROSA, MARCUS))
    assert is_open(read.memory, "I'll write to Rosa")


@pytest.mark.parametrize(
    ("sentence", "still_open"),
    [
        ("The landlord does the extinguisher tags, Lee doesn't have to.", False),
        ("Lee doesn't have to any more, the landlord does the extinguisher tags.", False),
        ("The landlord does the extinguisher tags, Rosa doesn't have to.", True),
        ("The landlord likes the stairs, Lee doesn't have to.", True),
    ],
)
def test_who_need_not_do_what_the_sentence_names_is_released(read: Reading, sentence: str, still_open: bool) -> None:
    asked = "Lee, please check the extinguisher tags by 18 May."
    read(mail("e1", asked, 4, LEE, MARCUS), mail("e2", sentence, 6, LEE, MARCUS))
    assert is_open(read.memory, "extinguisher tags by") is still_open


@pytest.mark.parametrize(
    ("text", "still_open"),
    [
        ("I need to send the form back by Friday. Perfect, sent it off just now.", False),
        ("I need to send the form back by Friday. Perfect weather, sent the dog out.", True),
    ],
)
def test_a_bare_report_right_behind_a_promise_of_a_chat_closes_it(
    read: Reading, tmp_path: Path, text: str, still_open: bool
) -> None:
    first, *more = text.split(". ", 1)
    write_chat(read.memory, tmp_path, [f"{first}.", *more])
    assert is_open(read.memory, "send the form back") is still_open


def test_a_promise_that_names_only_a_deed_is_about_the_sentence_before_it(read: Reading) -> None:
    read(
        mail("e1", "You need the council to suspend the parking outside. So please apply by Friday.", 4, LEE, MARCUS),
        mail("e2", "Parking suspension applied for.", 6),
    )
    assert not is_open(read.memory, "please apply")
