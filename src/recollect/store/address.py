"""From a database address to an engine."""

from collections.abc import Sequence
from pathlib import Path

from recollect.errors import PackageMissing, Refused
from recollect.store.encryption import StoreKey
from recollect.store.port import Engine
from recollect.store.sqlite import SqliteEngine

_SQLITE = "sqlite:///"
_POSTGRES = ("postgresql://", "postgres://")


class BadAddress(Refused):
    code = "bad_address"

    def __init__(self, address: str) -> None:
        kind = address.split("://", 1)[0]
        super().__init__(f"unknown database scheme {kind}://; use a path, sqlite:///… or postgresql://…", field="db")


POSTGRES_PACKAGES = ("psycopg[binary]>=3.2",)
"""The extra `postgres`."""


def engine_for(address: str, key: StoreKey | None = None, replicas: Sequence[str] = ()) -> Engine:
    """The engine for a path, a sqlite:/// or a postgresql:// address with its replicas, with its schema migrated."""
    engine = _engine(address, key, replicas)
    try:
        engine.migrate()
    except BaseException:
        engine.close()
        raise
    return engine


def _engine(address: str, key: StoreKey | None, replicas: Sequence[str]) -> Engine:
    if address.startswith(_POSTGRES):
        try:
            from recollect.store.postgres import PostgresEngine
            from recollect.store.postgres_shards import ShardedPostgres
        except ImportError as missing:
            raise PackageMissing("PostgreSQL", POSTGRES_PACKAGES) from missing
        return ShardedPostgres(PostgresEngine(address, replicas))
    if address.startswith(_SQLITE):
        return SqliteEngine(str(Path(address.removeprefix(_SQLITE)).expanduser()), key)
    if "://" in address:
        raise BadAddress(address)
    return SqliteEngine(str(Path(address).expanduser()), key)
