"""Whose mails are known: by an address that the owner gave or wrote to, or from the owner's own domain."""

from pathlib import Path

import pytest
from tests.ingest.formats.importing import documents
from tests.ingest.records import Reading, email
from tests.support.facts import set_owner

from recollect.importers.mail import import_mail
from recollect.memory import Memory
from recollect.model.trust import Trust, trust_in
from recollect.write.owner import apply_owner_settings

OWNER = "Marcus Webb <marcus@harrow-bridge.example>"
GRETA = "Greta Nowak <greta@costumes.example>"


def trust_of(memory: Memory, key: str) -> Trust:
    with memory.read() as view:
        found = view.document_named("record", key)
        assert found is not None
        return trust_in(found.properties)


@pytest.fixture
def read(memory: Memory, tmp_path: Path) -> Reading:
    set_owner(memory, "Marcus Webb", "marcus@harrow-bridge.example")
    return Reading(memory, tmp_path / "records.jsonl")


def test_somebody_is_known_once_the_owner_has_written_to_them(read: Reading) -> None:
    read(email("e1", "The coats are ready.", "2026-03-11T09:00:00Z", sender=GRETA, recipients=[OWNER]))
    read(email("e2", "Thank you.", "2026-03-12T09:00:00Z", sender=OWNER, recipients=[GRETA]))
    read(email("e3", "The money came.", "2026-03-13T09:00:00Z", sender=GRETA, recipients=[OWNER]))
    assert [trust_of(read.memory, key) for key in ("e1", "e2", "e3")] == ["unknown", "owner", "known"]


def test_a_mail_in_the_name_of_the_owner_that_a_server_brought_makes_nobody_known(read: Reading) -> None:
    read(email("e1", "The coats are ready.", "2026-03-11T09:00:00Z", sender=GRETA, recipients=[OWNER]))
    read(email("e2", "Thank you.", "2026-03-12T09:00:00Z", sender=OWNER, recipients=[GRETA], received="by mx"))
    read(email("e3", "The money came.", "2026-03-13T09:00:00Z", sender=GRETA, recipients=[OWNER]))
    assert trust_of(read.memory, "e3") == "unknown"


@pytest.mark.parametrize(
    ("sender", "trust"),
    [
        ("Ana Ruiz <ana@harrow-bridge.example>", "known"),
        ("Ana Ruiz <ana@harrow-bridge.example.evil.example>", "unknown"),
    ],
)
def test_colleagues_are_known_by_the_domain_of_the_owner(read: Reading, sender: str, trust: Trust) -> None:
    read(email("e1", "The coats are ready.", sender=sender, recipients=[OWNER]))
    assert trust_of(read.memory, "e1") == trust


def test_a_mail_provider_is_nobody_s_own_domain(read: Reading) -> None:
    with read.memory.write() as change:
        change.put_setting("me.emails", "marcus@gmail.com")
        apply_owner_settings(change)
    read(email("e1", "The coats are ready.", sender="Ana Ruiz <ana@gmail.com>", recipients=["marcus@gmail.com"]))
    assert trust_of(read.memory, "e1") == "unknown"


def message(sender: str, number: int, *, top: str = "", envelope: str = "x@x.example Tue May 19 10:00:00 2026") -> str:
    heads = f"{top}From: {sender}\nTo: x@x.example\nDate: Tue, 19 May 2026 10:0{number}:00 +0000\n"
    return f"From {envelope}\n{heads}Message-ID: <{number}@x.example>\n\nThe coats are ready.\n\n"


RECEIVED, LABELS = "Received: from x by y; Tue, 19 May 2026 10:00:00 +0000\n", "X-GM-THRID: 1\nX-Gmail-Labels: {}\n"
STRANGER = "Mal <mal@evil.example>"


@pytest.mark.parametrize(
    ("mails", "levels"),
    [
        ([message(OWNER, 1), message(OWNER, 2)], ["owner", "owner"]),
        ([message(STRANGER, 1, top=RECEIVED), message(OWNER, 2)], ["unknown", "unknown"]),
        ([message(OWNER, 1), message(STRANGER, 2, top=RECEIVED), message(OWNER, 3), message(OWNER, 4)],
         ["owner", "unknown", "unknown", "unknown"]),
        ([message(STRANGER, 1, top=RECEIVED), message(OWNER, 2, top=LABELS.format("Sent"))], ["unknown", "unknown"]),
        ([message(STRANGER, 1), message(OWNER, 2, envelope="here on it is mine")], ["unknown", "unknown"]),
        ([message(STRANGER, 1, top=LABELS.format("Inbox") + RECEIVED), message(OWNER, 2, top=LABELS.format("Sent"))],
         ["unknown", "owner"]),
        ([message(OWNER, 1, top=RECEIVED + LABELS.format("Sent"))], ["unknown"]),
    ],
)  # fmt: skip
def test_a_message_in_the_name_of_the_owner_behind_a_delivered_one_may_be_part_of_its_text(
    read: Reading, tmp_path: Path, mails: list[str], levels: list[Trust]
) -> None:
    (tmp_path / "box.mbox").write_text("".join(mails))
    import_mail(read.memory, tmp_path / "box.mbox")
    stored = sorted(documents(read.memory).values(), key=lambda each: each.source_at)
    assert [trust_in(each.properties) for each in stored] == levels
