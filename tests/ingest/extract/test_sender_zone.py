"""Deadlines in mail count from the sender's day, whatever the zone of the workspace."""

from pathlib import Path

import pytest
from tests.ingest.records import Reading, email, issue, said

from recollect.importers.mail import import_mail
from recollect.memory import Memory
from recollect.serve.workspace_settings import put_setting

# In UTC and in Tokyo this is Thursday the 12th.
SENT = "Wed, 11 Mar 2026 23:30:00 -0800"
SENT_AT = "2026-03-12T07:30:00Z"


def mail(path: Path, body: str, date: str = SENT) -> Path:
    headers = {
        "From": "Marcus Webb <marcus@harrow-bridge.example>",
        "To": "Lee Park <lee@harrow-bridge.example>",
        "Date": date,
        "Message-ID": "<1@mail.example>",
    }
    path.write_text("".join(f"{name}: {value}\n" for name, value in headers.items()) + f"\n{body}\n", "utf-8")
    return path


def deadlines(memory: Memory) -> list[str | None]:
    return [end for _, _, _, end in said(memory)]


@pytest.mark.parametrize(
    ("words", "due"),
    [
        ("by tomorrow", "2026-03-12"),
        ("by Wednesday", "2026-03-11"),
        ("by Friday", "2026-03-13"),
        ("by EOD", "2026-03-11"),
        ("within two days", "2026-03-13"),
        ("by 2026-03-20", "2026-03-20"),
    ],
)
@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo"])
def test_relative_days_count_from_the_day_of_the_sender(
    memory: Memory, tmp_path: Path, zone: str, words: str, due: str
) -> None:
    with memory.as_actor("cli", "workspace").write() as change:
        put_setting(change, "timezone", zone)
    import_mail(memory, mail(tmp_path / "one.eml", f"I will send it {words}."))
    assert deadlines(memory) == [due]


@pytest.mark.parametrize("date", ["Thu, 12 Mar 2026 06:30:00 -0000", "Thu, 12 Mar 2026 06:30:00"])
def test_a_date_without_a_zone_is_read_in_the_zone_of_the_workspace(memory: Memory, tmp_path: Path, date: str) -> None:
    with memory.as_actor("cli", "workspace").write() as change:
        put_setting(change, "timezone", "America/Los_Angeles")
    import_mail(memory, mail(tmp_path / "one.eml", "I will send it by tomorrow.", date))
    assert deadlines(memory) == ["2026-03-12"]


def test_a_mail_that_is_read_again_keeps_its_deadline(memory: Memory, tmp_path: Path) -> None:
    read = Reading(memory, tmp_path / "bundle.jsonl")
    read(email("e1", "I will finish the Lumen Audit by tomorrow.", SENT_AT, headers={"Date": SENT}))
    assert said(memory) == [("commitment", "Marcus Webb", "", "2026-03-12")]
    read(issue())
    assert ("commitment", "Marcus Webb", "Lumen Audit", "2026-03-12") in said(memory)
