"""Fill a PostgreSQL store with talks of ten turns, each turn a passage with its words and its vector.

Our own ingest and model take days for ten million passages. The rows are those of one talk that was written through
the real door, under other ids, texts, words and vectors; indexes are built last, by the definitions of the store.
A passage is two pieces of real texts and a name; its vector is that of the first piece, moved as far as its own
neighbours are away. Hashes of texts are not those of the texts, but are as long and as many.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

from benchmarks.passage_seeds import Seeds
from benchmarks.postgres_growth import Connection, Copied, fast_writes, insert, without_indexes
from benchmarks.world import PARTS
from recollect.store.text_index import tsvector_document

TURNS = 10
NAMED_ALIKE = 10
"""So many passages share a name: the vocabulary grows with the store."""
AT_ONCE = 500_000
TOGETHER = 3
MINUTE, DAY = 60_000_000, 86_400_000_000
FIRST_MINUTE = 600
"""Of its day, of the talk that rows are made of."""
_OF_TURNS = ("embedding", "chunk_word", "chunk")
_OF_TALKS = ("content", "document", "title", "line", "tx", "artifact")
_ID = "'01M7' || lpad(upper(to_hex(d)), 8, '0') || upper(left(md5(d::text), 14))"
_TITLE = "'Talk ' || d"


class Base(NamedTuple):
    """The talk that rows are made of, and how far its store goes."""

    tx: int
    at: int
    chunks: int
    embeddings: int
    model: str


def fill(address: str, seeds: Seeds, count: int) -> None:
    """Add so many passages to a store that has one talk."""
    with fast_writes(address) as connection:
        base = _set_apart(connection, seeds, count)
        with ThreadPoolExecutor(TOGETHER) as pool:
            list(pool.map(partial(_fill_table, address, base, count), [*_OF_TURNS, *_OF_TALKS]))
        _finish(connection, base, count)


def _fill_table(address: str, base: Base, count: int, table: str) -> None:
    with without_indexes(address, table) as connection:
        for low in range(0, count, AT_ONCE):
            insert(connection, table, _rows(base, table, range(low, min(low + AT_ONCE, count)), count))


def _set_apart(connection: Connection, seeds: Seeds, count: int) -> Base:
    """Keep one row of each table, and what texts are made of, in tables of their own."""
    for table in (*_OF_TURNS, *_OF_TALKS):
        connection.execute(f"CREATE UNLOGGED TABLE base_{table} AS SELECT * FROM {table} LIMIT 1".encode())
    _list_pieces(connection, seeds)
    _list_names(connection, count)
    last = "SELECT (SELECT max(tx) FROM tx), (SELECT max(at) FROM tx), max(number) FROM chunk"
    [[tx, at, chunks]] = connection.execute(last.encode()).fetchall()
    [[model, embeddings]] = connection.execute("SELECT model, max(number) FROM embedding GROUP BY model").fetchall()
    return Base(tx, at, chunks, embeddings, model)


def _list_pieces(connection: Connection, seeds: Seeds) -> None:
    columns = "n integer, text text, words tsvector, vector vector, way vector"
    connection.execute(f"CREATE UNLOGGED TABLE base_piece ({columns})".encode())
    with connection.cursor().copy("COPY base_piece FROM STDIN") as rows:
        for n, text in enumerate(seeds.pieces):
            vectors = (str(each[n].tolist()) for each in (seeds.vectors, seeds.ways))
            rows.write_row((n, text, tsvector_document(1, text), *vectors))
    connection.execute("ANALYZE base_piece")


def _list_names(connection: Connection, count: int) -> None:
    connection.execute("CREATE UNLOGGED TABLE base_named (n integer, text text, words tsvector)")
    with connection.cursor().copy("COPY base_named FROM STDIN") as rows:
        for n in range(count // NAMED_ALIKE):
            name = _name(n)
            rows.write_row((n, name, tsvector_document(1, name)))
    connection.execute("ANALYZE base_named")


def _name(number: int) -> str:
    """A word of five syllables, another one for every number."""
    syllables = []
    for _ in range(5):
        number, at = divmod(number, len(PARTS))
        syllables.append(PARTS[at])
    return "".join(syllables).title()


def _turns(turns: range, count: int) -> str:
    """The numbers, pieces and names of turns; no two have the same two pieces while there are few enough of them."""
    pieces = "(SELECT count(*) FROM base_piece)"
    first, second = f"k * 1237 % {pieces}", f"(k * 3571 + k / {pieces}) % {pieces}"
    return (
        f"SELECT k, k / {TURNS} AS d, a.vector, b.way, a.words AS one, b.words AS other, n.words AS named, "
        "(ARRAY['Ann', 'Ben'])[k % 2 + 1] || ': ' || a.text || ' ' || b.text || ' ' || n.text AS body "
        f"FROM generate_series({turns.start}::bigint, {turns.stop - 1}) k JOIN base_piece a ON a.n = {first} "
        f"JOIN base_piece b ON b.n = {second} JOIN base_named n ON n.n = k * 7919 % {count // NAMED_ALIKE}"
    )


def _rows(base: Base, table: str, turns: range, count: int) -> Copied:
    if table in _OF_TURNS:
        return _turn_rows(base, table, _turns(turns, count))
    return _talk_rows(base, table, turns, count)


def _turn_rows(base: Base, table: str, turns: str) -> Copied:
    match table:
        case "embedding":
            values = {"number": f"{base.embeddings + 1} + k", "hash": "md5(k::text)"}
            return Copied({**values, "vector": "l2_normalize(k.vector + k.way)"}, f"CROSS JOIN ({turns}) k")
        case "chunk_word":
            heading = "format('''1_talk'':1 ''1_%s'':1 ''1_%s'':1', d, (ARRAY['ann', 'ben'])[k % 2 + 1])::tsvector"
            values = {"number": f"{base.chunks + 1} + k", "words": f"one || other || named || {heading}"}
            return Copied(values, f"CROSS JOIN ({turns}) k")
        case _:
            stop = "sum(length(body) + 1) OVER (PARTITION BY d ORDER BY k) - 1"
            placed = f"SELECT k, d, body, {stop} AS behind FROM ({turns}) b"
            values = {
                "number": f"{base.chunks + 1} + k",
                "document": _ID,
                "tx_from": f"{base.tx + 1} + d",
                "seq": f"k % {TURNS}",
                "start": "behind - length(body)",
                "stop": "behind",
                "hash": "md5(k::text)",
                "text": f"{_TITLE} || E'\\n' || body",
            }
            return Copied(values, f"CROSS JOIN ({placed}) k")


def _talk_rows(base: Base, table: str, turns: range, count: int) -> Copied:
    tx, at, body = f"{base.tx + 1} + d", f"{base.at + 1} + d", "md5('talk ' || d)"
    later = {each: f"t.{each} + (d + {FIRST_MINUTE}) / {DAY // MINUTE} * {DAY}" for each in ("first_at", "last_at")}
    values = {
        "content": {"hash": body, "text": "said"},
        "document": {
            "id": _ID,
            "tx_from": tx,
            "key": "'talk-' || d",
            "title": _TITLE,
            "content": body,
            "source_at": f"t.source_at + d * {MINUTE}",
        },
        "title": {"folded": "'talk ' || d", "document": _ID},
        "line": {"hash": "md5('line ' || d)", "tx_from": tx},
        "tx": {"tx": tx, "at": at},
        "artifact": {"document": _ID, "tx_from": tx, "recorded_at": at, "source": "'note:talk-' || d", **later},
    }[table]
    said = f"(SELECT d, string_agg(body, E'\\n' ORDER BY k) AS said FROM ({_turns(turns, count)}) b GROUP BY d) d"
    talks = f"generate_series({turns.start // TURNS}::bigint, {turns.stop // TURNS - 1}) d"
    return Copied(values, f"CROSS JOIN {said if table == 'content' else talks}")


def _finish(connection: Connection, base: Base, count: int) -> None:
    """How far everything has come; what was set apart goes."""
    last_tx, last, characters = "(SELECT max(tx) FROM tx)", "(SELECT max(number) FROM chunk)", 250 * count
    more = f"chunks = chunks + {count}, characters = characters + {characters}"
    statements: Sequence[str] = (
        f"UPDATE workspace SET last_tx = {last_tx}",
        f"UPDATE reading SET tx = {last_tx}",
        f"UPDATE indexed SET upto = {last}, {more} WHERE part IN ('words', 'meaning:{base.model}')",
        f"UPDATE indexed SET upto = {last} WHERE part = 'titles'",
        f"UPDATE indexed SET upto = {last_tx} WHERE part NOT IN ('words', 'titles') AND part NOT LIKE 'meaning:%'",
        f"SELECT setval(pg_get_serial_sequence('chunk', 'number'), {last})",
        "SELECT setval(pg_get_serial_sequence('embedding', 'number'), (SELECT max(number) FROM embedding))",
        *(f"DROP TABLE base_{table}" for table in (*_OF_TURNS, *_OF_TALKS, "piece", "named")),
    )
    for statement in statements:
        connection.execute(statement.encode())
