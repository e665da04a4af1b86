"""A server that is killed while a model reads a memory: the job is still there, and the next one does it."""

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.llm.endpoint import ChatServer, saying, serving
from tests.support.fork import ForkedCommand
from tests.support.processes import LONGEST_WAIT, Spoken, environment

READ = {
    "entities": [
        {"type": "person", "label": "Noor", "confidence": 0.9},
        {"type": "place", "label": "Leuven", "confidence": 0.9},
    ],
    "relationships": [
        {
            "fromLabel": "Noor",
            "toLabel": "Leuven",
            "type": "lives_in",
            "evidence": "Noor lives in Leuven",
            "confidence": 0.9,
        }
    ],
}
DAY = {"granularity": "daily", "date": "2026-05-12", "instanceId": "psy-desk", "content": "- Noor lives in Leuven"}
_numbers = itertools.count(1)


@contextmanager
def entity(folder: Path, model: ChatServer) -> Iterator[Spoken]:
    """A process that serves the entity, with a model under the older names of the settings."""
    more = {
        "ENTITY_CORE_LLM_BASE_URL": model.url,
        "ENTITY_CORE_LLM_MODEL": "m",
        "ENTITY_CORE_LLM_API_KEY": "k",
        "RECOLLECT_EMBEDDING_MODEL": "none",
    }
    words = ("stdio", "--surface", "entity-core")
    process = ForkedCommand(words, environment(folder, **more), folder, "stdin", "stdout")
    spoken = Spoken(process)
    try:
        spoken.greet()
        yield spoken
    finally:
        process.kill()
        process.wait(LONGEST_WAIT)
        spoken.close()


def ask(spoken: Spoken, tool: str, **arguments: Any) -> dict[str, Any]:
    reply = spoken.ask(next(_numbers), "tools/call", {"name": tool, "arguments": arguments})
    found: dict[str, Any] = reply["result"]["structuredContent"]
    return found


def test_a_memory_that_was_being_read_when_the_process_died_is_read_by_the_next(tmp_path: Path) -> None:
    def silent(*_: object) -> None:
        slow.released.wait(LONGEST_WAIT)

    with serving(silent) as slow, entity(tmp_path, slow) as spoken:
        assert ask(spoken, "memory_create", **DAY)["extraction"] == "queued"
        while not slow.asked:
            assert ask(spoken, "sync_status")["extraction"]["queue"]["pending"] == 1, "calls are answered meanwhile"
        spoken.process.kill()
    with serving(saying(READ)) as good, entity(tmp_path, good) as spoken:
        while (found := ask(spoken, "sync_status")["extraction"])["queue"]["pending"]:
            assert found["llmAvailable"]
        assert (found["attemptsTotal"], found["nodesCreatedTotal"], found["edgesCreatedTotal"]) == (1, 2, 1)
        [edge] = ask(spoken, "graph_edge_get", type="lives_in")["edges"]
        assert edge["sources"][0]["memoryId"] == "daily-2026-05-12_psy-desk"
        assert good.asked[0]["authorization"] == "Bearer k"
