"""Whether talks that were filled in are what the real door makes of the same texts."""

from pathlib import Path
from typing import Any

import psycopg

from benchmarks.world import write_lines
from recollect.importers.bundle import import_bundle
from recollect.memory import Memory
from recollect.when.instant import format_instant

TALKS = 200
_TALKS = """SELECT d.key, d.title, d.source_at, t.text FROM document d
JOIN content t ON t.ws = d.ws AND t.hash = d.content
WHERE d.key LIKE 'talk-%%' ORDER BY md5(d.key) LIMIT %s"""
_TURNS = """SELECT d.key, d.kind, d.type, d.title, d.source_at, d.properties, n.folded, a.kind, a.source, a.first_at,
  a.last_at, a.source_kind, c.seq, c.start, c.stop, c.text, (SELECT array_agg(lexeme || ':' || cardinality(positions)
  ORDER BY lexeme COLLATE "C") FROM unnest(w.words))
FROM document d JOIN chunk c ON c.ws = d.ws AND c.document = d.id
JOIN chunk_word w ON w.ws = c.ws AND w.number = c.number
JOIN title n ON n.ws = d.ws AND n.document = d.id JOIN artifact a ON a.ws = d.ws AND a.document = d.id
WHERE d.key = ANY(%s) ORDER BY d.key COLLATE "C", c.seq"""

Rows = list[tuple[Any, ...]]


def write_sample(grown: str, memory: Memory, bundle: Path) -> list[str]:
    """Write some of the talks of a store through the real door of another; their keys."""
    with psycopg.connect(grown) as connection:
        talks = connection.execute(_TALKS.encode(), (TALKS,)).fetchall()
    records = (
        {"id": key, "type": "note", "title": title, "source_at": format_instant(at), "content": text}
        for key, title, at, text in talks
    )
    write_lines(bundle, ({"record": record, "facts": []} for record in records))
    import_bundle(memory, bundle)
    return [key for key, *_ in talks]


def differing_turns(grown: str, door: str, keys: list[str]) -> tuple[int, Rows]:
    """How many passages the talks have, and those of the door that the filled store has otherwise."""
    ours, theirs = (_turns(each, keys) for each in (grown, door))
    return len(theirs), [row for row in theirs if row not in ours] + [row for row in ours if row not in theirs]


def _turns(address: str, keys: list[str]) -> Rows:
    with psycopg.connect(address) as connection:
        return connection.execute(_TURNS.encode(), (keys,)).fetchall()
