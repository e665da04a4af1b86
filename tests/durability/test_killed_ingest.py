"""A bundle whose ingest was killed ends, when run again, where an undisturbed run ends."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from recollect.importers.bundle import import_bundle
from recollect.memory import Memory, open_memory
from recollect.model.ids import EntityId
from recollect.settings import Settings
from recollect.store.fact_rows import FactFilter
from recollect.store.view import View
from recollect.when.clock import clock_from
from tests.durability.looking import rows
from tests.durability.workers import NOW, ingest, working

LINES = 120
ROUNDS = {"sqlite": 5, "postgres": 2}


def bundle(folder: Path, records: int) -> Path:
    """Records, successors, repeats and lines without a record, all about a few people.

    With fewer records than lines some come again in a new version.
    """
    random = Random(11)
    path = folder / "bundle.jsonl"
    path.write_text("".join(json.dumps(_line(number, random, records)) + "\n" for number in range(LINES)), "utf-8")
    return path


def _line(number: int, random: Random, records: int) -> dict[str, Any]:
    day = f"2026-{random.randrange(1, 5):02}-{random.randrange(1, 28):02}T08:00:00Z"
    who, where = f"Person {random.randrange(6)}", f"Firm {random.randrange(3)}"
    facts = [
        {"from": who, "to": where, "edge_label": "AFFILIATED", "fact_type": "employee", "fact": f"{who} is at {where}"},
        {"from": who, "to": where, "predicate": "advisor", "fact": f"{who} gives advice number {number % 7}"},
        {"from": who, "to": {"literal": f"note {number % 9}"}, "predicate": "says", "source_at": day},
    ]
    if number % 5 == 0:
        return {"facts": facts[2:]}
    record = {"id": f"r{number % records}", "type": "note", "source_at": day, "content": f"{who} wrote note {number}."}
    return {"record": record, "entities": [{"name": who, "type": "Person"}], "facts": facts[: 1 + number % 2]}


def state(memory: Memory) -> list[tuple[Any, ...]]:
    """All that a reader could see, without the ids, which differ from run to run."""
    found: list[tuple[Any, ...]] = []
    with memory.read() as view:
        everything = FactFilter(view.world.now.span, every=True)
        for entity in _entities(view):
            known = view.entity(entity)
            assert known is not None
            found.append(("entity", known.type, known.name, known.provisional, *view.aliases(known)))
            texts = {seen.fact.id: seen.text for seen in view.facts_about(entity, everything)}
            for seen in view.facts_about(entity, everything):
                fact = seen.fact
                replaced = texts.get(fact.replaced_by) if fact.replaced_by else None
                sources = sorted((each.source_key, each.source_at) for each in view.assertions(fact.id))
                found.append(("fact", seen.text, fact.certainty, fact.stale, replaced, fact.source_at, sources))
        found.append(("counts", *view.counts().items()))
    return sorted(found, key=repr)


def _entities(view: View) -> list[EntityId]:
    return [entity.id for type_ in ("person", "unknown") for entity in view.entities_of_types([type_], 10_000)]


def steps(address: str) -> tuple[int, int]:
    """How many transactions there were and how many passages; the words of each are indexed."""
    [[passages]] = rows(address, "SELECT COUNT(*) FROM chunk")
    assert rows(address, "SELECT COUNT(*) FROM chunk_word") == [(passages,)]
    [[last]] = rows(address, "SELECT last_tx FROM workspace")
    return last, passages


def opened(address: str) -> Memory:
    return open_memory(address, settings=Settings(), clock=clock_from(NOW))


@pytest.mark.parametrize("records", [LINES, 50], ids=["each record once", "records with versions"])
def test_a_killed_ingest_run_again_ends_where_an_undisturbed_one_ends(
    tmp_path: Path, engine_name: str, records: int, request: pytest.FixtureRequest
) -> None:
    path, random = bundle(tmp_path, records), Random(engine_name)
    calm = _new(tmp_path, "calm", request)
    wanted, taken = _taken(calm, path), steps(calm)
    for round_ in range(ROUNDS[engine_name]):
        address = _new(tmp_path, f"killed{round_}", request)
        opened(address).close()
        for _ in range(1 + round_ % 3):
            _killed_in_the_middle(address, path, random)
        assert _taken(address, path) == wanted
        # Where a record has versions, the run that starts again tells the older one again as well.
        assert steps(address) == taken or records < LINES


def _taken(address: str, path: Path) -> list[tuple[Any, ...]]:
    memory = opened(address)
    _, skipped = import_bundle(memory, path)
    assert skipped == []
    found = state(memory)
    memory.close()
    return found


def _killed_in_the_middle(address: str, path: Path, random: Random) -> None:
    with working(ingest, address, path, 10) as worker:
        for _ in range(random.randrange(10)):
            worker.hear()
        worker.process.join(random.uniform(0, 0.03))
        worker.kill()


def _new(folder: Path, name: str, request: pytest.FixtureRequest) -> str:
    if request.getfixturevalue("engine_name") == "sqlite":
        return str(folder / f"{name}.db")
    from tests.support.databases import new_postgres_database

    return new_postgres_database(request.getfixturevalue("postgres_server"))
