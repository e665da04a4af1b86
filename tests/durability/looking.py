"""A look at the rows of a store, past our own code."""

from typing import Any

import apsw

Row = tuple[Any, ...]
OPEN = 9223372036854775807

LOOSE = {
    "an entity without a fact": """
        SELECT id FROM entity e WHERE NOT EXISTS (SELECT 1 FROM fact f WHERE f.subject = e.id OR f.object = e.id)""",
    "an entity without a name": """
        SELECT id FROM entity e WHERE NOT EXISTS (SELECT 1 FROM name n WHERE n.entity = e.id)""",
    "a fact without an assertion": """
        SELECT id FROM fact f WHERE NOT EXISTS (SELECT 1 FROM assertion a WHERE a.fact = f.id)""",
    "an assertion without its fact": """
        SELECT id FROM assertion a WHERE NOT EXISTS (SELECT 1 FROM fact f WHERE f.id = a.fact)""",
    "a fact without its subject": """
        SELECT id FROM fact f WHERE NOT EXISTS (SELECT 1 FROM entity e WHERE e.id = f.subject)""",
    "a fact of no transaction": """
        SELECT id FROM fact f WHERE NOT EXISTS (SELECT 1 FROM tx t WHERE t.ws = f.ws AND t.tx = f.tx_from)""",
    "two open versions of a fact": f"""
        SELECT id FROM fact WHERE tx_to = {OPEN} GROUP BY ws, id HAVING COUNT(*) > 1""",
    "two entities of one name": f"""
        SELECT folded FROM entity WHERE tx_to = {OPEN} GROUP BY ws, type, folded HAVING COUNT(*) > 1""",
}


def rows(address: str, sql: str) -> list[Row]:
    if address.startswith("postgresql://"):
        import psycopg

        with psycopg.connect(address) as connection:
            return connection.execute(sql.encode()).fetchall()
    raw = apsw.Connection(address)
    try:
        return list(raw.execute(sql).fetchall())
    finally:
        raw.close()


def assert_whole(address: str) -> None:
    """No half call, no lost or doubled number, and the file itself is sound."""
    if not address.startswith("postgresql://"):
        assert rows(address, "PRAGMA integrity_check") == [("ok",)]
    numbers = [number for [number] in rows(address, "SELECT tx FROM tx ORDER BY tx")]
    assert numbers == list(range(1, len(numbers) + 1))
    assert rows(address, "SELECT last_tx FROM workspace") == [(len(numbers),)]
    loose = _loose(address)
    assert not loose, loose


def _loose(address: str) -> list[Row]:
    """Rows that only a call cut in half could leave behind."""
    return [(what, *row) for what, sql in LOOSE.items() for row in rows(address, sql)]
