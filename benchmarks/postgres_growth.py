"""Make the world of a PostgreSQL store several times as large, by copies of its rows under other ids and names.

Our own ingest takes hours for ten million facts. The copies are what it would have written for the next lines of
`benchmarks.world`: other people with names of the same words, other notes, later transactions.
"""

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

import psycopg

from benchmarks.world import PROBES, WORDS, word
from recollect.store.tables import OPEN
from recollect.text.tokens import index_terms

Connection = psycopg.Connection[tuple[Any, ...]]

_BASE32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_PROBES_TX = PROBES * 5
"""The transactions up to this one tell of the probes, of which there are no copies."""
_TURN = 31
_SAFE = ("fsync", "full_page_writes", "synchronous_commit", "autovacuum")
_TOGETHER = 3
"""So many tables grow at once, the largest first."""

_COPIED = {
    "fact": ", lower(split_part(words, ' ', 3)) AS old, lower(split_part(split_part(words, ',', 1), ' ', -1)) AS other",
    "name": ", split_part(folded, ' ', 3) AS old",
    "entity": ", split_part(folded, ' ', 3) AS old",
    "assertion": ", split_part(source_key, 'note-', 2)::BIGINT AS note",
    "document": ", split_part(key, 'note-', 2)::BIGINT AS note",
    "chunk": ", split_part(text, 'note-', 2)::BIGINT AS note",
    "mention": "",
    "line": "",
    "tx": "",
}
"""Tables with transactions, and what is added to their rows to copy them."""
_FOLLOWING = {
    "title": "SELECT t.*, d.note FROM title t JOIN base_document d ON d.id = t.document",
    "chunk_word": "SELECT w.*, c.note FROM chunk_word w JOIN base_chunk c ON c.number = w.number",
    "fact_number": f"SELECT n.* FROM fact_number n JOIN base_fact f ON f.id = n.fact AND f.tx_to = {OPEN}",
    "fact_word": "SELECT w.*, f.old, f.other FROM fact_word w JOIN base_fact_number n ON n.number = w.number "
    f"JOIN base_fact f ON f.id = n.fact AND f.tx_to = {OPEN}",
    "name_word": "SELECT DISTINCT ws, key, old FROM base_name",
}


class Base(NamedTuple):
    """What is copied: how far its transactions and numbers go."""

    names: int
    last_tx: int
    """The last transaction of the ingest; those after it are not copied."""
    step: int
    """By how many transactions each copy is later than the one before."""
    last_at: int
    notes: int
    chunks: int
    facts: int
    prefixes: list[str]
    """The first six characters of ids, which say in steps of 17 minutes when they were made."""


class Copied(NamedTuple):
    """How the rows of a table differ in a copy: new values by column, and what they are taken from."""

    values: Mapping[str, str]
    joined: str = ""


def grow(address: str, names: int, times: int) -> None:
    """Make a store of so many names, filled by our own ingest, that many times as large."""
    with fast_writes(address) as connection:
        base = _set_apart(connection, names)
        with ThreadPoolExecutor(_TOGETHER) as pool:
            list(pool.map(partial(_grow_table, address, base, times), [*_COPIED, *_FOLLOWING]))
        _finish(connection, times)


def _grow_table(address: str, base: Base, times: int, table: str) -> None:
    """Add every copy of the rows of a table."""
    with without_indexes(address, table) as connection:
        for copy in range(1, times):
            insert(connection, table, _copies(base, copy)[table])


@contextmanager
def fast_writes(address: str) -> Iterator[Connection]:
    """A connection to a server that waits for no disk meanwhile; what was written is on the disk afterwards."""
    with psycopg.connect(address, autocommit=True) as connection:
        _set_options(connection, dict.fromkeys(_SAFE, "off"))
        try:
            yield connection
            connection.execute("ANALYZE")
        finally:
            _set_options(connection, dict.fromkeys(_SAFE, "on"))
        connection.execute("CHECKPOINT")


def _set_options(connection: Connection, settings: Mapping[str, str]) -> None:
    for name, value in settings.items():
        connection.execute(f"ALTER SYSTEM SET {name} = {value}".encode())
    connection.execute("SELECT pg_reload_conf()")


@contextmanager
def without_indexes(address: str, table: str) -> Iterator[Connection]:
    """A connection for many new rows of a table, which has its indexes only before and after."""
    began = time.monotonic()
    with psycopg.connect(address, autocommit=True) as connection:
        for setting in ("work_mem = '256MB'", "maintenance_work_mem = '1GB'", "max_parallel_maintenance_workers = 0"):
            connection.execute(f"SET {setting}".encode())
        indexes = _drop_indexes(connection, table)
        yield connection
        filled = time.monotonic()
        connection.execute(f"VACUUM {table}".encode())
        for each in indexes:
            connection.execute(each.encode())
    sys.stdout.write(f"{table}: rows {filled - began:.0f} s, indexes {time.monotonic() - filled:.0f} s\n")
    sys.stdout.flush()


def _set_apart(connection: Connection, names: int) -> Base:
    """Keep the rows to be copied in tables of their own, since the others grow."""

    def one(sql: str) -> int:
        [[value]] = connection.execute(sql.encode()).fetchall()
        return int(value)

    last_tx = one("SELECT max(tx) FROM tx WHERE tool = 'ingest'")
    for table, more in _COPIED.items():
        number = "tx" if table == "tx" else "tx_from"
        rows = f"SELECT *{more} FROM {table} WHERE {number} BETWEEN {_PROBES_TX + 1} AND {last_tx}"
        connection.execute(f"CREATE UNLOGGED TABLE base_{table} AS {rows}".encode())
    for table, rows in _FOLLOWING.items():
        connection.execute(f"CREATE UNLOGGED TABLE base_{table} AS {rows}".encode())
    _list_words(connection)
    made = "SELECT DISTINCT left(id, 6) FROM (SELECT id FROM base_entity UNION ALL SELECT id FROM base_assertion) i"
    return Base(
        names,
        last_tx,
        one("SELECT max(tx) FROM tx"),
        one("SELECT max(at) FROM tx"),
        one("SELECT max(note) + 1 FROM base_document"),
        one("SELECT max(number) FROM chunk"),
        one("SELECT max(number) FROM fact_number"),
        [row[0] for row in connection.execute(made.encode())],
    )


def _drop_indexes(connection: Connection, table: str) -> Sequence[str]:
    """Drop the indexes of a table; the statements that make them again."""
    made = []
    found = connection.execute(
        "SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid), indisprimary "
        "FROM pg_index WHERE indrelid = %s::regclass",
        (table,),
    ).fetchall()
    for name, definition, is_primary in found:
        if is_primary:
            connection.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}".encode())
            columns = definition.split(" USING btree ")[1]
            made.append(f"ALTER TABLE {table} ADD CONSTRAINT {name} PRIMARY KEY {columns}")
        else:
            connection.execute(f"DROP INDEX {name}".encode())
            made.append(definition)
    return made


def _list_words(connection: Connection) -> None:
    connection.execute("CREATE UNLOGGED TABLE base_word (number integer, word text, term text)")
    with connection.cursor().copy("COPY base_word FROM STDIN") as rows:
        for number in range(WORDS):
            each = word(number).lower()
            rows.write_row((number, each, _term(each)))
    connection.execute("ANALYZE base_word")


def _renamed(base: Base, copy: int, column: str, old: str, new: str) -> str:
    """The last word of a name in the copy, as that of a world with more names would be."""
    shift = -(-base.names // WORDS) * _TURN * copy
    by_number = f"JOIN base_word {new} ON {new}.number = ({old}.number + {shift}) % {WORDS}"
    return f"JOIN base_word {old} ON {old}.word = t.{column} {by_number}"


def _term(each: str) -> str:
    [stem] = index_terms(each)
    return f"'1_{stem}':"


def _copies(base: Base, copy: int) -> dict[str, Copied]:
    return {**_graph_copies(base, copy), **_source_copies(base, copy)}


def _graph_copies(base: Base, copy: int) -> dict[str, Copied]:
    """Entities, their names, facts and the words of facts."""
    one, other = _renamed(base, copy, "old", "p", "m"), _renamed(base, copy, "other", "q", "o")
    folded, spelled = "left(t.{0}, -length(t.old)) || m.word", "left(t.{0}, -length(t.old)) || initcap(m.word)"
    said = (
        "replace(replace(t.words, ' ' || initcap(p.word) || ' ', ' ' || initcap(m.word) || ' '), "
        "' ' || initcap(q.word) || ',', ' ' || initcap(o.word) || ',')"
    )
    terms = "replace(replace(t.words::text, p.term, m.term), q.term, o.term)::tsvector"
    key = folded.format("key")
    parts = f"CROSS JOIN LATERAL (SELECT DISTINCT unnest(string_to_array({key}, ' ')) AS token) w"
    number = {"number": f"t.number + {copy * base.facts}"}
    entity = {"name": spelled.format("name"), "folded": folded.format("folded")}
    name = {"spelling": spelled.format("spelling"), "folded": folded.format("folded"), "key": key}
    fact = {**_ids(base, copy, "id", "subject", "object", "newest"), "slot": f"t.slot # {copy << 20}", "words": said}
    versions = _versions(base, copy)
    return {
        "entity": Copied({**versions, **_ids(base, copy, "id"), **entity}, one),
        "name": Copied({**versions, **_ids(base, copy, "entity"), **name}, one),
        "name_word": Copied({"token": "w.token", "key": key}, f"{one} {parts}"),
        "fact": Copied({**versions, **fact}, f"{one} {other}"),
        "fact_number": Copied({**number, **_ids(base, copy, "fact")}),
        "fact_word": Copied({**number, "words": terms}, f"{one} {other}"),
    }


def _source_copies(base: Base, copy: int) -> dict[str, Copied]:
    """Notes, their passages, what they say and whom they mention, and transactions."""
    versions, note = _versions(base, copy), f"(t.note + {copy * base.notes})"
    key, title = f"'note-' || {note}", f"'About note-' || {note}"
    number = {"number": f"t.number + {copy * base.chunks}"}
    terms = f"format('''1_about'':1 ''1_note'':1 ''1_%s'':1', {note})::tsvector"
    chunk = {**number, **_ids(base, copy, "document"), "text": title, "hash": f"md5({title})"}
    at = f"{base.last_at + (copy - 1) * base.step} + t.tx"
    return {
        "assertion": Copied({**versions, **_ids(base, copy, "id", "fact", "document"), "source_key": key}),
        "document": Copied({**versions, **_ids(base, copy, "id"), "key": key, "title": title}),
        "chunk": Copied({**versions, **chunk}),
        "chunk_word": Copied({**number, "words": terms}),
        "title": Copied({**_ids(base, copy, "document"), "folded": f"'about note ' || {note}"}),
        "mention": Copied({**versions, **_ids(base, copy, "document", "entity")}),
        "line": Copied({**versions, "hash": f"md5(t.hash || '{copy}')"}),
        "tx": Copied({"tx": f"t.tx + {copy * base.step}", "at": at}),
    }


def _versions(base: Base, copy: int) -> dict[str, str]:
    later = copy * base.step
    ended = f"CASE WHEN t.tx_to > {base.last_tx} THEN {OPEN} ELSE t.tx_to + {later} END"
    return {"tx_from": f"t.tx_from + {later}", "tx_to": ended}


def _ids(base: Base, copy: int, *columns: str) -> dict[str, str]:
    """Ids as they would have been made some steps of 17 minutes earlier."""
    steps = copy * len(base.prefixes)
    earlier = " ".join(f"WHEN '{each}' THEN '{_minus(each, steps)}'" for each in base.prefixes)
    return {each: f"CASE left(t.{each}, 6) {earlier} END || substr(t.{each}, 7)" for each in columns}


def _minus(digits: str, steps: int) -> str:
    value = sum(_BASE32.index(each) << 5 * place for place, each in enumerate(reversed(digits))) - steps
    return "".join(_BASE32[value >> 5 * place & 31] for place in reversed(range(len(digits))))


def insert(connection: Connection, table: str, copied: Copied) -> None:
    found = connection.execute(
        "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped", (table,)
    )
    columns = [row[0] for row in found]
    values = ", ".join(copied.values.get(each, f"t.{each}") for each in columns)
    into = f"INSERT INTO {table} ({', '.join(columns)}) OVERRIDING SYSTEM VALUE"
    connection.execute(f"{into} SELECT {values} FROM base_{table} t {copied.joined}".encode())


def _finish(connection: Connection, times: int) -> None:
    """How far everything has come; what was set apart goes."""
    last_tx = "(SELECT max(tx) FROM tx)"
    for statement in (
        f"UPDATE workspace SET last_tx = {last_tx}",
        f"UPDATE reading SET tx = {last_tx}",
        f"UPDATE indexed SET upto = {last_tx} WHERE part = 'facts'",
        "UPDATE indexed SET upto = (SELECT max(number) FROM chunk) WHERE part IN ('words', 'titles')",
        f"UPDATE indexed SET chunks = chunks * {times} WHERE part = 'words'",
        "SELECT setval(pg_get_serial_sequence('chunk', 'number'), (SELECT max(number) FROM chunk))",
        "SELECT setval(pg_get_serial_sequence('fact_number', 'number'), (SELECT max(number) FROM fact_number))",
        *(f"DROP TABLE base_{table}" for table in (*_COPIED, *_FOLLOWING, "word")),
    ):
        connection.execute(statement.encode())
