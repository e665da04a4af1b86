"""A record that goes back to an earlier text is read again; the same text twice changes nothing."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.ingest.records import everything
from tests.support.facts import fact

from recollect.importers.formats import detect_format, read_sample
from recollect.memory import Memory

pytestmark = pytest.mark.every_case
PROMISE, OTHER = "I will repair the gate by 2026-04-05.", "The sun is out."


def note(text: str) -> str:
    return f"---\nauthor: Ann Lee\ndate: 2026-04-01\n---\n{text}\n"


def mail(text: str) -> str:
    head = "From: Ann Lee <ann@lee.example>\nTo: bo@lee.example\nMessage-ID: <m1@lee.example>\nSubject: Gate\n"
    return f"{head}Date: Wed, 1 Apr 2026 09:00:00 +0000\n\n{text}\n"


def bundle(text: str, **more: Any) -> str:
    record = {"id": "r1", "type": "memo", "source_at": "2026-04-01T09:00:00Z", "content": text}
    return json.dumps({"record": {**record, "metadata": {"author": "Ann Lee"}}, **more}) + "\n"


def given(text: str) -> str:
    """A line with its facts, whose text never changes."""
    told = fact("Ann Lee", "risk", "Acme", "gate may fall", label="ASSERTED")
    return bundle("same", facts=[told] if text == PROMISE else [])


def take(memory: Memory, path: Path, content: str) -> tuple[int, int]:
    path.write_text(content, "utf-8")
    told = memory.as_actor("cli", "ingest")
    tally = detect_format(read_sample(told, path)).import_path(told, path, None).tally
    return tally.changed, tally.unchanged


WRITTEN = [("note.md", note), ("gate.eml", mail), ("r.jsonl", bundle), ("given.jsonl", given)]


@pytest.mark.parametrize(("name", "write"), WRITTEN, ids=[name for name, _ in WRITTEN])
def test_a_record_that_goes_back_to_an_earlier_text_says_it_again(
    memory: Memory, tmp_path: Path, name: str, write: Any
) -> None:
    path, found = tmp_path / name, []
    for text in (PROMISE, PROMISE, OTHER, PROMISE, OTHER, OTHER, PROMISE):
        outcome = take(memory, path, write(text))
        found.append((outcome, sum("gate" in each.text for each in everything(memory))))
    new, same = (1, 0), (0, 1)
    assert found == [(new, 1), (same, 1), (new, 0), (new, 1), (new, 0), (same, 0), (new, 1)]


def mbox(text: str) -> str:
    return f"From ann@lee.example Wed Apr  1 09:00:00 2026\n{mail(text)}\n"


@pytest.mark.parametrize(("name", "write"), [("r.jsonl", bundle), ("given.jsonl", given), ("box.mbox", mbox)])
def test_a_file_with_several_versions_leaves_the_last_and_changes_nothing_when_repeated(
    memory: Memory, tmp_path: Path, name: str, write: Any
) -> None:
    file, several = tmp_path / name, write(PROMISE) + write(OTHER)
    assert take(memory, file, several) == (2, 0)
    assert take(memory, file, several) == (0, 2)
    assert not [each for each in everything(memory) if "gate" in each.text]
    assert take(memory, file, several + write(PROMISE)) == (1, 2)
    assert take(memory, file, several + write(PROMISE)) == (0, 3)
    assert [each for each in everything(memory) if "gate" in each.text]
