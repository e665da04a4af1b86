"""Whether documents came in since is asked by every recall, so it must not look through them, whatever is compared."""

import re

import psycopg
from tests.support.databases import new_postgres_database

from recollect.ingest.documents import DocumentDraft, store_document
from recollect.memory import open_memory
from recollect.settings import Settings
from recollect.store.queries import postgres_queries

DOCUMENTS = 600


def test_new_documents_are_not_looked_for_among_all_by_a_plan_for_any_number(postgres_server: str) -> None:
    address = new_postgres_database(postgres_server)
    memory = open_memory(address, settings=Settings())
    with memory.write() as change:
        for number in range(DOCUMENTS):
            store_document(change, DocumentDraft("record", "note", f"n{number}", None, None, None, change.now, "Rain."))
    memory.close()
    numbers = iter(range(1, 10))
    sql = re.sub(r"%\(\w+\)s", lambda _: f"${next(numbers)}::BIGINT", postgres_queries()["documents_lagging"].sql)
    with psycopg.connect(address, autocommit=True) as raw:
        raw.execute("VACUUM ANALYZE document")
        plan = [line for [line] in raw.execute(f"EXPLAIN (GENERIC_PLAN) {sql}".encode()).fetchall()]
    assert not [line for line in plan if "Seq Scan" in line], plan
