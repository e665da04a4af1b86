"""Questions of time against the bare SQL on the same file, at the slow end: the 95th of 100 calls.

Usage: python -m benchmarks.lore_reads [--size 100k] [--folder ~/bench]

The SQL fetches what the answer is made of: names to ids, the facts, both ends, every source with its document, and
what the life rule needs. It sorts and joins, but it judges and prints nothing.
"""

# ruff: noqa: T201

import argparse
import gc
import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import apsw

from benchmarks.lore_world import PROBES, history, house, place, probe
from benchmarks.stores import SIZES, opened
from benchmarks.timing import Operation, Row, table
from benchmarks.world import write_lines
from recollect.importers.bundle import import_bundle
from recollect.memory import Memory
from recollect.store.tables import LATEST
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface

ROUNDS = 200
_AT = "1500"
_AT_LO, _AT_HI = -14_831_769_600_000_000, -14_800_233_600_000_001

_NAME = "SELECT entity FROM name WHERE ws = 1 AND folded = ?1 AND tx_to > ?2"
_FACT = (
    "f.id, f.subject, f.predicate, f.object, f.literal, f.label, f.valid_from, f.from_lo, f.from_hi, f.valid_until,"
    " f.until_lo, f.until_hi, f.disputed, f.stale, f.attributes, f.words, f.evidence, f.recorded_at"
)
_SOURCE = (
    "a.document, a.source_key, a.quote, a.actor, a.confidence, a.valid_from, a.valid_until, d.title, d.key,"
    " d.properties"
)
_SOURCES = (
    "JOIN assertion a ON a.ws = 1 AND a.fact = f.id AND a.tx_to > :as_of_tx"
    " LEFT JOIN document d ON d.ws = 1 AND d.id = a.document AND d.tx_to > :as_of_tx"
)
_LIVE = "f.tx_to > :as_of_tx AND f.stale = 0 AND f.certainty <> 'retracted'"
_THEN = "(f.from_lo IS NULL OR f.from_lo <= :hi) AND (f.until_hi IS NULL OR f.until_hi >= :lo)"
_LISTED = "IN (SELECT value FROM json_each(:ids))"
_TRIPLE = f"""SELECT {_FACT}, {_SOURCE} FROM fact f {_SOURCES}
WHERE f.ws = 1 AND f.subject = :subject AND f.predicate = 'member_of' AND f.object = :object AND {_LIVE}"""
_LIVES = f"""SELECT {_FACT} FROM fact f
WHERE f.ws = 1 AND f.subject {_LISTED} AND f.predicate IN ('born', 'died', 'existed_during') AND {_LIVE}"""
_TOLD_COLUMNS = f"{_FACT}, e.name, e.type, e.properties, {_SOURCE}"
_TOLD = f"""SELECT {_TOLD_COLUMNS} FROM fact f
LEFT JOIN entity e ON e.ws = 1 AND e.id = f.object AND e.tx_to > :as_of_tx {_SOURCES}
WHERE f.ws = 1 AND f.subject = :entity AND {_LIVE}
UNION ALL
SELECT {_TOLD_COLUMNS} FROM fact f JOIN entity e ON e.ws = 1 AND e.id = f.subject AND e.tx_to > :as_of_tx {_SOURCES}
WHERE f.ws = 1 AND f.object = :entity AND {_LIVE}
ORDER BY 8, 12, 1"""
_WITHIN = f"""WITH RECURSIVE p(id) AS (
  SELECT :entity
  UNION
  SELECT f.subject FROM p JOIN fact f ON f.ws = 1 AND f.object = p.id
  WHERE f.predicate = 'part_of' AND {_LIVE} AND {_THEN}
) SELECT id FROM p"""
_HERE = f"""SELECT {_FACT}, e.name, e.type, e.properties, {_SOURCE} FROM fact f
JOIN entity e ON e.ws = 1 AND e.id = f.subject AND e.tx_to > :as_of_tx {_SOURCES}
WHERE f.ws = 1 AND f.object {_LISTED} AND f.predicate IN ('rules', 'controls', 'located_in', 'occurred_at')
  AND {_LIVE} AND {_THEN}"""
_HELD = f"""SELECT {_FACT}, e.name, e.type, e.properties, {_SOURCE} FROM fact f
JOIN entity e ON e.ws = 1 AND e.id = f.object AND e.tx_to > :as_of_tx {_SOURCES}
WHERE f.ws = 1 AND f.subject {_LISTED} AND f.predicate IN ('practices', 'worships', 'speaks', 'possesses')
  AND {_LIVE}"""
_WHEN = (
    f"SELECT {_FACT} FROM fact f WHERE f.ws = 1 AND f.subject {_LISTED} AND f.predicate = 'occurred_during' AND {_LIVE}"
)
_COUNTS = (
    f"SELECT f.subject, COUNT(*) FROM fact f WHERE f.ws = 1 AND f.subject {_LISTED} AND {_LIVE} GROUP BY f.subject"
)


class Bare:
    """The same questions in SQL."""

    def __init__(self, store: Path) -> None:
        self._raw = apsw.Connection(str(store), flags=apsw.SQLITE_OPEN_READONLY)
        self._raw.execute("PRAGMA cache_size = -65536")

    def _rows(self, sql: str, **values: Any) -> list[Any]:
        given = {"as_of_tx": LATEST, "lo": _AT_LO, "hi": _AT_HI, **values}
        return self._raw.execute(sql, {key: value for key, value in given.items() if f":{key}" in sql}).fetchall()

    def _id(self, name: str) -> str:
        return str(self._raw.execute(_NAME, (name.casefold(), LATEST)).fetchall()[0][0])

    def was_true(self, number: int) -> None:
        subject, object_ = self._id(probe(number)["name"]), self._id(house(number + 3)["name"])
        self._rows(_TRIPLE, subject=subject, object=object_)
        self._rows(_LIVES, ids=json.dumps([subject]))

    def timeline(self, number: int) -> None:
        self._rows(_TOLD, entity=self._id(probe(number)["name"]))

    def state(self, number: int) -> None:
        entity = self._id(place(number + 100)["name"])
        places = [row[0] for row in self._rows(_WITHIN, entity=entity)]
        here = self._rows(_HERE, ids=json.dumps(places))
        who = json.dumps([row[1] for row in here if row[2] != "occurred_at"])
        for sql in (_LIVES, _HELD, _COUNTS):
            self._rows(sql, ids=who)
        self._rows(_WHEN, ids=json.dumps([row[1] for row in here if row[2] == "occurred_at"]))
        self._rows(_TOLD, entity=entity)
        self._rows(_LIVES, ids=json.dumps([entity]))


def compare(store: Path, size: str) -> list[Row]:
    bare = Bare(store)
    with opened(store) as memory:
        asked: Mapping[str, tuple[Operation, Operation, float]] = {
            "was_true_at": (_asking(memory, "was_true_at", _triple), bare.was_true, 3),
            "state_at": (_asking(memory, "state_at", _state), bare.state, 3),
            "timeline": (_asking(memory, "timeline", _told), bare.timeline, 1.5),
        }
        return [
            Row(f"{tool} at {size}, p95", *_slow(ours, theirs), "the bare SQL on the same file", at_most)
            for tool, (ours, theirs, at_most) in asked.items()
        ]


def _triple(number: int) -> dict[str, str]:
    ends = {"subject": probe(number)["name"], "object": house(number + 3)["name"]}
    return {"relation": "MEMBER_OF", "at_time": "1413", **ends}


def _state(number: int) -> dict[str, str]:
    return {"entity": place(number + 100)["name"], "at_time": _AT}


def _told(number: int) -> dict[str, str]:
    return {"entity": probe(number)["name"]}


def _asking(memory: Memory, name: str, arguments: Callable[[int], dict[str, str]]) -> Operation:
    tool, reader = find_surface("lore-engine").find(name), memory.as_actor("lore-engine", name)

    def ask(number: int) -> None:
        answer = call(tool, lambda _: reader, arguments(number))
        if answer.is_error:
            raise SystemExit(f"{name}: {answer.structured}")

    return ask


def _slow(ours: Operation, theirs: Operation) -> tuple[float, float]:
    """The 95th percentile of each, both done in turn."""
    taken: tuple[list[float], list[float]] = ([], [])
    for number in range(PROBES):
        ours(number)
        theirs(number)
    gc.collect()
    for number in range(ROUNDS):
        for deed, times in zip((ours, theirs), taken, strict=True):
            began = time.process_time()
            deed(number % PROBES)
            times.append(time.process_time() - began)
    one, other = (sorted(times)[int(ROUNDS * 0.95)] for times in taken)
    return one, other


def build(folder: Path, size: str) -> Path:
    """A store with a history of this size, kept for the next run."""
    path = folder / f"history-{size}.db"
    if not path.exists():
        bundle, unfinished = folder / f"history-{size}.jsonl", folder / f"unfinished-history-{size}.db"
        write_lines(bundle, history(SIZES[size]))
        with opened(unfinished) as memory:
            import_bundle(memory, bundle)
        bundle.unlink()
        unfinished.rename(path)
    return path


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lore_reads", description="Questions of time.")
    parser.add_argument("--size", choices=tuple(SIZES), default="100k")
    parser.add_argument("--folder", type=Path, help="keep the store here, and use the one that is there")
    asked = parser.parse_args()
    if asked.folder is not None:
        asked.folder.mkdir(parents=True, exist_ok=True)
        print(table(compare(build(asked.folder, asked.size), asked.size)))
        return
    with TemporaryDirectory(prefix="recollect-bench-") as folder:
        print(table(compare(build(Path(folder), asked.size), asked.size)))


if __name__ == "__main__":
    main()
