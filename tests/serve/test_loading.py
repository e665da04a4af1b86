"""A command loads what it uses, and nothing else: most of a short command is its start."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

INGEST = """
import sys
from recollect.serve.cli.main import main
main(["ingest", "--no-vectors", sys.argv[1]], standalone_mode=False)
unused = sys.argv[2:]
print([name for name in unused if name in sys.modules])
"""
UNUSED = (
    "pydantic",
    "tqdm",
    "numpy",
    "recollect.ingest.experts.registry",
    "recollect.ingest.extract.rules",
    "recollect.keep.chats.importer",
    "recollect.keep.network.links",
    "recollect.search.passage_search",
    "recollect.surfaces.dispatch",
)


def test_a_plain_bundle_loads_no_reader_and_no_surface(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOLLECT_DB", str(tmp_path / "m.db"))
    fact = {"edge_label": "AFFILIATED", "fact_type": "owner", "from": "Ada", "to": "Kite", "fact": "Ada owns Kite"}
    record = {"id": "r1", "type": "note", "title": "Owners", "source_at": "2026-05-19T10:00:00Z"}
    bundle = tmp_path / "b.jsonl"
    bundle.write_text(json.dumps({"record": record, "facts": [fact]}) + "\n", "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", INGEST, str(bundle), *UNUSED], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
