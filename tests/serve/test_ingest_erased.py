"""A text that was erased is not read again, says so, and is read again on request."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from recollect.serve.cli.main import main

MAIL = """From: Dana Cole <dana@harrow.example>
To: Ada Brandt <ada@brandt.example>
Date: Mon, 2 Mar 2026 09:00:00 +0000
Message-ID: <one@harrow.example>
Subject: Lumen Audit

I will send the ledger by Friday.
"""
NOTE = "# Boat\n\nAda Brandt works at Harbour Ltd.\n"
LINE = (
    '{"record": {"id": "r1", "type": "note", "title": "Boat", "source_at": "2026-03-02T09:00:00Z", '
    '"content": "Ada works at Harbour Ltd."}, "facts": [{"edge_label": "AFFILIATED", "fact_type": "works_at", '
    '"from": "Ada", "to": "Harbour Ltd", "fact": "Ada works at Harbour Ltd"}]}\n'
)
FILES = pytest.mark.parametrize(
    ("name", "text"), [("one.eml", MAIL), ("boat.md", NOTE), ("r1.jsonl", LINE)], ids=["mail", "note", "line"]
)


def run(store: Path, *words: str) -> Result:
    return CliRunner().invoke(main, [*words, "--db", str(store)])


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


def erase_document(store: Path) -> None:
    listed = run(store, "list", "documents", "--json")
    [document] = json.loads(listed.output)
    assert run(store, "forget", document["source"], "--yes").exit_code == 0


def ingest(store: Path, file: Path, *options: str) -> Result:
    return run(store, "ingest", "--no-vectors", str(file), *options)


@FILES
def test_an_erased_text_given_again_is_told_and_read_again_on_request(
    store: Path, tmp_path: Path, name: str, text: str
) -> None:
    file = tmp_path / name
    file.write_text(text, "utf-8")
    assert ingest(store, file).exit_code == 0
    erase_document(store)
    again = ingest(store, file)
    assert (again.exit_code, "unchanged  0" in again.output) == (2, True), again.output
    assert "was erased and is not imported again; to import it anyway: recollect ingest --erased" in again.stderr
    assert ingest(store, file, "--erased").exit_code == 0
    assert "changed    0" in ingest(store, file).output
    assert len(json.loads(run(store, "list", "documents", "--json").output)) == 1
