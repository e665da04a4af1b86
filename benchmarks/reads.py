"""Reads by name: the whole tool call against the bare SQL, and a large store against a small one."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw

from benchmarks.stores import opened
from benchmarks.timing import Operation, Row, interleaved
from benchmarks.world import PROBES, probe_name
from recollect.memory import Memory
from recollect.resolve.resolver import resolve
from recollect.store.tables import FACT, LATEST
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface

ROUNDS = 300
EARLIER = 150  # a transaction after those that tell of the probes

_ROWS = f"SELECT {', '.join(f'f.{column}' for column in FACT.columns)} FROM fact f"
_BARE = f"{_ROWS} WHERE f.ws = ?1 AND f.subject = ?2 AND f.tx_to > ?3"
_WITH_ENDS = """
SELECT f.words, f.label, f.fact_type, f.source_at, f.valid_from, f.valid_until, f.confidence, f.certainty, f.stale,
  s.name, s.type, o.name, o.type, a.source_key, a.source_url, a.quote FROM fact f
JOIN entity s ON s.ws = f.ws AND s.id = f.subject AND s.tx_to > ?3
JOIN entity o ON o.ws = f.ws AND o.id = f.object AND o.tx_to > ?3
JOIN assertion a ON a.ws = f.ws AND a.id = f.newest AND a.tx_to > ?3
WHERE f.ws = ?1 AND f.subject = ?2 AND f.tx_to > ?3 ORDER BY f.source_at DESC"""
_ID = "SELECT entity FROM name WHERE ws = ?1 AND folded = ?2 AND tx_to > ?3"


def compare_reads(store: Path, size: str) -> list[Row]:
    with opened(store) as memory:
        bare = _bare(store, _BARE)
        taken = interleaved(
            {
                "now": facts_operation(memory),
                "then": facts_operation(memory, as_of=EARLIER),
                "rows": bare,
                "joined": _bare(store, _WITH_ENDS),
            },
            ROUNDS,
        )
    return [
        Row(f"get_facts, 20 facts, at {size}", taken["now"], taken["joined"], "SQL for the same 20, named", 5),
        Row(f"get_facts, 20 facts, at {size}", taken["now"], taken["rows"], "SQL for 20 bare fact rows", 5),
        Row(f"get_facts as_of, at {size}", taken["then"], taken["now"], "the same read now", 1.5),
    ]


def compare_sizes(large: Path, small: Path, size: str) -> list[Row]:
    """The same questions to a large and to a small store."""
    with opened(large) as big, opened(small) as little:
        kinds: dict[str, tuple[Callable[[Memory], Operation], float]] = {
            "get_facts by name": (facts_operation, 1.5),
            "exact resolution": (exact_operation, 1.5),
            "fuzzy resolution": (fuzzy_operation, 5),
        }
        rows = []
        for what, (make, at_most) in kinds.items():
            taken = interleaved({"large": make(big), "small": make(little)}, ROUNDS)
            rows.append(Row(f"{what} at {size}", taken["large"], taken["small"], "the same at 10k", at_most))
        return rows


def facts_operation(memory: Memory, **more: Any) -> Operation:
    tool = find_surface("pearscarf").find("get_facts")
    reader = memory.as_actor("pearscarf", "get_facts")

    def ask(number: int) -> None:
        answer = call(tool, lambda _: reader, {"entity": probe_name(number % PROBES), **more})
        if answer.structured["count"] != 20:
            raise SystemExit(f"a probe should have 20 facts, not {answer.structured.get('count')}")

    return ask


def exact_operation(memory: Memory) -> Operation:
    return _resolving(memory, lambda name: name)


def fuzzy_operation(memory: Memory) -> Operation:
    return _resolving(memory, lambda name: name[:-3] + name[-2:])


def _resolving(memory: Memory, spell: Callable[[str], str]) -> Operation:
    def ask(number: int) -> None:
        with memory.read() as view:
            if resolve(memory.names(view), spell(probe_name(number % PROBES))).entity is None:
                raise SystemExit(f"{spell(probe_name(number % PROBES))} should be found")

    return ask


def _bare(store: Path, sql: str) -> Operation:
    raw = apsw.Connection(str(store), flags=apsw.SQLITE_OPEN_READONLY)
    raw.execute("PRAGMA cache_size = -65536")
    folded = [probe_name(probe).casefold() for probe in range(PROBES)]
    ids = [raw.execute(_ID, (1, name, LATEST)).fetchall()[0][0] for name in folded]

    def ask(number: int) -> None:
        if len(raw.execute(sql, (1, ids[number % PROBES], LATEST)).fetchall()) != 20:
            raise SystemExit("a probe should have 20 facts")

    return ask
