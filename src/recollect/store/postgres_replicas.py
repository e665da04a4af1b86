"""Replicas of a PostgreSQL: reads go to one that has all they must see, and to the primary otherwise.

A read must include every commit that anybody was told of, so the primary is asked how far its log is flushed and the
replica how far it has replayed. Numbers of transactions would not do: tokens, jobs and erasures have none. What was
known at a transaction never changes, though, so while the primary is away a replica that has its number answers.
"""

import itertools
import logging
import time
from collections.abc import Sequence

from recollect.store.port import StoreUnavailable
from recollect.store.postgres_pool import PostgresPool
from recollect.store.tables import LATEST

log = logging.getLogger("recollect.store")

AWAY_SECONDS = 10.0
"""How long a replica that did not answer is left alone."""

_FLUSHED = b"SELECT PG_CURRENT_WAL_FLUSH_LSN()::TEXT"
_REPLAYED = b"SELECT PG_IS_IN_RECOVERY() AND PG_LAST_WAL_REPLAY_LSN() >= %s::PG_LSN"
_HELD = b"SELECT PG_IS_IN_RECOVERY() AND EXISTS (SELECT FROM workspace WHERE ws = %s AND last_tx >= %s)"
_DATABASE = b"SELECT system_identifier::TEXT, CURRENT_DATABASE() FROM PG_CONTROL_SYSTEM()"


class PostgresReplicas:
    """The replicas of one primary, used in turn."""

    def __init__(self, primary: PostgresPool, replicas: Sequence[PostgresPool]) -> None:
        self._primary = primary
        self._replicas = replicas
        self._turn = itertools.count()
        self._away_until: dict[PostgresPool, float] = {}
        self._recognised: set[PostgresPool] = set()

    def choose(self, ws: int | None, as_of_tx: int | None) -> PostgresPool:
        """The server for a read of a workspace as of a transaction; without one, of what is not versioned."""
        now, turn = time.monotonic(), next(self._turn)
        order = [self._replicas[(turn + place) % len(self._replicas)] for place in range(len(self._replicas))]
        near = [each for each in order if self._away_until.get(each, 0.0) <= now]
        if ws is None or as_of_tx is None or not near:
            return self._primary
        try:
            [flushed] = self._primary.ask(ws, _FLUSHED)
        except StoreUnavailable:
            if as_of_tx == LATEST:
                raise
            return self._first(near, ws, _HELD, (ws, as_of_tx))
        return self._first(near, ws, _REPLAYED, (flushed,))

    def _first(
        self, replicas: Sequence[PostgresPool], ws: int, question: bytes, parameters: Sequence[object]
    ) -> PostgresPool:
        for replica in replicas:
            try:
                if self._is_ours(replica) and replica.ask(ws, question, parameters)[0]:
                    return replica
            except StoreUnavailable as failure:
                log.warning("a replica is left alone for %d seconds: %s", AWAY_SECONDS, failure)
                self._away_until[replica] = time.monotonic() + AWAY_SECONDS
        return self._primary

    def _is_ours(self, replica: PostgresPool) -> bool:
        """Whether it is a copy of the primary at all; a wrong address must not answer for it."""
        if replica not in self._recognised:
            if replica.ask(None, _DATABASE) != self._primary.ask(None, _DATABASE):
                log.error("%s is not a replica of %s, and is not used", replica.where, self._primary.where)
                return False
            self._recognised.add(replica)
        return True

    def close(self) -> None:
        for each in self._replicas:
            each.close()
