"""Items that come with the id of a stored one: the same source restates it, another one is kept beside it."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.ingest.formats.importing import documents, facts
from tests.ingest.records import MARCUS, Reading, email
from tests.support.facts import set_owner

from recollect.importers.formats import detect_format, read_sample
from recollect.memory import Memory
from recollect.reason.review.queue import list_questions

MALLORY = "Mallory Grey <m@evil.example>"
PROMISE = "I will review the lease by 2026-12-10."


@pytest.fixture
def read(memory: Memory, tmp_path: Path) -> Reading:
    set_owner(memory, "Marcus Webb", "marcus@harrow-bridge.example")
    return Reading(memory, tmp_path / "records.jsonl")


def mail(key: str, content: str, sender: str, **more: Any) -> dict[str, Any]:
    return email(key, content, sender=sender, message_id="<lease@x>", **more)


def suspects(memory: Memory) -> list[str]:
    with memory.read() as view:
        found = list_questions(memory, view, "finding").questions
    return [each.text or "" for each in found]


def take_file(memory: Memory, path: Path, content: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(content, "utf-8")
    detect_format(read_sample(memory, path)).take(memory, path, None)


def test_a_mail_of_somebody_else_with_the_same_id_takes_nothing_back(read: Reading) -> None:
    read(mail("e1", PROMISE, MARCUS))
    read(mail("e2", "Nothing to do.", MALLORY))
    assert any("review the lease" in each for each in facts(read.memory))
    kept = documents(read.memory)
    assert set(kept) == {"e1", "e1 (m@evil.example, unknown)"}
    assert ["id of another document" in each for each in suspects(read.memory)] == [True]


def test_a_mail_with_a_reused_id_stays_itself_when_it_comes_again(read: Reading) -> None:
    read(mail("e1", PROMISE, MARCUS))
    read(mail("e2", "Nothing to do.", MALLORY), mail("e2", "Nothing at all to do.", MALLORY))
    read(mail("e3", PROMISE + " Really.", MARCUS))
    kept = documents(read.memory)
    assert len(kept) == 2
    with read.memory.read() as view:
        assert {view.text_of(each) for each in kept.values()} == {PROMISE + " Really.", "Nothing at all to do."}


def test_the_copy_of_a_mail_that_came_back_to_its_sender_changes_nothing(read: Reading) -> None:
    read(mail("e1", PROMISE, MARCUS))
    read(mail("e1", PROMISE, MARCUS, received="by mx"))
    assert len(documents(read.memory)) == 1
    assert suspects(read.memory) == []


def test_a_mail_in_the_name_of_the_owner_that_a_server_brought_does_not_restate_a_sent_one(read: Reading) -> None:
    read(mail("e1", PROMISE, MARCUS))
    read(mail("e1", "Nothing to do.", MARCUS, received="by mx"))
    assert any("review the lease" in each for each in facts(read.memory))
    assert len(suspects(read.memory)) == 1


CARD = "BEGIN:VCARD\nVERSION:3.0\nUID:card1\nFN:Rui Costa\nN:Costa;Rui;;;\nTEL:{phone}\nORG:{company}\nEND:VCARD\n"
TASK = (
    "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\nBEGIN:VTODO\nUID:td1\nDTSTAMP:20261101T000000Z\n{state}"
    "SUMMARY:Renew the passport\nDUE:20261221T100000Z\nEND:VTODO\nEND:VCALENDAR\n"
)


def bundle(company: str) -> str:
    record = {"id": "rec_7", "type": "note", "source_at": "2026-11-01T10:00:00Z", "content": "About Rui Costa."}
    fact = {"edge_label": "AFFILIATED", "fact_type": "employee", "from": "Rui Costa", "to": company}
    words = {"fact": f"Rui Costa is an employee of {company}", "confidence": "verified"}
    return json.dumps({"record": record, "facts": [{**fact, **words}]}) + "\n"


@pytest.mark.parametrize(
    ("name", "trusted", "forged", "kept"),
    [
        ("c.vcf", CARD.format(phone="+351111", company="Norte"), CARD.format(phone="+666", company="Evil"), "+351111"),
        ("t.ics", TASK.format(state=""), TASK.format(state="STATUS:COMPLETED\n"), "Renew the passport"),
        ("b.jsonl", bundle("Norte"), bundle("Evil"), "employee of Norte"),
    ],
)
def test_a_downloaded_file_does_not_restate_what_the_owner_took_in(
    read: Reading, tmp_path: Path, name: str, trusted: str, forged: str, kept: str
) -> None:
    take_file(read.memory, tmp_path / "own" / name, trusted)
    before = facts(read.memory)
    take_file(read.memory, tmp_path / "Downloads" / name, forged)
    assert before <= facts(read.memory)
    assert any(kept in each for each in before)
    assert len(documents(read.memory)) == 2
    assert len(suspects(read.memory)) == 1


def test_a_file_of_the_owner_restates_a_downloaded_one(read: Reading, tmp_path: Path) -> None:
    take_file(read.memory, tmp_path / "Downloads" / "c.vcf", CARD.format(phone="+666", company="Evil"))
    take_file(read.memory, tmp_path / "own" / "c.vcf", CARD.format(phone="+351111", company="Norte"))
    assert len(documents(read.memory)) == 1
    assert not any("+666" in each for each in facts(read.memory))
