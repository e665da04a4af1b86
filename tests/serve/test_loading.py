"""A command loads what it uses, and nothing else: most of a short command is its start."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import recollect

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


CALL = """
import sys
from recollect.serve.cli.main import main
main(["call", sys.argv[1], "--json", sys.argv[2]], standalone_mode=False)
print([name for name in sys.argv[3:] if "recollect.surfaces." + name + ".surface" in sys.modules])
"""
VERSION = """
import sys
from recollect.serve.cli.main import main
main(["--version"], standalone_mode=False)
print([name for name in sys.argv[1:] if name in sys.modules])
"""


@pytest.mark.parametrize(
    ("tool", "arguments", "surface"),
    [("get_facts", '{"entity": "Ada"}', "pearscarf"), ("weekly_rollup", "{}", "cognitive_graph")],
)
def test_a_call_loads_only_the_surface_of_its_tool(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tool: str, arguments: str, surface: str
) -> None:
    monkeypatch.setenv("RECOLLECT_DB", str(tmp_path / "m.db"))
    surfaces = ("recollect", "pearscarf", "cognitive_graph", "carabase", "entity_core", "lore_engine")
    done = subprocess.run(
        [sys.executable, "-c", CALL, tool, arguments, *surfaces], capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines()[-1:] == [str([surface])], done.stderr


def test_the_version_loads_no_store_and_no_sdk() -> None:
    heavy = ("apsw", "mcp", "numpy", "pydantic", "orjson", "onnxruntime", "recollect.memory", "recollect.surfaces")
    done = subprocess.run([sys.executable, "-c", VERSION, *heavy], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


SERVE = """
import sys
from recollect.serve.http import create_app
print([name for name in sys.argv[1:] if name in sys.modules])
"""


def test_a_server_loads_its_pages_and_its_api_with_the_first_request() -> None:
    late = ("recollect.serve.api.app", "recollect.serve.web.app", "recollect.surfaces.recollect.surface", "jinja2")
    done = subprocess.run([sys.executable, "-c", SERVE, *late], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


HOOK = """
import sys
from recollect.serve.hooks.client import run
run([sys.argv[1]], sys.stdin.buffer.read())
print([name for name in sys.argv[2:] if name in sys.modules])
"""


@pytest.mark.parametrize("event", ["session-start", "user-prompt"])
def test_a_hook_that_reads_the_store_loads_nothing_that_writes_or_embeds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, event: str
) -> None:
    monkeypatch.setenv("RECOLLECT_DB", str(tmp_path / "m.db"))
    monkeypatch.setenv("RECOLLECT_HOOK_DIR", str(tmp_path / "h"))
    with recollect.open(str(tmp_path / "m.db")) as memory:
        memory.remember("I work at Harbour Ltd. Ada Brandt works at Harbour Ltd.")
    asked = {"session_id": "s", "cwd": str(tmp_path), "prompt": "what does Ada Brandt do at Harbour Ltd these days?"}
    unused = ("numpy", "recollect.embed", "recollect.llm", "recollect.text_models", "recollect.store.change")
    unused_too = ("recollect.store.vectors", "recollect.store.passage_index", "recollect.search.ranking")
    parts = ("store.passage_filter", "store.table_dump", "store.write_cache", "when.calendar", "when.parse")
    (tmp_path / ".recollect.toml").write_text('workspace = "default"\n', "utf-8")
    parts_too = ("serve.auth", "store.access_tokens", "model.slot")
    libraries = ("uuid", "tempfile", "tomllib", "secrets", "hmac", "base64")
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            HOOK,
            event,
            *unused,
            *unused_too,
            *(f"recollect.{part}" for part in (*parts, *parts_too)),
            *libraries,
        ],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Harbour" in done.stdout
    assert done.stdout.splitlines()[-1].endswith("[]")


CAPTURE = """
import os, sys
os.fork = lambda: print([name for name in sys.argv[1:] if name in sys.modules], flush=True) or 1
from recollect.serve.hooks.process import main
main(["session-end"])
"""


def test_a_hook_that_captures_loads_nothing_before_the_agent_goes_on() -> None:
    late = ("typing", "json", "pathlib", "dataclasses", "socket", "hashlib", "subprocess", "recollect.settings")
    done = subprocess.run(
        [sys.executable, "-c", CAPTURE, *late], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == ["[]"]


RECALL = """
import sys
from recollect.serve.cli.main import main
main(["recall", "where does Lena live"], standalone_mode=False)
print([name for name in sys.argv[1:] if name in sys.modules])
"""


def test_a_command_of_the_everyday_surface_loads_its_own_tool_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RECOLLECT_DB", str(tmp_path / "m.db"))
    others = [f"recollect.surfaces.recollect.{each}" for each in ("remember", "forget", "review", "undo")]
    done = subprocess.run(
        [sys.executable, "-c", RECALL, *others, "recollect.reading.reader"], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
