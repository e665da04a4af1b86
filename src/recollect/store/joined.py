"""An engine inside an open transaction: what is written through it stands or falls with that one."""

from collections.abc import Iterator
from contextlib import contextmanager

from recollect.store.port import Connection, Engine


class Joined:
    """Each transaction is a part of the one that is open; each read sees what was written so far."""

    def __init__(self, engine: Engine, connection: Connection) -> None:
        self.name = engine.name
        self._engine = engine
        self._connection = connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        yield self._connection

    @contextmanager
    def writing(self, *, wait: bool = True) -> Iterator[Connection]:
        del wait
        with self._connection.savepoint():
            yield self._connection

    def migrate(self) -> None:
        self._engine.migrate()

    def compact(self) -> bool:
        return False

    def close(self) -> None:
        """It is not ours to close."""
