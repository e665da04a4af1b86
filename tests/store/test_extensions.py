"""A PostgreSQL in which the extension for vectors is missing says what to do."""

import psycopg
import pytest

from recollect.store.port import NoVectors
from recollect.store.postgres import PostgresEngine


@pytest.fixture
def bare(postgres_server: str) -> str:
    """The address of a database without the extension, for a role that may not create any."""
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute("CREATE DATABASE without_vectors TEMPLATE template0")
        connection.execute("CREATE ROLE modest LOGIN")
    with psycopg.connect(postgres_server.replace("/postgres?", "/without_vectors?"), autocommit=True) as connection:
        connection.execute("GRANT CREATE ON SCHEMA public TO modest")
    return postgres_server.replace("/postgres?", "/without_vectors?").replace("//postgres:", "//modest:")


def test_postgres_without_the_right_to_create_the_extension_says_who_has_to(bare: str) -> None:
    engine = PostgresEngine(bare)
    with pytest.raises(NoVectors, match="let a superuser run CREATE EXTENSION vector in this database"):
        engine.migrate()
    engine.close()
