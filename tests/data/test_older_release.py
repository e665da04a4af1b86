"""A database written by an older release answers every read tool as that release did.

`older_release/memory.db.xz` is the example world as release 0.1 wrote it, without embeddings; `answers.json` beside it
has what each read tool of that release answered to its example; keys that were added since are allowed.
"""

import json
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from recollect.change_listeners import open_memory
from recollect.memory import Memory, find_workspace
from recollect.settings import Settings
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface
from recollect.when.clock import clock_from

FOLDER = Path(__file__).parent / "older_release"
NOW = "2026-05-20T10:00:00Z"
SETTINGS = Settings({"RECOLLECT_NOW": NOW, "RECOLLECT_EMBEDDING_MODEL": "none"})
ANSWERS: dict[str, Any] = json.loads((FOLDER / "answers.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def older(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    path = tmp_path_factory.mktemp("older") / "memory.db"
    path.write_bytes(lzma.decompress((FOLDER / "memory.db.xz").read_bytes()))
    memory = open_memory(str(path), settings=SETTINGS, clock=clock_from(NOW))
    yield memory
    memory.close()


@pytest.mark.parametrize("tool_name", ANSWERS)
def test_a_database_of_an_older_release_reads_the_same(older: Memory, tool_name: str) -> None:
    surface, _, name = tool_name.partition(".")
    stored = ANSWERS[tool_name]
    workspace = find_workspace(older.engine, stored["workspace"])
    assert workspace is not None
    memory = older.for_workspace(workspace)
    tool = find_surface(surface).find(name)
    answer = call(tool, lambda each: memory.as_actor(each.surface.name, each.name), stored["arguments"])
    assert _known_then(json.loads(json.dumps(answer.structured)), stored["answer"]) == stored["answer"]


def _known_then(answer: Any, older: Any) -> Any:
    """The answer without keys that the older release did not have."""
    if isinstance(answer, dict) and isinstance(older, dict):
        return {key: _known_then(answer[key], older[key]) for key in answer if key in older}
    if isinstance(answer, list) and isinstance(older, list) and len(answer) == len(older):
        return [_known_then(*pair) for pair in zip(answer, older, strict=True)]
    return answer
